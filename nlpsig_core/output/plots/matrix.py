"""All answers at once: a matrix of systems in the order of the ranking."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import count
from nlpsig_core.output.plots.style.layout import ABOVE, ENTRY, TOOLS, finish
from nlpsig_core.output.plots.style.texts import ANSWER, answered, labels, lines, over, sentence, template
from nlpsig_core.output.plots.style.theme import ACCENT, ANSWER_COLOURS
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.verdict import ANSWERS, pairs_that_differ

# The names of more systems would overlap: then some stand on the left, and cells have no gaps.
MOST_NAMES = 70
# The names of more systems would overlap above the columns of a phone: then some stand there.
MOST_ABOVE = 20
# The symbols of more systems would be too small.
MOST_SYMBOLS = 40


def matrix_figure(
    pairs: pd.DataFrame, order: Sequence[str], *, notion: Notion, signature: str, highlight: Collection[str] = (),
    ordered_by: str = "rank",
) -> go.Figure:  # fmt: skip
    """Draw the answer to each pair in its colour: the row's system over the column's, systems in that order.

    customdata of a cell is its row in the table of ``pairs``. Row and column of each system to ``highlight`` have a
    frame and a bold label.
    """
    places, names = pd.Index(order), labels(order, 24)
    highlighted = [place for place, system in enumerate(order) if system in highlight]
    for place in highlighted:
        names[place] = f"<b>{names[place]}</b>"
    n, crowded, verdicts = len(names), len(names) > MOST_NAMES, list(ANSWERS)
    cells = places.get_indexer(pairs["system_a"]), places.get_indexer(pairs["system_b"])
    symbols = [ANSWERS[verdict].symbol if n <= MOST_SYMBOLS else "" for verdict in pairs["verdict"]]
    texts = [
        lines(over(a, b), answered(*answer, level=notion.level))
        for a, b, *answer in pairs[["system_a", "system_b", *ANSWER]].itertuples(index=False)
    ]
    # By name where not every one stands on the axis, since marks on the axes are looked up there.
    at: list[int] | list[str] = names if n > MOST_ABOVE else list(range(n))
    # The colours of the answers, each up to where the next begins.
    ends = np.linspace(0, 1, len(verdicts) + 1)
    scale = [[end, ANSWER_COLOURS[name]] for i, name in enumerate(verdicts) for end in (ends[i], ends[i + 1])]
    look: dict[str, Any] = {"zmin": -0.5, "zmax": len(verdicts) - 0.5, "colorscale": scale, "showscale": False}
    look |= {"hoverongaps": False, "xgap": 1 - crowded, "ygap": 1 - crowded, "showlegend": False}
    look |= {"texttemplate": "%{text}", "hovertemplate": template("%{hovertext}")}
    figure = go.Figure().add_heatmap(
        z=_in_cells(n, cells, pd.Index(verdicts).get_indexer(pairs["verdict"]), np.nan),
        x=at,
        y=at,
        text=_in_cells(n, cells, symbols, ""),
        hovertext=_in_cells(n, cells, texts, ""),
        customdata=_in_cells(n, cells, pairs.index, np.nan),
        **look,
    )
    for verdict, number in pairs["verdict"].value_counts().reindex(verdicts).dropna().items():
        marker = {"symbol": "square", "size": 11, "color": ANSWER_COLOURS[str(verdict)]}
        name = f"{ANSWERS[str(verdict)].symbol} {verdict} ({number:,.0f})"
        figure.add_scatter(x=[None], y=[None], mode="markers", marker=marker, name=name)
    axis = {"showgrid": False, "zeroline": False, "automargin": True}
    left, above = (axis | _named(names, at, highlighted, -(-n // most)) for most in (MOST_NAMES, MOST_ABOVE))
    row, end = 13 if n <= MOST_SYMBOLS else 11, n - 0.5
    height = max(380, 200 + row * min(n, MOST_NAMES))
    for across, along in (("y", "x"), ("x", "y")):
        for place in highlighted:
            around = {f"{across}0": place - 0.5, f"{across}1": place + 0.5, f"{along}0": -0.5, f"{along}1": end}
            figure.add_shape(type="rect", line={"color": ACCENT, "width": 2}, **around)
    alt = sentence(pairs_that_differ(pairs, notion), about=f"Matrix of {count(n, 'system')} in order of {ordered_by}")
    x = above | {"side": "top", "tickangle": -90, "range": [-0.5, end]}
    y = left | {"range": [end, -0.5], "tickfont": {"size": row - 2}}
    finish(figure, height, alt=alt, signature=signature, xaxis=x, yaxis=y)
    # The legend is below the buttons and above the names, in one or two rows.
    legend = ABOVE | {"y": 1 - TOOLS / height, "yref": "container", "yanchor": "top"}
    return figure.update_layout(legend=legend, margin={"t": TOOLS + 2 * ENTRY, "b": 10})


def _in_cells(n: int, cells: tuple[np.ndarray, np.ndarray], values: Sequence[object], empty: object) -> np.ndarray:
    matrix = np.full((n, n), empty, dtype=float if isinstance(empty, float) else object)
    matrix[cells] = values
    return matrix


def _named(names: list[str], at: Sequence[object], highlighted: list[int], apart: int) -> dict[str, object]:
    """Return an axis with every ``apart``-th name and those of highlighted systems, which others make room for."""
    near = {i for place in highlighted for i in range(place - apart + 1, place + apart)}
    shown = sorted({*range(0, len(names), apart)} - near | {*highlighted})
    ticks, texts = [at[i] for i in shown], [names[i] for i in shown]
    return {"tickmode": "array", "tickvals": ticks, "ticktext": texts, "tickfont": {"size": 10}}
