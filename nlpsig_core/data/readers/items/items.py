"""Items: a gold with one answer an item, and how the answers of an output are matched with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TextIO

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.base.words import count
from nlpsig_core.data.readers.base import Read
from nlpsig_core.data.readers.items.answers import KINDS, Column
from nlpsig_core.data.readers.items.columns import gold_columns, index_column, output_answer, output_key
from nlpsig_core.data.readers.items.rows import Rows, plain_name, read_rows


class Answers(NamedTuple):
    """The answers of an output by unit, in the form of ``Items.answers``; labels that the gold lacks; and notes."""

    values: Any
    notes: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Items:
    """The items of a gold, with one answer each.

    ``answers`` are, by ``kind``: of Labels codes of ``classes`` (units,), whole numbers; an output has -1 for a missing
    one, and K + i for the i-th label that the K classes lack. Of Label sets whole numbers (units, K + 1): 1 for each
    class of the unit, and how many labels the classes lack. Of Numbers floats (units,), NaN where missing. Of Strings
    a tuple, None where missing. ``classes`` are in order: numbers by number, else by the alphabet; those of Numbers
    are the two values of the gold, if it has just two. ``keys``, ``texts``, ``documents`` and ``domains`` are by unit,
    or empty if the file does not have them. ``key_parts`` are the cells of ``keys`` by column, ``names`` the names of
    these columns and of the answer's.
    """

    name: str
    kind: str
    answers: Any
    classes: tuple[str, ...]
    lines: np.ndarray
    keys: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    key_parts: tuple[Sequence[str], ...] = ()
    names: tuple[str, ...] = ("",)

    @property
    def n_units(self) -> int:
        """Number of items."""
        return len(self.lines)

    @cached_property
    def units(self) -> dict[str, int]:
        """The unit of each key."""
        return dict(zip(self.keys, range(self.n_units), strict=True))

    def answers_of(self, output: Rows) -> Answers:
        """Return the answers of an output by unit; FileError if it cannot be matched at all.

        The first of several rows of an item counts; items without a row are missing.
        """
        key = output_key(output, [set(part) for part in self.key_parts], self.names[:-1]) if self.keys else ()
        rows, notes = self._by_key(output, key) if key else self._by_order(output)
        answer, more = output_answer(output, key, self.kind, self.classes, self.names[-1])
        coded = KINDS[self.kind].output(Column(output.name, output.columns[answer], output.lines), self.classes)
        values = KINDS[self.kind].placed(coded.values, rows)
        return Answers(values, (*output.notes, *notes, *more, *coded.notes), coded.unknown)

    def _by_key(self, output: Rows, key: tuple[int, ...]) -> tuple[np.ndarray, list[str]]:
        """Return the row of each unit, -1 where there is none, and notes on ids."""
        keys = _joined([output.columns[column] for column in key])
        units = np.fromiter((self.units.get(key, -1) for key in keys), np.int64, len(keys))
        rows = np.full(self.n_units, -1)
        known = np.flatnonzero(units >= 0)[::-1]
        rows[units[known]] = known
        notes = []
        if len(again := np.setdiff1d(known, rows)):
            notes.append(_ids("id occurs", "ids occur", again, keys, output) + " again; the first answer counts")
        if len(unknown := np.flatnonzero(units < 0)):
            notes.append(_ids("id is", "ids are", unknown, keys, output) + " not in the gold")
        if len(known) == 0 and len(keys):
            reason = f"none of the ids is in the gold; the first is {keys[0]!r}, the gold's {self.keys[0]!r}"
            raise FileError(output.name, int(output.lines[0]), reason)
        return rows, notes + self._missing(rows)

    def _missing(self, rows: np.ndarray) -> list[str]:
        without = np.flatnonzero(rows < 0)
        if not len(without):
            return []
        first = f"line {self.lines[without[0]]} of {self.name}"
        named = f"{self.keys[without[0]]!r}, {first}" if self.keys else first
        return [f"no answer for {len(without):,} of {count(self.n_units, 'item')} (first: {named})"]

    def _by_order(self, output: Rows) -> tuple[np.ndarray, list[str]]:
        """Return the row of each unit, by a column that numbers the items, or else by their order."""
        column, first = index_column(output, self.n_units)
        if column >= 0:
            rows = np.full(self.n_units, -1)
            rows[np.array(list(map(int, output.columns[column]))) - first] = np.arange(output.n_units)
            return rows, self._missing(rows)
        if output.n_units != self.n_units:
            line = int(output.lines[min(self.n_units, output.n_units - 1)]) if output.n_units else None
            reason = f"{count(output.n_units, 'answer')}, but the gold has {self.n_units:,}, and no column has its ids"
            raise FileError(output.name, line, f"{reason}; give each item a line, in the order of the gold")
        notes = [f"no column has the ids of {self.name}; answers are matched by order"] if self.keys else []
        return np.arange(self.n_units), notes


def _ids(one: str, several: str, rows: np.ndarray, keys: Sequence[str], output: Rows) -> str:
    first = f"(first: {keys[rows[0]]!r}, line {output.lines[rows[0]]})"
    return f"{count(len(rows), one, several)} {first}".replace(f" {first}", "", 0)


def _joined(parts: Sequence[Sequence[str]]) -> list[str]:
    """Return the key of each row, of cells without outer spaces."""
    stripped = [list(map(str.strip, part)) for part in parts]
    return stripped[0] if len(stripped) == 1 else list(map(" ".join, zip(*stripped, strict=True)))


def read_items(kind: str, files: Sequence[tuple[TextIO, str]], read: Read = read_rows) -> Items:
    """Return the items of a gold whose answers are of a kind."""
    (stream, name), *_ = files
    rows = read(stream, name)
    if not rows.n_units:
        raise FileError(name, None, "no answer; the gold has only names of columns")
    columns = gold_columns(rows, kind)
    answers, classes = KINDS[kind].gold(Column(name, rows.columns[columns.answer], rows.lines))
    parts = [list(map(str.strip, rows.columns[column])) for column in columns.key]
    names = [plain_name(rows.header[column]) if rows.header else "" for column in (*columns.key, columns.answer)]
    return Items(
        name=name,
        kind=kind,
        answers=answers,
        classes=classes,
        lines=rows.lines,
        keys=tuple(_joined(parts)) if parts else (),
        texts=_column(rows, columns.text),
        documents=_column(rows, columns.document),
        domains=_column(rows, columns.domain),
        notes=rows.notes,
        key_parts=tuple(parts),
        names=tuple(names),
    )


def _column(rows: Rows, column: int) -> tuple[str, ...]:
    return tuple(map(str.strip, rows.columns[column])) if column >= 0 else ()
