"""Step-down max-t: p of every pair, adjusted for all pairs by the joint distribution of their resampled gains."""

from __future__ import annotations

import numpy as np

from nlpsig_core.errors import ChoiceError
from nlpsig_core.resampling.blocks import Progress, over_resamples
from nlpsig_core.resampling.bootstrap import Bootstrap
from nlpsig_core.stats.sample import Sample

# With fewer units, resampled deviations are too small: at 50 units, 14% of sets of equal systems had a false alarm.
FEWEST_UNITS = 200


def why_not(stats: Sample) -> str:
    """Why max-t cannot be used; "" if it can."""
    n = min(test_set.n_units for test_set in stats.test_sets)
    return f"max-t needs {FEWEST_UNITS} {stats.unit}s, and there are {n}" if n < FEWEST_UNITS else ""


def max_t(stats: Sample, result: Bootstrap, progress: Progress | None = None, threads: int | None = None) -> np.ndarray:
    """Adjusted two-sided p of each pair of the result, (m,); ChoiceError if there are too few units.

    A second pass over the same resamples counts how often the largest |gain* - gain| / s, over a pair and all pairs
    with a smaller gain / s, reaches the pair's own gain / s. p is (hits + 1) / (b + 1), made non-decreasing from pair
    to pair. Controls the familywise error rate over both directions of all pairs (Romano and Wolf 2005; for ranks,
    Mogstad, Romano, Shaikh and Wilhelm 2024). Pairs without gain or spread have p = 1.
    """
    if why := why_not(stats):
        raise ChoiceError(f"{why}; choose Holm")
    return adjusted(stats, result, progress, threads)


def adjusted(
    stats: Sample, result: Bootstrap, progress: Progress | None = None, threads: int | None = None
) -> np.ndarray:
    """``max_t`` for any number of units."""
    from nlpsig_core.resampling.kernels import tally_largest

    error = result.standard_error
    tested = np.flatnonzero((result.gain > result.tie) & (error > 0))
    order = tested[np.argsort(-result.gain[tested] / error[tested], kind="stable")]
    first, second = np.ascontiguousarray(result.pairs[order].T)
    gain, error, sign = result.gain[order], error[order], stats.metric.sign
    # A deviation equal to the gain counts as a hit despite rounding.
    limit = (gain - result.tie[order]) / error

    def start() -> np.ndarray:
        return np.zeros(len(order), dtype=np.int64)

    def add(hits: np.ndarray, scores: np.ndarray, block: int) -> None:
        tally_largest(sign * scores, first, second, gain, error, limit, hits)

    hits = sum(over_resamples(stats, result.recipe, start, add, progress, threads), start())
    p = np.ones(len(result.pairs))
    p[order] = np.maximum.accumulate((hits + 1) / (result.recipe.n_resamples + 1))
    return p
