"""Judgements of documents by topic (TREC's qrels, BEIR's, and JSON): text stream -> Judgements."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import count
from nlpsig_core.data.readers.rankings.queries import queries_of
from nlpsig_core.data.readers.rankings.rows import BEIR, NESTED, SHOWN, Rows, by_spaces, read_rows
from nlpsig_core.data.readers.tables.scores import is_number

COLUMNS = ("topic", "iteration", "document", "grade")
SHORT = ("topic", "document", "grade")
GRADE = re.compile(r"[-+]?[0-9]{1,9}")
NESTED_GRADES = re.compile(NESTED.pattern + r'\s*"[^"]*"\s*:\s*-?[0-9]{1,9}\s*[,}]')
# What trec_eval has room for grows with the largest grade.
LARGEST_GRADE = 10_000
# The second column of judgements in files that may be anything else; other numbers, if topics are numbers and documents
# are not.
ITERATIONS = frozenset(("0", "Q0", "q0"))


@dataclass(frozen=True, eq=False, kw_only=True)
class Judgements:
    """The judgements of a test collection: for each topic, the grade of each judged document.

    ``topics`` are in the order of the file, ``grades`` by unit; a document is relevant from grade 1 on. ``queries``
    are the texts of the topics, "" where there is none, or empty if no text is known.
    """

    name: str
    topics: tuple[str, ...]
    grades: tuple[Mapping[str, int], ...]
    queries: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def n_units(self) -> int:
        """Number of topics."""
        return len(self.topics)

    @property
    def unit_names(self) -> tuple[str, ...]:
        """The topics."""
        return self.topics

    @property
    def unit_texts(self) -> tuple[str, ...]:
        """The queries, or nothing."""
        return self.queries


def looks_like_judgements(head: str) -> bool:
    """Return whether lines are a topic, 0, Q0 or a round, a document, a whole number; or BEIR's, or grades in JSON."""
    plain = by_spaces(head)
    rows = list(filter(None, (line.split() for line in plain.split("\n")[:-1] or [plain])))[plain is not head :]
    if rows[:1] == [BEIR] or NESTED_GRADES.match(head):
        return True
    return bool(rows) and all(
        len(row) == len(COLUMNS) and _iterated(*row[:3]) and GRADE.fullmatch(row[-1]) for row in rows
    )


def _iterated(topic: str, iteration: str, document: str) -> bool:
    return iteration in ITERATIONS or (is_number(topic) and is_number(iteration) and not is_number(document))


def read_judgements(files: Sequence[tuple[TextIO, str]]) -> Judgements:
    """Return the judgements of a file, with the queries of files of topics beside it.

    The last of several judgements of a document counts. FileError for a grade that is not a whole number, or too large.
    """
    (stream, name), *others = files
    rows = read_rows(stream, name, COLUMNS, SHORT)
    if not any(rows.columns.values()):
        raise FileError(name, None, f"there are no judgements; a line needs {' '.join(SHORT)}")
    grades = _grades(rows, name)
    by_topic: dict[str, dict[str, int]] = {}
    for topic, document, grade in zip(rows.columns["topic"], rows.columns["document"], grades, strict=True):
        by_topic.setdefault(topic, {})[document] = grade
    topics = tuple(by_topic)
    queries, more = queries_of(topics, others)
    notes = [*_on_grades(rows, grades), *_on_topics(by_topic), *more]
    return Judgements(name=name, topics=topics, grades=tuple(by_topic.values()), queries=queries, notes=tuple(notes))


def _grades(rows: Rows, name: str) -> list[int]:
    cells = rows.columns["grade"]
    for cell in dict.fromkeys(cells):
        if not GRADE.fullmatch(cell) or abs(int(cell)) > LARGEST_GRADE:
            reason = f"the grade {cell[:SHOWN]!r} is not a whole number from {-LARGEST_GRADE:,} to {LARGEST_GRADE:,}"
            raise rows.error(name, cells.index(cell), reason)
    return list(map(int, cells))


def _on_grades(rows: Rows, grades: Sequence[int]) -> list[str]:
    """Return notes on documents that are judged again, and on negative grades."""
    first: dict[tuple[str, str], int] = {}
    pairs = zip(rows.columns["topic"], rows.columns["document"], strict=True)
    again = [row for row, pair in enumerate(pairs) if first.setdefault(pair, row) != row]
    negative = [row for row, grade in enumerate(grades) if grade < 0]
    notes = []
    if again:
        what = count(len(again), "document is judged again", "documents are judged again")
        notes.append(f"{what} (first: {rows.place(again[0])}); the last judgement counts")
    if negative:
        what = count(len(negative), "grade is negative", "grades are negative")
        notes.append(f"{what} (first: {rows.place(negative[0])}); such documents count as not relevant")
    return notes


def _on_topics(by_topic: Mapping[str, Mapping[str, int]]) -> list[str]:
    without = [topic for topic, grades in by_topic.items() if max(grades.values()) < 1]
    if not without:
        return []
    what = count(len(without), "topic has no relevant document", "topics have no relevant document")
    return [f"{what} (first: {without[0]}); they count as topics, as in trec_eval -c"]
