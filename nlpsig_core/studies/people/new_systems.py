"""How well a metric would agree with people on new systems: intervals by drawing rated systems."""

from __future__ import annotations

import numpy as np
import pandas as pd

from nlpsig_core.data.metrics.people import OVER_SYSTEMS
from nlpsig_core.data.task.shared_task import SharedTask
from nlpsig_core.data.task.test_set import TestSet
from nlpsig_core.significance.comparison.select import select
from nlpsig_core.significance.resampling.bootstrap import expanded_tail
from nlpsig_core.significance.resampling.streams import Purpose, generator
from nlpsig_core.significance.stats.array import Stats

DRAWS = 10_000
LEVEL = 0.95
# A draw of fewer different systems has no pair, or one correlation of -1 or 1.
FEWEST = 3


def over_systems(stats: Stats, systems: int, seed: int = 0, draws: int = DRAWS) -> np.ndarray:
    """Return the 95% interval of each metric by a measure of OVER_SYSTEMS, (metrics, 2); NaN with too few systems.

    So many rated systems are drawn with replacement; all metrics share the draws. The percentiles are those of
    ``expanded_tail`` for so many systems.
    """
    if systems < FEWEST:
        return np.full((stats.n_systems, 2), np.nan)
    rng = generator(seed, Purpose.RATED_SYSTEMS)
    drawn = rng.multinomial(systems, np.full(systems, 1 / systems), size=draws).astype(np.float64)
    drawn = drawn[(drawn > 0).sum(axis=1) >= FEWEST]
    # A score over systems takes how often each was drawn, which no other has.
    scores = np.stack([stats.metric.score(totals, drawn) for totals in stats.totals])  # type: ignore[call-arg]
    tail = expanded_tail(LEVEL, systems)
    return np.asarray(np.quantile(stats.over_runs(scores), [tail, 1 - tail], axis=1).T)


def with_intervals(
    measures: pd.DataFrame, task: SharedTask, test_set: TestSet, seed: int = 0, domain: str = "", draws: int = DRAWS
) -> pd.DataFrame:
    """Return a table of metrics and measures on (a domain of) a test set with the columns low and high, from ``draws``.

    They are NaN for measures over segments.
    """
    ends: dict[tuple[str, str], list[float]] = {}
    for measure in OVER_SYSTEMS:
        stats = select(task, measure, test_set.name, domain=domain).first.stats
        of_metrics = over_systems(stats, len(test_set.classes), seed, draws)
        ends |= {(name, measure.name): of for name, of in zip(stats.names, of_metrics.tolist(), strict=True)}
    keys = zip(measures["system"], measures["measure"], strict=True)
    low, high = zip(*(ends.get(key, [np.nan, np.nan]) for key in keys), strict=True)
    return measures.assign(low=low, high=high)
