"""A table of scores as a shared task: its columns become the files of the units and of each system."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import partial
from pathlib import PurePosixPath
from typing import NamedTuple

from nlpsig_core.errors import FileError
from nlpsig_core.files import File, Files
from nlpsig_core.readers.scores import MISSING

ENDINGS = (".csv", ".tsv")
# What columns are called that are no system's; a column of another name is a system's.
NAMES = {
    "unit": ("unit", "id", "segment", "seg", "sentence", "item", "example", "question", "instance", "line", "index"),
    "document": ("document", "doc", "docid", "doc_id", "document_id"),
    "domain": ("domain", "genre", "category", "subset"),
    "system": ("system", "model"),
    "score": ("score", "value", "result"),
}
COLUMN_ROLES = ("output", *NAMES, "not used")
BETWEEN = " › "


class Column(NamedTuple):
    """One column: its name and its cells, each with the line it stands on."""

    name: str
    cells: list[str]


def split_table(file: File, roles: Mapping[str, str]) -> tuple[Files, dict[str, str]]:
    """The files that a table stands for (its units as gold, a file a system), and the role of each column.

    Files and columns are named "table › column". A row is a unit and a column a system; or, where one column
    is of systems and one of scores, a row is one score. ``roles`` (by such names) overrides what the names of
    columns say. Raises FileError for rows of another length, doubled scores, and a table without numbers.
    """
    columns, lines = _read(file)
    found = _roles(file.path, columns, roles)
    by_role = {role: [c for c in columns if found[_path(file, c.name)] == role] for role in COLUMN_ROLES}
    if by_role["system"] and by_role["score"]:
        units, outputs = _long(file, by_role, lines)
    else:
        units, outputs = _wide(by_role, lines)
    if not outputs:
        raise FileError(file.path, None, "no column of numbers; give a column a system, or unit, system and score")
    contents = {_path(file, "units"): units} | {_path(file, name): rows for name, rows in outputs.items()}
    return {path: File(path, partial(_bytes, rows)) for path, rows in contents.items()}, found


def _path(file: File, column: str) -> str:
    return f"{file.path}{BETWEEN}{column}"


def _bytes(rows: list[str]) -> bytes:
    return "".join(f"{row}\n" for row in rows).encode()


def _read(file: File) -> tuple[list[Column], list[int]]:
    stream = file.stream()
    first = stream.readline()
    stream.seek(0)
    tab = PurePosixPath(file.path).suffix.lower() == ".tsv" or "\t" in first
    reader = csv.reader(stream, delimiter="\t" if tab else max(",;", key=first.count))
    header = [cell.strip() or f"column {place + 1}" for place, cell in enumerate(next(reader, []))]
    doubled = [name for name in header if header.count(name) > 1]
    if doubled:
        raise FileError(file.path, 1, f"two columns are called {doubled[0]!r}; give each its own name")
    rows, lines = [], []
    for row in reader:
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(header):
            reason = f"{len(row)} columns where the header has {len(header)}"
            raise FileError(file.path, reader.line_num, reason)
        rows.append([" ".join(cell.split()) for cell in row])
        lines.append(reader.line_num)
    if not rows:
        raise FileError(file.path, None, "no rows; the first line names the columns, each further one is a unit")
    return [Column(name, list(cells)) for name, cells in zip(header, zip(*rows, strict=True), strict=True)], lines


def _roles(path: str, columns: list[Column], given: Mapping[str, str]) -> dict[str, str]:
    """The role of each column by its path: given, by its name, or an output where it has numbers."""
    found = {}
    taken: set[str] = set()
    long = {"system", "score"} <= {_by_name(column.name) for column in columns}
    for column in columns:
        role = _by_name(column.name)
        if role in taken or (role in ("system", "score") and not long):
            role = None
        numbers = any(_is_number(cell) for cell in column.cells)
        role = role or ("output" if numbers and not long else "not used")
        found[f"{path}{BETWEEN}{column.name}"] = given.get(f"{path}{BETWEEN}{column.name}", role)
        taken.add(role)
    return found


def _by_name(column: str) -> str | None:
    plain = column.lower().replace(" ", "_")
    return next((role for role, names in NAMES.items() if plain in names), None)


def _is_number(cell: str) -> bool:
    try:
        return cell.lower() not in MISSING and float(cell) == float(cell)
    except ValueError:
        return False


def _wide(by_role: dict[str, list[Column]], lines: list[int]) -> tuple[list[str], dict[str, list[str]]]:
    """Lines of unit, document, domain; and by system lines of score and line of the table."""
    described = []
    for role in ("unit", "document", "domain"):
        otherwise = [str(i + 1) if role == "unit" else "" for i in range(len(lines))]
        described.append(by_role[role][0].cells if by_role[role] else otherwise)
    units = ["\t".join(row) for row in zip(*described, strict=True)]
    outputs = {
        column.name: [f"{cell}\t{line}" for cell, line in zip(column.cells, lines, strict=True)]
        for column in by_role["output"]
    }
    return units, outputs


def _long(file: File, by_role: dict[str, list[Column]], lines: list[int]) -> tuple[list[str], dict[str, list[str]]]:
    """As ``_wide``; units in the order of their first row, with an empty score where a system has none."""
    if not by_role["unit"]:
        raise FileError(file.path, 1, f"no column of units; call it {' or '.join(NAMES['unit'][:2])}")
    empty = [""] * len(lines)
    columns = [by_role[r][0].cells if by_role[r] else empty for r in ("unit", "document", "domain", "system", "score")]
    described: dict[str, str] = {}
    scores: dict[str, dict[str, str]] = {}
    last: dict[str, int] = {}
    for line, unit, document, domain, system, score in zip(lines, *columns, strict=True):
        described.setdefault(unit, f"{unit}\t{document}\t{domain}")
        of_system = scores.setdefault(system, {})
        if unit in of_system:
            before = of_system[unit].rpartition("\t")[2]
            raise FileError(file.path, line, f"unit {unit} of {system} has a score on line {before} already")
        of_system[unit] = f"{score}\t{line}"
        last[unit] = line
    outputs = {s: [of.get(unit, f"\t{last[unit]}") for unit in described] for s, of in scores.items()}
    return list(described.values()), outputs
