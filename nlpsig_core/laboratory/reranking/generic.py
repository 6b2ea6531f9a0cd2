"""Lists of anything that has scores and features of its own, such as translations: JSON Lines -> Lists."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TextIO

import numpy as np

from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.errors import ChoiceError, FileError
from nlpsig_core.base.words import count
from nlpsig_core.data.metrics import mean
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.metrics.table import METRICS
from nlpsig_core.data.readers.lines import Lines, References
from nlpsig_core.data.readers.scores import LARGEST
from nlpsig_core.laboratory.reranking.lists import Candidate, Lists, NBestList

# The formats whose metrics compare a text with references.
TEXTS = ("Translations", "Summaries")


class Record(NamedTuple):
    """A candidate of which only its features, its text and its quality are known, as far as the file has them."""

    features: Mapping[str, float]
    text: str | None = None
    quality: float | None = None


def read_records(
    stream: TextIO, name: str, metric: str = "mean", references: References | None = None
) -> Lists:  # fmt: skip
    """The lists of a stream of JSON objects, one per line: a unit with its candidates, or one candidate.

    A unit is ``{"id": ..., "candidates": [...]}``. A candidate is ``{"score": number, "features": {name: number}}``,
    with a ``text`` or a ``quality`` (a number); on a line of its own it has the unit's ``id`` too. Lines of a unit
    follow each other. All but ``id`` and what the metric needs may be left out.

    ``mean`` and ``mean-lower`` score by quality; metrics of texts compare texts with ``references``, one for each unit.
    Raises ChoiceError for any other metric and where references lack, and FileError with the line for all that is
    not of this form, and where numbers of units and references differ.
    """
    chosen = _metric(metric, references)
    text = stream.read()
    lists: list[NBestList] = []
    for unit, rows in _units(text, name):
        candidates = tuple(_candidate(row, line, name, chosen) for line, row in rows)
        gold = _gold(references, len(lists))
        lists.append(NBestList(unit, candidates, gold))
    if not lists:
        raise FileError(name, None, "no list found; is this a file of JSON Lines?")
    if references and references.n_units != len(lists):
        raise FileError(name, None, f"{count(len(lists), 'unit')} where {references.names[0]} has {references.n_units}")
    digest = digest_of("records", metric, text, references.lines if references else None)
    return Lists(name, tuple(lists), _statistics(lists, name, chosen, references), chosen, digest, "generic")


def _metric(metric: str, references: References | None) -> Metric:
    known = {m.name: m for m in METRICS.values() if m.family is mean.FAMILY or m.family.reader in TEXTS}
    if metric not in known:
        raise ChoiceError.unknown("metric of JSON lists", metric, known)
    if known[metric].family is not mean.FAMILY and references is None:
        raise ChoiceError(f"{metric} compares texts with references; give a file with one for each unit")
    return known[metric]


def _gold(references: References | None, unit: int) -> tuple[str, ...]:
    """The unit's line of each reference."""
    if references is None or unit >= references.n_units:
        return ()
    return tuple(lines[unit] for lines in references.lines)


def _units(text: str, name: str) -> Iterator[tuple[str, list[tuple[int, dict[str, Any]]]]]:
    """The name of each unit and its candidates, each with its line."""
    unit, rows, seen = "", list[tuple[int, dict[str, Any]]](), set[str]()
    for line, row in _rows(text, name):
        this = _identifier(row, line, name)
        if this != unit or "candidates" in row or not rows:
            if this in seen:
                raise FileError(name, line, f"the id {this!r} once more; lines of one unit must follow each other")
            if rows:
                yield unit, rows
            unit, rows = this, []
            seen.add(this)
        rows.extend((line, candidate) for candidate in _candidates(row, line, name))
    if rows:
        yield unit, rows


def _rows(text: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, row in enumerate(text.split("\n"), start=1):
        if row.strip():
            try:
                value = json.loads(row)
            except (ValueError, RecursionError) as error:
                raise FileError(name, line, f"no JSON ({error})") from None
            yield line, _object(value, line, name)


def _object(value: Any, line: int, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FileError(name, line, f"{_shown(value)} where an object in braces is expected")
    return value


def _identifier(row: Mapping[str, Any], line: int, name: str) -> str:
    value = row.get("id")
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise FileError(name, line, f"the id is {_shown(value)}; every line needs one, a text or a whole number")
    return str(value)


def _candidates(row: dict[str, Any], line: int, name: str) -> list[dict[str, Any]]:
    """The candidates of a line: the row itself if it is one."""
    if "candidates" not in row:
        return [row]
    value = row["candidates"]
    if not isinstance(value, list) or not value:
        raise FileError(name, line, f"candidates is {_shown(value)}; a unit needs a list with at least one")
    return [_object(candidate, line, name) for candidate in value]


def _candidate(row: Mapping[str, Any], line: int, name: str, metric: Metric) -> Candidate:
    features = row.get("features", {})
    if not isinstance(features, dict):
        raise FileError(name, line, f"features is {_shown(features)}; write them as an object, name: number")
    for key in features:
        if not key or not key.isprintable():
            raise FileError(name, line, f"the feature {key!r} has no printable name")
    numbers = {key: _number(value, f"feature {key!r}", line, name) for key, value in features.items()}
    text, quality = row.get("text"), row.get("quality")
    needed = "quality" if metric.family is mean.FAMILY else "text"
    if row.get(needed) is None:
        raise FileError(name, line, f"a candidate without {needed}, which {metric.name} needs")
    if text is not None and not isinstance(text, str):
        raise FileError(name, line, f"text is {_shown(text)}, no text")
    score = _number(row.get("score", 0.0), "score", line, name)
    number = None if quality is None else _number(quality, "quality", line, name)
    return Candidate(score, Record(numbers, text, number))


def _number(value: Any, what: str, line: int, name: str) -> float:
    """A number between -LARGEST and LARGEST, so that sums are exact."""
    try:
        number = math.nan if isinstance(value, bool | str) else float(value)
    except (TypeError, OverflowError):
        number = math.nan
    if not abs(number) <= LARGEST:
        raise FileError(name, line, f"{what} is {_shown(value)}, no number between {-LARGEST:g} and {LARGEST:g}")
    return number


def _shown(value: Any) -> str:
    return "missing" if value is None else json.dumps(value, ensure_ascii=False)[:40]


def _statistics(
    lists: Sequence[NBestList], name: str, metric: Metric, references: References | None
) -> np.ndarray:  # fmt: skip
    """The statistics of all candidates, (candidates, k)."""
    records = [candidate.parse for one in lists for candidate in one.candidates]
    if metric.family is mean.FAMILY or references is None:
        return np.array([(record.quality, 1.0) for record in records])
    sizes = [len(one.candidates) for one in lists]
    repeated = [
        tuple(line for line, n in zip(lines, sizes, strict=True) for _ in range(n)) for lines in references.lines
    ]
    gold, output = References(references.names, tuple(repeated)), Lines(name, tuple(record.text for record in records))
    columns = [metric.family.columns.index(column) for column in metric.columns]
    counted: np.ndarray = metric.family.count(gold, output)[:, columns]
    return counted
