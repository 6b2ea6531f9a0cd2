"""What submissions are called: a name for each as a system, and a path for each of their files; no two have one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from itertools import chain, count
from pathlib import PurePosixPath

from nlpsig_core.data.task.bundles.submissions import Submission
from nlpsig_core.data.task.called import SYSTEMS_FOLDERS
from nlpsig_core.data.task.files import CALLED_ANSWERS

# What separates the words of a team where the name of a system has a mark for groups, or a path one for folders.
MARKS = re.compile(r"/|_{2,}")


def named_files(
    submissions: list[Submission], test_sets: Collection[str], endings: Collection[str], every: bool
) -> tuple[dict[str, PurePosixPath], dict[str, str], dict[str, str]]:
    """Return the paths by which the files of submissions are named, their systems, and reasons for other files.

    A system is called TEAM, or TEAM__RUN if ``every`` submission of a team is one or a team has several.
    """
    paths: dict[str, PurePosixPath] = {}
    systems: dict[str, str] = {}
    beside: dict[str, str] = {}
    for each, system in zip(submissions, _systems(submissions, test_sets, every), strict=True):
        named = _paths_of(each, system, test_sets, endings)
        paths |= {path: PurePosixPath(SYSTEMS_FOLDERS[0], name) for path, name in named.items()}
        systems |= dict.fromkeys(named, system)
        beside |= {path: f"it lies beside the answers of {each.name}" for path in each.files if path not in named}
    return paths, systems, beside


def _systems(submissions: list[Submission], test_sets: Collection[str], every: bool) -> list[str]:
    """Return the name of each submission as a system; on one test set, each has its own."""
    teams = dict.fromkeys(each.team for each in submissions)
    called = dict(zip(teams, _unique(MARKS.sub("_", team) for team in teams), strict=True))
    phases = [each.row.phase if each.row.phase in test_sets else "" for each in submissions]
    of_team = Counter((each.team, each.row.phase) for each in submissions)
    numbers = Counter((each.team, phase, each.row.number) for each, phase in zip(submissions, phases, strict=True))
    names = []
    for each, phase in zip(submissions, phases, strict=True):
        own = every or (each.is_run and not phase) or of_team[each.team, each.row.phase] > 1
        run = each.row.number if numbers[each.team, phase, each.row.number] == 1 else ""
        names.append(f"{called[each.team]}__{run or MARKS.sub('_', each.name)}" if own else called[each.team])
    unique = {phase: _unique(name for name, of in zip(names, phases, strict=True) if of == phase) for phase in phases}
    return [unique[phase].pop(0) for phase in phases]


def _unique(names: Iterable[str]) -> list[str]:
    """Return the names, those that occur again with a number."""
    unique: dict[str, None] = {}
    for name in names:
        possible = chain([name], (f"{name} ({number})" for number in count(2)))
        unique[next(own for own in possible if own not in unique)] = None
    return list(unique)


def _paths_of(
    submission: Submission, system: str, test_sets: Collection[str], endings: Collection[str]
) -> dict[str, str]:
    """Return SYSTEM/TESTSET for the files of a submission named like test sets, else SYSTEM for its answers."""
    files = {path: PurePosixPath(*rest) if rest else PurePosixPath(path) for path, rest in submission.files.items()}
    of_sets = {path: p for path, p in files.items() if p.stem in test_sets and submission.files[path]}
    if of_sets:
        once = max(Counter(p.stem for p in of_sets.values()).values()) == 1
        return {path: f"{system}/{p.name if once else p}" for path, p in of_sets.items()}
    for answers in (
        files,
        {path: p for path, p in files.items() if p.stem.lower() in CALLED_ANSWERS},
        {path: p for path, p in files.items() if p.suffix in endings},
    ):
        if len(answers) == 1:
            (path, p), phase = next(iter(answers.items())), submission.row.phase
            return {path: f"{system}/{phase}{p.suffix}" if phase in test_sets else f"{system}{p.suffix}"}
    stems = _unique(
        "_".join((*p.parts[:-1], p.stem)) if submission.files[path] else p.stem for path, p in files.items()
    )
    return {path: f"{system}__{stem}{p.suffix}" for (path, p), stem in zip(files.items(), stems, strict=True)}
