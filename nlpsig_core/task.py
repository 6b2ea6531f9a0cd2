"""SharedTask: the gold, the systems' outputs, their groups and domains, as files say it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from nlpsig_core.errors import ChoiceError, NlpsigError, TaskError
from nlpsig_core.files import File, Files, open_files
from nlpsig_core.layout import Layout, is_gold, recognise
from nlpsig_core.readers import ENDINGS, Reader, reader_of
from nlpsig_core.tables import read_domains, read_groups

# Beside the package in a checkout, inside of it once installed.
HERE = Path(__file__).resolve().parent
SAMPLES = next((p for p in (HERE / "sample_data", HERE.parent / "sample_data") if p.is_dir()), HERE / "sample_data")


@dataclass(frozen=True, eq=False)
class TestSet:
    """One gold file and the outputs for it, by the name of the system's files; not each system has one."""

    __test__ = False  # pytest takes it for a test class otherwise

    name: str
    reader: Reader
    gold_file: File
    outputs: Mapping[str, File]
    domain_rows: Mapping[int, str]

    @cached_property
    def gold(self):
        """The gold as its reader gives it; FileError where it is invalid, since then nothing can be scored."""
        return self.reader.read(self.gold_file.stream(), self.gold_file.path)

    @property
    def n_units(self) -> int:
        """Number of units of the gold."""
        return self.gold.n_sentences

    @cached_property
    def domains(self) -> np.ndarray:
        """The domain of each unit, (units,), or an empty array where none are known."""
        if not self.domain_rows:
            return np.array([], dtype=str)
        return np.array([self.domain_rows.get(unit + 1, "no domain") for unit in range(self.n_units)])

    @property
    def notes(self) -> list[str]:
        """What does not fit between the gold and the table of domains."""
        if not self.domain_rows:
            return []
        without = self.n_units - len(self.domain_rows.keys() & set(range(1, self.n_units + 1)))
        beyond = len(self.domain_rows) - (self.n_units - without)
        notes = [f"domains.tsv: units of the gold without a row: {without} of {self.n_units}"] if without else []
        notes += [f"domains.tsv: rows beyond the gold's {self.n_units} units: {beyond}"] if beyond else []
        return notes


@dataclass(frozen=True, eq=False)
class SharedTask:
    """A shared task: test sets by name, and a frame of systems (file, system, group, kind, ...).

    ``systems`` has a row a system: ``file`` is the name its files give it and never changes; ``system``,
    ``group`` and ``kind`` may be edited. ``problems`` are sentences about what could not be used.
    """

    name: str
    description: str
    test_sets: Mapping[str, TestSet]
    systems: pd.DataFrame
    problems: tuple[str, ...]

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


def load_task(path: str | Path, gold: str | Path | None = None) -> SharedTask:
    """The shared task in a folder, a zip, or a sample's name; ``gold`` is given where it lies apart."""
    path = sample_path(path) or Path(path)
    files = open_files(path)
    if gold is not None:
        files = add_gold(files, Path(gold))
    return task_of(files, path.stem if path.is_file() else path.resolve().name)


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

    Raises TaskError where no gold file has a known format.
    """
    gold = {Path(path).name: file for path, file in gold.items() if reader_of(path)}
    if not gold:
        raise TaskError("Nothing that was given as gold has a known format; known endings: " + ", ".join(ENDINGS))
    outputs = {path: file for path, file in files.items() if not is_gold(path)}
    if len(gold) == 1 and not any(Path(path).name in gold and len(Path(path).parts) > 1 for path in outputs):
        ((name, file),) = gold.items()
        gold = {f"gold{Path(name).suffix}": file}
    else:
        gold = {f"gold/{name}": file for name, file in gold.items()}
    return outputs | {path: File(path, file.load) for path, file in gold.items()}


def task_of(files: Files, name: str) -> SharedTask:
    """The shared task that some files make up; TaskError where there is no gold or no system."""
    layout = recognise(files)
    problems = [f"{path} is not used: it is neither gold nor a system's output" for path in layout.ignored]
    table, notes = _systems(layout, files)
    problems += notes
    domains, notes = _table(read_domains, layout, files, "domains.tsv", {})
    problems += notes
    description, notes = _table(File.text, layout, files, "description.txt", "")
    problems += notes
    test_sets, notes = _test_sets(layout, files, domains)
    return SharedTask(name, description.strip(), test_sets, table, tuple(problems + notes))


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


def _test_sets(layout: Layout, files: Files, domains) -> tuple[dict[str, TestSet], list[str]]:
    test_sets, notes = {}, []
    for name, path in layout.gold.items():
        outputs = {s: files[of[name]] for s, of in layout.outputs.items() if name in of}
        if not outputs:
            notes.append(f"{path} is not used: no system has an output for it")
            continue
        rows = domains.get(name, domains.get("", {}) if len(layout.gold) == 1 else {})
        test_sets[name] = TestSet(name, layout.reader, files[path], outputs, rows)
    return test_sets, notes
