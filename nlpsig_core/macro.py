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

    ``units`` restricts test sets to some of their units (masks). An invalid or missing output counts 0, as
    the CoNLL 2017 and 2018 shared tasks rule.
    """
    names = dict(zip(systems["file"], systems["system"], strict=True))
    chosen = units or {}
    by_test_set = {name: of.stats(metric, names, units=chosen.get(name)).scores for name, of in counts.items()}
    scores = pd.DataFrame(by_test_set, index=list(names.values()))
    table = systems.set_index("system")[["group"]].join(scores)
    table.insert(1, "macro-average", scores.mean(axis=1))
    table = table.sort_values("macro-average", ascending=not metric.higher_is_better, kind="stable")
    return table.reset_index()
