"""Labels that 0 and 1 mark, each in a column or at a place of lists: Rows -> Rows with a cell of several labels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.items.json_rows import LABEL_MARK, labels_in, marked
from nlpsig_core.data.readers.items.rows import PREDICTION, Rows, plain_name
from nlpsig_core.data.readers.tables.scores import is_number

# How 0 and 1 are written, in lower case.
MARKS = {**dict.fromkeys(("1", "1.0", "true"), True), **dict.fromkeys(("0", "0.0", "false"), False)}
# The least number of labels.
FEWEST = 2
# The marks of each row.
Lists = Sequence[Sequence[str]]


def marked_in_gold(rows: Rows) -> tuple[Rows, tuple[str, ...]]:
    """Return the rows of a gold with cells of labels in place of marks, and all labels in their order; () without any.

    Every column has marks but those of ids, texts, documents and domains, or one column has lists of as many marks.
    Labels of lists are their places, from 0.
    """
    if rows.answer is not None or not rows.n_units:
        return rows, ()
    if rows.header and len(columns := _marked_columns(rows)) >= FEWEST:
        labels = tuple(rows.header[column] for column in columns)
        note = f"1 in the columns {', '.join(labels)} is read as a label of the item, 0 as none"
        return _with_labels(rows, columns, _beside(rows, columns), labels, note), labels
    for column, lists in _lists(rows):
        if {*map(len, lists)} == {len(lists[0])} and len(lists[0]) >= FEWEST and all(map(_are_marks, lists)):
            labels = tuple(map(str, range(len(lists[0]))))
            note = f"lists of 0 and 1 are read as sets of the labels 0 to {labels[-1]}, by their places"
            return _with_labels(rows, [column], lists, labels, note), labels
    return rows, ()


def marked_in_output(rows: Rows, labels: Sequence[str]) -> Rows:
    """Return the rows of an output with cells of labels in place of marks, if the gold has marks of these ``labels``.

    Columns with other names than labels have as many marks as the gold, in its order. FileError for a cell that is no
    mark in the column of a label, and for more or fewer marks.
    """
    if not labels or rows.answer is not None:
        return rows
    places = {plain_name(name): column for column, name in enumerate(rows.header)}
    if known := {label: places[plain_name(label)] for label in labels if plain_name(label) in places}:
        lists = _beside(rows, list(known.values()))
        for line, marks in zip(rows.lines.tolist(), lists, strict=True):
            for mark, column in zip(marks, known.values(), strict=True):
                if mark.strip().lower() not in MARKS:
                    reason = f"{mark!r} in the column {rows.header[column]}; each label needs 0 or 1"
                    raise FileError(rows.name, line, reason)
        missing = [label for label in labels if label not in known]
        note = f"no column has the label {' or '.join(missing)}; read as 0" if missing else ""
        return _with_labels(rows, list(known.values()), lists, list(known), note)
    for column, lists in _lists(rows):
        if all(map(_are_marks, lists)):
            for line, marks in zip(rows.lines.tolist(), lists, strict=True):
                if len(marks) != len(labels):
                    reason = f"a list of {len(marks)}, but the gold has {len(labels)} labels; give 0 or 1 for each"
                    raise FileError(rows.name, line, reason)
            return _with_labels(rows, [column], lists, labels)
    if len(columns := _marked_columns(rows)) < FEWEST:
        return rows
    if len(columns) != len(labels):
        reason = f"{len(columns)} columns of 0 and 1, but the gold has {len(labels)} labels ({', '.join(labels)})"
        raise FileError(rows.name, int(rows.lines[0]), f"{reason}; name each column like its label")
    note = f"columns of 0 and 1 are read as the labels {', '.join(labels)}, in this order"
    return _with_labels(rows, columns, _beside(rows, columns), labels, note)


def likeliest(rows: Rows, classes: Sequence[str]) -> Rows:
    """Return the rows of an output with the label of the largest number, if a column has numbers for each class."""
    places = {plain_name(name): column for column, name in enumerate(rows.header)}
    columns = [places[plain_name(label)] for label in classes if plain_name(label) in places]
    cells = [rows.columns[column] for column in columns]
    if not FEWEST <= len(columns) == len(classes) or not all(map(is_number, chain.from_iterable(cells))):
        return rows
    largest = np.array([list(map(float, own)) for own in cells]).argmax(axis=0)
    best = list(map(classes.__getitem__, largest.tolist()))
    kept = [column for column in range(len(rows.columns)) if column not in columns]
    return replace(
        rows,
        columns=(*(rows.columns[column] for column in kept), best),
        header=(*(rows.header[column] for column in kept), PREDICTION[0]),
        notes=(*rows.notes, f"of the columns {', '.join(classes)}, the one with the largest number is the answer"),
    )


def _marked_columns(rows: Rows) -> list[int]:
    """Return the columns with marks, if all have them but those that describe items; else nothing."""
    if rows.named("answer"):
        return []
    first = {0} if len(set(rows.columns[0])) == rows.n_units > len(MARKS) else set()
    others = first.union(*map(rows.named, ("key", "text", "document", "domain")))
    left = [column for column in range(len(rows.columns)) if column not in others]
    return left if all(_are_marks(set(rows.columns[column])) for column in left) else []


def _are_marks(cells: Iterable[str]) -> bool:
    return all(cell.strip().lower() in MARKS for cell in cells)


def _beside(rows: Rows, columns: Sequence[int]) -> Lists:
    """Return the cells of each row in some columns."""
    return list(zip(*(rows.columns[column] for column in columns), strict=True))


def _lists(rows: Rows) -> list[tuple[int, Lists]]:
    """Return the columns of lists, with these."""
    found = [column for column, cells in enumerate(rows.columns) if cells and all(c[:1] == LABEL_MARK for c in cells)]
    return [(column, list(map(labels_in, rows.columns[column]))) for column in found]


def _with_labels(rows: Rows, columns: Sequence[int], lists: Lists, labels: Sequence[str], note: str = "") -> Rows:
    """Return rows with the labels of lists of marks in the last of some columns, without the others."""
    *others, place = columns
    pairs = (zip(marks, labels, strict=True) for marks in lists)
    cells = [marked(label for mark, label in own if MARKS[mark.strip().lower()]) for own in pairs]
    kept = [column for column in range(len(rows.columns)) if column not in others]
    return replace(
        rows,
        columns=tuple(cells if column == place else rows.columns[column] for column in kept),
        header=tuple("labels" if column == place else rows.header[column] for column in kept) if rows.header else (),
        notes=(*rows.notes, *filter(None, [note])),
    )
