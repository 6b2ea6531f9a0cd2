"""The answers of a gold and of an output as arrays, by kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import count
from nlpsig_core.data.readers.items.columns import MOST_CLASSES
from nlpsig_core.data.readers.items.rows import LABEL_MARK
from nlpsig_core.data.readers.tables.scores import LARGEST, is_missing, is_number

# How much of an odd answer is shown, and of how many.
SHOWN, LISTED = 40, 3
# What separates several labels in a cell, the likeliest first.
LABEL_SEPARATORS = ("|", ";", ",", " ")


class Column(NamedTuple):
    """The cells of the answers in a file, and the line of each."""

    name: str
    cells: Sequence[str]
    lines: np.ndarray


class Coded(NamedTuple):
    """Answers as values, row by row, with the labels that the gold lacks, and notes; ``missing`` is that of a unit."""

    values: Any
    unknown: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Kind(NamedTuple):
    """A kind of answers: ``gold(column)`` returns values and classes, ``output(column, classes)`` a system's values.

    ``placed(values, rows)`` returns the values by unit, of the row of each unit, -1 where there is none.
    """

    gold: Callable[[Column], tuple[Any, tuple[str, ...]]]
    output: Callable[[Column, tuple[str, ...]], Coded]
    placed: Callable[[Any, np.ndarray], Any]


def sorted_classes(labels: Iterable[str]) -> tuple[str, ...]:
    """Return labels in order: by number if all are numbers, else by the alphabet."""
    labels = set(labels)
    if all(map(is_number, labels)):
        return tuple(sorted(labels, key=lambda label: (float(label), label)))
    return tuple(sorted(labels))


def _classes(column: Column, labels: Iterable[str]) -> tuple[str, ...]:
    classes = sorted_classes(labels)
    if len(classes) > MOST_CLASSES:
        reason = f"{len(classes):,} different labels, more than the {MOST_CLASSES:,} that a task may have"
        raise FileError(column.name, None, f"{reason}; is another column the answer, or are these numbers or strings?")
    return classes


def _gold_labels(column: Column) -> tuple[np.ndarray, tuple[str, ...]]:
    cells = list(map(str.strip, column.cells))
    if "" in cells:
        raise FileError(column.name, int(column.lines[cells.index("")]), "no label; every item of the gold needs one")
    classes = _classes(column, cells)
    index = {label: code for code, label in enumerate(classes)}
    return np.fromiter(map(index.__getitem__, cells), np.int32, len(cells)), classes


def _matching(labels: Iterable[str], classes: tuple[str, ...]) -> tuple[dict[str, int], list[str]]:
    """Return the code of each label of an output, and which labels match a class only in other case or as a number."""
    codes = {label: code for code, label in enumerate(classes)}
    folded = _unambiguous(str.casefold, classes)
    numbers = _unambiguous(float, classes) if all(map(is_number, classes)) else {}
    found: dict[str, int] = {"": -1}
    other: list[str] = []
    unknown = 0
    for label in labels:
        plain = label.strip()
        code = codes.get(plain, -1) if plain else -1
        if code < 0 and plain:
            code = folded.get(plain.casefold(), numbers.get(float(plain), -1) if is_number(plain) else -1)
            if code >= 0:
                other.append(plain)
        if code < 0 and plain:
            code = found.get(plain, len(classes) + unknown)
            unknown += plain not in found
            found[plain] = code
        found[label] = code
    return found, other


def _unambiguous(form: Callable[[str], Any], classes: Sequence[str]) -> dict[Any, int]:
    forms = [form(label) for label in classes]
    return {key: code for code, key in enumerate(forms) if forms.count(key) == 1}


def _labels(column: Column, classes: tuple[str, ...]) -> Coded:
    found, other = _matching(dict.fromkeys(column.cells), classes)
    values = np.fromiter(map(found.__getitem__, column.cells), np.int32, len(column.cells))
    unknown = _unknown(found, classes)
    notes = [_odd(column, values >= len(classes), "label that the gold lacks", "labels that the gold lacks", "wrong")]
    if other:
        notes.append(f"labels of other case or form match those of the gold: {', '.join(map(repr, other[:LISTED]))}")
    return Coded(values, unknown, tuple(filter(None, notes)))


def _unknown(found: Mapping[str, int], classes: tuple[str, ...]) -> tuple[str, ...]:
    """Return the labels that the gold lacks, in the order of their codes."""
    labels: dict[int, str] = {}
    for label, code in found.items():
        if code >= len(classes):
            labels.setdefault(code, label.strip())
    return tuple(labels[code] for code in sorted(labels))


def _odd(column: Column, odd: np.ndarray, thing: str, things: str, how: str) -> str:
    """Return a note on the rows that are ``odd``, with the first ones; "" if there is none."""
    rows = np.flatnonzero(odd)
    if not len(rows):
        return ""
    first = ", ".join(f"{_shown(column.cells[row])} on line {column.lines[row]}" for row in rows[:LISTED])
    more = ", ..." if len(rows) > LISTED else ""
    return f"{count(len(rows), thing, things)} ({first}{more}), counted as {how}"


def _shown(cell: str) -> str:
    return repr(cell.strip().replace(LABEL_MARK, " ").strip()[:SHOWN])


def _separator(cells: Sequence[str]) -> str:
    if any(cell.startswith(LABEL_MARK) for cell in cells):
        return LABEL_MARK
    return next((mark for mark in LABEL_SEPARATORS if any(mark in cell for cell in cells)), ",")


def _sets(column: Column) -> list[tuple[str, ...]]:
    mark = _separator(column.cells)
    return [tuple(dict.fromkeys(filter(None, map(str.strip, cell.split(mark))))) for cell in column.cells]


def _gold_sets(column: Column) -> tuple[np.ndarray, tuple[str, ...]]:
    sets = _sets(column)
    classes = _classes(column, chain.from_iterable(sets))
    return _indicators(sets, {label: code for code, label in enumerate(classes)}, len(classes)), classes


def _indicators(sets: Sequence[Sequence[str]], codes: Mapping[str, int], n_classes: int) -> np.ndarray:
    values = np.zeros((len(sets), n_classes + 1), dtype=np.int32)
    for row, labels in enumerate(sets):
        for code in {codes[label] for label in labels}:
            values[row, min(code, n_classes)] += 1
    return values


def _label_sets(column: Column, classes: tuple[str, ...]) -> Coded:
    sets = _sets(column)
    found, other = _matching(dict.fromkeys(chain.from_iterable(sets)), classes)
    values = _indicators(sets, found, len(classes))
    things = "set with labels that the gold lacks", "sets with labels that the gold lacks"
    notes = [_odd(column, values[:, -1] > 0, *things, "wrong")]
    if other:
        notes.append(f"labels of other case or form match those of the gold: {', '.join(map(repr, other[:LISTED]))}")
    return Coded(values, _unknown(found, classes), tuple(filter(None, notes)))


def _number(cell: str) -> float:
    try:
        value = float(cell) if "_" not in cell else np.nan
    except ValueError:
        return np.nan
    return value if abs(value) <= LARGEST else np.nan


def _gold_numbers(column: Column) -> tuple[np.ndarray, tuple[str, ...]]:
    values = np.fromiter(map(_number, column.cells), np.float64, len(column.cells))
    if np.isnan(values).any():
        row = int(np.flatnonzero(np.isnan(values))[0])
        reason = f"{_shown(column.cells[row])} is not a number; every item of the gold needs one"
        raise FileError(column.name, int(column.lines[row]), reason)
    different = np.unique(values)
    return values, tuple(f"{value:g}" for value in different) if len(different) == 2 else ()


def _numbers(column: Column, classes: tuple[str, ...]) -> Coded:
    values = np.fromiter(map(_number, column.cells), np.float64, len(column.cells))
    given = np.fromiter((not is_missing(cell.strip()) for cell in column.cells), bool, len(column.cells))
    things = "answer that is no number", "answers that are no numbers"
    notes = [_odd(column, np.isnan(values) & given, *things, "missing")]
    return Coded(values, (), tuple(filter(None, notes)))


def _strings(column: Column) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(map(str.strip, column.cells)), ()


def _with_missing(missing: Any) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    def placed(values: np.ndarray, rows: np.ndarray) -> np.ndarray:
        result: np.ndarray = np.full((len(rows), *values.shape[1:]), missing, dtype=values.dtype)
        result[rows >= 0] = values[rows[rows >= 0]]
        return result

    return placed


KINDS = {
    "Labels": Kind(_gold_labels, _labels, _with_missing(-1)),
    "Label sets": Kind(_gold_sets, _label_sets, _with_missing(0)),
    "Numbers": Kind(_gold_numbers, _numbers, _with_missing(np.nan)),
    "Strings": Kind(
        _strings,
        lambda column, classes: Coded(_strings(column)[0]),
        lambda values, rows: tuple(values[row] if row >= 0 else None for row in rows.tolist()),
    ),
}
