"""Colours of the texts in figures: readable on light and on dark pages, whichever a figure was made for."""

from __future__ import annotations

from nlpsig_core.output.plots.style.contrast import NOTES, TEXT, of_note

# Texts of axes and legends.
AXES = ".js-plotly-plot :is(text[class$=title], .legendtext, [class*=tick] > text)"
# Streamlit's colour of notes without one on light pages, which is too pale.
STREAMLIT = "#808495"
# Behind the names of a legend, lines and dots of the data are pale.
BEHIND = ".js-plotly-plot .legend .bg { fill: light-dark(#FFFFFF, #10161D) !important; fill-opacity: 0.8 !important; }"

STYLE = f"{AXES} {{ fill: {TEXT} !important; }}\n{BEHIND}\n" + of_note(STREAMLIT, TEXT) + NOTES
