"""All p-values at once: a matrix of systems in the order of the ranking."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.plots.theme import finish, plain, short_name

# Bounds of p and the colour of what lies below each: dark where a gain is beyond doubt.
STEPS = ((0.001, "#0B4A8F"), (0.01, "#3182BD"), (0.05, "#6BAED6"), (0.2, "#D6D6D6"), (1.0, "#F0EDE4"))


def matrix_figure(matrix: pd.DataFrame, *, column: str, signature: str) -> go.Figure:
    """p of the row's gain over the column's system (NaN where it has none), systems best first."""
    bounds = np.array([bound for bound, _ in STEPS])
    values = matrix.to_numpy()
    level = np.where(np.isnan(values), np.nan, np.searchsorted(bounds, np.nan_to_num(values), side="right").clip(0, 4))
    names = [plain(short_name(name, 24)) for name in matrix.index]
    share = np.linspace(0, 1, len(STEPS) + 1)
    scale = [[at, colour] for i, (_, colour) in enumerate(STEPS) for at in (share[i], share[i + 1])]
    figure = go.Figure(
        go.Heatmap(
            z=level, x=list(range(len(names))), y=list(range(len(names))), customdata=values,
            zmin=-0.5, zmax=len(STEPS) - 0.5, colorscale=scale, xgap=1, ygap=1, hoverongaps=False,
            text=[[f"<b>{plain(a)}</b> over <b>{plain(b)}</b>" for b in matrix.columns] for a in matrix.index],
            hovertemplate="%{text}<br>" + column + " %{customdata:.4g}<extra></extra>",
            colorbar={
                "tickvals": list(range(len(STEPS))), "thickness": 12, "len": 0.6, "title": {"text": column},
                "ticktext": ["< 0.001", "< 0.01", "< 0.05", "< 0.2", "more"],
            },
        )
    )  # fmt: skip
    crowded = len(names) > 40
    axis = {
        "tickmode": "array", "tickvals": list(range(len(names))), "ticktext": names, "showgrid": False,
        "zeroline": False, "tickfont": {"size": max(7, min(11, 600 // len(names)))}, "automargin": True,
    }  # fmt: skip
    size = max(420, 250 + 13 * len(names))
    figure = finish(
        figure,
        signature,
        size,
        xaxis=axis | {"side": "top", "tickangle": -90, "showticklabels": not crowded},
        yaxis=axis | {"autorange": "reversed"},
    )
    figure.layout.annotations[0].update(yshift=-14)
    figure.update_layout(margin={"t": 76})
    return figure
