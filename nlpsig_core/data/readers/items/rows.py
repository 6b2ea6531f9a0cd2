"""Rows of cells, one an item, in whatever form a task has them: text stream -> Rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TextIO

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.base import DOCUMENT, Read
from nlpsig_core.data.readers.items.guessing import NAMES, guessed_cells, plain_name
from nlpsig_core.data.readers.items.json_rows import json_cells, looks_like_json
from nlpsig_core.data.readers.separated import read_table


@dataclass(frozen=True, eq=False, kw_only=True)
class Rows:
    """The cells of a file, by column: (columns, rows), all of the same length; and the line of each row, from 1.

    ``header`` has the names of the columns as the file has them, or nothing. ``answer`` is the column chosen by the
    user, from 0, ``cluster`` what documents are. A cell is "" where it is missing; one with several labels has
    LABEL_MARK before each of them.
    """

    name: str
    columns: tuple[list[str], ...]
    lines: np.ndarray
    header: tuple[str, ...] = ()
    answer: int | None = None
    notes: tuple[str, ...] = ()
    cluster: str = DOCUMENT

    @property
    def n_units(self) -> int:
        """Number of rows."""
        return len(self.lines)

    def named(self, what: str) -> list[int]:
        """Return the columns whose names tell that they hold this (a key of NAMES), the clearest name first."""
        plain = [plain_name(name) for name in self.header]
        found = [column for column, name in enumerate(plain) if name in NAMES[what]]
        return sorted(found, key=lambda column: NAMES[what].index(plain[column]))

    def name_of(self, column: int) -> str:
        """Return the name of a column as NAMES has it; "" without names."""
        return plain_name(self.header[column]) if self.header else ""


def read_rows(stream: TextIO, name: str, answer: int | None = None, *, cut: bool = False, header: bool = True) -> Rows:
    """Return the rows of a stream: of JSON, of separated cells, or with one cell a line.

    ``answer`` is the column of the answers, from 0, if it is known. FileError for an empty file, for damaged JSON and
    quotes, for a row with more cells than others (unless it is ``cut``), and if there is no such column. Without
    ``header`` the first row has no names of columns.
    """
    text = stream.read()
    if not text.strip():
        raise FileError(name, None, "the file is empty; it should have one answer per line")
    cells = json_cells(text, name) if looks_like_json(text) else guessed_cells(text, name, cut=cut, header=header)
    if answer is not None and answer >= len(cells.columns):
        raise FileError(name, None, f"there is no column {answer + 1}; it has {len(cells.columns)}")
    return Rows(name=name, answer=answer, **cells._asdict())


def read_named_rows(text: str, name: str) -> Rows:
    """Return the rows of JSON, or of a table whose first row names the columns; FileError as in ``read_table``."""
    if looks_like_json(text):
        return Rows(name=name, **json_cells(text, name)._asdict())
    # Of a single column, the ending tells whether cells have quotes.
    table = read_table(text, name, otherwise=";" if name.lower().endswith(".csv") else "\t")
    header, columns = zip(*table.columns.items(), strict=True)
    return Rows(name=name, columns=columns, lines=np.array(table.lines), header=header)


# So many columns can be chosen by their numbers.
NUMBERED = 20
# Ways to read a file: which column has the answers.
ANSWER_COLUMNS: dict[str, Read] = {
    "the column that fits": read_rows,
    **{f"column {column + 1}": partial(read_rows, answer=column) for column in range(NUMBERED)},
}
