"""The answers of a gold and of an output as arrays, by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import count, first_few
from nlpsig_core.data.readers.items.columns import MOST_CLASSES
from nlpsig_core.data.readers.items.ids import folded
from nlpsig_core.data.readers.items.json_rows import LABEL_MARK
from nlpsig_core.data.readers.items.sets import sets_of
from nlpsig_core.data.readers.tables.scores import LARGEST, is_missing, is_number, without_commas

# The kind of texts, which are compared by metrics of their own.
TEXTS = "Texts"
# How much of an odd answer is shown, and of how many.
SHOWN, LISTED = 40, 3
# What is a number where outputs have fractions.
TRUTH = {"true": "1", "false": "0"}


class Column(NamedTuple):
    """The cells of the answers in a file, and the line of each."""

    name: str
    cells: Sequence[str]
    lines: np.ndarray


class Coded(NamedTuple):
    """Answers as values, row by row, the labels that the gold lacks, in the order of their codes, and notes or ""."""

    values: Any
    unknown: tuple[str, ...] = ()
    notes: Sequence[str] = ()


class Gold(NamedTuple):
    """What an output is compared with: the gold's classes, and other names of them."""

    classes: tuple[str, ...]
    other_names: Mapping[str, str]


class Kind(NamedTuple):
    """A kind of answers: ``gold(column)`` returns values and classes, ``output(column, gold)`` those of a system.

    ``placed(values, rows)`` returns the values by unit, of the row of each unit, -1 where there is none;
    ``remarks(values, answers of the gold)`` returns notes on them. ``lacking`` is what becomes of a missing answer;
    ``unit`` and ``answer`` name what is matched in notes.
    """

    gold: Callable[[Column], tuple[Any, tuple[str, ...]]]
    output: Callable[[Column, Gold], Coded]
    placed: Callable[[Any, np.ndarray], Any]
    remarks: Callable[[Any, Any], list[str]] = lambda values, answers: []
    lacking: str = "; counted as wrong"
    unit: str = "item"
    answer: str = "an answer"


def _classes(column: Column, labels: Iterable[str]) -> tuple[str, ...]:
    """Return labels in order: by number if all are numbers, else by the alphabet; FileError for too many."""
    classes = sorted(set(labels))
    if len(classes) > MOST_CLASSES:
        reason = f"{len(classes):,} different labels, more than the {MOST_CLASSES:,} that a task may have"
        raise FileError(column.name, None, f"{reason}; is another column the answer, or are these numbers or strings?")
    return tuple(sorted(classes, key=float) if all(map(is_number, classes)) else classes)


def _gold_labels(column: Column) -> tuple[np.ndarray, tuple[str, ...]]:
    cells = list(map(str.strip, column.cells))
    if "" in cells:
        reason = 'no label; every item of the gold needs one, unless they are sets of labels (--kind "Label sets")'
        raise FileError(column.name, int(column.lines[cells.index("")]), reason)
    classes = _classes(column, cells)
    index = {label: code for code, label in enumerate(classes)}
    return np.fromiter(map(index.__getitem__, cells), np.int32, len(cells)), classes


class _Matching:
    """Finds the codes of an output's labels: those of the gold's classes, further ones for labels that it lacks."""

    def __init__(self, labels: Iterable[str], gold: Gold) -> None:
        classes = gold.classes
        self._exact = {label: code for code, label in enumerate(classes)}
        self._folded = _unambiguous(folded, classes)
        self._numbers = _unambiguous(float, classes) if all(map(is_number, classes)) else {}
        self._names = {name: self._exact[label] for name, label in gold.other_names.items() if label in self._exact}
        self._n_classes, self._unknown = len(classes), dict[str, int]()
        self.other_form: list[str] = []
        self.codes = {label: self._code(label.strip()) for label in labels}

    @property
    def unknown(self) -> tuple[str, ...]:
        """The labels that the gold lacks."""
        return tuple(self._unknown)

    def _code(self, label: str) -> int:
        if label in self._exact:
            return self._exact[label]
        if not label:
            return -1
        alike = self._folded.get(folded(label), self._numbers.get(float(label), -1) if is_number(label) else -1)
        if alike >= 0:
            self.other_form.append(label)
            return alike
        if label in self._names:
            return self._names[label]
        return self._n_classes + self._unknown.setdefault(label, len(self._unknown))

    def note(self) -> str:
        """Return a note on labels that are those of the gold in another form."""
        if not self.other_form:
            return ""
        return f"matched though written otherwise than in the gold: {_first_few(map(repr, self.other_form))}"


def _first_few(labels: Iterable[str]) -> str:
    return first_few(label[:SHOWN] for label in labels)


def _unambiguous(form: Callable[[str], Any], classes: Sequence[str]) -> dict[Any, int]:
    """Return the code of each class by a form of it, without those that share one."""
    number = Counter(map(form, classes))
    return {form(label): code for code, label in enumerate(classes) if number[form(label)] == 1}


def _labels(column: Column, gold: Gold) -> Coded:
    matching = _Matching(dict.fromkeys(column.cells), gold)
    _check_alike(column.name, list(filter(None, map(str.strip, matching.codes))), matching, gold)
    values = np.fromiter(map(matching.codes.__getitem__, column.cells), np.int32, len(column.cells))
    notes = [
        _odd(column, values >= len(gold.classes), "label is not in the gold", "labels are not in the gold"),
        _odd(column, values < 0, "label is empty", "labels are empty"),
        matching.note(),
    ]
    return Coded(values, matching.unknown, notes)


def _check_alike(name: str, labels: Sequence[str], matching: _Matching, gold: Gold) -> None:
    """Raise FileError for too many labels that the gold lacks, and for numbers in one of both and words in another."""
    if (unknown := len(matching.unknown)) > MOST_CLASSES:
        reason = f"{unknown:,} different labels are not in the gold, more than the {MOST_CLASSES:,} that are counted"
        raise FileError(name, None, f"{reason}; is another column the answer, or is this free text?")
    if not labels or len(matching.unknown) < len(labels):
        return
    ours, theirs = all(map(is_number, labels)), all(map(is_number, gold.classes))
    if ours != theirs:
        what, other = ("numbers", "words") if ours else ("words", "numbers")
        own, golds = _first_few(labels), _first_few(gold.classes)
        raise FileError(
            name,
            None,
            f"the labels are {what} ({own}), those of the gold {other} ({golds}); to say which is which, add a file "
            f"label-names.tsv with a line for each: {labels[0][:SHOWN]}, a tab, and the label in the gold",
        )


def _odd(column: Column, odd: np.ndarray, one: str, several: str, how: str = "; counted as wrong") -> str:
    """Return a note on the rows that are ``odd``, with the first ones; "" if there is none."""
    rows = np.flatnonzero(odd)
    if not len(rows):
        return ""
    first = [f"{_shown(column.cells[row])}line {column.lines[row]}" for row in rows[: LISTED + 1]]
    return f"{count(len(rows), one, several)} ({', '.join(first[:LISTED])}{', ...' * (len(first) > LISTED)}){how}"


def _shown(cell: str) -> str:
    text = cell.replace(LABEL_MARK, " ").strip()[:SHOWN]
    return f"{text!r} on " if text else ""


def _gold_sets(column: Column) -> tuple[np.ndarray, tuple[str, ...]]:
    sets = sets_of(column.cells)
    classes = _classes(column, chain.from_iterable(sets))
    return _indicators(sets, {label: code for code, label in enumerate(classes)}, len(classes)), classes


def _indicators(sets: Sequence[Sequence[str]], codes: Mapping[str, int], n_classes: int) -> np.ndarray:
    values = np.zeros((len(sets), n_classes + 1), dtype=np.int32)
    for row, labels in enumerate(sets):
        for code in {codes[label] for label in labels}:
            values[row, min(code, n_classes)] += 1
    return values


def _label_sets(column: Column, gold: Gold) -> Coded:
    sets = sets_of(column.cells, gold.classes)
    matching = _Matching(dict.fromkeys(chain.from_iterable(sets)), gold)
    _check_alike(column.name, list(matching.codes), matching, gold)
    values = _indicators(sets, matching.codes, len(gold.classes))
    what = "set has labels that are not in the gold", "sets have labels that are not in the gold"
    notes = [_odd(column, values[:, -1] > 0, *what), matching.note()]
    return Coded(values, matching.unknown, notes)


def _floats(cells: Sequence[str]) -> np.ndarray:
    """Return the numbers of cells, with commas or points; NaN for what is none, or too large to be summed."""
    cells = without_commas(cells)
    try:
        values = np.fromiter(map(float, cells), np.float64, len(cells))
    except ValueError:
        cells = [TRUTH.get(cell.strip().lower(), cell) for cell in cells]
        values = np.fromiter((float(cell) if is_number(cell) else np.nan for cell in cells), np.float64, len(cells))
    return np.where(np.abs(values) <= LARGEST, values, np.nan)


def _gold_numbers(column: Column) -> tuple[np.ndarray, tuple[str, ...]]:
    values = _floats(column.cells)
    if np.isnan(values).any():
        row = int(np.flatnonzero(np.isnan(values))[0])
        reason = f"{column.cells[row].strip()[:SHOWN]!r} is not a number; every item of the gold needs one"
        raise FileError(column.name, int(column.lines[row]), reason)
    different = np.unique(values)
    return values, tuple(f"{value:g}" for value in different) if len(different) == 2 else ()


def _numbers(column: Column, gold: Gold) -> Coded:
    values = _floats(column.cells)
    absent = np.isnan(values)
    written = np.fromiter((not is_missing(cell.strip()) for cell in column.cells), bool, len(column.cells))
    notes = [
        _odd(column, absent & written, "answer is not a finite number", "answers are not finite numbers", ""),
        _odd(column, absent & ~written, "number is missing", "numbers are missing", ""),
    ]
    return Coded(values, (), notes)


def _on_labels(values: np.ndarray, answers: np.ndarray) -> list[str]:
    same = len(values) > 1 and len(set(values.tolist())) == 1 and values[0] >= 0
    return ["all answers are the same label"] if same else []


def _on_numbers(values: np.ndarray, answers: np.ndarray) -> list[str]:
    """Return notes on numbers that do not vary, or have another scale or direction than those of the gold."""
    known = ~np.isnan(values)
    own, theirs = values[known], answers[known]
    if len(own) < 2:
        return []
    if own.min() == own.max():
        return [f"all answers are the same number ({own[0]:g}); it has no correlation, which counts as 0"]
    notes = []
    ranges = f"answers go from {own.min():g} to {own.max():g}, the gold from {answers.min():g} to {answers.max():g}"
    ratio = np.ptp(own) / np.ptp(answers) if np.ptp(answers) else 1.0
    if not 0.1 <= ratio <= 10 or own.max() < answers.min() or own.min() > answers.max():
        notes.append(f"{ranges}: errors such as RMSE compare different scales")
    r = float(np.corrcoef(own, theirs)[0, 1]) if np.ptp(theirs) else 0.0
    if r < -2 / np.sqrt(len(own)):
        notes.append(f"answers fall where the gold rises (Pearson {r:.2f}); if lower means more, turn the signs around")
    return notes


def _strings(column: Column) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(map(str.strip, column.cells)), ()


def _placed(missing: Any, values: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the values by unit, ``missing`` where there is no row."""
    result: np.ndarray = np.full((len(rows), *values.shape[1:]), missing, dtype=values.dtype)
    result[rows >= 0] = values[rows[rows >= 0]]
    return result


def _sets_placed(values: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Place sets; a missing one is wrong even where the gold's is empty: it has a label that the gold lacks."""
    placed = _placed(0, values, rows)
    placed[rows < 0, -1] = 1
    return placed


_PLAIN_STRINGS = Kind(
    _strings,
    lambda column, gold: Coded(_strings(column)[0]),
    lambda values, rows: tuple(values[row] if row >= 0 else None for row in rows.tolist()),
)
KINDS = {
    "Labels": Kind(_gold_labels, _labels, partial(_placed, -1), _on_labels),
    "Label sets": Kind(_gold_sets, _label_sets, _sets_placed),
    "Numbers": Kind(_gold_numbers, _numbers, partial(_placed, np.nan), _on_numbers, lacking=""),
    "Strings": _PLAIN_STRINGS,
    TEXTS: _PLAIN_STRINGS._replace(unit="segment", answer="a text", lacking="; each counts as empty"),
    "Transcripts": _PLAIN_STRINGS._replace(
        unit="utterance", answer="a transcript", lacking="; all their words count as deleted"
    ),
}
