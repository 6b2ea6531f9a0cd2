"""Ratings one by one: text -> each rater's score of a segment of a system, from errors (MQM) or scores."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import count
from nlpsig_core.data.readers.separated import first_cells, read_spreadsheet, rows_of, separator_of
from nlpsig_core.data.readers.tables.scores import is_missing, is_number, read_number

# Names of the columns of tables, the most likely ones first; compared in lower case, with _ for spaces.
COLUMNS = {
    "system": ("system", "system_id", "system_name", "sys", "model", "mt"),
    "segment": (
        "segment", "segment_id", "seg_id", "global_seg_id", "seg", "item", "item_id", "itemid", "line_id", "id", "unit",
        "sentence", "example",
    ),
    "document": ("document", "doc", "doc_id", "docid", "document_id", "documentid"),
    "rater": ("rater", "rater_id", "annotator", "annotator_id", "judge", "user", "user_id", "login", "worker_id"),
    "severity": ("severity",),
    "category": ("category",),
    "weight": ("weight",),
    "run": ("run", "seed"),
}  # fmt: skip
SCORE = (
    "score", "value", "rating", "mqm", "mqm_score", "esa", "esa_score", "da", "da_score", "raw_score", "overall",
    "human", "z_score",
)  # fmt: skip
# Weights of errors by category and severity (Freitag et al. 2021, table 12); a column weight replaces them.
WEIGHTS = {
    "minor fluency/punctuation": 0.1,
    "non-translation": 25.0,
    "major": 5.0,
    "minor": 1.0,
    "neutral": 0.0,
    "no-error": 0.0,
}
# The severity of errors that were put into a text to see whether raters find them.
QUALITY_CHECK = "hotw-test"
# Columns of exports of Appraise, which have no header, and what distinguishes rows of systems from quality checks.
APPRAISE = ("rater", "system", "segment", "kind", "from", "to", "score", "document", "whole")
OF_SYSTEM, OF_CHECKS = "TGT", ("BAD", "REF", "CHK")
CHECKED = re.compile(r"#|-tutorial")
# So many names that all differ are ids of items, not systems.
FEWEST_IDS = 5


class Rating(NamedTuple):
    """One rater's score of a segment of a system, NaN if there is none; a higher one is better."""

    segment: str
    system: str
    rater: str
    score: float


class Ratings(NamedTuple):
    """The ratings of a file, the document of each segment if the file names documents, and notes."""

    rows: list[Rating]
    documents: Mapping[str, str] = {}
    notes: tuple[str, ...] = ()


def looks_like_segment_scores(head: str) -> bool:
    """Return whether a file has lines of system and score, is an export of Appraise, or a table of ratings."""
    if _columns(head) or _is_appraise(head):
        return True
    rows = [line.split("\t") for line in head.split("\n") if line.strip()]
    first, names = rows[0] if rows else [], {row[0] for row in rows}
    scored = len(first) == 2 and (first[1].strip() == "None" or is_number(first[1])) and not is_number(first[0])
    return scored and len(names) < max(len(rows), FEWEST_IDS)


def is_of_raters(text: str) -> bool:
    """Return whether a table has errors, or scores of named raters and no runs; or is an export of Appraise."""
    columns = _columns(text)
    return "severity" in columns or ("rater" in columns and "run" not in columns) or _is_appraise(text)


def ratings_of(text: str, name: str) -> Ratings:
    """Return the ratings of a file: lines of system and score in the order of segments, a table, or an export.

    FileError for a score that is not a number or a severity without a weight, and if systems have different numbers of
    segments without names.
    """
    if columns := _columns(text):
        return _of_table(text, name, columns)
    return _of_appraise(text, name) if _is_appraise(text) else Ratings(_of_lines(text, name))


def _of_lines(text: str, name: str) -> list[Rating]:
    """Return ratings from lines of system and score; a system's n-th line is that of the n-th segment."""
    rows: list[Rating] = []
    lengths: Counter[str] = Counter()
    for line, row in enumerate(text.split("\n"), 1):
        if not row.strip():
            continue
        system, tab, score = row.partition("\t")
        if not tab:
            raise FileError(name, line, "one column; each line needs a system, a tab and a score")
        lengths[system] += 1
        rows.append(Rating(str(lengths[system]), system, "", read_number(score.strip(), name, line)))
    if len(set(lengths.values())) > 1:
        few, many = min(lengths, key=lengths.__getitem__), max(lengths, key=lengths.__getitem__)
        reason = f"{few} has {lengths[few]:,} scores, {many} has {lengths[many]:,}; each system needs a line a segment"
        raise FileError(name, None, reason)
    return rows


def _columns(text: str) -> dict[str, str]:
    """Return the columns of a table of ratings by what they hold; {} if it is another table.

    It has systems and segments (or documents), and severities or one recognised column of scores.
    """
    cells = _first_row(text)
    plain = {name.lower().replace(" ", "_"): name for name in cells}
    found = {
        what: plain[known] for what, names in COLUMNS.items() if (known := next(filter(plain.__contains__, names), ""))
    }
    if "system" not in found or found.keys().isdisjoint(("segment", "document")):
        return {}
    if "severity" in found:
        return found
    named = [
        plain[name]
        for name in SCORE
        if name in plain and (is_number(cells[plain[name]]) or is_missing(cells[plain[name]]))
    ]
    numbers = [name for name, cell in cells.items() if name not in found.values() and is_number(cell)]
    scores = named[:1] or numbers
    return found | {"score": scores[0]} if len(scores) == 1 else {}


def _first_row(text: str) -> dict[str, str]:
    """Return the cells of a table's first row by column name; {} if the text does not begin like a table."""
    try:
        sheet = read_spreadsheet(text, "", tabs_quoted=False, most=1)
    except FileError:
        return {}
    return {name: cells[0] for name, cells in sheet.columns.items()}


def _of_table(text: str, name: str, columns: Mapping[str, str]) -> Ratings:
    """Return ratings from a table; a segment without a name of its own is its document."""
    errors = "severity" in columns
    # Tools for annotation separate cells by tabs and quote none.
    sheet = read_spreadsheet(text, name, tabs_quoted=not errors)
    cells = {what: sheet.columns[column] for what, column in columns.items()}
    segments, documents = _segments(cells)
    # Where raters have no names, each score is another rater's, and all errors are one rater's.
    raters = cells.get("rater") or ([""] * len(segments) if errors else list(map(str, sheet.lines)))
    keys = list(zip(segments, cells["system"], raters, strict=True))
    if errors:
        return _of_errors(name, keys, cells, sheet.lines)._replace(documents=documents)
    scores = [read_number(cell, name, line) for cell, line in zip(cells["score"], sheet.lines, strict=True)]
    return Ratings([Rating(*key, score) for key, score in zip(keys, scores, strict=True)], documents)


def _segments(cells: Mapping[str, list[str]]) -> tuple[list[str], dict[str, str]]:
    """Return the segment of each row, named with its document if documents number their own, and their documents."""
    documents = cells.get("document", [])
    if not documents or "segment" not in cells:
        return cells.get("segment", documents), {}
    segments = cells["segment"]
    if len(set(zip(segments, documents, strict=True))) > len(set(segments)):
        segments = list(map(named_in, documents, segments))
    return segments, dict(zip(segments, documents, strict=True))


def named_in(document: str, segment: str) -> str:
    """Return the name of a segment that is numbered within its document."""
    return f"{segment} of {document}"


def _of_errors(
    name: str, keys: Sequence[tuple[str, str, str]], cells: Mapping[str, list[str]], lines: Sequence[int]
) -> Ratings:
    """Return ratings from marked errors: minus the sum of the weights of each rater's errors in a segment.

    A rater who found no error has a row that says so; without any row, there is no rating.
    """
    nothing = [""] * len(lines)
    weights, severities, categories = (cells.get(what, nothing) for what in ("weight", "severity", "category"))
    totals: dict[tuple[str, str, str], float] = {}
    checks = 0
    for key, cell, severity, category, line in zip(keys, weights, severities, categories, lines, strict=True):
        if severity.lower() == QUALITY_CHECK:
            checks += 1
        elif is_missing(cell) and is_missing(severity) and is_missing(category):
            totals.setdefault(key, np.nan)
        else:
            weight = _weight(severity, category, name, line) if is_missing(cell) else read_number(cell, name, line)
            totals[key] = np.nan_to_num(totals.get(key, 0.0)) - weight
    rows = [Rating(*key, float(total)) for key, total in totals.items()]
    weighed = ", ".join(f"{error} {weight:g}" for error, weight in WEIGHTS.items())
    by = f"minus the weights of errors ({weighed})" + (", or those of the column weight" if "weight" in cells else "")
    return Ratings(rows, notes=(f"scores are {by}", *_left_out(checks)))


def _weight(severity: str, category: str, name: str, line: int) -> float:
    """Return the weight of an error; FileError for an unknown severity."""
    # As WEIGHTS writes them, unlike Non-translation!, No_error, Fluency / Punctuation.
    plain = (cell.lower().rstrip("!").replace("_", "-") for cell in (severity, category))
    severity, category = (re.sub(r"\s*/\s*", "/", cell) for cell in plain)
    for error in (f"{severity} {category}", category, severity):
        if error in WEIGHTS:
            return WEIGHTS[error]
    known = "major, minor, neutral, no-error"
    raise FileError(name, line, f"unknown severity {severity!r}; use one of {known}, or add a column weight")


def _left_out(checks: int) -> tuple[str, ...]:
    return (f"{count(checks, 'row')} left out: checks of quality, or scores of whole documents",) if checks else ()


def _is_appraise(text: str) -> bool:
    """Return whether the first line is one of an export of Appraise."""
    cells = first_cells(text)
    return len(cells) >= 7 and cells[3] in (OF_SYSTEM, *OF_CHECKS) and is_number(cells[6])


def _of_appraise(text: str, name: str) -> Ratings:
    """Return the ratings of an export of Appraise, without those of degraded or repeated texts and references."""
    judged: list[Rating] = []
    documents: dict[str, str] = {}
    checks = 0
    for line, row in rows_of(text, name, separator_of(text)):
        if len(row) < APPRAISE.index("score") + 1:
            raise FileError(name, line, f"{len(row)} columns; Appraise writes {', '.join(APPRAISE)}")
        cells = dict(zip(APPRAISE, map(str.strip, row), strict=False))
        document = cells.get("document", "")
        if cells["kind"] != OF_SYSTEM or cells.get("whole") == "True" or CHECKED.search(document):
            checks += 1
            continue
        score = read_number(cells["score"], name, line)
        judged.append(Rating(cells["segment"], cells["system"], cells["rater"], score))
        documents[cells["segment"]] = document
    return Ratings(judged, documents if all(documents.values()) else {}, _left_out(checks))
