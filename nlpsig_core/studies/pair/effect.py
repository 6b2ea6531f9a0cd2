"""Effect sizes of a pair: its gain in standard deviations of a unit's gain, and the share of units won."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlpsig_core.significance.comparison.thresholds import wilson
from nlpsig_core.significance.paired_tests.of_units import units_won
from nlpsig_core.significance.resampling.bootstrap import NO_SPREAD, observed_gains
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.significance.stats.influence import influences


class Estimate(NamedTuple):
    """A number with its 95% interval; NaN if undefined."""

    value: float
    low: float
    high: float


def effect_size(stats: Stats) -> Estimate:
    """The gain of the first of two systems in standard deviations of a unit's gain (Cohen's d of paired differences).

    A unit's gain is its influence on the gain in the corpus score, which is the mean of these, so that the effect size
    does not depend on the number of units. The interval is gain / deviation -+ t s with Student's t of n - 1 degrees of
    freedom and s^2 = (1 - skewness d + (kurtosis - 1) d^2 / 4) / n, the delta method's variance of a mean over its
    standard deviation.
    """
    from scipy.special import stdtrit

    n = stats.n_units
    gain = float(observed_gains(stats, np.array([[0, 1]]))[0][0])
    first, second = stats.metric.sign * influences(stats)
    pull = first - second
    deviation = float(pull.std(ddof=1)) if n > 1 else 0.0
    if not deviation**2 > NO_SPREAD * float((first**2 + second**2).mean()):
        return Estimate(np.nan, np.nan, np.nan)
    size, scaled = gain / deviation, (pull - pull.mean()) / pull.std()
    skewness, kurtosis = float((scaled**3).mean()), float((scaled**4).mean())
    variance = max(1 - skewness * size + (kurtosis - 1) * size**2 / 4, 0.0) / n
    reach = float(stdtrit(n - 1, 0.975)) * np.sqrt(variance)
    return Estimate(size, size - reach, size + reach)


def share_won(stats: Stats) -> Estimate:
    """The share of units that the first of two systems wins, among those that it wins or loses.

    The interval is Wilson's (Wilson 1927).
    """
    wins, losses, _ = units_won(stats, np.array([[0, 1]]))[:, 0]
    decided = int(wins + losses)
    return Estimate(int(wins) / decided if decided else np.nan, *wilson(int(wins), decided))
