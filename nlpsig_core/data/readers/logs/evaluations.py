"""Evaluations of language models: the questions of a task, and a model's answers with their scores by any metric."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple, TextIO

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.logs.reducers import MEAN
from nlpsig_core.data.readers.tables.scores import LARGEST, is_number

# The most characters that are kept of a prompt or an answer.
MOST_OF_A_QUESTION, MOST_OF_AN_ANSWER = 4_000, 2_000
# The metric of outcomes, whatever a column or a key calls it.
SOLVED = "solved"
# The end of the name of an outcome that does not count what was not attempted.
ATTEMPTED = "-attempted"
# Outcomes as words.
WORDS = dict.fromkeys("true yes pass passed solved resolved success y t".split(), 1.0)
WORDS |= dict.fromkeys("false no fail failed unsolved unresolved failure n f".split(), 0.0)
# Takes a line number and a reason.
Fault = Callable[[int | None, str], None]


class About(NamedTuple):
    """The task and the model of a log, when it was made (sorts as text), and the version of the task.

    Of the logs of one model and task, the newest is used; those that do not say when they were ``made`` are joined.
    ``written_by`` names an unknown version of the harness or of the format, and ``incomplete`` says why samples may be
    missing. ``higher`` is whether a higher value is better, for metrics of which the harness says so. ``reducers``
    reduce several answers to a question.

    ``outcome`` is the metric that is a share of attempts that solved a question: a question that the log does not have
    is not solved. ``listed`` logs have no more than lists of the solved questions and perhaps of others: they lack
    unsolved ones if ``only_solved``, and of a task with a ``total``, those that no log names are not solved. ``placed``
    means that only the place of the file names the task.
    """

    task: str
    model: str
    made: str
    version: str = ""
    written_by: str = ""
    incomplete: str = ""
    higher: Mapping[str, bool] = {}
    reducers: tuple[str, ...] = (MEAN,)
    outcome: str = ""
    listed: bool = False
    only_solved: bool = False
    total: int = 0
    placed: bool = False


class Sample(NamedTuple):
    """One answer of a log: ``line`` is where it begins, ``run`` numbers several answers to a question.

    ``content`` distinguishes questions of the same ``name``, and ``prompt`` their prompts. ``question`` returns the
    question; ``fields`` are the dataset's, by name. ``scores`` may hold anything; ``answer`` is what was scored,
    "" if that is the whole ``response``. ``unread`` means that the outcome cannot be read, so that the
    question is neither solved nor unsolved.
    """

    line: int
    name: str
    question: Callable[[], Question]
    scores: Mapping[str, Any]
    run: str = ""
    content: bytes = b""
    prompt: str = ""
    fields: Mapping[str, Any] = {}
    answer: str = ""
    response: str = ""
    unread: bool = False


class Question(NamedTuple):
    """The text of a question, the right answer, and the choices of a multiple-choice question."""

    text: str
    target: str
    choices: tuple[str, ...] = ()


# Yields the answers of a log, and calls ``fault`` for each that cannot be read.
Samples = Callable[[Fault], Iterable[Sample]]
Load = Callable[[], bytes]
Logs = Callable[[Load, str, bytes | None], Iterable[tuple[About, Samples]]]


def _nothing_beside(path: str) -> str:
    return ""


@dataclass(frozen=True, kw_only=True)
class LogFormat:
    """Files of logs, each with one model's answers to the questions of one task.

    Its files have one of ``endings``. ``recognises(path, head)`` takes the path and a function that returns the
    beginning of the file, of a usual length or the one that it is given; files that it recognises may be outputs of
    other formats if there is a gold and they are ``not_beside_gold``. ``beside(path)`` is the path of a file with more
    on the log, or "". ``logs(load, path, content of that file)`` returns the logs of a file, and raises FileError if it
    has none. Formats that keep all of a file in memory are ``whole``. ``unit`` is their word for a question.
    """

    name: str
    endings: tuple[str, ...]
    recognises: Callable[[str, Callable[..., str]], bool]
    logs: Logs
    beside: Callable[[str], str] = _nothing_beside
    not_beside_gold: bool = False
    whole: bool = False
    unit: str = "question"


def one_log(
    about: Callable[[Load, str, bytes | None], About],
    samples: Callable[[bytes, str, Fault], Iterator[Sample]],
    load: Load,
    path: str,
    beside: bytes | None,
) -> Iterator[tuple[About, Samples]]:
    """Yield the ``logs`` of a format whose files have one log each: what it says of its task, and its samples."""
    yield about(load, path, beside), lambda fault: samples(load(), path, fault)


@dataclass(frozen=True, kw_only=True)
class Questions:
    """The questions of a task, in the order in which the models' logs have them.

    ``metrics`` are those that the logs of any task have, with whether a higher value is better; ``own`` are this
    task's, ``main`` is its first, and ``one_main`` says whether all tasks have the same. ``percent`` are those that are
    shares. ``documents`` and ``domains`` are empty if not known.
    """

    name: str
    unit_names: tuple[str, ...]
    questions: tuple[Question, ...]
    documents: tuple[str, ...]
    domains: tuple[str, ...]
    metrics: Mapping[str, bool]
    own: tuple[str, ...]
    main: str
    one_main: bool
    percent: frozenset[str] = frozenset()
    unit: str = "question"
    notes: tuple[str, ...] = ()

    @property
    def n_units(self) -> int:
        """Number of questions."""
        return len(self.unit_names)

    @property
    def unit_texts(self) -> tuple[str, ...]:
        """The text of each question."""
        return tuple(question.text for question in self.questions)


@dataclass(frozen=True, eq=False, kw_only=True)
class Answers:
    """A model's answers: scores (units,) by metric, NaN where there is none, and the line of the log for each.

    ``lines`` are 0, ``answers`` and ``responses`` "" for questions without an answer.
    """

    name: str
    scores: Mapping[str, np.ndarray]
    lines: tuple[int, ...]
    answers: tuple[str, ...]
    responses: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def n_units(self) -> int:
        """Number of questions."""
        return len(self.lines)


def attempts(names: Sequence[str]) -> list[str]:
    """Return the number of each answer among those to its question, by the names of questions; "" if none has two."""
    if len(set(names)) == len(names):
        return [""] * len(names)
    before: Counter[str] = Counter()
    numbers = []
    for name in names:
        before[name] += 1
        numbers.append(str(before[name]))
    return numbers


def outcome_of(value: Any) -> float | None:
    """Return an outcome from 0 to 1, of a number, a truth value or a word; None for anything else."""
    if isinstance(value, str):
        value = value.strip().lower()
        value = WORDS.get(value, float(value) if is_number(value) else None)
    score = score_of(value)
    return score if score is not None and 0 <= score <= 1 else None


def not_an_outcome(name: str, value: Any) -> str:
    """Return why a value is no outcome."""
    return f"{name} is {str(value)[:40]!r}, neither true or false nor from 0 to 1; no outcome"


def shortened(text: str, most: int) -> str:
    """Return the text, without its middle if it has more than ``most`` characters."""
    return text if len(text) <= most else f"{text[: most // 2]} … {text[-most // 2 :]}"


def score_of(value: Any) -> float | None:
    """Return the score of a log's value, a number or a truth value; None for anything else, and for NaN."""
    if isinstance(value, bool | int | float) and abs(value) <= LARGEST:
        return float(value)
    return None


def written(about: Mapping[str, Any], rows: Iterator[list[Any]]) -> bytes:
    """Return the lines that ``read_questions`` and ``read_answers`` read: one for all, then a row for each question."""
    import orjson

    return b"".join(orjson.dumps(line) + b"\n" for line in (about, *rows))


def _lines(stream: TextIO, name: str) -> Iterator[Any]:
    import orjson

    for number, line in enumerate(stream, 1):
        try:
            yield orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise FileError(name, number, f"not JSON ({error})") from None


def read_questions(files: list[tuple[TextIO, str]]) -> Questions:
    """Return the questions of a task, from the lines that its logs were joined to."""
    ((stream, name),) = files
    lines = _lines(stream, name)
    about = next(lines)
    names, texts, targets, choices, documents, domains = zip(*lines, strict=True)
    return Questions(
        name=name,
        unit_names=names,
        questions=tuple(map(Question, texts, targets, map(tuple, choices))),
        documents=documents if any(documents) else (),
        domains=domains if any(domains) else (),
        metrics=about["metrics"],
        own=tuple(about["own"]),
        main=about["main"],
        one_main=about["one_main"],
        percent=frozenset(about["percent"]),
        unit=about["unit"],
    )


def read_answers(stream: TextIO, name: str) -> Answers:
    """Return a model's answers, from a line with the metrics, then line, answer, response and scores of each."""
    lines = _lines(stream, name)
    metrics = next(lines)["metrics"]
    rows = list(lines)
    scores = np.array([list(islice(row, 3, None)) or [None] * len(metrics) for row in rows], dtype=np.float64)
    return Answers(
        name=name,
        scores=dict(zip(metrics, scores.T, strict=True)),
        lines=tuple(row[0] for row in rows),
        answers=tuple(row[1] for row in rows),
        responses=tuple(row[2] for row in rows),
    )
