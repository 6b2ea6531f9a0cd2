"""Scores of units that something else has made: one system's column of a score table, and the units themselves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TextIO

import numpy as np

from nlpsig_core.errors import FileError

MISSING = frozenset(("", "-", "na", "n/a", "nan", "none", "null"))
# Beyond it sums of scores are not exact even to whole numbers, and soon no floats.
LARGEST = 1e15


@dataclass(frozen=True, eq=False)
class Scores:
    """One system's scores, (units,) with NaN where there is none, and the line of the table that each stands on."""

    name: str
    values: np.ndarray
    lines: tuple[int, ...]
    notes: tuple[str, ...] = ()

    @property
    def n_units(self) -> int:
        """Number of units."""
        return len(self.values)


@dataclass(frozen=True)
class ScoredUnits:
    """The rows of a score table: the unit, the document and the domain of each; empty where not told."""

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
    """Scores from lines of a number, a tab, and the line of the table that it stands on.

    Raises FileError for a cell that is neither a number up to LARGEST (or down to its negative) nor empty.
    """
    rows = [row.rpartition("\t") for row in stream.read().splitlines()]
    cells, lines = [cell.strip() for cell, _, _ in rows], tuple(int(line) for _, _, line in rows)
    values = _plain_numbers(cells)
    if values is None:
        values = np.array(
            [_number(cell, name, line) for cell, line in zip(cells, lines, strict=True)], dtype=np.float64
        )
    return Scores(name, values, lines)


def _plain_numbers(cells: list[str]) -> np.ndarray | None:
    """The numbers of cells at once; None where one of them is missing or wrong."""
    try:
        values = np.array(list(map(float, cells)), dtype=np.float64)
    except ValueError:
        return None
    return values if (np.abs(values) <= LARGEST).all() else None


def is_missing(cell: str) -> bool:
    """Whether a cell says that there is nothing."""
    return cell.lower() in MISSING


def is_number(cell: str) -> bool:
    """Whether a cell is a number (an infinite one as well, which is no score)."""
    try:
        return not math.isnan(float(cell))
    except ValueError:
        return False


def advice(cell: str) -> str:
    """What to do about a cell that is not a number."""
    return "write it without %" if "%" in cell else "write a decimal point, leave a missing score empty"


def _number(cell: str, name: str, line: int) -> float:
    if is_missing(cell):
        return math.nan
    if not is_number(cell) or math.isinf(float(cell)):
        raise FileError(name, line, f"{cell!r} is not a number; {advice(cell)}")
    if abs(float(cell)) > LARGEST:
        raise FileError(
            name, line, f"{cell!r} is too large to be summed with other scores; write a score up to {LARGEST:g}, "
            "leave a missing score empty",
        )  # fmt: skip
    return float(cell)


def read_scored_units(files: Sequence[tuple[TextIO, str]]) -> ScoredUnits:
    """The units from lines of unit, document and domain with tabs between; a line without tabs is a note.

    Where others have one, a unit without document is a document of its own, and one without domain of "no domain".
    """
    ((stream, name),) = files
    lines = stream.read().split("\n")[:-1]
    rows = [line.split("\t") for line in lines if "\t" in line]
    units, documents, domains = (tuple(column) for column in zip(*rows, strict=True))
    if not all(map(is_missing, documents)):
        documents = tuple(f"unit {i + 1}" if is_missing(cell) else cell for i, cell in enumerate(documents))
    else:
        documents = ()
    domains = tuple("no domain" if is_missing(cell) else cell for cell in domains)
    told = not all(domain == "no domain" for domain in domains)
    notes = tuple(line for line in lines if "\t" not in line)
    return ScoredUnits(name, units, documents, domains if told else (), notes)
