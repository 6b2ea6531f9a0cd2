"""Which file of a shared task is what, told from the paths alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from nlpsig_core.errors import TaskError
from nlpsig_core.readers import ENDINGS, Reader

GOLD_FOLDERS = ("gold", "00-gold-standard")
SYSTEMS_FOLDER = "systems"
TABLES = ("groups.tsv", "domains.tsv", "truth.tsv", "description.txt")


@dataclass
class Layout:
    """Paths by role: gold by test set, outputs by system and test set, the group that a path tells."""

    reader: Reader
    gold: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    groups: dict[str, str] = field(default_factory=dict)
    tables: dict[str, str] = field(default_factory=dict)
    ignored: list[str] = field(default_factory=list)


def recognise(paths: Iterable[str]) -> Layout:
    """The roles of the files of a task folder, a published CoNLL package, or loose files.

    Raises TaskError, saying what was found and what is needed, where no gold or no system is recognised.
    """
    by_path = {path: PurePosixPath(path) for path in sorted(paths)}
    reader = _reader(by_path.values())
    data = {path: parsed for path, parsed in by_path.items() if parsed.suffix.lower() in reader.endings}
    layout = Layout(reader)
    for path, parsed in by_path.items():
        if parsed.name.lower() in TABLES:
            layout.tables.setdefault(parsed.name.lower(), path)
        elif path not in data:
            layout.ignored.append(path)
    base = _find_gold(data, layout)
    _find_outputs(data, layout, base)
    if not layout.outputs:
        raise TaskError(
            f"Found the gold ({', '.join(layout.gold.values())}) but no system output beside it; "
            "put one file a system into a folder named systems"
        )
    return layout


def _reader(paths: Iterable[PurePosixPath]) -> Reader:
    endings = Counter(path.suffix.lower() for path in paths)
    for ending, _ in endings.most_common():
        if ending in ENDINGS:
            return ENDINGS[ending]
    seen = ", ".join(sorted(ending or "no ending" for ending in endings)) or "no files"
    raise TaskError(f"No file that can be scored (found: {seen}); known endings: {', '.join(sorted(ENDINGS))}")


def is_gold(path: str) -> bool:
    """Whether a path can only be a gold file's: called gold, or in a folder for gold."""
    parsed = PurePosixPath(path)
    return parsed.parent.name.lower() in GOLD_FOLDERS or (
        parsed.stem.lower() == "gold" and SYSTEMS_FOLDER not in parsed.parts[:-1]
    )


def _find_gold(data: dict[str, PurePosixPath], layout: Layout) -> PurePosixPath:
    """Fill ``layout.gold``; return the folder that the task lies in."""
    folders = {p.parent for p in data.values() if p.parent.name.lower() in GOLD_FOLDERS}
    if folders:
        folder = min(folders, key=lambda f: len(f.parts))
        layout.gold = {p.stem: path for path, p in data.items() if p.parent == folder}
        flat = any(p.parent.name == SYSTEMS_FOLDER for p in data.values())
        if flat and len(layout.gold) == 1 and sum(p.stem in layout.gold for p in data.values()) == 1:
            # One test set: systems are files, and none is named like the gold.
            layout.gold = {"": next(iter(layout.gold.values()))}
        return folder.parent
    stems = {path: p.stem.lower() for path, p in data.items() if SYSTEMS_FOLDER not in p.parts[:-1]}
    named = [path for path, stem in stems.items() if "gold" in stem.replace("-", "_").split("_")] or [
        path for path, stem in stems.items() if "gold" in stem
    ]
    if len(named) != 1:
        what = f"several files are named as gold ({', '.join(named)})" if named else "no file is named as gold"
        raise TaskError(
            f"Cannot tell the gold: {what}. Name one file gold{layout.reader.endings[0]}, or put the gold of each "
            "test set into a folder named gold"
        )
    layout.gold = {"": named[0]}
    return data[named[0]].parent


def _find_outputs(data: dict[str, PurePosixPath], layout: Layout, base: PurePosixPath) -> None:
    gold = set(layout.gold.values())
    inside = {path: p.relative_to(base) for path, p in data.items() if p.is_relative_to(base) and path not in gold}
    if any(p.parts[0] == SYSTEMS_FOLDER for p in inside.values()):
        outputs = {path: p.parts[1:] for path, p in inside.items() if p.parts[0] == SYSTEMS_FOLDER}
    else:
        outputs = {path: p.parts for path, p in inside.items() if p.parts[0].lower() not in GOLD_FOLDERS}
    place = _single if "" in layout.gold else _several
    described = {path: place(parts, layout.gold) for path, parts in outputs.items()}
    taken = Counter((system, test_set) for system, _, test_set in filter(None, described.values()))
    for path, found in described.items():
        if found is None:
            continue
        system, group, test_set = found
        if taken[system, test_set] > 1:
            system = f"{group}__{system}"
        layout.outputs.setdefault(system, {})[test_set] = path
        layout.groups[system] = group
    used = {path for of_system in layout.outputs.values() for path in of_system.values()}
    layout.ignored += [path for path in data if path not in used | gold]


def _single(parts: tuple[str, ...], gold: dict[str, str]) -> tuple[str, str, str]:
    """NAME, GROUP/NAME or GROUP__RUN as (system, group, test set)."""
    system = PurePosixPath(parts[-1]).stem
    return system, parts[0] if len(parts) > 1 else group_of(system), ""


def _several(parts: tuple[str, ...], gold: dict[str, str]) -> tuple[str, str, str] | None:
    """SYSTEM/TESTSET or TEAM/RUN/output/TESTSET as (system, group, test set)."""
    test_set = PurePosixPath(parts[-1]).stem
    folders = [part for part in parts[:-1] if part.lower() != "output"]
    if test_set not in gold or not folders:
        return None
    system = "__".join(folders)
    return system, group_of(system), test_set


def group_of(system: str) -> str:
    """The group that a system's name tells: what stands before two underscores, else the name itself."""
    return system.partition("__")[0]
