"""CSV and TSV files: text stream -> Spreadsheet, cells by column name with the line of each row."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import PurePosixPath
from threading import Lock
from typing import Literal, NamedTuple, TextIO

from nlpsig_core.base.errors import FileError

NAMES_FIRST = "the first line must name the columns, and a cell that contains a separator needs quotes"
SEPARATOR = re.compile(r'"?sep=([,;|\t])"?\n', re.IGNORECASE)
FIRST_ROW = re.compile(r"^[^\n]*[\t,;][^\n]*", re.MULTILINE)
DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+(?:[eE][-+]?\d+)?")
UNBALANCED = "unbalanced quotes ({}); close each quote, and double a quote inside a quoted cell"
LONGEST_CELL, CHANGING_THE_LIMIT = 2**31 - 1, Lock()
# Rows are turned into columns in batches: small ones do not keep the garbage collector busy.
ROWS_AT_ONCE = 256


class Spreadsheet(NamedTuple):
    """The cells of a file by column name, with the separator and the line numbers of the header and of each row."""

    name: str
    separator: str
    header_line: int
    lines: list[int]
    columns: dict[str, list[str]]


def read_spreadsheet(stream: TextIO, name: str, *, quoted: bool = True) -> Spreadsheet:
    """Return the cells of a stream separated by tabs, commas or semicolons, whose first row names the columns.

    In files that are not ``quoted``, a quotation mark is a character as any other.

    Raises FileError for rows of different lengths, columns of the same name, and a file without rows.
    """
    separator, records = _records(name, stream.read(), quoted)
    header_line, cells = next(records, (1, []))
    header = [cell or f"column {index + 1}" for index, cell in enumerate(cells)]
    doubled = [column for column, number in Counter(header).items() if number > 1]
    if doubled:
        raise FileError(name, header_line, f"two columns are called {doubled[0]!r}; give each its own name")
    title = f"the first line must name the columns; delete {header[0]!r} above them" if header else ""
    if len(cells) > 1 and not any(cells[1:]):
        raise FileError(name, header_line, title)
    lines: list[int] = []
    columns: list[list[str]] = [[] for _ in header]
    while batch := list(islice(records, ROWS_AT_ONCE)):
        for line, row in batch:
            if len(row) != len(header):
                remedy = title if len(header) == 1 else NAMES_FIRST
                raise FileError(name, line, f"{len(row)} columns, but the header has {len(header)}; {remedy}")
        lines += [line for line, _ in batch]
        for column, more in zip(columns, zip(*(row for _, row in batch), strict=True), strict=True):
            column += more
    if not lines:
        raise FileError(name, None, "no rows; the first line must name the columns, each further line holds a unit")
    # Separators at the end of every line do not make a column.
    named = {key: column for key, cell, column in zip(header, cells, columns, strict=True) if cell or any(column)}
    return Spreadsheet(name, separator, header_line, lines, named)


class _SingleSpaced(dict[str, str]):
    """Collapses the white space of cells; since tables repeat most of them, a dictionary is faster."""

    def __missing__(self, cell: str) -> str:
        self[cell] = " ".join(cell.split())
        return self[cell]


def _records(name: str, text: str, quoted: bool) -> tuple[str, Iterator[tuple[int, list[str]]]]:
    """Return the separator of cells, and the line and the cells of each row that is not blank."""
    # The first line of a spreadsheet may declare the separator.
    if declared := SEPARATOR.match(text):
        return declared[1], _rows(name, text[declared.end() :], declared[1], quoted, lines_before=1)
    first_row = FIRST_ROW.search(text)
    first = first_row[0] if first_row else ""
    tab = PurePosixPath(name).suffix.lower() == ".tsv" or "\t" in first
    separator = "\t" if tab else max(",;", key=first.count)
    return separator, _rows(name, text, separator, quoted, lines_before=0)


def _rows(name: str, text: str, separator: str, quoted: bool, lines_before: int) -> Iterator[tuple[int, list[str]]]:
    single_spaced = _SingleSpaced()
    first = lines_before + 1
    for line, row in csv_rows(text, name, separator, UNBALANCED, first_line=first, quoted=quoted, strict=True):
        yield line, [single_spaced[cell] for cell in row]


def csv_rows(
    text: str, name: str, separator: str, fault: str, *, first_line: int = 1, quoted: bool = True, strict: bool = False
) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the cells of each row that is not blank; ``quoted`` cells may contain the separator.

    FileError where the module csv gives up, which it does sooner if it is ``strict``; ``fault`` is the reason, with {}
    for its own.
    """
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
    reader = csv.reader(io.StringIO(text), delimiter=separator, quoting=quoting, strict=strict)
    line = first_line
    try:
        for row in reader:
            if any(map(str.strip, row)):
                yield line, row
            line = first_line + reader.line_num
    except csv.Error as error:
        raise FileError(name, line, fault.format(error)) from None


@contextmanager
def long_cells() -> Iterator[None]:
    """Let cells be as long as hours of speech; the limit of the module csv is that of the whole process."""
    with CHANGING_THE_LIMIT:
        before = csv.field_size_limit(LONGEST_CELL)
        try:
            yield
        finally:
            csv.field_size_limit(before)
