"""Small samples: the number of units in which two systems differ, and p and intervals that account for it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlpsig_core.base.runtime import one_blas_thread
from nlpsig_core.significance.resampling.bootstrap import expanded_tails
from nlpsig_core.significance.resampling.runs import draws_runs, run_variance
from nlpsig_core.significance.stats.array import Sample, Stats
from nlpsig_core.significance.stats.influence import gain_variance

# With fewer differing units than FEW the bootstrap's p is too small; with fewer than TOO_FEW no exact two-sided test
# reaches 0.05, since 2 / 2^5 is larger.
FEW, TOO_FEW = 50, 6
# Pairs times units compared at a time.
COMPARED_AT_A_TIME = 4_000_000
# The product of two numbers below this one is a 64-bit number.
MANY = 2**31


def effective_units(stats: Stats) -> float:
    """Return the number of equal units that the units are worth: (sum m)^2 / (sum m^2) for documents of m sentences."""
    sizes = stats.sizes.astype(float)
    return float(sizes.sum() ** 2 / (sizes**2).sum()) if len(sizes) else 0.0


class Differences(NamedTuple):
    """The number of units in which two systems differ, (m,) each.

    ``number`` counts them over all test sets. ``effective`` weighs them: for documents of m_1, m_2, ... sentences it is
    (sum m)^2 / (sum m^2), which is their number if all have one size. For several test sets, or several runs of a
    system, it is 1 + the degrees of freedom of a sum of variances, at least 1 each (Satterthwaite 1946). ``fewest`` is
    the smallest effective number among the test sets in which the two differ at all.
    """

    number: np.ndarray
    effective: np.ndarray
    fewest: np.ndarray


def differences(stats: Sample, pairs: np.ndarray) -> Differences:
    """Count the units in which the two systems of each pair (m, 2) have different statistics."""
    with one_blas_thread():  # several would wait for each other longer than they compute
        number, size, squared = np.stack([_sums(test_set, pairs) for test_set in stats.test_sets], axis=1)
        each = np.divide(size**2, squared, out=np.zeros_like(size), where=squared > 0)
        effective = _effective(stats, pairs, each)
    least = np.where(each > 0, each, np.inf).min(axis=0)
    return Differences(number.sum(axis=0).astype(np.int64), effective, np.where(np.isinf(least), 0.0, least))


def _effective(stats: Sample, pairs: np.ndarray, each: np.ndarray) -> np.ndarray:
    """Return the effective number (m,) over test sets and runs, from that of ``each`` test set (test sets, m)."""
    if len(each) == 1 and not draws_runs(stats):
        (only,) = each
        return np.asarray(only)
    weighted = zip(stats.weights, stats.test_sets, strict=True)
    variance = np.stack([weight**2 * gain_variance(part, pairs) for weight, part in weighted]) / sum(stats.weights) ** 2
    of_runs = run_variance(stats)
    variance = np.vstack([variance, of_runs.variance[pairs].T])
    freedom = np.vstack([each - 1, of_runs.freedom[pairs].T])
    spread = (variance**2 / np.maximum(freedom, 1.0)).sum(axis=0)
    return np.asarray(1 + np.divide(variance.sum(axis=0) ** 2, spread, out=np.zeros(len(pairs)), where=spread > 0))


def small_sample_p(p: np.ndarray, differing: Differences) -> np.ndarray:
    """Return one-sided p by Student's t with D - 1 degrees of freedom at sqrt((D - 1) / D) times p's normal quantile.

    D (m,) is the effective number of differing units. The spread of the bootstrap's gains is too small by a factor of
    sqrt((D - 1) / D), and their tails are normal. p is 1 with one differing unit or none, and at least ``least_p``.
    """
    from scipy.special import ndtri, stdtr

    freedom = np.maximum(differing.effective - 1, 1e-9)
    by_t = stdtr(freedom, np.sqrt(freedom / (freedom + 1)) * ndtri(p))
    return np.where(differing.effective < 2, 1.0, np.maximum(by_t, least_p(differing.number)))


def least_p(number: np.ndarray, sides: int = 1) -> np.ndarray:
    """Return the smallest p that an exact test can have by the number of differing units n, (m,): sides / 2^n.

    It takes one of the 2^n ways to swap the two systems' outputs.
    """
    return np.asarray(np.minimum(sides * 0.5**number, 1.0))


def reaching_zero(ends: np.ndarray, number: np.ndarray, level: float) -> np.ndarray:
    """Return intervals of gains, (m, 2), including 0 where no exact test on this ``number`` of units can reject it."""
    least, most = np.minimum(ends, 0.0)[:, 0], np.maximum(ends, 0.0)[:, 1]
    few = least_p(number, sides=2) > 1 - level
    return np.where(few[:, None], np.stack([least, most], axis=1), ends)


def gain_intervals(gains: np.ndarray, differing: Differences, level: float = 0.95) -> np.ndarray:
    """Return the percentile intervals of resampled gains (m, b), (m, 2), as in the table of pairs."""
    tails = 100 * expanded_tails(level, differing.effective)
    ends = [np.percentile(own, [tail, 100 - tail]) for own, tail in zip(gains, tails, strict=True)]
    return reaching_zero(np.array(ends), differing.number, level)


def _sums(stats: Stats, pairs: np.ndarray) -> np.ndarray:
    """Count the units in which each pair differs, and sum their sizes and the squares of these, (3, m)."""
    kinds = _kinds(stats)
    sizes = np.stack([np.ones(stats.n_units), stats.sizes, stats.sizes.astype(float) ** 2], axis=1)
    sums = np.empty((3, len(pairs)))
    step = max(1, COMPARED_AT_A_TIME // max(kinds.shape[1], 1))
    for start in range(0, len(pairs), step):
        a, b = pairs[start : start + step].T
        sums[:, start : start + step] = (stats.entries.sums(kinds[a] != kinds[b]) @ sizes).T
    return sums


def _kinds(stats: Stats) -> np.ndarray:
    """Return a number for the statistics of each system in each entry, (systems, entries): equal for equal ones."""
    values = stats.over_runs(stats.values)
    kinds = np.zeros(values.shape[:2], dtype=np.int64)
    for column in np.moveaxis(values, -1, 0):
        index = _small(column)
        kinds = _small(kinds * (int(index.max(initial=0)) + 1) + index)
    return kinds.astype(np.min_scalar_type(kinds.max(initial=0)))


def _small(values: np.ndarray) -> np.ndarray:
    """Return numbers below MANY that are equal where values are: these, if they are such numbers, else their ranks."""
    whole = np.issubdtype(values.dtype, np.integer) and values.min(initial=0) >= 0 and values.max(initial=0) < MANY
    return values.astype(np.int64) if whole else np.unique(values, return_inverse=True)[1].reshape(values.shape)
