"""Uncertainty of standard errors: of one pair, and of another pair of a comparison class.

Standard errors are estimated from a limited number of units or pairs, and so are the sizes planned with them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.significance.stats.influence import influences

# Nominal coverage of a range: four of five true standard errors.
RANGE = 0.8


class Errors(NamedTuple):
    """A standard error and the ends of its range."""

    low: float
    middle: float
    high: float


def with_freedom(pairs: pd.DataFrame, stats: Stats) -> pd.DataFrame:
    """The pairs with a column ``freedom``: the degrees of freedom of each standard error.

    A standard error s is estimated from n units: s^2 is about the true value times a chi-squared variable with
    ``freedom`` degrees of freedom, divided by these. They are n - 1 for normal units, but

        2 n / (kurtosis - (n - 3) / (n - 1))

    for others (O'Neill 2014), with the kurtosis of the units' ``influences`` on the gain. They are far fewer if systems
    differ in few units: about 145 with 65 of 650.
    """
    influence = influences(stats)
    index = {name: i for i, name in enumerate(stats.names)}
    first, second = (pairs[column].map(index).to_numpy(dtype=int) for column in ("system_a", "system_b"))
    freedom = [_freedom(influence[a] - influence[b]) for a, b in zip(first, second, strict=True)]
    return pairs.assign(freedom=np.array(freedom, dtype=float))


def _freedom(influence: np.ndarray) -> float:
    """Degrees of freedom of the variance of values (n,); infinite if the variance is 0."""
    n, centred = len(influence), influence - influence.mean()
    variance = float(np.mean(centred**2))
    if not variance > 0:
        return np.inf
    kurtosis = float(np.mean(centred**4)) / variance**2
    return 2 * n / (kurtosis - (n - 3) / (n - 1))


def errors_of_pair(standard_error: float, freedom: float, share: float = RANGE) -> Errors:
    """A pair's standard error and the range of the true one, by its degrees of freedom.

    The 80% range covered it for 72 to 87% of simulated pairs on 50 to 2,000 units that differed in about five units
    or more (60% if they differed in one or two); with n - 1 degrees of freedom it did for 19 to 82%.
    """
    from scipy.special import chdtri

    if np.isinf(freedom):
        return Errors(standard_error, standard_error, standard_error)
    # chdtri is the inverse of the upper tail.
    low, high = (standard_error * np.sqrt(freedom / chdtri(freedom, (1 + side * share) / 2)) for side in (-1, 1))
    return Errors(float(low), standard_error, float(high))


def errors_of_class(pairs: pd.DataFrame, share: float = RANGE) -> Errors:
    """The median standard error of pairs, and the range of the standard error of another pair of their kind.

    Standard errors of pairs are about lognormal. The range, by Student's t around the mean of their logarithms,
    combines the variance between pairs with the noise that pairs on the same units share, 1 / (2 freedom); S systems
    count as S / 2 independent pairs. The range always includes the median. The 80% range covered the true standard
    error of other pairs of the same kind in 78 to 98% of simulated cases (4 to 30 systems, 100 and 650 units); the
    10th and 90th percentiles of the observed ones did in 44 to 88%.
    """
    from scipy.special import stdtrit

    errors = pairs["standard_error"].to_numpy(dtype=float)
    logs, middle = np.log(errors), float(np.median(errors))
    independent = pd.unique(pairs[["system_a", "system_b"]].to_numpy().ravel()).size / 2
    spread = logs.var(ddof=1) * (1 + 1 / independent) + 1 / (2 * float(pairs["freedom"].median()))
    reach = stdtrit(independent, (1 + share) / 2) * np.sqrt(spread)
    low, high = np.exp(logs.mean() + reach * np.array([-1, 1]))
    return Errors(min(float(low), middle), middle, max(float(high), middle))
