"""Scores that another tool has computed: one system's column of a score table, and the units."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TextIO

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.separated import Table

MISSING = frozenset(("", "-", "na", "n/a", "nan", "none", "null"))
# Beyond this, sums of scores are not exact even to whole numbers.
LARGEST = 1e15
DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+(?:[eE][-+]?\d+)?")
THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?")
# The most characters of a cell that an error shows.
SHOWN = 40


@dataclass(frozen=True, eq=False, kw_only=True)
class Scores:
    """One system's scores, (units,) with NaN for missing ones, and the line of the table that holds each.

    ``confidences`` are the cells of the table's column of confidences, unchanged, or empty if it has none.
    """

    name: str
    values: np.ndarray
    lines: tuple[int, ...]
    confidences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def n_units(self) -> int:
        """Number of units."""
        return len(self.values)


@dataclass(frozen=True, kw_only=True)
class ScoredUnits:
    """The rows of a score table: the unit, document and domain of each; empty if the table has no such column."""

    name: str
    units: tuple[str, ...]
    documents: tuple[str, ...]
    domains: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def n_units(self) -> int:
        """Number of units."""
        return len(self.units)


def read_scores(stream: TextIO, name: str) -> Scores:
    """Return scores from lines of a number, its line in the table, and perhaps a confidence, separated by tabs.

    Raises FileError for a cell that is neither empty nor a number between -LARGEST and LARGEST.
    """
    rows = [row.split("\t") for row in stream.read().splitlines()]
    cells, lines = [row[0].strip() for row in rows], tuple(int(row[1]) for row in rows)
    # Rows of units without a score have only the line.
    confidences = tuple(row[2] if len(row) > 2 else "" for row in rows) if any(len(row) > 2 for row in rows) else ()
    numbers = [read_number(cell, name, line) for cell, line in zip(cells, lines, strict=True)]
    return Scores(name=name, values=np.array(numbers, dtype=np.float64), lines=lines, confidences=confidences)


def is_missing(cell: str) -> bool:
    """Return whether a cell is empty or marks a missing value."""
    return cell.lower() in MISSING


def is_number(cell: str) -> bool:
    """Return whether a cell is a number (including infinity, which is not a score)."""
    try:
        return "_" not in cell and not math.isnan(float(cell))
    except ValueError:
        return False


def is_like_number(cell: str) -> bool:
    """Return whether a cell is a number, perhaps with a decimal comma or commas between thousands."""
    return is_number(cell) or any(form.fullmatch(cell.strip()) for form in (DECIMAL_COMMA, THOUSANDS))


def without_commas(cells: Sequence[str]) -> Sequence[str]:
    """Return cells without commas between thousands, else with points for decimal commas, if there are no points.

    Commas are between thousands if three digits follow each of them and other numbers have none.
    """
    if _have_thousands(cells):
        return [cell.replace(",", "") if THOUSANDS.fullmatch(cell.strip()) else cell for cell in cells]
    if any("." in cell for cell in cells):
        return cells
    return [cell.replace(",", ".") if DECIMAL_COMMA.fullmatch(cell.strip()) else cell for cell in cells]


def _have_thousands(cells: Sequence[str]) -> bool:
    commas = [cell.strip() for cell in cells if "," in cell]
    return bool(commas) and all(map(THOUSANDS.fullmatch, commas)) and len(commas) < sum(map(is_like_number, cells))


def with_plain_numbers(sheet: Table, *numbers: Sequence[str]) -> Table:
    """Return the spreadsheet without commas in columns of numbers, of which each group is written in the same way.

    Decimal commas are read only between semicolons, as they are written where commas are decimal.
    """
    columns = dict(sheet.columns)
    for group in numbers:
        cells = [cell for name in group for cell in columns[name]]
        if sheet.separator == ";" or _have_thousands(cells):
            plain = iter(without_commas(cells))
            columns |= {name: list(islice(plain, len(sheet.lines))) for name in group}
    return sheet._replace(columns=columns)


def advice(cell: str) -> str:
    """Return how to correct a cell that is not a number; three or more numbers are columns."""
    if len(cell.split()) > 2 and all(map(is_number, cell.split())):
        return "separate columns by tabs, commas or semicolons, not by spaces"
    return "write it without %" if "%" in cell else "use a decimal point, and leave missing scores empty"


def read_number(cell: str, name: str, line: int) -> float:
    """Return the number in a cell, NaN for a missing one; FileError for anything else, and for numbers too large."""
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if abs(value) <= LARGEST and "_" not in cell:  # an underscore is Python's own way to group digits
        return value
    if is_missing(cell):
        return math.nan
    if not is_number(cell) or math.isinf(value):
        raise FileError(name, line, f"{cell[:SHOWN]!r} is not a number; {advice(cell)}")
    advised = f"use scores up to {LARGEST:g}, and leave missing ones empty"
    raise FileError(name, line, f"{cell[:SHOWN]!r} is too large to be summed exactly; {advised}")


def read_scored_units(files: Sequence[tuple[TextIO, str]]) -> ScoredUnits:
    """Return the units from lines of unit, document and domain separated by tabs; lines without tabs are notes.

    If some units have a document, each unit without one is its own document. Units without a domain belong to
    "no domain" if others have one.
    """
    ((stream, name),) = files
    lines = stream.read().split("\n")[:-1]
    rows = [line.split("\t") for line in lines if "\t" in line]
    units, documents, domains = zip(*rows, strict=True)
    documents = tuple(f"unit {i}" if is_missing(cell) else cell for i, cell in enumerate(documents, 1))
    domains = tuple("no domain" if is_missing(cell) else cell for cell in domains)
    return ScoredUnits(
        name=name,
        units=units,
        documents=() if all(is_missing(row[1]) for row in rows) else documents,
        domains=() if set(domains) == {"no domain"} else domains,
        notes=tuple(line for line in lines if "\t" not in line),
    )
