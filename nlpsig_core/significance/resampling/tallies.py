"""What the bootstrap counts of every pair of systems, over all blocks of resamples or some of them."""

from __future__ import annotations

from dataclasses import dataclass
from threading import get_ident
from typing import ClassVar

import numpy as np

from nlpsig_core.significance.resampling.blocks import Progress, over_resamples
from nlpsig_core.significance.resampling.kernels import bin_gains, tally
from nlpsig_core.significance.resampling.parts import add_to
from nlpsig_core.significance.resampling.recipe import BLOCK, Resampling
from nlpsig_core.significance.stats.array import Sample

# Percentile intervals use histograms of the first resamples: 256 bins of 1/20 standard error.
BINNED_RESAMPLES = 100_000
N_BINS, BIN_WIDTH = 256, 0.05
# Each histogram takes so many resamples at a time.
BINNED_AT_ONCE = 4 * BLOCK
# Above this number of rows, the extremes of bins are single precision, to save memory.
MANY_ROWS = 5_000
Tallies = dict[str, np.ndarray]


@dataclass(frozen=True, eq=False, kw_only=True)
class Tallying:
    """What is counted: pairs (m, 2) of systems with observed gains and ties (m,), and where histograms start.

    ``low`` and ``width`` (m + systems,) are those of ``bootstrap.Bootstrap``.
    """

    stats: Sample
    pairs: np.ndarray
    gain: np.ndarray
    tie: np.ndarray
    low: np.ndarray
    width: np.ndarray

    name: ClassVar[str] = "bootstrap"

    def none(self, recipe: Resampling) -> Tallies:
        """Return the tallies before anything is counted; without histograms if they do not use these blocks."""
        binned = next(recipe.chunks()).start * BLOCK < BINNED_RESAMPLES
        return self.no_hits() | (self.no_bins() if binned else {})

    def no_hits(self) -> Tallies:
        """Return hits (m,) of resamples above and below, and sums and products (systems,) of centred scores, all 0."""
        n, m = self.stats.n_systems, len(self.pairs)
        above, below = np.zeros((2, m), dtype=np.int64)
        return {"above": above, "below": below, "sums": np.zeros(n), "products": np.zeros((n, n))}

    def no_bins(self) -> Tallies:
        """Return empty histograms (m + systems, N_BINS): counts, and the smallest and largest gain in each bin."""
        shape = (len(self.low), N_BINS)
        least = np.full(shape, np.inf, dtype=type_of_extremes(len(self.low)))
        return {"bins": np.zeros(shape, dtype=np.int32), "least": least, "most": -least}


def type_of_extremes(rows: int) -> np.dtype:
    """Return the type of the extremes of bins, for this number of histograms."""
    return np.dtype(np.float64 if rows <= MANY_ROWS else np.float32)


def pairs_and_systems(pairs: np.ndarray, n_systems: int) -> np.ndarray:
    """Return pairs (m, 2), then each system paired with a last one, (m + systems, 2), whose scores are ``with_zeros``.

    Each system's score is thus a gain.
    """
    systems = np.arange(n_systems)
    return np.concatenate([pairs, np.stack([systems, np.full_like(systems, n_systems)], axis=1)])


def with_zeros(scores: np.ndarray) -> np.ndarray:
    """Return scores (systems, rows) and those of a last system, which are 0, (systems + 1, rows)."""
    return np.vstack([scores, np.zeros(scores.shape[1])])


def tallied(
    counting: Tallying,
    recipe: Resampling,
    progress: Progress | None = None,
    threads: int | None = 1,
    kept: dict[int, list[np.ndarray]] | None = None,
) -> Tallies:
    """Return the tallies of the recipe's blocks; ``kept`` receives the scores of all resamples by block.

    Progress, threads and memory as in ``blocks.over_blocks``.
    """
    sign = counting.stats.metric.sign
    observed, limits = sign * counting.stats.scores, (2 * counting.gain + counting.tie, -counting.tie)
    pairs = np.ascontiguousarray(counting.pairs.T)
    # One for each thread, not for each chunk of blocks: counts and extremes are the same in any order.
    of_threads: dict[int, _Histograms] = {}

    def add(tallies: Tallies, scores: np.ndarray, block: int) -> None:
        if kept is not None:
            kept.setdefault(block, []).append(scores)
        scores = -scores if sign < 0 else scores
        tally(scores, pairs, limits, (tallies["above"], tallies["below"]))
        centred = scores - observed[:, None]
        tallies["sums"] += centred.sum(axis=1)
        tallies["products"] += centred @ centred.T
        if block * BLOCK < BINNED_RESAMPLES:
            thread = get_ident()
            histograms = of_threads[thread] = of_threads.get(thread) or _Histograms(counting)
            histograms.add(scores)

    total = counting.none(recipe)
    for part in over_resamples(counting.stats, recipe, counting.no_hits, add, progress, threads):
        add_to(total, part)
    for histograms in of_threads.values():
        add_to(total, histograms.counted())
    return total


class _Histograms:
    """The histograms of one thread. They exceed its caches, so it adds several blocks at a time to each."""

    def __init__(self, counting: Tallying) -> None:
        pairs = pairs_and_systems(counting.pairs, counting.stats.n_systems)
        self._tallies = counting.no_bins()
        self._where = np.ascontiguousarray(pairs.T), counting.low, counting.width, *self._tallies.values()
        self._waiting: list[np.ndarray] = []

    def add(self, scores: np.ndarray) -> None:
        """Add the resamples with these scores (systems, rows), now or later."""
        self._waiting.append(scores)
        if sum(scores.shape[1] for scores in self._waiting) >= BINNED_AT_ONCE:
            self.counted()

    def counted(self) -> Tallies:
        """Return the histograms of all that was added."""
        if self._waiting:
            bin_gains(with_zeros(np.hstack(self._waiting)), *self._where)
            self._waiting.clear()
        return self._tallies
