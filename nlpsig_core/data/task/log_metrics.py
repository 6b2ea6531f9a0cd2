"""The metrics of a task's logs, and what several answers to a question become by reducers other than the mean."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from nlpsig_core.base.words import whole_number
from nlpsig_core.data.readers.logs.reducers import MEAN, reducer
from nlpsig_core.data.task.log_answers import Log, Row

# Scores by question and metric.
Reduced = Mapping[str, dict[str, float]]
# Of metrics, the names of their scores in the logs and their reducers.
Reducible = Mapping[str, tuple[str, str]]


def metrics_of(logs: Iterable[Log]) -> dict[str, tuple[str, str]]:
    """Return the metrics with a number for some question in some log, the first log's first.

    Each has the name of its scores in the logs and its reducer: the mean, or one that the metric's own name ends with.
    """
    return {
        name if by == MEAN else f"{name},{by}": (name, by)
        for log in logs
        for name, numeric in log.metrics.items()
        if numeric
        for by in log.about.reducers
        if reducer(by) is not None
    }


def reduced_scores(log: Log, usual: Mapping[str, bytes], metrics: Reducible) -> Reduced:
    """Return the scores of each question by metrics of reducers other than the mean, over all answers to it.

    ``usual`` are the contents of the questions. Questions without scores have none here.
    """
    reduced = {metric: of for metric, of in metrics.items() if of[1] != MEAN}
    runs = [log.rows[run] for run in sorted(log.rows, key=lambda run: whole_number(run) or 0)]
    return {
        name: {metric: value for metric, of in reduced.items() if (value := _reduced(runs, name, content, of)) == value}
        for name, content in usual.items()
    }


def _reduced(runs: list[dict[str, Row]], name: str, content: bytes, of: tuple[str, str]) -> float:
    """Return a question's score by a metric and a reducer, NaN if there is none."""
    metric, by = of
    rows = (run[name] for run in runs if name in run and run[name].content == content)
    scores = [row.scores[metric] for row in rows if metric in row.scores]
    reduce = reducer(by)
    return reduce(scores) if scores and reduce else math.nan
