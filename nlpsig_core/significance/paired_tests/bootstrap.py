"""The paired bootstrap of Berg-Kirkpatrick, Burkett and Klein (2012): from hits to p-values, and equivalence."""

from __future__ import annotations

import numpy as np

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.significance.paired_tests.base import PValues
from nlpsig_core.significance.resampling.blocks import Progress, over_resamples
from nlpsig_core.significance.resampling.bootstrap import Bootstrap, observed_gains
from nlpsig_core.significance.resampling.kernels import tally
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Sample


def run(
    stats: Sample, pairs: np.ndarray, recipe: Resampling, progress: Progress | None = None, threads: int | None = None
) -> PValues:
    """Return p of each pair, as ``bootstrap`` with the same recipe gives it; section 2.1, figure 1, and footnote 2.

    Cheaper than ``bootstrap``, which also keeps histograms and covariances.
    """
    sign = stats.metric.sign
    gain, tie = observed_gains(stats, pairs)
    in_rows, limits = np.ascontiguousarray(pairs.T), (2 * gain + tie, -tie)

    def start() -> np.ndarray:
        return np.zeros((2, len(pairs)), dtype=np.int64)

    def add(hits: np.ndarray, scores: np.ndarray, block: int) -> None:
        tally(sign * scores, in_rows, limits, (hits[0], hits[1]))

    above, below = sum(over_resamples(stats, recipe, start, add, progress, threads), start())
    return p_of_hits(above, below, gain > tie, recipe.n_resamples)


def p_of_result(result: Bootstrap) -> PValues:
    """Return p of each pair of a finished bootstrap."""
    return p_of_hits(result.hits_above, result.hits_below, result.gain > result.tie, result.recipe.n_resamples)


def p_of_hits(above: np.ndarray, below: np.ndarray, has_gain: np.ndarray, n: int) -> PValues:
    """Return p from the number of resamples with delta* > 2 delta and with delta* < 0.

    p is 1 without a gain: delta* > 2 delta never happens for identical outputs, but then there was nothing to test.
    """
    one_sided = np.where(has_gain, above / n, 1.0)
    two_sided = np.where(has_gain, np.minimum((above + below) / n, 1.0), 1.0)
    return PValues(one_sided=one_sided, two_sided=two_sided, n_resamples=n, counts_observed=False)


def equivalent(result: Bootstrap, within: float, effective: np.ndarray, level: float = 0.05) -> np.ndarray:
    """Whether each pair's true gain is between -within and within, (m,), by two one-sided tests at the level.

    Both tests reject if the percentile interval of level 1 - 2 level (90% at 0.05) is inside these bounds (Schuirmann
    1987). It counts the ``effective`` number of differing units (m,), as the small-sample p does. ChoiceError if
    ``within`` is not above 0, or if the level is not below 0.5.
    """
    if not 0 < level < 0.5:
        raise ChoiceError(f"Equivalence cannot be tested at the level {level:g}; choose a level between 0 and 0.5")
    if not within > 0:
        raise ChoiceError(f"Systems cannot be equivalent within {within:g}; choose a gain above 0")
    low, high = result.equivalence_intervals(1 - 2 * level, effective).T
    inside: np.ndarray = (-within < low) & (high < within)
    return inside
