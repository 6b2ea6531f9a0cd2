"""The frame of the systems of a task: a row an output, with its system, its run, its group and its kind."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pandas as pd

from nlpsig_core.task.layout import Layout
from nlpsig_core.task.score_tables import BETWEEN

# What may stand between a system's name and its run's in the name of an output.
BEFORE_RUN = ("__", "-", "_", ".", "/", BETWEEN)


def systems_table(layout: Layout, given: pd.DataFrame | None) -> tuple[pd.DataFrame, list[str]]:
    """The frame of systems (file, system, run where there are runs, group, kind, ...), and what does not fit.

    ``given`` is the table of groups (``tables.read_groups``), or None where there is none.
    """
    names, notes = list(layout.outputs), list[str]()
    table = pd.DataFrame({"file": names, "system": names, "group": [layout.groups[n] for n in names]})
    if "run" in layout.roles.values():
        # A table of scores tells systems and runs itself.
        told = [name.rpartition(BETWEEN) for name in names]
        table = table.assign(system=[s or r for s, _, r in told], run=[r if s else "" for s, _, r in told])
    if given is not None:
        table, notes = _with_groups(table, given, layout.tables["groups.tsv"])
    if "kind" not in table:
        table["kind"] = "system"
    first = ["file", "system", *(["run"] if "run" in table else []), "group", "kind"]
    table["kind"] = table["kind"].replace("", "system").fillna("system")
    table = table.fillna("")
    return table[first + [column for column in table if column not in first]], notes


def _with_groups(table: pd.DataFrame, given: pd.DataFrame, path: str) -> tuple[pd.DataFrame, list[str]]:
    """The frame of systems with what the table of groups says, by output where that tells runs, else by system."""
    key = "file" if "run" in given else "system"
    if key == "file":
        given = given.assign(file=[_output_of(row, set(table["file"])) for row in given.to_dict("records")])
    names = table[key].tolist()
    unknown = sorted(set(given[key]) - set(names))
    notes = [f"{path} names {name!r}, which has no output" for name in unknown]
    missing = sorted(set(names) - set(given[key]))
    notes += [f"{path} has no row for {name!r}; its group is taken from its name" for name in missing]
    doubled = given.loc[given[key].duplicated(), key].unique()
    notes += [f"{path} has several rows for {name!r}; the first of them holds" for name in doubled]
    rows = given.drop_duplicates(key).set_index(key).reindex(names).reset_index(drop=True)
    group = [row or of_name for row, of_name in zip(rows["group"].fillna(""), table["group"], strict=True)]
    more = rows.drop(columns=["file", "group"], errors="ignore")
    if key == "file":
        table = table.assign(system=more.pop("system").fillna(table["system"]), run=more.pop("run"))
    return table.assign(group=group).join(more), notes


def _output_of(row: Mapping[str, str], names: Collection[str]) -> str:
    """The output that a row of the table of groups is of: the one it names, else what its system and run make up."""
    if row.get("file"):
        return row["file"]
    system, run = row["system"], row["run"]
    possible = [f"{system}{between}{run}" for between in BEFORE_RUN] if run else [system]
    return next((name for name in possible if name in names), possible[0])
