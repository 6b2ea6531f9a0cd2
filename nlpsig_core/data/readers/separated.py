"""Separated text (TSV, CSV and the like): text -> the cells of its rows with their lines, or a Table by column name."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from io import StringIO
from itertools import islice
from typing import Literal, NamedTuple

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import count

# The first line of a spreadsheet may declare the separator; the first line with several cells may be below a title.
DECLARED, FIRST_LINE = re.compile(r'"?sep=([,;|\t])"?\n', re.IGNORECASE), re.compile(r"[^\n]+")
# The names of all columns in quotes between tabs.
QUOTED_NAMES = re.compile(r'"[^"\t\n]*"(?:\t"[^"\t\n]*")+(?:\n|$)')
SEVERAL_CELLS = re.compile(r"^[^\n]*[\t,;][^\n]*", re.MULTILINE)
# The limit of the module csv for the whole process, set only by a text that exceeds the one it has.
LONGEST_CELL = 2**31 - 1
# The most characters of a first row that are looked at.
LONGEST_FIRST_ROW = 20_000
# Rows are turned into columns in batches: small ones do not keep the garbage collector busy.
ROWS_AT_ONCE = 256
NO_ROWS = "no rows; the first line must name the columns, and each further line is a row"


class Table(NamedTuple):
    """The cells of a file by column name, with the separator and the line numbers of the header and of each row."""

    name: str
    separator: str
    header_line: int
    lines: list[int]
    columns: dict[str, list[str]]


def separator_of(text: str, name: str = "", otherwise: str = ",") -> str:
    """Return what the first line declares to separate cells, else a tab, or the more frequent of comma and semicolon.

    If the first line has none of them, it is a tab in a text called .tsv, and ``otherwise`` in others.
    """
    if declared := DECLARED.match(text):
        return declared[1]
    first = line[0] if (line := FIRST_LINE.search(text)) else ""
    otherwise = "\t" if name.lower().endswith(".tsv") else otherwise
    return "\t" if "\t" in first else max(otherwise, ",", ";", key=first.count)


def names_quoted(text: str) -> bool:
    """Whether a text has the names of its columns in quotes between tabs, as R writes them and other cells."""
    return QUOTED_NAMES.match(text) is not None


def rows_of(
    text: str, name: str, separator: str, *, tabs_quoted: bool = False, strict: bool = True
) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the cells of each row that is not blank.

    A cell in quotes may contain separators and line breaks. Between tabs, quotes are characters like others unless
    they are ``tabs_quoted`` or all cells of the first row have them. FileError for unbalanced quotes; if not
    ``strict``, those that are missing are added.
    """
    if len(text) > csv.field_size_limit():
        csv.field_size_limit(LONGEST_CELL)
    start = declared.end() if (declared := DECLARED.match(text)) else 0
    literal = separator == "\t" and not (tabs_quoted or names_quoted(text))
    quoting: Literal[0, 3] = csv.QUOTE_NONE if literal else csv.QUOTE_MINIMAL
    reader = csv.reader(StringIO(text[start:]), delimiter=separator, quoting=quoting, strict=strict)
    line = first = 2 if start else 1
    try:
        for row in reader:
            if any(map(str.strip, row)):
                yield line, row
            line = first + reader.line_num
    except csv.Error as error:
        remedy = "close each quote, and double a quote inside a quoted cell"
        raise FileError(name, line, f"unbalanced quotes ({error}); {remedy}") from None


def first_cells(text: str, *, tabs_quoted: bool = False) -> list[str]:
    """Return the cells of the first row of a text that may be cut off; [] if there is none."""
    start = text[:LONGEST_FIRST_ROW]
    try:
        return next(rows_of(start, "", separator_of(start), tabs_quoted=tabs_quoted, strict=False), (1, []))[1]
    except FileError:
        return []


def read_table(
    text: str,
    name: str,
    *,
    otherwise: str = ",",
    tabs_quoted: bool = False,
    most: int | None = None,
    form: Callable[[str], str] = str,
) -> Table:
    """Return the table of a text whose first row names the columns; at ``most`` so many rows, each cell in a ``form``.

    FileError for unbalanced quotes, rows of different lengths, columns of the same name, and a table without rows.
    """
    separator = separator_of(text, name, otherwise)
    records = rows_of(text, name, separator, tabs_quoted=tabs_quoted)
    header_line, cells = next(records, (1, []))
    header = [" ".join(cell.split()) or f"column {number}" for number, cell in enumerate(cells, 1)]
    doubled = [column for column, number in Counter(header).items() if number > 1]
    if doubled:
        raise FileError(name, header_line, f"two columns are called {doubled[0]!r}; give each its own name")
    lines: list[int] = []
    columns: list[list[str]] = [[] for _ in header]
    records = islice(records, most)
    while batch := list(islice(records, ROWS_AT_ONCE)):
        for line, row in batch:
            if len(row) != len(header):
                raise uneven(name, line, row, header, quoted=tabs_quoted or separator != "\t")
        lines += [line for line, _ in batch]
        for column, more in zip(columns, zip(*(row for _, row in batch), strict=True), strict=True):
            column += map(form, more)
    if not lines:
        raise FileError(name, None, NO_ROWS)
    # Separators at the end of every line do not make a column.
    named = zip(header, cells, columns, strict=True)
    kept = {key: own for key, cell, own in named if cell.strip() or any(map(str.strip, own))}
    if len(kept) > 1 and not any(map(str.strip, cells[1:])):
        raise FileError(name, header_line, _untitled(header))
    return Table(name, separator, header_line, lines, kept)


def read_spreadsheet(text: str, name: str, *, tabs_quoted: bool = True, most: int | None = None) -> Table:
    """Return the table of a text with single spaces for any white space in cells; FileError as in ``read_table``."""
    below = SEVERAL_CELLS.search(text)
    otherwise = separator_of(below[0]) if below else ","
    # Since tables repeat most cells, it is faster to remember them.
    form = cache(lambda cell: " ".join(cell.split()))
    return read_table(text, name, otherwise=otherwise, tabs_quoted=tabs_quoted, most=most, form=form)


def uneven(name: str, line: int, row: Sequence[str], header: Sequence[str], *, quoted: bool) -> FileError:
    """Return the error of a row that has not as many cells as the first row."""
    how = "a cell that contains a separator needs quotes" if quoted else "a cell cannot contain a tab"
    remedy = f"the first line must name the columns, and {how}" if len(header) > 1 else _untitled(header)
    return FileError(name, line, f"{count(len(row), 'column')}, but the header has {len(header)}; {remedy}")


def _untitled(header: Sequence[str]) -> str:
    return f"the first line must name the columns; delete {header[0]!r} above them"
