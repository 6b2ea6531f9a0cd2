"""The paired bootstrap of all pairs of systems at once, on shared resamples."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nlpsig_core.metrics.base import Metric
from nlpsig_core.resampling import BLOCK, Progress, Resampling, over_resamples, resampled_scores
from nlpsig_core.stats import MacroStats, Stats

# Two ratios nearer to one another than this share of the larger one are a tie.
TIE = 1e-11
# A variance of a difference below this share of the two variances is rounding.
NO_SPREAD = 1e-12
# Percentile intervals rest on histograms of the first resamples: 256 bins of 1/20 standard error.
BINNED_RESAMPLES = 100_000
N_BINS, BIN_WIDTH = 256, 0.05


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """What the resamples say of every pair of systems, winner first; nothing here depends on alpha.

    ``pairs`` (m, 2) system indices; ``gain`` (m,) observed; ``hits_above`` resamples with
    delta* > 2 delta (the paper's event), ``hits_below`` with delta* < 0 (its footnote 2);
    ``covariance`` (systems, systems) of resampled scores; ``bins`` (m + systems, N_BINS) histograms of
    resampled gains, then of resampled scores, from ``low`` on in steps of ``width``, with the ``least`` and
    the ``most`` of them; they rest on the first BINNED_RESAMPLES.
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
        below = np.cumsum(self.bins, axis=1)
        before = np.hstack([np.zeros((len(below), 1), dtype=below.dtype), below])
        ends = []
        for share in ((1 - level) / 2, (1 + level) / 2):
            wanted = share * below[:, -1]
            bin_ = np.argmax(below >= wanted[:, None], axis=1)
            rows = np.arange(len(bin_))
            inside = (wanted - before[rows, bin_]) / np.maximum(self.bins[rows, bin_], 1)
            # Inside of a bin the place is interpolated, but never beyond what a resample had.
            ends.append(np.clip(self.low + (bin_ + inside) * self.width, self.least, self.most))
        return np.stack(ends, axis=1)


@dataclass
class _Tallies:
    """What one run of blocks adds up."""

    above: np.ndarray
    below: np.ndarray
    bins: np.ndarray
    least: np.ndarray
    most: np.ndarray
    sums: np.ndarray
    products: np.ndarray


def all_pairs(scores: np.ndarray) -> np.ndarray:
    """Every pair of systems, (m, 2), the one with the higher score first, in the order of the systems."""
    first, second = np.triu_indices(len(scores), 1)
    swap = scores[first] < scores[second]
    return np.stack([np.where(swap, second, first), np.where(swap, first, second)], axis=1)


def observed_gains(stats: Stats | MacroStats, pairs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The gain of the first over the second system of each pair, and up to which difference they tie, (m,) each.

    What is a tie depends on the scores of these two alone: no third system changes what comes out for a pair.
    """
    first, second = stats.metric.sign * stats.scores[pairs.T]
    return first - second, ties(first, second)


def ties(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Up to which difference two scores are a tie, whatever rounding makes of them."""
    return TIE * np.maximum(np.abs(first), np.abs(second))


def bootstrap(
    stats: Stats | MacroStats, recipe: Resampling, progress: Progress | None = None, threads: int | None = None
) -> Bootstrap:
    """The paired bootstrap of every pair of systems, from one set of resamples that all share.

    Berg-Kirkpatrick et al. (2012), section 2.1, figure 1, and footnotes 2, 4 and 5. The result is the same
    to the last bit whatever the number of threads. ``progress(done, of)`` may raise to end the work.
    """
    from nlpsig_core.kernels import bin_gains, tally

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
        least, most = np.full(m + n, np.inf), np.full(m + n, -np.inf)
        bins = np.zeros((m + n, N_BINS), dtype=np.int32)
        return _Tallies(above, below, bins, least, most, np.zeros(n), np.zeros((n, n)))

    def add(tallies: _Tallies, scores: np.ndarray, block: int) -> None:
        scores = sign * scores
        tally(scores, first, second, 2 * gain + tie, -tie, tallies.above, tallies.below)
        centred = scores - observed[:, None]
        tallies.sums += centred.sum(axis=1)
        tallies.products += centred @ centred.T
        if block * BLOCK < BINNED_RESAMPLES:
            with_zero = np.vstack([scores, np.zeros(scores.shape[1])])
            edges = (low, width, tallies.bins, tallies.least, tallies.most)
            bin_gains(with_zero, binned_first, binned_second, *edges)

    total = start()
    for tallies in over_resamples(stats, recipe, start, add, progress, threads):
        for field in ("above", "below", "bins", "sums", "products"):
            setattr(total, field, getattr(total, field) + getattr(tallies, field))
        total.least, total.most = np.minimum(total.least, tallies.least), np.maximum(total.most, tallies.most)
    covariance = _covariance(total.sums, total.products, recipe.n_resamples)
    return Bootstrap(
        recipe, stats.metric, stats.scores, pairs, gain, tie, total.above, total.below,
        covariance, total.bins, low, width, total.least, total.most,
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


def _bin_edges(stats: Stats | MacroStats, recipe: Resampling, sign: float, first: np.ndarray, second: np.ndarray):
    """Where each histogram starts and how wide its bins are, from the first block of resamples."""
    pilot = Resampling(min(BLOCK, recipe.n_resamples), recipe.seed)
    scores = sign * resampled_scores(stats, pilot, threads=1)
    scores = np.vstack([scores, np.zeros(scores.shape[1])])
    covariance = np.cov(scores) if scores.shape[1] > 1 else np.zeros((len(scores), len(scores)))
    mean = scores.mean(axis=1)
    width = BIN_WIDTH * np.maximum(_standard_error(covariance, np.stack([first, second], axis=1)), 1e-9)
    return mean[first] - mean[second] - N_BINS / 2 * width, width
