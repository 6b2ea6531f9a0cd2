"""Plans: power at the minimal detectable gain, thresholds, and what is said of a pair without a hit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from benchmarks import validate_thresholds as thresholds
from benchmarks.validation import worlds as of
from benchmarks.validation.rows import Cell, Effort, Row, stream
from benchmarks.validation.type_one import LEVEL, SMALL, p_values
from nlpsig_core.comparison.detectable import detectable_gain
from nlpsig_core.comparison.needed_gain import AGREED
from nlpsig_core.comparison.thresholds import WHAT_IF_HELD
from nlpsig_core.paired_tests.bootstrap import run
from nlpsig_core.stats.array import Stats

POWER, THRESHOLDS, MONTE_CARLO = "power", "thresholds", "Monte Carlo"
CHANCE = 0.8
# The simulated tasks of a case are this share of the worlds.
TASKS, HELD = 0.01, "interval holds it"
# Units of the worlds in which p is known, and the rule of three: p is below 3 / b with 95 % where there is no hit.
UNITS, THREE = 100, 3.0


def power(effort: Effort) -> Iterator[Row]:
    """How often a true gain of the size that is said to be detectable comes out significant."""
    deviations = {"mean, normal": (of.normal, np.sqrt(2)), "mean, skewed gains": (of.skewed, 1.0)}
    for name, (make, deviation) in deviations.items():
        for n in effort.sizes(20, 50, 100, 500):
            cell = Cell(POWER, name, n)
            gain = float(detectable_gain(deviation / np.sqrt(n), LEVEL, power=CHANCE, freedom=n - 1))
            found = []
            for place, many in enumerate(effort.chunks()):
                stats = make(stream(cell, place), many, n, gain)
                better = stats.scores[::2] > stats.scores[1::2]
                found.append(better & (p_values(stats, ("bootstrap",), effort.recipe(cell, place))[SMALL] < LEVEL))
            yield cell.row("significant at the minimal detectable gain", CHANCE, np.concatenate(found), at_most=False)


def of_thresholds(effort: Effort) -> Iterator[Row]:
    """How often the intervals of thresholds and of what-ifs hold the truth, in simulated tasks."""
    tasks = effort.part(TASKS)
    shapes = ("normal",) if effort.quick else tuple(thresholds.SHAPES)
    sizes = ("12 systems, 12 groups",) if effort.quick else tuple(thresholds.SIZES)
    models = thresholds.simulations(tasks, shapes, sizes, {"model": thresholds.by_model})
    for case, held in _by_case(models):
        yield Cell(THRESHOLDS, case).row("interval of a threshold", AGREED, held, at_most=False)
    for case, held in _by_case(thresholds.what_ifs(tasks, sizes)):
        yield Cell(THRESHOLDS, case).row("interval of a what-if share", WHAT_IF_HELD, held, at_most=False)


def _by_case(found: Iterable[tuple]) -> Iterator[tuple[str, np.ndarray]]:
    """Whether each interval held the truth, put together by the first two parts of a case's name."""
    cases: dict[str, list[np.ndarray]] = {}
    for _, case, _, _, figure, value, number in found:
        if figure == HELD:
            of_case = cases.setdefault(";".join(case.split(";")[:2]), [])
            of_case.append(np.arange(number) < round(value * number))
    yield from ((case, np.concatenate(held)) for case, held in cases.items())


def monte_carlo(effort: Effort) -> Iterator[Row]:
    """How often the true p is within what is said of the Monte-Carlo error, for pairs of which it is enumerated."""
    cell, b, found = Cell(MONTE_CARLO, "right or wrong", UNITS), effort.resamples, []
    for place, many in enumerate(effort.chunks()):
        stats, truth = of_known_p(stream(cell, place), many)
        first = 2 * np.arange(many)
        p = run(stats, np.stack([first, first + 1], axis=1), effort.recipe(cell, place))
        found.append([truth, p.one_sided, p.error])
    truth, p_value, error = np.hstack(found)
    none = p_value == 0
    yield cell.row("true p below 3/b where no resample was a hit", 0.95, truth[none] < THREE / b, at_most=False)
    close = (truth >= THREE / b) & (truth < 2 * THREE / b)
    yield cell.row("no hit where the true p is 3/b to 6/b", 0.05, none[close])
    within = np.abs(truth - p_value) <= np.where(none, 1, 2) * error
    yield cell.row("true p within two errors of p", 0.95, within, at_most=False)


def of_known_p(rng: np.random.Generator, worlds: int) -> tuple[Stats, np.ndarray]:
    """Worlds in which the first system alone has more units right than the second alone, and the paper's p of each."""
    lost = rng.integers(0, 20, worlds)
    won = lost + rng.integers(1, 30, worlds)
    place = np.argsort(rng.random((worlds, UNITS)), axis=1)
    right = np.stack([place < won[:, None], place >= UNITS - lost[:, None]], axis=1)
    return of.means(right.astype(np.int32)), true_p(won, lost, UNITS)


def true_p(won: np.ndarray, lost: np.ndarray, n: int) -> np.ndarray:
    """The paper's p in ever so many resamples, (pairs,): won* - lost* > 2 (won - lost), by summing over won*.

    won* is binomial of n draws, and lost* of the n - won* that are left.
    """
    from scipy.stats import binom

    drawn = np.arange(n + 1)[:, None]
    of_won = binom.pmf(drawn, n, won / n)
    fewer = drawn - 2 * (won - lost) - 1
    return (of_won * binom.cdf(fewer, n - drawn, lost / (n - won))).sum(axis=0)
