"""SharedTask: the gold, the systems' outputs, their groups and domains, as files say it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import pandas as pd

from nlpsig_core.errors import ChoiceError, FileError, NlpsigError, TaskError
from nlpsig_core.files import File, Files, open_files
from nlpsig_core.layout import TABLES, Layout, group_of, is_gold, recognise
from nlpsig_core.readers import ENDINGS, READERS, Reader
from nlpsig_core.score_tables import BETWEEN, split_table
from nlpsig_core.score_tables import ENDINGS as TABLE_ENDINGS
from nlpsig_core.tables import read_domains, read_groups
from nlpsig_core.test_set import TestSet

SCORE_TABLE = "Score table"
# How much of a file tells its format.
HEAD = 20_000

# Beside the package in a checkout, inside of it once installed.
HERE = Path(__file__).resolve().parent
SAMPLES = next((p for p in (HERE / "sample_data", HERE.parent / "sample_data") if p.is_dir()), HERE / "sample_data")


@dataclass(frozen=True, eq=False)
class SharedTask:
    """A shared task: test sets by name, and a frame of systems (file, system, group, kind, ...).

    ``systems`` has a row a system: ``file`` is the name its files give it and never changes; ``system``,
    ``group`` and ``kind`` may be edited. ``problems`` are sentences about what could not be used. ``files`` are
    all that were given, ``roles`` what each of them (or each column of a score table) was taken for.
    """

    name: str
    description: str
    test_sets: Mapping[str, TestSet]
    systems: pd.DataFrame
    problems: tuple[str, ...]
    files: Files
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
        """The name of each system by that of its files."""
        return dict(zip(self.systems["file"], self.systems["system"], strict=True))

    @property
    def reader(self) -> Reader:
        """The format of the outputs."""
        return self.test_set().reader

    def with_systems(self, systems: pd.DataFrame) -> SharedTask:
        """The same task with other names, groups and kinds; TaskError where names are empty or not unique."""
        names = systems["system"].fillna("").astype(str).str.strip()
        if (names == "").any():
            raise TaskError("A system has no name; give each one")
        if names.duplicated().any():
            raise TaskError(f"Two systems are called {names[names.duplicated()].iloc[0]!r}; give each its own name")
        return replace(self, systems=systems.assign(system=names))


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


def load_task(path: str | Path, gold: str | Path | None = None, correction: Correction = Correction()) -> SharedTask:
    """The shared task in a folder, a zip, a score table, or a sample's name; ``gold`` is given where it lies apart."""
    path = sample_path(path) or Path(path)
    files = open_files(path)
    if gold is not None:
        files = add_gold(files, Path(gold))
    return task_of(files, path.stem if path.is_file() else path.resolve().name, correction)


def sample_path(name: str | Path) -> Path | None:
    """Where the sample task of that name lies, or None."""
    found = SAMPLES / f"{name}.zip"
    return found if str(name) in sample_names() else None


def sample_names() -> list[str]:
    """Names of the sample tasks that come along."""
    return sorted(path.stem for path in SAMPLES.glob("*.zip"))


def add_gold(files: Files, gold: Path) -> Files:
    """The files with a gold that was given apart: a file, or a folder with one file a test set."""
    if gold.is_dir():
        return add_gold_files(files, open_files(gold))
    if not gold.is_file():
        raise TaskError(f"{gold} does not exist; give the gold file or the folder of gold files")
    return add_gold_files(files, {gold.name: File(gold.name, gold.read_bytes)})


def add_gold_files(files: Files, gold: Files) -> Files:
    """The outputs with these gold files instead of any other: of one test set, or named like the outputs of several.

    Several that are not named like outputs are references. Raises TaskError where none has a known format.
    """
    gold = {Path(path).name: file for path, file in gold.items() if Path(path).suffix.lower() in ENDINGS}
    if not gold:
        raise TaskError("Nothing that was given as gold has a known format; known endings: " + ", ".join(ENDINGS))
    outputs = {path: file for path, file in files.items() if not is_gold(path)}
    named_like_gold = any(Path(path).name in gold and len(Path(path).parts) > 1 for path in outputs)
    if len(gold) == 1 and not named_like_gold:
        ((name, file),) = gold.items()
        gold = {f"gold{Path(name).suffix}": file}
    else:
        gold = {f"{'gold' if named_like_gold else 'references'}/{name}": file for name, file in gold.items()}
    return outputs | {path: File(path, file.load) for path, file in gold.items()}


def task_of(files: Files, name: str, correction: Correction = Correction()) -> SharedTask:
    """The shared task that some files make up; TaskError where there is no gold or no system.

    Tables of scores are one where there is nothing else to score.
    """
    used, layout, problems = _recognised(files, correction)
    problems += [f"{path} is not used: it is neither gold nor a system's output" for path in layout.ignored]
    table, notes = _systems(layout, used)
    problems += notes
    domains, notes = _table(read_domains, layout, used, "domains.tsv", {})
    problems += notes
    description, notes = _table(File.text, layout, used, "description.txt", "")
    problems += notes
    test_sets, notes = _test_sets(layout, used, domains, correction)
    return SharedTask(name, description.strip(), test_sets, table, tuple(problems + notes), files, layout.roles)


def _recognised(files: Files, correction: Correction) -> tuple[Files, Layout, list[str]]:
    """The files in use, their layout, and what could not be read of them."""
    tables = [
        path for path in sorted(files) if Path(path).suffix.lower() in TABLE_ENDINGS and Path(path).name not in TABLES
    ]
    if correction.format != SCORE_TABLE:
        try:
            layout = recognise(files, partial(_head, files), correction.roles, correction.format)
            return files, layout, []
        except TaskError:
            if not tables or correction.format:
                raise
    return _score_tables(files, tables, correction.roles)


def _head(files: Files, path: str) -> str:
    """The beginning of a file, whatever its encoding."""
    try:
        return files[path].load()[:HEAD].decode("utf-8", errors="replace").lstrip("\ufeff").replace("\r\n", "\n")
    except NlpsigError:
        return ""


def _score_tables(files: Files, tables: list[str], roles: Mapping[str, str]) -> tuple[Files, Layout, list[str]]:
    """Each table is a test set; its columns are the units and the systems."""
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
            layout.groups[system] = group_of(system)
    layout.tables = {Path(path).name: path for path in files if Path(path).name in TABLES}
    layout.ignored = [path for path in files if path not in tables and path not in layout.tables.values()]
    if not layout.outputs:
        raise TaskError("No table of scores can be used. " + " ".join(problems))
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
    names = list(layout.outputs)
    table = pd.DataFrame({"file": names, "system": names, "group": [layout.groups[n] for n in names]})
    given, notes = _table(read_groups, layout, files, "groups.tsv", None)
    if given is not None:
        unknown = sorted(set(given["system"]) - set(names))
        notes += [f"{layout.tables['groups.tsv']} names {system!r}, which has no output" for system in unknown]
        missing = sorted(set(names) - set(given["system"]))
        notes += [f"{layout.tables['groups.tsv']} has no row for {system!r}; its group is taken from its name"
                  for system in missing]  # fmt: skip
        rows = given.set_index("system").reindex(names)
        group = [row or of_name for row, of_name in zip(rows["group"].fillna(""), table["group"], strict=True)]
        more = rows.drop(columns=["file", "group"], errors="ignore").reset_index(drop=True)
        table = table.assign(group=group).join(more)
    if "kind" not in table:
        table["kind"] = "system"
    first = ["file", "system", "group", "kind"]
    table["kind"] = table["kind"].replace("", "system").fillna("system")
    table = table.fillna("")
    return table[first + [column for column in table if column not in first]], notes


def _test_sets(layout: Layout, files: Files, domains, correction: Correction) -> tuple[dict[str, TestSet], list[str]]:
    test_sets, notes = {}, []
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
