"""Folders of test sets, in each of which gold and outputs lie: renamed as those of one campaign."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import PurePosixPath

from nlpsig_core.data.task.called import (
    GOLD_FOLDERS,
    OF_GOLD,
    REFERENCE_FOLDERS,
    SYSTEMS_FOLDERS,
    Paths,
    called_reference,
    possible_names,
)


def as_one_campaign(paths: Paths, aside: Collection[str]) -> Paths:
    """Return the files of several TEST_SET/ with gold and outputs as gold/TEST_SET/NAME and systems/SYSTEM/TEST_SET.

    Outputs are in a folder of systems, else beside the gold, but for files ``aside``. References that end as outputs do
    become references/TEST_SET/NAME, unless there is gold beside the TEST_SET/.
    """
    gold = {path: f for path, p in paths.items() if (f := _task_of(p, GOLD_FOLDERS, p.stem.lower() == "gold")).name}
    named = {path: _task_of(p, REFERENCE_FOLDERS, called_reference(p)) for path, p in paths.items()}
    outputs = {path: p.parent.parent for path, p in paths.items() if p.parent.name.lower() in SYSTEMS_FOLDERS}
    with_outputs = set(outputs.values())
    of_gold = ((f, paths[path].suffix) for path, f in (*named.items(), *gold.items()) if f.name)
    beside_gold = {end for end in of_gold if end[0] not in with_outputs}
    for path, p in paths.items():
        if (p.parent, p.suffix) in beside_gold and path not in aside and not (path in gold or named[path].name):
            outputs[path] = p.parent
    endings = {(folder, paths[path].suffix) for path, folder in outputs.items()}
    references = {path: folder for path, folder in named.items() if (folder, paths[path].suffix) in endings}
    tops = {folder.parent for folder in references.values()}
    beside = {p.relative_to(top).parts[0] for top in tops for p in paths.values() if p.is_relative_to(top)}
    if not {name.partition(".")[0].lower() for name in beside}.isdisjoint(OF_GOLD):
        references = {}
    tasks = references | gold
    both = {folder for folder in tasks.values() if folder.name}.intersection(outputs.values())
    if len({folder.name for folder in both}) < max(len(both), 2):
        return paths
    tops_of = {path: "gold" if path in gold else "references" for path, folder in tasks.items() if folder in both}
    renamed = {path: PurePosixPath(top, tasks[path].name, paths[path].name) for path, top in tops_of.items()}
    for path, folder in outputs.items():
        if folder in both:
            renamed[path] = PurePosixPath("systems", paths[path].stem, folder.name + paths[path].suffix)
    return {**paths, **renamed}


def systems_first(paths: Paths, gold: Collection[str], aside: Collection[str]) -> Paths:
    """Return outputs TEST_SET/SYSTEM as systems/SYSTEM/TEST_SET, where folders, not files, are named like the golds.

    If only one folder is, it holds all outputs, else it may be that of a team.
    Where files of several systems have one name, as in SYSTEM/TEST_SET/out.txt, the folder above is the system.
    """
    names = {name for path in gold for name in possible_names(paths[path])}
    outputs = {path: p for path, p in paths.items() if path not in gold and path not in aside}
    inside = {path: p for path, p in outputs.items() if p.parent.name in names}
    perhaps_a_team = len({p.parent.name for p in inside.values()}) < 2 and len(inside) < len(outputs)
    if perhaps_a_team or any(p.stem in names for p in outputs.values()):
        return paths
    for systems in (
        {path: p.stem for path, p in inside.items()},
        {path: p.parts[-3:][0] for path, p in inside.items()},
    ):
        renamed = {
            path: PurePosixPath("systems", systems[path], p.parent.name + p.suffix) for path, p in inside.items()
        }
        if len(set(renamed.values())) == len(renamed):
            return {**paths, **renamed}
    return paths


def _task_of(path: PurePosixPath, folders: Iterable[str], called: bool) -> PurePosixPath:
    """Return the folder whose gold or reference a file is, by its folder or if ``called`` so; "." for other files."""
    return path.parent.parent if path.parent.name.lower() in folders else path.parent if called else PurePosixPath()
