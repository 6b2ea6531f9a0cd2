"""What the names of files and folders say of them: gold, or what stands beside gold and outputs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePosixPath

from nlpsig_core.errors import ChoiceError
from nlpsig_core.readers import COMPANIONS, ENDINGS, GOLD_ENDINGS

# The folder of a gold that was not among the files; it takes the place of any other.
GOLD_APART = "gold given apart"
GOLD_FOLDERS = ("gold", "00-gold-standard")
REFERENCE_FOLDERS = ("references", "reference", "refs", "ref")
SYSTEMS_FOLDERS = ("systems", "submissions", "outputs")
TABLES = ("groups.tsv", "domains.tsv", "truth.tsv", "description.txt")
ABOUT = ("readme", "license", "licence")
# What a file can be; the user may say otherwise than the names do.
ROLES = ("gold", "output", *sorted({companion.role for companion in COMPANIONS}), "table", "not used")

REFERENCE = re.compile(r"(ref|refs|reference|references)\d*")
# A stem that no system has: gold, test.gold, en-gold, ref, test.ref.
CALLED_GOLD = re.compile(r"(^|[-_.])gold$|(^|\.)(ref|reference)s?$")
# What tells the gold from the outputs for the same test set.
GOLD_MARK = re.compile(r"[-_.](gold|ref|reference)$", re.IGNORECASE)

Paths = Mapping[str, PurePosixPath]


def parsed(paths: Iterable[str]) -> dict[str, PurePosixPath]:
    """Paths in order, each with its parts."""
    return {path: PurePosixPath(path) for path in sorted(paths)}


def is_systems_folder(folder: PurePosixPath) -> bool:
    """Whether outputs lie in a folder, and nothing that may be gold."""
    return folder.name.lower() == SYSTEMS_FOLDERS[0]


def gold_folders(path: PurePosixPath) -> list[PurePosixPath]:
    """The folders for gold or references that a file lies in, the nearest first."""
    names = (GOLD_APART, *GOLD_FOLDERS, *REFERENCE_FOLDERS)
    return [folder for folder in path.parents if folder.name.lower() in names]


def roles_beside(by_path: Paths) -> dict[str, str]:
    """The roles of what is neither gold nor output, by its name."""
    roles = {}
    for path, p in by_path.items():
        if p.name.lower() in TABLES:
            roles[path] = "table"
        elif p.stem.lower() in ABOUT:
            roles[path] = "not used"
        elif role := _companion(p):
            roles[path] = role
    return roles


def _companion(path: PurePosixPath) -> str:
    """The role of a file that accompanies the gold, by its ending or name; "" for any other file."""
    ending, name = path.suffix.lower(), path.name.lower().partition(".")[0]
    in_systems = any(map(is_systems_folder, path.parents))
    roles = (c.role for c in COMPANIONS if ending in c.endings or (name in c.names and not in_systems))
    return next(roles, "")


def find_tables(
    roles: Mapping[str, str], given: Mapping[str, str], head: Callable[[str], str] = lambda path: ""
) -> dict[str, str]:
    """The path of each of TABLES: what the user says is a table goes first, then what lies least deep.

    Where its name does not tell which one it is, the columns in its ``head`` do; ChoiceError where they do not.
    """
    found: dict[str, str] = {}
    tables = [path for path, role in roles.items() if role == "table"]
    for path in sorted(tables, key=lambda path: (path not in given, path.count("/"), path)):
        name = PurePosixPath(path).name.lower()
        found.setdefault(name if name in TABLES else _by_columns(path, head(path)), path)
    return found


def _by_columns(path: str, head: str) -> str:
    columns = [column.strip().lower() for column in head.partition("\n")[0].split("\t")]
    if {"system", "group"} <= set(columns):
        return "groups.tsv"
    if {"domain", "doc", "document"} & set(columns):
        return "domains.tsv"
    raise ChoiceError(
        f"{path} is no table of groups (columns system and group) or of domains (unit, and domain or doc); "
        f"it has: {', '.join(columns)}"
    )


def is_gold(path: str) -> bool:
    """Whether a path can only be a gold file's: called gold, or in a folder for gold or references."""
    p = PurePosixPath(path)
    if any(map(is_systems_folder, p.parents)):
        return False
    named = p.suffix.lower() in GOLD_ENDINGS or CALLED_GOLD.search(p.stem.lower())
    return bool(gold_folders(p) or named)


def gold_among(by_path: Paths, given: Mapping[str, str]) -> tuple[list[str], str]:
    """The gold files, those that the user says are gold among them; else none, and why.

    What is recognised and given another role is no gold, and nothing else is in its place.
    """
    outside = {path: p for path, p in by_path.items() if not any(map(is_systems_folder, p.parents))}
    found, only_one = _in_folders(outside), False
    if not found:
        found, only_one = _by_name(_known(outside))
    if not found:
        found, only_one = _by_name(outside)
    found = [path for path in found if given.get(path, "gold") == "gold"]
    fault = "" if found else "no file is named as gold"
    if only_one and len(found) > 1:
        found, fault = [], f"several files are named as gold ({', '.join(found)})"
    told = [path for path, role in given.items() if role == "gold"]
    return list(dict.fromkeys([*found, *told])), fault


def _known(paths: Paths) -> Paths:
    """The files whose ending is a format's."""
    return {path: p for path, p in paths.items() if p.suffix.lower() in ENDINGS}


def _in_folders(paths: Paths) -> list[str]:
    """What lies in the outermost folder for gold, else for references; of a known format where anything is."""
    for names in ((GOLD_APART,), GOLD_FOLDERS, REFERENCE_FOLDERS):
        folders = [folder for p in paths.values() for folder in p.parents if folder.name.lower() in names]
        if folders:
            top = min(folders, key=lambda folder: len(folder.parts))
            inside = {path: p for path, p in paths.items() if p.is_relative_to(top)}
            return list(_known(inside) or inside)
    return []


def _by_name(paths: Paths) -> tuple[list[str], bool]:
    """The files that are named most clearly as gold or references, and whether it should be only one."""
    if ending := [path for path, p in paths.items() if p.suffix.lower() in GOLD_ENDINGS]:
        return ending, False
    words = {path: re.split("[-_.]", p.stem.lower()) for path, p in paths.items()}
    kinds: tuple[tuple[Callable[[str], object], bool], ...] = (
        (lambda path: "gold" in words[path], True),
        (lambda path: REFERENCE.fullmatch(words[path][0]), False),
        (lambda path: any(map(REFERENCE.fullmatch, words[path])), False),
        (lambda path: "gold" in paths[path].stem.lower(), True),
    )
    for named, only_one in kinds:
        if found := list(filter(named, words)):
            least = min(len(paths[path].parts) for path in found)
            return [path for path in found if len(paths[path].parts) == least], only_one
    return [], False
