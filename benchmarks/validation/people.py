"""Coverage of intervals for new systems: how well a metric agrees with people, by drawing rated systems."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from benchmarks.validation.rows import Cell, Effort, Row, stream
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.metrics.people import OVER_SYSTEMS
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.studies.people.new_systems import over_systems

SECTION, LEVEL = "People", 0.95
SEGMENTS = 200
# The deviation of qualities in deviations of a segment's noise, and how those by people and by the metric correlate.
QUALITY, AGREEMENTS = 0.3, (0.8, 0.99)
# The truth is that of very many systems; for means over pairs, the mean of many worlds.
POPULATION = 3_000
OF_PAIRS = ("SPA", "sys-accuracy")


def world(rng: np.random.Generator, systems: int, agreement: float) -> np.ndarray:
    """Return people's scores and a metric's of systems that are drawn from a population, as counts (1, segments, k)."""
    people = QUALITY * rng.standard_normal(systems)
    metric = agreement * people + np.sqrt(1 - agreement**2) * QUALITY * rng.standard_normal(systems)
    table = np.zeros((SEGMENTS, 3, systems + 1))
    table[:, :2, :-1] = np.stack([people, metric]) + rng.standard_normal((SEGMENTS, 2, systems))
    table[:, 2, :-1] = 1
    return table.reshape(1, SEGMENTS, -1)


def stats_of(values: np.ndarray, measure: Metric) -> Stats:
    """Return the statistics of the metric by a measure."""
    assert measure.expand is not None
    return Stats(("metric",), measure.expand(values), measure)


def truth_of(measure: Metric, agreement: float, worlds: int) -> float:
    """Return the value of a measure on all systems of the population."""
    if measure.name not in OF_PAIRS:
        return float(stats_of(world(stream(SECTION, "truth"), POPULATION, agreement), measure).scores[0])
    many = (world(stream(SECTION, "truth", number), 20, agreement) for number in range(worlds))
    return float(np.mean([stats_of(values, measure).scores for values in many]))


def rows(effort: Effort) -> Iterator[Row]:
    """Yield how often the interval of each measure contains its value on all systems of the population."""
    for agreement, measure in product(AGREEMENTS, OVER_SYSTEMS):
        truth = truth_of(measure, agreement, effort.part(0.04))
        for systems in effort.sizes(8, 12, 20):
            cell = Cell(SECTION, f"{measure.name}, {systems} systems, agreement {agreement}", SEGMENTS)
            held = []
            for number in range(effort.part(0.1)):
                values = world(stream(SECTION, systems, number), systems, agreement)
                of_metric = over_systems(stats_of(values, measure), systems, number, effort.resamples // 2)
                held.append(of_metric[0, 0] <= truth <= of_metric[0, 1])
            yield cell.row("agreement on new systems", LEVEL, np.array(held), at_most=False)
