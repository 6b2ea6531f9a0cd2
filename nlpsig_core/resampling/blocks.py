"""Resampling: the recipe, and the scores of all systems in every resample, block by block."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np

from nlpsig_core.resampling.columns import Strata, piece_rows
from nlpsig_core.resampling.recipe import BLOCK, Resampling
from nlpsig_core.resampling.runs import RunDraws
from nlpsig_core.runtime import available_cores, one_blas_thread
from nlpsig_core.stats.sample import Sample

Progress = Callable[[int, int], None]
Result = TypeVar("Result")
Piece = tuple[int, Any, int]


def over_resamples(
    stats: Sample,
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
    from nlpsig_core.resampling.kernels import draw

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
    stats: Sample, recipe: Resampling, progress: Progress | None = None, threads: int | None = None
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
