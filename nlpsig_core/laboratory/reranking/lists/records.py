"""Lists of anything that has scores and features of its own, such as translations: JSON Lines, and their task."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TextIO

import numpy as np

from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.errors import ChoiceError, FileError, entry_named
from nlpsig_core.base.words import count
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.metrics.means import SCORES
from nlpsig_core.data.metrics.table import METRICS
from nlpsig_core.data.readers.lines import Lines, References
from nlpsig_core.data.readers.tables.scores import LARGEST
from nlpsig_core.laboratory.reranking.lists import SYSTEMS, Candidate, Lists, NBestList, in_lines, moses

# The formats whose metrics compare a text with references.
TEXTS = ("Translations", "Summaries")


class Record(NamedTuple):
    """A candidate of which only its features, its text and its quality are known, as far as the file has them."""

    features: Mapping[str, float]
    text: str | None = None
    quality: float | None = None


def read_records(stream: TextIO, name: str, metric: str = "mean", references: References | None = None) -> Lists:
    """Return the lists of a stream of JSON objects, one per line: a unit with its candidates, or one candidate.

    A unit is ``{"id": ..., "candidates": [...]}``. A candidate is ``{"score": number, "features": {name: number}}``,
    with a ``text`` or a ``quality`` (a number); on a line of its own it has the unit's ``id`` too. Lines of a unit
    follow each other. All but ``id`` and what the metric needs may be left out. A line of Moses is a candidate, too
    (``moses.row_of``).

    ``mean`` and ``mean-lower`` score by quality; metrics of texts compare texts with ``references``, one for each unit.
    Raises ChoiceError for any other metric and where references lack, and FileError with the line for all that is
    not of this form, and where numbers of units and references differ.
    """
    known = {m.name: m for m in METRICS.values() if m.family is SCORES or m.family.reader in TEXTS}
    chosen, text = entry_named("metric of JSON lists", metric, known), stream.read()
    if chosen.family is not SCORES and references is None:
        raise ChoiceError(f"{metric} compares texts with references; give a file with one for each unit")
    lists: list[NBestList] = []
    for unit, rows in _units(text, name):
        candidates = tuple(_candidate(row, line, name, chosen) for line, row in rows)
        # Units beyond the references are an error below.
        gold = tuple(lines[len(lists)] for lines in references.lines if len(lists) < len(lines)) if references else ()
        lists.append(NBestList(unit, candidates, gold))
    if not lists:
        raise FileError(name, None, "no list found; is this a file of JSON Lines?")
    if references and references.n_units != len(lists):
        raise FileError(name, None, f"{count(len(lists), 'unit')} where {references.names[0]} has {references.n_units}")
    return Lists(
        name=name,
        lists=tuple(lists),
        statistics=_statistics(lists, name, chosen, references),
        metric=chosen,
        form="generic",
        digest=digest_of("records", metric, text, references.lines if references else None),
    )


def _units(text: str, name: str) -> Iterator[tuple[str, list[tuple[int, dict[str, Any]]]]]:
    """Yield the name of each unit and its candidates, each with its line."""
    unit, rows, seen = "", list[tuple[int, dict[str, Any]]](), set[str]()
    for line, row in _rows(text, name):
        key = row.get("id")
        if isinstance(key, bool) or not isinstance(key, str | int):
            raise FileError(name, line, f"the id is {_shown(key)}; every line needs one, a text or a whole number")
        if str(key) != unit or "candidates" in row or not rows:
            if str(key) in seen:
                raise FileError(name, line, f"the id {str(key)!r} once more; lines of one unit must follow each other")
            if rows:
                yield unit, rows
            unit, rows = str(key), []
            seen.add(unit)
        candidates = row.get("candidates", [row])
        if not isinstance(candidates, list) or not candidates:
            raise FileError(name, line, f"candidates is {_shown(candidates)}; a unit needs a list with at least one")
        rows += [(line, _object(candidate, line, name)) for candidate in candidates]
    if rows:
        yield unit, rows


def _rows(text: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, row in enumerate(text.split("\n"), start=1):
        if moses.BARS in row and not row.startswith("{"):
            yield line, moses.row_of(row, line, name)
        elif row.strip():
            try:
                value = json.loads(row)
            except (ValueError, RecursionError) as error:
                raise FileError(name, line, f"no JSON ({error})") from None
            yield line, _object(value, line, name)


def _object(value: Any, line: int, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FileError(name, line, f"{_shown(value)} where an object in braces is expected")
    return value


def _candidate(row: Mapping[str, Any], line: int, name: str, metric: Metric) -> Candidate:
    """Return the candidate of a row, which must have what the metric needs."""

    def number(value: Any, what: str) -> float:
        """Return a number between -LARGEST and LARGEST, so that sums are exact."""
        try:
            result = math.nan if isinstance(value, bool | str) else float(value)
        except (TypeError, OverflowError):
            result = math.nan
        if not abs(result) <= LARGEST:
            raise FileError(name, line, f"{what} is {_shown(value)}, no number between {-LARGEST:g} and {LARGEST:g}")
        return result

    features = row.get("features", {})
    if not isinstance(features, dict):
        raise FileError(name, line, f"features is {_shown(features)}; write them as an object, name: number")
    for key in features:
        if not key or not key.isprintable():
            raise FileError(name, line, f"the feature {key!r} has no printable name")
    numbers = {key: number(value, f"feature {key!r}") for key, value in features.items()}
    text, quality = row.get("text"), row.get("quality")
    needed = "quality" if metric.family is SCORES else "text"
    if row.get(needed) is None:
        raise FileError(name, line, f"a candidate without {needed}, which {metric.name} needs")
    if text is not None and not isinstance(text, str):
        raise FileError(name, line, f"text is {_shown(text)}, no text")
    score = number(row.get("score", 0.0), "score")
    return Candidate(score, Record(numbers, text, None if quality is None else number(quality, "quality")))


def _shown(value: Any) -> str:
    return "missing" if value is None else json.dumps(value, ensure_ascii=False)[:40]


def _statistics(lists: Sequence[NBestList], name: str, metric: Metric, references: References | None) -> np.ndarray:
    """Return the statistics of all candidates, (candidates, k)."""
    records = [candidate.parse for nbest in lists for candidate in nbest.candidates]
    if metric.family is SCORES or references is None:
        return np.array([(record.quality, 1.0) for record in records])
    units = np.repeat(np.arange(len(lists)), [len(nbest.candidates) for nbest in lists]).tolist()
    gold = References(references.names, tuple(tuple(lines[unit] for unit in units) for lines in references.lines))
    columns = [metric.family.columns.index(column) for column in metric.columns]
    counted: np.ndarray = metric.family.count(gold, Lines(name, tuple(record.text for record in records)))[:, columns]
    return counted


def task_files(lists: Sequence[NBestList], outputs: Mapping[str, Sequence[Record]]) -> dict[str, str]:
    """Return texts with their references, one in each line; without references, a table of the qualities."""
    if not lists[0].gold:
        columns = [[nbest.name for nbest in lists], *([each.quality for each in chosen] for chosen in outputs.values())]
        rows = [("unit", *outputs), *zip(*columns, strict=True)]
        return {"scores.tsv": in_lines("\t".join(map(str, row)) for row in rows)}
    files = {
        f"{SYSTEMS}/{name}.txt": in_lines(" ".join((each.text or "").splitlines()) for each in chosen)
        for name, chosen in outputs.items()
    }
    lines = enumerate(zip(*(nbest.gold for nbest in lists), strict=True), start=1)
    return files | {f"references/{number}.txt": in_lines(each) for number, each in lines}
