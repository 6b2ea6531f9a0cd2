"""The gain that pairs of systems need to be significant, by a model of their standard errors."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import pandas as pd

from nlpsig_core.base.runtime import one_blas_thread
from nlpsig_core.base.words import count, plural
from nlpsig_core.significance.resampling.streams import Purpose, generator

# Pairs with more than this many times the gain they need are excluded: one bad system makes the standard errors of its
# pairs larger than those of close pairs.
REACH = 4.0
FEWEST_PAIRS = 10
FEWEST_FOR_INTERVAL, FEWEST_GROUPS = 20, 5
# Quantiles of draws from the model. Real systems and groups differ in more ways than the model assumes: between halves
# of the groups of real tasks, this share of intervals agreed.
INTERVAL, AGREED = (0.01, 0.99), 0.91
DRAWS = 20_000
# Gauss-Legendre nodes and weights on [0, 1]: the share of a pair's variance due to its two systems, and the share of
# that due to their groups.
OF_SYSTEMS, OF_GROUPS = (((1 + node) / 2, weight / 2) for node, weight in map(np.polynomial.legendre.leggauss, (24, 7)))
# Sums of squares below this share of the total are rounding.
ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True)
class NeededGain:
    """The percentile of the gains that pairs need, with an interval and the number of pairs used.

    ``reason`` states why the number or the interval is missing (NaN).
    """

    threshold: float
    low: float
    high: float
    pairs: int
    reason: str = ""


def within_reach(pairs: pd.DataFrame, z: float) -> pd.DataFrame:
    """Return the pairs that differ and whose gain is at most REACH times what they need, z standard errors."""
    error = pairs["standard_error"]
    return pairs[(error > 0) & (pairs["gain"] <= REACH * z * error)]


def needed_gain(
    pairs: pd.DataFrame, z: float, percentile: float = 95.0, seed: int = 0, fewest: int = FEWEST_PAIRS
) -> NeededGain:
    """Return the ``percentile`` of the gains that pairs like these need to be ``z`` standard errors from zero.

    ``pairs`` are those of one comparison class: system_a, system_b, group_a, group_b, gain, standard_error. Those
    within reach follow a model with crossed random effects, all normal:

        sqrt(standard error of i and j) = mean + u_i + u_j + e_ij,   u_i = effect of i's group + effect of i

    The square root of standard errors is closer to normal than their logarithm, in which pairs with nearly identical
    outputs are outliers. With V the variance of a pair, the threshold is

        z (mean + q sqrt(V))^2,   q the normal quantile of the percentile

    The prior of mean and V is 1 / V; that of the shares of V due to systems and to their groups is flat. Given the
    shares, the posterior has a closed form: V is a sum of squares over a chi-square with (pairs - 1) degrees of
    freedom, and the mean is normal given V. The threshold is the median of the draws. The interval, from their 1st to
    99th percentile, is for the percentile over further systems and groups like these on the same test set.
    """
    near = within_reach(pairs, z)
    if reason := _no_number(near, percentile, fewest):
        return NeededGain(threshold=np.nan, low=np.nan, high=np.nan, pairs=len(near), reason=reason)
    mean, variance = _posterior(near, generator(seed, Purpose.NEEDED_GAIN))
    draws = z * np.maximum(mean + NormalDist().inv_cdf(percentile / 100) * np.sqrt(variance), 0) ** 2
    low, threshold, high = (float(value) for value in np.quantile(draws, (INTERVAL[0], 0.5, INTERVAL[1])))
    if reason := _no_interval(near):
        low = high = np.nan
    return NeededGain(threshold=threshold, low=low, high=high, pairs=len(near), reason=reason)


def _no_number(near: pd.DataFrame, percentile: float, fewest: int) -> str:
    if len(near) < fewest:
        need = plural(len(near), "it needs", "they need")
        few = f"{count(len(near), 'pair')} with a difference up to {REACH:g} times what {need}"
        return f"{few}; {fewest} are needed"
    return "" if percentile < 100 else "the model has no largest gain; choose a percentile below 100"


def _no_interval(near: pd.DataFrame) -> str:
    groups = len(np.unique(_groups(near)))
    if len(near) >= FEWEST_FOR_INTERVAL and groups >= FEWEST_GROUPS:
        return ""
    few = f"{count(len(near), 'pair')} of {count(groups, 'group')}"
    return f"no interval: {few}; {FEWEST_FOR_INTERVAL} of {FEWEST_GROUPS} are needed"


def _groups(pairs: pd.DataFrame) -> np.ndarray:
    """Return a number for the group of each pair's two systems, (2m,)."""
    return np.asarray(pd.factorize(pairs[["group_a", "group_b"]].to_numpy().ravel())[0])


def _posterior(near: pd.DataFrame, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw means and variances of a pair, (DRAWS,) each."""
    y, design = np.sqrt(near["standard_error"].to_numpy(dtype=float)), _Design.from_pairs(near)
    m, centre = len(y), y.mean()
    # The matrices are small: threads would only wait for each other.
    with one_blas_thread():
        weight, mean, precision, squares = design.given_shares(y - centre)
    at = rng.choice(len(weight), DRAWS, p=weight)
    variance = squares[at] / rng.chisquare(m - 1, DRAWS)
    return centre + mean[at] + rng.standard_normal(DRAWS) * np.sqrt(variance / precision[at]), variance


@dataclass(frozen=True)
class _Design:
    """The systems of each pair (indices, (m,)), the systems' groups (indices, (n,)), and A'A of the pairs' design.

    A (m, n), which is never built, has a 1 for each of a pair's two systems.
    """

    first: np.ndarray
    second: np.ndarray
    group: np.ndarray
    crossed: np.ndarray

    @classmethod
    def from_pairs(cls, pairs: pd.DataFrame) -> _Design:
        sides, names = pd.factorize(pairs[["system_a", "system_b"]].to_numpy().ravel())
        # By name: the order of pairs must not change how sums are rounded.
        sides = np.argsort(np.argsort(names.astype(str), kind="stable"))[sides]
        first, second = sides.reshape(-1, 2).T
        group = np.empty(len(names), dtype=int)
        group[sides] = _groups(pairs)
        crossed = np.zeros((len(names), len(names)))
        np.add.at(crossed, (first, second), 1)
        crossed += crossed.T
        return cls(first, second, group, crossed + np.diag(crossed.sum(axis=1)))

    def sums(self, y: np.ndarray) -> np.ndarray:
        """Return a'y: each system's sum over its pairs, (n,)."""
        n = len(self.crossed)
        return np.bincount(self.first, y, n) + np.bincount(self.second, y, n)

    def given_shares(self, y: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return posterior weight, mean, its precision times V and sum of squares for each two shares.

        With a system's variance v, that of the residual r and C the correlations of systems, the covariance of pairs
        is r (I + v/r A C A'). With C = L L' and the eigenvalues d, vectors Q of L'A'A L, Woodbury's identity gives
        x'(...)^-1 y = x'y - sum over k of (Q'L'A'x)_k (Q'L'A'y)_k / (r/v + d_k), and the determinant is that of
        1 + v/r d_k.
        """
        alike = (self.group[:, None] == self.group).astype(float)
        same_group = float((self.group[self.first] == self.group[self.second]).mean())
        alone = len(np.unique(self.group)) == len(self.group)
        # With one system per group, the groups' share makes no difference.
        shares, weights = ((0.0,), (1.0,)) if alone else OF_GROUPS
        by_share = [self._given(y, share, alike, same_group) for share in shares]
        log_likelihood, *others = (np.concatenate(column) for column in zip(*by_share, strict=True))
        weight = np.outer(weights, OF_SYSTEMS[1]).ravel() * np.exp(log_likelihood - log_likelihood.max())
        return weight / weight.sum(), *others

    def _given(self, y: np.ndarray, of_group: float, alike: np.ndarray, same_group: float) -> tuple[np.ndarray, ...]:
        root = np.linalg.cholesky(of_group * alike + (1 - of_group) * np.eye(len(alike)))
        d, q = np.linalg.eigh(root.T @ self.crossed @ root)
        sums, ones = (q.T @ (root.T @ self.sums(x)) for x in (y, np.ones_like(y)))
        # A pair has twice a system's variance, plus what its two systems share.
        residual = 1 - OF_SYSTEMS[0]
        ratio = (OF_SYSTEMS[0] / (2 + 2 * of_group * same_group) / residual)[:, None]
        shrunk = ratio / (1 + ratio * np.maximum(d, 0))
        precision = (len(y) - shrunk @ ones**2) / residual
        mean = (y.sum() - shrunk @ (ones * sums)) / residual / precision
        squares = (y @ y - shrunk @ sums**2) / residual - precision * mean**2
        squares = np.maximum(squares, ROUNDING * (y @ y) + np.finfo(float).tiny)
        logs = np.log1p(ratio * np.maximum(d, 0)).sum(axis=1) + len(y) * np.log(residual)
        return -(logs + np.log(precision) + (len(y) - 1) * np.log(squares)) / 2, mean, precision, squares
