"""Intervals of gains and scores, percentile or normal."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.significance.resampling.bootstrap import Bootstrap, expanded_tail

INTERVALS = ("percentile", "normal")


def gain_interval(result: Bootstrap, interval: str = "percentile", level: float = 0.95) -> np.ndarray:
    """Return the interval of each pair's gain, (m, 2): percentiles of resampled gains, or gain -+ z standard errors.

    Normal intervals end at the smallest and the largest resampled value: with few units they would go beyond the scale.
    """
    if _is_normal(interval):
        extremes = result.extremes[: len(result.pairs)]
        return _normal(result.gain, result.standard_error, level, result.n_units, extremes)
    return result.gain_intervals(level)


def score_interval(result: Bootstrap, interval: str = "percentile", level: float = 0.95) -> np.ndarray:
    """Return the interval of each system's score, (systems, 2), as ``gain_interval``."""
    if _is_normal(interval):
        extremes = np.sort(result.metric.sign * result.extremes[len(result.pairs) :], axis=1)
        return _normal(result.scores, np.sqrt(np.diag(result.covariance)), level, result.n_units, extremes)
    return result.score_intervals(level)


def _is_normal(interval: str) -> bool:
    if interval not in INTERVALS:
        raise ChoiceError.unknown("interval", interval, INTERVALS)
    return interval == "normal"


def _normal(
    centre: np.ndarray, standard_error: np.ndarray, level: float, n_units: int, extremes: np.ndarray
) -> np.ndarray:
    reach = -NormalDist().inv_cdf(expanded_tail(level, n_units)) * standard_error
    least, most = extremes.T
    return np.stack([np.maximum(centre - reach, least), np.minimum(centre + reach, most)], axis=1)
