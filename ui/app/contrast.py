"""Colours of the texts in figures: readable on light and on dark pages, whichever a figure was made for."""

from __future__ import annotations

from nlpsig_core.output.plots.style.theme import NEUTRAL, STYLES

# Texts of axes and legends, and notes in grey.
TEXT = "light-dark(#4A5561, #B3BEC9)"
AXES = ".js-plotly-plot :is(text[class$=title], .legendtext, [class*=tick] > text)"
# Streamlit's colour of notes without one on light pages, which is too pale.
STREAMLIT = "#808495"
# How much of the colour of a class is left in texts: the rest is black on light pages and white on dark ones.
ON_LIGHT, ON_DARK = 78, 60


def _of_note(colour: str, readable: str) -> str:
    """Return the rule for notes in a colour, which plotly writes in numbers."""
    rgb = ", ".join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))
    return f'.annotation-text[style*="rgb({rgb})"] {{ fill: {readable} !important; }}\n'


def _readable(colour: str) -> str:
    light, dark = f"color-mix(in srgb, {colour} {ON_LIGHT}%, black)", f"color-mix(in srgb, {colour} {ON_DARK}%, white)"
    return f"light-dark({light}, {dark})"


# Behind the names of a legend, lines and dots of the data are pale.
BEHIND = ".js-plotly-plot .legend .bg { fill: light-dark(#FFFFFF, #10161D) !important; fill-opacity: 0.8 !important; }"

STYLE = (
    f"{AXES} {{ fill: {TEXT} !important; }}\n{BEHIND}\n"
    + _of_note(NEUTRAL, TEXT)
    + _of_note(STREAMLIT, TEXT)
    + "".join(_of_note(colour, _readable(colour)) for colour, _ in STYLES.values())
)
