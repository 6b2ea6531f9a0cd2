"""The ranking as a dot plot with intervals."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import count, span
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.style.layout import axis, error_bars, finish, rows_axis
from nlpsig_core.output.plots.style.texts import interval, labels, lines, plain, sentence, template
from nlpsig_core.output.plots.style.theme import ACCENT, BLUE, FAINT, NEUTRAL

# A score farther than FAR times the range of the middle half is far from the others; the margin as a share of the axis.
FAR, EDGE = 3, 0.04


def ranking_figure(
    ranking: pd.DataFrame, *, metric: Metric, signature: str, decimals: int = 2, highlight: Collection[str] = (),
    baseline: str = "",
) -> go.Figure:  # fmt: skip
    """Draw a dot with its 95% interval for each system, best on top; every other tied group is shaded.

    Systems far from the others and those without a valid output are an arrow at the edge with the score. Systems to
    ``highlight`` have a larger mark of another shape and colour, and a bold name. The name of the ``baseline`` is
    followed by that word. The pointer is on a system anywhere in its row.
    """
    table = ranking.reset_index(drop=True)
    highlighted = table["system"].isin(list(highlight))
    marks = np.where(table["system"] == baseline, " (baseline)", "")
    names = [
        f"<b>{name}</b>{mark}" if h else f"{name}{mark}"
        for name, mark, h in zip(labels(table["system"]), marks, highlighted, strict=True)
    ]
    left, right = _view(table)
    below, above = table["score"] < left, table["score"] > right
    low, high = (table[end].where(~(below | above), table["score"]) for end in ("low", "high"))
    inset, of_far = EDGE * (right - left), zip(table["score"], below | above, strict=True)
    symbols = np.select([below, above, highlighted], ["triangle-left", "triangle-right", "diamond"], "circle")
    colours = np.select([highlighted, table["valid"]], [ACCENT, BLUE], NEUTRAL)
    marker = {"color": colours, "symbol": symbols, "size": np.where(highlighted, 13, 8)}
    figure = go.Figure().add_scatter(
        x=table["score"].clip(left + inset, right - inset),
        y=table.index,
        mode="markers+text",
        showlegend=False,
        error_x=error_bars(table["score"], low, high, colour=BLUE),
        marker=marker | {"opacity": 1, "line": {"width": 0}},
        text=[f"{score:.{decimals}f}" if far else "" for score, far in of_far],
        textposition=np.where(above, "middle left", "middle right"),
        hovertext=[_hover(row, metric, decimals) for row in table.itertuples()],
        hovertemplate=template("%{hovertext}"),
    )
    for group, rows in table.groupby("tied_group"):
        if group % 2:
            ends = {"y0": rows.index[0] - 0.5, "y1": rows.index[-1] + 0.5}
            figure.add_hrect(**ends, fillcolor=FAINT, line_width=0, layer="below")
    alt, x, y = _alt(ranking, metric, decimals), axis(metric.axis, range=[left, right]), rows_axis(names)
    finish(figure, 150 + 23 * len(table), alt=alt, signature=signature, xaxis=x, yaxis=y | {"tickfont": {"size": 12}})
    return figure.update_layout(hovermode="y")


def _alt(ranking: pd.DataFrame, metric: Metric, decimals: int) -> str:
    valid = ranking[ranking["valid"]]
    if valid.empty:
        return sentence(f"{count(len(ranking), 'system')} by {metric.label}, none with a valid output")
    first, last = valid.iloc[0], valid.iloc[-1]
    interval = f"95% interval {first['low']:.{decimals}f} to {first['high']:.{decimals}f}"
    tied = int((ranking["tied_group"] == ranking["tied_group"].min()).sum())
    return sentence(
        f"{count(len(ranking), 'system')} by {metric.label}: {first['system']} is first with "
        f"{first['score']:.{decimals}f} ({interval})",
        f"{last['system']} is last with {last['score']:.{decimals}f}" if len(valid) > 1 else "",
        f"the first tied group has {count(tied, 'system')}",
    )


def _view(table: pd.DataFrame) -> tuple[float, float]:
    """Return the ends of the axis: around the intervals of valid systems, without those far from the middle half."""
    valid = table[table["valid"]]
    if valid.empty:
        return 0.0, 100.0
    first, third = valid["score"].quantile([0.25, 0.75])
    fence = FAR * max(third - first, (valid["high"] - valid["low"]).median())
    near = valid[valid["score"].between(first - fence, third + fence)]
    left, right = float(near["low"].min()), float(near["high"].max())
    margin = EDGE * (right - left) or 1.0
    return left - margin, right + margin


def _hover(row: Any, metric: Metric, decimals: int) -> str:
    return lines(
        f"<b>{plain(row.system)}</b> ({plain(row.group)})",
        f"{metric.label} {row.score:.{decimals}f}, {interval(row.low, row.high, decimals)}",
        f"rank {span(row.rank_low, row.rank_high)}, tied group {row.tied_group}",
        plain(row.status[:90]),
    )
