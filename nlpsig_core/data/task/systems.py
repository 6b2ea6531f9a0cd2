"""The frame of the systems of a task: one row per output, with its system, run, group and kind."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pandas as pd

from nlpsig_core.data.readers import Reader
from nlpsig_core.data.readers.base import COLUMN_MARK
from nlpsig_core.data.task.layout import Layout
from nlpsig_core.data.task.side_tables import SideTables

# What may separate the system from the run in the name of an output.
BEFORE_RUN = ("__", "-", "_", ".", "/", COLUMN_MARK)


def systems_table(layout: Layout, tables: SideTables) -> tuple[pd.DataFrame, list[str]]:
    """The frame of systems (file, system, run if there are runs, group, kind, ...), and notes on what does not match.

    A table of groups overrides the groups that follow from names.
    """
    names, notes = list(layout.outputs), list[str]()
    table = pd.DataFrame({"file": names, "system": names, "group": [layout.groups[n] for n in names]})
    if layout.runs:
        systems, runs = zip(*(layout.runs.get(name, (name, "")) for name in names), strict=True)
        table = table.assign(system=systems, run=runs)
    if tables.groups is not None:
        table, notes = _with_groups(table, tables.groups, tables.paths["groups.tsv"])
    if "kind" not in table:
        table["kind"] = "system"
    first = ["file", "system", *(["run"] if "run" in table else []), "group", "kind"]
    table["kind"] = table["kind"].replace("", "system").fillna("system")
    table = table.fillna("")
    return table[first + [column for column in table if column not in first]], notes


def files_on(systems: pd.DataFrame, reader: Reader, outputs: Collection[str]) -> list[str]:
    """Return the files of systems that a test set with these ``outputs`` has or lacks (``SharedTask.files_on``)."""
    files: list[str] = systems["file"].tolist()
    if not reader.logs:
        return files
    names = dict(zip(files, systems["system"], strict=True))
    lead = {names[file]: file for file in reversed([*(f for f in files if f in outputs), *files])}
    return [file for file in files if file in outputs or lead[names[file]] == file]


def _with_groups(table: pd.DataFrame, groups: pd.DataFrame, path: str) -> tuple[pd.DataFrame, list[str]]:
    """The frame of systems joined with the table of groups: by output if the latter has runs, else by system."""
    key = "file" if "run" in groups else "system"
    if key == "file":
        groups = groups.assign(file=[_output_of(row, set(table["file"])) for row in groups.to_dict("records")])
    names = table[key].tolist()
    unknown = sorted(set(groups[key]) - set(names))
    notes = [f"{path} names {name!r}, which has no output" for name in unknown]
    missing = sorted(set(names) - set(groups[key]))
    notes += [f"{path} has no row for {name!r}; its group is taken from its name" for name in missing]
    doubled = groups.loc[groups[key].duplicated(), key].unique()
    notes += [f"{path} has several rows for {name!r}; only the first is used" for name in doubled]
    rows = groups.drop_duplicates(key).set_index(key).reindex(names).reset_index(drop=True)
    group = [row or of_name for row, of_name in zip(rows["group"].fillna(""), table["group"], strict=True)]
    more = rows.drop(columns=["file", "group"], errors="ignore")
    if key == "file":
        table = table.assign(system=more.pop("system").fillna(table["system"]), run=more.pop("run"))
    return table.assign(group=group).join(more), notes


def _output_of(row: Mapping[str, str], names: Collection[str]) -> str:
    """The output that a row of the table of groups describes: the one it names, else the one of its system and run."""
    if row.get("file"):
        return row["file"]
    system, run = row["system"], row["run"]
    possible = [f"{system}{mark}{run}" for mark in BEFORE_RUN] if run else [system]
    return next((name for name in possible if name in names), possible[0])
