"""Which file of a shared task is what, and which system and test set it belongs to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from nlpsig_core.errors import ChoiceError, TaskError
from nlpsig_core.readers import ENDINGS, READERS, Reader
from nlpsig_core.task.naming import (
    ROLES,
    SYSTEMS_FOLDERS,
    Paths,
    find_tables,
    gold_among,
    is_systems_folder,
    parsed,
    roles_beside,
)
from nlpsig_core.task.places import below_systems, own_names, places, sets_of_gold

# How many files an error names.
NAMED = 5


@dataclass
class Layout:
    """Paths by role: gold by test set, outputs by system and test set, the group that a path tells.

    ``ignored`` says of each path that is not used why that is.
    """

    reader: Reader
    roles: dict[str, str]
    gold: dict[str, tuple[str, ...]] = field(default_factory=dict)
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    groups: dict[str, str] = field(default_factory=dict)
    tables: dict[str, str] = field(default_factory=dict)
    ignored: dict[str, str] = field(default_factory=dict)


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
    by_path = parsed(paths)
    given = {path: role for path, role in (given or {}).items() if path in by_path}
    for role in set(given.values()) - set(ROLES):
        raise ChoiceError.unknown("role", role, ROLES)
    beside = roles_beside(by_path)
    gold, fault = gold_among({path: p for path, p in by_path.items() if path not in beside}, given)
    roles = beside | given | dict.fromkeys(gold, "gold")
    rest = {path: p for path, p in by_path.items() if path not in roles}
    reader = _reader(by_path, roles, gold, rest, head, format)
    if not gold:
        raise TaskError(
            f"Cannot tell the gold: {fault}. Name one file gold{reader.endings[0]}, or put the gold of each test set "
            "into a folder named gold, references into one named references"
        )
    endings = {*reader.endings, *(by_path[path].suffix.lower() for path in gold)}
    if "output" not in roles.values() and not any(p.suffix.lower() in endings for p in rest.values()):
        endings |= _strange_ending(rest)
    for path, p in rest.items():
        roles[path] = "output" if p.suffix.lower() in endings else "not used"
    layout = Layout(reader, roles, tables=find_tables(roles, given, head))
    _arrange(layout, by_path)
    _ignore(layout, by_path, endings)
    return layout


def _reader(by_path: Paths, roles: dict[str, str], gold: list[str], rest: Paths, head, format: str | None) -> Reader:
    """The format that is given, or that most of the gold files have by ending and beginning."""
    if format is not None:
        if format not in READERS:
            raise ChoiceError.unknown("format", format, READERS)
        return READERS[format]
    endings = Counter(by_path[path].suffix.lower() for path in gold or rest)
    inputs = {path: by_path[path].name.lower().partition(".")[0] for path, role in roles.items() if role == "input"}
    source = next((head(path) for path, name in inputs.items() if name == "source"), "")
    for ending, _ in endings.most_common():
        # Gold may have any ending; what is not known to be gold only one that is known.
        candidates = ENDINGS.get(ending, tuple(READERS.values()) if gold else ())
        first = next(path for path in gold or rest if by_path[path].suffix.lower() == ending)
        start = head(first) if len(candidates) > 1 else ""
        fitting = [reader for reader in candidates if reader.looks_like(start) and reader.fits(start, source)]
        plain = [reader for reader in candidates if (ending,) == reader.endings[:1]]
        if candidates:
            return [*fitting, *plain[-1:], *candidates][0]
    seen = ", ".join(sorted(ending or "no ending" for ending in endings)) or "no files"
    raise TaskError(
        f"No file that can be scored (found: {seen}); known endings: {', '.join(sorted(ENDINGS))}. "
        "For any other, say which file is the gold, or put references into a folder named references"
    )


def _strange_ending(paths: Paths) -> set[str]:
    """The ending of no known format that most files in the folder of the systems have."""
    inside = (p for p in paths.values() if any(folder.name.lower() in SYSTEMS_FOLDERS for folder in p.parents))
    endings = Counter(ending for p in inside if (ending := p.suffix.lower()) not in ENDINGS)
    return {ending for ending, _ in endings.most_common(1)}


def _arrange(layout: Layout, by_path: Paths) -> None:
    """Fill in the test sets and systems, from the places of gold and outputs."""
    of_role = {role: {p: by_path[p] for p in by_path if layout.roles[p] == role} for role in ROLES}
    gold = of_role["gold"]
    parts, shortened = below_systems(of_role["output"], gold)
    flat = any(len(p) == 1 for p in shortened.values())
    sets = sets_of_gold(gold, parts, flat, layout.reader.several_gold)
    found = places(parts, shortened, sets)
    if not found:
        others = [path for path in by_path if layout.roles[path] in ("output", "not used")]
        raise TaskError(
            f"Found the gold ({_some(gold)}) but no system output beside it"
            + (f" (not taken for one: {_some(others)})" if others else "")
            + "; put one file a system into a folder named systems, or call the outputs of several test sets like "
            f"their gold: systems/SYSTEM/{next(iter(gold.values())).name}"
        )
    for files in sets.values():
        if len(files) > 1 and not layout.reader.several_gold:
            raise TaskError(
                f"Several files are the gold of one test set ({_some(files)}), where {layout.reader.name} can have "
                "one only; say what the others are, or name the outputs of each test set like its gold"
            )
    for path, system in own_names(found).items():
        layout.outputs.setdefault(system, {})[found[path].test_set] = path
        layout.groups[system] = found[path].group
    for name, files in sets.items():
        layout.gold[name] = files + _read_with_gold(layout.reader, files[0], name, sets, of_role)


def some(texts: Iterable[str]) -> list[str]:
    """The first few of some texts, and how many more there are."""
    first, more = list(texts)[:NAMED], list(texts)[NAMED:]
    return first + ([f"and {len(more):,} more"] if more else [])


def _some(paths: Iterable[str]) -> str:
    return ", ".join(some(paths)).replace(", and ", " and ")


def _read_with_gold(
    reader: Reader, gold: str, name: str, names: Iterable[str], of_role: Mapping[str, Paths]
) -> tuple[str, ...]:
    """What the format reads together with the gold: the input, or the parameters that fit best by their name."""
    read: list[str] = []
    for companion in reader.companions:
        files = of_role[companion.role]
        if companion.with_gold and companion.only_one:
            read += _like_gold(files, gold, companion.standard)
        elif companion.with_gold:
            read += _for_test_set(files, name, set(names))
    return tuple(read)


def _like_gold(files: Paths, gold: str, standard: str) -> list[str]:
    """The file named like the gold, else the standard one, else the only one."""
    stems = {p.stem.lower(): path for path, p in files.items()}
    only = next(iter(stems.values())) if len(stems) == 1 else None
    best = stems.get(PurePosixPath(gold).stem.lower(), stems.get(standard, only))
    return [best] if best else []


def _for_test_set(files: Paths, name: str, test_sets: set[str]) -> list[str]:
    """The files named like the test set, else those that are named like none."""
    named = {path: _test_sets_named(p) & test_sets for path, p in files.items()}
    own = [path for path, of in named.items() if name in of]
    return own or [path for path, of in named.items() if not of]


def _test_sets_named(path: PurePosixPath) -> set[str]:
    """What may be the test set of an input: its folders, and what stands behind the first dot of its name."""
    return {*path.parts[:-1], path.stem.partition(".")[2]} - {""}


def _ignore(layout: Layout, by_path: Paths, endings: set[str]) -> None:
    """Say of all that has no use why that is."""
    used = {path for of_system in layout.outputs.values() for path in of_system.values()}
    used |= set(layout.tables.values())
    for path, p in by_path.items():
        strange = any(map(is_systems_folder, p.parents)) and p.suffix.lower() not in endings
        if layout.roles[path] == "table" and path not in used:
            layout.ignored[path] = "there is another table of its kind"
        elif layout.roles[path] in ("output", "not used") and path not in used:
            layout.roles[path] = "not used"
            named = f"outputs are named {' or '.join('*' + ending for ending in sorted(endings))}"
            layout.ignored[path] = named if strange else "it is neither gold nor a system's output"
