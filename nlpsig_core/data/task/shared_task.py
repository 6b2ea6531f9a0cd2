"""SharedTask: test sets, systems with their groups, and the roles of files; Correction: the user's changes to them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

import pandas as pd

from nlpsig_core.base.errors import ChoiceError, TaskError
from nlpsig_core.data.readers import Reader
from nlpsig_core.data.readers.base import COLUMN_MARK
from nlpsig_core.data.task.domain_rules import DomainRule
from nlpsig_core.data.task.systems import files_on
from nlpsig_core.data.task.test_set import TestSet

# The name of the mean over all test sets, among the names of test sets.
MACRO = "macro-average"
# What stands beside test sets in choices and tables, and therefore cannot name one.
RESERVED = (MACRO, "system", "group")


@dataclass(frozen=True, eq=False, kw_only=True)
class SharedTask:
    """A shared task: test sets by name, and a frame of systems (file, system, group, kind, ...).

    ``systems`` has one row per output: ``file`` is its name among the files and never changes; ``system``, ``group``
    and ``kind`` may be edited. A system has several rows if a column ``run`` distinguishes its runs. ``problems`` are
    sentences about what could not be used; ``unused`` gives the reason for each whole file among that. ``roles`` are
    those of each file, or of each column of a score table.
    TaskError if one of several test sets has a name of ``RESERVED``.
    """

    name: str
    description: str
    test_sets: Mapping[str, TestSet]
    systems: pd.DataFrame
    problems: tuple[str, ...]
    roles: Mapping[str, str]
    unused: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.test_sets) > 1 and (taken := [name for name in RESERVED if name in self.test_sets]):
            names = ", ".join(RESERVED)
            raise TaskError(f"A test set is called {taken[0]!r}, as a column of tables is ({names}): rename it")

    def test_set(self, name: str | None = None) -> TestSet:
        """The test set of that name; the first one by default."""
        if not name:
            return next(iter(self.test_sets.values()))
        if name not in self.test_sets:
            raise ChoiceError.unknown("test set", name, self.test_sets)
        return self.test_sets[name]

    @property
    def names(self) -> dict[str, str]:
        """The name of each output's system, by the name of its files."""
        return dict(zip(self.systems["file"], self.systems["system"], strict=True))

    def files_on(self, test_set: TestSet) -> list[str]:
        """Return the names of the files that a test set has or lacks.

        Of a language model that answered a task fewer times than another, the further answers are not lacking.
        """
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
        """Return the task on some of its test sets, with the systems that have an output there.

        ChoiceError if there is no such test set.
        """
        for name in test_sets:
            self.test_set(name)
        kept = {name: one for name, one in self.test_sets.items() if name in test_sets}
        files = {file for one in kept.values() for file in one.outputs}
        systems = self.systems[self.systems["file"].isin(files)].reset_index(drop=True)
        return replace(self, test_sets=kept, systems=systems)

    def with_systems(self, systems: pd.DataFrame) -> SharedTask:
        """The same task with other names, groups and kinds; TaskError if names are empty or not unique.

        The runs of a system share its name, group and kind.
        """
        names = systems["system"].fillna("").astype(str).str.strip()
        if (names == "").any():
            raise TaskError("A system has no name; give each one")
        edited = replace(self, systems=systems.assign(system=names))
        labels = pd.Series(edited.labels.values())
        if labels.duplicated().any():
            doubled = labels[labels.duplicated()].iloc[0]
            kind = "Two systems" if doubled in set(names) else "Two outputs"
            raise TaskError(f"{kind} are called {doubled!r}; give each its own name")
        for name, of_system in edited.systems.groupby("system", sort=False):
            for column in ("group", "kind"):
                if of_system[column].nunique() > 1:
                    values = " and ".join(map(repr, of_system[column].unique()))
                    raise TaskError(f"The runs of {name!r} have the {column}s {values}; give them all the same one")
        return edited


@dataclass(frozen=True, kw_only=True)
class Correction:
    """The user's choices where names suggest something else: the format, roles by path, and how a path is read.

    ``domain_rule`` is for a ``DomainRule``; raises ChoiceError as that does.
    """

    format: str | None = None
    roles: Mapping[str, str] = field(default_factory=dict)
    read_as: Mapping[str, str] = field(default_factory=dict)
    domain_rule: str = ""

    def __post_init__(self) -> None:
        DomainRule(self.domain_rule)

    def check_files(self, paths: Collection[str]) -> None:
        """Raise ChoiceError if it names a file that does not exist."""
        for path in self._paths:
            if COLUMN_MARK not in path and path not in paths:
                raise ChoiceError.unknown("file", path, paths)

    def check_columns(self, paths: Collection[str]) -> None:
        """Raise ChoiceError if it names a column of a score table that does not exist."""
        for path in self._paths:
            if COLUMN_MARK in path and path not in paths:
                raise ChoiceError.unknown("column", path, paths)

    @property
    def _paths(self) -> tuple[str, ...]:
        return (*self.roles, *self.read_as)

    def check_read_as(self, reader: Reader) -> None:
        """Raise ChoiceError if a file is to be read in a way that the format does not have."""
        for path, way in self.read_as.items():
            if not reader.read_as:
                raise ChoiceError(f"{path} cannot be read as {way!r}: {reader.name} has only one way to read a file")
            if way not in reader.read_as:
                raise ChoiceError.unknown("way to read a file", way, reader.read_as)
