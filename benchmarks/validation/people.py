"""Coverage of intervals for new systems: how well a metric agrees with people, and from which gain on people agree."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pandas as pd
from scipy.stats import norm

from benchmarks.validation.rows import Cell, Effort, Row, stream
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.metrics.people import OVER_SYSTEMS
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.studies.people.new_systems import over_systems
from nlpsig_core.studies.people.worth import MOST_WITH_INTERVAL, worth

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


def pairs_of(rng: np.random.Generator, systems: int, agreement: float) -> pd.DataFrame:
    """Return all pairs of systems whose scores by a metric and by people correlate by the agreement."""
    metric, other = rng.standard_normal((2, systems))
    people = agreement * metric + np.sqrt(1 - agreement**2) * other
    a, b = np.triu_indices(systems, 1)
    sign = np.where(metric[a] >= metric[b], 1, -1)
    gains = {"gain": sign * (metric[a] - metric[b]), "gain_people": sign * (people[a] - people[b])}
    names = {"system_a": a.astype(str), "system_b": b.astype(str)}
    return pd.DataFrame(names | gains).assign(verdict_people="undecided")


def rows_of_worth(effort: Effort) -> Iterator[Row]:
    """Yield how often the interval of the gain from which people agree, where there is one, contains the true gain.

    The difference by people, given that by the metric, is normal, so the true gain has a closed form.
    """
    for agreement, systems in product(AGREEMENTS, effort.sizes(12, 20, 40)):
        truth = np.sqrt(2 * (1 - agreement**2)) / agreement * norm.ppf(MOST_WITH_INTERVAL)
        held = []
        for number in range(effort.part(0.02)):
            drawn = worth(pairs_of(stream(SECTION, "worth", systems, number), systems, agreement), 200, number)
            (row,) = drawn.thresholds[drawn.thresholds["share"] == MOST_WITH_INTERVAL].to_dict("records")
            high = np.inf if np.isnan(row["high"]) else row["high"]
            held.append(np.nan if np.isnan(row["low"]) else row["low"] <= truth <= high)
        cell = Cell(SECTION, f"{MOST_WITH_INTERVAL:.0%} of pairs, {systems} systems, agreement {agreement}")
        yield cell.row("gain from which people agree", LEVEL, np.array(held, dtype=float), at_most=False)


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
