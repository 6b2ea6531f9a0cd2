"""The ranking as a dot plot with intervals."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.metrics.base import Metric
from nlpsig_core.plots.theme import FAINT, NEUTRAL, STYLES, finish, plain, short_name

BLUE = STYLES["different groups"][0]


def ranking_figure(ranking: pd.DataFrame, *, metric: Metric, signature: str, decimals: int = 2) -> go.Figure:
    """A dot with its interval for each system, best on top; tied groups are shaded in turn."""
    table = ranking.reset_index(drop=True)
    figure = go.Figure(
        go.Scatter(
            x=table["score"],
            y=table.index,
            error_x={
                "type": "data", "symmetric": False, "thickness": 2, "width": 0, "color": "rgba(90,155,205,0.8)",
                "array": table["high"] - table["score"], "arrayminus": table["score"] - table["low"],
            },
            mode="markers",
            marker={"size": 9, "color": [BLUE if v else NEUTRAL for v in table["valid"]]},
            text=[_hover(row, metric, decimals) for row in table.itertuples()],
            hovertemplate="%{text}<extra></extra>",
            showlegend=False,
        )
    )  # fmt: skip
    for group, rows in table.groupby("tied_group"):
        if group % 2:
            figure.add_hrect(
                y0=rows.index[0] - 0.5, y1=rows.index[-1] + 0.5, fillcolor=FAINT, line_width=0, layer="below"
            )
    names = [plain(short_name(name)) for name in table["system"]]
    lowest = table.loc[table["valid"], "low"]
    left, right = (float(lowest.min()), float(table["high"].max())) if len(lowest) else (0.0, 100.0)
    margin = 0.04 * (right - left)
    return finish(
        figure,
        signature,
        150 + 23 * len(table),
        xaxis={"title": {"text": metric.axis}, "range": [left - margin, right + margin], "zeroline": False},
        yaxis={
            "tickmode": "array", "tickvals": list(table.index), "ticktext": names, "range": [len(table) - 0.4, -0.6],
            "showgrid": False, "zeroline": False, "tickfont": {"size": 12}, "automargin": True,
        },
    )  # fmt: skip


def _hover(row, metric: Metric, decimals: int) -> str:
    ranks = f"{row.rank_low}" if row.rank_low == row.rank_high else f"{row.rank_low}–{row.rank_high}"
    status = f"<br>{plain(row.status[:90])}" if row.status else ""
    return (
        f"<b>{plain(row.system)}</b> ({plain(row.group)})<br>{metric.label} {row.score:.{decimals}f}, 95 % interval "
        f"{row.low:.{decimals}f} to {row.high:.{decimals}f}<br>rank {ranks}, tied group {row.tied_group}{status}"
    )
