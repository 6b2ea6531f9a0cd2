"""Figures inside a page of our own: the script that draws them, and each of them as data."""

from __future__ import annotations

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from nlpsig_core.plots.theme import ABOVE

# Where the signature begins: at the left edge of the figure, as many lines of this height from its bottom as it has.
BELOW = {"x": 0, "xref": "container", "xanchor": "left", "yref": "container", "yanchor": "top"}
LINE = 12


def drawing_script() -> str:
    """The script of plotly.js, once for all figures of a page; it draws without a network."""
    return get_plotlyjs()


def figure_json(figure: go.Figure, **layout: object) -> str:
    """A figure as JSON without the colours of a theme, which the page sets: the same for the same figure.

    Its signature (the last annotation, ``theme.finish``) starts at the edge, where a phone has room for it.
    """
    *annotations, signature = figure.layout.annotations
    room = {"margin_b": figure.layout.margin.b + LINE}
    page = go.Figure(figure).update_layout(template="none", legend=ABOVE, **(room | layout))
    page.layout.annotations = annotations
    lines = signature.text.count("<br>") + 1
    title = {"text": signature.text, "font": signature.font.to_plotly_json(), "automargin": False}
    page.update_layout(title=BELOW | title | {"y": LINE * (lines + 0.5) / page.layout.height})
    return page.update_xaxes(automargin=True).update_yaxes(automargin=True).to_json()
