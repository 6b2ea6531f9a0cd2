"""SharedTask: the gold, the systems' outputs, their groups and domains, as files say it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import pandas as pd

from nlpsig_core.errors import ChoiceError, FileError, NlpsigError, TaskError
from nlpsig_core.readers import ENDINGS, READERS, Reader
from nlpsig_core.task.files import File, Files, open_files
from nlpsig_core.task.gold_supplied import add_gold_files, gold_files
from nlpsig_core.task.layout import Layout, recognise, some
from nlpsig_core.task.naming import ROLES, find_tables, is_gold, parsed, roles_beside
from nlpsig_core.task.places import group_of
from nlpsig_core.task.score_tables import BETWEEN, split_table
from nlpsig_core.task.score_tables import ENDINGS as TABLE_ENDINGS
from nlpsig_core.task.side_tables import read_domains, read_groups
from nlpsig_core.task.systems import systems_table
from nlpsig_core.task.test_set import TestSet

SCORE_TABLE = "Score table"
# How much of a file tells its format.
HEAD = 20_000

# Beside the package in a checkout, inside of it once installed.
HERE = Path(__file__).resolve().parent.parent
SAMPLES = next((p for p in (HERE / "sample_data", HERE.parent / "sample_data") if p.is_dir()), HERE / "sample_data")


Known = Callable[[Reader], None]


def _nothing(reader: Reader) -> None:
    pass


@dataclass(frozen=True, eq=False)
class SharedTask:
    """A shared task: test sets by name, and a frame of systems (file, system, group, kind, ...).

    ``systems`` has a row an output: ``file`` is the name its files give it and never changes; ``system``, ``group`` and
    ``kind`` may be edited. A system has several rows where a column ``run`` tells its runs apart. ``problems`` are
    sentences about what could not be used, ``roles`` what each file (or each column of a score table) was taken for.
    """

    name: str
    description: str
    test_sets: Mapping[str, TestSet]
    systems: pd.DataFrame
    problems: tuple[str, ...]
    roles: Mapping[str, str]

    def test_set(self, name: str | None = None) -> TestSet:
        """The test set of that name, or the first one."""
        if not name:
            return next(iter(self.test_sets.values()))
        if name not in self.test_sets:
            raise ChoiceError.unknown("test set", name, self.test_sets)
        return self.test_sets[name]

    @property
    def names(self) -> dict[str, str]:
        """The name of the system by that of each output's files."""
        return dict(zip(self.systems["file"], self.systems["system"], strict=True))

    @property
    def labels(self) -> dict[str, str]:
        """What each output is called, by the name of its files: its system, and its run where that has one."""
        runs = self.systems["run"] if "run" in self.systems else [""] * len(self.systems)
        return {
            file: f"{system}, run {run}" if run else system
            for file, system, run in zip(self.systems["file"], self.systems["system"], runs, strict=True)
        }

    @property
    def reader(self) -> Reader:
        """The format of the outputs."""
        return self.test_set().reader

    def with_systems(self, systems: pd.DataFrame) -> SharedTask:
        """The same task with other names, groups and kinds; TaskError where names are empty or not unique.

        Runs of one system have one name, and one group, but different runs.
        """
        names = systems["system"].fillna("").astype(str).str.strip()
        if (names == "").any():
            raise TaskError("A system has no name; give each one")
        edited = replace(self, systems=systems.assign(system=names))
        labels = pd.Series(edited.labels.values())
        if labels.duplicated().any():
            doubled = labels[labels.duplicated()].iloc[0]
            what = "Two systems" if doubled in set(names) else "Two outputs"
            raise TaskError(f"{what} are called {doubled!r}; give each its own name")
        for name, of_system in edited.systems.groupby("system", sort=False):
            for column in ("group", "kind"):
                if of_system[column].nunique() > 1:
                    told = " and ".join(map(repr, of_system[column].unique()))
                    raise TaskError(f"The runs of {name!r} have the {column}s {told}; give all of them one")
        return edited


@dataclass(frozen=True)
class Correction:
    """What the user says of files otherwise than their names: format, roles by path, and how a path is read.

    ``domain_rule`` as in ``TestSet``; ChoiceError where it is no regular expression.
    """

    format: str | None = None
    roles: Mapping[str, str] = field(default_factory=dict)
    read_as: Mapping[str, str] = field(default_factory=dict)
    domain_rule: str = ""

    def __post_init__(self) -> None:
        try:
            re.compile(self.domain_rule)
        except re.error as error:
            raise ChoiceError(f"{self.domain_rule!r} is no regular expression ({error})") from None

    def demand(self, known: Collection[str]) -> None:
        """Raise ChoiceError where it names a file, or a column of a score table, that is not known."""
        for path in (*self.roles, *self.read_as):
            if path not in known:
                raise ChoiceError.unknown("column" if BETWEEN in path else "file", path, known)

    def demand_ways(self, reader: Reader) -> None:
        """Raise ChoiceError where a file is to be read as the format cannot be."""
        for path, way in self.read_as.items():
            if not reader.read_as:
                raise ChoiceError(f"{path} cannot be read as {way!r}: {reader.name} can be read in one way only")
            if way not in reader.read_as:
                raise ChoiceError.unknown("way to read a file", way, reader.read_as)


def load_task(
    path: str | Path, gold: str | Path | None = None, correction: Correction = Correction(), known: Known = _nothing
) -> SharedTask:
    """The shared task in a folder, a zip, a score table, or a sample's name; ``gold`` is given where it lies apart.

    ``known`` as in ``task_of``.
    """
    path = sample_path(path) or Path(path)
    files = open_files(path)
    if gold is not None:
        files = add_gold_files(files, gold_files(Path(gold)))
    return task_of(files, path.stem if path.is_file() else path.resolve().name, correction, known)


def sample_path(name: str | Path) -> Path | None:
    """Where the sample task of that name lies, or None."""
    found = SAMPLES / f"{name}.zip"
    return found if str(name) in sample_names() else None


def sample_names() -> list[str]:
    """Names of the sample tasks that come along."""
    return sorted(path.stem for path in SAMPLES.glob("*.zip"))


def task_of(files: Files, name: str, correction: Correction = Correction(), known: Known = _nothing) -> SharedTask:
    """The shared task that some files make up; TaskError where there is no gold or no system.

    Tables of scores are one where there is nothing else to score. ``known(reader)`` is called as soon as the format
    is known, before more than the beginnings of files is read; what it raises ends the reading.
    """
    readable = {path: file for path, file in files.items() if not file.not_read}
    not_read = [f"{path} {file.not_read}" for path, file in files.items() if file.not_read]
    try:
        used, layout, problems = _recognised(readable, correction, known)
    except TaskError as error:
        # Of a task that cannot be recognised the columns are not known.
        correction.demand({*readable, *(path for path in correction.roles if BETWEEN in path)})
        raise TaskError(". ".join([str(error), *some(not_read)])) from None
    problems += not_read
    correction.demand({*readable, *layout.roles})
    correction.demand_ways(layout.reader)
    problems += [f"{path} is not used: {reason}" for path, reason in layout.ignored.items()]
    table, notes = _systems(layout, used)
    problems += notes
    domains, notes = _table(read_domains, layout, used, "domains.tsv", {})
    problems += notes
    description, notes = _table(File.text, layout, used, "description.txt", "")
    problems += notes
    test_sets, notes = _test_sets(layout, used, domains, correction)
    return SharedTask(name, description.strip(), test_sets, table, tuple(problems + notes), layout.roles)


def _recognised(files: Files, correction: Correction, known: Known) -> tuple[Files, Layout, list[str]]:
    """The files in use, their layout, and what could not be read of them."""
    beside = roles_beside(parsed(files)) | dict(correction.roles)
    rest = [path for path in sorted(files) if beside.get(path, "output") in ("gold", "output")]
    tables = [path for path in rest if Path(path).suffix.lower() in TABLE_ENDINGS]
    if correction.format != SCORE_TABLE:
        try:
            layout = recognise(files, partial(_head, files), correction.roles, correction.format)
            known(layout.reader)
            return files, layout, []
        except TaskError:
            # What could be scored itself is not passed over for a table.
            others = [path for path in rest if Path(path).suffix.lower() in ENDINGS or is_gold(path)]
            if not tables or others or correction.format:
                raise
    known(READERS[SCORE_TABLE])
    return _score_tables(files, tables, correction.roles)


def _head(files: Files, path: str) -> str:
    """The beginning of a file, whatever its encoding."""
    try:
        return files[path].load()[:HEAD].decode("utf-8", errors="replace").lstrip("\ufeff").replace("\r\n", "\n")
    except NlpsigError:
        return ""


def _score_tables(files: Files, tables: list[str], roles: Mapping[str, str]) -> tuple[Files, Layout, list[str]]:
    """Each table is a test set; its columns are the units and the systems."""
    for role in {role for path, role in roles.items() if path in files} - set(ROLES):
        raise ChoiceError.unknown("role", role, ROLES)
    reader = READERS[SCORE_TABLE]
    layout, used, problems = Layout(reader, dict(roles)), dict(files), []
    for path in tables:
        try:
            found, of_columns = split_table(files[path], roles)
        except FileError as error:
            if len(tables) == 1:
                raise
            problems.append(f"{error} (the table is left out)")
            continue
        used |= found
        layout.roles |= of_columns
        test_set = Path(path).stem if len(tables) > 1 else ""
        units, *outputs = found
        layout.gold[test_set] = (units,)
        for output in outputs:
            system = output.removeprefix(path + BETWEEN)
            layout.outputs.setdefault(system, {})[test_set] = output
            layout.groups[system] = group_of(system.partition(BETWEEN)[0])
    beside = roles_beside(parsed(files)) | {path: role for path, role in roles.items() if path in files}
    layout.tables = find_tables(beside, roles, partial(_head, files))
    unused = (path for path in files if path not in tables and path not in layout.tables.values())
    layout.ignored = dict.fromkeys(unused, "it is no table of scores")
    if not layout.outputs:
        raise TaskError("No table of scores can be used. " + (" ".join(problems) or "None ends in .csv or .tsv"))
    return used, layout, problems


def _table(read, layout: Layout, files: Files, name: str, otherwise):
    """A table that may stand beside the outputs; what is wrong with it is a note, not an end."""
    if name not in layout.tables:
        return otherwise, []
    try:
        return read(files[layout.tables[name]]), []
    except NlpsigError as error:
        return otherwise, [f"{error} (the table is left out)"]


def _systems(layout: Layout, files: Files) -> tuple[pd.DataFrame, list[str]]:
    given, notes = _table(read_groups, layout, files, "groups.tsv", None)
    table, more = systems_table(layout, given)
    return table, notes + more


def _test_sets(layout: Layout, files: Files, domains, correction: Correction) -> tuple[dict[str, TestSet], list[str]]:
    test_sets, notes = {}, _without_test_set(layout, domains)
    for name, paths in layout.gold.items():
        outputs = {s: files[of[name]] for s, of in layout.outputs.items() if name in of}
        if not outputs:
            notes.append(f"{paths[0]} is not used: no system has an output for it")
            continue
        rows = {
            column: by_set.get(name, by_set.get("", {}) if len(layout.gold) == 1 else {})
            for column, by_set in domains.items()
        }
        gold = tuple(files[path] for path in paths)
        test_sets[name] = TestSet(name, layout.reader, gold, outputs, rows, correction.read_as, correction.domain_rule)
    return test_sets, notes


def _without_test_set(layout: Layout, domains) -> list[str]:
    """What the table of domains says of no test set that there is."""
    named = {name for by_set in domains.values() for name in by_set}
    several, path = len(layout.gold) > 1, layout.tables.get("domains.tsv")
    test_sets = ", ".join(filter(None, layout.gold)) or "the only one has no name"
    notes = [f"{path} has rows for no test set; with several of them it needs a column test_set ({test_sets})"] * (
        several and "" in named
    )
    unknown = sorted(named - set(layout.gold) - {""})
    return notes + [f"{path} names the test set {name!r}, which is not there ({test_sets})" for name in unknown]
