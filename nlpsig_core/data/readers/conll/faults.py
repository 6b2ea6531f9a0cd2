"""The fault that an error names: the one with the lowest line, whatever is checked first."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nlpsig_core.base.errors import FileError

Faults = list[FileError]


def first_wrong(name: str, lines: np.ndarray, wrong: np.ndarray, reason: Callable[[int], str]) -> Faults:
    """Return the fault of the first of the ``lines`` (n,) that is ``wrong`` (n,), with its reason; [] if none is."""
    return [FileError(name, int(lines[index]), reason(index)) for index in np.flatnonzero(wrong)[:1].tolist()]


def raise_lowest(faults: Faults) -> None:
    """Raise the fault with the lowest line, the first one of equals, if there is any."""
    if faults:
        raise min(faults, key=lambda fault: fault.line or 0)


def first_fault(read: Callable[[str], object], text: str, error: FileError) -> FileError:
    """Return the error of the first faulty sentence of a text for which ``read`` raised ``error``.

    A file is checked for one kind of fault after another, so earlier sentences can have a fault of another kind. They
    end with the last blank line before the error.
    """
    before = text.split("\n")[: (error.line or 1) - 1]
    while before and before[-1].strip(" \t"):
        before.pop()
    if not any(before):
        return error
    try:
        read("\n".join(before))
    except FileError as earlier:
        return error if earlier.line is None else first_fault(read, text, earlier)
    return error
