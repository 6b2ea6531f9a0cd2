"""Agreement of rankings: Kendall's tau between each two, and an order that puts those that agree side by side."""

from __future__ import annotations

import numpy as np

from nlpsig_core.significance.resampling.bootstrap import ties


def kendall(scores: np.ndarray) -> np.ndarray:
    """Kendall's tau-b between each two rankings (Kendall 1945), (n, n), from scores (n, systems).

    Each two rankings are compared on the systems that have a score in both; NaN stands for none.
    """
    first, second = np.triu_indices(scores.shape[1], 1)
    gains = scores[:, first] - scores[:, second]
    tied = np.isnan(gains) | (np.abs(gains) <= ties(scores[:, first], scores[:, second]))
    signs = np.where(tied, 0.0, np.sign(gains))
    agreeing = signs @ signs.T
    # Of the pairs with scores in both rankings, those that do not tie in the first.
    untied = np.abs(signs) @ (~np.isnan(gains)).T.astype(float)
    most = np.sqrt(untied * untied.T)
    tau: np.ndarray = np.divide(agreeing, most, out=np.full_like(most, np.nan), where=most > 0)
    return tau


def clustered(tau: np.ndarray) -> np.ndarray:
    """An order of rankings, (n,), in which those that agree are neighbours, from their taus (n, n).

    Clusters by average linkage of 1 - tau, turned so that neighbours are as close as can be (Bar-Joseph et al. 2001).
    An unknown tau counts as 0.
    """
    from scipy.cluster.hierarchy import leaves_list, linkage

    if len(tau) < 3:
        return np.arange(len(tau))
    apart = 1 - np.nan_to_num(tau[np.triu_indices(len(tau), 1)])
    return np.asarray(leaves_list(linkage(apart, "average", optimal_ordering=True)))
