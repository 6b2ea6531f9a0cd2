"""The paper's figures 9 and 10, confidence against gain by size of the test set, and thresholds against size."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import count
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.style.hover import template
from nlpsig_core.output.plots.style.layout import error_bars, finish, legend_above, log_ticks
from nlpsig_core.output.plots.style.theme import STYLES
from nlpsig_core.output.plots.style.wording import both_ends, listed, sentence
from nlpsig_core.significance.comparison.classes import COMPARISONS
from nlpsig_core.studies.analyses.sizes import ESTIMATES

PANELS_A_ROW = 3
PANEL_HEIGHT = 270
ESTIMATE_NAMES = {"window": "from the window of p", "model": "from the model of needed gains"}


def threshold_curve_figure(
    thresholds: pd.DataFrame,
    fit: pd.DataFrame,
    spread: pd.DataFrame,
    *,
    metric: Metric,
    unit: str,
    signature: str,
    decimals: int = 2,
    estimate: str = "window",
) -> go.Figure:
    """Threshold against size on logarithmic axes, by one estimate; each comparison class has a colour and symbol.

    Frames are those of ``sizes.thresholds_by_size``, ``fit_by_size`` and ``spread_by_size``. For a size with one draw
    the bar is the model's interval; the window gives none. For a size with several draws each is a small dot, the
    symbol is at their median, and the bar extends from the smallest to the largest. The line is the fitted
    c / sqrt(size).
    """
    every = _of_estimate(thresholds, estimate).dropna(subset="threshold")
    middle = spread[(spread["estimate"] == estimate) & (spread["found"] > 0)]
    own = every[["size", "comparison", "low", "high"]].drop_duplicates(["size", "comparison"])
    middle = middle.merge(own, on=["size", "comparison"], suffixes=("", "_own"))
    fits = fit[fit["estimate"] == estimate].set_index("comparison")
    figure = go.Figure()
    for comparison in (c for c in COMPARISONS if (middle["comparison"] == c).any()):
        rows = middle[middle["comparison"] == comparison]
        if (rows["draws"] > 1).any():
            figure.add_trace(_draws(every[every["comparison"] == comparison], comparison))
        figure.add_trace(_middle(rows, comparison, metric, unit, decimals))
        if comparison in fits.index and not math.isnan(fits.loc[comparison, "c"]):
            figure.add_trace(_fitted(rows, comparison, fits.loc[comparison, "c"], unit, decimals))
    sizes = sorted(thresholds["size"].unique())
    alt = threshold_curve_alt(spread, fit, metric=metric, unit=unit, estimate=estimate, decimals=decimals)
    finish(
        figure, 460, alt=alt, signature=signature,
        showlegend=True,
        xaxis={"type": "log", "title": {"text": f"{unit}s in the test set"}, "zeroline": False, "tickmode": "array",
               "tickvals": sizes, "ticktext": [f"{size:,}" for size in sizes], "range": _around(sizes)},
        yaxis={"type": "log", "title": {"text": f"threshold {ESTIMATE_NAMES[estimate]}:<br>{metric.gain_axis}"},
               "zeroline": False, **log_ticks([*every["threshold"], *middle["low"], *middle["high"]])},
    )  # fmt: skip
    return legend_above(figure)


def threshold_curve_alt(
    spread: pd.DataFrame, fit: pd.DataFrame, *, metric: Metric, unit: str, estimate: str, decimals: int = 2
) -> str:
    """The threshold of each class at the smallest and at the largest size, and its fitted curve."""
    known = spread[(spread["estimate"] == estimate) & spread["median"].notna()]
    curves = fit[fit["estimate"] == estimate].set_index("comparison")["c"]
    texts = []
    for comparison in (name for name in COMPARISONS if (known["comparison"] == name).any()):
        by_size = known[known["comparison"] == comparison].set_index("size")["median"]
        shown = by_size.iloc[both_ends(by_size)].items()
        at = listed(f"{median:.{decimals}f} at {count(int(size), unit)}" for size, median in shown)
        c = curves.get(comparison, float("nan"))
        texts.append(f"{comparison} {at}" + (f", fitted by {c:.3g} / √n" if pd.notna(c) else ""))
    sizes = count(spread["size"].nunique(), "size")
    return sentence(*(texts or ["none"]), about=f"Thresholds as {metric.gain} at {sizes}")


def _of_estimate(thresholds: pd.DataFrame, estimate: str) -> pd.DataFrame:
    """Columns size, draw, comparison, threshold, low and high of one estimate; the window has no interval."""
    prefix = ESTIMATES[estimate]
    named = {f"{prefix}{name}": name for name in ("threshold", "low", "high")}
    table = thresholds[["size", "draw", "comparison"]].copy()
    for column, name in named.items():
        table[name] = thresholds.get(column, np.nan)
    return table


def _around(sizes: list[int]) -> list[float] | None:
    """The range of a logarithmic axis with all sizes and some room."""
    return [math.log10(sizes[0] * 0.92), math.log10(sizes[-1] * 1.09)] if sizes else None


def _draws(rows: pd.DataFrame, comparison: str) -> go.Scatter:
    colour, symbol = STYLES[comparison]
    return go.Scatter(
        # Beside the bar, which would hide them.
        x=rows["size"] * 1.025, y=rows["threshold"], mode="markers", hoverinfo="skip", showlegend=False,
        legendgroup=comparison, marker={"color": colour, "symbol": symbol, "size": 5, "opacity": 0.6},
    )  # fmt: skip


def _middle(rows: pd.DataFrame, comparison: str, metric: Metric, unit: str, decimals: int) -> go.Scatter:
    colour, symbol = STYLES[comparison]
    several = rows["draws"] > 1
    low, high = (rows[end].where(several, rows[f"{end}_own"]) for end in ("low", "high"))
    text = [
        f"<b>{comparison}</b>, {row.size:,} {unit}s<br>{metric.gain} {row.median:.{decimals}f}"
        + (f", median of {row.found} of {row.draws} draws, range" if row.draws > 1 else "")
        + (", interval" if row.draws == 1 and known else "")
        + (f" {row_low:.{decimals}f} to {row_high:.{decimals}f}" if known else "")
        for row, row_low, row_high, known in zip(rows.itertuples(index=False), low, high, low.notna(), strict=True)
    ]
    return go.Scatter(
        x=rows["size"], y=rows["median"], mode="markers", name=comparison, legendgroup=comparison, text=text,
        hovertemplate=template(), marker={"color": colour, "symbol": symbol, "size": 10},
        error_y=error_bars(rows["median"], low, high, colour=colour, thickness=1.5, width=4),
    )  # fmt: skip


def _fitted(rows: pd.DataFrame, comparison: str, c: float, unit: str, decimals: int) -> go.Scatter:
    ends = [float(rows["size"].min()), float(rows["size"].max())]
    name = f"{c:.{max(decimals - 1, 0)}f} / √{unit}s"
    return go.Scatter(
        x=ends, y=[c / math.sqrt(end) for end in ends], mode="lines", name=name, legendgroup=comparison,
        hoverinfo="skip", line={"color": STYLES[comparison][0], "width": 1.5},
    )  # fmt: skip
