"""Which test set and which system a file belongs to, by the place where it lies."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from nlpsig_core.task.naming import GOLD_FOLDERS, GOLD_MARK, SYSTEMS_FOLDERS, Paths, gold_folders

# Folders and name of an output, below the folder of the systems.
Parts = Mapping[str, tuple[str, ...]]


class Place(NamedTuple):
    """The group and test set that an output's place tells, and names of its system: each longer, the last its own."""

    names: tuple[str, ...]
    group: str
    test_set: str


def below_systems(outputs: Paths, gold: Paths) -> tuple[Parts, Parts]:
    """Where each output lies below the folder of the systems; where there is none, beside the gold, else anywhere.

    The same again without folders that all of them share, unless those lie in a folder of the systems.
    """
    base = _common(folder.parent for p in gold.values() for folder in (gold_folders(p) or [p])[-1:])
    for name in SYSTEMS_FOLDERS:
        outermost = ([f for f in p.parents if f.name.lower() == name][-1:] for p in outputs.values())
        found = {folder for folders in outermost for folder in folders}
        found = {folder for folder in found if folder.parent == base} or found
        if len(found) == 1:
            parts = _below(outputs, found.pop())
            return parts, parts
    parts = _below(outputs, base) or _below(outputs, PurePosixPath())
    shared = len(_common(outputs[path].parent for path in parts).parts) if parts else 0
    return parts, {path: outputs[path].parts[shared:] for path in parts}


def _common(folders: Iterable[PurePosixPath]) -> PurePosixPath:
    return PurePosixPath(os.path.commonpath([str(folder) for folder in folders]))


def _below(outputs: Paths, top: PurePosixPath) -> Parts:
    return {path: p.relative_to(top).parts for path, p in outputs.items() if p.is_relative_to(top)}


def sets_of_gold(gold: Paths, parts: Parts, flat: bool, several_gold: bool) -> dict[str, tuple[str, ...]]:
    """The gold files of each test set, by the names that outputs in folders have; "" where none is named like gold.

    ``flat`` outputs cannot be named like the one file of a folder for gold; for others it is the test set's name.
    """
    in_folders = several_gold or len(gold) == 1
    like = {PurePosixPath(p[-1]).stem for p in parts.values() if len(p) > 1 or not in_folders}
    possible = {path: _possible(p) for path, p in gold.items()}
    named = any(like.intersection(names) for names in possible.values())
    of_folder = all(folder.name.lower() in GOLD_FOLDERS for p in gold.values() for folder in gold_folders(p)[:1] or [p])
    if not named and (flat or not of_folder):
        return {"": tuple(gold)}
    sets: dict[str, tuple[str, ...]] = {}
    for path, names in possible.items():
        name = next(filter(like.__contains__, names), names[0])
        sets[name] = (*sets.get(name, ()), path)
    return sets


def _possible(path: PurePosixPath) -> list[str]:
    """What the test set of a gold file may be called: its folders inside the one for gold, and itself."""
    top = gold_folders(path)[:1]
    folders = path.relative_to(top[0]).parts[-2::-1] if top else ()
    return [*folders, path.stem, GOLD_MARK.sub("", path.stem)]


def places(parts: Parts, shortened: Parts, test_sets: Collection[str]) -> dict[str, Place]:
    """The place of each output that has one, in the only test set ("") or in that of its name."""
    if "" in test_sets:
        return {path: _single(p) for path, p in shortened.items()}
    found = {path: _several(p, test_sets) for path, p in parts.items()}
    return {path: place for path, place in found.items() if place}


def _single(parts: tuple[str, ...]) -> Place:
    """NAME, GROUP/NAME or GROUP__RUN."""
    file = PurePosixPath(parts[-1])
    long = "__".join((*parts[:-1], file.stem))
    group = parts[0] if len(parts) > 1 else group_of(file.stem)
    return Place((file.stem, long, long + file.suffix, "/".join(parts)), group, "")


def _several(parts: tuple[str, ...], test_sets: Collection[str]) -> Place | None:
    """SYSTEM/TESTSET, TEAM/RUN/output/TESTSET or TESTSET.SYSTEM."""
    file = PurePosixPath(parts[-1])
    folders = [part for part in parts[:-1] if part.lower() != "output"]
    if file.stem not in test_sets or not (folders or file.suffix):
        return None
    system = "__".join(folders) or file.suffix[1:]
    return Place((system, system + file.suffix, "/".join(parts)), group_of(system), file.stem)


def own_names(found: Mapping[str, Place]) -> dict[str, str]:
    """The shortest name of each output's system that no other one for its test set has."""
    length = dict.fromkeys(found, 0)
    while True:
        names = {path: place.names[length[path]] for path, place in found.items()}
        taken = Counter((name, found[path].test_set) for path, name in names.items())
        doubled = [path for path, name in names.items() if taken[name, found[path].test_set] > 1]
        longer = [path for path in doubled if length[path] + 1 < len(found[path].names)]
        if not longer:
            return names
        for path in longer:
            length[path] += 1


def group_of(system: str) -> str:
    """The group that a system's name tells: what stands before two underscores, else the name itself."""
    return system.partition("__")[0]
