"""One log of an evaluation, read: a model's answers to the questions of a task, and what of it could not be used."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from nlpsig_core.base.words import printable
from nlpsig_core.data.readers.logs.evaluations import (
    MOST_OF_A_QUESTION,
    MOST_OF_AN_ANSWER,
    About,
    LogFormat,
    Question,
    Sample,
    score_of,
    shortened,
)
from nlpsig_core.data.task.files import File
from nlpsig_core.data.task.log_fields import Fields

MOST_OF_A_NAME = 200


class Row(NamedTuple):
    """An answer that is kept: the line of its sample, the question's content, its scores by metric, and texts."""

    line: int
    content: bytes
    scores: dict[str, float]
    answer: str
    response: str


@dataclass(eq=False)
class Log:
    """A log that was read: its answers by run and question, and the contents and prompts of the questions."""

    path: str
    about: About
    rows: dict[str, dict[str, Row]] = field(default_factory=dict)
    prompts: dict[str, str] = field(default_factory=dict)
    metrics: dict[str, bool] = field(default_factory=dict)
    faults: list[tuple[int | None, str]] = field(default_factory=list)


@dataclass(eq=False)
class Asked:
    """The questions of a task: by name and content, in the order of the logs, with the values of their fields."""

    questions: dict[str, dict[bytes, Question]] = field(default_factory=dict)
    fields: Fields = field(default_factory=Fields)

    def contents(self, logs: list[Log]) -> dict[str, bytes]:
        """The content of each question that most of the logs have; of equals, the first one's."""
        usual = {name: next(iter(contents)) for name, contents in self.questions.items()}
        for name in (name for name, contents in self.questions.items() if len(contents) > 1):
            rows = (of[name] for log in logs for of in log.rows.values() if name in of)
            usual[name] = Counter(row.content for row in rows).most_common(1)[0][0]
        return usual


def read_log(log: Log, format: LogFormat, file: File, asked: Asked) -> None:
    """Fill a log with the answers that a file has."""

    def fault(line: int | None, reason: str) -> None:
        log.faults.append((line, reason))

    for sample in map(_named, format.samples(file.load(), file.path, fault)):
        contents = asked.questions.setdefault(sample.name, {})
        if sample.content not in contents:
            contents[sample.content] = _bounded(sample.question())
            asked.fields.add(sample.name, sample.fields)
        _keep(log, sample)


def _named(sample: Sample) -> Sample:
    """The sample with names that can be shown in a line."""
    scores = {name_of(metric): value for metric, value in sample.scores.items()}
    return sample._replace(name=name_of(sample.name), run=name_of(sample.run), scores=scores)


@lru_cache(maxsize=10_000)
def name_of(name: str) -> str:
    """A name in a log as it can be shown in a line."""
    return printable(shortened(name, MOST_OF_A_NAME)) or "unnamed"


def _bounded(question: Question) -> Question:
    target, *choices = (shortened(text, MOST_OF_AN_ANSWER) for text in (question.target, *question.choices))
    return Question(shortened(question.text, MOST_OF_A_QUESTION), target, tuple(choices))


def _keep(log: Log, sample: Sample) -> None:
    """Keep a sample: the scores of further filters are added to the first one's, another one is a fault."""
    scores = {metric: score for metric, value in sample.scores.items() if (score := score_of(value)) is not None}
    for metric in sample.scores:
        log.metrics[metric] = log.metrics.get(metric, False) or metric in scores
    rows = log.rows.setdefault(sample.run, {})
    before = rows.get(sample.name)
    if before is None:
        log.prompts[sample.name] = sample.prompt
        texts = (shortened(text, MOST_OF_AN_ANSWER) for text in (sample.answer, sample.response))
        rows[sample.name] = Row(sample.line, sample.content, scores, *texts)
    elif before.content != sample.content or before.scores.keys() & scores.keys():
        log.faults.append((sample.line, f"question {sample.name} was already on line {before.line}; the first is used"))
    else:
        before.scores.update(scores)
