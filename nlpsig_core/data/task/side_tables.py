"""Tables beside the outputs: groups.tsv, domains.tsv and description.txt -> SideTables."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TypeVar

import pandas as pd

from nlpsig_core.base.errors import ChoiceError, FileError, NlpsigError
from nlpsig_core.base.words import whole_number
from nlpsig_core.data.task.files import File, Files
from nlpsig_core.data.task.layout import Head
from nlpsig_core.data.task.naming import SIDE_TABLES, NamedRoles

# Columns that describe a system, and thus all its runs.
OF_SYSTEM = ("group", "kind", "base_model")
# A domain or document by column ("domain", "document"), test set ("" if the table has no such column) and unit from 1.
Labels = Mapping[str, Mapping[str, Mapping[int, str]]]
Rows = list[tuple[int, dict[str, str]]]
Content = TypeVar("Content")


@dataclass(frozen=True, eq=False, kw_only=True)
class SideTables:
    """What the tables beside the outputs say; ``paths`` by standard name, ``notes`` on those that cannot be read."""

    paths: Mapping[str, str]
    groups: pd.DataFrame | None
    labels: Labels
    description: str
    notes: tuple[str, ...]


def read_side_tables(named: NamedRoles, head: Head, files: Files) -> SideTables:
    """The tables among the files; a table that cannot be read is left out with a note."""
    paths = _paths(named, head)
    notes: list[str] = []

    def read(name: str, reader: Callable[[File], Content], default: Content) -> Content:
        try:
            return reader(files[paths[name]]) if name in paths else default
        except NlpsigError as error:
            notes.append(f"{error} (the table is left out)")
            return default

    no_groups: pd.DataFrame | None = None
    no_labels: Labels = {}
    groups = read("groups.tsv", read_groups, no_groups)
    labels = read("domains.tsv", read_domains, no_labels)
    description = read("description.txt", File.text, "").strip()
    return SideTables(paths=paths, groups=groups, labels=labels, description=description, notes=tuple(notes))


def _paths(named: NamedRoles, head: Head) -> dict[str, str]:
    """The path of each of SIDE_TABLES: those chosen by the user first, then those in the fewest folders.

    If its name is not one of these, the columns in its ``head`` decide; ChoiceError if they do not.
    """
    paths: dict[str, str] = {}
    tables = [path for path, role in named.roles.items() if role == "table"]
    for path in sorted(tables, key=lambda path: (path not in named.given, path.count("/"), path)):
        name = PurePosixPath(path).name.lower()
        paths.setdefault(name if name in SIDE_TABLES else _by_columns(path, head(path)), path)
    return paths


def _by_columns(path: str, head: str) -> str:
    columns = [column.strip().lower() for column in head.partition("\n")[0].split("\t")]
    if {"system", "group"} <= set(columns):
        return "groups.tsv"
    if {"domain", "doc", "document"} & set(columns):
        return "domains.tsv"
    raise ChoiceError(
        f"{path} is neither a table of groups (columns system and group) nor of domains (unit, and domain or doc); "
        f"it has: {', '.join(columns)}"
    )


def read_rows(file: File) -> Rows:
    """Line, and cells by column name, of each row of a TSV with a header; FileError if a row has surplus columns."""
    try:
        return _rows(file)
    except csv.Error as error:
        raise FileError(file.path, None, f"not a table of tab-separated columns ({error})") from None


def _rows(file: File) -> Rows:
    reader = csv.reader(file.stream(), delimiter="\t", quoting=csv.QUOTE_NONE)
    header = [cell.strip().lower() for cell in next(reader, [])]
    rows = []
    for row in reader:
        if not any(cell.strip() for cell in row):
            continue
        if len(row) > len(header):
            raise FileError(file.path, reader.line_num, f"{len(row)} columns, but the header has {len(header)}")
        cells = [cell.strip() for cell in row] + [""] * (len(header) - len(row))
        rows.append((reader.line_num, dict(zip(header, cells, strict=True))))
    return rows


def read_groups(file: File) -> pd.DataFrame:
    """One row per system: system, group, and any further columns (kind, base_model, ...).

    With a column ``run`` there is one row per output, and all runs of a system must agree on OF_SYSTEM; the column
    ``file`` (or ``output``) may name the output.
    """
    rows = read_rows(file)
    _require(file, rows, "system", "group")
    seen: dict[tuple[str, str], int] = {}
    first: dict[str, tuple[int, dict[str, str]]] = {}
    for line, row in rows:
        output = row["system"], row.get("run", "")
        if output in seen:
            name = f"run {output[1]!r} of {output[0]!r}" if output[1] else repr(output[0])
            raise FileError(file.path, line, f"{name} is already on line {seen[output]}")
        seen[output] = line
        first_line, other = first.setdefault(row["system"], (line, row))
        for column in OF_SYSTEM:
            here, there = row.get(column, ""), other.get(column, "")
            if here != there:
                reason = f"{row['system']!r} has the {column} {here!r} here but {there!r} on line {first_line}"
                raise FileError(file.path, line, f"{reason}; all runs of a system need the same one")
    renamed = {"output": "file"} if "run" in rows[0][1] and "file" not in rows[0][1] else {}
    return pd.DataFrame([row for _, row in rows]).rename(columns=renamed)


def read_domains(file: File) -> Labels:
    """Domains and documents of units, as in Labels.

    The first column is the number of the unit; a column ``domain``, ``doc`` or ``document``, or both, follow.
    """
    rows = read_rows(file)
    _require(file, rows)
    columns = {"domain": "domain", "document": "document" if "document" in rows[0][1] else "doc"}
    columns = {name: column for name, column in columns.items() if column in rows[0][1]}
    if not columns:
        _require(file, rows, "domain")
    labels: dict[str, dict[str, dict[int, str]]] = {name: {} for name in columns}
    for line, row in rows:
        cell = next(iter(row.values()))
        number = whole_number(cell)
        if number is None:
            raise FileError(file.path, line, f"the first column is {cell[:40]!r}, not the number of a unit")
        for name, column in columns.items():
            of_set = labels[name].setdefault(row.get("test_set", ""), {})
            if number in of_set or number == 0:
                reason = "appears twice" if number else "is not a unit; units are numbered from 1"
                raise FileError(file.path, line, f"unit {number} {reason}")
            of_set[number] = row[column]
    return labels


def _require(file: File, rows: Rows, *columns: str) -> None:
    if not rows:
        raise FileError(file.path, None, "no rows")
    for column in columns:
        if column not in rows[0][1]:
            raise FileError(file.path, 1, f"no column called {column!r}; it has: {', '.join(rows[0][1])}")
