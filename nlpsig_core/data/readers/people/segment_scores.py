"""Scores of the segments of several systems, by people or by a metric: text stream -> SegmentScores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TextIO

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import first_few
from nlpsig_core.data.readers.base import DOCUMENT, Companion
from nlpsig_core.data.readers.people.agreement import interval_alpha
from nlpsig_core.data.readers.people.matching import (
    notes_on_matches,
    notes_on_names,
    renumbered,
    without_numbers,
)
from nlpsig_core.data.readers.people.ratings import Ratings, ratings_of

# What can be resampled in place of documents.
RATER = "rater"
NOT_JUDGED = "that people have not judged"
SEGMENT_DOCUMENTS = Companion(role="documents", endings=(".docs",))


@dataclass(frozen=True, eq=False, kw_only=True)
class SegmentScores:
    """Scores of systems on segments, (segments, systems), NaN where there is none; a higher one is better.

    Several scores of a segment, such as those of several raters, are averaged. ``segments`` are the names of the
    segments, or numbers in files that have none. ``documents`` are what ``cluster`` names: raters, numbered, if each
    segment has one and no document is known.
    """

    name: str
    systems: tuple[str, ...]
    segments: tuple[str, ...]
    values: np.ndarray
    documents: tuple[str, ...] = ()
    cluster: str = DOCUMENT
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

    def scores_of(self, other: SegmentScores, beyond: str = NOT_JUDGED) -> SegmentScores:
        """Return another's scores of these segments and systems, NaN for those it lacks, with notes on what differs.

        ``beyond`` says what names are that only the other has. FileError if it has no score of any of these.
        """
        systems = without_numbers(self.systems, other.systems)
        segments = renumbered(self.segments, other.segments)
        theirs = [systems.get(name, name) for name in other.systems], [segments.get(n, n) for n in other.segments]
        rows, columns = ({name: place for place, name in enumerate(names)} for names in reversed(theirs))
        here = [rows.get(name, -1) for name in self.segments], [columns.get(name, -1) for name in self.systems]
        padded = np.pad(other.values, ((0, 1), (0, 1)), constant_values=np.nan)
        values = padded[np.ix_(*here)]
        if np.isnan(values).all():
            named = f"its systems are {first_few(other.systems)}, those of {self.name} {first_few(self.systems)}"
            raise FileError(other.name, None, f"no score of a segment and system that {self.name} has; {named}")
        notes = [*other.notes, *notes_on_matches(systems, segments)]
        notes += notes_on_names("system", self.systems, theirs[0], beyond)
        notes += notes_on_names("segment", self.segments, theirs[1], beyond)
        return replace(self, name=other.name, values=values, notes=tuple(notes))


def read_segment_scores(stream: TextIO, name: str) -> SegmentScores:
    """Return the scores of a stream, the mean over raters; FileError as ``ratings_of``, and if there are none."""
    return _over_raters(name, ratings_of(stream.read(), name))


def _over_raters(name: str, rated: Ratings) -> SegmentScores:
    """Return the mean of raters' scores, of which each rater's is the mean of that rater's own."""
    segments: dict[str, int] = {}
    systems: dict[str, int] = {}
    raters: dict[tuple[int, int, str], list[float]] = {}
    for segment, system, rater, score in rated.rows:
        place = segments.setdefault(segment, len(segments)), systems.setdefault(system, len(systems))
        if score == score:
            raters.setdefault((*place, rater), []).append(score)
    if not raters:
        raise FileError(name, None, "no score at all")
    shape = len(segments), len(systems)
    index = np.ravel_multi_index(np.array([key[:2] for key in raters]).T, shape)
    scores = np.array([sum(own) / len(own) for own in raters.values()])
    ratings = np.bincount(index, minlength=shape[0] * shape[1])
    with np.errstate(invalid="ignore"):
        values = np.bincount(index, weights=scores, minlength=len(ratings)) / ratings
    documents = tuple(rated.documents[segment] for segment in segments) if rated.documents else ()
    by_rater = _only_raters({(segment, rater) for segment, _, rater in raters}, len(segments))
    return SegmentScores(
        name=name,
        systems=tuple(systems),
        segments=tuple(segments),
        values=values.reshape(shape),
        documents=documents or by_rater,
        cluster=RATER if by_rater and not documents else DOCUMENT,
        notes=(*rated.notes, *_notes_on_raters(index, scores, int(ratings.max()))),
    )


def _only_raters(raters: set[tuple[int, str]], n_segments: int) -> tuple[str, ...]:
    """Return the number of the rater of each segment, from pairs of segment and rater, if raters share no segment.

    Nothing is returned if there is only one rater, or one for each segment.
    """
    numbers = {name: f"{RATER} {number}" for number, name in enumerate(sorted({name for _, name in raters}), 1)}
    of = dict(raters)
    if len(of) < len(raters) or not 1 < len(numbers) < len(of):
        return ()
    return tuple(numbers[of[segment]] if segment in of else "no rater" for segment in range(n_segments))


def _notes_on_raters(units: np.ndarray, scores: np.ndarray, most: int) -> list[str]:
    """Return a note on the number of raters and their agreement, if a score is the mean of several."""
    if most < 2:
        return []
    alpha = interval_alpha(units, scores)
    agreement = "unknown, since all scores are equal" if np.isnan(alpha) else f"{alpha:.2f}"
    return [f"up to {most} scores of a segment are averaged; Krippendorff's alpha (interval) of raters is {agreement}"]


def read_people(files: Sequence[tuple[TextIO, str]]) -> SegmentScores:
    """Return people's scores, with the domain and the document of each segment if a file has them.

    That file has a line of domain, tab and document for each segment. FileError if it has another number of lines, and
    for scores of one system alone.
    """
    (stream, name), *beside = files
    people = read_segment_scores(stream, name)
    if len(people.systems) < 2:
        reason = f"scores of one system, {people.systems[0]}; metrics are tried on pairs of systems, so add another"
        raise FileError(name, None, reason)
    for stream, path in beside:
        rows = [line.split("\t") for line in stream.read().split("\n") if line.strip()]
        if len(rows) != people.n_units or any(len(row) != 2 for row in rows):
            reason = (
                f"{len(rows):,} lines, but {name} has {people.n_units:,} segments; name each one's domain and document"
            )
            raise FileError(path, None, reason)
        domains, documents = zip(*rows, strict=True)
        several = len(set(domains)) > 1
        people = replace(people, documents=documents, cluster=DOCUMENT, domains=domains if several else ())
    return people
