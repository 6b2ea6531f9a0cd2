"""Influences: the pull of each unit on its system's corpus score (the infinitesimal jackknife)."""

from __future__ import annotations

import numpy as np

from nlpsig_core.stats.array import Stats

# The step of a numerical gradient, as a share of a total.
STEP = 1e-4


def influences(stats: Stats) -> np.ndarray:
    """The influence of each unit on its system's corpus score, (systems, units), 0 on average.

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
