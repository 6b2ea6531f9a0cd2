// The figure of all pairs: it shows the chosen ones, brings those of a system before the others, and opens a pair.
const scatter = byId("pairs-figure");
const ARRAYS = { f4: Float32Array, f8: Float64Array, i1: Int8Array, u1: Uint8Array, i2: Int16Array, i4: Int32Array };
// Plotly writes arrays of numbers as base64.
const numbers = (values) => values.bdata === undefined ? values
  : new ARRAYS[values.dtype](Uint8Array.from(atob(values.bdata), (c) => c.charCodeAt(0)).buffer);
let drawn = null, lines = [];
onceDrawn[scatter.id] = () => {
  drawn = scatter.data.map(({ x, y, text, marker }, trace) => ({
    x: numbers(x), y: numbers(y), text, rows: data.drawn[trace], size: marker.size, opacity: marker.opacity,
  }));
  lines = scatter.layout.shapes ?? [];
  scatter.on("plotly_click", ({ points }) => {
    if (points[0]?.customdata !== undefined) location.hash = addressOf(points[0].customdata);
  });
  if (chosen.length < everyPair.length || byId("highlight").value || byId("what-if").value) drawChosen();
};

function drawChosen() {
  if (!drawn) return askWhatIf();
  const isChosen = new Uint8Array(everyPair.length);
  for (const pair of chosen) isChosen[pair] = 1;
  const all = chosen.length === everyPair.length, system = names.indexOf(byId("highlight").value);
  const places = drawn.map(({ rows }) => [...rows.keys()].filter((at) => all || isChosen[rows[at]]));
  const of = (name) => drawn.map((trace, at) => trace[name] && places[at].map((place) => trace[name][place]));
  const mark = (own, others, usual) => drawn.map((trace, at) => system < 0 ? trace[usual] : places[at].map((place) => {
    const pair = trace.rows[place];
    return data.a[pair] === system || data.b[pair] === system ? own : others;
  }));
  const change = { x: of("x"), y: of("y"), "marker.opacity": mark(0.95, 0.1, "opacity"), "marker.size": mark(9, 6, "size") };
  change.customdata = drawn.map((trace, at) => places[at].map((place) => trace.rows[place]));
  if (drawn.every((trace) => trace.text)) change.text = of("text");
  Plotly.restyle(scatter, change);
  askWhatIf();
}
byId("highlight").addEventListener("change", drawChosen);
// How many observed pairs with about a gain are significant; near means within a fifth of it.
const NEAR = 0.2;
function askWhatIf() {
  const gain = Number(byId("what-if").value), answer = byId("what-if-answer");
  const line = { type: "line", x0: gain, x1: gain, y0: 0, y1: 1, yref: "paper", line: { color: colour("--text"), width: 2 } };
  if (drawn) Plotly.relayout(scatter, { shapes: gain > 0 ? [...lines, line] : lines });
  if (!(gain > 0)) return void (answer.textContent = "");
  const near = chosen.filter((pair) => columns.gain[pair] > 0 && Math.abs(columns.gain[pair] - gain) <= NEAR * gain);
  const better = near.filter((pair) => data.is_better[data.verdict[pair]]).length;
  const ends = [1 - NEAR, 1 + NEAR].map((times) => (times * gain).toFixed(decimals)).join(" to ");
  answer.textContent = near.length ? `${better} of ${near.length.toLocaleString("en")} ${near.length === 1 ? "pair" : "pairs"} with such a ${data.gain} (${ends}) differ on their own.`
    : `No pair has such a ${data.gain} (${ends}).`;
}
byId("what-if").addEventListener("input", askWhatIf);
