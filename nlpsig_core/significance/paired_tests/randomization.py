"""Approximate randomization: the distribution of the gain if each output were equally likely to be either system's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from nlpsig_core.base.compiled import compiled
from nlpsig_core.data.metrics.base import Ratio
from nlpsig_core.significance.paired_tests.base import PValues, chunks
from nlpsig_core.significance.resampling.blocks import Piece, Progress, nth_of, over_blocks
from nlpsig_core.significance.resampling.bootstrap import observed_gains
from nlpsig_core.significance.resampling.columns import DistinctColumns, Strata, piece_rows
from nlpsig_core.significance.resampling.kernels import tally
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.streams import Purpose, stream
from nlpsig_core.significance.stats.array import Sample, Stats
from nlpsig_core.significance.stats.entries import Entries

# Swapped totals computed at a time: with fewer, threads wait for Python; with more, they do not fit the caches.
TOTALS_AT_A_TIME = 300_000
# Values (pairs times entries of two systems) that are sorted at a time, for scores of the weighted sample.
VALUES_AT_A_TIME = 8_000_000


class SwappedPairs:
    """Corpus scores of pairs of systems after their statistics are swapped in some units.

    All pairs share the swaps: the sums over the swapped units come from one matrix product.
    """

    def __init__(self, stats: Sample, pairs: np.ndarray) -> None:
        self.weights, self.pairs = stats.weights, pairs
        self.sign = stats.metric.sign
        self.strata = Strata(stats)
        self.matrices = [of for of in self.strata.matrices if isinstance(of, DistinctColumns)]
        gain, tie = observed_gains(stats, pairs)
        # One float lower, so that "above the limit" means "at least the gain", even for a gain of 0.
        self.limit = np.nextafter(gain - tie, -np.inf)

    def hits(self, swaps: Sequence[np.ndarray]) -> np.ndarray:
        """Count the swaps that give each pair its gain or more, for the first system and for the second, (2, pairs).

        ``swaps`` are (rows, units) of each stratum.
        """
        hits = np.zeros((2, len(self.pairs)), dtype=np.int64)
        moved = self.strata.joined(swaps)
        columns, rows = max(len(matrix.index) for matrix in self.matrices), len(swaps[0])
        size = max(1, TOTALS_AT_A_TIME // (2 * columns * rows))
        buffer = np.empty(columns * 2 * size * rows)
        for chunk in chunks(len(self.pairs), size):
            pairs = np.ascontiguousarray(self.pairs[chunk].T)
            weighted = (w * self._scores(i, moved[i], pairs, buffer) for i, w in enumerate(self.weights))
            self._tally(np.asarray(sum(weighted) / sum(self.weights)), chunk, hits)
        return hits

    def _tally(self, scores: np.ndarray, chunk: slice, hits: np.ndarray) -> None:
        """Add to ``hits`` (2, pairs) those of a chunk, for scores (2 * m, rows) of first systems, then of second."""
        swapped, limit = np.arange(len(scores)).reshape(2, -1), self.limit[chunk]
        tally(self.sign * scores, swapped, (limit, -limit), (hits[0, chunk], hits[1, chunk]))

    def _scores(self, index: int, moved: np.ndarray, pairs: np.ndarray, buffer: np.ndarray) -> np.ndarray:
        """Return scores on one test set, (2 * m, rows), of the first systems of pairs (2, m), then of the second."""
        matrix = self.matrices[index]
        shape = (len(matrix.index), 2, pairs.shape[1], moved.shape[1])
        swapped = buffer[: np.prod(shape)].reshape(shape)
        swap_totals(moved, matrix.index, matrix.totals, pairs, swapped)
        return matrix.score(np.moveaxis(swapped.reshape(len(swapped), -1, moved.shape[1]), 0, -1))


class SwappedRatios(SwappedPairs):
    """Corpus scores after swaps where every score is a ratio: one compiled loop, which holds no swapped totals."""

    def __init__(self, stats: Sample, pairs: np.ndarray) -> None:
        super().__init__(stats, pairs)
        ends = np.cumsum([matrix.columns.shape[1] for matrix in self.matrices])
        starts = [0, *ends[:-1]]
        self.column_of = np.stack([start + of.index for start, of in zip(starts, self.matrices, strict=True)])
        self.totals = np.stack([matrix.totals for matrix in self.matrices])
        scales = [matrix.score.scale for matrix in self.matrices if isinstance(matrix.score, Ratio)]
        self.scales = self.sign * np.multiply(self.weights, scales) / sum(self.weights)

    def hits(self, swaps: Sequence[np.ndarray]) -> np.ndarray:
        """Count hits as ``SwappedPairs.hits``."""
        hits, pairs = np.zeros((2, len(self.pairs)), dtype=np.int64), np.ascontiguousarray(self.pairs.T)
        moved = np.vstack(self.strata.joined(swaps))
        tally_swapped(moved, self.column_of, self.totals, self.scales, pairs, self.limit, hits)
        return hits


class SwappedSamples(SwappedPairs):
    """Corpus scores after outputs are swapped in some units, where the score is one of the weighted sample."""

    def __init__(self, stats: Sample, pairs: np.ndarray) -> None:
        super().__init__(stats, pairs)
        self.both = [BothOutputs(part, pairs) for part in stats.test_sets]

    def hits(self, swaps: Sequence[np.ndarray]) -> np.ndarray:
        """Count hits as ``SwappedPairs.hits``."""
        hits = np.zeros((2, len(self.pairs)), dtype=np.int64)
        each = zip(self.weights, self.both, self.strata.joined(swaps), strict=True)
        weighted = (weight * both.scores(swap) for weight, both, swap in each)
        self._tally(np.asarray(sum(weighted) / sum(self.weights)), slice(None), hits)
        return hits


class BothOutputs:
    """The outputs of both systems of each pair as one: a sample of it has each unit from one system or the other.

    Since systems may use different scales, they swap ranks.
    """

    def __init__(self, stats: Stats, pairs: np.ndarray) -> None:
        assert stats.metric.sample is not None
        self.entries: Entries = stats.entries
        values = stats.interchangeable
        self.score = stats.metric.sample(np.concatenate([values[pairs[:, 0]], values[pairs[:, 1]]], axis=1))

    def scores(self, swaps: np.ndarray) -> np.ndarray:
        """Return the scores of the first systems of all pairs, then of the second, (2 * pairs, rows), after swaps."""
        theirs = self.entries.spread(swaps)
        return np.vstack([self.score(np.hstack(of)) for of in ((1 - theirs, theirs), (theirs, 1 - theirs))])


def run(stats: Sample, pairs: np.ndarray, recipe: Resampling, progress: Progress | None = None) -> PValues:
    """Return p of each pair: how often swapped outputs differ by at least as much as the real ones.

    Over several test sets, scores are weighted means over them. p = (hits + 1) / (b + 1), since the real outputs are
    one of the possible swaps.
    """
    hits = np.zeros((2, len(pairs)), dtype=np.int64)
    of_chunks = list(chunks(len(pairs), _pairs_at_a_time(stats)))
    for index, chunk in enumerate(of_chunks):
        hits[:, chunk] = _hits(stats, pairs[chunk], recipe, nth_of(progress, index, len(of_chunks)))
    return p_of_swaps(hits, recipe.n_resamples)


def p_of_swaps(hits: np.ndarray, n: int) -> PValues:
    """Return p from how many of n swaps give the gain of each pair or more to its first and to its second, (2, m)."""
    one_sided, two_sided = (hits[0] + 1) / (n + 1), (hits.sum(axis=0) + 1) / (n + 1)
    # Without a gain, a swap that yields none counts for both.
    return PValues(one_sided=one_sided, two_sided=np.minimum(two_sided, 1.0), n_resamples=n)


def _pairs_at_a_time(stats: Sample) -> int:
    """Return for how many pairs all swaps are scored at a time: for all, unless both outputs have to be sorted."""
    largest = max(part.values.shape[1] for part in stats.test_sets)
    return stats.n_pairs if stats.metric.sample is None else VALUES_AT_A_TIME // max(2 * largest, 1)


def swapped_by(stats: Sample) -> type[SwappedPairs]:
    """Return what counts the hits of these statistics."""
    if stats.metric.sample is not None:
        return SwappedSamples
    ratios = all(isinstance(part.metric.score, Ratio) for part in stats.test_sets)
    return SwappedRatios if ratios else SwappedPairs


def _hits(stats: Sample, pairs: np.ndarray, recipe: Resampling, progress: Progress | None) -> np.ndarray:
    """Count the swaps that give each pair its gain or more, for the first system and for the second, (2, pairs)."""
    swapped = swapped_by(stats)(stats, pairs)
    columns = swapped.strata.columns

    def streams(block: int) -> list[np.random.PCG64]:
        return [swap_stream(recipe, block, *key) for key in swapped.strata.streams]

    def work(pieces: Iterator[Piece]) -> np.ndarray:
        hits = np.zeros((2, len(pairs)), dtype=np.int64)
        for _, generators, rows in pieces:
            hits += swapped.hits([draw_swaps(*own, rows) for own in zip(generators, columns, strict=True)])
        return hits

    runs = over_blocks(recipe, streams, work, piece_rows(columns), progress)
    return np.asarray(sum(runs, np.zeros((2, len(pairs)), dtype=np.int64)))


def swap_stream(recipe: Resampling, block: int, test_set: int = 0, stratum: int = 0) -> np.random.PCG64:
    """Return the random stream of a block's swaps; each test set and stratum has its own (``Resampling.stream``)."""
    if stratum:
        return np.random.PCG64(stream(recipe.seed, Purpose.SWAPS_OF_STRATUM, block, test_set, stratum))
    return np.random.PCG64(stream(recipe.seed, Purpose.SWAPS, block, test_set))


def draw_swaps(stream: np.random.PCG64, columns: np.ndarray, rows: int) -> np.ndarray:
    """Return swaps (rows, units), 0 or 1 with equal probability, in the dtype of the columns (units, any).

    Each row starts with a new 64-bit word, so that rows do not depend on how a block is cut into pieces.
    """
    words = -(-len(columns) // 64)
    raw = stream.random_raw(rows * words).astype("<u8", copy=False).reshape(rows, words)
    return np.unpackbits(raw.view(np.uint8), axis=1, count=len(columns), bitorder="little").astype(columns.dtype)


@compiled()
def swap_totals(
    moved: np.ndarray, column_of: np.ndarray, totals: np.ndarray, pairs: np.ndarray, swapped: np.ndarray
) -> None:
    """Fill ``swapped`` (k, 2, pairs, rows) with the totals of both systems of ``pairs`` (2, pairs) after swaps.

    ``moved`` (columns, rows): sums over the swapped units. ``column_of`` (k, systems): the row of ``moved`` for each
    statistic of each system. ``totals``: (k, systems).
    """
    for column in range(column_of.shape[0]):
        for pair in range(pairs.shape[1]):
            a, b = pairs[0, pair], pairs[1, pair]
            ours, theirs = moved[column_of[column, a]], moved[column_of[column, b]]
            own, other = totals[column, a], totals[column, b]
            for row in range(moved.shape[1]):
                gained = np.float64(theirs[row]) - np.float64(ours[row])
                swapped[column, 0, pair, row] = own + gained
                swapped[column, 1, pair, row] = other - gained


@compiled(error_model="numpy")
def tally_swapped(
    moved: np.ndarray,
    column_of: np.ndarray,
    totals: np.ndarray,
    scales: np.ndarray,
    pairs: np.ndarray,
    limit: np.ndarray,
    hits: np.ndarray,
) -> None:
    """Add to ``hits`` (2, pairs) how many swaps give the first system, and the second, a gain above ``limit`` (pairs,).

    ``moved`` (columns, rows): sums over the swapped units. ``column_of`` (test sets, 2, systems): the rows of ``moved``
    for part and whole of each system's ratio, and ``totals`` of the same shape: their values without swaps. ``scales``
    (test sets,): what a ratio counts in the mean. A whole below 1 counts as 1.
    """
    gains = np.empty(moved.shape[1])
    for pair in range(pairs.shape[1]):
        a, b = pairs[0, pair], pairs[1, pair]
        gains[:] = 0
        for test_set in range(len(scales)):
            (part_a, whole_a), (part_b, whole_b) = column_of[test_set, :, a], column_of[test_set, :, b]
            ours, theirs, our_whole, their_whole = moved[part_a], moved[part_b], moved[whole_a], moved[whole_b]
            (own_part, own_whole), (other_part, other_whole) = totals[test_set, :, a], totals[test_set, :, b]
            scale = scales[test_set]
            if whole_a == whole_b:
                scale /= max(own_whole, 1.0)
                for row in range(moved.shape[1]):
                    part = np.float64(theirs[row] - ours[row])
                    gains[row] += scale * ((own_part + part) - (other_part - part))
                continue
            for row in range(moved.shape[1]):
                part = np.float64(theirs[row] - ours[row])
                whole = np.float64(their_whole[row] - our_whole[row])
                own, other = max(own_whole + whole, 1.0), max(other_whole - whole, 1.0)
                gains[row] += scale * ((own_part + part) * other - (other_part - part) * own) / (own * other)
        by_first = by_second = 0
        for row in range(moved.shape[1]):
            by_first += gains[row] > limit[pair]
            by_second += gains[row] < -limit[pair]
        hits[0, pair] += by_first
        hits[1, pair] += by_second
