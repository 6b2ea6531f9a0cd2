"""The paired bootstrap of all pairs of systems at once, on shared resamples."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import get_ident

import numpy as np

from nlpsig_core.errors import TaskError
from nlpsig_core.metrics.base import Metric
from nlpsig_core.resampling.blocks import Progress, over_resamples, resampled_scores
from nlpsig_core.resampling.recipe import BLOCK, Resampling
from nlpsig_core.runtime import available_cores, cached_property
from nlpsig_core.stats.sample import Sample
from nlpsig_core.task.limits import too_many_pairs

# Two ratios tie if they differ by less than this share of the larger one.
TIE = 1e-11
# The variance of a difference counts as rounding error below this share of the two variances.
NO_SPREAD = 1e-12
# Percentile intervals use histograms of the first resamples: 256 bins of 1/20 standard error.
BINNED_RESAMPLES = 100_000
N_BINS, BIN_WIDTH = 256, 0.05
# Above this number of rows, the extremes of bins are single precision, to save memory.
MANY_ROWS = 5_000
# An interval's end counts as 0 if it is closer to 0 than this share of a bin.
IS_ZERO = 1e-4


@dataclass(frozen=True, eq=False, kw_only=True)
class Bootstrap:
    """The resamples' counts and moments for every pair of systems, winner first; nothing here depends on a level.

    ``pairs`` (m, 2) holds system indices and ``gain`` (m,) observed gains. ``hits_above`` counts the resamples with
    delta* > 2 delta (the paper's event), ``hits_below`` those with delta* < 0 (its footnote 2). ``covariance``
    (systems, systems) is that of resampled scores. ``bins`` (m + systems, N_BINS) are histograms of resampled gains,
    then of resampled scores, starting at ``low`` in steps of ``width``, with the smallest (``least``) and largest
    (``most``) value in each bin; they use the first BINNED_RESAMPLES. ``n_units`` is the size of the smallest test set.
    ``resampled`` (systems, b) holds the scores of all resamples, if they were kept.
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
    resampled: np.ndarray | None = None

    @cached_property
    def standard_error(self) -> np.ndarray:
        """Bootstrap standard error of each pair's gain, (m,)."""
        return _standard_error(self.covariance, self.pairs)

    @cached_property
    def correlation(self) -> np.ndarray:
        """Correlation of each pair's resampled scores, (m,): 1 for systems that never differ, 0 if one is constant."""
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
        ends: np.ndarray = np.sort(self.metric.sign * self._intervals(level)[len(self.pairs) :], axis=1)
        return ends + 0.0  # where lower is better, a score of 0 would be a negative 0

    def _intervals(self, level: float) -> np.ndarray:
        """Percentiles of gains and scores, (m + systems, 2), at ``expanded_tail``; exact if gains come in steps."""
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
    """The share of resamples beyond each end of a percentile interval of this level, below (1 - level) / 2.

    The spread of resampled gains is too small by sqrt((n - 1) / n), and their tails are normal. The tail
    Phi(sqrt(n / (n - 1)) t) corrects both, with t the quantile of Student's distribution with n - 1 degrees of freedom
    (Hesterberg 2015, section 5.3).
    """
    from scipy.special import ndtr, stdtrit

    n = max(n_units, 2)
    return float(ndtr(np.sqrt(n / (n - 1)) * stdtrit(n - 1, (1 - level) / 2)))


def _exact(rows: int) -> np.dtype:
    """The type of the extremes of bins."""
    return np.dtype(np.float64 if rows <= MANY_ROWS else np.float32)


class _Histograms:
    """Counts of gains per bin, (rows, N_BINS), and the smallest and largest gain in each."""

    def __init__(self, rows: int) -> None:
        self.bins = np.zeros((rows, N_BINS), dtype=np.int32)
        self.least = np.full((rows, N_BINS), np.inf, dtype=_exact(rows))
        self.most = np.full((rows, N_BINS), -np.inf, dtype=_exact(rows))

    def add(self, other: _Histograms) -> None:
        """Add another histogram's counts and extremes."""
        self.bins += other.bins
        np.minimum(self.least, other.least, out=self.least)
        np.maximum(self.most, other.most, out=self.most)


@dataclass
class _Tallies:
    """The sums over one chunk of blocks."""

    above: np.ndarray
    below: np.ndarray
    sums: np.ndarray
    products: np.ndarray
    kept: list[np.ndarray] = field(default_factory=list)


def check_pairs(stats: Sample, threads: int | None = None) -> None:
    """Raise TaskError if memory has no room for the histograms of all pairs: one of each thread, and their sum."""
    threads = threads or available_cores()
    rows = stats.n_pairs + stats.n_systems
    of_row = N_BINS * (np.dtype(np.int32).itemsize + 2 * _exact(rows).itemsize)
    if reason := too_many_pairs(stats.n_systems, stats.n_pairs, rows * of_row * (threads + 1)):
        raise TaskError(reason)


def all_pairs(scores: np.ndarray) -> np.ndarray:
    """Every pair of systems, (m, 2), the higher score first, in the order of the systems."""
    first, second = np.triu_indices(len(scores), 1)
    swap = scores[first] < scores[second]
    return np.stack([np.where(swap, second, first), np.where(swap, first, second)], axis=1)


def observed_gains(stats: Sample, pairs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The gain of the first over the second system of each pair, and the largest difference that is a tie, (m,) each.

    A tie depends on the scores of these two alone, so that no third system changes a pair's result.
    """
    first, second = stats.metric.sign * stats.scores[pairs.T]
    return first - second, ties(first, second)


def ties(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The largest difference that counts as a tie of two scores, to allow for rounding."""
    return np.asarray(TIE * np.maximum(np.abs(first), np.abs(second)))


def bootstrap(
    stats: Sample, recipe: Resampling, progress: Progress | None = None, threads: int | None = None,
    keep: bool = False,
) -> Bootstrap:  # fmt: skip
    """The paired bootstrap of every pair of systems, from one set of resamples that all pairs share.

    Berg-Kirkpatrick et al. (2012), section 2.1, figure 1, and footnotes 2, 4 and 5. The result is identical for any
    number of threads. ``progress(done, of)`` may raise to cancel. With ``keep``, the scores of all resamples are kept:
    for few systems. TaskError if there are more pairs than memory has room for.
    """
    from nlpsig_core.resampling.kernels import bin_gains, tally

    check_pairs(stats, threads)
    sign = stats.metric.sign
    observed = sign * stats.scores
    pairs = all_pairs(observed)
    first, second = np.ascontiguousarray(pairs.T)
    gain, tie = observed_gains(stats, pairs)
    # With a last system of zeros, each system's score is a gain over it.
    binned_first = np.concatenate([first, np.arange(stats.n_systems)])
    binned_second = np.concatenate([second, np.full(stats.n_systems, stats.n_systems)])
    low, width = _bin_edges(stats, recipe, sign, binned_first, binned_second)
    # One for each thread, not for each chunk of blocks: counts and extremes are the same in any order.
    of_threads: dict[int, _Histograms] = {}

    def start() -> _Tallies:
        n, m = stats.n_systems, len(pairs)
        above, below = np.zeros((2, m), dtype=np.int64)
        return _Tallies(above, below, np.zeros(n), np.zeros((n, n)))

    def add(tallies: _Tallies, scores: np.ndarray, block: int) -> None:
        if keep:
            tallies.kept.append(scores)
        scores = sign * scores
        tally(scores, first, second, 2 * gain + tie, -tie, tallies.above, tallies.below)
        centred = scores - observed[:, None]
        tallies.sums += centred.sum(axis=1)
        tallies.products += centred @ centred.T
        if block * BLOCK < BINNED_RESAMPLES:
            thread = get_ident()
            histograms = of_threads[thread] = of_threads.get(thread) or _Histograms(len(low))
            with_zero = np.vstack([scores, np.zeros(scores.shape[1])])
            bin_gains(
                with_zero, binned_first, binned_second, low, width, histograms.bins, histograms.least, histograms.most
            )

    total, histograms = start(), _Histograms(len(low))
    for tallies in over_resamples(stats, recipe, start, add, progress, threads):
        for name in ("above", "below", "sums", "products"):
            setattr(total, name, getattr(total, name) + getattr(tallies, name))
        total.kept += tallies.kept
    for one in of_threads.values():
        histograms.add(one)
    covariance = _covariance(total.sums, total.products, recipe.n_resamples)
    return Bootstrap(
        recipe=recipe, metric=stats.metric, scores=stats.scores, pairs=pairs, gain=gain, tie=tie,
        hits_above=total.above, hits_below=total.below, covariance=covariance, bins=histograms.bins, low=low,
        width=width, least=histograms.least, most=histograms.most,
        n_units=min(one.n_units for one in stats.test_sets), resampled=np.hstack(total.kept) if keep else None,
    )  # fmt: skip


def _covariance(sums: np.ndarray, products: np.ndarray, n: int) -> np.ndarray:
    covariance = (products - np.outer(sums, sums) / n) / max(n - 1, 1)
    return (covariance + covariance.T) / 2


def _standard_error(covariance: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    a, b = pairs.T
    both = covariance[a, a] + covariance[b, b]
    variance = both - 2 * covariance[a, b]
    # Rounding can leave a tiny variance for systems that never differ.
    return np.sqrt(np.where(variance <= NO_SPREAD * both, 0.0, variance))


def _bin_edges(
    stats: Sample, recipe: Resampling, sign: float, first: np.ndarray, second: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The start of each histogram and the width of its bins, from the first block of resamples."""
    pilot = Resampling(min(BLOCK, recipe.n_resamples), recipe.seed)
    scores = sign * resampled_scores(stats, pilot, threads=1)
    scores = np.vstack([scores, np.zeros(scores.shape[1])])
    covariance = np.cov(scores) if scores.shape[1] > 1 else np.zeros((len(scores), len(scores)))
    mean = scores.mean(axis=1)
    width = BIN_WIDTH * np.maximum(_standard_error(covariance, np.stack([first, second], axis=1)), 1e-9)
    return mean[first] - mean[second] - N_BINS / 2 * width, width
