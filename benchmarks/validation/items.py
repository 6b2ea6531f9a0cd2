"""Labels and numbers: false alarms and coverage of intervals by metrics that have no score of a single item."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.validation import coverage, type_one
from benchmarks.validation.rows import WORLDS_AT_A_TIME, Cell, Effort, Row, stream
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.paired_tests.small_sample import differences
from nlpsig_core.significance.resampling.bootstrap import INTERVALS, bootstrap
from nlpsig_core.significance.stats.array import Stats

# The shares of the classes; with the rare one, 100 items have three of it on average.
FOUR, WITH_RARE = (0.4, 0.3, 0.2, 0.1), (0.5, 0.3, 0.17, 0.03)
TESTS = ("bootstrap", "bootstrap-t")
# A world of its own gold is resampled on its own; scores of the weighted sample share one gold.
WORLDS, OF_INTERVALS = 0.2, 0.1
# The truth is the gain on this many items.
POPULATION = 400_000
Values = Callable[[np.random.Generator, int, int, float], np.ndarray]


def labels(shares: tuple[float, ...]) -> Values:
    """Return a maker of two labels an item, (worlds, 2, n, 2); ``gain`` lowers the second system's accuracy."""

    def make(rng: np.random.Generator, worlds: int, n: int, gain: float) -> np.ndarray:
        gold = rng.choice(len(shares), (worlds, 1, n), p=shares)
        ease = rng.beta(4, 1, (worlds, 1, n)) - np.array([0.0, gain])[:, None]
        right = rng.random((worlds, 2, n)) < ease
        other = (gold + rng.integers(1, len(shares), right.shape)) % len(shares)
        return np.stack(np.broadcast_arrays(gold, np.where(right, gold, other)), axis=-1).astype(np.int32)

    return make


def numbers(rng: np.random.Generator, worlds: int, n: int, gain: float) -> np.ndarray:
    """Draw normal gold and predictions that share their errors in part; ``gain`` adds noise to the second system."""
    gold, shared = rng.standard_normal((2, worlds, 1, n))
    noise = rng.standard_normal((worlds, 2, n)) * (1 + np.array([0.0, gain])[:, None])
    return np.stack(np.broadcast_arrays(gold, gold + shared + noise), axis=-1)


def skewed(rng: np.random.Generator, worlds: int, n: int, gain: float) -> np.ndarray:
    """Draw as ``numbers``, on an exponential scale: a few items are far from all others."""
    return np.exp(numbers(rng, worlds, n, gain))


def two_classes(rng: np.random.Generator, worlds: int, n: int, gain: float) -> np.ndarray:
    """Draw as ``numbers`` against a gold of 0 and, three times in ten, 1."""
    values = numbers(rng, worlds, n, gain)
    values[..., 0] = values[..., 0] > 0.5244
    return values


@dataclass(frozen=True)
class Kind:
    """Worlds of values for a metric."""

    metric: str
    values: Values
    name: str
    gain: float = 0.25

    def stats(self, rng: np.random.Generator, worlds: int, n: int, gain: float = 0.0) -> Stats:
        """Return Stats in which 2 w and 2 w + 1 are the systems of world w."""
        metric, values = METRICS[self.metric], self.values(rng, worlds, n, gain)
        values = values.reshape(-1, *values.shape[2:])
        names = tuple(f"s{index}" for index in range(len(values)))
        return Stats(names, metric.expand(values) if metric.expand else values, metric, unit="item")

    @property
    def alone(self) -> bool:
        """Whether each world needs statistics of its own."""
        return METRICS[self.metric].sample is not None


KINDS = (
    Kind("macro-F1", labels(FOUR), "macro-F1, four classes", 0.05),
    Kind("macro-F1", labels(WITH_RARE), "macro-F1, a rare class", 0.05),
    Kind("kappa", labels(FOUR), "kappa", 0.05),
    Kind("MCC", labels(FOUR), "MCC", 0.05),
    Kind("Pearson", numbers, "Pearson"),
    Kind("Pearson", skewed, "Pearson, skewed"),
    Kind("Spearman", numbers, "Spearman"),
    Kind("Kendall", numbers, "Kendall's tau-b"),
    Kind("AUC", two_classes, "AUC"),
)


def rows(effort: Effort) -> Iterator[Row]:
    """Yield rows of false alarms and of intervals, by metric and number of items."""
    for kind in KINDS:
        population = kind.stats(stream("population", kind.name), 1, POPULATION, kind.gain)
        truth = (*population.scores, np.subtract(*population.influences()).std())
        for n in effort.sizes(10, 20, 50, 100, 200, 500):
            yield from _false_alarms(Cell(type_one.SECTION, kind.name, n), kind, effort)
            yield from _coverage(Cell(coverage.SECTION, kind.name, n), kind, truth, effort)


def _false_alarms(cell: Cell, kind: Kind, effort: Effort) -> Iterator[Row]:
    at_a_time = 1 if kind.alone else WORLDS_AT_A_TIME
    parts = [
        type_one.p_values(kind.stats(stream(cell, chunk), many, int(cell.n)), TESTS, effort.recipe(cell, chunk))
        for chunk, many in enumerate(effort.chunks(at_a_time, WORLDS))
    ]
    yield from type_one.shares_below(cell, parts)


def _coverage(cell: Cell, kind: Kind, truth: tuple[float, float, float], effort: Effort) -> Iterator[Row]:
    """Yield rows of intervals; ``truth`` is both scores and the deviation of the gain's influences."""
    held: dict[str, list[bool]] = {}
    for chunk in range(effort.part(OF_INTERVALS)):
        stats = kind.stats(stream(cell, chunk), 1, int(cell.n), kind.gain)
        result = bootstrap(stats, effort.recipe(cell, chunk))
        (winner, loser), effective = result.pairs[0], differences(stats, result.pairs).effective
        for interval in INTERVALS:
            of_gain = result.gain_intervals(coverage.LEVEL, effective, interval)[0]
            of_score = result.score_intervals(interval=interval)[0]
            for what, (low, high), true in (
                ("gain", of_gain, truth[winner] - truth[loser]),
                ("score", of_score, truth[0]),
            ):
                held.setdefault(f"{interval} interval of a {what}", []).append(bool(low <= true <= high))
        holds = coverage.range_holds(result, stats, np.array([0]), truth[2])
        held.setdefault(coverage.ERROR, []).append(bool(holds[0]))
    for name, of_worlds in held.items():
        yield cell.row(name, coverage.PROMISED.get(name, coverage.LEVEL), np.array(of_worlds), at_most=False)
