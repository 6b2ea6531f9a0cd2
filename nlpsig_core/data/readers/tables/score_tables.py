"""Tables of scores: a spreadsheet -> the lines of its units and of each system, for the readers of scores."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TextIO

from nlpsig_core.base.errors import ChoiceError, FileError, check_named
from nlpsig_core.base.words import whole_number
from nlpsig_core.data.readers.base import COLUMN_MARK, Bundle, BundleContents
from nlpsig_core.data.readers.separated import Table, read_spreadsheet
from nlpsig_core.data.readers.tables.scores import advice, is_missing, is_number, with_plain_numbers

# Names of columns that are not systems; a column of any other name is a system.
NAMES = {
    "unit": tuple(
        "unit id segment seg sentence item example question instance line index idx uid guid qid utterance topic query "
        "key no nr num number row #".split()
    ),
    "document": ("document", "doc", "docid", "doc_id", "document_id"),
    "domain": ("domain", "genre", "category", "subset"),
    "system": ("system", "model"),
    "run": ("run", "seed"),
    "score": ("score", "value", "result"),
    "confidence": ("confidence", "conf"),
}
# Roles of columns only in tables with one score per row.
ONE_SCORE_PER_ROW = ("system", "run", "score", "confidence")
# Last rows of these names sum up those above.
SUMMARIES = frozenset("mean average avg total sum overall all macro micro".split())
# A nameless first column is the index with which data frames are saved: the unit, if no other column is.
NAMELESS = ("column_1", "unnamed:_0")
RECOGNISED = (*NAMES.items(), ("unit", NAMELESS))
# What is not the unit with _id behind it.
NOT_OF_UNITS = frozenset(chain(*(NAMES[role] for role in ("document", "domain", "system", "run"))))
COLUMN_ROLES = ("output", *NAMES, "not used")
# Roles that any number of columns can have.
SHARED = ("output", "not used")
NEEDED = "provide one column per system, or the columns unit, system and score"
# Cells that are meant as numbers: decimal commas, separated thousands, percentages.
LIKE_NUMBER = re.compile(r"[-+−]?[.,]?\d[\d.,'’ ]*%?")

Columns = Mapping[str, str]


def split_score_table(stream: TextIO, name: str, roles: Mapping[str, str]) -> BundleContents:
    """Return the contents of a score table: a line for each unit, then for each output a line for each unit.

    Either a row is a unit and each output a column; or, if there is a system column and a score column, a row is one
    score. ``roles`` overrides the roles that follow from the names of columns. Raises FileError for rows of different
    lengths, repeated scores, and a table without numbers; ChoiceError for unknown roles and columns.
    """
    sheet = read_spreadsheet(stream.read(), name)
    _check_given(sheet, roles)
    role_of, notes = _roles(sheet, roles)
    columns = {role: column for column, role in role_of.items()}
    scored = [name for name in sheet.columns if role_of[name] == ("score" if "score" in columns else "output")]
    _check_named(sheet, scored)
    sheet = _without_summary(sheet, columns, notes)
    sheet = with_plain_numbers(sheet, scored, [columns[role] for role in ("confidence",) if role in columns])
    _check_numbers(sheet, scored, notes)
    units, outputs, runs = _long(sheet, columns) if "score" in columns else _wide(sheet, columns, scored, notes)
    return BundleContents(
        # Unlike the lines of units, notes have no tabs.
        units=units + notes,
        outputs=outputs,
        roles={name: role_of[name] for name in sheet.columns},
        runs=runs,
    )


ONE_FILE = Bundle(endings=(".csv", ".tsv"), roles=COLUMN_ROLES, split=split_score_table)


def _check_given(sheet: Table, roles: Mapping[str, str]) -> None:
    """Raise ChoiceError for unknown columns and roles, and for a role that two columns cannot share."""
    columns: dict[str, str] = {}
    for name, role in roles.items():
        check_named(f"column of {sheet.name}", name, sheet.columns)
        check_named("role of a column", role, COLUMN_ROLES)
        if role not in SHARED and columns.setdefault(role, name) != name:
            raise ChoiceError(f"{sheet.name}: {columns[role]!r} and {name!r} cannot both be the {role}; choose one")


def _roles(sheet: Table, given: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Return the role of each column (given, by name, or an output if it has scores), and notes on unused columns."""
    role_of, notes = dict(given), []
    for role, names in RECOGNISED:
        matching = [name for name in sheet.columns if name not in role_of and _is_called(name, role, names)]
        if matching and role not in role_of.values():
            role_of[matching[0]] = role
    first, cells = next(iter(sheet.columns.items()))
    if "unit" not in role_of.values() and first not in role_of and _count_up(cells):
        role_of[first] = "unit"
        notes.append(f"column {first!r} numbers the rows, so it is read as the unit")
    # Beside names of systems, the only other column has their scores, whatever it is called.
    columns = {role: name for name, role in role_of.items()}
    left = [name for name in sheet.columns if name not in role_of]
    named = sheet.columns[columns["system"]] if "system" in columns and "unit" in columns else []
    if len(left) == 1 and "score" not in columns and not any(map(is_number, named)) and named:
        role_of[left[0]] = "score"
    long = {"system", "score"} <= set(role_of.values()) and "output" not in given.values()
    if not long:
        if {"system", "score"} & set(given.values()):
            raise ChoiceError(
                f"{sheet.name}: choose both a system column and a score column, or output columns and neither of them"
            )
        role_of = {name: role for name, role in role_of.items() if role not in ONE_SCORE_PER_ROW}
    columns = {role: name for name, role in role_of.items()}
    reasons = {name: _why_not_used(sheet, name, columns, long) for name in sheet.columns if name not in role_of}
    role_of |= {name: "not used" if reason else "output" for name, reason in reasons.items()}
    notes += [f"column {name!r} is not used: {reason}" for name, reason in reasons.items() if reason]
    return role_of, notes


def _is_called(column: str, role: str, names: Sequence[str]) -> bool:
    """Return whether a column has one of the names of a role; units may be called ``something_id``."""
    plain = column.lower().replace(" ", "_").replace("-", "_")
    of_unit = role == "unit" and plain.endswith("_id") and plain.removesuffix("_id") not in NOT_OF_UNITS
    return plain in names or of_unit


def _count_up(cells: Sequence[str]) -> bool:
    """Return whether cells are whole numbers, each one more than that before; no scores are."""
    numbers = list(map(whole_number, cells))
    return len(numbers) > 2 and numbers[0] is not None and numbers == [numbers[0] + row for row in range(len(numbers))]


def _why_not_used(sheet: Table, name: str, columns: Columns, long: bool) -> str:
    """Return why a column is not a system's, "" if it is."""
    role = next((role for role, names in RECOGNISED if _is_called(name, role, names)), "")
    if role in columns:
        return f"the {role} column is {columns[role]!r}"
    if role in ("run", "confidence"):
        return f"{role}s are read only from tables with one score per row"
    if role:
        return "system and score columns are used only together; if this is a system, give it the role output"
    if long:
        return "the table has one score per row"
    if any(is_number(cell) or LIKE_NUMBER.fullmatch(cell) for cell in sheet.columns[name]):
        return ""
    return next((f"{cell!r} on line {line} is not a number" for line, cell in _filled(sheet, name)), "")


def _filled(sheet: Table, name: str) -> list[tuple[int, str]]:
    """Return line and content of the cells of a column that are not missing."""
    rows = zip(sheet.lines, sheet.columns[name], strict=True)
    return [(line, cell) for line, cell in rows if not is_missing(cell)]


def _check_numbers(sheet: Table, scored: list[str], notes: list[str]) -> None:
    """Raise FileError, with an example, if no column of scores contains a number."""
    if any(is_number(cell) for name in scored for cell in sheet.columns[name]):
        return
    examples = [
        f"column {name!r}: {cell!r} on line {line} is not a number; {advice(cell)}"
        for name in scored
        for line, cell in _filled(sheet, name)[:1]
    ]
    reasons = examples[:1] or [f"column {name!r}: no score at all" for name in scored] + notes
    raise FileError(sheet.name, None, "; ".join(["no column contains numbers; " + NEEDED, *reasons]))


def _check_named(sheet: Table, scored: list[str]) -> None:
    """Raise FileError if the first row holds scores, not the names of columns."""
    if all(map(is_number, scored)) and (fraction := next((name for name in scored if whole_number(name) is None), "")):
        reason = f"{fraction!r} is a number; the first line must name the columns"
        raise FileError(sheet.name, sheet.header_line, reason)


def _without_summary(sheet: Table, columns: Columns, notes: list[str]) -> Table:
    """Return the spreadsheet without a last row that sums up the others; add a note on it."""
    units = _cells(sheet, columns, "unit")
    if "system" in columns or len(units) < 3 or units[-1].lower() not in SUMMARIES:
        return sheet
    notes.append(f"line {sheet.lines[-1]} is left out: {units[-1]!r} sums up the rows above")
    return sheet._replace(lines=sheet.lines[:-1], columns={name: cells[:-1] for name, cells in sheet.columns.items()})


def _cells(sheet: Table, columns: Columns, role: str) -> list[str]:
    return sheet.columns[columns[role]] if role in columns else [""] * len(sheet.lines)


# Lines of unit, document and domain; lines of score and line number by output; system and run by output.
Contents = tuple[list[str], dict[str, Callable[[], list[str]]], dict[str, tuple[str, str]]]


def _wide(sheet: Table, columns: Columns, systems: list[str], notes: list[str]) -> Contents:
    """Return the contents of a table in which each row is a unit; add a note on units that are repeated."""
    documents = _cells(sheet, columns, "document")
    numbered = [unit or str(row + 1) for row, unit in enumerate(_cells(sheet, columns, "unit"))]
    units = _unit_names(numbered, documents, [""] * len(numbered))
    notes += _repeated(units, sheet.lines)
    rows = zip(units, documents, _cells(sheet, columns, "domain"), strict=True)
    return ["\t".join(row) for row in rows], {name: partial(_lines, sheet, name) for name in systems}, {}


def _lines(sheet: Table, column: str) -> list[str]:
    return [f"{cell}\t{line}" for cell, line in zip(sheet.columns[column], sheet.lines, strict=True)]


def _repeated(units: list[str], lines: list[int]) -> list[str]:
    """Return at most one note, on rows of a wide table with the same unit."""
    first = dict(zip(reversed(units), reversed(lines), strict=True))
    again = [(unit, line) for unit, line in zip(units, lines, strict=True) if first[unit] != line]
    if not again:
        return []
    ((unit, line), *others) = again
    more = f", and {len(others):,} more rows repeat units" if others else ""
    return [f"unit {unit!r} of line {first[unit]} is repeated on line {line}{more}; each row counts as a unit"]


def _long(sheet: Table, columns: Columns) -> Contents:
    """Return the contents of a table in which each row is a score; units are in the order of their first rows."""
    if "unit" not in columns:
        raise FileError(sheet.name, sheet.header_line, f"no unit column; name it {' or '.join(NAMES['unit'][:2])}")
    ids, documents, domains, systems, runs, scores, confidences = (_cells(sheet, columns, role) for role in NAMES)
    for role, names in (("unit", ids), ("system", systems)):
        if "" in names:
            line = sheet.lines[names.index("")]
            raise FileError(sheet.name, line, f"the {role} has no name; each row must name its unit and its system")
    outputs_of = list(map(output_name, systems, runs))
    sure = [f"\t{cell}" if "confidence" in columns else "" for cell in confidences]
    cells = [f"{score}\t{line}{more}" for score, line, more in zip(scores, sheet.lines, sure, strict=True)]
    units, lines = _unit_names(ids, documents, outputs_of), sheet.lines
    # The last row and the first one by unit, in the order of first rows.
    last = dict(zip(units, range(len(units)), strict=True))
    first = dict(zip(reversed(units), reversed(range(len(units))), strict=True))
    for role, values in (("document", documents), ("domain", domains)):
        _check_same(sheet, role, values, units, first)
    rows_of: dict[str, list[int]] = {}
    for row, output in enumerate(outputs_of):
        rows_of.setdefault(output, []).append(row)
    outputs: dict[str, Callable[[], list[str]]] = {}
    for output, rows in rows_of.items():
        own = {units[row]: cells[row] for row in rows}
        if len(own) < len(rows):
            raise _repeated_score(sheet, output, [(units[row], lines[row]) for row in rows], "document" in columns)
        outputs[output] = partial(_lines_of_all, own, last, lines)
    named = dict(zip(outputs_of, zip(systems, runs, strict=True), strict=True)) if "run" in columns else {}
    return [f"{unit}\t{documents[first[unit]]}\t{domains[first[unit]]}" for unit in last], outputs, named


def _lines_of_all(own: Mapping[str, str], last: Mapping[str, int], lines: list[int]) -> list[str]:
    """Return a line for each unit: the output's own, or an empty score with the line of the unit's last row."""
    return [own[unit] if unit in own else f"\t{lines[row]}" for unit, row in last.items()]


def output_name(system: str, run: str) -> str:
    """Return the name of a run's output; the system's own name if it has no runs."""
    return f"{system}{COLUMN_MARK}{run}" if run else system


def _check_same(sheet: Table, role: str, values: list[str], units: list[str], first: Mapping[str, int]) -> None:
    """Raise FileError if two rows of a unit disagree on its document or domain."""
    for row, (unit, value) in enumerate(zip(units, values, strict=True) if any(values) else ()):
        if (earlier := values[first[unit]]) != value:
            elsewhere = f"{earlier!r} on line {sheet.lines[first[unit]]}"
            reason = f"unit {unit} has the {role} {value!r} here but {elsewhere}; give it one {role}"
            raise FileError(sheet.name, sheet.lines[row], reason)


def _repeated_score(sheet: Table, system: str, rows: list[tuple[str, int]], in_documents: bool) -> FileError:
    """Return the error for the first unit (rows are unit and line) for which a system has two scores."""
    lines: dict[str, int] = {}
    unit, line = next((unit, line) for unit, line in rows if lines.setdefault(unit, line) != line)
    within = "" if in_documents else ", or add a document column if units are numbered within documents"
    return FileError(
        sheet.name,
        line,
        f"{system} already has a score for unit {unit} on line {lines[unit]}; give each unit its own name{within}; "
        "of several scores for a unit, give the mean, or number the runs in a column run",
    )


def _unit_names(units: list[str], documents: list[str], systems: list[str]) -> list[str]:
    """Return the names of the units of rows; they include the document if a system has the same name twice."""
    if not any(documents) or len(set(zip(units, systems, strict=True))) == len(units):
        return units
    return [
        f"{unit} of {document}" if unit and document else unit for unit, document in zip(units, documents, strict=True)
    ]
