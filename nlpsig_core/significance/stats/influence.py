"""The infinitesimal jackknife: the pull of each unit on its system's corpus score, and what follows from it."""

from __future__ import annotations

import numpy as np

from nlpsig_core.significance.stats.array import Stats

# The step of a numerical gradient, as a share of a total.
STEP = 1e-4
# Documents are resampled unless another unit is chosen if they make standard errors more than this many times as large.
MATTERS = 1.1
# Close pairs have a gain of at most this many standard errors: twice the one-sided 0.05 quantile.
CLOSE = 3.3


def influences(stats: Stats) -> np.ndarray:
    """Return the influence of each unit on its system's corpus score, (systems, units), 0 on average.

    The infinitesimal jackknife (Efron 1982, chapter 6): if unit i counts w_i times, n times in all, the score moves by
    about the mean of w_i times influence i. For a score that is a mean over units, the influence is the unit's score
    minus the mean; for others it follows from the score's gradient at the totals, by central differences. For several
    runs it is their mean.
    """
    totals, score = stats.totals.astype(np.float64), stats.metric.score
    gradient = np.empty_like(totals)
    for column in range(totals.shape[1]):
        above, below = totals.copy(), totals.copy()
        step = STEP * np.abs(totals[:, column])
        above[:, column] += np.where(step > 0, step, 1.0)
        below[:, column] -= step
        gradient[:, column] = (score(above) - score(below)) / (above - below)[:, column]
    pull = stats.n_units * np.einsum("suk,sk->su", stats.values, gradient)
    return stats.over_runs(pull - pull.mean(axis=1, keepdims=True))


def gain_variance(stats: Stats, pairs: np.ndarray, document: np.ndarray | None = None) -> np.ndarray:
    """Return the variance of each pair's gain, (m,), by the infinitesimal jackknife over units.

    With ``document`` (units,), the index of each unit's document, it is that over documents.
    """
    influence = influences(stats)
    if document is not None:
        influence = np.stack([np.bincount(document, weights=row) for row in influence])
    products = influence @ influence.T / stats.n_units**2
    a, b = pairs.T
    return np.asarray(np.maximum(products[a, a] + products[b, b] - 2 * products[a, b], 0.0))


def document_ratio(stats: Stats, documents: np.ndarray) -> float:
    """Return the ratio of a gain's standard error by document to that by unit, the median over close pairs.

    ``documents`` (units,) are labels; 0 if no pair is close.
    """
    pairs = np.stack(np.triu_indices(stats.n_systems, 1), axis=1)
    gain = np.abs(np.subtract(*stats.scores[pairs.T]))
    by_unit = gain_variance(stats, pairs)
    _, document = np.unique(documents, return_inverse=True)
    by_document = gain_variance(stats, pairs, document)
    close = (gain > 0) & (gain <= CLOSE * np.sqrt(by_unit)) & (by_unit > 0)
    return float(np.median(np.sqrt(by_document[close] / by_unit[close]))) if close.any() else 0.0
