"""The paired bootstrap of all pairs of systems at once, on shared resamples, and its intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nlpsig_core.base.engine import Workers
from nlpsig_core.base.errors import TaskError, check_named
from nlpsig_core.base.runtime import available_cores, cached_property
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.task.limits import too_many_pairs
from nlpsig_core.significance.resampling.blocks import Progress, resampled_scores
from nlpsig_core.significance.resampling.parts import total_of
from nlpsig_core.significance.resampling.recipe import BLOCK, Resampling
from nlpsig_core.significance.resampling.tallies import (
    BIN_WIDTH,
    N_BINS,
    Tallying,
    pairs_and_systems,
    tallied,
    type_of_extremes,
    with_zeros,
)
from nlpsig_core.significance.stats.array import Sample

# Two ratios tie if they differ by less than this share of the larger one.
TIE = 1e-11
# The variance of a difference counts as rounding error below this share of the two variances.
NO_SPREAD = 1e-12
# An interval's end counts as 0 if it is closer to 0 than this share of a bin.
IS_ZERO = 1e-4
INTERVALS = ("percentile", "normal")


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

    @classmethod
    def from_counts(cls, stats: Sample, recipe: Resampling, **counted: Any) -> Bootstrap:
        """Return the result for all pairs of these statistics, with what the recipe's resamples ``counted``."""
        pairs = all_pairs(stats.metric.sign * stats.scores)
        gain, tie = observed_gains(stats, pairs)
        return cls(
            recipe=recipe,
            metric=stats.metric,
            scores=stats.scores,
            pairs=pairs,
            gain=gain,
            tie=tie,
            n_units=stats.fewest_units,
            **counted,
        )

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

    def gain_intervals(self, level: float, effective: np.ndarray, interval: str = "percentile") -> np.ndarray:
        """Return an interval of each pair's gain, (m, 2): percentiles of resampled gains, or gain -+ z standard errors.

        As for the small-sample p, the ``effective`` number of differing units (m,) counts in place of all units. Normal
        intervals end at the smallest and the largest resampled value: with few units they would go beyond the scale.
        ChoiceError if there is no such kind of interval.
        """
        rows = slice(len(self.pairs))
        return self._intervals(interval, expanded_tails(level, effective), rows, self.gain, self.standard_error)

    def score_intervals(self, level: float = 0.95, interval: str = "percentile") -> np.ndarray:
        """Return the interval of each system's score, (systems, 2), low first, as ``gain_intervals`` for all units."""
        rows, sign = slice(len(self.pairs), None), self.metric.sign
        tails = np.full(len(self.scores), expanded_tail(level, self.n_units))
        ends = self._intervals(interval, tails, rows, sign * self.scores, np.sqrt(np.diag(self.covariance)))
        # Where lower is better, a score of 0 would be a negative 0.
        return np.asarray(np.sort(sign * ends, axis=1) + 0.0)

    def equivalence_intervals(self, level: float, effective: np.ndarray) -> np.ndarray:
        """Return the percentile interval of each pair's gain that equivalence asks for, (m, 2).

        As ``gain_intervals``, but NaN where the differing units are so few that the tail would hold no resample; the
        gain of a pair that never differs is 0 to 0.
        """
        tails, rows = expanded_tails(level, effective), slice(len(self.pairs))
        ends = self._intervals("percentile", tails, rows, self.gain, self.standard_error)
        hold = tails * self.bins[0].sum() >= 1
        ends[(effective > 0) & ((effective < 2) | ~hold)] = np.nan
        return ends

    def _intervals(
        self, interval: str, tails: np.ndarray, rows: slice, centre: np.ndarray, error: np.ndarray
    ) -> np.ndarray:
        """Return the intervals of these rows, (rows, 2): percentiles, or values -+ z standard errors."""
        from scipy.special import ndtri

        check_named("interval", interval, INTERVALS)
        bins, least, most = self.bins[rows], self.least[rows], self.most[rows]
        if interval == "percentile":
            return _percentiles(bins, least, most, tails, self.width[rows])
        reach = np.where(error > 0, -ndtri(tails), 0.0) * error
        smallest = np.where(bins > 0, least, np.inf).min(axis=1)
        largest = np.where(bins > 0, most, -np.inf).max(axis=1)
        return np.stack([np.maximum(centre - reach, smallest), np.minimum(centre + reach, largest)], axis=1)


def _percentiles(
    bins: np.ndarray, least: np.ndarray, most: np.ndarray, tails: np.ndarray, width: np.ndarray
) -> np.ndarray:
    """Return two percentiles of each histogram, (rows, 2), a tail from each end; exact if values come in steps."""
    below, each = np.cumsum(bins, axis=1), np.arange(len(bins))
    ends = []
    for share in (np.maximum(tails, np.finfo(float).tiny), 1 - tails):
        wanted = share * below[:, -1]
        number = np.argmax(below >= wanted[:, None], axis=1)
        inside = 1 - (below[each, number] - wanted) / np.maximum(bins[each, number], 1)
        low, high = least[each, number].astype(np.float64), most[each, number]
        end = low + inside * (high - low)
        ends.append(np.where(np.abs(end) <= IS_ZERO * width, 0.0, end))
    return np.stack(ends, axis=1)


def expanded_tail(level: float, n_units: int) -> float:
    """Return the share of resamples beyond each end of a percentile interval of this level, below (1 - level) / 2.

    The spread of resampled gains is too small by sqrt((n - 1) / n), and their tails are normal. The tail
    Phi(sqrt(n / (n - 1)) t) corrects both, with t the quantile of Student's distribution with n - 1 degrees of freedom
    (Hesterberg 2015, section 5.3).
    """
    return float(expanded_tails(level, np.array(n_units)))


def expanded_tails(level: float, n_units: np.ndarray) -> np.ndarray:
    """Return ``expanded_tail`` for each of several numbers of units, which need not be whole."""
    from scipy.special import ndtr, stdtrit

    n = np.maximum(n_units, 2)
    return np.asarray(ndtr(np.sqrt(n / (n - 1)) * stdtrit(n - 1, (1 - level) / 2)))


def check_pairs(stats: Sample, threads: int | None = None) -> None:
    """Raise TaskError if memory has no room for the histograms of all pairs: one of each thread, and their sum."""
    threads = threads or available_cores()
    rows = stats.n_pairs + stats.n_systems
    of_row = N_BINS * (np.dtype(np.int32).itemsize + 2 * type_of_extremes(rows).itemsize)
    if reason := too_many_pairs(stats.n_systems, stats.n_pairs, rows * of_row * (threads + 1)):
        raise TaskError(reason)


def all_pairs(scores: np.ndarray) -> np.ndarray:
    """Return every pair of systems, (m, 2), the higher score first, in the order of the systems."""
    first, second = np.triu_indices(len(scores), 1)
    swap = scores[first] < scores[second]
    return np.stack([np.where(swap, second, first), np.where(swap, first, second)], axis=1)


def observed_gains(stats: Sample, pairs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return each pair's gain of the first system over the second, and the largest difference that is a tie, (m,) each.

    A tie depends on the scores of these two alone, so that no third system changes a pair's result.
    """
    first, second = stats.metric.sign * stats.scores[pairs.T]
    return first - second, ties(first, second)


def ties(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the largest difference that counts as a tie of two scores, to allow for rounding."""
    return np.asarray(TIE * np.maximum(np.abs(first), np.abs(second)))


def bootstrap(
    stats: Sample,
    recipe: Resampling,
    progress: Progress | None = None,
    *,
    threads: int | None = None,
    keep: bool = False,
    workers: Workers = Workers(),
) -> Bootstrap:
    """Run the paired bootstrap of every pair of systems, on one set of resamples that all pairs share.

    Berg-Kirkpatrick et al. (2012), section 2.1, figure 1, and footnotes 2, 4 and 5. The result is identical for any
    number of threads and of Dask's ``workers``. ``progress(done, of)`` may raise to cancel. With ``keep``, the scores
    of all resamples are kept: for few systems, in this process. TaskError if there are more pairs than memory has
    room for.
    """
    check_pairs(stats, threads)
    pairs = all_pairs(stats.metric.sign * stats.scores)
    gain, tie = observed_gains(stats, pairs)
    low, width = _bin_edges(stats, recipe, pairs)
    tallying = Tallying(stats=stats, pairs=pairs, gain=gain, tie=tie, low=low, width=width)
    kept: dict[int, list[np.ndarray]] = {}
    if keep:
        total = tallied(tallying, recipe, progress, threads, kept)
    else:
        total = total_of(tallied, tallying, recipe, progress, threads=threads, workers=workers)
    resampled = np.hstack([scores for block in sorted(kept) for scores in kept[block]]) if keep else None
    return Bootstrap.from_counts(
        stats,
        recipe,
        hits_above=total["above"],
        hits_below=total["below"],
        covariance=_covariance(total["sums"], total["products"], recipe.n_resamples),
        low=low,
        width=width,
        resampled=resampled,
        **{name: total[name] for name in ("bins", "least", "most")},
    )


def _covariance(sums: np.ndarray, products: np.ndarray, n: int) -> np.ndarray:
    covariance = (products - np.outer(sums, sums) / n) / max(n - 1, 1)
    return (covariance + covariance.T) / 2


def _standard_error(covariance: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    a, b = pairs.T
    both = covariance[a, a] + covariance[b, b]
    variance = both - 2 * covariance[a, b]
    # Rounding can leave a tiny variance for systems that never differ.
    return np.sqrt(np.where(variance <= NO_SPREAD * both, 0.0, variance))


def _bin_edges(stats: Sample, recipe: Resampling, pairs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where each histogram of gains, then of scores, starts, and its bins' width, from the first block."""
    binned = pairs_and_systems(pairs, stats.n_systems)
    pilot = Resampling(min(BLOCK, recipe.n_resamples), recipe.seed)
    scores = with_zeros(stats.metric.sign * resampled_scores(stats, pilot, threads=1))
    covariance = np.cov(scores) if scores.shape[1] > 1 else np.zeros((len(scores), len(scores)))
    mean = scores.mean(axis=1)
    width = BIN_WIDTH * np.maximum(_standard_error(covariance, binned), 1e-9)
    return mean[binned[:, 0]] - mean[binned[:, 1]] - N_BINS / 2 * width, width
