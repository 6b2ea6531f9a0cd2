"""NamedRoles -> Layout: the format of a task, its test sets with their gold, and its systems with their outputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from nlpsig_core.base.errors import ChoiceError, TaskError
from nlpsig_core.data.readers import COMPANIONS, ENDINGS, READERS, Reader
from nlpsig_core.data.task.assignment import assign, components_below_systems, gold_by_test_set, system_names
from nlpsig_core.data.task.naming import ROLES, SYSTEMS_FOLDERS, NamedRoles, Paths, is_gold, is_systems_folder

Head = Callable[[str], str]
# How many files an error lists.
LISTED = 5


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Paths by function: gold by test set, outputs by system and test set; and the group of each system.

    ``ignored`` gives a reason for each path that is not used, ``left_out`` for those that turned out unusable when they
    were read, of which a message tells. If files hold units and outputs together (tables), or each a system's output
    with its units (logs), ``bundles`` are their paths, and gold and outputs are empty until the files are split or
    joined; ``runs`` then gives the system and run of each output, if the files number runs.
    """

    reader: Reader
    roles: dict[str, str]
    gold: dict[str, tuple[str, ...]] = field(default_factory=dict)
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    groups: dict[str, str] = field(default_factory=dict)
    ignored: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    bundles: tuple[str, ...] = ()
    runs: dict[str, tuple[str, str]] = field(default_factory=dict)


def recognise(named: NamedRoles, head: Head, format: str | None = None) -> Layout:
    """The layout of a task folder, a published package, or loose files.

    ``head(path)`` returns the beginning of a file, which distinguishes formats that share an ending; ``format``
    overrides what is recognised. Tables of scores are used if nothing else can be scored. Raises TaskError, naming
    what is there and what is needed, if no gold or no system is recognised.
    """
    if format is not None and format not in READERS:
        raise ChoiceError.unknown("format", format, READERS)
    if format is not None and READERS[format].bundle is not None:
        return _bundled(named, READERS[format])
    for reader in READERS.values():
        if reader.logs and format in (None, reader.name):
            logged = _logged(named, head, reader)
            if logged.bundles or format is not None:
                return logged
    try:
        return _of_separate_files(named, head, format)
    except TaskError:
        bundled = None if format is not None else _only_bundles(named)
        if bundled is None:
            raise
        return bundled


def _only_bundles(named: NamedRoles) -> Layout | None:
    """The layout of files that hold units and outputs together; None if there are none, or other files to score."""
    if any(p.suffix.lower() in ENDINGS or is_gold(path) for path, p in named.scorable.items()):
        return None
    layouts = (_bundled(named, reader) for reader in READERS.values() if reader.bundle is not None)
    return next((layout for layout in layouts if layout.bundles), None)


def _bundled(named: NamedRoles, reader: Reader) -> Layout:
    assert reader.bundle is not None
    bundles = tuple(path for path, p in named.scorable.items() if p.suffix.lower() in reader.bundle.endings)
    others = (path for path in named.paths if path not in bundles and named.roles.get(path) != "table")
    reason = f"it is not a {reader.name.lower()}"
    return Layout(reader=reader, roles=dict(named.given), bundles=bundles, ignored=dict.fromkeys(others, reason))


def _logged(named: NamedRoles, head: Head, reader: Reader) -> Layout:
    """The layout of the logs among the files, each recognised by its own name or beginning."""
    logs = {
        path: format
        for path, p in named.paths.items()
        for format in reader.logs.values()
        if named.given.get(path, "output") == "output"
        and p.suffix.lower() in format.endings
        and format.recognises(path, head)
    }
    beside = {format.beside(path) for path, format in logs.items()}
    used = {*logs, *beside, *named.given}
    others = [path for path in named.paths if path not in used and named.roles.get(path) != "table"]
    ignored = dict.fromkeys(others, "it is not a log of an evaluation")
    return Layout(reader=reader, roles=dict(named.given), bundles=tuple(logs), ignored=ignored)


def _of_separate_files(named: NamedRoles, head: Head, format: str | None) -> Layout:
    reader = READERS[format] if format is not None else _format_of(named, head)
    if not named.gold:
        raise TaskError(
            f"Cannot identify the gold: {named.fault}. Name one file gold{reader.endings[0]}, or put the gold of each "
            "test set into a folder named gold, references into one named references"
        )
    endings = _output_endings(named, reader)
    roles = dict(named.roles) | {
        path: "output" if p.suffix.lower() in endings else "not used" for path, p in named.undecided.items()
    }
    of_role = {role: {path: p for path, p in named.paths.items() if roles[path] == role} for role in ROLES}
    components, shortened = components_below_systems(of_role["output"], of_role["gold"])
    flat = any(len(c) == 1 for c in shortened.values())
    gold = gold_by_test_set(of_role["gold"], components, flat=flat, several_gold=reader.several_gold)
    assignments = assign(components, shortened, gold)
    _check(reader, of_role, gold, bool(assignments))
    outputs: dict[str, dict[str, str]] = {}
    groups: dict[str, str] = {}
    for path, system in system_names(assignments).items():
        outputs.setdefault(system, {})[assignments[path].test_set] = path
        groups[system] = assignments[path].group
    unused = {path: _why_unused(p, endings, reader) for path, p in named.paths.items()
              if roles[path] in ("output", "not used") and path not in assignments}  # fmt: skip
    gold = {name: files + _companions(reader, files[0], name, set(gold), of_role) for name, files in gold.items()}
    return Layout(
        reader=reader,
        roles=roles | dict.fromkeys(unused, "not used"),
        gold=gold,
        outputs=outputs,
        groups=groups,
        ignored=unused | _unused_companions(reader, of_role, {path for files in gold.values() for path in files}),
    )


def _format_of(named: NamedRoles, head: Head) -> Reader:
    """The format of most gold files, by their ending and beginning."""
    candidates_of = named.gold or tuple(named.undecided)
    endings = Counter(named.paths[path].suffix.lower() for path in candidates_of)
    source = next((head(path) for path in _files_named_source(named)), "")
    for ending, _ in endings.most_common():
        # Gold may have any ending, other files only a known one.
        candidates = ENDINGS.get(ending, tuple(READERS.values()) if named.gold else ())
        first = next(path for path in candidates_of if named.paths[path].suffix.lower() == ending)
        start = head(first) if len(candidates) > 1 else ""
        fitting = [reader for reader in candidates if reader.looks_like(start) and reader.fits(start, source)]
        plain = [reader for reader in candidates if (ending,) == reader.endings[:1]]
        if candidates:
            return [*fitting, *plain[-1:], *candidates][0]
    if not named.paths:
        raise TaskError("There is no file that can be scored")
    seen = ", ".join(sorted({p.suffix.lower() or "no ending" for p in named.paths.values()}))
    raise TaskError(
        f"No file that can be scored (found: {seen}); known endings: {', '.join(sorted(ENDINGS))}. "
        "For any other ending, choose which file is the gold, or put references into a folder named references"
    )


def _files_named_source(named: NamedRoles) -> Iterator[str]:
    for path, role in named.roles.items():
        if role == "input" and named.paths[path].name.lower().partition(".")[0] == "source":
            yield path


def _output_endings(named: NamedRoles, reader: Reader) -> set[str]:
    """The endings of outputs: the format's and the gold's; if no file has one, the most frequent among the systems."""
    endings = {*reader.endings, *(named.paths[path].suffix.lower() for path in named.gold)}
    undecided = named.undecided.values()
    if "output" in named.roles.values() or any(p.suffix.lower() in endings for p in undecided):
        return endings
    inside = (p for p in undecided if any(folder.name.lower() in SYSTEMS_FOLDERS for folder in p.parents))
    unknown = Counter(ending for p in inside if (ending := p.suffix.lower()) not in ENDINGS)
    return endings | {ending for ending, _ in unknown.most_common(1)}


def _check(reader: Reader, of_role: Mapping[str, Paths], gold: Mapping[str, tuple[str, ...]], outputs: bool) -> None:
    """Raise TaskError if there are no outputs, or several gold files for a test set that can have only one."""
    if not outputs:
        others = sorted([*of_role["output"], *of_role["not used"]])
        raise TaskError(
            f"Found the gold ({_listed(of_role['gold'])}) but no system output"
            + (f" (not recognised as outputs: {_listed(others)})" if others else "")
            + "; put one file per system into a folder named systems, or name the outputs of several test sets like "
            f"their gold: systems/SYSTEM/{next(iter(of_role['gold'].values())).name}"
        )
    for files in gold.values():
        if len(files) > 1 and not reader.several_gold:
            raise TaskError(
                f"Several files are the gold of one test set ({_listed(files)}), but {reader.name} allows only one; "
                "choose the roles of the others, or name the outputs of each test set like its gold"
            )


def shortened_list(texts: Iterable[str]) -> list[str]:
    """The first few texts, followed by the number of further ones."""
    first, more = list(texts)[:LISTED], list(texts)[LISTED:]
    return first + ([f"and {len(more):,} more"] if more else [])


def _listed(paths: Iterable[str]) -> str:
    return ", ".join(shortened_list(paths)).replace(", and ", " and ")


def _companions(
    reader: Reader, gold: str, test_set: str, test_sets: set[str], of_role: Mapping[str, Paths]
) -> tuple[str, ...]:
    """The files that the format reads together with the gold of a test set."""
    chosen: list[str] = []
    for companion in reader.companions:
        files = of_role[companion.role]
        if companion.with_gold and companion.only_one:
            chosen += _named_like_gold(files, gold, companion.standard)
        elif companion.with_gold:
            chosen += _of_test_set(files, test_set, test_sets)
    return tuple(chosen)


def _named_like_gold(files: Paths, gold: str, standard: str) -> list[str]:
    """The file named like the gold, else the standard one, else the only one."""
    stems = {p.stem.lower(): path for path, p in files.items()}
    only = next(iter(stems.values())) if len(stems) == 1 else None
    best = stems.get(PurePosixPath(gold).stem.lower(), stems.get(standard, only))
    return [best] if best else []


def _of_test_set(files: Paths, test_set: str, test_sets: set[str]) -> list[str]:
    """The files named after the test set, else those named after none."""
    named = {path: {*p.parts[:-1], p.stem.partition(".")[2]} & test_sets - {""} for path, p in files.items()}
    own = [path for path, names in named.items() if test_set in names]
    return own or [path for path, names in named.items() if not names]


def _unused_companions(reader: Reader, of_role: Mapping[str, Paths], used: set[str]) -> dict[str, str]:
    """Why files that could accompany a gold do not; what only tells formats apart was used for it."""
    unused: dict[str, str] = {}
    for role in {companion.role for companion in COMPANIONS}:
        own = [companion for companion in reader.companions if companion.role == role]
        if all(companion.with_gold for companion in own):
            with_it = "no gold is named like it" if own else f"with {reader.name} no such file is read"
            unused |= {path: with_it for path in of_role[role] if path not in used}
    return unused


def _why_unused(path: PurePosixPath, endings: set[str], reader: Reader) -> str:
    ending = path.suffix.lower()
    if ending not in endings and (ending in ENDINGS or any(map(is_systems_folder, path.parents))):
        named = " or ".join(f"*{ending}" for ending in sorted(endings))
        return f"the files are read as {reader.name}, whose outputs are named {named}"
    return "it is neither gold nor a system's output"
