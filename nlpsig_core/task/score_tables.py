"""A table of scores as a shared task: its columns become the files of the units and of each system."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from nlpsig_core.errors import ChoiceError, FileError
from nlpsig_core.readers.scores import advice, is_missing, is_number
from nlpsig_core.task.cells import Table, read_table, with_points
from nlpsig_core.task.files import File, Files

ENDINGS = (".csv", ".tsv")
# What columns are called that are no system's; a column of another name is a system's.
NAMES = {
    "unit": ("unit", "id", "segment", "seg", "sentence", "item", "example", "question", "instance", "line", "index"),
    "document": ("document", "doc", "docid", "doc_id", "document_id"),
    "domain": ("domain", "genre", "category", "subset"),
    "system": ("system", "model"),
    "run": ("run", "seed"),
    "score": ("score", "value", "result"),
}
# A first column without a name is the index that data frames are saved with: the unit where no other is.
NAMELESS = ("column_1", "unnamed:_0")
RECOGNISED = (*NAMES.items(), ("unit", NAMELESS))
COLUMN_ROLES = ("output", *NAMES, "not used")
# Roles that any number of columns can have.
SHARED = ("output", "not used")
BETWEEN = " › "
NEEDED = "give a column a system, or unit, system and score"
# What is meant as a number though it is none: decimal commas, separated thousands, percentages.
LIKE_NUMBER = re.compile(r"[-+−]?[.,]?\d[\d.,'’ ]*%?")


class Split(NamedTuple):
    """Lines of unit, document and domain; by system lines of score and line of the table; and what is to be said."""

    units: list[str]
    outputs: dict[str, list[str]]
    notes: list[str]


def split_table(file: File, roles: Mapping[str, str]) -> tuple[Files, dict[str, str]]:
    """The files that a table stands for (its units as gold, then a file an output), and the role of each column.

    The units have the path of the table, systems and columns are named "table › column", a run "table › system › run".
    A row is a unit and a column a system; or, where one column is of systems and one of scores, a row is one score.
    ``roles`` (by such names) overrides what the names of columns say. Raises FileError for rows of another length,
    doubled scores, and a table without numbers; ChoiceError for roles and columns that there are none of.
    """
    table = read_table(file)
    prefix = file.path + BETWEEN
    given = {path.removeprefix(prefix): role for path, role in roles.items() if path.startswith(prefix)}
    _check(table, given)
    found, notes = _roles(table, given)
    of_role = {role: name for name, role in found.items()}
    long = "score" in of_role
    scored = [name for name, role in found.items() if role == ("score" if long else "output")]
    table = with_points(table, scored)
    _check_numbers(table, scored, notes)
    split = _long(table, of_role) if long else _wide(table, found, of_role)
    # Told apart from the rows of units by having no tabs.
    contents = {file.path: [*split.units, *notes, *split.notes]}
    contents |= {prefix + name: rows for name, rows in split.outputs.items()}
    files = {path: File(path, partial(_bytes, rows)) for path, rows in contents.items()}
    return files, {prefix + name: found[name] for name in table.columns}


def _bytes(rows: list[str]) -> bytes:
    return "".join(f"{row}\n" for row in rows).encode()


def _check(table: Table, given: Mapping[str, str]) -> None:
    """ChoiceError for columns and roles that there are not, and for a role that two columns cannot share."""
    of_role: dict[str, str] = {}
    for name, role in given.items():
        if name not in table.columns:
            raise ChoiceError.unknown(f"column of {table.path}", name, table.columns)
        if role not in COLUMN_ROLES:
            raise ChoiceError.unknown("role of a column", role, COLUMN_ROLES)
        if role not in SHARED and of_role.setdefault(role, name) != name:
            raise ChoiceError(f"{table.path}: {of_role[role]!r} and {name!r} cannot both be the {role}; choose one")


def _roles(table: Table, given: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """The role of each column: given, by its name, or an output where it has scores; and why others are not used."""
    found = dict(given)
    for role, names in RECOGNISED:
        called = [name for name in table.columns if name not in found and _plain(name) in names]
        if called and role not in found.values():
            found[called[0]] = role
    long = {"system", "score"} <= set(found.values()) and "output" not in given.values()
    if not long:
        if {"system", "score"} & set(given.values()):
            raise ChoiceError(f"{table.path}: give a column of systems and one of scores, or outputs and neither")
        found = {name: role for name, role in found.items() if role not in ("system", "run", "score")}
    of_role = {role: name for name, role in found.items()}
    why = {name: _why_not_used(table, name, of_role, long) for name in table.columns if name not in found}
    found |= {name: "not used" if reason else "output" for name, reason in why.items()}
    return found, [f"column {name!r} is not used: {reason}" for name, reason in why.items() if reason]


def _plain(column: str) -> str:
    return column.lower().replace(" ", "_")


def _why_not_used(table: Table, name: str, of_role: Mapping[str, str], long: bool) -> str:
    """Why a column is no system's; "" for one that is."""
    role = next((role for role, names in RECOGNISED if _plain(name) in names), "")
    if role in of_role:
        return f"the {role} is told by {of_role[role]!r}"
    if role == "run":
        return "it numbers the runs of systems where each row is one score"
    if role:
        return "systems and scores need a column each; if this is a system, give it the role of an output"
    if long:
        return "each row is one score"
    if any(is_number(cell) or LIKE_NUMBER.fullmatch(cell) for cell in table.columns[name]):
        return ""
    told = _told(table, name)
    return _no_number(*told[0]) if told else ""


def _told(table: Table, name: str) -> list[tuple[int, str]]:
    """Line and content of the cells of a column that are not missing."""
    rows = zip(table.lines, table.columns[name], strict=True)
    return [(line, cell) for line, cell in rows if not is_missing(cell)]


def _no_number(line: int, cell: str) -> str:
    return f"{cell!r} on line {line} is not a number"


def _check_numbers(table: Table, names: list[str], notes: list[str]) -> None:
    """FileError with an example where no column of scores has a number."""
    if any(is_number(cell) for name in names for cell in table.columns[name]):
        return
    told = {name: _told(table, name) for name in names}
    examples = [f"column {name!r}: {_no_number(*cells[0])}; {advice(cells[0][1])}"
                for name, cells in told.items() if cells]  # fmt: skip
    why = examples[:1] or [f"column {name!r}: no score at all" for name in names] + notes
    raise FileError(table.path, None, "; ".join(["no column of numbers; " + NEEDED, *why]))


def _cells(table: Table, of_role: Mapping[str, str], role: str) -> list[str]:
    return table.columns[of_role[role]] if role in of_role else [""] * len(table.lines)


def _wide(table: Table, found: Mapping[str, str], of_role: Mapping[str, str]) -> Split:
    """Each row a unit and each column of outputs a system."""
    documents = _cells(table, of_role, "document")
    told = [unit or str(row + 1) for row, unit in enumerate(_cells(table, of_role, "unit"))]
    units = _names(told, documents, [""] * len(told))
    first = dict(zip(reversed(units), reversed(table.lines), strict=True))
    again = [(u, line) for u, line in zip(units, table.lines, strict=True) if first[u] != line]
    notes = []
    if again:
        ((unit, line), *others) = again
        more = f", and so do {len(others):,} more rows" if others else ""
        notes = [
            f"unit {unit!r} of line {first[unit]} stands on line {line} again{more}; each row is counted as a unit"
        ]
    rows = zip(units, documents, _cells(table, of_role, "domain"), strict=True)
    outputs = {
        name: [f"{cell}\t{line}" for cell, line in zip(table.columns[name], table.lines, strict=True)]
        for name in table.columns
        if found[name] == "output"
    }
    return Split(["\t".join(row) for row in rows], outputs, notes)


def _long(table: Table, of_role: Mapping[str, str]) -> Split:
    """Each row a score; units in the order of their first row, with an empty score where a system has none."""
    if "unit" not in of_role:
        raise FileError(table.path, table.header, f"no column of units; call it {' or '.join(NAMES['unit'][:2])}")
    ids, documents, domains, systems, runs, cells = (_cells(table, of_role, role) for role in NAMES)
    for what, names in (("unit", ids), ("system", systems)):
        if "" in names:
            raise FileError(table.path, table.lines[names.index("")], f"no name of a {what}; a row tells both")
    outputs_of = list(map(output_name, systems, runs))
    units, lines = _names(ids, documents, outputs_of), table.lines
    # By unit, in the order of their first rows, the last row and the first one.
    last = dict(zip(units, range(len(units)), strict=True))
    first = dict(zip(reversed(units), reversed(range(len(units))), strict=True))
    for role, told in (("document", documents), ("domain", domains)):
        _check_same(table, role, told, units, first)
    rows_of: dict[str, list[int]] = {}
    for row, output in enumerate(outputs_of):
        rows_of.setdefault(output, []).append(row)
    outputs = {}
    for output, rows in rows_of.items():
        own = {units[row]: row for row in rows}
        if len(own) < len(rows):
            raise _doubled(table, output, [(units[row], lines[row]) for row in rows], of_role)
        outputs[output] = [
            f"{cells[own[unit]]}\t{lines[own[unit]]}" if unit in own else f"\t{lines[end]}"
            for unit, end in last.items()
        ]
    return Split([f"{unit}\t{documents[first[unit]]}\t{domains[first[unit]]}" for unit in last], outputs, [])


def output_name(system: str, run: str) -> str:
    """What the output of a run is called; that of a system without runs has its name."""
    return f"{system}{BETWEEN}{run}" if run else system


def _check_same(table: Table, role: str, told: list[str], units: list[str], first: Mapping[str, int]) -> None:
    """FileError where two rows of a unit tell another document or domain."""
    for row, (unit, here) in enumerate(zip(units, told, strict=True) if any(told) else ()):
        if (there := told[first[unit]]) != here:
            before = f"{there!r} on line {table.lines[first[unit]]}"
            raise FileError(table.path, table.lines[row], f"unit {unit} has the {role} {here!r}, but {before}")


def _doubled(table: Table, system: str, rows: list[tuple[str, int]], of_role: Mapping[str, str]) -> FileError:
    """The error for the first unit (of names and lines) that a system has two scores for."""
    before: dict[str, int] = {}
    unit, line = next((unit, line) for unit, line in rows if before.setdefault(unit, line) != line)
    within = "" if "document" in of_role else ", or tell its document in a column if units count within documents"
    return FileError(
        table.path,
        line,
        f"unit {unit} of {system} has a score on line {before[unit]} already; "
        f"give each unit a name of its own{within}; of several scores for one unit give the "
        "mean, or tell the run of each in a column run",
    )


def _names(units: list[str], documents: list[str], systems: list[str]) -> list[str]:
    """Names of the units of rows: as they are, or with their documents where a system has one of them twice."""
    if not any(documents) or len(set(zip(units, systems, strict=True))) == len(units):
        return units
    return [f"{unit} of {document}" if unit and document else unit
            for unit, document in zip(units, documents, strict=True)]  # fmt: skip
