"""What paths say: the roles of files, and the test set, the system and the group of each gold file and output."""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from nlpsig_core.base.errors import check_named
from nlpsig_core.data.readers import COMPANIONS, ENDINGS, GOLD_ENDINGS, SHARED_ENDINGS, Reader
from nlpsig_core.data.readers.people.names import with_metrics
from nlpsig_core.data.readers.rankings.names import RUN_ENDING, called_judgements, with_runs
from nlpsig_core.data.task.bundles import Chosen
from nlpsig_core.data.task.bundles.scores import RESULTS
from nlpsig_core.data.task.called import (
    ABOUT,
    ENDING_OF_REFERENCES,
    GENERIC,
    GOLD_FOLDERS,
    GOLD_SUPPLIED,
    KEYS,
    REFERENCE,
    REFERENCE_FOLDERS,
    SYSTEMS_FOLDERS,
    Paths,
    called_key,
    called_reference,
    gold_folders,
    in_systems,
    is_inside,
    possible_names,
)
from nlpsig_core.data.task.campaigns import as_one_campaign, systems_first

SIDE_TABLES = ("groups.tsv", "domains.tsv", "description.txt")
SOURCE_FOLDERS = ("sources", "source", "src")
# The role of people's scores of the outputs.
JUDGED = "people"
# The roles that a file can have; the user may override what the names suggest.
ROLES = ("gold", "output", *sorted({companion.role for companion in COMPANIONS}), JUDGED, "table", "not used")

# The roles of logs of evaluations, and of the fields of their questions.
LOG_ROLES = ("output", "document", "domain", "not used")

# By path, its folders and file name below the folder of the systems.
Components = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, kw_only=True)
class NamedRoles:
    """The roles that names determine, by path; ``gold`` lists the gold files, and ``fault`` says why it is empty.
    ``alone`` is the one that only its place beside the systems' folder, or a word such as solution, makes gold.

    ``paths`` are all paths in order; those without a role are outputs or not used, depending on the format.
    ``given`` are the roles chosen by the user; ``listing`` is the table that lists submissions, if there is one, and
    ``systems`` are the systems of their files.
    """

    paths: Paths
    roles: Mapping[str, str]
    given: Mapping[str, str]
    gold: tuple[str, ...]
    fault: str
    alone: str = ""
    listing: str = ""
    systems: Mapping[str, str] = field(default_factory=dict)

    @property
    def undecided(self) -> Paths:
        """The paths without a role."""
        return {path: p for path, p in self.paths.items() if path not in self.roles}

    @property
    def scorable(self) -> Paths:
        """The paths that are gold, outputs or undecided."""
        return {path: p for path, p in self.paths.items() if self.roles.get(path, "output") in ("gold", "output")}


def roles_by_name(paths: Iterable[str], given: Mapping[str, str], chosen: Chosen = Chosen()) -> NamedRoles:
    """Return the roles of files by their names, ``given`` ones first; ChoiceError for an unknown role.

    ``chosen`` are the submissions among them.
    """
    named = {path: PurePosixPath(path) for path in sorted(paths)} | dict(chosen.paths)
    by_name = roles_aside(named)
    parsed = with_metrics(with_runs(as_one_campaign(named, by_name), ENDINGS))
    given = {path: role for path, role in given.items() if path in parsed}
    for role in given.values():
        check_named("role", role, ROLES)
    decided = {*chosen.paths, *(path for path, p in parsed.items() if p.suffix == RUN_ENDING)}
    aside = {path: role for path, role in by_name.items() if path not in decided}
    left = [path for path in parsed if path not in aside and path not in decided]
    results = [path for path in left if parsed[path].name.lower() in RESULTS]
    # Gold and outputs are others, else these are no results beside outputs.
    aside |= dict.fromkeys(results, "not used") if len(left) > len(results) + 1 else {}
    aside |= dict.fromkeys(sorted(chosen.unused), "not used") | ({chosen.listing: "table"} if chosen.listing else {})
    gold, fault, alone = _gold_among({path: p for path, p in parsed.items() if path not in aside}, given)
    roles = aside | given | dict.fromkeys(gold, "gold")
    return NamedRoles(
        paths=systems_first(parsed, gold, aside),
        roles=roles,
        given=given,
        gold=tuple(gold),
        fault=fault,
        alone=alone,
        listing=chosen.listing,
        systems=chosen.systems,
    )


def roles_of_format(reader: Reader | None) -> tuple[str, ...]:
    """Return the roles that files of a format (None: any) can have, or columns if one file holds everything."""
    if reader is not None and reader.logs:
        return LOG_ROLES
    return reader.bundle.roles if reader is not None and reader.bundle is not None else ROLES


def roles_aside(paths: Iterable[str]) -> dict[str, str]:
    """Return the roles of the files that are neither gold nor output, by their names."""
    roles, named = {}, {path: PurePosixPath(path) for path in sorted(paths)}
    for path, p in named.items():
        if p.name.lower() in SIDE_TABLES:
            roles[path] = "table"
        elif p.stem.lower() in ABOUT:
            roles[path] = "not used"
        elif role := _companion_role(p):
            roles[path] = role
    left = {path: p for path, p in named.items() if path not in roles}
    inside = {path: p for path, p in left.items() if is_inside(p, SOURCE_FOLDERS)}
    # Gold and outputs are outside, else the folder is not one of sources.
    if len(left) > len(inside) + 1:
        roles |= {path: "input" for path, p in inside.items() if not in_systems(p)}
    return roles


def _companion_role(path: PurePosixPath) -> str:
    ending, name = path.suffix.lower(), path.name.lower().partition(".")[0]
    roles = (c.role for c in COMPANIONS if ending in c.endings or (name in c.names and not in_systems(path)))
    return next(roles, "")


def _gold_among(paths: Paths, given: Mapping[str, str]) -> tuple[list[str], str, str]:
    """Return the gold files, including those chosen by the user; or none, and the reason; and the one without a name.

    A recognised gold file to which the user gives another role is not replaced by a less likely one.
    """
    outside = {path: p for path, p in paths.items() if not in_systems(p)}
    ways = ((_in_folders(outside), False), _by_name(_ending_in(ENDINGS, outside)), _by_name(outside))
    named, only_one = next((way for way in ways if way[0]), ([], False))
    alone = "" if named else _alone(paths, outside) or _only_key(paths, outside)
    gold = [path for path in named or [alone] if path and given.get(path, "gold") == "gold"]
    fault = "" if gold else "no file is named as gold"
    if only_one and len(gold) > 1:
        gold, fault = [], f"several files are named as gold ({', '.join(gold)})"
    chosen = [path for path, role in given.items() if role == "gold"]
    return list(dict.fromkeys([*gold, *chosen])), fault, alone if gold == [alone] and not chosen else ""


def guessed_gold(named: NamedRoles) -> list[tuple[str, str]]:
    """Return the remark on a gold that its place or a word in its name alone makes one."""
    beside = any(map(in_systems, named.paths.values()))
    why = "it alone is beside the systems" if beside else "its name says so"
    return [(named.alone, f"is read as the gold: {why}; if it is none, choose its role")] if named.alone else []


def _only_key(paths: Paths, outside: Paths) -> str:
    """Return the only file whose name says that it has the right answers; "" if there is none.

    Beside a folder of systems, it and these have endings of answers, else it may be a table of scores.
    """
    keys = [path for path, p in outside.items() if called_key(p)]
    ends = {p.suffix.lower() for path, p in paths.items() if path in keys or path not in outside}
    return keys[0] if len(keys) == 1 and (len(outside) == len(paths) or ends <= SHARED_ENDINGS) else ""


def _alone(paths: Paths, outside: Paths) -> str:
    """Return the only file outside a folder of several systems' outputs that ends as they do; "" if there is none.

    Files to train on are not looked at.
    """
    inside = [p.suffix.lower() for path, p in paths.items() if path not in outside]
    beside = [path for path, p in _ending_in(inside, outside).items() if "train" not in p.stem.lower()]
    return beside[0] if len(inside) > 1 and len(beside) == 1 else ""


def _ending_in(endings: Container[str], paths: Paths) -> Paths:
    return {path: p for path, p in paths.items() if p.suffix.lower() in endings}


def _in_folders(paths: Paths) -> list[str]:
    """Return the files in the outermost gold folder, else references folder; only those of known formats, if any."""
    for names in ((GOLD_SUPPLIED,), GOLD_FOLDERS, REFERENCE_FOLDERS):
        folders = [folder for p in paths.values() for folder in p.parents if folder.name.lower() in names]
        if folders:
            top = min(folders, key=lambda folder: len(folder.parts))
            inside = {path: p for path, p in paths.items() if p.is_relative_to(top)}
            known = _ending_in(ENDINGS, inside)
            plain = all(p.suffix.lower() == ".txt" for p in known.values())
            return list({**known, **_ending_in(SHARED_ENDINGS, inside)} if plain else known) or list(inside)
    return []


def _by_name(paths: Paths) -> tuple[list[str], bool]:
    """Return the files that are named most clearly as gold or references, and whether there may be only one."""
    if by_ending := [path for path, p in paths.items() if p.suffix.lower() in GOLD_ENDINGS]:
        return by_ending, False
    words = {path: re.split("[-_.]", p.stem.lower()) for path, p in paths.items()}
    criteria = (
        ([path for path in paths if "gold" in words[path]], True),
        ([path for path, p in paths.items() if called_judgements(p)], False),
        ([path for path, p in paths.items() if called_reference(p)], False),
        ([path for path in paths if any(map(REFERENCE.fullmatch, words[path]))], False),
        ([path for path, p in paths.items() if "gold" in p.stem.lower()], True),
        ([path for path, p in paths.items() if ENDING_OF_REFERENCES.fullmatch(p.suffix)], False),
    )
    for matching, only_one in criteria:
        if matching:
            least = min(len(paths[path].parts) for path in matching)
            return [path for path in matching if len(paths[path].parts) == least], only_one
    return [], False


def components_below_systems(outputs: Paths, gold: Paths) -> tuple[Components, Components]:
    """Return the components of outputs below the folder of the systems, else of the gold's folder; else all.

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


def _below(outputs: Paths, top: PurePosixPath) -> Components:
    return {path: p.relative_to(top).parts for path, p in outputs.items() if p.is_relative_to(top)}


def gold_by_test_set(
    gold: Paths, components: Components, *, flat: bool, several_gold: bool
) -> dict[str, tuple[str, ...]]:
    """Return the gold files of each test set, by the name of its outputs; "" if no gold is named like outputs.

    ``flat`` outputs cannot be named like the only file of a gold folder; for others, that is the test set's name.
    """
    in_folders = several_gold or len(gold) == 1
    output_stems = {PurePosixPath(c[-1]).stem for c in components.values() if len(c) > 1 or not in_folders}
    possible = {path: possible_names(p) for path, p in gold.items()}
    # Endings of languages, test.aym and test.quy, tell test sets apart if outputs have just these.
    endings = {p.suffix for p in gold.values()}
    if len({p.with_suffix("") for p in gold.values()}) == 1 < len(endings) and endings == {
        PurePosixPath(c[-1]).suffix for c in components.values()
    }:
        return {p.name: (path,) for path, p in gold.items()}
    named = any(output_stems.intersection(names) for names in possible.values())
    in_gold_folder = all(
        folder.name.lower() in GOLD_FOLDERS for p in gold.values() for folder in gold_folders(p)[:1] or [p]
    )
    # Where neither the only gold nor the outputs are called after one, there are no test sets to tell apart.
    nameless = len(gold) == 1 and (
        all(p.stem.lower() in ("gold", *KEYS) for p in gold.values())
        or all(GENERIC.fullmatch(stem.lower()) for stem in output_stems)
    )
    if not named and (flat or nameless or not in_gold_folder):
        return {"": tuple(gold)}
    test_sets: dict[str, tuple[str, ...]] = {}
    for path, names in possible.items():
        name = next(filter(output_stems.__contains__, names), names[0])
        test_sets[name] = (*test_sets.get(name, ()), path)
    return test_sets


def group_of(system: str) -> str:
    """Return the group in a system's name: the part before two underscores, or the whole name."""
    return system.partition("__")[0]
