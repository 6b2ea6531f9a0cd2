"""The t-test of the gain with a standard error that holds for clusters: the infinitesimal jackknife over units."""

from __future__ import annotations

import numpy as np

from nlpsig_core.significance.paired_tests.base import PValues
from nlpsig_core.significance.resampling.blocks import Progress
from nlpsig_core.significance.resampling.bootstrap import observed_gains
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.significance.stats.influence import gain_variance


def run(stats: Stats, pairs: np.ndarray, recipe: Resampling, progress: Progress | None = None) -> PValues:
    """Return p of the gain in the corpus score over its standard error, by Student's t (details: standard_error, t).

    The variance is n / (n - 1) times that of the infinitesimal jackknife over the n units, with n - 1 degrees of
    freedom. If units are documents and the score is a mean over their sentences, this is the cluster-robust variance
    of Liang and Zeger (1986), sums over documents c of (sum over i in c of (d_i - mean d))^2 / N^2, times n / (n - 1),
    of the differences d of N sentences; Miller (2024), sections 2.2 and 4. If each unit is alone, it is the paired
    t-test. Of several answers to a question, the mean counts.
    """
    from scipy.special import stdtr

    gain, tie = observed_gains(stats, pairs)
    n = stats.n_units
    error = np.sqrt(gain_variance(stats, pairs) * n / max(n - 1, 1))
    has_gain = gain > tie
    t = np.divide(gain, error, out=np.where(has_gain, np.inf, 0.0), where=has_gain & (error > 0))
    one_sided = np.where(has_gain, stdtr(max(n - 1, 1), -t), 1.0)
    two_sided = np.where(has_gain, 2 * one_sided, 1.0)
    if progress:
        progress(len(pairs), len(pairs))
    return PValues(one_sided=one_sided, two_sided=two_sided, details={"standard_error": error, "t": t})
