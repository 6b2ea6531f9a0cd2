"""Many equally good systems: how many of their pairs come out significant nevertheless."""

from __future__ import annotations

from dataclasses import replace
from math import comb

import numpy as np
import pandas as pd

from nlpsig_core.significance.comparison.notion import holm
from nlpsig_core.significance.paired_tests.bootstrap import run
from nlpsig_core.significance.resampling.blocks import Progress, nth_of
from nlpsig_core.significance.resampling.bootstrap import all_pairs
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.streams import Purpose, generator
from nlpsig_core.significance.stats.array import Stats

SYSTEMS = 20
PAIRS = comb(SYSTEMS, 2)
SETS_AT_A_TIME = 5


def equal_systems(stats: Stats, seed: int, draw: int = 0) -> Stats:
    """Return systems that take the output of each unit from the first or the second of two, as a coin decides.

    None is better than another, so whichever wins does so by luck. ``draw`` numbers the sets of systems.
    """
    rng = generator(seed, Purpose.LESSON_MIX, draw)
    chosen = rng.integers(0, 2, (SYSTEMS, stats.n_units))
    values = stats.interchangeable[stats.entries.spread(chosen), np.arange(stats.values.shape[1])]
    return replace(stats, names=tuple(str(number) for number in range(1, SYSTEMS + 1)), values=values, runs=())


def pairs_of_sets(stats: Stats, recipe: Resampling, draws: int, progress: Progress | None = None) -> pd.DataFrame:
    """Test all pairs of ``draws`` sets of equal systems by the paired bootstrap; return a row a pair, by draw and p.

    Columns draw, system_a (the winner), system_b, p_two_sided, p_holm, adjusted within each set. All sets share the
    resamples of the recipe.
    """
    tables = []
    chunks = range(0, draws, SETS_AT_A_TIME)
    for index, start in enumerate(chunks):
        numbers = range(start, min(start + SETS_AT_A_TIME, draws))
        tables += _tested(stats, recipe, numbers, nth_of(progress, index, len(chunks)))
    return pd.concat(tables, ignore_index=True)


def _tested(stats: Stats, recipe: Resampling, numbers: range, progress: Progress | None) -> list[pd.DataFrame]:
    sets = [equal_systems(stats, recipe.seed, draw) for draw in numbers]
    names = tuple(name for one_set in sets for name in one_set.names)
    together = replace(sets[0], names=names, values=np.concatenate([each.values for each in sets]), runs=())
    inside = [all_pairs(stats.metric.sign * one_set.scores) for one_set in sets]
    p = run(together, np.vstack([pairs + SYSTEMS * index for index, pairs in enumerate(inside)]), recipe, progress)
    tables = []
    for index, (draw, pairs) in enumerate(zip(numbers, inside, strict=True)):
        own = slice(index * PAIRS, (index + 1) * PAIRS)
        columns = {"draw": draw, "system_a": pairs[:, 0] + 1, "system_b": pairs[:, 1] + 1}
        columns |= {"p_two_sided": p.two_sided[own], "p_holm": holm(p.never_zero[1][own])}
        order = np.lexsort((p.one_sided[own], p.two_sided[own]))
        tables.append(pd.DataFrame(columns).iloc[order])
    return tables


def false_alarms(tables: pd.DataFrame, alpha: float) -> pd.DataFrame:
    """Count the significant pairs of each set: columns p_two_sided and p_holm, a row a draw."""
    return (tables[["p_two_sided", "p_holm"]] < alpha).groupby(tables["draw"]).sum()
