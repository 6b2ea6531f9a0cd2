"""Step-down max-t: p of every pair, adjusted for all pairs by the joint distribution of their resampled gains."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlpsig_core.base.engine import Workers
from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.significance.resampling.blocks import Progress, over_resamples
from nlpsig_core.significance.resampling.bootstrap import Bootstrap
from nlpsig_core.significance.resampling.kernels import tally_largest
from nlpsig_core.significance.resampling.parts import over_parts
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Sample

# With fewer units, resampled deviations are too small: at 50 units, 14% of sets of equal systems had a false alarm.
FEWEST_UNITS = 200


def why_not(stats: Sample) -> str:
    """Why max-t cannot be used; "" if it can."""
    n = min(test_set.n_units for test_set in stats.test_sets)
    return f"max-t needs {FEWEST_UNITS} {stats.unit}s, and there are {n}" if n < FEWEST_UNITS else ""


def max_t(
    stats: Sample, result: Bootstrap, progress: Progress | None = None, threads: int | None = None,
    workers: Workers = Workers(),
) -> np.ndarray:  # fmt: skip
    """Adjusted two-sided p of each pair of the result, (m,); ChoiceError if there are too few units.

    A second pass over the same resamples counts how often the largest |gain* - gain| / s, over a pair and all pairs
    with a smaller gain / s, reaches the pair's own gain / s. p is (hits + 1) / (b + 1), made non-decreasing from pair
    to pair. Controls the familywise error rate over both directions of all pairs (Romano and Wolf 2005; for ranks,
    Mogstad, Romano, Shaikh and Wilhelm 2024). Pairs without gain or spread have p = 1.
    """
    if why := why_not(stats):
        raise ChoiceError(f"{why}; choose Holm")
    return adjusted(stats, result, progress, threads, workers)


def adjusted(
    stats: Sample, result: Bootstrap, progress: Progress | None = None, threads: int | None = None,
    workers: Workers = Workers(),
) -> np.ndarray:  # fmt: skip
    """``max_t`` for any number of units."""
    error, recipe = result.standard_error, result.recipe
    tested = np.flatnonzero((result.gain > result.tie) & (error > 0))
    order = tested[np.argsort(-result.gain[tested] / error[tested], kind="stable")]
    gain, error = result.gain[order], error[order]
    # A deviation equal to the gain counts as a hit despite rounding.
    tallying = _Tallying(stats, result.pairs[order], gain, error, (gain - result.tie[order]) / error)
    if workers.use_dask:
        parts = over_parts(tallied, tallying, "max-t", recipe, tallying.none, workers, progress)
    else:
        parts = iter([tallied(tallying, recipe, progress, threads)])
    hits = sum((part["hits"] for part in parts), tallying.none(recipe)["hits"])
    p = np.ones(len(result.pairs))
    p[order] = np.maximum.accumulate((hits + 1) / (recipe.n_resamples + 1))
    return p


class _Tallying(NamedTuple):
    """What is counted: pairs (m, 2) in descending order of limits, their gains, standard errors and limits (m,)."""

    stats: Sample
    pairs: np.ndarray
    gain: np.ndarray
    error: np.ndarray
    limit: np.ndarray

    def none(self, recipe: Resampling) -> dict[str, np.ndarray]:
        """No hits, (m,)."""
        return {"hits": np.zeros(len(self.pairs), dtype=np.int64)}


def tallied(
    of: _Tallying, recipe: Resampling, progress: Progress | None = None, threads: int | None = 1
) -> dict[str, np.ndarray]:
    """The hits of the recipe's blocks, (m,)."""
    first, second = np.ascontiguousarray(of.pairs.T)
    sign = of.stats.metric.sign

    def start() -> np.ndarray:
        return of.none(recipe)["hits"]

    def add(hits: np.ndarray, scores: np.ndarray, block: int) -> None:
        tally_largest(sign * scores, first, second, of.gain, of.error, of.limit, hits)

    return {"hits": sum(over_resamples(of.stats, recipe, start, add, progress, threads), start())}
