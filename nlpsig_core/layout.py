"""Which file of a shared task is what, and which system and test set it belongs to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from nlpsig_core.errors import ChoiceError, TaskError
from nlpsig_core.readers import ENDINGS, READERS, Reader

GOLD_FOLDERS = ("gold", "00-gold-standard")
REFERENCE_FOLDERS = ("references", "reference", "refs")
GOLD_ENDING = ".gld"
SYSTEMS_FOLDER = "systems"
INPUTS = ("source", "target", "src", "input")
PARAMETERS = ".prm"
STANDARD_PARAMETERS = "collins"
TABLES = ("groups.tsv", "domains.tsv", "truth.tsv", "description.txt")
# What a file can be; the user may say otherwise than the names do.
ROLES = ("gold", "output", "input", "parameters", "table", "not used")

Paths = Mapping[str, PurePosixPath]


@dataclass
class Layout:
    """Paths by role: gold by test set, outputs by system and test set, the group that a path tells."""

    reader: Reader
    roles: dict[str, str]
    gold: dict[str, tuple[str, ...]] = field(default_factory=dict)
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    groups: dict[str, str] = field(default_factory=dict)
    tables: dict[str, str] = field(default_factory=dict)
    ignored: list[str] = field(default_factory=list)


def recognise(
    paths: Iterable[str],
    head: Callable[[str], str] = lambda path: "",
    given: Mapping[str, str] | None = None,
    format: str | None = None,
) -> Layout:
    """The roles of the files of a task folder, a published package, or loose files, and what follows from them.

    ``head`` gives the beginning of a file, which tells formats apart that endings do not. ``given`` roles by
    path and a ``format`` override what is recognised. Raises TaskError, saying what was found and what is
    needed, where no gold or no system is recognised.
    """
    by_path = {path: PurePosixPath(path) for path in sorted(paths)}
    given = {path: role for path, role in (given or {}).items() if path in by_path}
    for role in set(given.values()) - set(ROLES):
        raise ChoiceError.unknown("role", role, ROLES)
    roles = _beside(by_path) | given
    rest = {path: parsed for path, parsed in by_path.items() if path not in roles}
    told = [path for path, role in given.items() if role == "gold"]
    gold, fault = (told, "") if told else _gold(rest)
    reader = _reader(by_path, roles, gold or list(rest), head, format)
    if not gold:
        raise TaskError(
            f"Cannot tell the gold: {fault}. Name one file gold{reader.endings[0]}, or put the gold of each test set "
            "into a folder named gold, references into one named references"
        )
    roles |= dict.fromkeys(gold, "gold")
    endings = {*reader.endings, *(by_path[path].suffix.lower() for path in gold)}
    for path, parsed in rest.items():
        roles.setdefault(path, "output" if parsed.suffix.lower() in endings else "not used")
    return _arrange(reader, by_path, roles)


def _beside(by_path: Paths) -> dict[str, str]:
    """The roles of what is neither gold nor output, by its name."""
    roles = {}
    for path, parsed in by_path.items():
        if parsed.name.lower() in TABLES:
            roles[path] = "table"
        elif parsed.suffix.lower() == PARAMETERS:
            roles[path] = "parameters"
        elif parsed.stem.lower() in INPUTS and SYSTEMS_FOLDER not in parsed.parts[:-1]:
            roles[path] = "input"
    return roles


def is_gold(path: str) -> bool:
    """Whether a path can only be a gold file's: called gold, or in a folder for gold or references."""
    parsed = PurePosixPath(path)
    if SYSTEMS_FOLDER in parsed.parts[:-1]:
        return False
    folders = {part.lower() for part in parsed.parts[-3:-1]}
    return (
        parsed.parent.name.lower() in GOLD_FOLDERS
        or bool(folders & set(REFERENCE_FOLDERS))
        or parsed.stem.lower() == "gold"
        or parsed.suffix.lower() == GOLD_ENDING
    )


def _gold(paths: Paths) -> tuple[list[str], str]:
    """The gold files: in a folder for them, by their ending, or by their names; else none, and why."""
    outside = {path: p for path, p in paths.items() if SYSTEMS_FOLDER not in p.parts[:-1]}
    for folders in (GOLD_FOLDERS, REFERENCE_FOLDERS):
        found = [p.parents[depth] for p in outside.values() for depth in (0, 1) if _is(p, depth, folders)]
        if found:
            top = min(found, key=lambda folder: len(folder.parts))
            return [path for path, p in outside.items() if p.is_relative_to(top)], ""
    if ending := [path for path, p in outside.items() if p.suffix.lower() == GOLD_ENDING]:
        return ending, ""
    words = {path: set(p.stem.lower().replace("-", "_").replace(".", "_").split("_")) for path, p in outside.items()}
    named = [path for path in words if "gold" in words[path]] or [
        path for path in words if "gold" in PurePosixPath(path).stem.lower()
    ]
    references = [path for path in words if words[path] & {"ref", "reference", "references"}]
    if len(named) == 1 or (references and not named):
        return named or references, ""
    return [], f"several files are named as gold ({', '.join(named)})" if named else "no file is named as gold"


def _is(path: PurePosixPath, depth: int, folders: tuple[str, ...]) -> bool:
    return len(path.parents) > depth and path.parents[depth].name.lower() in folders


def _reader(by_path: Paths, roles: dict[str, str], gold: list[str], head, format: str | None) -> Reader:
    """The format that is given, or that most of the gold files have by ending and beginning."""
    if format is not None:
        if format not in READERS:
            raise ChoiceError.unknown("format", format, READERS)
        return READERS[format]
    endings = Counter(by_path[path].suffix.lower() for path in gold)
    source = next((head(p) for p, role in roles.items() if role == "input" and by_path[p].stem == "source"), "")
    for ending, _ in endings.most_common():
        # Any ending will do in a folder for gold or references; elsewhere only a known one.
        candidates = ENDINGS.get(ending, tuple(READERS.values()) if any(map(is_gold, gold)) else ())
        first = next(path for path in gold if by_path[path].suffix.lower() == ending)
        start = head(first) if len(candidates) > 1 else ""
        fitting = [reader for reader in candidates if reader.looks_like(start) and reader.fits(start, source)]
        plain = [reader for reader in candidates if (ending,) == reader.endings[:1]]
        if candidates:
            return [*fitting, *plain[-1:], *candidates][0]
    seen = ", ".join(sorted(ending or "no ending" for ending in endings)) or "no files"
    raise TaskError(f"No file that can be scored (found: {seen}); known endings: {', '.join(sorted(ENDINGS))}")


def _arrange(reader: Reader, by_path: Paths, roles: dict[str, str]) -> Layout:
    """Names of test sets and systems, from the places of gold and outputs."""
    layout = Layout(reader, roles)
    of_role = {role: {p: by_path[p] for p in by_path if roles[p] == role} for role in ROLES}
    for path, parsed in of_role["table"].items():
        layout.tables.setdefault(parsed.name.lower(), path)
    base = _name_gold(layout, of_role["gold"], of_role["output"])
    _name_outputs(layout, of_role["output"], base)
    for path in (path for of_system in layout.outputs.values() for path in of_system.values()):
        of_role["output"].pop(path)
    if not layout.outputs:
        raise TaskError(
            f"Found the gold ({', '.join(of_role['gold'])}) but no system output beside it; "
            "put one file a system into a folder named systems"
        )
    for name, gold in layout.gold.items():
        layout.gold[name] = gold + _read_with_gold(reader, gold[0], of_role)
    layout.ignored = [path for path in by_path if path in of_role["output"] or roles[path] == "not used"]
    for path in of_role["output"]:
        roles[path] = "not used"
    return layout


def _name_gold(layout: Layout, gold: Paths, outputs: Paths) -> PurePosixPath:
    """Fill ``layout.gold`` by test set ("" for the only one); return the folder that the task lies in."""
    first = next(iter(gold.values()))
    folder = next((f for f in reversed(first.parents) if f.name.lower() in GOLD_FOLDERS + REFERENCE_FOLDERS), None)
    base = first.parent if folder is None else folder.parent
    if layout.reader.several_gold and (folder is None or folder.name.lower() in REFERENCE_FOLDERS):
        # References of one test set, or a folder of them for each.
        for path, parsed in gold.items():
            name = parsed.parent.name if folder is not None and parsed.parent != folder else ""
            layout.gold[name] = (*layout.gold.get(name, ()), path)
        return base
    layout.gold = {parsed.stem: (path,) for path, parsed in gold.items()}
    named_like_gold = any(p.stem in layout.gold for p in outputs.values())
    flat = folder is None or any(p.parent.name == SYSTEMS_FOLDER for p in outputs.values())
    if len(gold) == 1 and flat and (folder is None or not named_like_gold):
        # One test set: systems are files, and none is named like the gold.
        layout.gold = {"": tuple(gold)}
    return base


def _name_outputs(layout: Layout, outputs: Paths, base: PurePosixPath) -> None:
    inside = {path: p.relative_to(base) for path, p in outputs.items() if p.is_relative_to(base)}
    if any(p.parts[0] == SYSTEMS_FOLDER for p in inside.values()):
        parts = {path: p.parts[1:] for path, p in inside.items() if p.parts[0] == SYSTEMS_FOLDER}
    else:
        parts = {path: p.parts for path, p in inside.items()}
    place = _single if "" in layout.gold else _several
    described = {path: place(of_path, layout.gold) for path, of_path in parts.items()}
    taken = Counter((system, test_set) for system, _, test_set in filter(None, described.values()))
    for path, found in described.items():
        if found is None:
            continue
        system, group, test_set = found
        if taken[system, test_set] > 1:
            system = f"{group}__{system}"
        layout.outputs.setdefault(system, {})[test_set] = path
        layout.groups[system] = group


def _read_with_gold(reader: Reader, gold: str, of_role: dict[str, dict[str, PurePosixPath]]) -> tuple[str, ...]:
    """What the format reads together with the gold: the input, or the parameters that fit best by their name."""
    found = tuple(of_role["input"]) if "input" in reader.with_gold else ()
    if "parameters" in reader.with_gold and of_role["parameters"]:
        stems = {p.stem.lower(): path for path, p in of_role["parameters"].items()}
        only = next(iter(stems.values())) if len(stems) == 1 else None
        best = stems.get(PurePosixPath(gold).stem.lower(), stems.get(STANDARD_PARAMETERS, only))
        found += (best,) if best else ()
    return found


def _single(parts: tuple[str, ...], gold: Mapping[str, object]) -> tuple[str, str, str]:
    """NAME, GROUP/NAME or GROUP__RUN as (system, group, test set)."""
    system = PurePosixPath(parts[-1]).stem
    return system, parts[0] if len(parts) > 1 else group_of(system), ""


def _several(parts: tuple[str, ...], gold: Mapping[str, object]) -> tuple[str, str, str] | None:
    """SYSTEM/TESTSET, TEAM/RUN/output/TESTSET or TESTSET.SYSTEM as (system, group, test set)."""
    file = PurePosixPath(parts[-1])
    folders = [part for part in parts[:-1] if part.lower() != "output"]
    if file.stem not in gold or not (folders or file.suffix):
        return None
    system = "__".join(folders) or file.suffix[1:]
    return system, group_of(system), file.stem


def group_of(system: str) -> str:
    """The group that a system's name tells: what stands before two underscores, else the name itself."""
    return system.partition("__")[0]
