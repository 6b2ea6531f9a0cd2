"""Figures for a paper: as wide as a column or a page, with texts of 7 to 9 points."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import plotly.graph_objects as go

from nlpsig_core.output.plots.style.hover import label
from nlpsig_core.output.plots.style.layout import ABOVE, ENTRY

# The widths of a column and of a page of two columns, in inches.
COLUMN, PAGE = 3.3, 6.9
# Pixels of an inch in SVG; the height of figures without named rows as a share of the width.
INCH, HIGH = 96, {COLUMN: 0.85, PAGE: 0.6}
# The length of a name that leaves room for the data in a column, the room for buttons above figures on screen, and for
# the names of lines above the data.
SHORT, BUTTONS, NAMES = 16, 24, 18
FONT = {"family": "Roboto, sans-serif", "size": 10, "color": "#1B2530"}


def paper_layout(figure: go.Figure, inches: float) -> dict[str, Any]:
    """Return the layout of a figure on white at one of the two widths; its names are short in a column."""
    paper = go.Figure(layout=figure.layout)
    names = paper.layout.yaxis.ticktext
    width, top = round(INCH * inches), max(NAMES, paper.layout.margin.t - BUTTONS)
    has_rows = names is not None or "yaxis2" in paper.layout
    height = paper.layout.height - BUTTONS if has_rows else round(HIGH[inches] * width) + top
    paper.update_layout(template="plotly_white", width=width, height=height, font=FONT, margin={"t": top, "b": 40})
    if inches == COLUMN:
        paper.for_each_xaxis(_shorten)
        paper.for_each_yaxis(_shorten)
        _legend_below(paper, sum(trace.showlegend is not False for trace in figure.data))
    paper.update_xaxes(automargin=True)
    paper.update_yaxes(automargin=True)
    return dict(json.loads(str(paper.to_json()))["layout"])


def _legend_below(paper: go.Figure, entries: int) -> None:
    """Move a legend from the data, which it would hide, to below the axis; the figure gets taller by its rows."""
    if entries > 1 and paper.layout.showlegend is not False and paper.layout.legend.orientation != "h":
        room = ENTRY * entries
        legend = ABOVE | {"y": 0, "yref": "container", "yanchor": "bottom"}
        paper.update_layout(
            legend=legend, height=paper.layout.height + room, margin={"b": paper.layout.margin.b + room}
        )


def _shorten(axis: Any) -> None:
    """Shorten the names on an axis; bold ones stay bold."""
    if axis.ticktext is not None:
        axis.ticktext = [_short(text) for text in axis.ticktext]


def _short(text: str) -> str:
    bold = re.fullmatch("<b>(.*)</b>", text)
    name = label(html.unescape(bold[1] if bold else text), SHORT)
    return f"<b>{name}</b>" if bold else name
