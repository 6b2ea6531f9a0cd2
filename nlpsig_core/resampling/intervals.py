"""Intervals of gains and scores, percentile or normal."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from nlpsig_core.errors import ChoiceError
from nlpsig_core.resampling.bootstrap import Bootstrap, expanded_tail

INTERVALS = ("percentile", "normal")


def gain_interval(result: Bootstrap, interval: str = "percentile", level: float = 0.95) -> np.ndarray:
    """Interval of each pair's gain, (m, 2): percentiles of the resampled gains, or gain -+ z standard errors."""
    if _is_normal(interval):
        return _normal(result.gain, result.standard_error, level, result.n_units)
    return result.gain_intervals(level)


def score_interval(result: Bootstrap, interval: str = "percentile", level: float = 0.95) -> np.ndarray:
    """Interval of each system's score, (systems, 2), as ``gain_interval``."""
    if _is_normal(interval):
        return _normal(result.scores, np.sqrt(np.diag(result.covariance)), level, result.n_units)
    return result.score_intervals(level)


def _is_normal(interval: str) -> bool:
    if interval not in INTERVALS:
        raise ChoiceError.unknown("interval", interval, INTERVALS)
    return interval == "normal"


def _normal(centre: np.ndarray, standard_error: np.ndarray, level: float, n_units: int) -> np.ndarray:
    reach = -NormalDist().inv_cdf(expanded_tail(level, n_units)) * standard_error
    return np.stack([centre - reach, centre + reach], axis=1)
