"""Approximate randomization: what the gain would be if it were chance which system wrote which output."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from nlpsig_core.paired_tests.base import PValues, chunks
from nlpsig_core.resampling.blocks import Piece, Progress, over_blocks
from nlpsig_core.resampling.bootstrap import observed_gains
from nlpsig_core.resampling.columns import Strata, piece_rows
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.resampling.streams import Purpose, stream
from nlpsig_core.stats.sample import Sample

# So many swapped totals are worked on at a time: fewer leave the threads waiting for Python, more leave the caches.
TOTALS_AT_A_TIME = 300_000


class SwappedPairs:
    """The corpus scores of pairs of systems whose statistics are swapped in some of the units.

    All pairs share the swaps: their sums over the swapped units come from one matrix product.
    """

    def __init__(self, stats: Sample, pairs: np.ndarray) -> None:
        self.parts = stats.test_sets
        self.pairs = pairs
        self.sign = stats.metric.sign
        self.strata = Strata(stats)
        self.matrices = self.strata.matrices
        gain, tie = observed_gains(stats, pairs)
        # One step of floats lower, so that more than the limit is as much as the gain, be it 0.
        self.limit = np.nextafter(gain - tie, -np.inf)

    def hits(self, swaps: Sequence[np.ndarray]) -> np.ndarray:
        """How many rows of swaps give each pair its gain or more, (2, pairs); swaps are (rows, units) of each stratum.

        First those where the first system has it, then those where the second has.
        """
        from nlpsig_core.resampling.kernels import tally

        found = np.zeros((2, len(self.pairs)), dtype=np.int64)
        moved = self.strata.totals(swaps)
        columns, rows = max(len(matrix.index) for matrix in self.matrices), len(swaps[0])
        size = max(1, TOTALS_AT_A_TIME // (2 * columns * rows))
        buffer = np.empty(columns * 2 * size * rows)
        for chunk in chunks(len(self.pairs), size):
            pairs = np.ascontiguousarray(self.pairs[chunk].T)
            total = sum(self._scores(part, moved[part], pairs, buffer) for part in range(len(moved)))
            scores = np.asarray(total / len(moved))
            first = np.arange(pairs.shape[1])
            limit = self.limit[chunk]
            tally(self.sign * scores, first, first + len(first), limit, -limit, *found[:, chunk])
        return found

    def _scores(self, part: int, moved: np.ndarray, pairs: np.ndarray, buffer: np.ndarray) -> np.ndarray:
        """Scores (2 * pairs, rows) on one test set of the first systems of some pairs (2, m), then of the second."""
        from nlpsig_core.paired_tests.kernels import swap_totals

        matrix, totals = self.matrices[part], self.parts[part].totals
        shape = (len(matrix.index), 2, pairs.shape[1], moved.shape[1])
        swapped = buffer[: np.prod(shape)].reshape(shape)
        swap_totals(moved, matrix.index, totals, pairs[0], pairs[1], swapped)
        return matrix.score(np.moveaxis(swapped.reshape(len(swapped), -1, moved.shape[1]), 0, -1))


def run(stats: Sample, pairs: np.ndarray, recipe: Resampling, progress: Progress | None = None) -> PValues:
    """p of each pair: how often swapped outputs differ as much as the real ones; of several test sets, in their mean.

    (hits + 1) / (b + 1), since the real outputs are one of the possible swaps.
    """
    swapped = SwappedPairs(stats, pairs)
    columns = swapped.strata.columns

    def streams(block: int) -> list[np.random.PCG64]:
        return [swap_stream(recipe, block, *key) for key in swapped.strata.streams]

    def work(pieces: Iterator[Piece]) -> np.ndarray:
        hits = np.zeros((2, len(pairs)), dtype=np.int64)
        for _, generators, rows in pieces:
            hits += swapped.hits([draw_swaps(*own, rows) for own in zip(generators, columns, strict=True)])
        return hits

    runs = over_blocks(recipe, streams, work, piece_rows(columns), progress)
    by_first, by_second = sum(runs, np.zeros((2, len(pairs)), dtype=np.int64))
    of = recipe.n_resamples + 1
    # Where there is no gain a swap without one counts for both systems.
    return PValues((by_first + 1) / of, np.minimum((by_first + by_second + 1) / of, 1.0), recipe.n_resamples)


def swap_stream(recipe: Resampling, block: int, part: int = 0, stratum: int = 0) -> np.random.PCG64:
    """The random numbers of the swaps of a block; each part (test set) has its own, as ``Resampling.stream``."""
    if stratum:
        return np.random.PCG64(stream(recipe.seed, Purpose.SWAPS_OF_STRATUM, block, part, stratum))
    return np.random.PCG64(stream(recipe.seed, Purpose.SWAPS, block, part))


def draw_swaps(stream: np.random.PCG64, columns: np.ndarray, rows: int) -> np.ndarray:
    """Swaps (rows, units) of 0 and 1 with even chances, in the type of the columns (units, any).

    A row starts with a new word of 64 bits, so that rows are the same however a block is cut into pieces.
    """
    words = -(-len(columns) // 64)
    raw = stream.random_raw(rows * words).astype("<u8", copy=False).reshape(rows, words)
    return np.unpackbits(raw.view(np.uint8), axis=1, count=len(columns), bitorder="little").astype(columns.dtype)
