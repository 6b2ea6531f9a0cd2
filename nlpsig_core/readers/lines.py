"""Plain text, one segment a line: text stream -> Lines; one or several references -> References."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TextIO

from nlpsig_core.errors import FileError


@dataclass(frozen=True)
class Lines:
    """The segments of one file, in order."""

    name: str
    lines: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def n_units(self) -> int:
        """Number of units, what is resampled: the lines."""
        return len(self.lines)


@dataclass(frozen=True)
class References:
    """What outputs are compared with: ``lines`` is (references, units), ``names`` are their files.

    Two are equal, and hash alike, where their names and texts are the same.
    """

    names: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    @property
    def n_units(self) -> int:
        """Number of units, what is resampled: the lines of each reference."""
        return len(self.lines[0])


def looks_like_lines(head: str) -> bool:
    """Whether a file may be plain text: it has a letter. Every other format is to be asked before."""
    return any(map(str.isalpha, head))


def read_lines(stream: TextIO, name: str) -> Lines:
    """The lines of a stream, as many as it has line feeds; the last one may lack its own.

    No other character ends a line: U+2028, U+0085 and vertical tabs occur inside of real segments. Raises
    FileError for an empty file.
    """
    text = stream.read()
    if not text:
        raise FileError(name, None, "the file is empty; it should have one segment a line")
    return Lines(name, tuple(text.removesuffix("\n").split("\n")))


def read_references(files: Sequence[tuple[TextIO, str]]) -> References:
    """The references of one or several files; the notes tell of blank lines and of files that are the same.

    Raises FileError where a file has another number of lines than the first one.
    """
    first, *others = references = [read_lines(stream, name) for stream, name in files]
    for other in others:
        check_number(other, first.n_units, first.name, "lines")
    notes = []
    for place, lines in enumerate(references):
        subject = f"{lines.name}: " if others else ""
        if blank := [number for number, line in enumerate(lines.lines, 1) if not line.strip()]:
            notes.append(subject + count_of(blank, "blank line"))
        same = [earlier.name for earlier in references[:place] if earlier.lines == lines.lines]
        notes.extend(f"{subject}the same text as {name}" for name in same[:1])
    return References(tuple(r.name for r in references), tuple(r.lines for r in references), tuple(notes))


def count_of(numbers: Sequence[int], what: str) -> str:
    """How many lines are meant and where: "3 blank lines (first: line 17)" of their numbers and "blank line"."""
    if len(numbers) == 1:
        return f"1 {what} (line {numbers[0]})"
    return f"{len(numbers):,} {what}s (first: line {numbers[0]})"


def check_number(lines: Lines, n_units: int, whose: str, what: str) -> None:
    """Raise FileError where a file has not as many lines as ``whose`` has, at the first missing or surplus one."""
    if lines.n_units == n_units:
        return
    surplus = lines.lines[n_units:]
    advice = "every segment needs its line, a blank one if need be"
    if surplus:
        blank = not any(line.strip() for line in surplus)
        advice = "remove the blank lines at the end" if blank else "look for segments that are broken in two"
    reason = f"{lines.n_units:,} {what} where {whose} has {n_units:,}; {advice}"
    raise FileError(lines.name, min(lines.n_units, n_units) + 1, reason)
