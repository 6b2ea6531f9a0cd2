"""Plain text, one segment a line: text stream -> Lines; one or several references -> References."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TextIO

from nlpsig_core.errors import FileError
from nlpsig_core.readers.base import Companion

# The source text is shown as such, but not needed to score an output.
SOURCE = Companion(role="input", names=("source", "src", "input"), with_gold=False)


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

    A blank line is no reference where another file has one for that unit. Two are equal, and hash alike, where
    their names and texts are the same.
    """

    names: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    @property
    def n_units(self) -> int:
        """Number of units, what is resampled: the lines of each reference."""
        return len(self.lines[0])

    @cached_property
    def of_units(self) -> tuple[tuple[str, ...], ...]:
        """The references of each unit: those that are not blank, or all of them where all are."""
        units = zip(*self.lines, strict=True)
        return tuple(tuple(line for line in unit if line.strip()) or unit for unit in units)

    @cached_property
    def or_none(self) -> tuple[tuple[str | None, ...], ...]:
        """The lines (references, units) with None in place of what is no reference, as sacrebleu has it."""
        missing = [any(map(str.strip, unit)) for unit in zip(*self.lines, strict=True)]
        return tuple(
            tuple(
                None if of_others and not line.strip() else line for line, of_others in zip(lines, missing, strict=True)
            )
            for lines in self.lines
        )


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
    first, *others = read = [read_lines(stream, name) for stream, name in files]
    for other in others:
        check_number(other, first.n_units, first.name, "lines")
    references = References(tuple(lines.name for lines in read), tuple(lines.lines for lines in read))
    notes = _blank(references)
    for place, lines in enumerate(read):
        same = [earlier.name for earlier in read[:place] if earlier.lines == lines.lines]
        notes.extend(f"{lines.name}: the same text as {name}" for name in same[:1])
    return replace(references, notes=tuple(notes))


def _blank(references: References) -> list[str]:
    """At most one note on the units without any text, and one on those that lack some of their references."""
    units = enumerate(zip(references.of_units, zip(*references.lines, strict=True), strict=True), 1)
    numbers: dict[bool, list[int]] = {True: [], False: []}
    for number, (given, lines) in units:
        if not given[0].strip():
            numbers[True].append(number)
        elif len(given) < len(lines):
            numbers[False].append(number)
    everywhere = " in every reference" if len(references.lines) > 1 else ""
    notes = [count_of(numbers[True], "blank line") + everywhere] if numbers[True] else []
    if lacking := numbers[False]:
        verb = "lacks one or more of its" if len(lacking) == 1 else "lack one or more of their"
        notes.append(f"{count_of(lacking, 'segment')} {verb} references, where the line is blank")
    return notes


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
