"""Scores of units that something else has made: one system's column of a score table, and the units themselves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TextIO

import numpy as np

from nlpsig_core.errors import FileError

MISSING = frozenset(("", "-", "na", "n/a", "nan", "none", "null"))


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

    Raises FileError for a cell that is neither a finite number nor empty.
    """
    values, lines = [], []
    for row in stream.read().splitlines():
        cell, _, line = row.rpartition("\t")
        lines.append(int(line))
        values.append(_number(cell.strip(), name, int(line)))
    return Scores(name, np.array(values, dtype=np.float64), tuple(lines))


def _number(cell: str, name: str, line: int) -> float:
    if cell.lower() in MISSING:
        return math.nan
    try:
        value = float(cell)
    except ValueError:
        value = math.inf
    if not math.isfinite(value):
        raise FileError(name, line, f"{cell!r} is not a number; write a decimal point, leave a missing score empty")
    return value


def read_scored_units(files: Sequence[tuple[TextIO, str]]) -> ScoredUnits:
    """The units from lines of unit, document and domain with tabs between."""
    ((stream, name),) = files
    rows = [line.split("\t") for line in stream.read().split("\n")[:-1]]
    units, documents, domains = (tuple(column) for column in zip(*rows, strict=True))
    return ScoredUnits(name, units, documents if any(documents) else (), domains if any(domains) else ())
