"""The family of errors that a user can correct."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from numbers import Real
from typing import Any, TypeVar

Entry = TypeVar("Entry")

# Messages quote what is in files, which may be megabytes.
LONGEST = 2_000
# Longer names are like no other.
LONGEST_NAME = 200
# Below this likeness a name is not like another one.
LIKE = 0.7
# So many names are suggested.
MOST = 3


class NlpsigError(Exception):
    """An error in the input or the request; the message says what is wrong, where, and what to do.

    The middle of a message of more than LONGEST characters is left out.
    """

    def __init__(self, message: str) -> None:
        long = len(message) > LONGEST
        super().__init__(f"{message[: LONGEST // 2]} … {message[-LONGEST // 2 :]}" if long else message)


class FileError(NlpsigError):
    """A file that cannot be used, with ``file``, ``line`` (from 1, or None) and ``reason``."""

    def __init__(self, file: str, line: int | None, reason: str) -> None:
        self.file, self.line, self.reason = file, line, reason
        position = file if line is None else f"{file}, line {line}"
        super().__init__(f"{position}: {reason}")


class TaskError(NlpsigError):
    """Files that do not form a shared task."""


class NoGoldError(TaskError):
    """Files of which none is recognised as the gold."""


class ChoiceError(NlpsigError, ValueError):
    """A name or a number that is not available."""

    @classmethod
    def unknown(cls, kind: str, name: object, available: Iterable[str]) -> ChoiceError:
        """Return the error for an unknown name, with the names that are available, those like it first."""
        names = sorted(available)
        near = f"; {near}" if (near := like(str(name), names)) else "."
        return cls(f"No {kind} called {name!r}{near} Available: {', '.join(names) or 'none'}")


def check_named(kind: str, name: object, available: Collection[str]) -> None:
    """Raise ChoiceError unless this is one of the names that are available."""
    if not isinstance(name, str) or name not in available:
        raise ChoiceError.unknown(kind, name, available)


def check_two(names: Sequence[str], available: Collection[str], kind: str = "system") -> None:
    """Raise ChoiceError unless these name two different systems that are available; ``kind`` says which those are."""
    for name in names:
        check_named(kind, name, available)
    if len(set(names)) < 2:
        raise ChoiceError(f"{names[0]!r} against itself; name two of the systems: {', '.join(sorted(available))}")


def entry_named(kind: str, name: str, entries: Mapping[str, Entry]) -> Entry:
    """Return the entry of this name; ChoiceError if there is none."""
    check_named(kind, name, entries)
    return entries[name]


def check_columns(what: str, table: Any, needed: Iterable[str]) -> None:
    """Raise ChoiceError unless a data frame, or a row of one, has the columns that are needed."""
    if lacking := [name for name in needed if name not in table]:
        columns = ", ".join(map(str, table.keys())) or "no columns"
        raise ChoiceError(f"{what} has no column {lacking[0]!r}; it has {columns}")


def check_types(**given: tuple[object, type]) -> None:
    """Raise ChoiceError unless what is given for each parameter has the type beside it."""
    for name, (value, kind) in given.items():
        if not isinstance(value, kind):
            raise ChoiceError(f"{name} is {value!r}; it has to be a {kind.__name__}")


def _is_number(given: object) -> bool:
    return isinstance(given, Real) and not isinstance(given, bool)


def check_numbers(**given: object) -> None:
    """Raise ChoiceError unless these are numbers."""
    for name, value in given.items():
        if not _is_number(value):
            raise ChoiceError(f"{name} is {value!r}; choose a number")


def whole(name: str, given: Any) -> int:
    """Return a number that is whole, whatever its type; ChoiceError for others."""
    if not _is_number(given) or given % 1 != 0:
        raise ChoiceError(f"{name} is {given!r}; choose a whole number")
    return int(given)


def like(name: str, names: Iterable[str]) -> str:
    """Return the question whether one of three similar names was meant; "" if none begins so or is like this one."""
    folded, asked = {other.lower(): other for other in names}, name[:LONGEST_NAME].lower()
    longer = [other for other in folded if asked and other.startswith(asked)]
    near = list(dict.fromkeys([*get_close_matches(asked, folded, cutoff=LIKE), *longer]))[:MOST]
    return f"did you mean {' or '.join(folded[other] for other in near)}?" if near else ""
