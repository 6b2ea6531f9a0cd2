"""Resampling: the recipe, and the scores of all systems in every resample, block by block."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from nlpsig_core.errors import ChoiceError
from nlpsig_core.runs import RunDraws
from nlpsig_core.runtime import available_cores
from nlpsig_core.stats.array import MacroStats, Stats

BLOCK = 1_000
# Work is handed to threads in runs of blocks; how many depends on the recipe alone, so that sums of floats
# are added in one order whatever the number of threads.
RUNS = 64
COUNT_BYTES = 64_000_000
EXACT_IN_FLOAT32 = 2**24
# A third word of the key sets the streams of further strata, and those of runs, apart from those of resamples.
STRATA, OF_RUNS = 2, 3

Progress = Callable[[int, int], None]
Result = TypeVar("Result")
Piece = tuple[int, Any, int]


@dataclass(frozen=True)
class Resampling:
    """The recipe of a bootstrap: how many resamples, from which seed, of which unit.

    Resamples are made in blocks of ``BLOCK``; block i has its own stream of random numbers,
    ``SeedSequence(seed, spawn_key=(i,))``. All systems share every resample. Of a system with several runs, these are
    drawn as well, from a stream of its own (``RunDraws``).
    """

    n_resamples: int = 1_000_000
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.n_resamples <= 10**9:
            raise ChoiceError(f"{self.n_resamples:,} resamples; choose between 1 and 1,000,000,000")
        if self.seed < 0:
            raise ChoiceError(f"The seed {self.seed} is negative; choose 0 or more")

    def runs(self) -> Iterator[range]:
        """The numbers of all blocks, in runs of neighbouring ones."""
        n_blocks = -(-self.n_resamples // BLOCK)
        length = -(-n_blocks // RUNS)
        for start in range(0, n_blocks, length):
            yield range(start, min(start + length, n_blocks))

    def rows(self, block: int) -> int:
        """How many resamples a block holds: BLOCK, the last one what is left."""
        return min(BLOCK, self.n_resamples - block * BLOCK)

    def stream(self, block: int, part: int = 0, stratum: int = 0) -> np.ndarray:
        """The state (4,) of the random numbers of a block; each part (test set) but the first has its own.

        So has each stratum of units whose first test set it is, but the first one.
        """
        key = (block, part, STRATA, stratum) if stratum else (block, part) if part else (block,)
        return self._state(key)

    def run_stream(self, block: int, system: int) -> np.ndarray:
        """The state (4,) of the random numbers that draw the runs of a system (``RunDraws.keys``) in a block."""
        return self._state((block, 0, OF_RUNS, system))

    def _state(self, key: tuple[int, ...]) -> np.ndarray:
        return np.random.SeedSequence(self.seed, spawn_key=key).generate_state(4, np.uint64)


class DistinctColumns:
    """The distinct columns of statistics side by side, (units, columns), and where each output's are.

    Gold counts are shared and duplicate systems cost nothing. float32 where statistics are whole numbers and
    every sum a resample can have stays below 2^24, since then it is exact; else float64.
    """

    def __init__(self, stats: Stats) -> None:
        rows = stats.values.transpose(2, 0, 1).reshape(-1, stats.n_units)
        places: dict[bytes, int] = {}
        place = [places.setdefault(np.ascontiguousarray(row).tobytes(), len(places)) for row in rows]
        _, first = np.unique(place, return_index=True)
        largest = float(np.abs(rows).max(initial=0)) * stats.n_units
        whole = np.issubdtype(rows.dtype, np.integer)
        self.dtype = np.float32 if whole and largest < EXACT_IN_FLOAT32 else np.float64
        self.columns = np.ascontiguousarray(rows[first].T, dtype=self.dtype)
        self.place = np.array(place).reshape(stats.values.shape[2], len(stats.values))
        self.score, self.over_runs = stats.metric.score, stats.over_runs

    def totals(self, counts: np.ndarray) -> np.ndarray:
        """Sums of each distinct column, (columns, rows), from how often each unit counts in each row."""
        return np.ascontiguousarray((counts @ self.columns).T)

    def scores(self, counts: np.ndarray) -> np.ndarray:
        """The score of each system in each resample, (systems, rows), from how often each unit is drawn."""
        return self.scores_of(self.totals(counts))

    def scores_of(self, totals: np.ndarray) -> np.ndarray:
        """The score of each system, the mean over its runs, (systems, rows), from totals (columns, rows)."""
        of_outputs = totals[self.place].astype(np.float64)
        return self.over_runs(self.score(np.moveaxis(of_outputs, 0, -1)))


class Strata:
    """The distinct columns of every test set (``matrices``) and of every stratum of units that are drawn together."""

    def __init__(self, stats: Stats | MacroStats) -> None:
        self.matrices = [DistinctColumns(part) for part in stats.parts]
        # What is drawn of each stratum has the type of its widest columns.
        self.columns: list[np.ndarray] = []
        self.streams: list[tuple[int, int]] = []
        self.of_part: list[list[tuple[int, np.ndarray]]] = [[] for _ in stats.parts]
        for number, stratum in enumerate(stats.strata):
            first = next(iter(stratum.places))
            self.streams.append((first, sum(part == first for part, _ in self.streams)))
            for part, places in stratum.places.items():
                columns = self.matrices[part].columns
                in_order = np.array_equal(places, np.arange(len(columns)))
                self.of_part[part].append((number, columns if in_order else columns[places]))
            self.columns.append(max((self.of_part[part][-1][1] for part in stratum.places), key=lambda of: of.itemsize))

    def totals(self, counts: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Sums of each distinct column of each test set, (columns, rows), from how often units count.

        ``counts`` are (rows, units) of each stratum.
        """
        found = []
        for of_part in self.of_part:
            sums = [counts[number] @ columns for number, columns in of_part]
            found.append(np.ascontiguousarray(sum(sums[1:], sums[0]).T))
        return found

    def mean_scores(self, counts: Sequence[np.ndarray]) -> np.ndarray:
        """The score of each system in each resample, the mean over the test sets, (systems, rows)."""
        each = [matrix.scores_of(of_part) for matrix, of_part in zip(self.matrices, self.totals(counts), strict=True)]
        return each[0] if len(each) == 1 else sum((of_part / len(each) for of_part in each), np.zeros(()))


def over_resamples(
    stats: Stats | MacroStats,
    recipe: Resampling,
    start: Callable[[], Result],
    add: Callable[[Result, np.ndarray, int], None],
    progress: Progress | None = None,
    threads: int | None = None,
) -> Iterator[Result]:
    """One result for each run of blocks, in order: ``start()``, then ``add(result, scores, block)``.

    ``scores`` is (systems, rows), the metric of every system in resamples of one block (at most; a large
    test set is given in pieces), the mean over its runs, which are drawn as well; of several test sets, each resampled
    within itself (units of several ones together, ``Stratum``), the mean.
    Progress, threads and memory are as ``over_blocks`` says.
    """
    from nlpsig_core.kernels import draw

    strata, runs = Strata(stats), RunDraws(stats)
    largest = piece_rows(strata.columns)

    def streams(block: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
        of_runs = [recipe.run_stream(block, key) for key in runs.keys]
        return [recipe.stream(block, *key) for key in strata.streams], of_runs

    def work(pieces: Iterator[Piece]) -> Result:
        result = start()
        counts = [np.empty((largest, len(columns)), dtype=columns.dtype) for columns in strata.columns]
        for block, (of_units, of_runs), rows in pieces:
            for state, of_stratum in zip(of_units, counts, strict=True):
                draw(state, of_stratum[:rows])
            scores = strata.mean_scores([of_stratum[:rows] for of_stratum in counts])
            runs.add(of_runs, scores)
            add(result, scores, block)
        return result

    yield from over_blocks(recipe, streams, work, largest, progress, threads)


def piece_rows(columns: Sequence[np.ndarray]) -> int:
    """How many rows of random numbers are held at a time for strata of units with these columns (units, any)."""
    return max(1, min(BLOCK, *(COUNT_BYTES // of_part[:, :1].nbytes for of_part in columns)))


def over_blocks(
    recipe: Resampling,
    streams: Callable[[int], Any],
    work: Callable[[Iterator[Piece]], Result],
    largest: int = BLOCK,
    progress: Progress | None = None,
    threads: int | None = None,
) -> Iterator[Result]:
    """What ``work(pieces)`` gives for each run of blocks, in order, on several threads.

    A piece is the block's number, its random streams (``streams(block)``; those of all pieces of a block are the
    same and move on) and how many rows of it to draw, ``largest`` at most. ``progress(done, of)`` is told
    resamples; what it raises ends the work. Memory is bounded by what work holds, not by the number of resamples.
    """
    stopped = threading.Event()

    def pieces(run: range) -> Iterator[Piece]:
        for block in run:
            of_block, rows = streams(block), recipe.rows(block)
            for done in range(0, rows, largest):
                if stopped.is_set():
                    return
                yield block, of_block, min(largest, rows - done)

    with one_blas_thread(), ThreadPoolExecutor(threads or available_cores()) as pool:
        try:
            yield from _in_order(pool, lambda run: work(pieces(run)), recipe, progress)
        finally:
            stopped.set()


def resampled_scores(
    stats: Stats | MacroStats, recipe: Resampling, progress: Progress | None = None, threads: int | None = None
) -> np.ndarray:
    """The score of every system in every resample, (systems, b): for few systems or few resamples."""
    found: list[np.ndarray] = []

    def add(scores_of_run: list[np.ndarray], scores: np.ndarray, block: int) -> None:
        scores_of_run.append(scores)

    for scores_of_run in over_resamples(stats, recipe, list, add, progress, threads):
        found += scores_of_run
    return np.hstack(found)


def nth_of(progress: Progress | None, place: int, runs: int) -> Progress | None:
    """What one of several equal runs is to tell, so that the whole is told."""
    return progress and (lambda done, of: progress(place * of + done, runs * of))


def _in_order(pool: ThreadPoolExecutor, work, recipe: Resampling, progress: Progress | None):
    """Results in the order of the runs, with few of them waiting at any time."""
    waiting: deque[tuple[int, Future]] = deque()
    done = 0
    for run in recipe.runs():
        waiting.append((sum(map(recipe.rows, run)), pool.submit(work, run)))
        if len(waiting) > 2 * available_cores():
            done += yield from _next(waiting)
            if progress:
                progress(done, recipe.n_resamples)
    while waiting:
        done += yield from _next(waiting)
        if progress:
            progress(done, recipe.n_resamples)


def _next(waiting: deque[tuple[int, Future]]):
    rows, future = waiting.popleft()
    yield future.result()
    return rows


class _BlasLimit:
    """Counts who wants BLAS on one thread, since its limit belongs to the whole process."""

    def __init__(self) -> None:
        self.lock, self.users = threading.Lock(), 0

    @contextmanager
    def __call__(self) -> Iterator[None]:
        from threadpoolctl import threadpool_limits

        with self.lock:
            if self.users == 0:
                self.limits = threadpool_limits(1, user_api="blas")
            self.users += 1
        try:
            yield
        finally:
            with self.lock:
                self.users -= 1
                if self.users == 0:
                    self.limits.restore_original_limits()


one_blas_thread = _BlasLimit()
