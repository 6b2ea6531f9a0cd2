"""The macro-average over test sets: the ranking of the CoNLL shared tasks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from nlpsig_core.counting import Counts
from nlpsig_core.metrics.base import Metric


def macro_average(
    systems: pd.DataFrame,
    counts: Mapping[str, Counts],
    metric: Metric,
    units: Mapping[str, np.ndarray | None] | None = None,
) -> pd.DataFrame:
    """A row a system, best first: system, group, macro-average, then the score on each test set, in percent.

    ``units`` restricts test sets to some of their units (masks). An invalid or missing output gets
    no credit, as the CoNLL 2017 and 2018 shared tasks rule; where there is no such thing, it has no average.
    """
    names = dict(zip(systems["file"], systems["system"], strict=True))
    chosen = units or {}
    stats = {name: of.stats(metric, names, units=chosen.get(name)) for name, of in counts.items()}
    by_test_set = {name: pd.Series(of.scores, index=of.names) for name, of in stats.items()}
    scores = pd.DataFrame(by_test_set).reindex(list(names.values()))
    table = systems.set_index("system")[["group"]].join(scores)
    table.insert(1, "macro-average", scores.mean(axis=1, skipna=False))
    table = table.sort_values("macro-average", ascending=not metric.higher_is_better, kind="stable")
    return table.reset_index()
