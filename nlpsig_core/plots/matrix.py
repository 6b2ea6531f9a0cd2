"""All p-values at once: a matrix of systems in the order of the ranking."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.plots.style.hover import BREAK, labels, over, template
from nlpsig_core.plots.style.layout import finish
from nlpsig_core.plots.style.theme import ACCENT, P_STEPS
from nlpsig_core.words import p_text

# The names of more systems would overlap: then some stand on the left, none above, and cells have no gaps.
MOST_NAMES = 70


def matrix_figure(
    matrix: pd.DataFrame, *, column: str, signature: str, level: float = 0.05, n_resamples: int = 0,
    rows: pd.DataFrame | None = None, highlight: Collection[str] = (),
) -> go.Figure:  # fmt: skip
    """p of the row's gain over the column's system (NaN where it has none), systems in the order of the matrix.

    Colours change in steps around the ``level``; ``column`` names the p, and ``n_resamples`` bounds a p of 0. With
    ``rows``, of the same shape, customdata of a cell is its row in a table of pairs. Row and column of each
    system to ``highlight`` have a frame and a bold label.
    """
    bounds = np.array([level / 50, level / 5, level, min(4 * level, (1 + level) / 2)])
    values = matrix.to_numpy()
    step = np.where(np.isnan(values), np.nan, np.searchsorted(bounds, np.nan_to_num(values), side="right"))
    names = labels(matrix.index, 24)
    highlighted = [place for place, system in enumerate(matrix.index) if system in highlight]
    for place in highlighted:
        names[place] = f"<b>{names[place]}</b>"
    n, crowded, end = len(names), len(names) > MOST_NAMES, len(names) - 0.5
    # By place; by name where not every one stands on the axis, from which hover texts take it.
    places: list[int] | list[str] = names if crowded else list(range(n))
    gap = 0 if crowded else 1
    figure = go.Figure(
        go.Heatmap(
            z=step, x=places, y=places,
            text=[["" if np.isnan(p) else p_text(p, n_resamples) for p in row] for row in values],
            customdata=None if rows is None else rows.to_numpy(),
            zmin=-0.5, zmax=len(P_STEPS) - 0.5, colorscale=_scale(), xgap=gap, ygap=gap, hoverongaps=False,
            # The axes show the names: p is all that each cell adds.
            hovertemplate=template(f"{over('%{y}', '%{x}')}{BREAK}{column} %{{text}}"),
            colorbar={
                "tickvals": list(range(len(P_STEPS))), "thickness": 12, "len": 0.6, "title": {"text": column},
                "ticktext": [*(f"< {bound:g}" for bound in bounds), "more"],
            },
        )
    )  # fmt: skip
    apart = -(-n // MOST_NAMES)
    near = {i for place in highlighted for i in range(place - apart + 1, place + apart)}
    shown = sorted({*range(0, n, apart)} - near | {*highlighted})
    axis = {
        "tickmode": "array", "tickvals": [places[i] for i in shown], "ticktext": [names[i] for i in shown],
        "showgrid": False, "zeroline": False, "tickfont": {"size": max(7, min(11, 500 // n))}, "automargin": True,
    }  # fmt: skip
    figure = finish(
        figure,
        signature,
        max(420, 250 + 13 * min(n, MOST_NAMES)),
        xaxis=axis | {"side": "top", "tickangle": -90, "showticklabels": not crowded, "range": [-0.5, end]},
        yaxis=axis | {"range": [end, -0.5]},
    )
    for place in highlighted:
        _frame(figure, {"y0": place - 0.5, "y1": place + 0.5, "x0": -0.5, "x1": end})
        _frame(figure, {"x0": place - 0.5, "x1": place + 0.5, "y0": -0.5, "y1": end})
    return figure.update_layout(margin={"t": 76, "b": 10})


def _scale() -> list[list[object]]:
    """The colours of P_STEPS, each up to where the next begins."""
    share = np.linspace(0, 1, len(P_STEPS) + 1)
    return [[at, colour] for i, colour in enumerate(P_STEPS) for at in (share[i], share[i + 1])]


def _frame(figure: go.Figure, around: dict[str, float]) -> None:
    figure.add_shape(type="rect", line={"color": ACCENT, "width": 2}, **around)
