"""Thresholds of each test set by metric and class, and how the share of significant pairs grows with the gain."""

from __future__ import annotations

import numpy as np
import pandas as pd

from nlpsig_core.significance.comparison.classes import COMPARISONS, INVALID
from nlpsig_core.significance.comparison.needed_gain import FEWEST_PAIRS, needed_gain, within_reach
from nlpsig_core.significance.comparison.notion import Notion

# Thresholds are those of two-sided p < 0.05; they are proportional to z, so others follow.
Z = Notion().z()
PERCENTILE = 95.0
# Standard errors of pairs grow with their gains: about as this power of the gain, from 0.37 to 1.2 thresholds.
GROWTH = 0.2
CLOSE = (-1.0, 0.2)
# The quantiles of the curve of significant pairs.
SHARES = np.linspace(0, 1, 21)
CURVE = [f"curve_{round(100 * share):03d}" for share in SHARES]
COLUMNS = ("part", "comparison", "pairs", "near", "threshold", "level", "correlation", "error", *CURVE)


def thresholds_of(parts: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """A row for each part and class with enough pairs: COLUMNS.

    ``threshold`` is that of ``needed_gain`` at Z and PERCENTILE, from the ``near`` of the ``pairs`` with a gain that
    are within reach; ``level``, ``correlation`` and ``error`` (standard error x sqrt(n)) are medians of those.
    """
    valid = rows[(rows["gain"] > 0) & (rows["comparison"] != COMPARISONS.index(INVALID))]
    found = []
    for (part, comparison), pairs in valid.groupby(["part", "comparison"]):
        if (row := of_class(pairs, int(parts["n"].iloc[part])))["threshold"] > 0:
            found.append({"part": part, "comparison": COMPARISONS[int(comparison)]} | row)
    return pd.DataFrame(found, columns=list(COLUMNS))


def of_class(pairs: pd.DataFrame, n: int) -> dict[str, float]:
    """The numbers of COLUMNS for the pairs of one class with a gain on ``n`` units; a threshold of NaN for too few."""
    pairs = pairs.astype(dict.fromkeys(("gain", "standard_error", "level", "correlation"), float))
    threshold = needed_gain(pairs, Z, PERCENTILE).threshold
    near = within_reach(pairs, Z)
    medians = near[["level", "correlation", "standard_error"]].median()
    return {
        "pairs": len(pairs),
        "near": len(near),
        "threshold": threshold,
        "level": medians["level"],
        "correlation": medians["correlation"],
        "error": medians["standard_error"] * n**0.5,
        **dict(zip(CURVE, curve_of(pairs, threshold), strict=True)),
    }


def curve_of(pairs: pd.DataFrame, threshold: float) -> np.ndarray:
    """For each of SHARES, log(gain / threshold) at which this share of pairs is significant; NaN for too few pairs.

    A pair with a gain g needs Z standard errors. Since errors grow as g**GROWTH, a pair with the error s at the gain g
    would need x with x - GROWTH (x - log g) = log(Z s), all in thresholds. SHARES are quantiles of x over close pairs.
    """
    error = pairs["standard_error"].to_numpy(dtype=float)
    with np.errstate(divide="ignore"):
        gain, needed = np.log(pairs["gain"].to_numpy(dtype=float) / threshold), np.log(Z * error / threshold)
    close = (gain > CLOSE[0]) & (gain < CLOSE[1]) & (error > 0)
    if close.sum() < FEWEST_PAIRS:
        return np.full(len(SHARES), np.nan)
    crossing = (needed[close] - GROWTH * gain[close]) / (1 - GROWTH)
    return np.asarray(np.quantile(crossing, SHARES))
