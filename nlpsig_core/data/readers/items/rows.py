"""Rows of cells, one an item, in whatever form a task has them: text stream -> Rows."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import PurePosixPath
from typing import Any, TextIO

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.logs.json_values import parsed
from nlpsig_core.data.readers.tables.scores import is_missing, is_number

# In a cell with several labels (a list of JSON), this stands before each of them.
LABEL_MARK = "\x1f"
# How many lines decide what separates cells, and the least share of them that must have the same number of cells.
JUDGED, NEARLY_ALL = 1000, 0.9
JSON = re.compile(r'\s*(?:\{\s*["}]|\[\s*(?:["\[{\]]|(?:-?[0-9]|true|false|null)[^\n]*[\],]\s*(?:\n|$)))')
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
}
# Names of columns, as tables have them, by what the column holds; compared in lower case, with _ for spaces.
NAMES = {
    what: tuple(names.split())
    for what, names in {
        "key": "id unit uid guid qid item item_id index idx segment seg sentence_id question_id instance_id example_id "
        "tweet_id text_id comment_id sample_id pair_id",
        "answer": "label labels gold gold_label gold_labels answer answers class target y prediction predictions "
        "predicted pred tag tags stance sentiment emotion emotions score value rating output similarity form correct "
        "y_true y_pred",
        "text": "text sentence tweet question comment premise hypothesis source content title",
        "document": "document doc docid doc_id document_id cluster",
        "domain": "domain genre category subset language lang",
    }.items()
}
ALL_NAMES = frozenset(chain.from_iterable(NAMES.values()))


@dataclass(frozen=True, eq=False, kw_only=True)
class Rows:
    """The cells of a file, by column: (columns, rows), all of the same length; and the line of each row, from 1.

    ``header`` has the names of the columns as the file has them, or nothing. ``answer`` is the column chosen by the
    user, from 0. A cell is "" where it is missing; one with several labels has LABEL_MARK before each of them.
    """

    name: str
    columns: tuple[list[str], ...]
    lines: np.ndarray
    header: tuple[str, ...] = ()
    answer: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def n_units(self) -> int:
        """Number of rows."""
        return len(self.lines)

    def named(self, what: str) -> list[int]:
        """Return the columns whose names tell that they hold this (a key of NAMES), the clearest name first."""
        plain = [plain_name(name) for name in self.header]
        found = [column for column, name in enumerate(plain) if name in NAMES[what]]
        return sorted(found, key=lambda column: NAMES[what].index(plain[column]))


def plain_name(name: str) -> str:
    """Return the name of a column as NAMES has it."""
    return name.strip(" #\ufeff\"'").lower().replace(" ", "_").replace("-", "_")


def read_rows(stream: TextIO, name: str, answer: int | None = None) -> Rows:
    """Return the rows of a stream: of JSON, of separated cells, or with one cell a line.

    Blank lines, comments (#) and lines with fewer cells before the first row are skipped. FileError for an empty file,
    and for JSON that is damaged or nested.
    """
    text = stream.read()
    if not text.strip():
        raise FileError(name, None, "the file is empty; it should have one answer per line")
    start = text.lstrip()[0]
    cells = _json_rows(text, name) if start in "[{" and _is_json(text) else None
    lines, header, columns, notes = cells or _separated(text, name)
    if answer is not None and answer >= len(columns):
        raise FileError(name, None, f"there is no column {answer + 1}; it has {len(columns)}")
    return Rows(name=name, columns=columns, lines=lines, header=header, answer=answer, notes=tuple(notes))


# The lines and names of columns, columns, and notes.
Cells = tuple[np.ndarray, tuple[str, ...], tuple[list[str], ...], list[str]]


def _is_json(text: str) -> bool:
    """Return whether a text that begins with a bracket begins with a list or an object of JSON."""
    return bool(JSON.match(text))


def _json_rows(text: str, name: str) -> Cells:
    """Return the cells of JSON: one value a line, a list of values, or an object with a value for each item."""
    lines = text.split("\n")
    filled = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if len(filled) > 1 and (values := _values_of_lines(filled, name)):
        numbers = [number for number, _ in filled]
    else:
        values = _values_of_whole(text, name)
        numbers = list(range(1, len(values) + 1)) if len(filled) != len(values) + 2 else [n for n, _ in filled[1:-1]]
    if not values:
        raise FileError(name, None, "no answer; the list or object of JSON is empty")
    header, columns = _columns_of(values)
    return np.array(numbers), header, columns, []


def _values_of_lines(filled: Sequence[tuple[int, str]], name: str) -> list[Any]:
    """Return the value of each line, or nothing if the first line is no whole value; FileError for a damaged one."""
    values = []
    for number, line in filled:
        try:
            values.append(parsed(line.encode()))
        except ValueError as error:
            if not values:
                return []
            raise FileError(name, number, f"not a value of JSON ({error})") from None
    return values


def _values_of_whole(text: str, name: str) -> list[Any]:
    try:
        value = parsed(text.encode())
    except ValueError as error:
        raise FileError(name, None, f"not JSON ({error}); give one object per line, a list, or one object") from None
    if isinstance(value, list):
        return value
    if not isinstance(value, dict):
        return [value]
    return [{"id": key} | (each if isinstance(each, dict) else {"answer": each}) for key, each in value.items()]


def _columns_of(values: Sequence[Any]) -> tuple[tuple[str, ...], tuple[list[str], ...]]:
    """Return the names and cells of the fields of objects, or of the places of lists; else one column of values."""
    if all(isinstance(value, dict) for value in values):
        names = tuple(dict.fromkeys(chain.from_iterable(values)))
        return names, tuple([_cell(value.get(name)) for value in values] for name in names)
    lists = all(isinstance(value, list) for value in values)
    if lists and len({len(value) for value in values}) == 1 and any(map(_is_pair, values)):
        return (), tuple([_cell(cell) for cell in column] for column in zip(*values, strict=True))
    return (), ([_cell(value) for value in values],)


def _is_pair(value: Sequence[Any]) -> bool:
    """Return whether a list is a row of cells rather than several labels."""
    return len(value) > 1 and any(not isinstance(cell, str) for cell in value)


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, list):
        return "".join(f"{LABEL_MARK}{_cell(each)}" for each in value) or LABEL_MARK
    return json.dumps(value)


def _separated(text: str, name: str) -> Cells:
    """Return the cells of lines."""
    lines = np.arange(1, text.count("\n") + 2)
    texts = text.split("\n")
    comments = [line.startswith("#") for line in texts]
    if sum(comments) > len(texts) / 2:
        comments = [False] * len(texts)
    kept = [index for index, line in enumerate(texts) if not comments[index] and line.strip()]
    if not kept:
        raise FileError(name, None, "only comments; it should have one answer per line")
    texts = [texts[index] for index in kept]
    separator = _separator(texts, PurePosixPath(name).suffix.lower())
    rows = _split(texts, separator, name)
    first = next(index for index, row in enumerate(rows) if len(row) == (width := _width(rows)))
    notes = [f"{first} lines before the first row are skipped"] if first else []
    rows, lines = rows[first:], lines[kept][first:]
    texts = texts[first:]
    rows = [row if len(row) == width else _mended(row, text, width) for row, text in zip(rows, texts, strict=True)]
    header: tuple[str, ...] = ()
    while len(rows) > 1 and _is_header(rows):
        header, rows, lines = tuple(header or map(str.strip, rows[0])), rows[1:], lines[1:]
    if len(rows) == 1 and width > 1 and all(plain_name(cell) in ALL_NAMES for cell in rows[0]):
        header, rows, lines = tuple(map(str.strip, rows[0])), [], lines[1:]
    columns = tuple(map(list, zip(*rows, strict=True))) if rows else tuple([] for _ in range(width))
    return lines, header, columns, notes


def _mended(row: list[str], text: str, width: int) -> list[str]:
    """Return the cells of a line with another number of them: by any white space if that makes them as many."""
    by_space = text.split()
    return by_space if len(by_space) == width else (row + [""] * width)[:width]


def _width(rows: Sequence[Sequence[str]]) -> int:
    return Counter(map(len, rows)).most_common(1)[0][0]


def _separator(lines: Sequence[str], ending: str) -> str:
    """Return what separates the cells of lines; "" if each has but one."""
    judged = lines[:JUDGED]
    for separator, split in SEPARATORS.items():
        rows = [split(line) for line in judged]
        width = _width(rows)
        alike = [row for row in rows if len(row) == width]
        if width < 2 or len(alike) < NEARLY_ALL * len(rows):
            continue
        names = [row[0] for row in alike]
        numbered = sum(map(bool, map(IDENTIFIER.fullmatch, names)))
        identified = len(set(names)) >= NEARLY_ALL * len(names) <= numbered / NEARLY_ALL
        if separator == "\t" or (separator in ",;" and ending == ".csv") or (identified and len(rows) > 1):
            return separator
    return ""


def _split(lines: list[str], separator: str, name: str) -> list[list[str]]:
    if not separator:
        return [[line] for line in lines]
    if separator in ",;" and any('"' in line for line in lines):
        reader = csv.reader(io.StringIO("\n".join(lines)), delimiter=separator)
        try:
            return [row for row in reader if row]
        except csv.Error as error:
            raise FileError(name, None, f"unbalanced quotes ({error}); close each quote") from None
    return list(map(SEPARATORS[separator], lines))


def _is_header(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row names columns: by known names, or above a column of numbers."""
    if any(is_number(cell) or is_missing(cell) for cell in rows[0]):
        return False
    columns = list(zip(*rows[1 : JUDGED + 1], strict=True))
    names = zip(map(plain_name, rows[0]), columns, strict=True)
    if any(name in ALL_NAMES and name not in map(plain_name, column) for name, column in names):
        return True
    return len(rows) > 2 and any(all(map(is_number, column)) for column in columns)
