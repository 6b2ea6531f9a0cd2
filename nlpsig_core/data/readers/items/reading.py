"""Rows of cells, one an item, whose separator, comments and names of columns are guessed: text stream -> Rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from pathlib import PurePosixPath
from typing import TextIO

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import count
from nlpsig_core.data.readers.base import Read
from nlpsig_core.data.readers.items.json_rows import json_rows, looks_like_json
from nlpsig_core.data.readers.items.rows import ALL_NAMES, NAMES, NUMBERED, Rows, plain_name
from nlpsig_core.data.readers.items.sets import marked_lists
from nlpsig_core.data.readers.separated import names_quoted, read_table, rows_of
from nlpsig_core.data.readers.tables.scores import DECIMAL_COMMA, is_missing, is_number

# How many lines decide what separates cells, and the least share of them that must have the same number of cells.
JUDGED, NEARLY_ALL = 1000, 0.9
# How many lines above the rows do not count for that.
MOST_ABOVE = 10
# An identifier contains a digit and no space.
IDENTIFIER = re.compile(r"(?=\S*[0-9])[!-~]+")
SPACES = re.compile(" {2,}")
# What may separate cells; each returns the cells of a line.
SEPARATORS: dict[str, Callable[[str], list[str]]] = {
    "\t": lambda line: line.split("\t"),
    ",": lambda line: line.split(","),
    ";": lambda line: line.split(";"),
    "  ": lambda line: SPACES.split(line.strip(" ")),
    " ": lambda line: line.strip(" ").split(" ", 1),
    ":::": lambda line: line.split(":::"),
    "|": lambda line: line.split("|"),
}


def read_rows(stream: TextIO, name: str, answer: int | None = None, *, cut: bool = False, header: bool = True) -> Rows:
    """Return the rows of a stream: of JSON, of separated cells, or with one cell a line.

    ``answer`` is the column of the answers, from 0, if it is known. FileError for an empty file, for damaged JSON and
    quotes, for a row with more cells than others (unless it is ``cut``), and if there is no such column. Without
    ``header`` the first row has no names of columns.
    """
    text = stream.read()
    if not text.strip():
        raise FileError(name, None, "the file is empty; it should have one answer per line")
    rows = json_rows(text, name) if looks_like_json(text) else _guessed_rows(text, name, cut=cut, header=header)
    if answer is not None and answer >= len(rows.columns):
        raise FileError(name, None, f"there is no column {answer + 1}; it has {len(rows.columns)}")
    return replace(rows, answer=answer)


def read_named_rows(text: str, name: str) -> Rows:
    """Return the rows of JSON, or of a table whose first row names the columns; FileError as in ``read_table``."""
    if looks_like_json(text):
        return json_rows(text, name)
    # Of a single column, the ending tells whether cells have quotes.
    table = read_table(text, name, otherwise=";" if name.lower().endswith(".csv") else "\t")
    header, columns = zip(*table.columns.items(), strict=True)
    return Rows(name=name, columns=columns, lines=np.array(table.lines), header=header)


def _guessed_rows(text: str, name: str, *, cut: bool = False, header: bool = True) -> Rows:
    """Return the rows of lines, without blank lines, comments (#), lines above the rows, and the ``header``.

    FileError if no row is left, and, unless it is ``cut``, for a row with more cells than others, and for quotes that
    take in further rows.
    """
    ending, notes = PurePosixPath(name).suffix.lower(), list[str]()
    may_be = '"' in text if ending == ".csv" else names_quoted(text)
    if may_be and (quoted := _quoted(text, name, cut=cut)):
        rows, lines = quoted
        texts = [""] * len(rows)
    else:
        texts, lines, separator, notes = _without_comments(text, name, ending)
        if columns := _rectangular(texts, separator):
            return _named(name, lines, columns, notes, header=header)
        rows = [SEPARATORS[separator](line) for line in texts]
    width = _width(rows)
    first = next(index for index, row in enumerate(rows) if len(row) == width)
    notes += [f"{count(first, 'line')} above the rows, with fewer cells, skipped"] if first else []
    rows, texts, lines = rows[first:], texts[first:], lines[first:]
    rows = [row if len(row) == width else _mended(row, text, width) for row, text in zip(rows, texts, strict=True)]
    if not cut and (long := next((index for index, row in enumerate(rows) if len(row) > width), -1)) >= 0:
        how = "put quotes around" if ending == ".csv" else "take it out of"
        reason = f"{len(rows[long])} cells, but other rows have {width}; {how} a cell that contains the separator"
        raise FileError(name, int(lines[long]), reason)
    rows = [row[:width] for row in rows]
    return _named(name, lines, list(map(list, zip(*rows, strict=True))), notes, header=header)


def _without_comments(text: str, name: str, ending: str) -> tuple[list[str], np.ndarray, str, list[str]]:
    """Return the lines that are neither blank nor comments, their numbers, what separates cells, and a note."""
    texts = text.split("\n")
    lines = np.arange(1, len(texts) + 1)
    if not texts[-1].strip():
        texts, lines = texts[:-1], lines[:-1]
    if not text.startswith("#") and "\n#" not in text and "" not in texts and not any(map(str.isspace, texts)):
        return texts, lines, _separator(texts[:JUDGED], ending), []
    # If most lines begin with it, it is part of their cells unless a space follows.
    mark = "#" if sum(line.startswith("#") for line in texts) <= len(texts) / 2 else "# "
    filled = [index for index, line in enumerate(texts) if line.strip()]
    rows = [index for index in filled if not texts[index].startswith(mark)]
    if not rows:
        raise FileError(name, None, "nothing but comments; it should have one answer per line")
    separator = _separator([texts[index] for index in rows[:JUDGED]], ending)
    below = [index for index in filled if index > rows[0] and texts[index].startswith(mark)]
    if separator in ("\t", ",", ";"):
        # Below the first row, one with as many cells is a row, such as a text that begins with a tag.
        marks = Counter(texts[index].count(separator) for index in rows).most_common(1)[0][0]
        alike = [i for i in below if texts[i].count(separator) == marks and not texts[i].startswith("# ")]
        rows, below = sorted([*rows, *alike]), sorted(set(below) - set(alike))
    skipped = f"{count(len(below), 'line')} with # skipped below the first row"
    notes = [f"{skipped} (first: line {lines[index]})" for index in below[:1]]
    return [texts[index] for index in rows], lines[rows], separator, notes


def _separator(lines: Sequence[str], ending: str) -> str:
    """Return what separates the cells of lines; "" if each has but one."""
    for separator in sorted(SEPARATORS, key=",".__eq__) if _decimal_commas(lines) else SEPARATORS:
        split = SEPARATORS[separator]
        rows = [split(line) for line in lines]
        width = _width(rows)
        above = next(number for number, row in enumerate(rows) if len(row) == width)
        names = [row[0] for row in rows if len(row) == width]
        if width < 2 or len(names) < NEARLY_ALL * (len(rows) - min(above, MOST_ABOVE)):
            continue
        if separator == "|" and {*map(plain_name, rows[0])}.isdisjoint(NAMES["key"]):
            continue  # sets of labels
        if separator == "\t" or (separator in ",;" and ending == ".csv") or are_identifiers(names[len(names) > 2 :]):
            return separator
    return ""


def _decimal_commas(lines: Sequence[str]) -> bool:
    """Return whether semicolons separate cells and commas do not: the first line has none, or they are decimal."""
    if ";" not in lines[0]:
        return False
    cells = chain.from_iterable(line.split(";") for line in lines if "," in line)
    return "," not in lines[0] or all(DECIMAL_COMMA.fullmatch(cell.strip()) for cell in cells if "," in cell)


def are_identifiers(names: Sequence[str]) -> bool:
    """Return whether nearly all of the names are identifiers, and nearly all differ."""
    identifiers = sum(map(bool, map(IDENTIFIER.fullmatch, names)))
    return len(names) > 1 and min(identifiers, len(set(names))) >= NEARLY_ALL * len(names)


def _width(rows: Sequence[Sequence[str]]) -> int:
    numbers = Counter(map(len, rows))
    return max(numbers, key=lambda width: (numbers[width], width))


def _rectangular(texts: list[str], separator: str) -> list[list[str]]:
    """Return the cells by column if all lines have the same number of them, which is fast; else nothing."""
    if not separator:
        return [texts]
    if separator[0] == " ":
        return []
    marks = texts[0].count(separator)
    if set(map(str.count, texts, repeat(separator))) != {marks}:
        return []
    cells = separator.join(texts).split(separator)
    return [cells[column :: marks + 1] for column in range(marks + 1)]


def _quoted(text: str, name: str, *, cut: bool) -> tuple[list[list[str]], np.ndarray] | None:
    """Return the rows of a text with quoted cells, and their lines; None if they have but one cell."""
    first = text.partition("\n")[0]
    separator = "\t" if names_quoted(text) else max(",;", key=first.count)
    found = list(rows_of(text, name, separator, strict=False))
    lines, rows = [line for line, _ in found], [row for _, row in found]
    width = _width(rows) if rows else 0
    if width > 1 and not cut:
        _check_quotes(text, name, separator, found, width)
    # Comments have another number of cells.
    kept = [index for index, row in enumerate(rows) if len(row) == width or not row[0].startswith("#")]
    return ([rows[index] for index in kept], np.array(lines)[kept]) if width > 1 else None


def _check_quotes(text: str, name: str, separator: str, found: Sequence[tuple[int, list[str]]], width: int) -> None:
    """Raise FileError for quotes that take in further lines and are unbalanced, or hold rows of other items."""
    lines, starts = text.split("\n"), [line for line, _ in found]
    for (line, row), end in zip(found, [*starts[1:], None], strict=True):
        if broken := [cell for cell in row if "\n" in cell]:
            try:
                list(rows_of("\n".join(lines[line - 1 : end and end - 1]), name, separator))
            except FileError as error:
                raise FileError(name, line, error.reason) from None
            if any(_holds_rows(cell, separator, width) for cell in broken):
                raise FileError(name, line, "the quotes hold several rows; close each quote where its cell ends")


def _holds_rows(cell: str, separator: str, width: int) -> bool:
    """Return whether the lines inside a cell, but the first and the last, are rows of other items."""
    rows = [line.split(separator) for line in cell.split("\n")[1:-1]]
    return bool(rows) and all(len(row) == width and IDENTIFIER.fullmatch(row[0]) for row in rows)


def _mended(row: list[str], text: str, width: int) -> list[str]:
    """Return as many cells as other rows have: those between any white space, or with empty ones in place of others.

    Further cells are left, unless they are empty.
    """
    by_space = text.split()
    if len(by_space) == width:
        return by_space
    return row[: width if not any(map(str.strip, row[width:])) else None] + [""] * (width - len(row))


def _named(name: str, lines: np.ndarray, columns: list[list[str]], notes: list[str], *, header: bool) -> Rows:
    """Return the rows below the names of columns, if the first row has such names; once more if they are repeated.

    Empty columns after the others are left out.
    """
    filled = [number for number, column in enumerate(columns, 1) if any(map(str.strip, column))]
    columns = columns[: max(filled, default=1)]
    names: tuple[str, ...] = ()
    skipped = 0
    while header and skipped < len(lines) and _is_header([column[skipped : skipped + JUDGED] for column in columns]):
        names = names or tuple(column[skipped].strip() for column in columns)
        skipped += 1
    if skipped > 1:
        notes = [*notes, f"{skipped} lines with names of columns; the first of them are used"]
    below = tuple(marked_lists(column[skipped:]) for column in columns)
    return Rows(name=name, columns=below, lines=lines[skipped:], header=names, notes=tuple(notes))


def _is_header(columns: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row names columns: by known names, or above numbers or identifiers."""
    first, *others = zip(*columns, strict=True)
    others = [row for row in others if row != first]
    # Numbers of rows have no name, as pandas writes them.
    named = first[not first[0].strip() and all(is_number(row[0]) for row in others) :]
    if not named or any(is_number(cell) or is_missing(cell) for cell in named):
        return False
    plain = [plain_name(cell) for cell in first]
    if len(others) == 0:
        return len(columns) > 1 and any(name in ALL_NAMES for name in plain)
    below = list(zip(*others, strict=True))
    if any(name in ALL_NAMES and name not in map(plain_name, cells) for name, cells in zip(plain, below, strict=True)):
        return True
    if any(cell in cells for cell, cells in zip(first, below, strict=True)):
        return False
    identified = len(columns) > 1 and are_identifiers(below[0])
    if len(others) > 1 and any(all(map(is_number, cells)) for cells in below):
        return not (identified and IDENTIFIER.fullmatch(first[0]))
    return identified and not any(map(str.isdecimal, first[0]))


# Ways to read a file: which column has the answers.
ANSWER_COLUMNS: dict[str, Read] = {
    "the column that fits": read_rows,
    **{f"column {column + 1}": partial(read_rows, answer=column) for column in range(NUMBERED)},
}
