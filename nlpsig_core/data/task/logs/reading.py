"""The logs of one task of an evaluation, read: its questions with their fields, and each model's answers and scores."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from nlpsig_core.base.digests import digest
from nlpsig_core.base.words import one_line, printable, whole_number
from nlpsig_core.data.readers.base import COLUMN_MARK
from nlpsig_core.data.readers.logs.evaluations import (
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

MOST_OF_A_NAME = 200
# Before the name of a field, where it stands among files.
FIELD = f"field{COLUMN_MARK}"
# Fields of a dataset that can have a role, the most likely ones first; a document groups several questions.
USUAL_FIELDS = {
    "document": (
        "document document_id doc_name passage passage_id story story_id paragraph paragraph_id article article_id "
        "context context_id cluster group group_id"
    ).split(),
    "domain": "domain subject category repository repo subset genre topic".split(),
}
# Roles can be chosen for this many fields; values of more characters are texts, which are numbered.
MOST_FIELDS, LONGEST_NAME = 40, 40


@dataclass(eq=False)
class Fields:
    """The values of fields by question, digests of long ones; only of those that can be needed.

    ``given`` are the roles that the user gives to fields.
    """

    given: Mapping[str, str] = field(default_factory=dict)
    names: dict[str, None] = field(default_factory=dict)
    values: dict[str, dict[str, str | bytes]] = field(default_factory=dict)

    def add(self, question: str, fields: Mapping[str, Any]) -> None:
        """Note the values of a question's fields."""
        for name, value in fields.items():
            if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
                continue
            if len(self.names) < MOST_FIELDS or name in self.given:
                self.names.setdefault(name)
            if name in self.given or any(name in usual for usual in USUAL_FIELDS.values()):
                text = one_line(str(value))
                short: str | bytes = text if len(text) <= LONGEST_NAME else digest(text.encode()).encode()
                self.values.setdefault(name, {}).setdefault(question, short)

    def chosen(self, role: str) -> str:
        """Return the field with a role: the user's choice, else the first usual one that groups questions."""
        given = (name for name in self.values if self.given.get(name) == role)
        usual = (name for name in USUAL_FIELDS[role] if name in self.values and name not in self.given)
        return next(given, "") or next(filter(self._grouped, usual), "")

    def _grouped(self, name: str) -> bool:
        values = self.values[name].values()
        return 1 < len(set(values)) < len(values)

    def labels(self, role: str) -> dict[str, str]:
        """Return the document or domain of each question that has one; {} if they are not known.

        They are the values of the field with that role on one line; if some are texts, all are numbered.
        """
        name = self.chosen(role)
        values = self.values.get(name, {})
        texts = any(isinstance(value, bytes) for value in values.values())
        numbers = {value: f"{name} {number}" for number, value in enumerate(dict.fromkeys(values.values()), 1)}
        return {question: numbers[value] if texts else str(value) for question, value in values.items()}


def roles_of_fields(tasks: Iterable[Fields]) -> dict[str, str]:
    """Return the role of each field in some task, by its path."""
    roles: dict[str, str] = {}
    for fields in tasks:
        used = {fields.chosen(role): role for role in USUAL_FIELDS}
        for name in fields.names:
            if roles.get(f"{FIELD}{name}", "not used") == "not used":
                roles[f"{FIELD}{name}"] = fields.given.get(name, used.get(name, "not used"))
    return roles


class Row(NamedTuple):
    """An answer that is kept: the question's content, its scores by metric, the line of its sample, and texts."""

    content: bytes
    scores: dict[str, float]
    line: int = 0
    answer: str = ""
    response: str = ""


@dataclass(eq=False)
class Log:
    """A log that was read: its answers by run and question, and the contents and prompts of the questions."""

    path: str
    about: About
    _: KW_ONLY
    rows: dict[str, dict[str, Row]] = field(default_factory=dict)
    prompts: dict[str, str] = field(default_factory=dict)
    metrics: dict[str, bool] = field(default_factory=dict)
    faults: list[tuple[int | None, str]] = field(default_factory=list)

    def add(self, sample: Sample) -> None:
        """Keep a sample: the scores of further filters are added to the first one's, another one is a fault."""
        scores = {metric: score for metric, value in sample.scores.items() if (score := score_of(value)) is not None}
        for metric in sample.scores:
            self.metrics[metric] = self.metrics.get(metric, False) or metric in scores
        rows = self.rows.setdefault(sample.run, {})
        before = rows.get(sample.name)
        if before is None:
            self.prompts[sample.name] = sample.prompt
            answer, response = (shortened(text, MOST_OF_AN_ANSWER) for text in (sample.answer, sample.response))
            rows[sample.name] = Row(sample.content, scores, line=sample.line, answer=answer, response=response)
        elif before.content != sample.content or before.scores.keys() & scores.keys():
            reason = f"question {sample.name} was already on line {before.line}; the first is used"
            self.faults.append((sample.line, reason))
        else:
            before.scores.update(scores)

    def reducible(self) -> dict[str, tuple[str, str]]:
        """Return the metrics with a number for some question, each with its name in the log and its reducer.

        The reducer is the mean, or one that the metric's own name ends with.
        """
        plain = {
            name if by == MEAN else f"{name},{by}": (name, by)
            for name, numeric in self.metrics.items()
            if numeric
            for by in self.about.reducers
            if reducer(by) is not None
        }
        return plain | dict(self.about.reduced)

    def score(self, question: str, content: bytes, metric: str, by: str) -> float:
        """Return the score of all answers to a question by a metric and a reducer, NaN if there is none."""
        runs = [self.rows[run] for run in sorted(self.rows, key=lambda run: whole_number(run) or 0)]
        rows = (run[question] for run in runs if question in run and run[question].content == content)
        scores = [row.scores[metric] for row in rows if metric in row.scores]
        reduce = reducer(by)
        return reduce(scores) if scores and reduce else math.nan


@dataclass(eq=False)
class LoggedTask:
    """A task with its logs: its questions by name and content, in the order of the logs, and their fields."""

    name: str
    fields: Fields
    _: KW_ONLY
    questions: dict[str, dict[bytes, Question]] = field(default_factory=dict)
    logs: list[Log] = field(default_factory=list)

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

    @property
    def models(self) -> dict[str, list[Log]]:
        """The logs of each model: one, or one for each part of the task."""
        models: dict[str, list[Log]] = {}
        for log in self.logs:
            models.setdefault(log.about.model, []).append(log)
        return models

    @cached_property
    def contents(self) -> dict[str, bytes]:
        """The content of each question that most of the logs have; of equals, the first one's."""
        usual = {name: next(iter(contents)) for name, contents in self.questions.items()}
        for name in (name for name, contents in self.questions.items() if len(contents) > 1):
            rows = (run[name] for log in self.logs for run in log.rows.values() if name in run)
            usual[name] = Counter(row.content for row in rows).most_common(1)[0][0]
        return usual

    @cached_property
    def metrics(self) -> dict[str, tuple[str, str]]:
        """The metrics of its logs (``Log.reducible``), the first log's first."""
        named = {metric: source for log in self.logs for metric, source in log.reducible().items()}
        # Of pass@k and the like, only those for which every log has enough answers, and some log has several.
        several = any(len(log.rows) > 1 for log in self.logs)
        reduced = (metric for log in self.logs for metric in log.about.reduced)
        lacking = {m for m in reduced if not (several and all(m in log.about.reduced for log in self.logs))}
        return {metric: source for metric, source in named.items() if metric not in lacking}


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
