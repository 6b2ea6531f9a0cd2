"""The normal approximation: confidence as a function of gain, test set size and correlation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import pandas as pd

from nlpsig_core.significance.resampling.blocks import resampled_scores
from nlpsig_core.significance.resampling.bootstrap import Bootstrap, all_pairs, observed_gains
from nlpsig_core.significance.resampling.recipe import BLOCK, Resampling
from nlpsig_core.significance.stats.array import Stats


@dataclass(frozen=True, kw_only=True)
class Spread:
    """The standard deviations of the resampled scores of two systems on ``n_units``, and their correlation.

    The standard error of the gain on m units is

        s = sqrt((a^2 + b^2 - 2 r a b) n / m)

    with the standard deviations a and b of the two scores and their correlation r.
    """

    deviation_a: float
    deviation_b: float
    correlation: float
    n_units: int

    def error(self, n_units: float | None = None, correlation: float | None = None) -> float:
        """The standard error of the gain, optionally on another number of units or with another correlation."""
        a, b = self.deviation_a, self.deviation_b
        together = self.correlation if correlation is None else correlation
        variance = max(a**2 + b**2 - 2 * together * a * b, 0.0)
        return math.sqrt(variance * self.n_units / (n_units or self.n_units))


def spread(result: Bootstrap, a: int, b: int, n_units: int) -> Spread:
    """The spread of two systems of a bootstrap, by index."""
    deviation = np.sqrt(np.diag(result.covariance))
    product = float(deviation[a] * deviation[b])
    correlation = float(result.covariance[a, b]) / product if product else 0.0
    return Spread(
        deviation_a=float(deviation[a]),
        deviation_b=float(deviation[b]),
        correlation=min(max(correlation, -1.0), 1.0),
        n_units=n_units,
    )


def confidence_curve(error: float, highest: float, points: int = 201) -> pd.DataFrame:
    """Confidence 1 - p = Phi(gain / error) of gains from 0 to ``highest``: columns gain, confidence.

    If resampled gains are normal around the gain with that standard error, they exceed twice the gain with probability
    1 - Phi(gain / error), the paper's p.
    """
    from scipy.special import ndtr

    gains = np.linspace(0, highest, points)
    with np.errstate(divide="ignore", invalid="ignore"):
        confidence = ndtr(np.where(gains > 0, gains / error, 0.0))
    return pd.DataFrame({"gain": gains, "confidence": confidence})


def needed_gain(error: float, level: float) -> float:
    """The gain at which the curve reaches a confidence of 1 - level."""
    return NormalDist().inv_cdf(1 - level) * error


def shown_gain(pairs: pd.DataFrame, level: float, needed: float) -> float:
    """The end of the gain axis: beyond the last pair with p >= level, and a few times ``needed``."""
    doubtful = pairs.loc[(pairs["p_value"] >= level) & (pairs["gain"] > 0), "gain"]
    return max(1.15 * float(doubtful.max()) if len(doubtful) else 0.0, 3.2 * needed)


def estimated_pairs(stats: Stats, seed: int = 0) -> pd.DataFrame:
    """Every pair by name, winner first, with an estimated p: system_a, system_b, gain, p_value.

    p uses the normal approximation with standard errors from one block of resamples, which is enough to find pairs with
    about a given p quickly.
    """
    from scipy.special import ndtr

    sign = stats.metric.sign
    pairs = all_pairs(sign * stats.scores)
    gain, tie = observed_gains(stats, pairs)
    covariance = np.atleast_2d(np.cov(resampled_scores(stats, Resampling(BLOCK, seed))))
    a, b = pairs.T
    error = np.sqrt(np.maximum(covariance[a, a] + covariance[b, b] - 2 * covariance[a, b], 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(gain > tie, ndtr(-gain / error), 1.0)
    names = np.array(stats.names, dtype=object)
    return pd.DataFrame({"system_a": names[a], "system_b": names[b], "gain": gain, "p_value": p})
