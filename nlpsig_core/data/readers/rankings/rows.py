"""Rows of columns between white space, or of {topic: {document: value}} in JSON: text stream -> Rows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import compress
from typing import NamedTuple, TextIO

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import count
from nlpsig_core.data.readers.logs.json_values import mapping, parsed

# What marks the end of a line, between white space.
END = "\0"
# The names of columns in the first line of BEIR's judgements.
BEIR = ["query-id", "corpus-id", "score"]
# Columns of numbers, and their names in a first line that names columns.
NUMBERS = frozenset(("rank", "score", "grade", "relevance", "rel"))
# The beginning of an object of objects in JSON, as ranx and pytrec_eval have them.
NESTED = re.compile(r'\s*\{\s*"[^"]*"\s*:\s*\{')
# The most characters of a cell that an error shows.
SHOWN = 40


class Rows(NamedTuple):
    """The columns of a file by name, (rows,) each, and the line of each row, from 1; nothing in JSON."""

    columns: Mapping[str, Sequence[str]]
    lines: Sequence[int]

    def place(self, row: int) -> str:
        """Return where a row is: "line 4", in JSON "topic 1, document d"."""
        if self.lines:
            return f"line {self.lines[row]}"
        return f"topic {self.columns['topic'][row][:SHOWN]}, document {self.columns['document'][row][:SHOWN]}"

    def error(self, name: str, row: int, reason: str) -> FileError:
        """Return the error of a row."""
        return (
            FileError(name, self.lines[row], reason)
            if self.lines
            else FileError(name, None, f"{self.place(row)}: {reason}")
        )


def read_rows(stream: TextIO, name: str, columns: Sequence[str], short: Sequence[str]) -> Rows:
    """Return the rows of a stream with these columns, or the ``short`` ones if its first row has as many as these.

    Blank lines and a first line that names columns are left out. In JSON, the values are the column "grade" or "score".
    FileError for an empty file and at the first row with another number of columns.
    """
    text = stream.read()
    if END in text:
        raise FileError(name, 1 + text.count("\n", 0, text.index(END)), "a null character; the file is damaged")
    if NESTED.match(text):
        return _nested(text, name, "score" if "score" in columns else "grade")
    text = by_spaces(text)
    first = text.lstrip().partition("\n")[0].split()
    columns = short if len(first) == len(short) else columns
    by_column, lines = _cells(text, name, columns)
    start = int(any({cell.lower(), of} <= NUMBERS for cell, of in zip(first, columns, strict=False)))
    kept = {of: cells[start:] for of, cells in zip(columns, by_column, strict=True)}
    return Rows(kept, lines[start:])


def by_spaces(text: str) -> str:
    """Return a text with spaces in place of commas, if it names the columns, among them documents, between these."""
    first = text.lstrip().partition("\n")[0].lower()
    return text.replace(",", " ") if ",doc" in first and first.rpartition(",")[2].strip() in NUMBERS else text


def _nested(text: str, name: str, column: str) -> Rows:
    """Return the rows of an object of JSON with a value for each document of each topic."""
    try:
        by_topic = mapping(parsed(text.encode("utf-8", "replace")))
    except ValueError as error:
        raise FileError(name, None, f"damaged JSON: {error}") from None
    odd = next((topic for topic, values in by_topic.items() if not isinstance(values, dict)), None)
    if odd is not None:
        raise FileError(name, None, f"topic {odd[:SHOWN]} has no object of documents and their values")
    rows = [(topic, *map(str, pair)) for topic, values in by_topic.items() for pair in values.items()]
    if not rows:
        raise FileError(name, None, "there are no documents in this object of JSON")
    return Rows(dict(zip(("topic", "document", column), zip(*rows, strict=True), strict=False)), ())


def _cells(text: str, name: str, columns: Sequence[str]) -> tuple[Sequence[Sequence[str]], Sequence[int]]:
    """Return the cells by column, and the lines of the rows."""
    if by_column := _rectangular(text, len(columns)):
        return by_column, range(1, len(by_column[0]) + 1)
    rows = [line.split() for line in text.split("\n")]
    lines = list(compress(range(1, len(rows) + 1), rows))
    rows = list(filter(None, rows))
    if not rows:
        raise FileError(name, None, f"the file is empty; it should have lines of {' '.join(columns)}")
    if set(map(len, rows)) != {len(columns)}:
        odd = next(index for index, row in enumerate(rows) if len(row) != len(columns))
        cells = count(len(rows[odd]), "column")
        needed = f"a line needs {len(columns)} ({' '.join(columns)})"
        raise FileError(name, lines[odd], f"{cells}, but {needed}")
    return list(zip(*rows, strict=True)), lines


def _rectangular(text: str, width: int) -> list[list[str]]:
    """Return the cells by column if all lines have the same number of them, which is fast; else nothing."""
    text = text.removesuffix("\n") + "\n"
    cells = text.replace("\n", f" {END} ").split()
    ends = cells[width :: width + 1]
    if len(cells) != text.count("\n") * (width + 1) or ends.count(END) != cells.count(END):
        return []
    return [cells[column :: width + 1] for column in range(width)]
