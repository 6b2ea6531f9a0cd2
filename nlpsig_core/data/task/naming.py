"""Paths -> NamedRoles: the roles of files as far as their names, or the user, determine them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.readers import COMPANIONS, ENDINGS, GOLD_ENDINGS, Reader

# The folder into which gold is put that was supplied separately; it replaces any other gold.
GOLD_SUPPLIED = "gold supplied separately"
GOLD_FOLDERS = ("gold", "00-gold-standard")
REFERENCE_FOLDERS = ("references", "reference", "refs", "ref")
SYSTEMS_FOLDERS = ("systems", "submissions", "outputs")
SIDE_TABLES = ("groups.tsv", "domains.tsv", "truth.tsv", "description.txt")
ABOUT = ("readme", "license", "licence")
# The roles that a file can have; the user may override what the names suggest.
ROLES = ("gold", "output", *sorted({companion.role for companion in COMPANIONS}), "table", "not used")

# The roles of logs of evaluations, and of the fields of their questions.
LOG_ROLES = ("output", "document", "domain", "not used")

REFERENCE = re.compile(r"(ref|refs|reference|references)\d*")
# A stem that no system has: gold, test.gold, en-gold, ref, test.ref.
CALLED_GOLD = re.compile(r"(^|[-_.])gold$|(^|\.)(ref|reference)s?$")
# What distinguishes the gold from the outputs for the same test set.
GOLD_MARK = re.compile(r"[-_.](gold|ref|reference)$", re.IGNORECASE)

Paths = Mapping[str, PurePosixPath]


@dataclass(frozen=True, kw_only=True)
class NamedRoles:
    """The roles that names determine, by path; ``gold`` lists the gold files, and ``fault`` says why it is empty.

    ``paths`` are all paths in order; those without a role are outputs or not used, depending on the format.
    ``given`` are the roles chosen by the user.
    """

    paths: Paths
    roles: Mapping[str, str]
    given: Mapping[str, str]
    gold: tuple[str, ...]
    fault: str

    @property
    def undecided(self) -> Paths:
        """The paths without a role."""
        return {path: p for path, p in self.paths.items() if path not in self.roles}

    @property
    def scorable(self) -> Paths:
        """The paths that are gold, outputs or undecided."""
        return {path: p for path, p in self.paths.items() if self.roles.get(path, "output") in ("gold", "output")}


def roles_by_name(paths: Iterable[str], given: Mapping[str, str]) -> NamedRoles:
    """The roles of files by their names, where ``given`` roles take precedence; ChoiceError for an unknown role."""
    parsed = _parsed(paths)
    given = {path: role for path, role in given.items() if path in parsed}
    for role in set(given.values()) - set(ROLES):
        raise ChoiceError.unknown("role", role, ROLES)
    aside = roles_aside(parsed)
    gold, fault = _gold_among({path: p for path, p in parsed.items() if path not in aside}, given)
    roles = aside | given | dict.fromkeys(gold, "gold")
    return NamedRoles(paths=parsed, roles=roles, given=given, gold=tuple(gold), fault=fault)


def _parsed(paths: Iterable[str]) -> dict[str, PurePosixPath]:
    return {path: PurePosixPath(path) for path in sorted(paths)}


def roles_of_format(reader: Reader | None) -> tuple[str, ...]:
    """The roles that files of a format can have, or columns if one file holds everything; None for any format."""
    if reader is not None and reader.logs:
        return LOG_ROLES
    return reader.bundle.roles if reader is not None and reader.bundle is not None else ROLES


def is_systems_folder(folder: PurePosixPath) -> bool:
    """Whether a folder is reserved for outputs, so that nothing in it is gold."""
    return folder.name.lower() == SYSTEMS_FOLDERS[0]


def gold_folders(path: PurePosixPath) -> list[PurePosixPath]:
    """The folders for gold or references that contain a file, the nearest first."""
    names = (GOLD_SUPPLIED, *GOLD_FOLDERS, *REFERENCE_FOLDERS)
    return [folder for folder in path.parents if folder.name.lower() in names]


def roles_aside(paths: Iterable[str]) -> dict[str, str]:
    """The roles of the files that are neither gold nor output, by their names."""
    roles = {}
    for path, p in _parsed(paths).items():
        if p.name.lower() in SIDE_TABLES:
            roles[path] = "table"
        elif p.stem.lower() in ABOUT:
            roles[path] = "not used"
        elif role := _companion_role(p):
            roles[path] = role
    return roles


def _companion_role(path: PurePosixPath) -> str:
    """The role of a file that accompanies the gold, by its ending or name; "" for any other file."""
    ending, name = path.suffix.lower(), path.name.lower().partition(".")[0]
    in_systems = any(map(is_systems_folder, path.parents))
    roles = (c.role for c in COMPANIONS if ending in c.endings or (name in c.names and not in_systems))
    return next(roles, "")


def is_gold(path: str) -> bool:
    """Whether a path is unmistakably gold: called gold, or in a folder for gold or references."""
    p = PurePosixPath(path)
    if any(map(is_systems_folder, p.parents)):
        return False
    named = p.suffix.lower() in GOLD_ENDINGS or CALLED_GOLD.search(p.stem.lower())
    return bool(gold_folders(p) or named)


def _gold_among(paths: Paths, given: Mapping[str, str]) -> tuple[list[str], str]:
    """The gold files, including those chosen by the user; or none, and the reason.

    A recognised gold file to which the user gives another role is not replaced by a less likely one.
    """
    outside = {path: p for path, p in paths.items() if not any(map(is_systems_folder, p.parents))}
    gold, only_one = _in_folders(outside), False
    if not gold:
        gold, only_one = _by_name(_of_known_formats(outside))
    if not gold:
        gold, only_one = _by_name(outside)
    gold = [path for path in gold if given.get(path, "gold") == "gold"]
    fault = "" if gold else "no file is named as gold"
    if only_one and len(gold) > 1:
        gold, fault = [], f"several files are named as gold ({', '.join(gold)})"
    chosen = [path for path, role in given.items() if role == "gold"]
    return list(dict.fromkeys([*gold, *chosen])), fault


def _of_known_formats(paths: Paths) -> Paths:
    return {path: p for path, p in paths.items() if p.suffix.lower() in ENDINGS}


def _in_folders(paths: Paths) -> list[str]:
    """The files in the outermost gold folder, else references folder; only those of known formats, if any."""
    for names in ((GOLD_SUPPLIED,), GOLD_FOLDERS, REFERENCE_FOLDERS):
        folders = [folder for p in paths.values() for folder in p.parents if folder.name.lower() in names]
        if folders:
            top = min(folders, key=lambda folder: len(folder.parts))
            inside = {path: p for path, p in paths.items() if p.is_relative_to(top)}
            return list(_of_known_formats(inside) or inside)
    return []


def _by_name(paths: Paths) -> tuple[list[str], bool]:
    """The files that are named most clearly as gold or references, and whether there may be only one."""
    if by_ending := [path for path, p in paths.items() if p.suffix.lower() in GOLD_ENDINGS]:
        return by_ending, False
    words = {path: re.split("[-_.]", p.stem.lower()) for path, p in paths.items()}
    criteria: tuple[tuple[Callable[[str], object], bool], ...] = (
        (lambda path: "gold" in words[path], True),
        (lambda path: REFERENCE.fullmatch(words[path][0]), False),
        (lambda path: any(map(REFERENCE.fullmatch, words[path])), False),
        (lambda path: "gold" in paths[path].stem.lower(), True),
    )
    for criterion, only_one in criteria:
        if matching := list(filter(criterion, words)):
            least = min(len(paths[path].parts) for path in matching)
            return [path for path in matching if len(paths[path].parts) == least], only_one
    return [], False
