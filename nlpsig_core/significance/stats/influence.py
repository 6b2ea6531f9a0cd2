"""What follows from the influences of units: the variance of gains, by unit and by document."""

from __future__ import annotations

import numpy as np

from nlpsig_core.significance.stats.array import Stats

# Documents are resampled unless another unit is chosen if they make standard errors more than this many times as large.
MATTERS = 1.1
# Close pairs have a gain of at most this many standard errors: twice the one-sided 0.05 quantile.
CLOSE = 3.3


def gain_variance(stats: Stats, pairs: np.ndarray, document: np.ndarray | None = None) -> np.ndarray:
    """Return the variance of each pair's gain, (m,), by the infinitesimal jackknife over units.

    With ``document`` (units,), the index of each unit's document, it is that over documents.
    """
    influence = stats.influences()
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
