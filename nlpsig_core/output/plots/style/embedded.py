"""Figures as HTML: a page of their own, or data for the script of another page."""

from __future__ import annotations

import html
import textwrap

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from nlpsig_core.output.plots.style.layout import ABOVE
from nlpsig_core.output.plots.style.theme import NEUTRAL

# The signature begins at the left edge of the figure, a line of this height for each of its lines above the bottom.
BELOW = {
    "x": 0, "xref": "container", "xanchor": "left", "yref": "container", "yanchor": "top", "automargin": False,
    "font": {"size": 9, "color": NEUTRAL},
}  # fmt: skip
LINE = 12
# The width of a phone in characters of small print.
SIGNATURE_WIDTH = 66
# Plotly's own button sends a figure to its servers.
PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title></head>
<body style="font-family: sans-serif">
<figure><figcaption>{title}</figcaption>{figure}<small>{signature}</small></figure></body>
</html>
"""
OFFLINE = {"showSendToCloud": False, "plotlyServerURL": "", "displaylogo": False}


def as_html(figure: go.Figure) -> str:
    """Return a page that needs no network: the figure's sentence, the interactive figure and its signature."""
    alone = go.Figure(figure).update_layout(template="plotly_white")
    drawn = alone.to_html(include_plotlyjs=True, full_html=False, default_width="100%", config=OFFLINE)
    alt, signature = (html.escape(figure.layout.meta[part]) for part in ("alt", "signature"))
    return PAGE.format(title=alt, figure=drawn, signature=signature)


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
    page.layout.margin.b += LINE * (len(lines) + 1)
    page.update_layout(title=BELOW | {"text": "<br>".join(lines), "y": LINE * (len(lines) + 0.5) / page.layout.height})
    return str(page.update_xaxes(automargin=True).update_yaxes(automargin=True).to_json())
