"""Figures elsewhere than on screen: as a page of their own, as data for the script of a page, and for a paper."""

from __future__ import annotations

import html
import json
import re
import textwrap
from typing import Any

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from nlpsig_core.output.plots.style.layout import ABOVE, ENTRY
from nlpsig_core.output.plots.style.texts import label
from nlpsig_core.output.plots.style.theme import NEUTRAL

# The signature begins at the left edge of the figure, a line of this height for each of its lines above the bottom.
BELOW: dict[str, Any] = {"x": 0, "xref": "container", "xanchor": "left", "yref": "container", "yanchor": "top"}
BELOW |= {"automargin": False, "font": {"size": 9, "color": NEUTRAL}}
LINE = 12
# The width of a phone in characters of small print.
SIGNATURE_WIDTH = 66
# Plotly's own button sends a figure to its servers.
DOCUMENT = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title></head>
<body style="font-family: sans-serif">
<figure><figcaption>{title}</figcaption>{figure}<small>{signature}</small></figure></body>
</html>
"""
OFFLINE = {"showSendToCloud": False, "plotlyServerURL": "", "displaylogo": False}
# The widths of a column and of a page of two columns, in inches.
COLUMN, PAGE = 3.3, 6.9
# Pixels of an inch in SVG; the height of figures without named rows as a share of the width.
INCH, HIGH = 96, {COLUMN: 0.85, PAGE: 0.6}
# The length of a name that leaves room for the data in a column, the room for buttons above figures on screen, and for
# the names of lines above the data.
SHORT, BUTTONS, NAMES = 16, 24, 18
FONT = {"family": "Roboto, sans-serif", "size": 10, "color": "#1B2530"}


def as_html(figure: go.Figure) -> str:
    """Return a page that needs no network: the figure's sentence, the interactive figure and its signature."""
    alone = go.Figure(figure).update_layout(template="plotly_white")
    drawn = alone.to_html(include_plotlyjs=True, full_html=False, default_width="100%", config=OFFLINE)
    alt, signature = (html.escape(figure.layout.meta[part]) for part in ("alt", "signature"))
    return DOCUMENT.format(title=alt, figure=drawn, signature=signature)


def drawing_script() -> str:
    """Return the script of plotly.js, needed once for all figures of a page; it draws without a network."""
    return str(get_plotlyjs())


def figure_json(figure: go.Figure, **layout: object) -> str:
    """Return a figure as JSON without a theme's colours, which the page sets; equal figures give equal JSON.

    Its signature is below it and starts at the edge, where a phone has room for it.
    """
    signature = html.escape(figure.layout.meta["signature"]).replace("|", " | ")
    lines = [line.replace(" | ", "|") for line in textwrap.wrap(signature, SIGNATURE_WIDTH)]
    usual = {"margin_b": figure.layout.margin.b, "legend": ABOVE}
    page = go.Figure(figure).update_layout(template="none", **(usual | layout))
    page.layout.margin.b += LINE * (len(lines) + 2)
    page.update_layout(title=BELOW | {"text": "<br>".join(lines), "y": LINE * (len(lines) + 0.5) / page.layout.height})
    return str(page.update_xaxes(automargin=True).update_yaxes(automargin=True).to_json())


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
    if paper.layout.legend.y == 0 or (inches == COLUMN and paper.layout.legend.orientation != "h"):
        _legend_below(paper, sum(trace.showlegend is not False for trace in figure.data))
    paper.update_xaxes(automargin=True)
    paper.update_yaxes(automargin=True)
    return dict(json.loads(str(paper.to_json()))["layout"])


def _legend_below(paper: go.Figure, entries: int) -> None:
    """Move a legend from the data, which it would hide, to below the axis; the figure gets taller by its rows."""
    if entries > 1 and paper.layout.showlegend is not False:
        room = ENTRY * entries
        legend = ABOVE | {"y": 0, "yref": "container", "yanchor": "bottom"}
        paper.update_layout(
            legend=legend, height=paper.layout.height + room, margin={"b": paper.layout.margin.b + room}
        )


def _shorten(axis: Any) -> None:
    if axis.ticktext is not None:
        axis.ticktext = [_short(str(text)) for text in axis.ticktext]


def _short(text: str) -> str:
    bold = re.fullmatch("<b>(.*)</b>", text)
    name = label(html.unescape(bold[1] if bold else text), SHORT)
    return f"<b>{name}</b>" if bold else name
