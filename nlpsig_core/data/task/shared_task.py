"""SharedTask: test sets, systems with their groups, and the roles of files; Correction: the user's changes to them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Literal, Self

import pandas as pd

from nlpsig_core.base.errors import ChoiceError, FileError, TaskError, check_named, check_types, entry_named
from nlpsig_core.base.words import count, first_few
from nlpsig_core.data.readers import Reader
from nlpsig_core.data.readers.base import COLUMN_MARK
from nlpsig_core.data.task.bundles import SUBMISSIONS
from nlpsig_core.data.task.called import may_be_gold
from nlpsig_core.data.task.domain_rule import DomainRule
from nlpsig_core.data.task.files import File
from nlpsig_core.data.task.layout import Layout
from nlpsig_core.data.task.tables import SideTables
from nlpsig_core.data.task.test_set import TestSet

# The name of the mean over all test sets, among the names of test sets.
MACRO = "macro-average"
# Names that tables and choices need beside test sets.
RESERVED = (MACRO, "system", "group")
# What may separate the system from the run in the name of an output.
BEFORE_RUN = ("__", "-", "_", ".", "/", COLUMN_MARK)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SharedTask:
    """A shared task: test sets by name, and a frame of systems (file, system, group, kind, ...).

    ``systems`` has one row per output: ``file`` is its name among the files and never changes; ``system``, ``group``
    and ``kind`` may be edited. A system has several rows if a column ``run`` distinguishes its runs. ``problems`` are
    sentences about what could not be used; ``unused`` gives the reason for each unused file. ``roles`` are those of
    each file, or of each column of a score table. ``submissions`` is which of a team's are systems (of SUBMISSIONS), ""
    if none has several. TaskError if one of several test sets has a name of RESERVED.
    """

    name: str
    description: str
    test_sets: Mapping[str, TestSet]
    systems: pd.DataFrame
    problems: tuple[str, ...]
    roles: Mapping[str, str]
    unused: Mapping[str, str] = field(default_factory=dict)
    submissions: str = ""

    def __post_init__(self) -> None:
        if len(self.test_sets) > 1 and (taken := [name for name in RESERVED if name in self.test_sets]):
            names = ", ".join(RESERVED)
            raise TaskError(f"A test set is called {taken[0]!r}, as a column of tables is ({names}): rename it")

    def __repr__(self) -> str:
        outputs, test_sets = count(len(self.systems), "output"), count(len(self.test_sets), "test set")
        return f"<{type(self).__name__} {self.name}: {outputs} of {self.reader.unit}s, {test_sets}>"

    def test_set(self, name: str | None = None) -> TestSet:
        """Return the test set of that name; the first one by default."""
        if not name:
            return next(iter(self.test_sets.values()))
        if list(self.test_sets) == [""]:
            raise ChoiceError(f"No test set called {name!r}; there is one, without a name: leave the choice out")
        return entry_named("test set", name, self.test_sets)

    @property
    def names(self) -> dict[str, str]:
        """The name of each output's system, by the name of its files."""
        return dict(zip(self.systems["file"], self.systems["system"], strict=True))

    def files_on(self, test_set: TestSet) -> list[str]:
        """Return the names of the files that a test set has or lacks (``files_on``)."""
        return files_on(self.systems, test_set.reader, test_set.outputs)

    @property
    def labels(self) -> dict[str, str]:
        """The label of each output, by the name of its files: its system, and its run if it has one."""
        runs = self.systems["run"] if "run" in self.systems else [""] * len(self.systems)
        return {
            file: f"{system}, run {run}" if run else system
            for file, system, run in zip(self.systems["file"], self.systems["system"], runs, strict=True)
        }

    @property
    def reader(self) -> Reader:
        """The format of the outputs."""
        return self.test_set().reader

    def on(self, test_sets: Collection[str]) -> Self:
        """Return the task on some of its test sets, with the systems that have an output there; ChoiceError if none."""
        check_types(test_sets=(test_sets, Collection))
        if not test_sets:
            raise ChoiceError(f"No test set is chosen. Available: {', '.join(self.test_sets)}")
        for name in test_sets:
            self.test_set(name)
        kept = {name: test_set for name, test_set in self.test_sets.items() if name in test_sets}
        files = {file for test_set in kept.values() for file in test_set.outputs}
        systems = self.systems[self.systems["file"].isin(files)].reset_index(drop=True)
        return replace(self, test_sets=kept, systems=systems)

    def with_systems(self, systems: pd.DataFrame) -> Self:
        """Return the task with other names, groups and kinds; TaskError if names are empty or not unique.

        The runs of a system share its name, group and kind. Systems whose rows are left out are left out of the task.
        """
        check_types(systems=(systems, pd.DataFrame))
        if lacking := [column for column in ("file", "system", "group", "kind") if column not in systems]:
            raise TaskError(f"The frame of systems has no column {lacking[0]!r}; edit a copy of the task's own frame")
        known = self.names
        for file in systems["file"]:
            check_named("output", file, known)
        names = systems["system"].fillna("").astype(str).str.strip()
        if (names == "").any():
            raise TaskError("A system has no name; give each one")
        edited = replace(self, systems=systems.assign(system=names))
        labels = pd.Series(edited.labels.values())
        if labels.duplicated().any():
            doubled = labels[labels.duplicated()].iloc[0]
            kind = "Two systems" if doubled in set(names) else "Two outputs"
            raise TaskError(f"{kind} are called {doubled!r}; give each its own name")
        for name, runs in edited.systems.groupby("system", sort=False):
            for column in ("group", "kind"):
                if runs[column].nunique() > 1:
                    values = " and ".join(map(repr, runs[column].unique()))
                    raise TaskError(f"The runs of {name!r} have the {column}s {values}; give them all the same one")
        return edited


@dataclass(frozen=True, kw_only=True)
class Correction:
    """The user's choices where names suggest something else: the format, roles by path, and how a path is read.

    ``domain_rule`` is for a ``DomainRule``; ``submissions`` is one of SUBMISSIONS, or "" for the usual one. ChoiceError
    if one of the two is none.
    """

    format: str | None = None
    roles: Mapping[str, str] = field(default_factory=dict)
    read_as: Mapping[str, str] = field(default_factory=dict)
    domain_rule: str = ""
    submissions: str = ""

    def __post_init__(self) -> None:
        DomainRule(self.domain_rule)
        if self.submissions:
            check_named("choice of submissions", self.submissions, SUBMISSIONS)

    def check_paths(self, thing: Literal["file", "column"], paths: Collection[str]) -> None:
        """Raise ChoiceError if it names a file, or a column of a score table, that does not exist."""
        for path in (*self.roles, *self.read_as):
            if (COLUMN_MARK in path) == (thing == "column"):
                check_named(thing, path, paths)

    def check_read_as(self, reader: Reader) -> None:
        """Raise ChoiceError if a file is to be read in a way that the format does not have."""
        for path, way in self.read_as.items():
            if not reader.read_as:
                raise ChoiceError(f"{path} cannot be read as {way!r}: {reader.name} has only one way to read a file")
            check_named("way to read a file", way, reader.read_as)


def like_gold(task: SharedTask) -> dict[str, list[str]]:
    """Return the files of outputs that are the same as the gold, or called like one, by the name of the output."""
    found: dict[str, list[str]] = {}
    for test_set in task.test_sets.values():
        for name, file in test_set.outputs.items():
            if may_be_gold(file.path) or any(_are_same(file, gold) for gold in test_set.gold_files):
                found.setdefault(name, []).append(file.path)
    return found


def _are_same(file: File, other: File) -> bool:
    try:
        return file.size == other.size and file.load() == other.load()
    except FileError:
        return False


def files_on(systems: pd.DataFrame, reader: Reader, outputs: Collection[str]) -> list[str]:
    """Return the files of systems that a test set with these ``outputs`` has or lacks.

    If a language model answered a task fewer times than another, the further answers are not lacking.
    """
    files: list[str] = systems["file"].tolist()
    if not reader.logs:
        return files
    names = dict(zip(files, systems["system"], strict=True))
    lead = {names[file]: file for file in reversed([*(f for f in files if f in outputs), *files])}
    return [file for file in files if file in outputs or lead[names[file]] == file]


def tasks_apart(test_sets: Mapping[str, TestSet], names: Mapping[str, str]) -> list[str]:
    """Return a note if each of several test sets has systems of its own, by the ``names`` of their outputs."""
    systems = {name: sorted({names[file] for file in test_set.outputs}) for name, test_set in test_sets.items()}
    if len(systems) < 2 or len({*chain(*systems.values())}) < sum(map(len, systems.values())):
        return []
    each = first_few(f"{name} ({first_few(own)})" for name, own in systems.items())
    return [f"No system has outputs on two test sets: {each}. If these are several tasks, open each on its own"]


def systems_table(layout: Layout, tables: SideTables) -> tuple[pd.DataFrame, list[str]]:
    """Return the frame of systems (file, system, run if there are runs, group, kind, ...), and notes on mismatches.

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


def _with_groups(table: pd.DataFrame, groups: pd.DataFrame, path: str) -> tuple[pd.DataFrame, list[str]]:
    """Join the frame of systems with the table of groups: by output if the latter has runs, else by system."""
    key = "file" if "run" in groups else "system"
    if key == "file":
        groups = groups.assign(file=[_output(row, set(table["file"])) for row in groups.to_dict("records")])
    names = table[key].tolist()
    unknown = sorted(set(groups[key]) - set(names))
    notes = [f"{path} names {name!r}, which has no output" for name in unknown]
    missing = sorted(set(names) - set(groups[key]))
    notes += [f"{path} has no row for {name!r}; its group is taken from its name" for name in missing]
    doubled = groups.loc[groups[key].duplicated(), key].unique()
    notes += [f"{path} has several rows for {name!r}; only the first is used" for name in doubled]
    rows = groups.drop_duplicates(key).set_index(key).reindex(names).reset_index(drop=True)
    group = rows["group"].fillna("")
    more = rows.drop(columns=["file", "group"], errors="ignore")
    if key == "file":
        table = table.assign(system=more.pop("system").fillna(table["system"]), run=more.pop("run"))
    return table.assign(group=group.where(group != "", table["group"])).join(more), notes


def _output(row: Mapping[str, str], names: Collection[str]) -> str:
    """Return the output that a row of the table of groups describes: the one it names, else that of system and run."""
    if row.get("file"):
        return row["file"]
    system, run = row["system"], row["run"]
    possible = [f"{system}{mark}{run}" for mark in BEFORE_RUN] if run else [system]
    return next((name for name in possible if name in names), possible[0])
