"""The figure of trees that vote on edges: a sentence with an arc for every edge, as thick as its votes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import count
from nlpsig_core.data.drawings.arcs import text_width
from nlpsig_core.data.drawings.words import STEPS, colour_of
from nlpsig_core.output.plots.style.layout import ABOVE, BUTTONS, add_line, finish, note
from nlpsig_core.output.plots.style.texts import lines, plain, sentence, template
from nlpsig_core.output.plots.style.theme import NEUTRAL

# Sizes of print, large enough for a lecture hall.
TICK_SIZE, TITLE_SIZE, NOTE_SIZE = 14, 16, 15
# In pixels where the figure is as narrow as its words allow: the space between words, and between the middle of a word
# and the start of an arc to a dependent.
GAP, ASIDE = 22, 9
# Widths of arcs with one vote and with all votes, in pixels.
THIN, THICK = 1.5, 8.0
HEIGHT = 440
# The exponent of the distance that gives an arc's height; at 1, long arcs would flatten the others.
RISE = 0.7
# Points of an arc, and its shape: 2 is an ellipse, more is squarer.
POINTS, SQUARE = 41, 2.6
# Room above the highest arc, for the root's.
ABOVE_ARCS = 0.55
# An arc from right to left is lower by this factor, so that it does not hide the opposite one.
BACKWARD = 0.9
# The opacity of edges that are not in the parser's own tree.
OTHER_TREES = 0.6


def votes_figure(edges: pd.DataFrame, forms: Sequence[str], *, trees: int, signature: str) -> go.Figure:
    """Draw a trace for each edge (``confidence.votes.Votes.edges``), coloured by its share of the votes.

    Wrong ones are dashed. Edges of the parser's own tree have arrowheads, and the number below each word is that edge's
    votes. customdata is the row of ``edges``.
    """
    # The middles of the words, from 1, as near as they can be, in pixels; place 0 is the left edge.
    widths = [text_width(form, TITLE_SIZE) for form in forms]
    steps = [widths[0] / 2 + GAP, *((left + right) / 2 + GAP for left, right in pairwise(widths))]
    places, figure = [0.0, *np.cumsum(steps).tolist()], go.Figure()
    longest = max((abs(edge.head - edge.word) for edge in edges.itertuples() if edge.head), default=0)
    top = longest**RISE + ABOVE_ARCS
    for edge in edges.sort_values(["predicted", "votes"]).itertuples():
        figure.add_trace(_arc(edge, places, top, trees, _text(edge, forms, trees)))
    for root in edges.loc[edges["head"] == 0, "word"]:
        note(figure, "root", size=NOTE_SIZE, align="left", x=places[root], y=top, yanchor="bottom")
    _legend(figure)
    own = edges[edges["predicted"]].set_index("word")["votes"]
    words = [f"<b>{plain(form)}</b><br>{own[word]}" for word, form in enumerate(forms, start=1)]
    spoken = {0: "the root"} | {place: f"“{form}”" for place, form in enumerate(forms, start=1)}
    each = (
        f"{spoken[row.word]} from {spoken[row.head]} {row.votes}" + ("" if row.right else " (wrong)")
        for row in edges[edges["predicted"]].sort_values("word").itertuples()
    )
    alt = sentence(", ".join(each), about=f"Votes of {trees} trees on the edges of the parser's tree")
    x = {"tickvals": places[1:], "ticktext": words, "tickangle": 0, "range": [0, places[-1] + places[1]]}
    x |= {"showgrid": False, "fixedrange": True, "showline": False, "tickfont_size": TITLE_SIZE, "zeroline": False}
    y = {"visible": False, "range": [-0.05, top + 0.3], "fixedrange": True}
    finish(figure, HEIGHT, alt=alt, signature=signature, showlegend=True, xaxis=x, yaxis=y)
    figure.layout.margin.update(t=BUTTONS, b=figure.layout.margin.b + 8)
    # A finger on the figure scrolls.
    return figure.update_layout(dragmode=False, legend=ABOVE | {"font_size": TICK_SIZE})


def _arc(edge: Any, places: list[float], top: float, trees: int, text: str) -> go.Scatter:
    """Return the line of an edge from its head to its word, with an arrowhead in the parser's own tree."""
    x, y = _line(edge.head, edge.word, places, top)
    share, n = edge.votes / trees, len(x)
    width = THIN + (THICK - THIN) * share
    line = {"color": colour_of(share) or NEUTRAL, "width": width, "dash": "solid" if edge.right else _dash(width)}
    heads = {"symbol": "triangle-down", "size": [0] * (n - 1) + [(8 + 1.5 * width) * edge.predicted], "opacity": 1}
    return go.Scatter(
        x=x,
        y=y,
        mode="lines+markers",
        opacity=1 if edge.predicted else OTHER_TREES,
        showlegend=False,
        line=line,
        marker=heads,
        cliponaxis=False,
        customdata=[edge.Index] * n,
        text=[text] * n,
        hovertemplate=template(),
    )


def _line(head: int, word: int, places: list[float], top: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the points of an edge; that of a root is a vertical line."""
    if head == 0:
        return np.full(2, places[word]), np.array([top, 0.0])
    forward = word > head
    start, end = places[head] + (ASIDE if forward else -ASIDE), places[word]
    angle = np.linspace(np.pi, 0, POINTS)
    across, up = (np.sign(wave(angle)) * np.abs(wave(angle)) ** (2 / SQUARE) for wave in (np.cos, np.sin))
    height = abs(word - head) ** RISE * (1 if forward else BACKWARD)
    return (start + end) / 2 + (end - start) / 2 * across, height * up


def _dash(width: float) -> str:
    """Return dashes that are visible at any width."""
    return f"{6 + width:.0f}px,{4 + width / 2:.0f}px"


def _legend(figure: go.Figure) -> None:
    """Add entries for the colours and for wrong edges."""
    bounds = [below for below, _ in STEPS]
    names = [f"under {bounds[0]:.0%} of the trees", *(f"under {below:.0%}" for below in bounds[1:]), "more"]
    samples = [(name, colour, "solid") for name, (_, colour) in zip(names, (*STEPS, (1, NEUTRAL)), strict=True)]
    for name, colour, dash in (*samples, ("wrong", NEUTRAL, _dash(THIN))):
        line = {"color": colour, "width": 4 if dash == "solid" else 2, "dash": dash}
        add_line(figure, [None], [None], line, name=name)


def _text(edge: Any, forms: Sequence[str], trees: int) -> str:
    head = plain(forms[edge.head - 1]) if edge.head else "root"
    return lines(
        f"<b>{plain(forms[edge.word - 1])}</b>, head <b>{head}</b>",
        f"{count(edge.votes, 'vote')} of {trees}",
        "in the parser's own tree" if edge.predicted else "not in the parser's own tree",
        "right" if edge.right else "wrong",
    )
