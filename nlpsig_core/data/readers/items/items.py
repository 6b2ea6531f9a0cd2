"""Items: a gold with one answer an item, and how the answers of an output are matched with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from itertools import repeat
from pathlib import PurePosixPath
from typing import Any, NamedTuple, TextIO

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.base.words import count
from nlpsig_core.data.readers.base import DOCUMENT, Read
from nlpsig_core.data.readers.items.answers import KINDS, Column, Gold, Kind
from nlpsig_core.data.readers.items.beside import CLUSTERS, DOCUMENTS, LABEL_NAMES
from nlpsig_core.data.readers.items.columns import gold_columns, index_column, likely_key, output_answer, output_key
from nlpsig_core.data.readers.items.ids import AS_WRITTEN, FORMS, OTHER_FORMS, joined
from nlpsig_core.data.readers.items.rows import Rows, read_rows

# The most characters that are shown of a text.
SHOWN_OF_A_TEXT = 60


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
    or empty if not known; ``cluster`` is what documents are. ``key_parts`` are the cells of ``keys`` by column,
    ``answer_name`` is the name of the column of the answers, and ``other_names`` maps other names of classes to these.
    """

    name: str
    kind: str
    answers: Any
    classes: tuple[str, ...]
    lines: np.ndarray
    keys: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    cluster: str = DOCUMENT
    domains: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    key_parts: tuple[Sequence[str], ...] = ()
    answer_name: str = ""
    other_names: Mapping[str, str] = field(default_factory=dict)

    @property
    def n_units(self) -> int:
        """Number of items."""
        return len(self.lines)

    @property
    def unit_names(self) -> tuple[str, ...]:
        """The ids of the items, or nothing."""
        return self.keys

    @property
    def unit_texts(self) -> tuple[str, ...]:
        """The texts of the items, or nothing."""
        return self.texts

    def in_words(self, unit: int) -> str:
        """Return the answer of the gold to an item as its file has it, of a text the beginning."""
        answer: Any = self.answers[unit]
        if self.kind == "Labels":
            return self.classes[int(answer)]
        if self.kind == "Label sets":
            return ", ".join(self.classes[code] for code in np.flatnonzero(answer[:-1])) or "no label"
        if self.kind == "Numbers":
            return f"{answer:g}"
        return answer if len(answer) <= SHOWN_OF_A_TEXT else f"{answer[:SHOWN_OF_A_TEXT]}…"

    def beginning(self) -> list[str]:
        """Return a line for each of the first three items: its line, id, answer, document and text."""
        return [self._as_read(unit) for unit in range(min(3, self.n_units))]

    def _as_read(self, unit: int) -> str:
        parts = [f"line {self.lines[unit]}: {f'{self.keys[unit]} ' if self.keys else ''}→ {self.in_words(unit)}"]
        parts += [f"document {self.documents[unit]}"] if self.documents else []
        parts += [f"text {self.texts[unit][:SHOWN_OF_A_TEXT]!r}"] if self.texts else []
        return ", ".join(parts)

    def answers_of(self, output: Rows) -> Answers:
        """Return the answers of an output by unit; FileError if it cannot be matched at all.

        The first of several rows of an item counts; items without a row are missing.
        """
        key, form = self._key_of(output)
        index, first = (-1, 0) if key else index_column(output, self.n_units)
        if key:
            rows, notes = self._by_key(output, key, form)
        elif index >= 0:
            rows, notes = self._by_index(output, index, first)
        else:
            rows, notes = self._by_order(output)
        kind, gold = KINDS[self.kind], Gold(self.classes, self.other_names)
        answer, more = output_answer(output, key or (index,), self.kind, self.classes, self.answer_name)
        coded = kind.output(Column(output.name, output.columns[answer], output.lines), gold)
        values = kind.placed(coded.values, rows)
        missing = [f"{note}{kind.lacking}" for note in self._missing(rows, kind)]
        remarks = kind.remarks(values, self.answers)
        return Answers(values, (*output.notes, *notes, *missing, *more, *coded.notes, *remarks), coded.unknown)

    @cached_property
    def _units(self) -> dict[str, dict[str, int]]:
        """By form, the unit of each id, made when it is needed; without ids that share a form."""
        return {}

    @cached_property
    def _parts(self) -> dict[str, list[set[str]]]:
        return {}

    def _key_of(self, rows: Rows) -> tuple[tuple[int, ...], str]:
        """Return the columns of rows with the ids, and the first form in which they are those; () and "" if none."""
        for form in FORMS if self.keys else ():
            if form not in self._parts:
                self._parts[form] = [set(map(FORMS[form], part)) for part in self.key_parts]
            if key := output_key(rows, self._parts[form], FORMS[form]):
                return key, form
        return (), ""

    def _by_key(self, output: Rows, key: tuple[int, ...], form: str) -> tuple[np.ndarray, list[str]]:
        """Return the row of each unit, -1 where there is none, and notes on ids."""
        parts = [output.columns[column] for column in key]
        keys = joined(parts, AS_WRITTEN)
        if form == AS_WRITTEN and tuple(keys) == self.keys:
            return np.arange(self.n_units), []
        units = self._units_of(parts, form)
        notes = [f"ids are matched {form}"] if form != AS_WRITTEN else []
        for other in [other for other in OTHER_FORMS if other != form]:
            left = np.flatnonzero(units < 0)
            others = self._units_of([[part[row] for row in left] for part in parts], other)
            others[np.isin(others, units)] = -1
            units[left] = others
            if len(alike := left[others >= 0]):
                notes.append(_ids(f"id is matched {other}", f"ids are matched {other}", alike, keys, output))
        rows = np.full(self.n_units, -1)
        known = np.flatnonzero(units >= 0)[::-1]
        rows[units[known]] = known
        first = np.zeros(len(keys), dtype=bool)
        first[rows[rows >= 0]] = True
        again, unknown = np.flatnonzero((units >= 0) & ~first), np.flatnonzero(units < 0)
        if len(again):
            notes.append(f"{_ids('id occurs again', 'ids occur again', again, keys, output)}; the first answer counts")
        if len(unknown):
            notes.append(_ids("id is not in the gold", "ids are not in the gold", unknown, keys, output))
        return rows, notes

    def _units_of(self, parts: Sequence[Sequence[str]], form: str) -> np.ndarray:
        """Return the unit of each id in a form, -1 if none or several have it."""
        if form not in self._units:
            own = joined(self.key_parts, form)
            number = Counter(own)
            self._units[form] = {key: unit for unit, key in enumerate(own) if number[key] == 1}
        keys = joined(parts, form)
        return np.fromiter(map(self._units[form].get, keys, repeat(-1)), np.int64, len(keys))

    def _missing(self, rows: np.ndarray, kind: Kind) -> list[str]:
        without = np.flatnonzero(rows < 0)
        if not len(without):
            return []
        line = f"line {self.lines[without[0]]} of {self.name}"
        named = f"{self.keys[without[0]]!r}, {line}" if self.keys else line
        return [f"{len(without):,} of {count(self.n_units, kind.unit)} without {kind.answer} (first: {named})"]

    def _by_index(self, output: Rows, column: int, first: int) -> tuple[np.ndarray, list[str]]:
        """Return the row of each unit by a column that numbers the items from ``first``."""
        rows = np.full(self.n_units, -1)
        rows[np.array(list(map(int, output.columns[column]))) - first] = np.arange(output.n_units)
        return rows, [f"items are numbered from {first} in column {column + 1}"] if self.keys else []

    def _by_order(self, output: Rows) -> tuple[np.ndarray, list[str]]:
        """Return the row of each unit by their order; FileError if there are more or fewer, or ids of others."""
        if self.keys and (names := likely_key(output)):
            reason = f"none of the ids is in the gold; the first is {names[0].strip()!r}, the gold's {self.keys[0]!r}"
            raise FileError(output.name, int(output.lines[0]), f"{reason}; use the gold's ids")
        if output.n_units and output.n_units != self.n_units:
            line = int(output.lines[min(self.n_units, output.n_units - 1)])
            reason = f"{count(output.n_units, 'answer')}, but the gold has {self.n_units:,}, and no column has its ids"
            raise FileError(output.name, line, f"{reason}; give each item a line, in the order of the gold")
        if not output.n_units:
            return np.full(self.n_units, -1), []
        notes = [f"no column has the ids of {self.name}; answers are matched by order"] if self.keys else []
        return np.arange(self.n_units), notes


def _ids(one: str, several: str, rows: np.ndarray, keys: Sequence[str], output: Rows) -> str:
    return f"{count(len(rows), one, several)} (first: {keys[rows[0]]!r}, line {output.lines[rows[0]]})"


def read_items(kind: str, files: Sequence[tuple[TextIO, str]], read: Read = read_rows) -> Items:
    """Return the items of a gold whose answers are of a kind, with what files beside it say (BESIDE_ITEMS).

    FileError for an item without an answer, an id that occurs twice, and more than MOST_CLASSES labels.
    """
    (stream, name), *others = files
    rows = read(stream, name)
    if not rows.n_units:
        raise FileError(name, None, "no answer; the gold has only names of columns")
    columns = gold_columns(rows, kind)
    answers, classes = KINDS[kind].gold(Column(name, rows.columns[columns.answer], rows.lines))
    parts = tuple(list(map(str.strip, rows.columns[column])) for column in columns.key)
    keys = tuple(joined(parts, AS_WRITTEN)) if parts else ()
    _check_keys(rows, keys)
    items = Items(
        name=name,
        kind=kind,
        answers=answers,
        classes=classes,
        lines=rows.lines,
        keys=keys,
        texts=_column(rows, columns.text),
        documents=_column(rows, columns.document),
        cluster=rows.cluster,
        domains=_column(rows, columns.domain),
        notes=rows.notes,
        key_parts=parts,
        answer_name=rows.name_of(columns.answer),
    )
    for stream, path in others:
        items = _with(items, stream, path)
    return _with_own_documents(items)


def _with_own_documents(items: Items) -> Items:
    """Return the items, of which each without a document is one of its own."""
    blank = [unit for unit, name in enumerate(items.documents) if not name]
    if not blank or len(blank) == items.n_units:
        return replace(items, documents=() if blank else items.documents)
    names = tuple(name or f"item {unit + 1}" for unit, name in enumerate(items.documents))
    alone = f"{count(len(blank), 'item')} without a document (first: line {items.lines[blank[0]]}); each is its own"
    return replace(items, documents=names, notes=(*items.notes, alone))


def _column(rows: Rows, column: int) -> tuple[str, ...]:
    return tuple(map(str.strip, rows.columns[column])) if column >= 0 else ()


def _check_keys(rows: Rows, keys: Sequence[str]) -> None:
    """Raise FileError at the first id of a gold that occurs again."""
    if len(set(keys)) < len(keys):
        first: dict[str, int] = {}
        row = next(row for row, key in enumerate(keys) if first.setdefault(key, row) != row)
        reason = f"the id {keys[row]!r} is also on line {rows.lines[first[keys[row]]]}; give each item its own"
        raise FileError(rows.name, int(rows.lines[row]), reason)


def _with(items: Items, stream: TextIO, path: str) -> Items:
    """Return the items with what a file beside the gold says: documents, texts, or other names of labels."""
    called = PurePosixPath(path).name.lower().partition(".")[0]
    if called in LABEL_NAMES.names:
        names = read_rows(stream, path, header=False)
        if len(names.columns) < 2:
            raise FileError(path, None, "one column; each line needs a label, a tab, and the label in the gold")
        pairs = [tuple(map(str.strip, row)) for row in zip(*names.columns[:2], strict=True)]
        return replace(items, other_names={a: b for one, other in pairs for a, b in ((one, other), (other, one))})
    cells = _beside(items, stream, path)
    if called not in DOCUMENTS.names:
        return replace(items, texts=cells)
    return replace(items, documents=cells, cluster=CLUSTERS[called])


def _beside(items: Items, stream: TextIO, path: str) -> tuple[str, ...]:
    """Return what a file beside the gold has for each item: by its id, else a line each; FileError if some lack it."""
    text = stream.read()
    rows = read_rows(StringIO(text), path)
    key, form = items._key_of(rows)
    if key:
        column = next(column for column in reversed(range(len(rows.columns))) if column not in key)
        found = dict(zip(joined([rows.columns[c] for c in key], form), rows.columns[column], strict=True))
        return tuple(found.get(item, "").strip() for item in joined(items.key_parts, form))
    lines = text.removesuffix("\n").split("\n")
    lines = rows.columns[-1] if rows.n_units == items.n_units else lines
    if len(lines) != items.n_units:
        reason = f"{count(len(lines), 'line')}, but the gold ({items.name}) has {count(items.n_units, 'item')}"
        raise FileError(path, None, f"{reason}; give each item a line, or its id")
    return tuple(lines)
