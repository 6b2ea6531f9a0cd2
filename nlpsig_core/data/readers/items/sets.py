"""Cells with several labels each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from nlpsig_core.data.readers.items.json_rows import LABEL_MARK, marked

# What separates several labels in a cell, the likeliest first.
LABEL_SEPARATORS = ("|", ";", ",", " ")
# A list as Python and JSON write it: of quoted texts and of numbers.
LISTED = r"""'[^']*'|"[^"]*"|-?[\d.]+"""
# A label between commas or spaces, and the least mean number of items of one.
ITEMS_PER_LABEL = 2
WORD = re.compile(r"[^\W\d]\S*")
LIST = re.compile(rf"\[\s*(?:(?:{LISTED})(?:\s*,\s*(?:{LISTED}))*\s*)?\]")


def marked_lists(cells: list[str]) -> list[str]:
    """Return cells that are all lists of labels, or empty, with LABEL_MARK before each label; others as they are."""
    filled = filter(None, map(str.strip, cells))
    if not LIST.fullmatch(next(filled, "")) or not all(map(LIST.fullmatch, filled)):
        return cells
    labels = ([label.strip("'\"") for label in re.findall(LISTED, cell)] for cell in cells)
    return list(map(marked, labels))


def are_piped(cells: Sequence[str]) -> bool:
    """Return whether some cells are sets such as news|sports: of fewer labels than there are different cells.

    Between commas and spaces, labels are few words. Some cell has one of the former alone, and each of the latter is
    alone in some.
    """
    distinct = set(map(str.strip, cells))

    def labels_between(mark: str) -> set[str]:
        labels = {label.strip() for cell in distinct if mark in cell for label in cell.split(mark)}
        return labels if len(labels) < len(distinct) else set()

    def are_words(labels: set[str], mark: str) -> bool:
        alone = {cell for cell in distinct if mark not in cell}
        few = ITEMS_PER_LABEL * len(labels | alone) <= len(cells)
        return few and all(map(WORD.fullmatch, labels)) and not labels.isdisjoint(alone)

    piped, listed, spaced = map(labels_between, "|, ")
    if piped and not any(not label or "=" in label for label in piped):
        return True
    return are_words(listed, ",") or (spaced <= distinct and are_words(spaced, " "))


def sets_of(cells: Sequence[str], classes: Sequence[str] = ()) -> list[tuple[str, ...]]:
    """Return the labels of each cell; a cell that is one of the gold's classes is one label."""
    known = set(classes)
    mark = _separator([cell for cell in cells if cell.strip() not in known], classes)
    return [
        (cell.strip(),)
        if cell.strip() in known
        else tuple(dict.fromkeys(filter(None, map(str.strip, cell.split(mark)))))
        for cell in cells
    ]


def _separator(cells: Sequence[str], classes: Iterable[str]) -> str:
    """Return what separates labels in cells; it is not part of a class."""
    if any(cell.startswith(LABEL_MARK) for cell in cells):
        return LABEL_MARK
    marks = [mark for mark in LABEL_SEPARATORS if not any(mark in label for label in classes)]
    return next((mark for mark in marks if any(mark in cell for cell in cells)), LABEL_MARK)
