"""The tables that may stand beside the outputs: groups.tsv and domains.tsv."""

from __future__ import annotations

import csv

import pandas as pd

from nlpsig_core.errors import FileError
from nlpsig_core.task.files import File

# What a table says of a system, so of all its runs.
OF_SYSTEM = ("group", "kind", "base_model")


def read_rows(file: File) -> list[tuple[int, dict[str, str]]]:
    """(line, row by column name) of a TSV with a header line; FileError where a row has other columns."""
    try:
        return _rows(file)
    except csv.Error as error:
        raise FileError(file.path, None, f"not a table of tab-separated columns ({error})") from None


def _rows(file: File) -> list[tuple[int, dict[str, str]]]:
    reader = csv.reader(file.stream(), delimiter="\t", quoting=csv.QUOTE_NONE)
    header = [cell.strip().lower() for cell in next(reader, [])]
    rows = []
    for row in reader:
        if not any(cell.strip() for cell in row):
            continue
        if len(row) > len(header):
            raise FileError(file.path, reader.line_num, f"{len(row)} columns where the header has {len(header)}")
        cells = [cell.strip() for cell in row] + [""] * (len(header) - len(row))
        rows.append((reader.line_num, dict(zip(header, cells, strict=True))))
    return rows


def read_groups(file: File) -> pd.DataFrame:
    """A row a system: system, group, and whatever else the table has (kind, base_model, ...).

    With a column ``run`` it is a row an output, and what is told of a system must be the same for all its runs;
    the column ``file`` (or ``output``) may tell the name of the output.
    """
    rows = read_rows(file)
    _demand(file, rows, "system", "group")
    seen: dict[tuple[str, str], int] = {}
    first: dict[str, tuple[int, dict[str, str]]] = {}
    for line, row in rows:
        output = row["system"], row.get("run", "")
        if output in seen:
            named = f"run {output[1]!r} of {output[0]!r}" if output[1] else repr(output[0])
            raise FileError(file.path, line, f"{named} stands on line {seen[output]} already")
        seen[output] = line
        before, other = first.setdefault(row["system"], (line, row))
        for column in OF_SYSTEM:
            here, there = row.get(column, ""), other.get(column, "")
            if here != there:
                what = f"{row['system']!r} has the {column} {here!r}, but {there!r} on line {before}"
                raise FileError(file.path, line, f"{what}; all runs of a system have one")
    return pd.DataFrame([row for _, row in rows]).rename(columns=_output_is_file(rows[0][1]))


def _output_is_file(row: dict[str, str]) -> dict[str, str]:
    return {"output": "file"} if "run" in row and "file" not in row else {}


def read_domains(file: File) -> dict[str, dict[str, dict[int, str]]]:
    """Domain and document of the units: by column, test set ("" where the table names none) and number from 1.

    The first column is the unit's number; a column ``domain``, one ``doc`` or ``document``, or both follow.
    """
    rows = read_rows(file)
    _demand(file, rows)
    columns = {"domain": "domain", "document": "document" if "document" in rows[0][1] else "doc"}
    columns = {name: column for name, column in columns.items() if column in rows[0][1]}
    if not columns:
        _demand(file, rows, "domain")
    found: dict[str, dict[str, dict[int, str]]] = {name: {} for name in columns}
    for line, row in rows:
        number = next(iter(row.values()))
        if not number.isdecimal():
            raise FileError(file.path, line, f"the first column is {number!r}, not the number of a unit")
        for name, column in columns.items():
            of_set = found[name].setdefault(row.get("test_set", ""), {})
            if int(number) in of_set or int(number) == 0:
                what = "stands there already" if int(number) else "is not a unit; they count from 1"
                raise FileError(file.path, line, f"unit {number} {what}")
            of_set[int(number)] = row[column]
    return found


def _demand(file: File, rows: list[tuple[int, dict[str, str]]], *columns: str) -> None:
    if not rows:
        raise FileError(file.path, None, "no rows")
    for column in columns:
        if column not in rows[0][1]:
            raise FileError(file.path, 1, f"no column called {column!r}; it has: {', '.join(rows[0][1])}")
