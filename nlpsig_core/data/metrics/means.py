"""Means of scores given by other means: of units in a table, and of a model's answers in the logs of an evaluation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import count, plural
from nlpsig_core.data.metrics.base import Family, Metric, mean, share
from nlpsig_core.data.readers.logs.evaluations import ATTEMPTED, SOLVED, Answers, Questions
from nlpsig_core.data.readers.tables.scores import ScoredUnits, Scores

UNIT_COLUMNS, QUESTION_COLUMNS = ("sum", "units"), ("sum", "questions")
# How many units without a score a remark names.
NAMED = 5
# Before the name of a metric, where it names a family, by whether a higher value is better and it is a share.
BY = {
    (True, False): "answers by ",
    (False, False): "answers, lower is better, by ",
    (True, True): "outcomes by ",
    (False, True): "outcomes, lower is better, by ",
}


def count_scores(gold: ScoredUnits, output: Scores) -> np.ndarray:
    """Count the score of each unit and 1, (units, 2), reals; NaN for units without a score.

    Raises FileError if the number of units differs from the table's, or if no unit has a score.
    """
    if output.n_units != gold.n_units:
        raise FileError(output.name, None, f"{output.n_units} scores where the table has {gold.n_units} units")
    if np.isnan(output.values).all():
        raise FileError(output.name, None, "no score at all")
    return _with_ones(output.values)


def _with_ones(scores: np.ndarray) -> np.ndarray:
    return np.stack([scores, np.where(np.isnan(scores), np.nan, 1.0)], axis=1)


def remarks_on_scores(gold: ScoredUnits, output: Scores) -> list[str]:
    """Return at most one remark: the units without a score."""
    return _without_scores("unit", output.values, lambda unit: f"{gold.units[unit]} (line {output.lines[unit]})")


def _without_scores(thing: str, scores: np.ndarray, name: Callable[[int], str]) -> list[str]:
    missing = np.flatnonzero(np.isnan(scores)).tolist()
    if not missing:
        return []
    more = f" and {len(missing) - NAMED:,} more" if len(missing) > NAMED else ""
    return [f"no score for {plural(len(missing), thing)} {', '.join(map(name, missing[:NAMED]))}{more}"]


def count_answers(gold: Questions, output: Answers, metric: str = "") -> np.ndarray:
    """Count the score of each question by a metric (the task's main one) and 1, (questions, 2); NaN without an answer.

    Raises FileError if the numbers of questions differ, the task does not have the metric, or no question has a score.
    """
    name = metric or gold.main
    if output.n_units != gold.n_units:
        raise FileError(output.name, None, f"{output.n_units} answers where the task has {gold.n_units} {gold.unit}s")
    if name not in output.scores:
        raise FileError(output.name, None, f"this task has no {name}; it has {', '.join(gold.own) or 'no metric'}")
    if not metric and not gold.metrics[name]:
        raise FileError(output.name, None, f"of {name}, a lower value is better; choose it as the metric")
    scores = output.scores[name]
    if np.isnan(scores).all():
        raise FileError(output.name, None, f"no score by {name}")
    return _with_ones(scores)


def remarks_on_answers(gold: Questions, output: Answers, metric: str = "") -> list[str]:
    """Return at most two remarks: the questions without a score, and those not solved for lack of an outcome."""
    name = metric or gold.main
    notes = _without_scores(gold.unit, output.scores[name], gold.unit_names.__getitem__)
    return notes + (_without_outcomes(gold, output, name) if name in gold.percent else [])


def _without_outcomes(gold: Questions, output: Answers, metric: str) -> list[str]:
    scores = output.scores[metric]
    missing = np.flatnonzero(np.isnan(output.scores.get(f"{SOLVED}{ATTEMPTED}", scores)) & (scores == 0))
    if not len(missing):
        return []
    of = f"{len(missing):,} of {count(gold.n_units, gold.unit)}"
    return [f"{of} without an outcome (first: {gold.unit_names[missing[0]]}); counted as not solved"]


SCORES = Family(
    name="scores",
    version=1,
    reader="Score table",
    columns=UNIT_COLUMNS,
    count=count_scores,
    remarks=remarks_on_scores,
    whole=False,
)
ANSWERS = Family(
    name="answers",
    version=1,
    reader="Evaluation logs",
    columns=QUESTION_COLUMNS,
    count=count_answers,
    remarks=remarks_on_answers,
    whole=False,
    answers=True,
)


@lru_cache(maxsize=1_000)
def log_metric(name: str, higher_is_better: bool, percent: bool = False) -> Metric:
    """Return the metric of that name in logs: the mean of the scores that a harness gave to a model's answers.

    It is a percentage for shares of 0 to 1.
    """
    family = replace(
        ANSWERS,
        name=f"{BY[higher_is_better, percent]}{name}",
        count=partial(count_answers, metric=name),
        remarks=partial(remarks_on_answers, metric=name),
    )
    return Metric(
        name=name,
        what=f"mean of {name} over questions or instances",
        family=family,
        columns=QUESTION_COLUMNS,
        score=share if percent else mean,
        higher_is_better=higher_is_better,
        scale="%" if percent else "",
    )


def log_metrics(gold: Questions) -> dict[str, Metric]:
    """Return the metrics of the logs by name, this task's own first."""
    names = dict.fromkeys((*gold.own, *gold.metrics))
    return {name: log_metric(name, gold.metrics[name], name in gold.percent) for name in names}


def family_metric(family: str) -> Metric | None:
    """Return the metric of the logs whose family has this name; None for other families."""
    kind = next((kind for kind, by in BY.items() if family.startswith(by)), None)
    return None if kind is None else log_metric(family.removeprefix(BY[kind]), *kind)
