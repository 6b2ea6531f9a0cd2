"""Cells with several labels each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nlpsig_core.data.readers.items.json_rows import LABEL_MARK

# What separates several labels in a cell, the likeliest first.
LABEL_SEPARATORS = ("|", ";", ",", " ")


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
