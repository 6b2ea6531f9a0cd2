"""The paper's figure 10: thresholds against the size of the test set."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import count
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.style.confidence import by_class
from nlpsig_core.output.plots.style.hover import template
from nlpsig_core.output.plots.style.layout import axis, error_bars, finish, legend_above, log_axis
from nlpsig_core.output.plots.style.theme import STYLES
from nlpsig_core.output.plots.style.wording import both_ends, listed, sentence
from nlpsig_core.studies.analyses.sizes import ESTIMATES

ESTIMATE_NAMES = {"window": "from the window of p", "model": "from the model of needed gains"}


def threshold_curve_figure(
    thresholds: pd.DataFrame, fit: pd.DataFrame, spread: pd.DataFrame, *, metric: Metric, unit: str, signature: str,
    decimals: int = 2, estimate: str = "window",
) -> go.Figure:  # fmt: skip
    """Draw threshold against size on logarithmic axes, by one estimate; each class has a colour and symbol.

    Frames are those of ``sizes.thresholds_by_size``, ``fit_by_size`` and ``spread_by_size``. For a size with one draw
    the bar is the model's interval; the window gives none. For a size with several draws each is a small dot, the
    symbol is at their median, and the bar extends from the smallest to the largest. The line is the fitted
    c / sqrt(size).
    """
    every = thresholds[["size", "draw", "comparison"]].assign(
        **{name: thresholds.get(f"{ESTIMATES[estimate]}{name}", np.nan) for name in ("threshold", "low", "high")}
    ).dropna(subset="threshold")  # fmt: skip
    middle = spread[(spread["estimate"] == estimate) & (spread["found"] > 0)]
    own = every[["size", "comparison", "low", "high"]].drop_duplicates(["size", "comparison"])
    middle = middle.merge(own, on=["size", "comparison"], suffixes=("", "_own"))
    fits = fit[fit["estimate"] == estimate].set_index("comparison")["c"].dropna()
    figure = go.Figure()
    for comparison, rows in by_class(middle):
        (colour, symbol), several = STYLES[comparison], rows["draws"] > 1
        marker = {"color": colour, "symbol": symbol}
        if several.any():
            draws = every[every["comparison"] == comparison]
            figure.add_scatter(
                # Beside the bar, which would hide them.
                x=draws["size"] * 1.025, y=draws["threshold"], mode="markers", hoverinfo="skip", showlegend=False,
                legendgroup=comparison, marker=marker | {"size": 5, "opacity": 0.6},
            )  # fmt: skip
        low, high = (rows[end].where(several, rows[f"{end}_own"]) for end in ("low", "high"))
        ends = zip(rows.itertuples(index=False), low, high, strict=True)
        figure.add_scatter(
            x=rows["size"], y=rows["median"], mode="markers", name=comparison, legendgroup=comparison,
            text=[_hover(row, low, high, metric, unit, decimals) for row, low, high in ends], hovertemplate=template(),
            marker=marker | {"size": 10},
            error_y=error_bars(rows["median"], low, high, colour=colour, thickness=1.5, width=4),
        )  # fmt: skip
        if comparison in fits:
            c, ends_of_line = fits[comparison], [float(rows["size"].min()), float(rows["size"].max())]
            figure.add_scatter(
                x=ends_of_line, y=[c / math.sqrt(end) for end in ends_of_line], mode="lines", legendgroup=comparison,
                name=f"{c:.{max(decimals - 1, 0)}f} / √{unit}s", hoverinfo="skip", line={"color": colour, "width": 1.5},
            )  # fmt: skip
    sizes = sorted(thresholds["size"].unique())
    ticks = {"tickmode": "array", "tickvals": sizes, "ticktext": [f"{size:,}" for size in sizes]}
    room = [math.log10(sizes[0] * 0.92), math.log10(sizes[-1] * 1.09)] if sizes else None
    heights = [*every["threshold"], *middle["low"], *middle["high"]]
    finish(
        figure, 460, showlegend=True, signature=signature,
        alt=threshold_curve_alt(spread, fit, metric=metric, unit=unit, estimate=estimate, decimals=decimals),
        xaxis=axis(f"{unit}s in the test set", type="log", range=room, **ticks),
        yaxis=log_axis(f"threshold {ESTIMATE_NAMES[estimate]}:<br>{metric.gain_axis}", heights),
    )  # fmt: skip
    return legend_above(figure)


def threshold_curve_alt(
    spread: pd.DataFrame, fit: pd.DataFrame, *, metric: Metric, unit: str, estimate: str, decimals: int
) -> str:
    """Return the threshold of each class at the smallest and at the largest size, and its fitted curve."""
    curves, texts = fit[fit["estimate"] == estimate].set_index("comparison")["c"].dropna(), []
    for comparison, rows in by_class(spread[(spread["estimate"] == estimate) & spread["median"].notna()]):
        shown = rows.iloc[both_ends(rows)]
        sizes = zip(shown["median"], shown["size"], strict=True)
        at = listed(f"{median:.{decimals}f} at {count(int(size), unit)}" for median, size in sizes)
        fitted = f", fitted by {curves[comparison]:.3g} / √n" if comparison in curves else ""
        texts.append(f"{comparison} {at}{fitted}")
    about = f"Thresholds as {metric.gain} at {count(spread['size'].nunique(), 'size')}"
    return sentence(*(texts or ["none"]), about=about)


def _hover(row: Any, low: float, high: float, metric: Metric, unit: str, decimals: int) -> str:
    """Return the hover text of a threshold, with its interval, or of the median of several, with their range."""
    known = pd.notna(low)
    return (
        f"<b>{row.comparison}</b>, {row.size:,} {unit}s<br>{metric.gain} {row.median:.{decimals}f}"
        + (f", median of {row.found} of {row.draws} draws, range" if row.draws > 1 else "")
        + (", interval" if row.draws == 1 and known else "")
        + (f" {low:.{decimals}f} to {high:.{decimals}f}" if known else "")
    )
