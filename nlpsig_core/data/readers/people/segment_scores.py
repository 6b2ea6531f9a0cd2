"""Scores of the segments of several systems, by people or by a metric: text stream -> SegmentScores."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TextIO

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import count
from nlpsig_core.data.readers.base import Companion
from nlpsig_core.data.readers.tables.scores import is_missing, is_number, read_number
from nlpsig_core.data.readers.tables.spreadsheets import Spreadsheet, read_spreadsheet

SEGMENT_DOCUMENTS = Companion(role="documents", endings=(".docs",))
# Names of the columns of tables, the most likely ones first; compared in lower case, with _ for spaces.
SYSTEM = ("system", "system_id", "system_name", "model", "mt")
SEGMENT = ("segment", "segment_id", "seg_id", "seg", "item", "item_id", "id", "unit", "sentence", "example")
DOCUMENT = ("document", "doc", "doc_id", "docid")
SCORE = ("score", "value", "rating", "mqm", "esa", "da", "human")
RATER = ("rater", "rater_id", "annotator", "annotator_id", "judge", "user")
# How many names a note lists.
LISTED = 5


@dataclass(frozen=True, eq=False, kw_only=True)
class SegmentScores:
    """Scores of systems on segments, (segments, systems), NaN where there is none; a higher one is better.

    Several scores of a segment, such as those of several raters, are averaged; ``ratings`` (segments, systems) is their
    number. ``segments`` are the names of the segments, or numbers in files that have none.
    """

    name: str
    systems: tuple[str, ...]
    segments: tuple[str, ...]
    values: np.ndarray
    ratings: np.ndarray
    documents: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def n_units(self) -> int:
        """Number of segments."""
        return len(self.segments)

    @property
    def classes(self) -> tuple[str, ...]:
        """The systems, whose statistics are counted apart."""
        return self.systems

    @property
    def unit_names(self) -> tuple[str, ...]:
        """The names of the segments."""
        return self.segments

    def only(self, known: np.ndarray) -> SegmentScores:
        """Return the scores of some segments and systems, by mask (segments, systems); the others are missing."""
        return replace(self, values=np.where(known, self.values, np.nan))

    def scores_of(self, other: SegmentScores) -> SegmentScores:
        """Return another's scores of these segments and systems, NaN for those it lacks, with notes on what differs.

        FileError if it has no score of any of them.
        """
        rows, columns = ({name: place for place, name in enumerate(names)} for names in (other.segments, other.systems))
        here = [rows.get(name, -1) for name in self.segments], [columns.get(name, -1) for name in self.systems]
        padded = np.pad(other.values, ((0, 1), (0, 1)), constant_values=np.nan)
        values = padded[np.ix_(*here)]
        if np.isnan(values).all():
            named = f"its systems are {_listed(other.systems)}, those of {self.name} {_listed(self.systems)}"
            raise FileError(other.name, None, f"no score of a segment and system that {self.name} has; {named}")
        notes = [*other.notes, *_unlike("system", self.systems, other.systems)]
        notes += _unlike("segment", self.segments, other.segments)
        return replace(self, name=other.name, values=values, notes=tuple(notes))


def _unlike(thing: str, own: Sequence[str], theirs: Sequence[str]) -> list[str]:
    """Return notes on the names that only one of two files has."""
    lacks, more = ([name for name in a if name not in set(b)] for a, b in ((own, theirs), (theirs, own)))
    notes = [f"no scores of {count(len(lacks), thing)}: {_listed(lacks)}"] if lacks else []
    return notes + ([f"{count(len(more), thing)} that people have not judged: {_listed(more)}"] if more else [])


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:LISTED]) + (f" and {len(names) - LISTED:,} more" if len(names) > LISTED else "")


def looks_like_segment_scores(head: str) -> bool:
    """Return whether a file has lines of system and score, or is a table of segments, systems and scores."""
    first, _, rest = head.partition("\n")
    if _columns(_cells(first, rest)):
        return True
    cells = first.split("\t")
    return len(cells) == 2 and (cells[1].strip() == "None" or is_number(cells[1])) and not is_number(cells[0])


def _cells(first: str, rest: str) -> dict[str, list[str]]:
    try:
        return read_spreadsheet(io.StringIO(f"{first}\n{rest.partition(chr(10))[0]}\n"), "").columns
    except FileError:
        return {}


def read_segment_scores(stream: TextIO, name: str) -> SegmentScores:
    """Return the scores of a stream: lines of system and score, in the order of segments, or a table.

    FileError for a score that is not a number, and if systems have different numbers of segments without names.
    """
    text = stream.read()
    first, _, rest = text.partition("\n")
    if columns := _columns(_cells(first, rest)):
        return _of_table(read_spreadsheet(io.StringIO(text), name), columns)
    return _of_lines(text, name)


def _of_lines(text: str, name: str) -> SegmentScores:
    """Return scores from lines of system and score; a system's n-th line is that of the n-th segment."""
    cells: list[tuple[str, str, str, int]] = []
    lengths: Counter[str] = Counter()
    for line, row in enumerate(text.split("\n"), 1):
        if not row.strip():
            continue
        system, tab, score = row.partition("\t")
        if not tab:
            raise FileError(name, line, "one column; each line needs a system, a tab and a score")
        lengths[system] += 1
        cells.append((str(lengths[system]), system, score.strip(), line))
    if len(set(lengths.values())) > 1:
        few, many = min(lengths, key=lengths.__getitem__), max(lengths, key=lengths.__getitem__)
        reason = f"{few} has {lengths[few]:,} scores, {many} has {lengths[many]:,}; each system needs a line a segment"
        raise FileError(name, None, reason)
    return _stacked(name, cells)


def _columns(cells: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the columns of a table of segments, systems and scores by what they hold; {} if it is another table."""
    plain = {name.lower().replace(" ", "_"): name for name in cells}
    found: dict[str, str] = {}
    for what, names in (("system", SYSTEM), ("segment", SEGMENT), ("document", DOCUMENT), ("rater", RATER)):
        if known := next((plain[name] for name in names if name in plain), ""):
            found[what] = known
    numbers = [name for name, column in cells.items() if name not in found.values() and _are_scores(column)]
    known = next((plain[name] for name in SCORE if name in plain and plain[name] in numbers), "")
    named = "system" in found and not found.keys().isdisjoint(("segment", "document"))
    return found | {"score": known or numbers[0]} if named and (known or len(numbers) == 1) else {}


def _are_scores(column: Sequence[str]) -> bool:
    return all(is_missing(cell) or is_number(cell) for cell in column) and any(map(is_number, column))


def _of_table(sheet: Spreadsheet, columns: Mapping[str, str]) -> SegmentScores:
    """Return scores from a table; a segment without a name of its own is its document."""
    cells = {what: sheet.columns[name] for what, name in columns.items()}
    documents = cells.get("document", [])
    names = cells.get("segment", documents)
    if documents and "segment" in cells and _repeats(names, documents):
        names = [f"{name} of {document}" for name, document in zip(names, documents, strict=True)]
    scores = _stacked(sheet.name, zip(names, cells["system"], cells["score"], sheet.lines, strict=True))
    if not documents or "segment" not in cells:
        return scores
    of = dict(zip(names, documents, strict=True))
    return replace(scores, documents=tuple(of[segment] for segment in scores.segments))


def _repeats(names: Sequence[str], documents: Sequence[str]) -> bool:
    """Return whether segments are numbered within documents."""
    return len(set(zip(names, documents, strict=True))) > len(set(names))


def _stacked(name: str, cells: Iterable[tuple[str, str, str, int]]) -> SegmentScores:
    """Return the mean score of each segment and system, from cells of segment, system, score and line."""
    segments: dict[str, int] = {}
    systems: dict[str, int] = {}
    places: list[tuple[int, int]] = []
    scores: list[float] = []
    for segment, system, score, line in cells:
        place = segments.setdefault(segment, len(segments)), systems.setdefault(system, len(systems))
        if (number := read_number(score, name, line)) == number:
            places.append(place)
            scores.append(number)
    if not scores:
        raise FileError(name, None, "no score at all")
    shape = len(segments), len(systems)
    index = np.ravel_multi_index(np.array(places).T, shape)
    ratings = np.bincount(index, minlength=shape[0] * shape[1])
    with np.errstate(invalid="ignore"):
        values = np.bincount(index, weights=scores, minlength=len(ratings)) / ratings
    raters = int(ratings.max())
    notes = (f"up to {raters} scores of a segment are averaged",) if raters > 1 else ()
    return SegmentScores(
        name=name,
        systems=tuple(systems),
        segments=tuple(segments),
        values=values.reshape(shape),
        ratings=ratings.reshape(shape),
        notes=notes,
    )


def read_people(files: Sequence[tuple[TextIO, str]]) -> SegmentScores:
    """Return people's scores, with the domain and the document of each segment if a file has them.

    That file has a line of domain, tab and document for each segment. FileError if it has another number of lines.
    """
    (stream, name), *beside = files
    people = read_segment_scores(stream, name)
    for stream, path in beside:
        rows = [line.split("\t") for line in stream.read().split("\n") if line.strip()]
        if len(rows) != people.n_units or any(len(row) != 2 for row in rows):
            reason = (
                f"{len(rows):,} lines, but {name} has {people.n_units:,} segments; name each one's domain and document"
            )
            raise FileError(path, None, reason)
        domains, documents = zip(*rows, strict=True)
        several = len(set(domains)) > 1
        people = replace(people, documents=documents, domains=domains if several else ())
    return people
