"""Many systems at once: false alarms among all pairs, false discoveries, and rank ranges that miss the true rank."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from benchmarks.validation.rows import Cell, Effort, Row, stream
from benchmarks.validation.worlds import means
from nlpsig_core.significance.comparison.notion import BH, BY, CORRECTED, HOLM, MAX_T, Notion
from nlpsig_core.significance.comparison.pair_table import decide, small_sample
from nlpsig_core.significance.comparison.ranking import ranking
from nlpsig_core.significance.paired_tests import p_of_result
from nlpsig_core.significance.paired_tests.max_t import max_t
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats

SECTION, LEVEL = "many systems", 0.05
# Systems, share of all worlds, resamples: Holm over 190 pairs needs at least 3,800.
FAMILIES = ((8, 0.1, 2_000), (20, 0.03, 10_000))
# Systems of known quality come in equal twos; neighbouring twos are STEP standard errors apart.
STEP, ALIKE = 2.0, 1e-6
ANY, MISSED, FALSE = "any false alarm", "some rank range misses the rank", "share of discoveries that are false"


def family(rng: np.random.Generator, systems: int, n: int, quality: np.ndarray) -> Stats:
    """Return unit scores of systems whose qualities are in standard errors of a gain.

    The errors of the first half of the systems correlate.
    """
    shared = rng.standard_normal((n, 1)) + rng.standard_normal((n, 1)) * (np.arange(systems) < systems / 2)
    scores = shared + rng.standard_normal((n, systems)) + quality * np.sqrt(2 / n)
    return means(scores.T[None])


def qualities(systems: int) -> np.ndarray:
    """Return qualities, worst first: equal in twos except for ALIKE, which gives each system its own rank."""
    index = np.arange(systems)
    return STEP * (index // 2) + ALIKE * index


def significant(stats: Stats, b: int, seed: int) -> tuple[dict[str, np.ndarray], pd.DataFrame]:
    """Return by adjustment which pairs are significant, (systems, systems) winner by loser, and the rank ranges."""
    result = bootstrap(stats, Resampling(b, seed))
    small, p, together = small_sample(stats, result), p_of_result(result), max_t(stats, result)
    systems = pd.DataFrame({"file": stats.names, "system": stats.names, "group": stats.names})
    by_adjustment, ranks = {}, []
    for adjustment in (HOLM, MAX_T, BH, BY):
        which = decide(p, small, Notion(level=LEVEL, scope=CORRECTED, adjust=adjustment), together).significant
        by_adjustment[adjustment] = np.zeros((stats.n_systems, stats.n_systems), dtype=bool)
        by_adjustment[adjustment][tuple(result.pairs[which].T)] = True
        if adjustment in (HOLM, MAX_T):
            ranks.append(ranking(result, systems, {}, which).assign(adjustment=adjustment))
    return by_adjustment, pd.concat(ranks)


def rows(effort: Effort) -> Iterator[Row]:
    """Yield all rows, by number of systems and of units."""
    for systems, share, b in FAMILIES[: 1 if effort.quick else None]:
        for n in effort.sizes(500, 200)[::-1]:
            worlds, b = effort.part(share), max(b, effort.resamples)
            yield from _equal(Cell(SECTION, f"{systems} equal systems", n), systems, worlds, b)
            yield from _known_quality(Cell(SECTION, f"{systems} systems, alike two by two", n), systems, worlds, b)


def _equal(cell: Cell, systems: int, worlds: int, b: int) -> Iterator[Row]:
    found = [significant(_world(cell, world, systems, np.zeros(systems)), b, world)[0] for world in range(worlds)]
    for adjustment in (HOLM, MAX_T, BH, BY):
        # Every discovery is false here, so one false alarm makes the share of false discoveries 1.
        what = ANY if adjustment in (HOLM, MAX_T) else FALSE
        yield cell.row(f"{adjustment}: {what}", LEVEL, np.array([of_world[adjustment].any() for of_world in found]))


def _known_quality(cell: Cell, systems: int, worlds: int, b: int) -> Iterator[Row]:
    quality = qualities(systems)
    alike = np.arange(systems) // 2 >= (np.arange(systems) // 2)[:, None]
    rank = dict(zip((f"s{i}" for i in range(systems)), range(systems, 0, -1), strict=True))
    missed: dict[str, list[bool]] = {HOLM: [], MAX_T: []}
    false: dict[str, list[float]] = {BH: [], BY: []}
    for world in range(worlds):
        found, ranks = significant(_world(cell, world, systems, quality), b, world)
        true = ranks["system"].map(rank)
        held = (ranks["rank_low"] <= true) & (true <= ranks["rank_high"])
        for adjustment in missed:
            missed[adjustment].append(not held[ranks["adjustment"] == adjustment].all())
        for adjustment in false:
            false[adjustment].append((found[adjustment] & alike).sum() / max(found[adjustment].sum(), 1))
    for adjustment, missing in missed.items():
        yield cell.row(f"{adjustment}: {MISSED}", LEVEL, np.array(missing))
    for adjustment, share in false.items():
        yield cell.row(f"{adjustment}: {FALSE}", LEVEL, np.array(share))


def _world(cell: Cell, world: int, systems: int, quality: np.ndarray) -> Stats:
    return family(stream(cell, world), systems, int(cell.n), quality)
