"""The test set, the system and the group of each gold file and output, inferred from paths."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from nlpsig_core.data.task.naming import GOLD_FOLDERS, GOLD_MARK, SYSTEMS_FOLDERS, Paths, gold_folders

LETTERS = re.compile(r"[^\W\d_]+")
# By path, its folders and file name below the folder of the systems.
Components = Mapping[str, tuple[str, ...]]


class Assignment(NamedTuple):
    """The group and test set of an output, and possible names of its system: each is longer, the last is unique."""

    names: tuple[str, ...]
    group: str
    test_set: str


def components_below_systems(outputs: Paths, gold: Paths) -> tuple[Components, Components]:
    """Components of outputs below the folder of the systems; failing that, below the gold's folder; else of all.

    The second result lacks folders that all outputs share, unless those are inside a folder of the systems.
    """
    base = _common(folder.parent for p in gold.values() for folder in (gold_folders(p) or [p])[-1:])
    for name in SYSTEMS_FOLDERS:
        outermost = ([f for f in p.parents if f.name.lower() == name][-1:] for p in outputs.values())
        tops = {folder for folders in outermost for folder in folders}
        tops = {folder for folder in tops if folder.parent == base} or tops
        if len(tops) == 1:
            components = _below(outputs, tops.pop())
            return components, components
    components = _below(outputs, base) or _below(outputs, PurePosixPath())
    shared = len(_common(outputs[path].parent for path in components).parts) if components else 0
    return components, {path: outputs[path].parts[shared:] for path in components}


def _common(folders: Iterable[PurePosixPath]) -> PurePosixPath:
    return PurePosixPath(os.path.commonpath([str(folder) for folder in folders]))


def _below(outputs: Paths, top: PurePosixPath) -> dict[str, tuple[str, ...]]:
    return {path: p.relative_to(top).parts for path, p in outputs.items() if p.is_relative_to(top)}


def gold_by_test_set(
    gold: Paths, components: Components, *, flat: bool, several_gold: bool
) -> dict[str, tuple[str, ...]]:
    """The gold files of each test set; its name is that of outputs in folders, or "" if no gold is named like them.

    ``flat`` outputs cannot be named like the only file of a gold folder; for others, that is the test set's name.
    """
    in_folders = several_gold or len(gold) == 1
    output_stems = {PurePosixPath(c[-1]).stem for c in components.values() if len(c) > 1 or not in_folders}
    possible = {path: _possible_names(p) for path, p in gold.items()}
    named = any(output_stems.intersection(names) for names in possible.values())
    of_folder = all(folder.name.lower() in GOLD_FOLDERS for p in gold.values() for folder in gold_folders(p)[:1] or [p])
    if not named and (flat or not of_folder):
        return {"": tuple(gold)}
    test_sets: dict[str, tuple[str, ...]] = {}
    for path, names in possible.items():
        name = next(filter(output_stems.__contains__, names), names[0])
        test_sets[name] = (*test_sets.get(name, ()), path)
    return test_sets


def _possible_names(path: PurePosixPath) -> list[str]:
    """Possible names of a gold file's test set: the folders inside the gold folder, and its own name."""
    top = gold_folders(path)[:1]
    folders = path.relative_to(top[0]).parts[-2::-1] if top else ()
    return [*folders, path.stem, GOLD_MARK.sub("", path.stem)]


def assign(components: Components, shortened: Components, test_sets: Collection[str]) -> dict[str, Assignment]:
    """The assignment of each output, to the only test set ("") or the one of its name; others are left out."""
    if "" in test_sets:
        return {path: _to_only_test_set(c) for path, c in shortened.items()}
    assignments = {path: _to_named_test_set(c, test_sets) for path, c in components.items()}
    return {path: assignment for path, assignment in assignments.items() if assignment}


def _to_only_test_set(components: tuple[str, ...]) -> Assignment:
    """NAME, GROUP/NAME or GROUP__RUN."""
    file = PurePosixPath(components[-1])
    long = "__".join((*components[:-1], file.stem))
    group = components[0] if len(components) > 1 else group_of(file.stem)
    return Assignment((file.stem, long, long + file.suffix, "/".join(components)), group, "")


def _to_named_test_set(components: tuple[str, ...], test_sets: Collection[str]) -> Assignment | None:
    """SYSTEM/TESTSET, TEAM/RUN/output/TESTSET or TESTSET.SYSTEM."""
    file = PurePosixPath(components[-1])
    folders = [folder for folder in components[:-1] if folder.lower() != "output"]
    if file.stem not in test_sets or not (folders or file.suffix):
        return None
    system = "__".join(folders) or file.suffix[1:]
    return Assignment((system, system + file.suffix, "/".join(components)), group_of(system), file.stem)


def system_names(assignments: Mapping[str, Assignment]) -> dict[str, str]:
    """The system of each output: the shortest of its names that is unique in its test set."""
    length = dict.fromkeys(assignments, 0)
    while True:
        names = {path: assignment.names[length[path]] for path, assignment in assignments.items()}
        taken = Counter((name, assignments[path].test_set) for path, name in names.items())
        doubled = [path for path, name in names.items() if taken[name, assignments[path].test_set] > 1]
        longer = [path for path in doubled if length[path] + 1 < len(assignments[path].names)]
        if not longer:
            return names
        for path in longer:
            length[path] += 1


def group_of(system: str) -> str:
    """The group in a system's name: the part before two underscores, or the whole name."""
    return system.partition("__")[0]


def family_of(model: str) -> str:
    """The family in a model's name: its owner, else the letters with which it begins, else the whole name.

    Owners stand before a slash or, where a folder has the name, before two underscores: meta-llama__Llama-3.1-8B.
    """
    *owners, name = model.replace("__", "/").split("/")
    letters = LETTERS.match(name)
    return owners[-1] if owners and owners[-1] else letters.group() if letters else model
