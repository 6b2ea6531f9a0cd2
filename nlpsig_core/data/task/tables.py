"""Tables: those of scores, which hold units and outputs together, and those beside outputs, of groups and domains."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import PurePosixPath
from typing import TypeVar

import pandas as pd

from nlpsig_core.base.errors import ChoiceError, FileError, NlpsigError, NoGoldError, TaskError
from nlpsig_core.base.words import whole_number
from nlpsig_core.data.readers import ENDINGS, READERS
from nlpsig_core.data.readers.base import COLUMN_MARK, BundleContents
from nlpsig_core.data.readers.separated import NO_ROWS, first_cells, rows_of, separator_of, uneven
from nlpsig_core.data.readers.tables.scores import is_like_number
from nlpsig_core.data.task.called import is_gold
from nlpsig_core.data.task.files import File, Files, Head
from nlpsig_core.data.task.layout import Layout
from nlpsig_core.data.task.naming import JUDGED, SIDE_TABLES, NamedRoles, group_of

# Columns that describe a system, and thus all its runs.
OF_SYSTEM = ("group", "kind", "base_model")
# Other names of the table of groups than groups.tsv, and the columns that it has.
QUALITIES = "truth.tsv"
OF_GROUPS, GROUPED = re.compile(r"(systems|groups|teams)\.(tsv|csv)"), frozenset(("system", "group"))
# A cell, or a part of one that has separators in quotes.
CELL = re.compile(r'[^\t\n,;"]+')
# A domain or document by column ("domain", "document"), test set ("" if the table has no such column) and unit from 1.
Labels = Mapping[str, Mapping[str, Mapping[int, str]]]
Rows = list[tuple[int, dict[str, str]]]
Content = TypeVar("Content")


def layout_of_tables(named: NamedRoles, head: Head, format: str | None = None) -> Layout | None:
    """Return the layout of files that hold units and outputs together, of the ``format`` if it is given.

    None if it is another format or, where none is given, if there are no such files or others to score.
    """
    if format is None and any(p.suffix.lower() in ENDINGS or is_gold(path) for path, p in named.scorable.items()):
        return None
    reader = next((reader for reader in READERS.values() if reader.bundle and format in (None, reader.name)), None)
    if reader is None or reader.bundle is None:
        return None
    bundles = tuple(path for path, p in named.scorable.items() if p.suffix.lower() in reader.bundle.endings)
    if not bundles and format is None:
        return None
    others = (p for p in named.paths if p not in bundles and named.roles.get(p) not in ("table", JUDGED))
    ignored = dict.fromkeys(others, f"it is not a {reader.name.lower()}")
    return Layout(reader=reader, roles=dict(named.given), bundles=bundles, ignored=ignored)


def may_hold_scores(layout: Layout, head: Head) -> bool:
    """Return whether one of the files that hold units and outputs together begins with rows with a number."""
    cells = (CELL.findall(head(path)) for path in layout.bundles)
    return not layout.bundles or any(map(is_like_number, chain.from_iterable(cells)))


def split_tables(layout: Layout, files: Files, roles: Mapping[str, str]) -> tuple[Layout, Files, list[str]]:
    """Return the layout and the files with every bundle split, and a message for each bundle that cannot be read.

    Each bundle is a test set, named if there are several. The units keep the path of the bundle, columns have the
    path "bundle › column", by which ``roles`` overrides their roles. Raises FileError if the only bundle cannot be
    read, and TaskError if none can.
    """
    bundle = layout.reader.bundle
    assert bundle is not None
    contents: dict[str, BundleContents] = {}
    messages: list[str] = []
    left_out: dict[str, str] = {}
    for path in layout.bundles:
        prefix = f"{path}{COLUMN_MARK}"
        chosen = {column.removeprefix(prefix): role for column, role in roles.items() if column.startswith(prefix)}
        try:
            contents[path] = bundle.split(files[path].stream(), path, chosen)
        except FileError as error:
            if len(layout.bundles) == 1:
                raise
            messages.append(f"{error} (the table is left out)")
            left_out[path] = error.reason
    if not any(content.outputs for content in contents.values()):
        no_table = f"No {layout.reader.name.lower()} can be used"
        if not messages:
            raise TaskError(f"{no_table}. None ends in {' or '.join(bundle.endings)}")
        gold = f"If these are answers, name one file gold{bundle.endings[0]}"
        raise NoGoldError(f"{no_table}. {' '.join(messages)}. {gold}")
    return _split(replace(layout, left_out=left_out), files, contents), _columns(files, contents), messages


def _split(layout: Layout, files: Files, contents: Mapping[str, BundleContents]) -> Layout:
    roles, runs = dict(layout.roles), dict[str, tuple[str, str]]()
    outputs: dict[str, dict[str, str]] = {}
    names = {path: PurePosixPath(path).stem if len(layout.bundles) > 1 else "" for path in contents}
    for path, content in contents.items():
        runs |= content.runs
        roles |= {f"{path}{COLUMN_MARK}{column}": role for column, role in content.roles.items()}
        for output in content.outputs:
            outputs.setdefault(output, {})[names[path]] = f"{path}{COLUMN_MARK}{output}"
    groups = {output: group_of(runs.get(output, (output, ""))[0]) for output in outputs}
    gold: dict[str, tuple[str, ...]] = {name: (path,) for path, name in names.items()}
    return replace(layout, roles=roles, gold=gold, outputs=outputs, groups=groups, runs=runs)


def _columns(files: Files, contents: Mapping[str, BundleContents]) -> Files:
    """Return the files with one for the units of each bundle, in place of it, and one for each column."""
    lines: dict[str, Callable[[], list[str]]] = {}
    for path, content in contents.items():
        lines[path] = partial(list, content.units)
        lines |= {f"{path}{COLUMN_MARK}{column}": rows for column, rows in content.outputs.items()}
    return files | {path: File(path, partial(_encoded, rows)) for path, rows in lines.items()}


def _encoded(lines: Callable[[], list[str]]) -> bytes:
    return "".join(f"{line}\n" for line in lines()).encode()


@dataclass(frozen=True, eq=False, kw_only=True)
class SideTables:
    """What the tables beside the outputs say; ``paths`` by standard name, ``notes`` on those that cannot be read."""

    paths: Mapping[str, str]
    groups: pd.DataFrame | None
    labels: Labels
    description: str
    notes: tuple[str, ...]

    def labels_of(self, test_set: str, *, only: bool) -> Mapping[str, Mapping[int, str]]:
        """Return domains and documents of a test set; rows without a test set belong to the only one."""
        return {
            column: by_set.get(test_set, by_set.get("", {}) if only else {}) for column, by_set in self.labels.items()
        }

    def unmatched(self, test_sets: list[str]) -> list[str]:
        """Return notes on rows of the table of domains that belong to none of the test sets."""
        named = {name for by_set in self.labels.values() for name in by_set}
        path = self.paths.get("domains.tsv")
        known = ", ".join(filter(None, test_sets)) or "the only one has no name"
        notes = []
        if len(test_sets) > 1 and "" in named:
            notes = [f"{path} has rows for no test set; with several test sets it needs a column test_set ({known})"]
        unknown = sorted(named - {*test_sets, ""})
        return notes + [f"{path} names the test set {name!r}, which does not exist ({known})" for name in unknown]


def read_side_tables(named: NamedRoles, head: Head, files: Files) -> SideTables:
    """Read the tables among the files; one that cannot be read is left out with a note."""
    paths = _paths(named, head)
    notes: list[str] = []

    def read(name: str, reader: Callable[[File], Content]) -> Content | None:
        try:
            return reader(files[paths[name]]) if name in paths else None
        except NlpsigError as error:
            notes.append(f"{error} (the table is left out)")
            return None

    return SideTables(
        paths=paths,
        groups=read("groups.tsv", read_groups),
        labels=read("domains.tsv", read_domains) or {},
        description=(read("description.txt", File.text) or "").strip(),
        notes=tuple(notes),
    )


def _paths(named: NamedRoles, head: Head) -> dict[str, str]:
    """Return the path of each of SIDE_TABLES: those chosen by the user first, then those in the fewest folders.

    If its name is not one of these, the columns in its ``head`` decide; ChoiceError if they do not.
    """
    paths: dict[str, str] = {}
    tables = [path for path, role in named.roles.items() if role == "table" and path != named.listing]
    for path in sorted(tables, key=lambda path: (path not in named.given, path.count("/"), path)):
        name = PurePosixPath(path).name.lower()
        paths.setdefault(name if name in (*SIDE_TABLES, QUALITIES) else _by_columns(path, head(path)), path)
    return paths


def groups_beside(files: Files, head: Head) -> dict[str, str]:
    """Return the role of tables of groups not called groups.tsv, by their columns, and of those of true qualities."""
    called = [path for path in files if OF_GROUPS.fullmatch(PurePosixPath(path).name.lower())]
    tables = [path for path in called if len(files) > 1 and set(_columns_of(head(path))) >= GROUPED]
    qualities = [path for path in files if PurePosixPath(path).name.lower() == QUALITIES]
    return dict.fromkeys([*tables, *(path for path in qualities if head(path).startswith("system"))], "table")


def _columns_of(head: str) -> list[str]:
    return [column.strip().lower() for column in first_cells(head)]


def _by_columns(path: str, head: str) -> str:
    columns = _columns_of(head)
    if set(columns) >= GROUPED:
        return "groups.tsv"
    if {"domain", "doc", "document"} & set(columns):
        return "domains.tsv"
    raise ChoiceError(
        f"{path} is neither a table of groups (columns system and group) nor of domains (unit, and domain or doc), nor "
        "a list of submissions (the team, and the number or file of each, as in the names of the files); "
        f"it has: {', '.join(columns)}"
    )


def read_rows(file: File, *columns: str) -> Rows:
    """Return line, and cells by column name, of each row of a table with a header.

    FileError if there is no row, one of the columns is missing, or a row has surplus columns.
    """
    text = file.text()
    separator = separator_of(text, file.path)
    records = rows_of(text, file.path, separator)
    header = [cell.strip().lower() for cell in next(records, (1, []))[1]]
    rows: Rows = []
    for line, row in records:
        if len(row) > len(header):
            raise uneven(file.path, line, row, header, quoted=separator != "\t")
        cells = [cell.strip() for cell in row] + [""] * (len(header) - len(row))
        rows.append((line, dict(zip(header, cells, strict=True))))
    if not rows:
        raise FileError(file.path, None, NO_ROWS)
    for column in columns:
        _require(file, rows, column)
    return rows


def _require(file: File, rows: Rows, column: str) -> None:
    if column not in rows[0][1]:
        raise FileError(file.path, 1, f"no column called {column!r}; it has: {', '.join(rows[0][1])}")


def read_groups(file: File) -> pd.DataFrame:
    """Return one row per system: system, group, and any further columns (kind, base_model, ...).

    With a column ``run`` there is one row per output, and all runs of a system must agree on OF_SYSTEM; the column
    ``file`` (or ``output``) may name the output.
    """
    rows = read_rows(file, "system", "group")
    seen: dict[tuple[str, str], int] = {}
    first: dict[str, tuple[int, dict[str, str]]] = {}
    for line, row in rows:
        system, run = row["system"], row.get("run", "")
        if (system, run) in seen:
            name = f"run {run!r} of {system!r}" if run else repr(system)
            raise FileError(file.path, line, f"{name} is already on line {seen[system, run]}")
        seen[system, run] = line
        first_line, other = first.setdefault(system, (line, row))
        for column in OF_SYSTEM:
            here, there = row.get(column, ""), other.get(column, "")
            if here != there:
                reason = f"{system!r} has the {column} {here!r} here but {there!r} on line {first_line}"
                raise FileError(file.path, line, f"{reason}; all runs of a system need the same one")
    renamed = {"output": "file"} if "run" in rows[0][1] and "file" not in rows[0][1] else {}
    return pd.DataFrame([row for _, row in rows]).rename(columns=renamed)


def read_domains(file: File) -> Labels:
    """Return domains and documents of units, as in Labels.

    The first column is the number of the unit; a column ``domain``, ``doc`` or ``document``, or both, follow, and
    perhaps a column ``id`` with the name of the unit. Rows with names need no numbers: theirs are negative then, which
    no unit has.
    """
    rows = read_rows(file)
    columns = {"domain": "domain", "document": "document" if "document" in rows[0][1] else "doc", "id": "id"}
    columns = {name: column for name, column in columns.items() if column in rows[0][1]}
    if not columns.keys() - {"id"}:
        _require(file, rows, "domain")
    labels: dict[str, dict[str, dict[int, str]]] = {name: {} for name in columns}
    first = [next(iter(row.values())) for _, row in rows]
    numbers = list(map(whole_number, first))
    if "id" in columns and not all(numbers):
        numbers = [-line for line, _ in rows]
    for (line, row), cell, number in zip(rows, first, numbers, strict=True):
        if number is None:
            raise FileError(file.path, line, f"the first column is {cell[:40]!r}, not the number of a unit")
        for name, column in columns.items():
            by_unit = labels[name].setdefault(row.get("test_set", ""), {})
            if number in by_unit or number == 0:
                reason = "appears twice" if number else "is not a unit; units are numbered from 1"
                raise FileError(file.path, line, f"unit {number} {reason}")
            by_unit[number] = row[column]
    return labels
