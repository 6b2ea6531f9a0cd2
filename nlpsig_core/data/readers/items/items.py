"""Items: a gold with one answer an item, and how the answers of an output are matched with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.base.words import count
from nlpsig_core.data.readers.base import DOCUMENT
from nlpsig_core.data.readers.items.answers import KINDS, Coded, Column, Gold, Kind
from nlpsig_core.data.readers.items.columns import Named, index_column, likely_key, output_answer, output_key
from nlpsig_core.data.readers.items.ids import AS_WRITTEN, FORMS, OTHER_FORMS, joined
from nlpsig_core.data.readers.items.json_rows import alternatives
from nlpsig_core.data.readers.items.marks import likeliest, marked_in_output
from nlpsig_core.data.readers.items.rows import Rows

# The most characters that are shown of a text.
SHOWN_OF_A_TEXT = 60
# What stands between several strings that are right for an item.
OR = " / "


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
    a tuple, None where missing; several that are right for a unit are one cell (``json_rows.alternatives``).
    ``classes`` are in order: numbers by number, else by the alphabet; those of Numbers are the two values of the gold,
    if it has just two. ``keys``, ``texts``, ``documents`` and ``domains`` are by unit, or empty if not known;
    ``cluster`` is what documents are. ``key_parts`` are the cells of ``keys`` by column, ``answer`` is the column of
    the answers in its file, and ``other_names`` maps other names of classes to these.
    ``marked`` are the labels, in order, that 0 and 1 mark in the file.
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
    answer: Named = field(default_factory=Named)
    other_names: Mapping[str, str] = field(default_factory=dict)
    marked: tuple[str, ...] = ()

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
        answer = OR.join(alternatives(answer))
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
        output = marked_in_output(output, self.marked)
        if self.kind == "Labels" and output.answer is None and not output.named("answer"):
            output = likeliest(output, self.classes)
        key, form = self.key_of(output)
        of_texts = self._rows_by_text(output)
        index, first = (-1, 0) if key or of_texts is not None else index_column(output, self.n_units)
        if key:
            rows, notes = self._by_key(output, key, form)
            notes += _contradicted(rows, of_texts)
        elif of_texts is not None:
            why = f"no column has the ids of {self.name}" if self.keys else "texts are in another order than the gold's"
            told = bool(self.keys) or (np.diff(of_texts) != 1).any()
            rows, notes = of_texts, [f"{why}; items are matched by their texts"] if told else []
        elif index >= 0:
            rows, notes = self._by_index(output, index, first)
        else:
            rows, notes = self._by_order(output)
        kind, gold = KINDS[self.kind], Gold(self.classes, self.other_names)

        @cache
        def answers(column: int) -> tuple[Coded, Any]:
            coded = kind.output(Column(output.name, output.columns[column], output.lines), gold)
            return coded, kind.placed(coded.values, rows)

        def repeats(column: int) -> bool:
            return self._are_gold(answers(column)[1], rows >= 0)

        answer, more = output_answer(output, key or (index,), self.kind, self.classes, self.answer, repeats)
        coded, values = answers(answer)
        cells = output.columns[answer]
        if cells and all(cell.startswith('{"') for cell in cells) and not self.in_words(0).startswith('{"'):
            reason = f"the answer is an object: {cells[0][:SHOWN_OF_A_TEXT]}; give a plain one"
            raise FileError(output.name, int(output.lines[0]), reason)
        missing = [f"{note}{kind.lacking}" for note in self._missing(rows, kind)]
        remarks = kind.remarks(values, self.answers)
        notes = [*output.notes, *notes, *missing, *more, *filter(None, coded.notes), *remarks]
        return Answers(values, tuple(notes), coded.unknown)

    def _are_gold(self, values: Any, known: np.ndarray) -> bool:
        """Return whether answers are those of the gold wherever they are ``known`` (units,)."""
        ours, golds = (
            np.array(all_of, object) if isinstance(all_of, tuple) else all_of for all_of in (values, self.answers)
        )
        return bool(known.any()) and np.array_equal(ours[known], golds[known])

    @cached_property
    def _units(self) -> dict[str, dict[str, int]]:
        """By form, the unit of each id, made when it is needed; without ids that share a form."""
        return {}

    @cached_property
    def _parts(self) -> dict[str, list[set[str]]]:
        return {}

    def key_of(self, rows: Rows) -> tuple[tuple[int, ...], str]:
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
        one_off = (np.append(np.arange(1, self.n_units), -1), np.arange(-1, self.n_units - 1))
        shifted = any(np.array_equal(units, each) for each in one_off)
        if shifted and all(key.strip().isdecimal() for key in (*keys, *self.keys)):
            reason = f"the ids are one off the gold's: the first is {keys[0].strip()!r}, the gold's {self.keys[0]!r}"
            raise FileError(output.name, int(output.lines[0]), f"{reason}; use the gold's ids")
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

    @cached_property
    def _unit_of(self) -> dict[str, int]:
        """The unit of each text; nothing unless all texts differ."""
        units = {text: unit for unit, text in enumerate(self.texts)}
        return units if len(units) == self.n_units else {}

    def _rows_by_text(self, output: Rows) -> np.ndarray | None:
        """Return the row of each unit by a column of the gold's texts, all of them once; None if there is none."""
        for cells in output.columns if output.n_units == self.n_units else ():
            if cells[0].strip() in self._unit_of:
                units = [self._unit_of.get(cell.strip(), -1) for cell in cells]
                if len({*units} - {-1}) == self.n_units:
                    return np.argsort(units)
        return None


def _contradicted(rows: np.ndarray, of_texts: np.ndarray | None) -> list[str]:
    """Return a note if the rows of units by id are not those by text."""
    odd = 0 if of_texts is None else int((rows != of_texts).sum())
    has = count(odd, "id has the text", "ids have the text")
    return [f"{has} of another item of the gold; are the ids numbered anew?"] if odd else []


def _ids(one: str, several: str, rows: np.ndarray, keys: Sequence[str], output: Rows) -> str:
    return f"{count(len(rows), one, several)} (first: {keys[rows[0]]!r}, line {output.lines[rows[0]]})"
