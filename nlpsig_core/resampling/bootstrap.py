"""The paired bootstrap of all pairs of systems at once, on shared resamples."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nlpsig_core.metrics.base import Metric
from nlpsig_core.resampling.blocks import Progress, over_resamples, resampled_scores
from nlpsig_core.resampling.recipe import BLOCK, Resampling
from nlpsig_core.stats.sample import Sample

# Two ratios nearer to one another than this share of the larger one are a tie.
TIE = 1e-11
# A variance of a difference below this share of the two variances is rounding.
NO_SPREAD = 1e-12
# Percentile intervals rest on histograms of the first resamples: 256 bins of 1/20 standard error.
BINNED_RESAMPLES = 100_000
N_BINS, BIN_WIDTH = 256, 0.05
# The least and the most of the bins of more rows than this are of single precision, to save memory.
MANY_ROWS = 5_000
# An end of an interval nearer to 0 than this share of a bin is 0 but for rounding.
IS_ZERO = 1e-4


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """What the resamples say of every pair of systems, winner first; nothing here depends on alpha.

    ``pairs`` (m, 2) system indices; ``gain`` (m,) observed; ``hits_above`` resamples with
    delta* > 2 delta (the paper's event), ``hits_below`` with delta* < 0 (its footnote 2);
    ``covariance`` (systems, systems) of resampled scores; ``bins`` (m + systems, N_BINS) histograms of
    resampled gains, then of resampled scores, from ``low`` on in steps of ``width``, with the ``least`` and
    the ``most`` of each bin; they rest on the first BINNED_RESAMPLES. ``n_units`` are those of the
    smallest test set.
    """

    recipe: Resampling
    metric: Metric
    scores: np.ndarray
    pairs: np.ndarray
    gain: np.ndarray
    tie: np.ndarray
    hits_above: np.ndarray
    hits_below: np.ndarray
    covariance: np.ndarray
    bins: np.ndarray
    low: np.ndarray
    width: np.ndarray
    least: np.ndarray
    most: np.ndarray
    n_units: int

    @cached_property
    def standard_error(self) -> np.ndarray:
        """Bootstrap standard error of each pair's gain, (m,)."""
        return _standard_error(self.covariance, self.pairs)

    @cached_property
    def correlation(self) -> np.ndarray:
        """Correlation of each pair's resampled scores, (m,); 1 for systems that never differ, else 0 of none."""
        deviation = np.sqrt(np.diag(self.covariance))
        a, b = self.pairs.T
        product = deviation[a] * deviation[b]
        raw = np.divide(self.covariance[a, b], product, out=np.zeros(len(a)), where=product > 0)
        return np.where(self.standard_error == 0, 1.0, np.clip(raw, -1, 1))

    def gain_intervals(self, level: float = 0.95) -> np.ndarray:
        """Percentile interval of each pair's gain, (m, 2)."""
        return self._intervals(level)[: len(self.pairs)]

    def score_intervals(self, level: float = 0.95) -> np.ndarray:
        """Percentile interval of each system's score, (systems, 2), low first."""
        return np.sort(self.metric.sign * self._intervals(level)[len(self.pairs) :], axis=1)

    def _intervals(self, level: float) -> np.ndarray:
        """Percentiles of gains and scores, (m + systems, 2), at ``expanded_tail``; exact where gains come in steps."""
        below = np.cumsum(self.bins, axis=1)
        rows = np.arange(len(below))
        tail = expanded_tail(level, self.n_units)
        ends = []
        for share in (tail, 1 - tail):
            wanted = share * below[:, -1]
            number = np.argmax(below >= wanted[:, None], axis=1)
            inside = 1 - (below[rows, number] - wanted) / np.maximum(self.bins[rows, number], 1)
            least, most = self.least[rows, number].astype(np.float64), self.most[rows, number]
            end = least + inside * (most - least)
            ends.append(np.where(np.abs(end) <= IS_ZERO * self.width, 0.0, end))
        return np.stack(ends, axis=1)


def expanded_tail(level: float, n_units: int) -> float:
    """The share of resamples beyond either end of a percentile interval of this level, less than (1 - level) / 2.

    Resampled gains spread by sqrt((n - 1) / n) too little and have normal tails: Phi(sqrt(n / (n - 1)) t) makes up for
    it, with the quantile t of Student's distribution with n - 1 degrees of freedom (Hesterberg 2015, section 5.3).
    """
    from scipy.special import ndtr, stdtrit

    n = max(n_units, 2)
    return float(ndtr(np.sqrt(n / (n - 1)) * stdtrit(n - 1, (1 - level) / 2)))


class _Histograms:
    """How many gains each bin has seen, (rows, N_BINS), and the least and the most of them."""

    def __init__(self, rows: int) -> None:
        exact = np.float64 if rows <= MANY_ROWS else np.float32
        self.bins = np.zeros((rows, N_BINS), dtype=np.int32)
        self.least = np.full((rows, N_BINS), np.inf, dtype=exact)
        self.most = np.full((rows, N_BINS), -np.inf, dtype=exact)

    def add(self, other: _Histograms) -> None:
        """Take over what another one has seen."""
        self.bins += other.bins
        np.minimum(self.least, other.least, out=self.least)
        np.maximum(self.most, other.most, out=self.most)


@dataclass
class _Tallies:
    """What one run of blocks adds up; the later ones have no histograms."""

    above: np.ndarray
    below: np.ndarray
    sums: np.ndarray
    products: np.ndarray
    histograms: _Histograms | None = None


def all_pairs(scores: np.ndarray) -> np.ndarray:
    """Every pair of systems, (m, 2), the one with the higher score first, in the order of the systems."""
    first, second = np.triu_indices(len(scores), 1)
    swap = scores[first] < scores[second]
    return np.stack([np.where(swap, second, first), np.where(swap, first, second)], axis=1)


def observed_gains(stats: Sample, pairs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The gain of the first over the second system of each pair, and up to which difference they tie, (m,) each.

    What is a tie depends on the scores of these two alone: no third system changes what comes out for a pair.
    """
    first, second = stats.metric.sign * stats.scores[pairs.T]
    return first - second, ties(first, second)


def ties(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Up to which difference two scores are a tie, whatever rounding makes of them."""
    return TIE * np.maximum(np.abs(first), np.abs(second))


def bootstrap(
    stats: Sample, recipe: Resampling, progress: Progress | None = None, threads: int | None = None
) -> Bootstrap:
    """The paired bootstrap of every pair of systems, from one set of resamples that all share.

    Berg-Kirkpatrick et al. (2012), section 2.1, figure 1, and footnotes 2, 4 and 5. The result is the same
    to the last bit whatever the number of threads. ``progress(done, of)`` may raise to end the work.
    """
    from nlpsig_core.resampling.kernels import bin_gains, tally

    sign = stats.metric.sign
    observed = sign * stats.scores
    pairs = all_pairs(observed)
    first, second = np.ascontiguousarray(pairs.T)
    gain, tie = observed_gains(stats, pairs)
    # A row of zeros as the last system makes each system's score a gain over it.
    systems = np.arange(stats.n_systems)
    binned_first = np.concatenate([first, systems])
    binned_second = np.concatenate([second, np.full(stats.n_systems, stats.n_systems)])
    low, width = _bin_edges(stats, recipe, sign, binned_first, binned_second)

    def start() -> _Tallies:
        n, m = stats.n_systems, len(pairs)
        above, below = np.zeros((2, m), dtype=np.int64)
        return _Tallies(above, below, np.zeros(n), np.zeros((n, n)))

    def add(tallies: _Tallies, scores: np.ndarray, block: int) -> None:
        scores = sign * scores
        tally(scores, first, second, 2 * gain + tie, -tie, tallies.above, tallies.below)
        centred = scores - observed[:, None]
        tallies.sums += centred.sum(axis=1)
        tallies.products += centred @ centred.T
        if block * BLOCK < BINNED_RESAMPLES:
            seen = tallies.histograms = tallies.histograms or _Histograms(len(low))
            with_zero = np.vstack([scores, np.zeros(scores.shape[1])])
            bin_gains(with_zero, binned_first, binned_second, low, width, seen.bins, seen.least, seen.most)

    total, seen = start(), _Histograms(len(low))
    for tallies in over_resamples(stats, recipe, start, add, progress, threads):
        for field in ("above", "below", "sums", "products"):
            setattr(total, field, getattr(total, field) + getattr(tallies, field))
        if tallies.histograms:
            seen.add(tallies.histograms)
    covariance = _covariance(total.sums, total.products, recipe.n_resamples)
    fewest = min(part.n_units for part in stats.test_sets)
    return Bootstrap(
        recipe, stats.metric, stats.scores, pairs, gain, tie, total.above, total.below,
        covariance, seen.bins, low, width, seen.least, seen.most, fewest,
    )  # fmt: skip


def _covariance(sums: np.ndarray, products: np.ndarray, n: int) -> np.ndarray:
    covariance = (products - np.outer(sums, sums) / n) / max(n - 1, 1)
    return (covariance + covariance.T) / 2


def _standard_error(covariance: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    a, b = pairs.T
    both = covariance[a, a] + covariance[b, b]
    variance = both - 2 * covariance[a, b]
    # What rounding leaves of systems that never differ is no spread.
    return np.sqrt(np.where(variance <= NO_SPREAD * both, 0.0, variance))


def _bin_edges(stats: Sample, recipe: Resampling, sign: float, first: np.ndarray, second: np.ndarray):
    """Where each histogram starts and how wide its bins are, from the first block of resamples."""
    pilot = Resampling(min(BLOCK, recipe.n_resamples), recipe.seed)
    scores = sign * resampled_scores(stats, pilot, threads=1)
    scores = np.vstack([scores, np.zeros(scores.shape[1])])
    covariance = np.cov(scores) if scores.shape[1] > 1 else np.zeros((len(scores), len(scores)))
    mean = scores.mean(axis=1)
    width = BIN_WIDTH * np.maximum(_standard_error(covariance, np.stack([first, second], axis=1)), 1e-9)
    return mean[first] - mean[second] - N_BINS / 2 * width, width
