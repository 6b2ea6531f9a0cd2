"""Figures as HTML: a page of their own, or data for the script of another page."""

from __future__ import annotations

import html

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from nlpsig_core.plots.style.layout import ABOVE

# The signature begins at the left edge of the figure, a line of this height for each of its lines above the bottom.
BELOW = {"x": 0, "xref": "container", "xanchor": "left", "yref": "container", "yanchor": "top"}
LINE = 12
# Plotly's own button sends a figure to its servers.
PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title></head>
<body style="font-family: sans-serif">
<figure><figcaption>{title}</figcaption>{figure}</figure></body>
</html>
"""
OFFLINE = {"showSendToCloud": False, "plotlyServerURL": "", "displaylogo": False}


def as_html(figure: go.Figure, title: str) -> str:
    """One self-contained page with the interactive figure below its title; it needs no network."""
    alone = go.Figure(figure).update_layout(template="plotly_white")
    drawn = alone.to_html(include_plotlyjs=True, full_html=False, default_width="100%", config=OFFLINE)
    return PAGE.format(title=html.escape(title), figure=drawn)


def drawing_script() -> str:
    """The script of plotly.js, needed once for all figures of a page; it draws without a network."""
    return str(get_plotlyjs())


def figure_json(figure: go.Figure, **layout: object) -> str:
    """A figure as JSON without a theme's colours, which the page sets; equal figures give equal JSON.

    Its signature (the last annotation, ``layout.finish``) starts at the edge, where a phone has room for it.
    """
    *annotations, signature = figure.layout.annotations
    usual = {"margin_b": figure.layout.margin.b + LINE, "legend": ABOVE}
    page = go.Figure(figure).update_layout(template="none", **(usual | layout))
    page.layout.annotations = annotations
    lines = signature.text.count("<br>") + 1
    title = {"text": signature.text, "font": signature.font.to_plotly_json(), "automargin": False}
    page.update_layout(title=BELOW | title | {"y": LINE * (lines + 0.5) / page.layout.height})
    return str(page.update_xaxes(automargin=True).update_yaxes(automargin=True).to_json())
