"""Lines that are not texts to compare: labels, numbers or objects of JSON, or transcripts named by identifiers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from nlpsig_core.base.words import count, whole_number
from nlpsig_core.data.readers.logs.json_values import mapping, parsed
from nlpsig_core.data.readers.tables.scores import is_number

# The least number of lines to judge, and the least share of them that must be alike.
FEWEST_LINES, NEARLY_ALL = 4, 0.95
# The least mean number of lines by label, and the most words of a label.
LINES_PER_LABEL, LABEL_WORDS = 2, 3
# An identifier at the beginning or, in brackets, at the end of a line, as Kaldi's and sclite's transcripts have it.
IDENTIFIER = re.compile(r"(?=\S*[0-9])([!-~]+)\s.*|.*\s\(([!-~]+)\)")


def values_in(text: str) -> str:
    """Return what the lines of a text are if they are no texts but labels, numbers or JSON; else ""."""
    lines = _lines(text)
    if len(lines) < FEWEST_LINES:
        return ""
    objects = _objects(lines)
    if not objects:
        return _what(_values(lines))
    fields = list(dict.fromkeys(name for each in objects for name in each))
    values = ([str(each.get(name, "")) for each in objects] for name in fields if not name.lower().endswith("id"))
    what = next(filter(None, map(_what, values)), "objects")
    return f"{what} of JSON with the fields {', '.join(fields)}"


def are_values(gold: str, outputs: Sequence[str]) -> str:
    """Return what the lines of a gold are if they and those of most outputs are no texts, or have identifiers; else "".

    Outputs may have any words in place of labels, but few a line.
    """
    alike = [bool(_values(lines) or _objects(lines)) for lines in map(_lines, outputs)]
    return (values_in(gold) if 2 * sum(alike) > len(alike) else "") or _named(_lines(gold))


def _named(lines: Sequence[str]) -> str:
    """Return what the lines are if nearly each has an identifier of its own; else ""."""
    names = {match[1] or match[2] for match in map(IDENTIFIER.fullmatch, lines) if match}
    several = len(lines) >= FEWEST_LINES and len(names) >= NEARLY_ALL * len(lines)
    return f"texts with identifiers, such as transcripts ({count(len(lines), 'line')})" if several else ""


def _lines(text: str) -> list[str]:
    return [line.strip(" \r") for line in text.split("\n") if line.strip()]


def _nearly_all(lines: Sequence[str], such: Callable[[str], bool]) -> bool:
    return sum(map(such, lines)) >= NEARLY_ALL * len(lines) > 0


def _objects(lines: Sequence[str]) -> list[Mapping[str, Any]]:
    """Return the objects of JSON in lines, if nearly all of them look like objects."""
    if not _nearly_all(lines, lambda line: line.startswith("{") and line.endswith("}")):
        return []
    objects = []
    for line in lines:
        with suppress(ValueError):
            objects.append(mapping(parsed(line.encode())))
    return [value for value in objects if value]


def _values(lines: Sequence[str]) -> list[str]:
    """Return the last cells of lines with equal numbers of one-word cells, or lines of few words; else none.

    Cells are separated by tabs or commas, after an identifier in ASCII, since texts without spaces have commas, too.
    If nearly all lines are two words, the first an identifier of its own, the values are the second words.
    """
    if _nearly_all(lines, lambda line: " " not in line):
        for mark in "\t,":
            rows = [line.split(mark) for line in lines]
            width = len(rows[len(rows) // 2])
            values = [row[-1] for row in rows if len(row) == width and row[0].isascii()]
            if width > 1 and len(values) >= NEARLY_ALL * len(lines):
                return values[values[0] not in values[1:] :]  # without a header
        return [line for line in lines if "\t" not in line]
    rows = [words for line in lines if len(words := line.split()) == 2]
    names = {name for name, _ in rows if any(map(str.isdecimal, name))}
    if len(names) >= NEARLY_ALL * len(lines):
        return [value for _, value in rows]
    return list(lines) if _nearly_all(lines, lambda line: len(line.split()) <= LABEL_WORDS) else []


def _what(values: Sequence[str]) -> str:
    """Return what values are: labels, if few are different, or numbers; else ""."""
    different = len(set(values))
    few = 1 < different <= len(values) / LINES_PER_LABEL
    whole = few and _nearly_all(values, lambda value: whole_number(value.lstrip("+-")) is not None)
    if _nearly_all(values, is_number) and not whole:
        return f"numbers ({count(len(values), 'line')})"
    return f"class labels ({different:,} different ones in {count(len(values), 'line')})" if few else ""
