"""The scores of all systems in every resample, block by block, on several threads."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from itertools import islice
from typing import Any, TypeVar

import numpy as np

from nlpsig_core.base.runtime import available_cores, one_blas_thread
from nlpsig_core.significance.resampling.columns import Strata, piece_rows
from nlpsig_core.significance.resampling.kernels import draw
from nlpsig_core.significance.resampling.recipe import BLOCK, Resampling
from nlpsig_core.significance.resampling.runs import RunDraws
from nlpsig_core.significance.stats.array import Sample

Progress = Callable[[int, int], None]
Result = TypeVar("Result")
Piece = tuple[int, Any, int]
# Seconds after which progress is told at the latest, so that a long chunk can be cancelled.
TICK = 0.1
# Streams are made for so many blocks at a time: between two products, which empty the caches of a core, one takes five
# times as long.
AT_ONCE = 16
# As many pieces are computed at a time as there are cores, however many computations there are: with more, the threads
# of pages would wait for the interpreter's lock while whoever holds it waits for a core.
_CORES = threading.BoundedSemaphore(available_cores())


def over_resamples(
    stats: Sample,
    recipe: Resampling,
    start: Callable[[], Result],
    add: Callable[[Result, np.ndarray, int], None],
    progress: Progress | None = None,
    threads: int | None = None,
) -> Iterator[Result]:
    """Yield one result for each chunk of blocks, in order: ``start()``, then ``add(result, scores, block)``.

    ``scores`` (systems, rows) holds every system's score in resamples of one block, or of a piece of it if the test
    set is large. It is the mean over the system's runs, which are resampled too, and over test sets, each resampled
    on its own (units they share together, ``Stratum``). Progress, threads and memory as in ``over_blocks``.
    """
    strata, runs = Strata(stats), RunDraws(stats)
    largest = piece_rows(strata.columns)

    def streams(block: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
        of_runs = [recipe.run_stream(block, key) for key in runs.keys]
        return [recipe.stream(block, *key) for key in strata.streams], of_runs

    def work(pieces: Iterator[Piece]) -> Result:
        result = start()
        counts = [np.empty((largest, len(columns)), dtype=columns.dtype) for columns in strata.columns]
        for block, (of_units, of_runs), rows in pieces:
            for state, drawn in zip(of_units, counts, strict=True):
                draw(state, drawn[:rows])
            scores = strata.mean_scores([drawn[:rows] for drawn in counts])
            runs.add(of_runs, scores)
            add(result, scores, block)
        return result

    yield from over_blocks(recipe, streams, work, largest, progress, threads)


def over_blocks(
    recipe: Resampling,
    streams: Callable[[int], Any],
    work: Callable[[Iterator[Piece]], Result],
    largest: int = BLOCK,
    progress: Progress | None = None,
    threads: int | None = None,
) -> Iterator[Result]:
    """Yield the result of ``work(pieces)`` for each chunk of blocks, in order, on several threads.

    A piece is the block's number, its random streams (``streams(block)``, which all pieces of a block share and
    advance) and the number of rows to draw, at most ``largest``. ``progress(done, of)`` receives resamples, ``TICK``
    seconds apart at most. It may raise to cancel, and all threads pause as long as it does not return. Memory depends
    on what ``work`` holds, not on the number of resamples.
    """
    stopped, going = threading.Event(), threading.Event()
    going.set()

    def tell(done: int) -> None:
        if progress:
            going.clear()
            progress(done, recipe.n_resamples)
            going.set()

    def ahead(chunk: range) -> Iterator[tuple[int, Any]]:
        for start in range(0, len(chunk), AT_ONCE):
            yield from [(block, streams(block)) for block in chunk[start : start + AT_ONCE]]

    def pieces(chunk: range) -> Generator[Piece]:
        for block, of_block in ahead(chunk):
            rows = recipe.rows(block)
            for done in range(0, rows, largest):
                going.wait()
                if stopped.is_set():
                    return
                with _CORES:
                    yield block, of_block, min(largest, rows - done)

    def result_of(chunk: range) -> Result:
        with closing(pieces(chunk)) as of_blocks:  # an error in the work does not keep a core
            return work(of_blocks)

    with one_blas_thread(), ThreadPoolExecutor(threads or available_cores()) as pool:
        try:
            yield from _in_order(pool, result_of, recipe, tell)
        finally:
            stopped.set()
            going.set()


def resampled_scores(
    stats: Sample, recipe: Resampling, progress: Progress | None = None, threads: int | None = None
) -> np.ndarray:
    """Return the score of every system in every resample, (systems, b); for few systems or few resamples."""
    parts: list[np.ndarray] = []

    def add(of_chunk: list[np.ndarray], scores: np.ndarray, block: int) -> None:
        of_chunk.append(scores)

    for of_chunk in over_resamples(stats, recipe, list, add, progress, threads):
        parts += of_chunk
    return np.hstack(parts)


def nth_of(progress: Progress | None, index: int, jobs: int) -> Progress | None:
    """Return the progress of one of several equal jobs, as progress of all of them."""
    return progress and (lambda done, of: progress(index * of + done, jobs * of))


def _in_order(
    pool: ThreadPoolExecutor, work: Callable[[range], Result], recipe: Resampling, tell: Callable[[int], None]
) -> Iterator[Result]:
    """Yield results in the order of the chunks, with few of them waiting at any time."""
    waiting: deque[tuple[int, Future[Result]]] = deque()
    done, chunks = 0, iter(recipe.chunks())
    while True:
        for chunk in islice(chunks, 2 * available_cores() + 1 - len(waiting)):
            waiting.append((sum(map(recipe.rows, chunk)), pool.submit(work, chunk)))
        if not waiting:
            return
        rows, future = waiting.popleft()
        while wait([future], TICK).not_done:
            tell(done)
        yield future.result()
        done += rows
        tell(done)
