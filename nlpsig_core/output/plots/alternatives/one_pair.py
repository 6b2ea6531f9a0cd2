"""Text alternatives of one pair's figures: resampled gains, units, parts, and the gain without some units."""

from __future__ import annotations

import pandas as pd

from nlpsig_core.base.words import count
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.alternatives.wording import ends, of_all, sentence
from nlpsig_core.studies.pair.units import LOSSES, TIES, WINS


def gain_alt(
    bins: pd.DataFrame,
    *,
    a: str,
    b: str,
    gain: float,
    metric: Metric,
    interval: tuple[float, float] | None = None,
    decimals: int = 2,
) -> str:
    """The centre and the interval of the resampled gains, and how many are beyond twice the gain or below 0."""
    between = "" if interval is None else f", 95% interval {interval[0]:.{decimals}f} to {interval[1]:.{decimals}f}"
    resamples, above, below = (int(bins[column].sum()) for column in ("resamples", "above", "below"))
    return sentence(
        f"{a} over {b} in {count(resamples, 'resample')}: resampled gains around the observed {metric.gain} of "
        f"{gain:.{decimals}f}{between}",
        f"{above:,} are above twice the gain and {below:,} below 0",
    )


def unit_gains_alt(bins: pd.DataFrame, *, a: str, b: str, unit: str) -> str:
    """How many units each system wins, and how many are ties."""
    counts = bins.groupby("outcome")["units"].sum()
    n = int(counts.sum())
    won, lost, tied = (of_all(int(counts.get(outcome, 0)), n, unit) for outcome in (WINS, LOSSES, TIES))
    return sentence(f"{a} is better on {won}, {b} on {lost}", f"{tied} are ties")


def by_part_alt(parts: pd.DataFrame, *, part: str, a: str, b: str, metric: Metric, decimals: int = 2) -> str:
    """The smallest and the largest gain over the parts."""
    range_of_gains = ends(parts["gain"], parts["part"], f".{decimals}f")
    return sentence(
        f"{metric.gain} {range_of_gains}" if range_of_gains else "",
        about=f"{a} over {b} in {count(len(parts), 'part')} by {part}",
    )


def without_alt(curve: pd.DataFrame, *, carried: int | None, metric: Metric, unit: str, decimals: int = 2) -> str:
    """The gain with all units and without the last removed ones, and how many units carry the result."""
    first, last = curve.iloc[0], curve.iloc[-1]
    carries = {None: "", 0: "it is not significant with all of them"}
    return sentence(
        f"The {metric.gain} is {first['gain']:.{decimals + 1}f} with all {unit}s and {last['gain']:.{decimals + 1}f} "
        f"without the {count(int(last['k']), unit)} of the largest pull",
        carries.get(carried, f"it is not significant without {count(carried or 0, unit)}"),
    )
