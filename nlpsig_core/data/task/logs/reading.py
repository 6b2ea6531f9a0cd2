"""The logs of one task of an evaluation, read: its questions with their fields, and each model's answers and scores."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property, lru_cache
from statistics import fmean
from typing import NamedTuple

from nlpsig_core.base.words import printable, whole_number
from nlpsig_core.data.readers.logs.evaluations import (
    ATTEMPTED,
    MOST_OF_A_QUESTION,
    MOST_OF_AN_ANSWER,
    About,
    Question,
    Sample,
    Samples,
    score_of,
    shortened,
)
from nlpsig_core.data.readers.logs.reducers import MEAN, reducer
from nlpsig_core.data.task.logs.fields import Fields

MOST_OF_A_NAME = 200
# Pass@k is offered for these k.
ATTEMPTS = (*range(1, 11), 16, 20, 25, 32, 50, 64, 100, 128, 200, 256, 500, 512, 1000)
# A total counts if it is at most this.
LARGEST_TOTAL = 10_000


class Row(NamedTuple):
    """An answer that is kept: the question's content, its scores by metric, the line of its sample, and texts."""

    content: bytes
    scores: dict[str, float]
    line: int = 0
    answer: str = ""
    response: str = ""
    unread: bool = False


@dataclass(eq=False)
class Log:
    """A log that was read: its answers by run and question, and the contents and prompts of the questions.

    It may be made of several files of a model; ``repeated`` says that some of them have the same questions.
    """

    path: str
    about: About
    _: KW_ONLY
    rows: dict[str, dict[str, Row]] = field(default_factory=dict)
    prompts: dict[str, str] = field(default_factory=dict)
    metrics: dict[str, bool] = field(default_factory=dict)
    faults: list[tuple[int | None, str]] = field(default_factory=list)
    repeated: bool = False

    def add(self, sample: Sample) -> None:
        """Keep a sample: the scores of further filters are added to the first one's, another one is a fault."""
        scores = {metric: score for metric, value in sample.scores.items() if (score := score_of(value)) is not None}
        for metric in sample.scores:
            self.metrics[metric] = self.metrics.get(metric, False) or metric in scores
        rows = self.rows.setdefault(sample.run, {})
        before = rows.get(sample.name)
        if before is None:
            self.prompts[sample.name] = sample.prompt
            response = sample.response if sample.response.strip() != sample.answer.strip() else ""
            texts = (sample.answer, response) if sample.answer else (sample.response, "")
            answer, response = (shortened(text, MOST_OF_AN_ANSWER) for text in texts)
            rows[sample.name] = Row(sample.content, scores, sample.line, answer, response, sample.unread)
        elif before.content != sample.content or before.scores.keys() & scores.keys():
            reason = f"question {sample.name} was already on line {before.line}; the first is used"
            self.faults.append((sample.line, reason))
        else:
            before.scores.update(scores)

    def reducible(self) -> dict[str, tuple[str, str]]:
        """Return the metrics with a number for some question, each with its name in the log and its reducer.

        The reducer is the mean, or one that the metric's own name ends with.
        """
        return {
            name if by == MEAN else f"{name},{by}": (name, by)
            for name, numeric in self.metrics.items()
            if numeric
            for by in self.about.reducers
            if reducer(by) is not None
        }

    @cached_property
    def answers(self) -> dict[str, list[Row]]:
        """All answers to each question, in the order of runs."""
        answers: dict[str, list[Row]] = {}
        for run in sorted(self.rows, key=lambda run: whole_number(run) or 0):
            for name, row in self.rows[run].items():
                answers.setdefault(name, []).append(row)
        return answers

    @cached_property
    def numbers(self) -> tuple[int, int]:
        """The least and the largest number of answers with a score to a question that has one; 0 if none has."""
        numbers = [n for rows in self.answers.values() if (n := sum(bool(row.scores) for row in rows))]
        return min(numbers, default=0), max(numbers, default=0)

    @cached_property
    def outputs(self) -> dict[str, dict[str, Row]]:
        """The answers to compare by run; those of one run with means where questions differ in their number."""
        if set(self.numbers) <= {0, len(self.rows)}:
            return self.rows
        return {"": {name: _mean(rows) for name, rows in self.answers.items()}}

    def score(self, question: str, content: bytes, metric: str, by: str) -> float:
        """Return the score of all answers to a question by a metric and a reducer, NaN if there is none."""
        scores = _scores((row for row in self.answers.get(question, ()) if row.content == content), metric)
        reduce = reducer(by)
        return reduce(scores) if scores and reduce else math.nan


def _scores(rows: Iterable[Row], metric: str) -> list[float]:
    return [row.scores[metric] for row in rows if metric in row.scores]


def _mean(rows: Sequence[Row]) -> Row:
    """Return the first answer to a question with the mean scores of all."""
    rows = [row for row in rows if row.content == rows[0].content]
    metrics = dict.fromkeys(metric for row in rows for metric in row.scores)
    scores = {metric: fmean(_scores(rows, metric)) for metric in metrics}
    return rows[0]._replace(scores=scores, unread=all(row.unread for row in rows))


def joined(logs: Sequence[Log]) -> Log:
    """Return one log of all logs of a model: several answers to a question are its attempts, by number.

    Lists of solved questions add those that the other logs lack.
    """
    if len(logs) == 1:
        return logs[0]
    known = {name for log in logs if not log.about.listed for name in log.answers}
    answers: dict[str, list[Row]] = {}
    repeated = False
    for log in logs:
        for name, rows in log.answers.items():
            if not (log.about.listed and name in known):
                repeated |= name in answers
                answers.setdefault(name, []).extend(rows)
    most = max(map(len, answers.values()))
    runs = [{name: rows[n] for name, rows in answers.items() if n < len(rows)} for n in range(most)]
    return Log(
        path=logs[0].path,
        about=logs[0].about,
        rows={str(number): run for number, run in enumerate(runs, 1)},
        metrics={metric: True for log in logs for metric, numeric in log.metrics.items() if numeric},
        repeated=repeated,
    )


@dataclass(eq=False)
class LoggedTask:
    """A task with its logs: its questions by name and content, in the order of the logs, and their fields.

    ``teams`` are the folders or files of models whose place names a team in place of the task, ``unnamed`` counts the
    questions that no log names.
    """

    name: str
    fields: Fields
    _: KW_ONLY
    questions: dict[str, dict[bytes, Question]] = field(default_factory=dict)
    logs: list[Log] = field(default_factory=list)
    teams: dict[str, str] = field(default_factory=dict)
    unnamed: int = 0

    def read(self, path: str, about: About, samples: Samples) -> Log:
        """Read a log, which is added if it has answers."""
        log = Log(path, about)

        def fault(line: int | None, reason: str) -> None:
            log.faults.append((line, reason))

        for sample in map(_named, samples(fault)):
            contents = self.questions.setdefault(sample.name, {})
            if sample.content not in contents:
                contents[sample.content] = _bounded(sample.question())
                self.fields.add(sample.name, sample.fields)
            log.add(sample)
        if log.rows:
            self.logs.append(log)
        return log

    def absorb(self, other: LoggedTask) -> None:
        """Add the logs and questions of another task, whose name becomes the team of its models."""
        for task in (self, other):
            self.teams |= {log.about.model: task.name for log in task.logs if log.about.model not in self.teams}
        for name, contents in other.questions.items():
            self.questions[name] = contents | self.questions.get(name, {})
        for name, values in other.fields.values.items():
            self.fields.names.setdefault(name)
            self.fields.values[name] = values | self.fields.values.get(name, {})
        self.logs += other.logs

    @property
    def totals(self) -> set[int]:
        """How many questions logs say that there are, if they name fewer."""
        return {log.about.total for log in self.logs if log.about.total > len(self.questions)}

    def add_unnamed(self) -> None:
        """Add the questions that no log names, if logs have one plausible total."""
        if len(self.totals) == 1 and max(self.totals) <= LARGEST_TOTAL:
            self.unnamed = max(self.totals) - len(self.questions)
            self.questions |= {f"unnamed {n + 1}": {b"": Question("", "")} for n in range(self.unnamed)}

    @cached_property
    def models(self) -> dict[str, Log]:
        """The answers of each model."""
        models: dict[str, list[Log]] = {}
        for log in self.logs:
            models.setdefault(log.about.model, []).append(log)
        return {model: joined(logs) for model, logs in models.items()}

    @property
    def outcome(self) -> str:
        """The metric by which questions without an answer are not solved, "" if there is none."""
        return next((log.about.outcome for log in self.logs if log.about.outcome), "")

    @cached_property
    def untried(self) -> list[str]:
        """The questions for which no log has an outcome, or a score if outcomes are not logged."""
        scored = {
            name
            for log in self.logs
            for name, rows in log.answers.items()
            if any(self.outcome in row.scores if self.outcome else row.scores for row in rows)
        }
        return [name for name in self.questions if name not in scored]

    @cached_property
    def contents(self) -> dict[str, bytes]:
        """The content of each question that most of the logs have; of equals, the first one's.

        Questions without any score are left out, unless they count as not solved.
        """
        usual = {name: next(iter(contents)) for name, contents in self.questions.items()}
        for name in () if self.outcome else self.untried:
            del usual[name]
        for name in (name for name in usual if len(self.questions[name]) > 1):
            rows = (run[name] for log in self.logs for run in log.rows.values() if name in run)
            usual[name] = Counter(row.content for row in rows).most_common(1)[0][0]
        return usual

    @cached_property
    def metrics(self) -> dict[str, tuple[str, str]]:
        """The metrics of its logs (``Log.reducible``), the outcome first, then those made from the outcome."""
        named = {metric: source for log in self.logs for metric, source in log.reducible().items()}
        named = {metric: named[metric] for metric in (self.outcome,) if metric in named} | named
        tried = [
            name for log in self.models.values() for name in log.answers if _scores(log.answers[name], self.outcome)
        ]
        known = self.outcome in named and not any(log.about.only_solved for log in self.logs)
        missing = known and len(tried) < len(self.models) * len(self.contents)
        return named | self.passes | ({f"{self.outcome}{ATTEMPTED}": (self.outcome, MEAN)} if missing else {})

    @cached_property
    def passes(self) -> dict[str, tuple[str, str]]:
        """Pass@k for k up to the least number of attempts at a question; {} for shares, or one attempt at each."""
        attempts = [_scores(rows, self.outcome) for log in self.models.values() for rows in log.answers.values()]
        numbers = [len(scores) for scores in attempts if scores]
        if max(numbers, default=0) < 2 or not {score for scores in attempts for score in scores} <= {0, 1}:
            return {}
        return {f"pass@{k}": (self.outcome, f"pass_at_{k}") for k in ATTEMPTS if k <= min(numbers)}

    @property
    def percent(self) -> list[str]:
        """The metrics that are shares."""
        return [m for m in self.metrics if m in (self.outcome, f"{self.outcome}{ATTEMPTED}", *self.passes)]


def _named(sample: Sample) -> Sample:
    scores = {name_of(metric): value for metric, value in sample.scores.items()}
    return sample._replace(name=name_of(sample.name), run=name_of(sample.run), scores=scores)


@lru_cache(maxsize=10_000)
def name_of(name: str) -> str:
    """Return a name in a log as it can be shown in a line."""
    return printable(shortened(name, MOST_OF_A_NAME)) or "unnamed"


def _bounded(question: Question) -> Question:
    target, *choices = (shortened(text, MOST_OF_AN_ANSWER) for text in (question.target, *question.choices))
    return Question(shortened(question.text, MOST_OF_A_QUESTION), target, tuple(choices))
