"""The gate: how often equal systems are called worse, and a candidate at the margin not worse."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from benchmarks.validation import worlds as makers
from benchmarks.validation.coverage import GAIN, POPULATION, Truth
from benchmarks.validation.rows import Cell, Effort, Row, stream
from nlpsig_core.significance.comparison.classes import DIFFERENT
from nlpsig_core.significance.comparison.notion import ALONE, Notion
from nlpsig_core.significance.comparison.pair_table import pair_table
from nlpsig_core.significance.comparison.verdict import WORSE
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import MacroStats, Sample, Stats
from nlpsig_core.studies.pair.decision import NOT_WORSE, Compared, combined, decide

SECTION, LEVEL = "gate", 0.05
EQUAL, AT_MARGIN = "said to be worse, equal systems", "said to be not worse, at the margin"
WORLDS_AT_A_TIME, WORLDS = 10, 0.2
TEST_SETS, OF_EACH = 3, 100
# The shares of units that a candidate loses and wins, in worlds in which few units differ.
RARE = {"1% lost": (0.01, 0.0), "0.7% lost, 0.2% won": (0.007, 0.002), "1.5% lost, 1% won": (0.015, 0.01)}

Said = Callable[[Sequence[Stats], Resampling], list[bool]]


def rows(effort: Effort) -> Iterator[Row]:
    """Yield all rows: on one test set by kind of statistic and number of units, then on several."""
    equal: dict[str, makers.Maker] = {
        "mean, normal": makers.normal,
        "right or wrong": makers.right_or_wrong,
        "LAS-like": makers.words,
        "mean, skewed gains": makers.skewed,
    }
    for name, make in equal.items():
        for n in effort.sizes(20, 100, 500):
            yield _row(Cell(SECTION, name, n), EQUAL, make, partial(_is, WORSE, None), effort)
    better: dict[str, makers.Maker] = {
        "mean, normal": partial(makers.normal, gain=GAIN),
        "LAS-like": partial(makers.words, gain=makers.LAS_GAIN),
        "mean, skewed gains": partial(makers.skewed, gain=GAIN),
    }
    for name, make in better.items():
        margin = abs(Truth.measured(make(stream("population", name), 1, POPULATION)).gain)
        for n in effort.sizes(20, 100, 500):
            yield _row(Cell(SECTION, name, n), AT_MARGIN, make, partial(_is, NOT_WORSE, margin), effort)
    for name, (lost, won) in RARE.items():
        cell = Cell(SECTION, f"right or wrong, {name}", 500)
        at_margin = partial(_is, NOT_WORSE, 100 * (lost - won))
        yield _row(cell, AT_MARGIN, makers.rare(lost, won), at_margin, effort)
    yield from _on_several(effort)


def _on_several(effort: Effort) -> Iterator[Row]:
    """Yield the rows of three test sets: Holm over them, all of them together, and their mean."""
    same, worse = makers.normal, partial(makers.normal, gain=GAIN)
    cell = Cell(SECTION, f"mean, normal, {TEST_SETS} test sets", OF_EACH)
    each: Sequence[makers.Maker] = [same] * TEST_SETS
    yield _row(cell, f"{EQUAL} on all", each, partial(_is, WORSE, None), effort)
    each = [worse] * TEST_SETS
    yield _row(cell, f"{AT_MARGIN} on all, one of them", each, partial(_any, NOT_WORSE, GAIN), effort)
    yield _row(cell, f"{AT_MARGIN} on all, their mean", each, partial(_pooled, NOT_WORSE, GAIN), effort)
    each = [worse, *[same] * (TEST_SETS - 1)]
    yield _row(cell, f"{AT_MARGIN} on one", each, partial(_is, NOT_WORSE, GAIN), effort)


def _row(cell: Cell, test: str, make: makers.Maker | Sequence[makers.Maker], said: Said, effort: Effort) -> Row:
    """Return the row of how often a decision is ``said``; the second system of a world is the candidate."""
    makes = [make] if callable(make) else make
    found = []
    for chunk, many in enumerate(effort.chunks(WORLDS_AT_A_TIME, WORLDS)):
        each = [of(stream(cell, test, chunk, place), many, int(cell.n)) for place, of in enumerate(makes)]
        found += said(each, effort.recipe(cell, test, chunk))
    return cell.row(test, LEVEL, np.array(found))


@dataclass(frozen=True, eq=False, kw_only=True)
class OfMany(Compared):
    """A pair among those of many worlds, with the numbers that it has alone; ``bound`` gives those of all pairs."""

    place: int
    bound: Callable[[float], np.ndarray]

    def bounds(self, level: float) -> tuple[float, float]:
        """Return what the candidate's gain is above and below, each at a one-sided level."""
        return self.signed(*self.bound(level)[self.place])


def compared_worlds(stats: Sample, margin: float | None, recipe: Resampling) -> list[Compared]:
    """Return the comparison of each world: the second system, the candidate, with the first."""
    notion, result = Notion(level=LEVEL, scope=ALONE, within=margin), bootstrap(stats, recipe)
    apart = np.full(max(stats.n_systems, len(result.pairs)), DIFFERENT, dtype=object)
    table = pair_table(result, stats, apart[: len(result.pairs)], apart[: stats.n_systems], notion=notion)
    effective = table["effective"].to_numpy()
    bound = cache(lambda level: result.equivalence_intervals(1 - 2 * level, effective))
    place_of = {frozenset(pair): place for place, pair in enumerate(result.pairs.tolist())}
    worlds = []
    for world in range(stats.n_systems // 2):
        place = place_of[frozenset((2 * world, 2 * world + 1))]
        candidate, row = stats.names[2 * world + 1], table.iloc[place]
        worlds.append(OfMany(candidate=candidate, notion=notion, result=result, row=row, place=place, bound=bound))
    return worlds


def outcomes(each: Sequence[Sample], margin: float | None, recipe: Resampling) -> list[list[str]]:
    """Return the outcomes of each world on all test sets, corrected over them."""
    families = zip(*(compared_worlds(stats, margin, recipe) for stats in each), strict=True)
    return [[decision.outcome for decision in decide(family)] for family in families]


def _is(outcome: str, margin: float | None, each: Sequence[Sample], recipe: Resampling) -> list[bool]:
    return [combined(found) == outcome for found in outcomes(each, margin, recipe)]


def _any(outcome: str, margin: float, each: Sequence[Sample], recipe: Resampling) -> list[bool]:
    return [outcome in found for found in outcomes(each, margin, recipe)]


def _pooled(outcome: str, margin: float, each: Sequence[Stats], recipe: Resampling) -> list[bool]:
    return _is(outcome, margin, [MacroStats(tuple(each))], recipe)
