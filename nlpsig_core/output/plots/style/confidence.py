"""What the figures of confidence against gain share: dots, the range of both axes, the line of significance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.style.hover import answered, gain_text, how_many_more, interval, lines, over, template
from nlpsig_core.output.plots.style.layout import note
from nlpsig_core.output.plots.style.theme import NEUTRAL
from nlpsig_core.significance.comparison.classes import COMPARISONS
from nlpsig_core.significance.comparison.notion import AS_IN_THE_PAPER, Notion

AXIS = "confidence, 1 − p"
# Above this number of dots WebGL draws faster than SVG, which exports as true vectors.
MANY = 5_000
# So many of the closest pairs are drawn in any case; room beyond the last dot.
FEWEST, BEYOND = 10, 1.03
# Above this number of dots their hover texts weigh more than the dots themselves.
NAMED = 20_000


def tested(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the pairs with a gain; others are ties, also those whose scores are equal but for rounding (p = 1)."""
    return pairs[(pairs["gain"] > 0) & (pairs["p_value"] < 1)]


def view_limit(pairs: pd.DataFrame) -> float:
    """Return the largest gain to draw: a little beyond the last pair in doubt and the closest FEWEST pairs."""
    if not len(pairs):
        return 1.0
    doubtful = pairs.loc[pairs["p_value"] >= 0.0005, "gain"]
    closest = pairs["gain"].nsmallest(FEWEST).max()
    return max(1.25 * float(doubtful.max() if len(doubtful) else pairs["gain"].max()), BEYOND * float(closest))


def close_limit(pairs: pd.DataFrame) -> float:
    """Return the ``view_limit`` of pairs with or without a gain."""
    return view_limit(tested(pairs))


def by_class(rows: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Return each comparison class that rows have, in the order of the classes, with its rows."""
    of_class = ((name, rows[rows["comparison"] == name]) for name in COMPARISONS)
    return [(name, rows) for name, rows in of_class if len(rows)]


def confidence_range(pairs: pd.DataFrame) -> list[float]:
    """Return the range of the confidence axis: from 0.5 as in the paper, or lower where a skewed pair has less."""
    return [min(0.5, 1 - float(pairs["p_value"].max())) - 0.015 if len(pairs) else 0.485, 1.008]


def scatter_of(n_drawn: int) -> Any:
    """Return the kind of trace for so many dots."""
    return go.Scattergl if n_drawn > MANY else go.Scatter


def dots(
    rows: pd.DataFrame, marker: dict[str, Any], *, n_drawn: int, hover: list[str] | None, decimals: int,
    x: np.ndarray | None = None,
) -> Any:  # fmt: skip
    """Return a dot for each pair, at ``x`` or its gain; customdata: its row. Without ``hover`` its numbers show."""
    return scatter_of(n_drawn)(
        x=(rows["gain"].to_numpy() if x is None else x).astype("float32"),
        y=(1 - rows["p_value"]).to_numpy("float32"),
        mode="markers",
        marker=marker,
        customdata=rows.index.to_numpy("int32"),
        text=hover,
        hovertemplate=template(f"gain %{{x:.{decimals}f}}, 1 − p %{{y:.4f}}") if hover is None else template(),
    )


def pair_texts(rows: pd.DataFrame, metric: Metric, unit: str, decimals: int, level: float) -> list[str]:
    """Return the hover text of each pair: who wins, by how much, the answer, and how many more units would give one."""
    columns = ["system_a", "system_b", "gain", "gain_low", "gain_high"]
    columns += ["verdict", "p", "p_bound", "p_corrected", "needed"]
    return [
        lines(
            over(a, b),
            f"{gain_text(metric, gain, decimals)}, {interval(low, high, decimals)}",
            answered(verdict, p, bound, corrected, level),
            how_many_more(needed, unit),
        )
        for a, b, gain, low, high, verdict, p, bound, corrected, needed in rows[columns].itertuples(index=False)
    ]


def draw_level(figure: go.Figure, notion: Notion, cutoff: float | None = None, in_legend: bool = False) -> None:
    """Add the line above which a pair is significant by the notion, and faintly the paper's where it differs.

    ``cutoff`` is the unadjusted p of that line (None: the level). Their names are at their right ends or, for small
    panels, in the legend.
    """
    at, paper = notion.confidence(cutoff), AS_IN_THE_PAPER.confidence()
    levels = [(at, notion.words().replace("<", "="), "dash", 1.2)]
    if abs(at - paper) > 1e-9:
        levels.append((paper, f"the paper's {paper:g}", "dot", 0.7))
    for y, text, dash, width in levels:
        line = {"color": NEUTRAL, "width": width, "dash": dash}
        figure.add_hline(y=y, line=line)
        if in_legend:
            figure.add_trace(go.Scatter(x=[None], y=[None], mode="lines", line=line, name=text, hoverinfo="skip"))
        else:
            note(figure, text, colour=NEUTRAL, x=1, xref="x domain", xanchor="right", y=y, yref="y", yanchor="top")
