"""The mean of the scores that a harness gave to a model's answers: a metric for each of those in its logs."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.metrics.base import Family, Metric, mean
from nlpsig_core.data.metrics.mean import with_ones, without_scores
from nlpsig_core.data.readers.logs.evaluations import Answers, Questions

COLUMNS = ("sum", "questions")
# Before the name of a metric, where it names a family, by whether a higher value is better.
BY = {True: "answers by ", False: "answers, lower is better, by "}


def count(gold: Questions, output: Answers, metric: str = "") -> np.ndarray:
    """The score of each question by a metric (the task's main one) and 1, (questions, 2); NaN without an answer.

    Raises FileError if the numbers of questions differ, the task does not have the metric, or no question has a score.
    """
    name = metric or gold.main
    if output.n_units != gold.n_units:
        raise FileError(output.name, None, f"{output.n_units} answers where the task has {gold.n_units} questions")
    if name not in output.scores:
        raise FileError(output.name, None, f"this task has no {name}; it has {', '.join(gold.own) or 'no metric'}")
    if not metric and not gold.metrics[name]:
        raise FileError(output.name, None, f"of {name}, a lower value is better; choose it as the metric")
    scores = output.scores[name]
    if np.isnan(scores).all():
        raise FileError(output.name, None, f"no score by {name}")
    return with_ones(scores)


def remarks(gold: Questions, output: Answers, metric: str = "") -> list[str]:
    """At most one remark: the questions without a score."""
    return without_scores("question", output.scores[metric or gold.main], gold.unit_names.__getitem__)


FAMILY = Family(
    name="answers", version=1, reader="Evaluation logs", columns=COLUMNS, count=count, remarks=remarks, whole=False,
    answers=True,
)  # fmt: skip


@lru_cache(maxsize=1_000)
def metric_by(name: str, higher_is_better: bool) -> Metric:
    """The metric of that name in the logs."""
    counted = partial(count, metric=name), partial(remarks, metric=name)
    family = replace(FAMILY, name=f"{BY[higher_is_better]}{name}", count=counted[0], remarks=counted[1])
    return Metric(
        name=name,
        what=f"mean of {name} over questions, as in the logs",
        family=family,
        columns=COLUMNS,
        score=mean,
        higher_is_better=higher_is_better,
        scale="",
    )


def metrics_in(gold: Questions) -> dict[str, Metric]:
    """The metrics of the logs by name, this task's own first."""
    names = dict.fromkeys((*gold.own, *gold.metrics))
    return {name: metric_by(name, gold.metrics[name]) for name in names}


def metric_of_family(family: str) -> Metric | None:
    """The metric of the logs whose family has this name; None for other families."""
    better = next((better for better, by in BY.items() if family.startswith(by)), None)
    return None if better is None else metric_by(family.removeprefix(BY[better]), better)
