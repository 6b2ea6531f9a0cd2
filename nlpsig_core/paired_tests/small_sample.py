"""Small samples: in how many units two systems differ, and a p that knows how few these are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlpsig_core.resampling.bootstrap import observed_gains
from nlpsig_core.resampling.runs import run_variance
from nlpsig_core.stats.array import Stats
from nlpsig_core.stats.influence import influences
from nlpsig_core.stats.sample import Sample

# With fewer differing units than this the bootstrap's p comes out too small; below the second number no exact
# two-sided test reaches 0.05, since 2 / 2^5 is more than that.
FEW, TOO_FEW = 50, 6
# By documents standard errors are so many times as large where it matters that units of a document are alike.
MATTERS = 1.1
# Pairs are close whose gain is at most so many of their standard errors: twice what the one-sided 0.05 asks for.
CLOSE = 3.3
# So many pairs and units are compared at a time.
COMPARED_AT_A_TIME = 4_000_000


def effective_units(stats: Stats) -> float:
    """The number of units of equal size that the units are worth: (sum m)^2 / (sum m^2) of documents of m sentences."""
    sizes = stats.sizes.astype(float)
    return float(sizes.sum() ** 2 / (sizes**2).sum()) if len(sizes) else 0.0


class Differences(NamedTuple):
    """In how many units two systems differ, (m,) each: ``number`` over all test sets, and what these are worth.

    Of m_1, m_2, ... sentences in documents the ``effective`` number is (sum m)^2 / (sum m^2), their number where all
    are of one size. Of several test sets, or of several runs of a system, it is 1 + the degrees of freedom of a sum of
    variances, each with its own, 1 at least (Satterthwaite 1946). ``fewest`` is the effective number in the test set
    in which it is least, of those in which the two differ at all.
    """

    number: np.ndarray
    effective: np.ndarray
    fewest: np.ndarray


def differences(stats: Sample, pairs: np.ndarray) -> Differences:
    """The units in which the two systems of each pair (m, 2) have different statistics."""
    number, size, squared = np.stack([_sums(part, pairs) for part in stats.test_sets], axis=1)
    each = np.divide(size**2, squared, out=np.zeros_like(size), where=squared > 0)
    least = np.where(each > 0, each, np.inf).min(axis=0)
    fewest = np.where(np.isinf(least), 0.0, least)
    return Differences(number.sum(axis=0).astype(np.int64), _effective(stats, pairs, each), fewest)


def _effective(stats: Sample, pairs: np.ndarray, each: np.ndarray) -> np.ndarray:
    """The effective number (m,) over test sets and runs, from that of ``each`` test set (test sets, m)."""
    if len(each) == 1 and not stats.several_runs:
        return each[0]
    variance = np.stack([_gain_variance(part, pairs) for part in stats.test_sets]) / len(each) ** 2
    of_runs = run_variance(stats)
    variance = np.vstack([variance, of_runs.variance[pairs].T])
    freedom = np.vstack([each - 1, of_runs.freedom[pairs].T])
    spread = (variance**2 / np.maximum(freedom, 1.0)).sum(axis=0)
    return 1 + np.divide(variance.sum(axis=0) ** 2, spread, out=np.zeros(len(pairs)), where=spread > 0)


def small_sample_p(p: np.ndarray, effective: np.ndarray) -> np.ndarray:
    """One-sided p by Student's t with D - 1 degrees of freedom at sqrt((D - 1) / D) times the normal quantile of p.

    D (m,) is the effective number of differing units. The bootstrap's gains spread by sqrt((D - 1) / D) too little
    and have normal tails; with one unit or none nothing can be said, and p is 1.
    """
    from scipy.special import ndtri, stdtr

    freedom = np.maximum(effective - 1, 1e-9)
    return np.where(effective < 2, 1.0, stdtr(freedom, np.sqrt(freedom / (freedom + 1)) * ndtri(p)))


def _sums(stats: Stats, pairs: np.ndarray) -> np.ndarray:
    """Of the units in which each pair differs: their number, the sum of their sizes, that of the squares, (3, m)."""
    kinds = _kinds(stats)
    sizes = np.stack([np.ones(stats.n_units), stats.sizes, stats.sizes.astype(float) ** 2], axis=1)
    found = np.empty((3, len(pairs)))
    step = max(1, COMPARED_AT_A_TIME // max(stats.n_units, 1))
    for start in range(0, len(pairs), step):
        a, b = pairs[start : start + step].T
        found[:, start : start + step] = ((kinds[a] != kinds[b]) @ sizes).T
    return found


def _kinds(stats: Stats) -> np.ndarray:
    """A number for the statistics of each system in each unit, (systems, units): the same where these are."""
    values = stats.over_runs(stats.values)
    kinds = np.zeros(values.shape[:2], dtype=np.int64)
    for column in np.moveaxis(values, -1, 0):
        _, place = np.unique(column, return_inverse=True)
        _, kinds = np.unique(kinds * (place.max(initial=0) + 1) + place.reshape(kinds.shape), return_inverse=True)
        kinds = kinds.reshape(values.shape[:2])
    return kinds


def document_ratio(stats: Stats, documents: np.ndarray, pairs: np.ndarray) -> float:
    """The standard error of a gain by documents as a multiple of that by units, the median over close pairs.

    ``documents`` (units,) are labels; NaN where no pair is close. By the infinitesimal jackknife.
    """
    gain, _ = observed_gains(stats, pairs)
    by_unit = _gain_variance(stats, pairs)
    _, place = np.unique(documents, return_inverse=True)
    by_document = _gain_variance(stats, pairs, place)
    close = (gain > 0) & (gain <= CLOSE * np.sqrt(by_unit)) & (by_unit > 0)
    return float(np.median(np.sqrt(by_document[close] / by_unit[close]))) if close.any() else np.nan


def _gain_variance(stats: Stats, pairs: np.ndarray, place: np.ndarray | None = None) -> np.ndarray:
    """Variance of each pair's gain, (m,), by the infinitesimal jackknife over units or their ``place``s."""
    pull = influences(stats)
    if place is not None:
        pull = np.stack([np.bincount(place, weights=row) for row in pull])
    products = pull @ pull.T / stats.n_units**2
    a, b = pairs.T
    return np.maximum(products[a, a] + products[b, b] - 2 * products[a, b], 0.0)
