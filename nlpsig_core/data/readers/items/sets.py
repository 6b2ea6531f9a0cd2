"""Cells with several labels each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from nlpsig_core.data.readers.items.json_rows import LABEL_MARK, marked

# What separates several labels in a cell, the likeliest first.
LABEL_SEPARATORS = ("|", ";", ",", " ")
# A list as Python and JSON write it: of quoted texts and of numbers.
LISTED = r"""'[^']*'|"[^"]*"|-?[\d.]+"""
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

    Between commas, labels are words, and some cell has one of them alone.
    """
    distinct = set(map(str.strip, cells))
    piped, listed = (
        {label.strip() for cell in distinct if mark in cell for label in cell.split(mark)} for mark in "|,"
    )
    if 0 < len(listed) < len(distinct) and all(map(WORD.fullmatch, listed)) and not listed.isdisjoint(distinct):
        return True
    return 0 < len(piped) < len(distinct) and not any(not label or "=" in label for label in piped)


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
