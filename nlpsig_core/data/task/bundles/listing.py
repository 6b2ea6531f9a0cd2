"""The list of submissions that a platform exports: a table with the team, date, phase, status and score of each."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import isfinite
from pathlib import PurePosixPath

from nlpsig_core.base.errors import NlpsigError
from nlpsig_core.data.task.files import File, Files

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
# Words for scores of which the least is best.
LOWER_IS_BETTER = {"wer", "cer", "mer", "ter", "mae", "mse", "rmse", "error", "loss", "rank", "place", "position"}
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Row:
    """What a list says of one submission; "" and None for what it does not say."""

    team: str = ""
    number: str = ""
    when: datetime = EPOCH
    phase: str = ""
    status: str = ""
    score: float | None = None


@dataclass(frozen=True, kw_only=True)
class Listing:
    """The rows of a list by the number of the submission, and by the name of its file; the teams of users.

    ``path`` is that of the list, "" if there is none; ``score`` is the name of the column of scores.
    """

    path: str = ""
    by_number: Mapping[str, Row] = field(default_factory=dict)
    by_file: Mapping[str, Row] = field(default_factory=dict)
    teams: Mapping[str, str] = field(default_factory=dict)
    score: str = ""

    def row(self, name: str, number: str) -> Row | None:
        """Return the row of a submission whose file or folder has that name, with this number in it ("" if none)."""
        return self.by_number.get(number or name) or self.by_file.get(name)

    @property
    def lower_is_better(self) -> bool:
        """Whether the least score is the best one, by the name of its column."""
        return bool(LOWER_IS_BETTER & set(_plain(self.score).split()))


def listing_in(
    files: Files, candidates: Iterable[str], head: Callable[[str], str], known: Callable[[Listing], bool]
) -> Listing:
    """Return the first table among the candidates that lists submissions which are ``known``; an empty one if none.

    ``head`` returns the beginning of a file; only one with the columns of a list is read.
    """
    tables = (path for path in candidates if path.lower().endswith(ENDINGS) and _columns(head(path).partition("\n")[0]))
    return next((listing for path in tables if (listing := _read(files[path])) and known(listing)), Listing())


def _columns(header: str) -> dict[str, int]:
    """Return the place of each of COLUMNS, -1 where it lacks one; nothing if it is not that of a list.

    A table with systems is one of groups or of scores.
    """
    names = [_plain(name) for name in next(csv.reader(header.splitlines()[:1], delimiter=_delimiter(header)), [])]
    columns = {key: next((names.index(name) for name in known if name in names), -1) for key, known in COLUMNS.items()}
    has = {key for key, place in columns.items() if place >= 0}
    listed = has >= {"team", "user"} or (has & {"team", "user"} and has & {"number", "file"})
    return columns if listed and "system" not in names else {}


def _read(file: File) -> Listing | None:
    try:
        text = file.text()
        header, *rows = csv.reader(io.StringIO(text), delimiter=_delimiter(text))
    except (NlpsigError, csv.Error, ValueError):
        return None
    names, columns = list(map(_plain, header)), _columns(text.partition("\n")[0])
    scores = _score_column(names, columns, rows)
    cells = [{key: _cell(row, i) for key, i in columns.items()} | {"score": _cell(row, scores)} for row in rows if row]
    read = [(each, _row(each)) for each in cells]
    stems = [PurePosixPath(each["file"]).stem for each in cells]
    once = {stem for stem, n in Counter(stems).items() if n == 1}
    return Listing(
        path=file.path,
        by_number={row.number: row for _, row in read if row.number},
        by_file={stem: row for stem, (_, row) in zip(stems, read, strict=True) if stem and stem in once},
        teams={each["user"]: each["team"] for each in cells if each["user"] and each["team"]},
        score=header[scores].strip() if scores >= 0 else "",
    )


def _row(cells: Mapping[str, str]) -> Row:
    return Row(
        team=cells["team"] or cells["user"],
        number=cells["number"],
        when=_date(cells["when"]),
        phase=cells["phase"],
        status=cells["status"],
        score=_number(cells["score"]),
    )


def _delimiter(text: str) -> str:
    header = text.partition("\n")[0]
    return max("\t,;", key=header.count)


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", " ", name.strip().lower())


def _cell(row: list[str], index: int) -> str:
    return row[index].strip() if 0 <= index < len(row) else ""


def _score_column(names: list[str], columns: Mapping[str, int], rows: list[list[str]]) -> int:
    """Return the column called score, else the first further one of numbers and empty cells; -1 if there is none."""
    further = [i for i in range(len(names)) if i not in columns.values()]
    called = [i for i in further if "score" in names[i]]
    cells = {i: [cell for row in rows if (cell := _cell(row, i))] for i in further}
    numbers = [i for i in further if cells[i] and all(_number(cell) is not None for cell in cells[i])]
    return [*called, *numbers, -1][0]


def _number(cell: str) -> float | None:
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if isfinite(number) else None


def _date(cell: str) -> datetime:
    """Return the time that a cell says, in UTC unless it says otherwise; EPOCH if it says none."""
    for read in (datetime.fromisoformat, *((lambda text, form=form: datetime.strptime(text, form)) for form in DATES)):
        try:
            date = read(cell)
        except ValueError:
            continue
        return date if date.tzinfo else date.replace(tzinfo=UTC)
    return EPOCH
