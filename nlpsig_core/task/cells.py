"""CSV and TSV: a file of separated cells -> Table, columns by name with the line of each row."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import PurePosixPath
from typing import NamedTuple

from nlpsig_core.errors import FileError
from nlpsig_core.task.files import File

NAMES_FIRST = "the first line is to name the columns, and a cell with a separator in it needs quotes"
SEPARATOR = re.compile(r'"?sep=([,;|\t])"?\n', re.IGNORECASE)
FIRST_ROW = re.compile(r"^[^\n]*[\t,;][^\n]*", re.MULTILINE)
DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+(?:[eE][-+]?\d+)?")
# How many rows are read before they become columns: fewer than would keep the garbage collector busy.
ROWS = 256


class Table(NamedTuple):
    """A table: its path, what separates its cells, the line of its header and of each row, cells by column name."""

    path: str
    separator: str
    header: int
    lines: list[int]
    columns: dict[str, list[str]]


def read_table(file: File) -> Table:
    """The cells of a file with tabs, commas or semicolons between them, whose first row names the columns.

    Raises FileError for rows of another length, columns of the same name, and a table without rows.
    """
    separator, records = _records(file)
    start, cells = next(records, (1, []))
    header = [cell or f"column {place + 1}" for place, cell in enumerate(cells)]
    doubled = [name for name in header if header.count(name) > 1]
    if doubled:
        raise FileError(file.path, start, f"two columns are called {doubled[0]!r}; give each its own name")
    title = f"the first line is to name the columns; delete {header[0]!r} above them" if header else ""
    if len(cells) > 1 and not any(cells[1:]):
        raise FileError(file.path, start, title)
    lines: list[int] = []
    columns: list[list[str]] = [[] for _ in header]
    while part := list(islice(records, ROWS)):
        for line, row in part:
            if len(row) != len(header):
                remedy = title if len(header) == 1 else NAMES_FIRST
                raise FileError(file.path, line, f"{len(row)} columns where the header has {len(header)}; {remedy}")
        lines += [line for line, _ in part]
        for column, more in zip(columns, zip(*(row for _, row in part), strict=True), strict=True):
            column += more
    if not lines:
        raise FileError(file.path, None, "no rows; the first line names the columns, each further one is a unit")
    # Separators at the ends of all lines make no column.
    named = {name: column for name, cell, column in zip(header, cells, columns, strict=True) if cell or any(column)}
    return Table(file.path, separator, start, lines, named)


class _Plain(dict[str, str]):
    """Cells with single spaces inside and none around them; tables repeat most, and a dictionary is faster."""

    def __missing__(self, cell: str) -> str:
        self[cell] = " ".join(cell.split())
        return self[cell]


def _records(file: File) -> tuple[str, Iterator[tuple[int, list[str]]]]:
    """What separates cells; the line on which a row begins and its cells, blank rows left out."""
    text = file.text()
    # A spreadsheet's first line may say what separates the cells of the others.
    said = SEPARATOR.match(text)
    found = FIRST_ROW.search(text)
    first = found[0] if found else ""
    tab = PurePosixPath(file.path).suffix.lower() == ".tsv" or "\t" in first
    separator = said[1] if said else "\t" if tab else max(",;", key=first.count)
    return separator, _rows(file.path, text[said.end() if said else 0 :], separator, 1 if said else 0)


def _rows(path: str, text: str, separator: str, skipped: int) -> Iterator[tuple[int, list[str]]]:
    reader, plain = csv.reader(io.StringIO(text), delimiter=separator, strict=True), _Plain()
    line = skipped + 1
    try:
        for row in reader:
            cells = [plain[cell] for cell in row]
            if any(cells):
                yield line, cells
            line = skipped + reader.line_num + 1
    except csv.Error as error:
        reason = f"quotes that do not match ({error}); close each, and write one inside of a quoted cell twice"
        raise FileError(path, line, reason) from None


def with_points(table: Table, names: list[str]) -> Table:
    """The table with points for decimal commas in these columns, for which semicolons between cells leave room.

    It is the same where a cell of them has a point: then a comma may separate thousands.
    """
    if table.separator != ";" or any("." in cell for name in names for cell in table.columns[name]):
        return table
    scores = {
        name: [cell.replace(",", ".") if DECIMAL_COMMA.fullmatch(cell) else cell for cell in table.columns[name]]
        for name in names
    }
    return table._replace(columns=table.columns | scores)
