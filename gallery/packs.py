"""Statistics by test set and family (.npz) -> packs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

from gallery.tasks import LANGUAGES, RealTask
from nlpsig_core.base.words import count
from nlpsig_core.data.metrics import Family, Metric
from nlpsig_core.data.metrics.items import labels
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.readers import READERS
from nlpsig_core.data.task.files import File
from nlpsig_core.data.task.shared_task import SharedTask
from nlpsig_core.data.task.test_set import Packed, PackedFamily, TestSet
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.stats.counting import count_test_set
from nlpsig_core.significance.stats.packing import pack

# Counted by this version, before packs had versions of families.
COUNTED_BY = "0.1.0"
CHRF = ".chrF"


def pack_of(task: RealTask, statistics: Path) -> bytes:
    """The pack of a real task, from the folder of statistics, or the outputs beside it."""
    if task.outputs:
        return _counted(task, [statistics.parent / folder for folder in task.outputs])
    return pack(_shared_task(task, statistics / task.folder))


def _counted(task: RealTask, folders: Sequence[Path]) -> bytes:
    with TemporaryDirectory() as made:
        opened = load_task(_together(task, folders, Path(made)))
        description = f"{task.what}: {count(len(opened.systems), 'system')} ({task.source})"
        about = {"source": task.source, "year": task.year, "campaign": task.campaign}
        named = replace(opened, name=task.name, description=description, problems=())
        return pack(named, task.metrics, about)


def _together(task: RealTask, folders: Sequence[Path], made: Path) -> Path:
    """The folder of the task: its only one, or ``made`` of several or of its domains."""
    if task.by_domain:
        _write_by_domain(load_task(folders[0]), made)
        return made
    if len(folders) == 1:
        return folders[0]
    for folder in folders:
        copytree(folder, made / folder.name.rpartition(".")[2])
    return made


def _write_by_domain(task: SharedTask, folder: Path) -> None:
    """Write a table for each domain of a task of labels: which items each system has right."""
    whole = next(iter(task.test_sets.values()))
    counts = count_test_set(whole, task.files_on(whole), labels.FAMILY)
    right = pd.DataFrame((counts.values[..., 0] == counts.values[..., 1]).T.astype(int), columns=list(counts.files))
    for domain, rows in right.groupby(np.array(whole.gold.domains)):
        table = rows.melt(var_name="model", value_name="solved", ignore_index=False).rename_axis("instance")
        table.to_csv(folder / f"{domain}.tsv", sep="\t")


def _shared_task(task: RealTask, folder: Path) -> SharedTask:
    names = task.test_sets or sorted(path.stem for path in folder.glob("*.npz") if not path.stem.endswith(CHRF))
    stored = {
        name: [_arrays(path) for path in (folder / f"{name}.npz", folder / f"{name}{CHRF}.npz") if path.exists()]
        for name in names
    }
    groups = {s: g for of in stored.values() for s, g in zip(of[0]["systems"], of[0]["groups"], strict=True)}
    systems = tuple(sorted(groups, key=str.lower))
    frame = pd.DataFrame({"file": systems, "system": systems, "group": [groups[s] for s in systems], "kind": "system"})
    several = len(names) > 1
    number, teams = count(len(systems), "system"), count(len(set(groups.values())), "group")
    return SharedTask(
        name=task.name,
        description=f"{task.what}: {number} of {teams} ({task.source})",
        test_sets={
            n if several else "": _test_set(task, n if several else "", n, of, systems) for n, of in stored.items()
        },
        systems=frame,
        problems=tuple(
            f"{n}: {system} is left out: {reason}"
            for n, of in stored.items()
            for system, reason in json.loads(str(of[0]["refused"])).items()
        ),
        roles={},
    )


def _arrays(path: Path) -> dict[str, Any]:
    with np.load(path, allow_pickle=False) as stored:
        return {name: stored[name] for name in stored.files} | {
            name: stored[name].tolist() for name in ("systems", "groups", "domains", "documents", "columns")
        }


def _test_set(task: RealTask, name: str, of: str, stored: list[dict[str, Any]], systems: tuple[str, ...]) -> TestSet:
    metric = _metric(stored[0], task.reader)
    edition = "2017" if task.campaign == "CoNLL 2017" else "2018" if task.reader == "CoNLL-U" else ""
    language = "-".join(LANGUAGES[code] for code in of.replace("_", "-").split("-") if code in LANGUAGES)
    first = stored[0]
    packed = Packed(
        n_units=first["values"].shape[1],
        families={
            (family := _metric(each, task.reader).family).name: _family(each, family, systems, name) for each in stored
        },
        domains=tuple(first["domains"]),
        documents=tuple(first["documents"]),
        lengths=_lengths(first),
        edition=edition or next(iter(metric.editions), ""),
        about={"source": task.source, "year": task.year, "campaign": task.campaign, "test_set": of}
        | ({"language": language} if language else {}),
    )
    return TestSet(
        name=name,
        reader=READERS[task.reader],
        labels={},
        read_as={},
        packed=packed,
        gold_files=tuple(File(path, partial(bytes)) for path in task.gold),
        outputs={s: File(f"systems/{s}{task.ending}", partial(bytes)) for s in systems if s in first["systems"]},
    )


def _metric(stored: dict[str, Any], reader: str) -> Metric:
    """The first metric for which the statistics were counted."""
    return Offer(READERS[reader]).metric(str(stored["metrics"][0]))


def _family(stored: dict[str, Any], family: Family, systems: tuple[str, ...], test_set: str) -> PackedFamily:
    """The statistics of all systems; one without output has the gold's counts and predicts nothing."""
    columns, own = tuple(stored["columns"]), stored["systems"]
    assert set(columns) <= set(family.columns)
    nothing = stored["values"][0] * np.array([column.startswith("gold") for column in columns])
    values = np.stack([stored["values"][own.index(s)] if s in own else nothing for s in systems])
    return PackedFamily(
        files=systems,
        columns=columns,
        version=f"nlpsig {COUNTED_BY}",
        counted_as="<i4" if family.whole else "<f8",
        values=lambda: values,
        problems={system: f"no output for the test set {test_set}" for system in systems if system not in own},
        remarks={},
        same_bytes={},
    )


def _lengths(stored: dict[str, Any]) -> tuple[int, ...]:
    """The gold's words of each unit, where the statistics have them."""
    for column in ("gold_words", "reference_length"):
        if column in stored["columns"]:
            return tuple(stored["values"][0][:, stored["columns"].index(column)].astype(int).tolist())
    return ()
