"""Labels that 0 and 1 mark, each in a column or at a place of lists: Rows -> Rows with a cell of several labels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.items.guessing import plain_name
from nlpsig_core.data.readers.items.json_rows import LABEL_MARK
from nlpsig_core.data.readers.items.rows import Rows

# How 0 and 1 are written, in lower case.
MARKS = {**dict.fromkeys(("1", "1.0", "true"), True), **dict.fromkeys(("0", "0.0", "false"), False)}
# The least number of labels.
FEWEST = 2


def marked_in_gold(rows: Rows) -> tuple[Rows, tuple[str, ...]]:
    """Return the rows of a gold with cells of labels in place of marks, and all labels in their order; () without any.

    Every column has marks but those of ids, texts, documents and domains, or one column has lists of as many marks.
    Labels of lists are their places, from 0.
    """
    if rows.answer is not None or not rows.n_units:
        return rows, ()
    if len(names := _marked_columns(rows)) >= FEWEST:
        labels = tuple(rows.header[column] for column in names)
        note = f"1 in the columns {', '.join(labels)} is read as a label of the item, 0 as none"
        return _joined(rows, names, labels, (note,)), labels
    for column, lists in _lists(rows):
        if {*map(len, lists)} == {len(lists[0])} and len(lists[0]) >= FEWEST and all(map(_are_marks, lists)):
            labels = tuple(map(str, range(len(lists[0]))))
            note = f"lists of 0 and 1 are read as sets of the labels 0 to {labels[-1]}, by their places"
            return _in_place(rows, column, lists, labels, (note,)), labels
    return rows, ()


def marked_in_output(rows: Rows, labels: Sequence[str]) -> Rows:
    """Return the rows of an output with cells of labels in place of marks, if the gold has marks of these ``labels``.

    FileError for a cell that is no mark in the column of a label, and for lists of more or fewer marks.
    """
    if not labels or rows.answer is not None:
        return rows
    places = {plain_name(name): column for column, name in enumerate(rows.header)}
    known = [label for label in labels if plain_name(label) in places]
    if known:
        missing = [label for label in labels if label not in known]
        notes = (f"no column has the label {' or '.join(missing)}; read as 0",) if missing else ()
        return _joined(rows, [places[plain_name(label)] for label in known], known, notes)
    for column, lists in _lists(rows):
        if all(map(_are_marks, lists)):
            odd = next((row for row, marks in enumerate(lists) if len(marks) != len(labels)), -1)
            if odd >= 0:
                reason = f"a list of {len(lists[odd])}, but the gold has {len(labels)} labels; give 0 or 1 for each"
                raise FileError(rows.name, int(rows.lines[odd]), reason)
            return _in_place(rows, column, lists, labels, ())
    return rows


def _marked_columns(rows: Rows) -> list[int]:
    """Return the columns with marks, if all have them but those that describe items; else nothing."""
    if not rows.header or rows.named("answer"):
        return []
    first = {0} if len(set(rows.columns[0])) == rows.n_units > len(MARKS) else set()
    others = first.union(*map(rows.named, ("key", "text", "document", "domain")))
    left = [column for column in range(len(rows.columns)) if column not in others]
    return left if all(_are_marks(set(rows.columns[column])) for column in left) else []


def _are_marks(cells: Iterable[str]) -> bool:
    return all(cell.strip().lower() in MARKS for cell in cells)


def _lists(rows: Rows) -> list[tuple[int, list[list[str]]]]:
    """Return the columns of lists, with these."""
    found = [column for column, cells in enumerate(rows.columns) if cells and all(c[:1] == LABEL_MARK for c in cells)]
    return [(column, [cell.split(LABEL_MARK)[1:] for cell in rows.columns[column]]) for column in found]


def _joined(rows: Rows, columns: Sequence[int], labels: Sequence[str], notes: tuple[str, ...]) -> Rows:
    """Return rows with one column in place of those of the labels."""
    for column in columns:
        odd = next((row for row, cell in enumerate(rows.columns[column]) if not _are_marks([cell])), -1)
        if odd >= 0:
            reason = f"{rows.columns[column][odd]!r} in the column {rows.header[column]}; each label needs 0 or 1"
            raise FileError(rows.name, int(rows.lines[odd]), reason)
    lists = list(map(list, zip(*(rows.columns[column] for column in columns), strict=True)))
    return _in_place(rows, columns[-1], lists, labels, notes, columns)


def _in_place(
    rows: Rows,
    column: int,
    lists: Sequence[Sequence[str]],
    labels: Sequence[str],
    notes: tuple[str, ...],
    without: Sequence[int] = (),
) -> Rows:
    """Return rows with the labels of lists of marks in a column, without other columns."""
    cells = ["".join(_named(marks, labels)) or LABEL_MARK for marks in lists]
    kept = [other for other in range(len(rows.columns)) if other == column or other not in without]
    header = tuple("labels" if other == column else rows.header[other] for other in kept) if rows.header else ()
    columns = tuple(cells if other == column else rows.columns[other] for other in kept)
    return replace(rows, columns=columns, header=header, notes=(*rows.notes, *notes))


def _named(marks: Sequence[str], labels: Sequence[str]) -> Iterable[str]:
    pairs = zip(marks, labels, strict=True)
    return (f"{LABEL_MARK}{label}" for mark, label in pairs if MARKS[mark.strip().lower()])
