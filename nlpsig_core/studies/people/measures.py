"""Metrics on trial, by every measure of how well they agree with people."""

from __future__ import annotations

import pandas as pd

from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.metrics.people import MEASURES
from nlpsig_core.data.task.shared_task import SharedTask
from nlpsig_core.data.task.test_set import TestSet
from nlpsig_core.significance.comparison.select import select
from nlpsig_core.significance.resampling.blocks import Progress

# The measure that chooses the metric to show first.
USUAL = MEASURES[0].name


def measures(task: SharedTask, test_set: TestSet, progress: Progress | None = None, domain: str = "") -> pd.DataFrame:
    """Return a row for each metric and measure on (a domain of) a test set, by the metrics' names.

    Columns system (the metric), measure and value. TaskError if no metric can be read.
    """
    rows, offered = [], Offer(test_set).metrics.values()
    for number, measure in enumerate(offered, 1):
        selection = select(task, measure, test_set.name, domain=domain)
        selection.check(systems=1)
        stats = selection.stats
        rows += [(name, measure.name, float(value)) for name, value in zip(stats.names, stats.scores, strict=True)]
        if progress:
            progress(number, len(offered))
    return pd.DataFrame(sorted(rows, key=lambda row: row[0]), columns=["system", "measure", "value"])


def by_measure(table: pd.DataFrame, measure: str = USUAL) -> pd.DataFrame:
    """Return a row for each metric and a column for each measure, the best metric by one measure first."""
    wide = table.pivot(index="system", columns="measure", values="value")[list(dict.fromkeys(table["measure"]))]
    return wide.sort_values(measure, ascending=False, kind="stable").reset_index().rename_axis(columns=None)
