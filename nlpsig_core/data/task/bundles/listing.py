"""The list of submissions that a platform exports: a table with the team, date, phase, status and score of each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import PurePosixPath

from nlpsig_core.base.errors import NlpsigError
from nlpsig_core.data.readers.separated import first_cells, rows_of, separator_of
from nlpsig_core.data.task.bundles.scores import number, score_columns
from nlpsig_core.data.task.files import File, Files, Head

ENDINGS = (".csv", ".tsv")
# What columns are called, in lower case with spaces between words; the first name that a table has counts.
COLUMNS = {
    "number": ("submission id", "id", "submission pk", "pk", "submission number", "submission", "#"),
    "file": ("file name", "filename", "submission file", "file", "path", "zip"),
    "team": ("team", "team name", "group", "organization"),
    "user": ("owner", "participant", "user", "username", "user name", "submitter", "participant name"),
    "when": ("created when", "date", "submission date", "submitted", "submitted at", "created at", "created", "time"),
    "phase": ("phase", "phase name"),
    "status": ("status", "state"),
}
# What dates look like that are not in the form of ISO 8601.
DATES = ("%m/%d/%Y %H:%M:%S", "%m/%d/%Y %H:%M", "%m/%d/%Y", "%d.%m.%Y %H:%M:%S", "%d.%m.%Y %H:%M", "%d.%m.%Y")


@dataclass(frozen=True, kw_only=True)
class Row:
    """What is known of one submission; "" and None for what is not.

    ``place`` is that of its row in a list, the newest last as far as dates tell, and None if no list has it.
    """

    team: str = ""
    number: str = ""
    when: datetime | None = None
    place: int | None = None
    phase: str = ""
    status: str = ""
    score: float | None = None


@dataclass(frozen=True, kw_only=True)
class Listing:
    """The rows of a list by the user (or "") and the number of the submission, and by its file; the teams of users.

    ``path`` is that of the list, "" if there is none; ``columns`` are the names of its further columns, ``scores`` of
    those that are scores, the one that is read first; ``undated`` are cells that should be dates and cannot be read.
    """

    path: str = ""
    by_number: Mapping[tuple[str, str], Row] = field(default_factory=dict)
    by_file: Mapping[str, Row] = field(default_factory=dict)
    teams: Mapping[str, str] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    undated: tuple[str, ...] = ()

    def row(self, name: str, number: str = "", user: str = "") -> Row | None:
        """Return the row of a submission whose file or folder has that name, with this number and user in it, if any.

        Numbers may be those of all submissions, or start anew for each user.
        """
        return self.by_number.get((user, number or name)) or self.by_file.get(name)

    @cached_property
    def users(self) -> frozenset[str]:
        """The users and teams whose submissions have numbers."""
        return frozenset(user for user, _ in self.by_number)


def listing_in(files: Files, candidates: Iterable[str], head: Head, known: Callable[[Listing], bool]) -> Listing:
    """Return the first table among the candidates that lists submissions which are ``known``; an empty one if none.

    Only one that begins with the columns of a list is read.
    """
    tables = (path for path in candidates if path.lower().endswith(ENDINGS) and _columns(head(path)))
    return next((listing for path in tables if (listing := _read(files[path])) and known(listing)), Listing())


def _columns(text: str) -> dict[str, int]:
    """Return the place of each of COLUMNS, -1 where it lacks one; nothing if it is not that of a list.

    A table with systems is one of groups or of scores.
    """
    names = list(map(_plain, first_cells(text, tabs_quoted=True)))
    columns = {key: next((names.index(name) for name in known if name in names), -1) for key, known in COLUMNS.items()}
    has = {key for key, place in columns.items() if place >= 0}
    listed = has >= {"team", "user"} or (has & {"team", "user"} and has & {"number", "file"})
    return columns if listed and "system" not in names else {}


def _read(file: File) -> Listing | None:
    try:
        text = file.text()
        header, *rows = (row for _, row in rows_of(text, file.path, separator_of(text, file.path), tabs_quoted=True))
    except (NlpsigError, ValueError):
        return None
    columns, further = _columns(text), dict[str, int]()
    for i, name in enumerate(header):
        if i not in columns.values():
            further.setdefault(name.strip(), i)
    scores = score_columns({name: [_cell(row, i) for row in rows] for name, i in further.items()})
    columns["score"] = further[scores[0]] if scores else -1
    cells = [{key: _cell(row, i) for key, i in columns.items()} for row in rows]
    dates = [_date(each["when"]) for each in cells]
    known = [date for date in dates if date]
    order = -1 if known == sorted(known, reverse=True) != sorted(known) else 1
    read = [(each, _row(each, dates[i], order * i)) for i, each in enumerate(cells)]
    keys = [(user, row) for each, row in read if row.number for user in {"", each["user"], row.team}]
    return Listing(
        path=file.path,
        by_number=_of_one_team(((user, row.number), row) for user, row in keys),
        by_file=_of_one_file((PurePosixPath(each["file"]).stem, row) for each, row in read),
        teams={each["user"]: each["team"] for each in cells if each["user"] and each["team"]},
        columns=tuple(further),
        scores=tuple(scores),
        undated=tuple(each["when"] for each, date in zip(cells, dates, strict=True) if each["when"] and not date),
    )


def _row(cells: Mapping[str, str], when: datetime | None, place: int) -> Row:
    return Row(
        team=cells["team"] or cells["user"],
        number=cells["number"],
        when=when,
        place=place,
        phase=cells["phase"],
        status=cells["status"],
        score=number(cells["score"]),
    )


def _of_one_team(rows: Iterable[tuple[tuple[str, str], Row]]) -> dict[tuple[str, str], Row]:
    """Return the first row of each key, without keys that several teams have."""
    first: dict[tuple[str, str], Row] = {}
    several = set()
    for key, row in rows:
        if first.setdefault(key, row).team != row.team:
            several.add(key)
    return {key: row for key, row in first.items() if key not in several}


def _of_one_file(rows: Iterable[tuple[str, Row]]) -> dict[str, Row]:
    """Return the rows by the names of files, without names that several have."""
    rows = list(rows)
    once = {stem for stem, n in Counter(stem for stem, _ in rows).items() if n == 1}
    return {stem: row for stem, row in rows if stem and stem in once}


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", " ", name.strip().lower())


def _cell(row: list[str], index: int) -> str:
    return row[index].strip() if 0 <= index < len(row) else ""


def _date(cell: str) -> datetime | None:
    """Return the time that a cell says, in UTC unless it says otherwise; None if it says none."""
    for read in (datetime.fromisoformat, *((lambda text, form=form: datetime.strptime(text, form)) for form in DATES)):
        try:
            date = read(cell)
        except ValueError:
            continue
        return date if date.tzinfo else date.replace(tzinfo=UTC)
    return None
