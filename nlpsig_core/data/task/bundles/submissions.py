"""Submissions as platforms name them: the team, the number and the phase of each, by names and by a list."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import PurePosixPath
from typing import NamedTuple

from nlpsig_core.base.words import whole_number
from nlpsig_core.data.task.bundles.listing import Listing, Row
from nlpsig_core.data.task.bundles.patterns import CODABENCH, CODALAB, CODALAB_TEAM, FORMERLY, TEAMS
from nlpsig_core.data.task.bundles.scores import RESULTS
from nlpsig_core.data.task.bundles.tira import RUN, RUN_OUTPUT, is_record, rows_of_runs
from nlpsig_core.data.task.files import Head

SCORES, METADATA = ("res_", "output", "scores"), "metadata"
BESIDE = {
    **dict.fromkeys(SCORES, "it holds the scores of a submission"),
    METADATA: "it describes a submission",
    "profile": "it describes a participant",
    "method": "it describes a submission",
    "run": "it describes a run of TIRA",
}


@dataclass(frozen=True, kw_only=True)
class Submission:
    """A submission: the ``place`` of its file or folder without an ending, and its files with their names below it.

    ``row`` is what is known of it; ``key`` its user and number, as its scores have them, and ``phase`` the number of
    its phase, if its name has them; ``is_run`` says that it is one of TIRA, where a team may have several systems.
    """

    place: str
    row: Row
    key: tuple[str, str] = ("", "")
    phase: str = ""
    is_run: bool = False
    files: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of its file or folder."""
        return PurePosixPath(self.place).name

    @property
    def team(self) -> str:
        """The team, else the name."""
        return self.row.team or self.name

    @property
    def is_listed(self) -> bool:
        """Whether a list has it."""
        return self.row.place is not None

    @property
    def number(self) -> int | None:
        """Its number, None if it has none."""
        return whole_number(self.row.number)


class Named(NamedTuple):
    """What a name says: the kind of what lies beside submissions, or what is known of one; its key and its phase."""

    kind: str = ""
    row: Row | None = None
    key: tuple[str, str] = ("", "")
    phase: str = ""


@dataclass(frozen=True, kw_only=True)
class Found:
    """The submissions among files, the kind of each file that lies ``beside`` one, and ``results`` by their keys."""

    submissions: tuple[Submission, ...]
    beside: dict[str, str]
    results: dict[tuple[str, str], str]

    @property
    def reasons(self) -> dict[str, str]:
        """Why each file beside submissions is not used."""
        return {path: BESIDE[kind] for path, kind in self.beside.items()}


def submissions_in(paths: Iterable[str], listing: Listing, head: Head, test_sets: Collection[str] = ()) -> Found:
    """Return the submissions among files.

    ``test_sets`` are possible names of test sets.
    """
    found: dict[str, Submission] = {}
    beside: dict[str, str] = {}
    results: dict[tuple[str, str], str] = {}
    places = {path: list(_places(path)) for path in paths}
    every = chain(*places.values())
    folders = {place for place, name, rest in every if rest and place != name and RUN.fullmatch(name)}
    runs = rows_of_runs(folders, head, test_sets)
    for path, each in places.items():
        for place, name, rest in each:
            is_run = place in runs
            named = Named("run" if is_record(rest) else "", runs[place]) if is_run else _named(name, listing)
            if named.kind:
                beside[path] = named.kind
                if named.kind in SCORES and _has_scores(path, alone=not rest):
                    results[named.key] = path
            elif named.row is not None:
                key = named.key if named.key[1] else ("", place)
                new = Submission(place=place, row=named.row, key=key, phase=named.phase, is_run=is_run)
                found.setdefault(place, new).files[path] = rest[is_run and rest[0] == RUN_OUTPUT :]
            if named.kind or named.row is not None:
                break
    for submission in found.values():
        for path in _aside(submission, test_sets):
            del submission.files[path]
            beside[path] = SCORES[-1] if _has_scores(path) else METADATA
            if _has_scores(path):
                results.setdefault(submission.key, path)
    return Found(submissions=tuple(_with_phases(found.values())), beside=beside, results=results)


def why_beside(path: str) -> str:
    """Return why a file is not used whose name says that it lies beside a submission; "" for any other file."""
    kinds = (_named(name, Listing()).kind for _, name, _ in _places(path))
    return next((f"is not used: {BESIDE[kind]}" for kind in kinds if kind), "")


def _has_scores(path: str, alone: bool = False) -> bool:
    """Return whether a file is called as files of results are, or stands ``alone`` for a zip of one."""
    p = PurePosixPath(path.lower())
    return p.name in RESULTS or (alone and p.suffix in (".json", ".txt"))


def _aside(submission: Submission, test_sets: Collection[str]) -> list[str]:
    """Return the scores and the description of a submission, where they lie beside its answers."""
    aside = [
        path
        for path, rest in submission.files.items()
        if rest and (_has_scores(path) or rest[-1] == METADATA) and PurePosixPath(path).stem not in test_sets
    ]
    return aside if len(aside) < len(submission.files) else []


def _places(path: str) -> Iterable[tuple[str, str, tuple[str, ...]]]:
    """Yield each folder and the file of a path: where it is, its name without an ending, and the names below it."""
    parts = PurePosixPath(path).parts
    for i, part in enumerate(parts):
        last = i == len(parts) - 1
        name = PurePosixPath(part).stem if last else part
        yield "/".join((*parts[:i], name)), name, parts[i + 1 :]


def _named(name: str, listing: Listing) -> Named:
    """Return what the name of a file or a folder says, and a list of submissions."""
    if name == TEAMS:
        return Named("profile")
    if match := CODALAB.fullmatch(name):
        blue = CODALAB_TEAM.match(name)
        key = (blue or match)["team"], match["number"]
        if match["kind"] != "submission":
            return Named(match["kind"], key=key)
        known = Row(team=listing.teams.get(key[0], key[0]), number=key[1])
        return Named(row=listing.row(name) or listing.row(name, key[1], key[0]) or known, key=key)
    if match := CODABENCH.fullmatch(name):
        key, user = ("", match["number"]), match["team"]
        if match["kind"]:
            return Named(match["kind"], key=key)
        known = Row(team=listing.teams.get(user, user), number=match["number"], phase=match["phase"])
        row = listing.row(name, match["number"], user if user in listing.users else "")
        return Named(row=row or known, key=key, phase=match["phase"])
    formerly = FORMERLY.fullmatch(name)
    number = formerly["number"] if formerly else ""
    return Named(row=listing.row(name, number), key=("", number))


def _with_phases(submissions: Iterable[Submission]) -> Iterable[Submission]:
    """Yield submissions with the phase that a list has for others of the same number, else with that number."""
    submissions = list(submissions)
    listed = {each.phase: each.row.phase for each in submissions if each.is_listed and each.row.phase and each.phase}
    for each in submissions:
        phase = each.row.phase if each.is_listed else ""
        yield replace(each, row=replace(each.row, phase=phase or listed.get(each.phase, each.phase or each.row.phase)))
