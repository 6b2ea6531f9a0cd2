"""Coverage: how often intervals contain the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from benchmarks.validation import type_one
from benchmarks.validation import worlds as makers
from benchmarks.validation.rows import Cell, Effort, Row, stream
from nlpsig_core.significance.comparison.thresholds import wilson
from nlpsig_core.significance.paired_tests.bootstrap import equivalent
from nlpsig_core.significance.paired_tests.small_sample import differences
from nlpsig_core.significance.resampling.bootstrap import INTERVALS, Bootstrap, bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.studies.analyses.power import errors_of_pair, with_freedom
from nlpsig_core.studies.pair.units import effect_size, share_won

SECTION, LEVEL, EQUIVALENT = "intervals", 0.95, 0.05
# The truth is computed from this many units, whose gain in normal and skewed worlds is GAIN.
POPULATION, GAIN = 400_000, 0.5
# The bootstrap compares all its systems, of different worlds too: few worlds at a time waste few pairs.
WORLDS_AT_A_TIME, WORLDS = 10, 0.2
SAME, WON = "said to be equivalent, at the bound", "share of units won"
ERROR = "80 % range of a standard error"
# The Test size page says that the range held 72 to 87 %.
PROMISED = {SAME: EQUIVALENT, ERROR: 0.72}


Measure = Callable[..., dict[str, np.ndarray]]


class Truth(NamedTuple):
    """The true values of the population that a kind of worlds is drawn from."""

    gain: float
    score: float
    effect_size: float
    share_won: float
    deviation: float

    @classmethod
    def measured(cls, population: Stats) -> Truth:
        """Return the values of a population that is so large that their sampling error is negligible."""
        (first, second), scores = population.influences(), population.scores
        return cls(
            gain=float(scores[0] - scores[1]),
            score=float(scores[0]),
            effect_size=effect_size(population).value,
            share_won=share_won(population).value,
            deviation=float((first - second).std()),
        )


def measured(stats: Stats, truth: Truth, recipe: Resampling) -> dict[str, np.ndarray]:
    """Return whether each interval contains the truth, (worlds,), and whether the two systems are equivalent."""
    result = bootstrap(stats, recipe)
    worlds, effective, rows = stats.n_systems // 2, differences(stats, result.pairs).effective, rows_of_worlds(result)
    # The result lists the observed winner first, which need not be the better system.
    gain = np.where(result.pairs[rows, 0] % 2 == 0, truth.gain, -truth.gain)
    contained = _intervals_of_gains(result, effective, rows, gain)
    for kind in INTERVALS:
        contained[f"{kind} interval of a score"] = _contains(result.score_intervals(interval=kind)[::2], truth.score)
    contained[SAME] = equivalent(result, abs(truth.gain), effective, EQUIVALENT)[rows]
    two = [stats.select([2 * world, 2 * world + 1]) for world in range(worlds)]
    for name, estimate, true in (("effect size", effect_size, truth.effect_size), (WON, share_won, truth.share_won)):
        each = np.array([estimate(of_world) for of_world in two])
        contained[name] = np.where(np.isfinite(each).all(axis=1), _contains(each[:, 1:], true), np.nan)
    contained[ERROR] = range_holds(result, stats, rows, truth.deviation)
    return contained


def rows_of_worlds(result: Bootstrap) -> np.ndarray:
    """Return the rows of the pairs of the same world, (worlds,), in the order of the worlds."""
    row_of = {tuple(pair): row for row, pair in enumerate(np.sort(result.pairs, axis=1).tolist())}
    return np.array([row_of[world, world + 1] for world in range(0, len(result.scores), 2)])


def _intervals_of_gains(
    result: Bootstrap, effective: np.ndarray, rows: np.ndarray, gain: np.ndarray | float
) -> dict[str, np.ndarray]:
    """Return whether each kind of interval of these rows' gains contains the true ``gain``."""
    return {
        f"{kind} interval of a gain": _contains(result.gain_intervals(LEVEL, effective, kind)[rows], gain)
        for kind in INTERVALS
    }


def _of_few(stats: Stats, recipe: Resampling) -> dict[str, np.ndarray]:
    """Return whether the intervals of equal systems' gains contain 0, (worlds,)."""
    result = bootstrap(stats, recipe)
    return _intervals_of_gains(result, differences(stats, result.pairs).effective, rows_of_worlds(result), 0.0)


def range_holds(result: Bootstrap, stats: Stats, rows: np.ndarray, deviation: float) -> np.ndarray:
    """Return whether the range of each pair's standard error contains that of gains with this deviation, (rows,)."""
    names = np.array(stats.names)[result.pairs[rows]]
    errors = {"system_a": names[:, 0], "system_b": names[:, 1], "standard_error": result.standard_error[rows]}
    pairs = with_freedom(pd.DataFrame(errors), stats)
    ranges = [errors_of_pair(*each) for each in zip(pairs["standard_error"], pairs["freedom"], strict=True)]
    return _contains(np.array(ranges)[:, ::2], deviation / np.sqrt(stats.n_units))


def _contains(interval: np.ndarray, truth: np.ndarray | float) -> np.ndarray:
    return (interval[:, 0] <= truth) & (truth <= interval[:, 1])


def rows(effort: Effort) -> Iterator[Row]:
    """Yield all rows, by kind of statistic and number of units."""
    kinds: dict[str, makers.Maker] = {
        "mean, normal": partial(makers.normal, gain=GAIN),
        "mean, skewed gains": partial(makers.skewed, gain=GAIN),
        "LAS-like": partial(makers.words, gain=makers.LAS_GAIN),
    }
    for name, make in kinds.items():
        truth = Truth.measured(make(stream("population", name), 1, POPULATION))
        for n in effort.sizes(10, 20, 50, 100, 500):
            yield from _rows_of(Cell(SECTION, name, n), make, partial(measured, truth=truth), effort)
    for least, most in type_one.FEW[: 1 if effort.quick else None]:
        for name, few in (("right or wrong", makers.few_right), ("LAS-like", makers.few_words)):
            cell = Cell(SECTION, f"{name}, few differ", 500, f"{least}-{most}")
            yield from _rows_of(cell, few(least, most), _of_few, effort)
    for name, draw in WILSON.items():
        for n in effort.sizes(10, 20, 50, 100, 500):
            share = draw(stream("Wilson", name, n), effort.part(WORLDS))
            hits = stream("hits", name, n).binomial(n, share)
            held = _contains(np.array([wilson(int(hit), n) for hit in hits]), share)
            yield Cell(SECTION, name, n).row("Wilson", LEVEL, held, at_most=False)


WILSON: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "a share, all equally likely": lambda rng, worlds: rng.random(worlds),
    "a share of 0.95": lambda rng, worlds: np.full(worlds, 0.95),
}


def _rows_of(cell: Cell, make: makers.Maker, measure: Measure, effort: Effort) -> Iterator[Row]:
    parts = [
        measure(make(stream(cell, chunk), many, int(cell.n)), recipe=effort.recipe(cell, chunk))
        for chunk, many in enumerate(effort.chunks(WORLDS_AT_A_TIME, WORLDS))
    ]
    for name in parts[0]:
        held = np.concatenate([part[name] for part in parts])
        yield cell.row(name, PROMISED.get(name, LEVEL), held, at_most=name == SAME)
