"""Scores of a selection without resampling: by test set, by every metric, and identical ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pandas as pd

from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.stats.counts import Counts


def by_score(selection: Selection) -> pd.DataFrame:
    """A row a system, best first: system, score, group."""
    table = pd.DataFrame({"system": selection.stats.names, "score": selection.stats.scores})
    table = table.merge(selection.systems[["system", "group"]], on="system")
    return table.sort_values("score", ascending=not selection.metric.higher_is_better, kind="stable", ignore_index=True)


def by_test_set(selection: Selection) -> pd.DataFrame:
    """A row a system, best first: system, group, macro-average, then the score on each test set."""
    scores = pd.DataFrame(
        {name: one.scores for name, one in zip(selection.test_sets, selection.stats.test_sets, strict=True)},
        index=list(selection.stats.names),
    )
    scores.insert(0, MACRO, selection.stats.scores)
    table = selection.systems.set_index("system")[["group"]].join(scores)
    ascending = not selection.metric.higher_is_better
    return table.sort_values(MACRO, ascending=ascending, kind="stable").rename_axis("system").reset_index()


def all_metrics(
    selection: Selection, metrics: Mapping[str, Metric], count: Callable[[Metric], Counts] | None = None
) -> pd.DataFrame:
    """Scores by all metrics on the first test set: system, metric, score, then the components (precision, ...).

    ``metrics`` are by label (``metrics_for``); ``count`` gives the counts of other families than the selection's;
    without it, metrics of other families are left out.
    """
    rows = []
    for label, metric in metrics.items():
        own = metric.family == selection.first.counts.family
        if not own and count is None:
            continue
        counts = selection.first.counts if own or count is None else count(metric)
        stats = replace(selection.first, metric=metric, counts=counts).stats
        components = {name: stats.over_runs(score(stats.totals)) for name, score in metric.components.items()}
        rows.append(pd.DataFrame({"system": stats.names, "metric": label, "score": stats.scores} | components))
    return pd.concat(rows).sort_values("system", kind="stable", ignore_index=True)


def identical_scores(selection: Selection) -> list[list[str]]:
    """Valid systems with the same statistics in every unit of the first test set, in groups of two or more."""
    problems = selection.with_leads(selection.first.counts.problems)
    stats, groups = selection.first.stats, dict[bytes, list[str]]()
    for index, file in enumerate(selection.systems["file"]):
        if file not in problems:
            groups.setdefault(stats.values[stats.rows(index)].tobytes(), []).append(stats.names[index])
    return [names for names in groups.values() if len(names) > 1]
