"""The style sheet of the drawings, for light and dark themes; marks differ in shape, not in colour alone."""

from __future__ import annotations

# The same as in plots.theme; their contrast is at least 3:1 on light and dark backgrounds.
WRONG = "#D55E00"
NEUTRAL = "#8A8F98"

# A box that scrolls sideways, with a thin bar and a shadow at each edge beyond which there is more.
SCROLLS = """
 overflow-x:auto;scrollbar-width:thin;scrollbar-color:NEUTRAL color-mix(in srgb,NEUTRAL 18%,transparent);
 --page:var(--st-background-color,light-dark(#fff,#10161d));--edge:color-mix(in srgb,NEUTRAL 55%,transparent);
 background:linear-gradient(to right,var(--page) 40%,transparent) left/44px 100% no-repeat local,
 linear-gradient(to left,var(--page) 40%,transparent) right/44px 100% no-repeat local,
 linear-gradient(to right,var(--edge),transparent) left/18px 100% no-repeat scroll,
 linear-gradient(to left,var(--edge),transparent) right/18px 100% no-repeat scroll;
""".strip().replace("NEUTRAL", NEUTRAL)

COMMON = """
.unit-drawing{font-size:14px;line-height:1.35;color:inherit;text-align:start}
.unit-drawing .wide{SCROLLS container-type:inline-size;padding:4px 0 12px}
.unit-drawing .wide:focus-visible{outline:2px solid WRONG}
.unit-drawing .head{padding:12px 2px 4px;box-sizing:border-box;text-align:start;overflow-wrap:anywhere}
.unit-drawing .wide .head{position:sticky;left:0;right:0;width:100cqi}
.unit-drawing .summary,.unit-drawing .note>span{direction:ltr;unicode-bidi:isolate}
.unit-drawing .summary,.unit-drawing .legend,.unit-drawing .note{font-size:12.5px;opacity:.85}
.unit-drawing .summary{margin-inline-start:.5em}
.unit-drawing .note{padding:2px;overflow-wrap:anywhere}
.unit-drawing .number{display:inline-block;min-width:1.25em;border:1.3px solid currentColor;border-radius:.8em;
 font-size:10.5px;font-weight:600;line-height:1.25em;text-align:center;margin-inline-start:2px;box-sizing:border-box}
.unit-drawing .missed,.unit-drawing .cross{color:WRONG;font-weight:600}
.unit-drawing .missed{font-size:11px;margin-inline-start:3px}
.unit-drawing .legend{padding:6px 2px 2px;border-top:1px solid rgba(128,128,128,.3);margin-top:4px}
.unit-drawing .item{display:inline-block;margin-inline-end:1.4em}
.unit-drawing .sample{display:inline-block;vertical-align:middle;margin-inline-end:.25em}
"""
ARCS = """
.unit-drawing .arcs{position:relative}
.unit-drawing .arcs>*{position:absolute;inset-inline-start:var(--x);top:var(--y);width:var(--w)}
.unit-drawing .arc{height:var(--h);box-sizing:border-box;border:1.3px solid;border-bottom:0;
 border-color:color-mix(in srgb,currentColor 62%,transparent);border-radius:9px 9px 0 0}
.unit-drawing .arc.to-root{border-inline-end:0;border-top:0;border-radius:0}
.unit-drawing .arc.leaves.backward{border-inline-start:0;border-start-start-radius:0}
.unit-drawing .arc.leaves.onward{border-inline-end:0;border-start-end-radius:0}
.unit-drawing .arc::after{content:"";position:absolute;bottom:0;border:4px solid transparent;border-bottom:0;
 border-top:7px solid currentColor}
.unit-drawing .arc.to-root::after,.unit-drawing .arc.onward::after{inset-inline-start:-4.6px}
.unit-drawing .arc.backward::after{inset-inline-end:-4.6px}
.unit-drawing .arc.leaves::before{content:"";position:absolute;top:-4.6px;border:4px solid transparent}
.unit-drawing .arc.leaves.backward::before{inset-inline-start:-2px;border-inline-start:0;
 border-inline-end:7px solid currentColor}
.unit-drawing .arc.leaves.onward::before{inset-inline-end:-2px;border-inline-end:0;
 border-inline-start:7px solid currentColor}
.unit-drawing .relation{display:flex;justify-content:center;position:absolute;top:-14.5px;
 inset-inline-start:var(--l,0);width:var(--v,100%);font-size:11px;line-height:13px;white-space:nowrap}
.unit-drawing .relation>span{position:sticky;left:6px;right:6px}
.unit-drawing .to-root .relation{inset-inline-start:-40px;width:80px}
.unit-drawing .wrong-head,.unit-drawing .alone.arc{border-color:WRONG;border-style:dashed;border-bottom:0;color:WRONG}
.unit-drawing .wrong-relation .relation>span,.unit-drawing .boxed{color:WRONG;box-shadow:0 0 0 1px WRONG;
 border-radius:2px;padding:0 2px;text-decoration:underline}
.unit-drawing .word{text-align:center;white-space:nowrap;unicode-bidi:plaintext}
.unit-drawing .word>span{display:flex;justify-content:center;line-height:18px}
.unit-drawing .word .tag{font-size:10.5px;line-height:13px;opacity:.75}
.unit-drawing .word .tag.wrong{width:max-content;margin:0 auto 2px;line-height:11px;color:WRONG;opacity:1;
 box-shadow:0 0 0 1px WRONG;
 border-radius:2px;padding:0 2px;text-decoration:underline}
.unit-drawing .word.alone .form,.unit-drawing .surface.alone>span,
.unit-drawing .unmatched{color:WRONG;outline:1.3px dashed WRONG;border-radius:2px}
.unit-drawing .surface{border-top:1.3px solid NEUTRAL;font-size:11px;line-height:15px;text-align:center;
 white-space:nowrap;opacity:.85}
.unit-drawing .break{border-inline-start:2px dotted NEUTRAL;height:var(--h)}
.unit-drawing .line{display:inline-block;width:24px;height:0;border-top:1.5px dashed WRONG;vertical-align:middle}
.unit-drawing .sure{display:inline-block;width:24px;border-top:2.5px solid;vertical-align:middle}
.unit-drawing .stop{display:inline-block;height:14px;border-inline-start:2px dotted NEUTRAL;vertical-align:middle}
.unit-drawing .away{display:inline-block;width:16px;border-top:1.5px solid;position:relative}
.unit-drawing .away::before{content:"";position:absolute;top:-4.8px;left:-4px;border:4px solid transparent;
 border-left:0;border-right:7px solid currentColor}
"""
COLUMNS = """
.unit-drawing .columns{display:inline-grid;min-width:max-content}
.unit-drawing .columns>.head{grid-column:1/-1;justify-self:start;margin-inline-end:-100cqi}
.unit-drawing .node,.unit-drawing .leaf{text-align:center;white-space:nowrap;padding:0 5px;line-height:17px}
.unit-drawing .node{font-size:12px;font-weight:600}
.unit-drawing .leaf{padding-bottom:3px}
.unit-drawing .leaf>span{display:block;unicode-bidi:plaintext}
.unit-drawing .leaf .tag{font-size:11px;opacity:.8;line-height:15px}
.unit-drawing .deleted{opacity:.5}
.unit-drawing .label{display:inline-block;position:sticky;left:4px;right:4px}
.unit-drawing .node.wrong .label>span,.unit-drawing .dashed{color:WRONG;outline:1.4px dashed WRONG;border-radius:2px;
 padding:0 3px}
.unit-drawing .riser{position:relative;min-height:9px}
.unit-drawing .riser::before,.unit-drawing .riser::after{content:"";position:absolute;top:0;bottom:0;width:50%;
 box-sizing:border-box;border:0 solid color-mix(in srgb,currentColor 62%,transparent)}
.unit-drawing .riser::before{inset-inline-start:0;border-inline-end-width:1.3px;border-top-width:1.3px}
.unit-drawing .riser::after{inset-inline-end:0;border-top-width:1.3px}
.unit-drawing .riser.first::before,.unit-drawing .riser.last::after{border-top-width:0}
.unit-drawing .riser.wrong::before,.unit-drawing .riser.wrong::after{border-color:WRONG;border-top-style:dashed}
.unit-drawing .tokens,.unit-drawing .inside{display:flex;flex-wrap:wrap;align-items:flex-start}
.unit-drawing .token{padding:3px 5px 1px;overflow-wrap:anywhere;unicode-bidi:plaintext}
.unit-drawing .chunk{border:1.5px solid NEUTRAL;border-bottom-width:4px;border-radius:4px;margin:0 2px 4px;
 max-width:100%;box-sizing:border-box}
.unit-drawing .type{font-size:11px;font-weight:600;line-height:15px;text-align:center;overflow-wrap:anywhere;
 padding:0 4px}
.unit-drawing .chunk.wrong{border-color:WRONG;border-style:dashed}
.unit-drawing .chunk.wrong .type{color:WRONG}
.unit-drawing .tagged{padding:0 1px 4px}
.unit-drawing .tagged .token{display:block;text-align:center}
.unit-drawing .tagged.wrong .type>span,.unit-drawing .leaf.wrong .tag{color:WRONG;
 text-decoration:underline dashed WRONG;text-underline-offset:2px}
.unit-drawing .leaf.wrong .tag{opacity:1}
.unit-drawing .boxes{display:inline-block;border:1.5px dashed WRONG;border-bottom-width:3px;border-radius:3px;
 padding:0 4px;font-size:11px;color:WRONG;line-height:14px}
"""
GRIDS = """
.unit-drawing .grids{display:flex;flex-wrap:wrap;gap:4px 28px;align-items:flex-start}
.unit-drawing .one{max-width:100%;min-width:0}
.unit-drawing .one .wide{container-type:normal;padding-inline-end:2px}
.unit-drawing .grid{display:inline-grid;font-size:12px}
.unit-drawing .source,.unit-drawing .target{display:flex;white-space:nowrap;line-height:18px}
.unit-drawing .source{justify-content:flex-end;padding-inline-end:5px}
.unit-drawing .target{writing-mode:vertical-rl;direction:ltr;transform:rotate(180deg);padding-top:5px}
.unit-drawing .target.upright{writing-mode:horizontal-tb;transform:none;align-items:flex-end;
 justify-content:center;padding:0 0 4px}
.unit-drawing .target.upright>span{width:1em;line-height:13px;white-space:normal;word-break:break-all}
.unit-drawing .target.flat{writing-mode:horizontal-tb;transform:none;align-items:flex-end;justify-content:center;
 padding:0;font-size:10px}
.unit-drawing .source>span,.unit-drawing .target>span{unicode-bidi:plaintext}
.unit-drawing .field{border:1px solid rgba(128,128,128,.45);margin:-1px;
 background-image:linear-gradient(90deg,rgba(128,128,128,.22) 1px,transparent 1px),
 linear-gradient(rgba(128,128,128,.22) 1px,transparent 1px);background-size:18px 18px}
.unit-drawing .link{box-sizing:border-box;width:16px;height:16px;margin:1px;border-radius:2px;display:inline-block;
 text-align:center;font-size:13px;line-height:13px;vertical-align:middle}
.unit-drawing .sure{border:1.5px solid NEUTRAL;background:rgba(128,128,128,.36)}
.unit-drawing .possible{border:1.5px solid NEUTRAL}
.unit-drawing .hit::before{content:"";display:block;width:7px;height:7px;margin:3px auto;border-radius:50%;
 background:currentColor}
.unit-drawing .link.wrong{color:WRONG;font-weight:700;line-height:16px}
.unit-drawing .link.lost{border:2px dashed WRONG}
"""
TEXTS = """
.unit-drawing .text{padding:2px 2px 6px;overflow-wrap:anywhere;line-height:1.65;unicode-bidi:plaintext}
.unit-drawing .foreign{color:WRONG;text-decoration:underline wavy WRONG 1.2px;text-underline-offset:3px;
 text-decoration-skip-ink:none}
.unit-drawing .differs{background:rgba(0,114,178,.17);box-shadow:0 0 0 1px rgba(77,163,217,.75);border-radius:2px;
 box-decoration-break:clone;-webkit-box-decoration-break:clone}
.unit-drawing table.scores{border-collapse:collapse;margin:6px 2px}
.unit-drawing .scores th,.unit-drawing .scores td{padding:3px 12px 3px 0;border-bottom:1px solid rgba(128,128,128,.35);
 text-align:start;font-weight:400;overflow-wrap:anywhere}
.unit-drawing .scores thead th{opacity:.8;font-size:12.5px}
.unit-drawing .scores td{text-align:end;font-variant-numeric:tabular-nums}
"""
STYLE = (COMMON + ARCS + COLUMNS + GRIDS + TEXTS).replace("SCROLLS", SCROLLS)
STYLE = STYLE.replace("WRONG", WRONG).replace("NEUTRAL", NEUTRAL)
