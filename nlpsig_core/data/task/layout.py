"""NamedRoles -> Layout: the format of a task, its test sets with their gold, and its systems with their outputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import NamedTuple

from nlpsig_core.base.errors import NoGoldError, TaskError
from nlpsig_core.base.words import first_few
from nlpsig_core.data.readers import COMPANIONS, ENDINGS, READERS, SHARED_ENDINGS, Reader
from nlpsig_core.data.readers.lines import SOURCE
from nlpsig_core.data.readers.logs.evaluations import LogFormat
from nlpsig_core.data.task.called import (
    ENDING_OF_REFERENCES,
    ENDINGS_OF_HYPOTHESES,
    GENERIC,
    SYSTEMS_FOLDERS,
    Paths,
    in_systems,
    is_gold,
    is_inside,
)
from nlpsig_core.data.task.files import Head
from nlpsig_core.data.task.naming import (
    ROLES,
    Components,
    NamedRoles,
    components_below_systems,
    gold_by_test_set,
    group_of,
)

TRN = READERS["Transcripts"].endings[0]


class Assignment(NamedTuple):
    """The group and test set of an output, and possible names of its system: each is longer, the last is unique."""

    names: tuple[str, ...]
    group: str
    test_set: str


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Paths by function: gold by test set, outputs by system and test set; and the group of each system.

    ``ignored`` gives a reason for each path that is not used, ``left_out`` for those that could not be used once read.
    ``bundles`` are the files from which gold and outputs have yet to be made, ``log_formats`` are the formats of those
    that are logs, and ``systems`` the systems of those that are submissions; ``runs`` gives the system
    and run of each output, if files number runs.
    """

    reader: Reader
    roles: dict[str, str]
    gold: dict[str, tuple[str, ...]] = field(default_factory=dict)
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    groups: dict[str, str] = field(default_factory=dict)
    ignored: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    bundles: tuple[str, ...] = ()
    log_formats: Mapping[str, LogFormat] = field(default_factory=dict)
    systems: Mapping[str, str] = field(default_factory=dict)
    runs: dict[str, tuple[str, str]] = field(default_factory=dict)


def layout_of_files(named: NamedRoles, head: Head, format: str | None = None) -> Layout | None:
    """Return the layout of files that hold the gold or one output each; None if the ``format`` has no such files.

    ``head(path)`` returns the beginning of a file, which distinguishes formats that share an ending. TaskError, naming
    what is there and what is needed, if no gold or no system is recognised.
    """
    reader = READERS[format] if format is not None else _format(named, head)
    if reader.bundle is not None or reader.logs:
        return None
    if not named.gold:
        raise _no_gold(named, reader.endings[0])
    endings = _output_endings(named, reader)
    roles = dict(named.roles) | {
        path: "output" if p.suffix.lower() in endings or _begins_like_output(path, p, reader, head) else "not used"
        for path, p in named.undecided.items()
    }
    by_role = {role: {path: p for path, p in named.paths.items() if roles[path] == role} for role in ROLES}
    components, shortened = components_below_systems(by_role["output"], by_role["gold"])
    flat = any(len(parts) == 1 for parts in shortened.values())
    gold = gold_by_test_set(by_role["gold"], components, flat=flat, several_gold=reader.several_gold)
    assignments = _assign(components, shortened, gold)
    _check(reader, by_role, gold, bool(assignments))
    outputs: dict[str, dict[str, str]] = {}
    groups: dict[str, str] = {}
    for path, system in _system_names(assignments).items():
        outputs.setdefault(system, {})[assignments[path].test_set] = path
        groups[system] = assignments[path].group
    unused = {
        path: _why_unused(p, endings, reader)
        for path, p in named.paths.items()
        if roles[path] in ("output", "not used") and path not in assignments
    }
    gold = {name: files + _companions(reader, files[0], name, set(gold), by_role) for name, files in gold.items()}
    return Layout(
        reader=reader,
        roles=roles | dict.fromkeys(unused, "not used"),
        gold=gold,
        outputs=outputs,
        groups=groups,
        ignored=unused | _unused_companions(reader, by_role, {path for files in gold.values() for path in files}),
    )


def _assign(components: Components, shortened: Components, test_sets: Collection[str]) -> dict[str, Assignment]:
    """Return the assignment of each output, to the only test set ("") or the one of its name; others are left out."""
    if "" in test_sets:
        shared = set.intersection(*(set(parts[1:-1]) for parts in shortened.values())) if shortened else set()
        return {path: _to_only_test_set(parts, shared) for path, parts in shortened.items()}
    return {path: to for path, parts in components.items() if (to := _to_named_test_set(parts, test_sets))}


def _to_only_test_set(components: tuple[str, ...], shared: Collection[str]) -> Assignment:
    """Assign NAME, GROUP/NAME or GROUP__RUN, without folders inside the group's that are ``shared`` by all outputs."""
    file = PurePosixPath(components[-1])
    folders = [folder for place, folder in enumerate(components[:-1]) if place == 0 or folder not in shared]
    long, longer = ("__".join((*of, file.stem)) for of in (folders, components[:-1]))
    group = components[0] if len(components) > 1 else group_of(file.stem)
    short = () if GENERIC.fullmatch(file.stem.lower()) else (file.stem,)
    return Assignment((*short, long, longer, longer + file.suffix, "/".join(components)), group, "")


def _to_named_test_set(components: tuple[str, ...], test_sets: Collection[str]) -> Assignment | None:
    """Assign SYSTEM/TESTSET, TEAM/RUN/output/TESTSET or TESTSET.SYSTEM."""
    file = PurePosixPath(components[-1])
    folders = [folder for folder in components[:-1] if folder.lower() != "output"]
    test_set = next((name for name in (file.name, file.stem) if name in test_sets), "")
    if not test_set or not (folders or file.suffix):
        return None
    system = "__".join(folders) or file.suffix[1:]
    return Assignment((system, system + file.suffix, "/".join(components)), group_of(system), test_set)


def _system_names(assignments: Mapping[str, Assignment]) -> dict[str, str]:
    """Return the system of each output: the shortest of its names that is unique in its test set, its path at last."""
    length, possible = dict.fromkeys(assignments, 0), {path: (*each.names, path) for path, each in assignments.items()}
    while True:
        names = {path: own[length[path]] for path, own in possible.items()}
        taken = Counter((name, assignments[path].test_set) for path, name in names.items())
        doubled = [path for path, name in names.items() if taken[name, assignments[path].test_set] > 1]
        longer = [path for path in doubled if length[path] + 1 < len(possible[path])]
        if not longer:
            return names
        for path in longer:
            length[path] += 1


def _format(named: NamedRoles, head: Head) -> Reader:
    """Return the format of most gold files, by their ending and beginning."""
    paths = named.gold or tuple(named.undecided)
    endings = Counter(named.paths[path].suffix.lower() for path in paths)
    inputs = (path for path, role in named.roles.items() if role == "input")
    source = next((head(path) for path in inputs if SOURCE.includes(named.paths[path])), "")
    for ending, _ in endings.most_common():
        # Gold may have any ending, other files only a known one.
        candidates = tuple(READERS.values()) if named.gold else ()
        if ending in ENDINGS:
            candidates = tuple(r for r in READERS.values() if ending in (*r.endings, *r.endings_in_systems))
        first = next(path for path in paths if named.paths[path].suffix.lower() == ending)
        start = head(first) if len(candidates) > 1 else ""
        fitting = [reader for reader in candidates if reader.looks_like(start) and reader.fits(start, source)]
        # What looks like nothing else is text, or the answers that text can turn out to be.
        plain = [reader for reader in candidates if reader.endings[:1] == (ending if ending in ENDINGS else ".txt",)]
        if candidates:
            return [*fitting, *plain[-1:], *candidates][0]
    if not named.paths:
        raise TaskError("There is no file that can be scored; it needs the gold and a file of each system")
    for path in paths:
        if (ending := named.paths[path].suffix.lower()) in SHARED_ENDINGS or is_gold(path):
            raise _no_gold(named, ending)
    seen = ", ".join(sorted({p.suffix.lower() or "no ending" for p in named.paths.values()}))
    raise TaskError(
        f"No file that can be scored (found: {seen}); known endings: {', '.join(sorted({*ENDINGS, *SHARED_ENDINGS}))}. "
        "For any other ending, choose which file is the gold, or put references into a folder named references"
    )


def _no_gold(named: NamedRoles, ending: str) -> NoGoldError:
    return NoGoldError(
        f"Cannot identify the gold: {named.fault}. Name one file gold{ending}, or put the gold of each test set into a "
        "folder named gold, references into one named references"
    )


def _output_endings(named: NamedRoles, reader: Reader) -> set[str]:
    """Return the format's and the gold's endings; if no file has one, also the most frequent among the systems.

    Files that look like texts can turn out to be transcripts, so theirs may be that one. Without a folder of systems,
    those of answers are outputs if the gold's is one.
    """
    endings = {*reader.endings, *reader.shared_endings, *(named.paths[path].suffix.lower() for path in named.gold)}
    if any(ENDING_OF_REFERENCES.fullmatch(named.paths[path].suffix) for path in named.gold):
        endings |= {*ENDINGS_OF_HYPOTHESES}
    undecided = named.undecided.values()
    if "output" in named.roles.values() or any(p.suffix.lower() in endings for p in undecided):
        return endings
    inside = [p.suffix.lower() for p in undecided if is_inside(p, SYSTEMS_FOLDERS)]
    unknown = Counter(ending for ending in inside if ending not in ENDINGS or (reader.unlike and ending == TRN))
    if not inside and SHARED_ENDINGS & endings:
        return endings | SHARED_ENDINGS
    return endings | {ending for ending, _ in unknown.most_common(1)}


def _begins_like_output(path: str, named: PurePosixPath, reader: Reader, head: Head) -> bool:
    looks_like = reader.endings_in_systems.get(named.suffix.lower())
    return looks_like is not None and is_inside(named, SYSTEMS_FOLDERS) and looks_like(head(path))


def _check(reader: Reader, by_role: Mapping[str, Paths], gold: Mapping[str, tuple[str, ...]], outputs: bool) -> None:
    """Raise TaskError if there are no outputs, or several gold files for a test set that can have only one."""
    if not outputs:
        others = sorted([*by_role["output"], *by_role["not used"]])
        raise TaskError(
            f"Found the gold ({first_few(by_role['gold'])}) but no system output"
            + (f" (not recognised as outputs: {first_few(others)})" if others else "")
            + "; put one file per system into a folder named systems, or name the outputs of several test sets like "
            f"their gold: systems/SYSTEM/{next(iter(by_role['gold'].values())).name}"
        )
    for files in gold.values():
        if len(files) > 1 and not reader.several_gold:
            raise TaskError(
                f"Several files are the gold of one test set ({first_few(files)}), but {reader.name} allows only one; "
                "choose the roles of the others, or name the outputs of each test set like its gold"
            )


def _companions(
    reader: Reader, gold: str, test_set: str, test_sets: set[str], by_role: Mapping[str, Paths]
) -> tuple[str, ...]:
    """Return the files that the format reads together with the gold of a test set."""
    chosen: list[str] = []
    for companion in reader.companions:
        files = by_role[companion.role]
        if companion.with_gold and companion.only_one:
            chosen += _named_like_gold(files, gold, companion.standard)
        elif companion.with_gold:
            chosen += of_test_set(files, test_set, test_sets)
    return tuple(chosen)


def _named_like_gold(files: Paths, gold: str, standard: str) -> list[str]:
    """Return the file named like the gold, else the standard one, else the only one."""
    stems = {p.stem.lower(): path for path, p in files.items()}
    only = next(iter(stems.values())) if len(stems) == 1 else None
    best = stems.get(PurePosixPath(gold).stem.lower(), stems.get(standard, only))
    return [best] if best else []


def of_test_set(files: Paths, test_set: str, test_sets: set[str]) -> list[str]:
    """Return the files named after the test set, else those named after none."""
    named = {
        path: {*p.parts[:-1], p.stem, p.stem.partition(".")[0], p.stem.partition(".")[2]} & test_sets - {""}
        for path, p in files.items()
    }
    own = [path for path, names in named.items() if test_set in names]
    return own or [path for path, names in named.items() if not names]


def _unused_companions(reader: Reader, by_role: Mapping[str, Paths], used: set[str]) -> dict[str, str]:
    """Return why files that could accompany a gold do not; what only tells formats apart was used for it."""
    unused: dict[str, str] = {}
    for role in {companion.role for companion in COMPANIONS}:
        own = [companion for companion in reader.companions if companion.role == role]
        if all(companion.with_gold for companion in own):
            with_it = "no gold is named like it" if own else f"with {reader.name} no such file is read"
            unused |= {path: with_it for path in by_role[role] if path not in used}
    return unused


def _why_unused(path: PurePosixPath, endings: set[str], reader: Reader) -> str:
    ending = path.suffix.lower()
    if ending not in endings and (ending in ENDINGS or in_systems(path)):
        named = " or ".join(f"*{ending}" for ending in sorted(endings))
        return f"the files are read as {reader.name}, whose outputs are named {named}"
    return "it is neither gold nor a system's output"
