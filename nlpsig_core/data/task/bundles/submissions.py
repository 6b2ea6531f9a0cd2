"""Submissions as platforms name them: the team, the number and the phase of each, by names and by a list."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePosixPath

from nlpsig_core.data.task.bundles.listing import Listing, Row

# Codabench's "517108_bob_PhaseId12_2026-02-11:30-05_run.zip", formerly "ID_82_run.zip"; for scores "res_517108_...".
CODABENCH = re.compile(r"(?P<kind>res_)?(?P<number>\d+)_(?P<team>.+)_PhaseId(?P<phase>\d+)_.*")
FORMERLY = re.compile(r"ID_(?P<number>\d+)_.*")
# CodaLab's "bob - 3 submission.zip", "Team Blue  - 3 submission.zip", and what it has beside each.
CODALAB = re.compile(r"(?P<team>.+?) +- +(?P<number>\d+) (?P<kind>submission|output|profile|method)")
TEAMS = "team_names_and_members"
CODALAB_TEAM = re.compile(r"Team (?P<team>.+?)  - ")
# TIRA's TEAM/DATASET/RUN/output/* or DATASET/TEAM/RUN/output/*, where the run is a time.
RUN = re.compile(r"\d{4}(-\d\d){5}")
RUN_FILE, RUN_OUTPUT = "run.prototext", "output"
RECORDS = re.compile(r"run\.(prototext|bin)|evaluation.*|(file-list|size|runtime|stdout|stderr|job-executed-on)\.txt")
DATASET = re.compile(r'inputDataset:\s*"([^"]*)"')
BESIDE = {
    "res_": "it holds the scores of a submission",
    "output": "it holds the scores of a submission",
    "profile": "it describes a participant",
    "method": "it describes a submission",
    "run": "it describes a run of TIRA",
}


@dataclass(frozen=True, kw_only=True)
class Submission:
    """A submission: the ``place`` of its file or folder without an ending, and its files with their names below it.

    ``row`` is what is known of it; ``is_run`` says that it is one of TIRA, where a team may have several systems.
    """

    place: str
    row: Row
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
    def order(self) -> tuple[datetime, int, str]:
        """What sorts submissions by time: the date, else the number, else the name."""
        number = self.row.number
        return self.row.when, int(number) if number.isdecimal() and len(number) < 20 else 0, self.name


def submissions_in(
    paths: Iterable[str], listing: Listing, text: Callable[[str], str]
) -> tuple[list[Submission], dict[str, str]]:
    """Return the submissions among files, and the reason for each file that lies beside one.

    ``text`` returns the beginning of a file, "" if there is none.
    """
    found: dict[str, Submission] = {}
    beside: dict[str, str] = {}
    for path in paths:
        for place, name, rest in _places(path):
            is_run = bool(RUN.fullmatch(name))
            kind, row = _run(place, rest, text) if is_run else _known(name, listing)
            if kind:
                beside[path] = BESIDE[kind]
            elif row is not None:
                submission = found.setdefault(place, Submission(place=place, row=row, is_run=is_run))
                submission.files[path] = rest[is_run and rest[0] == RUN_OUTPUT :]
            if kind or row is not None:
                break
    return list(found.values()), beside


def why_beside(path: str) -> str:
    """Return why a file is not used whose name says that it lies beside a submission; "" for any other file."""
    kinds = (_known(name, Listing())[0] for _, name, _ in _places(path))
    return next((f"is not used: {BESIDE[kind]}" for kind in kinds if kind), "")


def _places(path: str) -> Iterable[tuple[str, str, tuple[str, ...]]]:
    """Yield each folder and the file of a path: where it is, its name without an ending, and the names below it."""
    parts = PurePosixPath(path).parts
    for i, part in enumerate(parts):
        last = i == len(parts) - 1
        name = PurePosixPath(part).stem if last else part
        yield "/".join((*parts[:i], name)), name, parts[i + 1 :]


def _known(name: str, listing: Listing) -> tuple[str, Row | None]:
    """Return the kind of what lies beside submissions, else what is known of a submission of that name."""
    if name == TEAMS:
        return "profile", None
    if match := CODALAB.fullmatch(name):
        blue = CODALAB_TEAM.match(name)
        user = blue["team"] if blue else match["team"]
        if match["kind"] != "submission":
            return match["kind"], None
        return "", listing.row(name, "") or Row(team=listing.teams.get(user, user), number=match["number"])
    if match := CODABENCH.fullmatch(name):
        if match["kind"]:
            return match["kind"], None
        row = Row(team=listing.teams.get(match["team"], match["team"]), number=match["number"], phase=match["phase"])
        return "", listing.row(name, match["number"]) or row
    formerly = FORMERLY.fullmatch(name)
    return "", listing.row(name, formerly["number"] if formerly else "")


def _run(place: str, rest: tuple[str, ...], text: Callable[[str], str]) -> tuple[str, Row | None]:
    """Return "run" for the files of a run of TIRA that describe it, else its team and dataset."""
    *above, run = PurePosixPath(place).parts
    if not above or not rest:
        return "", None
    if RECORDS.fullmatch(rest[0]):
        return "run", None
    named = DATASET.search(text(f"{place}/{RUN_FILE}"))
    dataset = named[1] if named else above[-1] if len(above) > 1 else ""
    team = next((name for name in reversed(above[-2:]) if name != dataset), above[-1])
    return "", Row(team=team, number=run, phase=dataset if dataset in above else "")
