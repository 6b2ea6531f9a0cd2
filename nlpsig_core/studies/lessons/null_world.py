"""Null worlds, in which neither system is better: in each unit a coin decides which output belongs to which system."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pandas as pd

from nlpsig_core.significance.paired_tests.bootstrap import run
from nlpsig_core.significance.paired_tests.randomization import BothOutputs, draw_swaps, swap_stream
from nlpsig_core.significance.resampling.blocks import Piece, Progress, nth_of, over_blocks
from nlpsig_core.significance.resampling.bootstrap import observed_gains
from nlpsig_core.significance.resampling.columns import piece_rows
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.streams import Purpose, generator
from nlpsig_core.significance.stats.array import Stats

WORLDS_AT_A_TIME = 100


def swaps(n_units: int, worlds: int, seed: int) -> np.ndarray:
    """Draw whether the two systems swap outputs, (worlds, units); more worlds extend fewer."""
    chunks = []
    for chunk in range(-(-worlds // WORLDS_AT_A_TIME)):
        rng = generator(seed, Purpose.LESSON_SWAPS, 0, chunk)
        chunks.append(rng.random((WORLDS_AT_A_TIME, n_units)) < 0.5)
    return np.asarray(np.vstack(chunks)[:worlds])


def swapped(stats: Stats, swap: np.ndarray) -> Stats:
    """Return the two systems of every world, (2 worlds) systems; ``swap`` is (worlds, units)."""
    swap = stats.entries.spread(swap)[..., None]
    ours, theirs = stats.interchangeable
    first, second = np.where(swap, theirs, ours), np.where(swap, ours, theirs)
    values = np.stack([first, second], axis=1).reshape(-1, *stats.values.shape[1:])
    names = tuple(f"{name} {world}" for world in range(1, len(swap) + 1) for name in ("first", "second"))
    return replace(stats, names=names, values=values, runs=())


def winners_first(stats: Stats) -> np.ndarray:
    """Return the pair of each world's two systems, (worlds, 2), the one with the better score first."""
    first, second = (stats.metric.sign * stats.scores).reshape(-1, 2).T
    other_wins = (first < second).astype(np.intp)
    index = 2 * np.arange(len(first))
    return np.stack([index + other_wins, index + 1 - other_wins], axis=1)


def p_in_worlds(stats: Stats, worlds: int, recipe: Resampling, progress: Progress | None = None) -> pd.DataFrame:
    """Return a row a world: gain_of_first, p_value (the winner's, one-sided) and p_two_sided, by the paired bootstrap.

    All worlds share the resamples of the recipe. In the long run, the two-sided p is below alpha in a share alpha of
    the worlds, and the winner's one-sided p in twice that share, since the winner is chosen after looking.
    """
    tables, swap = [], swaps(stats.n_units, worlds, recipe.seed)
    chunks = range(0, worlds, WORLDS_AT_A_TIME)
    for index, start in enumerate(chunks):
        some = swapped(stats, swap[start : start + WORLDS_AT_A_TIME])
        pairs = winners_first(some)
        p = run(some, pairs, recipe, nth_of(progress, index, len(chunks)))
        gain, _ = observed_gains(some, pairs)
        of_first = np.where(pairs[:, 0] % 2, -gain, gain)
        tables.append(pd.DataFrame({"gain_of_first": of_first, "p_value": p.one_sided, "p_two_sided": p.two_sided}))
    return pd.concat(tables, ignore_index=True)


def swapped_gains(stats: Stats, recipe: Resampling, progress: Progress | None = None) -> np.ndarray:
    """Return the gain of the first system over the second after each swap of the randomization test, (b,)."""
    scores, units = _after_swaps(stats), np.empty((stats.n_units, 1))

    def work(pieces: Iterator[Piece]) -> list[np.ndarray]:
        gains = []
        for _, stream, rows in pieces:
            first, second = scores(draw_swaps(stream, units, rows))
            gains.append(stats.metric.sign * (first - second))
        return gains

    runs = over_blocks(recipe, lambda block: swap_stream(recipe, block), work, piece_rows([units]), progress)
    return np.concatenate([gains for run_of_blocks in runs for gains in run_of_blocks])


def _after_swaps(stats: Stats) -> Callable[[np.ndarray], np.ndarray]:
    """Return the scores of both systems, (2, rows), as a function of swaps (rows, units)."""
    if stats.metric.sample is not None:
        return BothOutputs(stats, np.array([[0, 1]])).scores
    values = stats.values.astype(np.float64)
    totals, move = values.sum(axis=1), values[1] - values[0]

    def scores(swaps: np.ndarray) -> np.ndarray:
        moved = swaps @ move
        return np.stack([stats.metric.score(totals[0] + moved), stats.metric.score(totals[1] - moved)])

    return scores
