"""Many equally good systems: how many of their pairs come out significant nevertheless."""

from __future__ import annotations

from math import comb

import numpy as np
import pandas as pd

from nlpsig_core.significance.comparison.notion import benjamini_hochberg, holm
from nlpsig_core.significance.paired_tests.bootstrap import run
from nlpsig_core.significance.resampling.blocks import Progress, nth_of
from nlpsig_core.significance.resampling.bootstrap import all_pairs
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.streams import Purpose, generator
from nlpsig_core.significance.stats.array import Stats

SYSTEMS = 20
SETS_AT_A_TIME = 5
ONE_SIDED, TWO_SIDED, HOLM, BH = "one-sided", "two-sided", "Holm", "Benjamini-Hochberg"
# The p compared with alpha; the last two adjust the two-sided p for the number of pairs.
READINGS = (ONE_SIDED, TWO_SIDED, HOLM, BH)


def equal_systems(stats: Stats, seed: int, draw: int = 0, systems: int = SYSTEMS) -> Stats:
    """Systems that take the output of each unit from the first or the second of two systems, as a coin decides.

    None is better than another, so that whichever wins does so by luck. ``draw`` numbers the sets of systems.
    """
    rng = generator(seed, Purpose.LESSON_MIX, draw)
    chosen = rng.integers(0, 2, (systems, stats.n_units))
    values = stats.values[chosen, np.arange(stats.n_units)]
    return Stats(tuple(str(number) for number in range(1, systems + 1)), values, stats.metric, unit=stats.unit)


def pairs_of_sets(
    stats: Stats, recipe: Resampling, draws: int = 1, first_draw: int = 0, systems: int = SYSTEMS,
    progress: Progress | None = None,
) -> pd.DataFrame:  # fmt: skip
    """All pairs of ``draws`` sets of equal systems by the paired bootstrap: a row a pair, by draw and two-sided p.

    Columns draw, system_a (the winner), system_b, p_value, p_two_sided, p_holm, p_bh, adjusted within each set. All
    sets share the resamples of the recipe.
    """
    tables = []
    chunks = range(first_draw, first_draw + draws, SETS_AT_A_TIME)
    for index, start in enumerate(chunks):
        numbers = range(start, min(start + SETS_AT_A_TIME, first_draw + draws))
        tables += _tested(stats, recipe, numbers, systems, nth_of(progress, index, len(chunks)))
    return pd.concat(tables, ignore_index=True)


def _tested(
    stats: Stats, recipe: Resampling, numbers: range, systems: int, progress: Progress | None
) -> list[pd.DataFrame]:
    sets = [equal_systems(stats, recipe.seed, draw, systems) for draw in numbers]
    names = tuple(name for test_set in sets for name in test_set.names)
    values = np.concatenate([test_set.values for test_set in sets])
    together = Stats(names, values, stats.metric, unit=stats.unit)
    inside = [all_pairs(stats.metric.sign * test_set.scores) for test_set in sets]
    p = run(together, np.vstack([pairs + systems * index for index, pairs in enumerate(inside)]), recipe, progress)
    tables = []
    for index, (draw, pairs) in enumerate(zip(numbers, inside, strict=True)):
        own = slice(index * comb(systems, 2), (index + 1) * comb(systems, 2))
        columns = {"draw": draw, "system_a": pairs[:, 0] + 1, "system_b": pairs[:, 1] + 1}
        columns |= {"p_value": p.one_sided[own], "p_two_sided": p.two_sided[own]}
        columns |= {"p_holm": holm(p.two_sided[own]), "p_bh": benjamini_hochberg(p.two_sided[own])}
        tables.append(pd.DataFrame(columns).sort_values(["p_two_sided", "p_value"], kind="stable"))
    return tables


def false_alarms(tables: pd.DataFrame, alpha: float) -> pd.DataFrame:
    """The number of significant pairs of each set: draw, then a column for each of READINGS."""
    columns = dict(zip(("p_value", "p_two_sided", "p_holm", "p_bh"), READINGS, strict=True))
    below = (tables[list(columns)] < alpha).rename(columns=columns)
    return below.groupby(tables["draw"]).sum().reset_index()


def alarms_by_system(tables: pd.DataFrame, alpha: float) -> pd.DataFrame:
    """The number of two-sided false alarms of each system of each set, most first: draw, system, won, lost.

    Systems without any are left out. A pair shares a system with 2 (systems - 2) others, so alarms come in clusters.
    """
    alarms = tables[tables["p_two_sided"] < alpha]
    sides = [
        alarms[["draw", side]].rename(columns={side: "system"}).assign(won=side == "system_a", lost=side == "system_b")
        for side in ("system_a", "system_b")
    ]
    counts = pd.concat(sides).groupby(["draw", "system"], as_index=False)[["won", "lost"]].sum()
    most_first = (-(counts["won"] + counts["lost"])).argsort(kind="stable")
    return counts.iloc[most_first].sort_values("draw", kind="stable").reset_index(drop=True)


def spread_of_counts(counts: np.ndarray, pairs: int) -> tuple[float, float]:
    """The standard deviation of the number of false alarms between sets, and that for independent pairs.

    The second is that of the binomial distribution with the same mean, sqrt(pairs q (1 - q)) with q = mean / pairs.
    """
    share = float(counts.mean()) / pairs
    return float(counts.std(ddof=1)), float(np.sqrt(pairs * share * (1 - share)))


def limits(pairs: int, alpha: float) -> pd.DataFrame:
    """The limits of the sorted two-sided p of ``pairs`` pairs: rank, expected, alpha, Holm, Benjamini-Hochberg.

    ``expected`` is the mean p of the rank among independent pairs that do not differ. By Holm's rule, pairs are
    significant from the first rank on as long as p is below its limit; by Benjamini and Hochberg's, up to the last rank
    whose p is below its limit.
    """
    rank = np.arange(1, pairs + 1)
    return pd.DataFrame(
        {
            "rank": rank,
            "expected": rank / (pairs + 1),
            "alpha": alpha,
            HOLM: alpha / (pairs + 1 - rank),
            BH: alpha * rank / pairs,
        }
    )
