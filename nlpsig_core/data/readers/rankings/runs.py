"""Runs: a system's ranking of documents for each topic, of TREC, of MS MARCO or in JSON: text stream -> Run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import finite_number, whole_number
from nlpsig_core.data.readers.rankings.rows import NESTED, SHOWN, Rows, read_rows

COLUMNS = ("topic", "Q0", "document", "rank", "score", "tag")
SHORT = ("topic", "document", "rank")
NO_SCORES = "no scores (topic document rank): documents are in the order of their ranks"
# JSON with the name of a measure of trec_eval in place of the first document.
MEASURES = "map|gm_map|ndcg|recall|recip_rank|mrr|rprec|bpref|success|iprec|num_ret|num_rel|num_q"
BY_MEASURE = re.compile(rf'{NESTED.pattern}\s*"({MEASURES})(\b|_)', re.IGNORECASE)
# How many tags a note lists.
LISTED = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class Run:
    """The rankings of a run: the documents of each topic, the best first."""

    name: str
    rankings: Mapping[str, tuple[str, ...]]
    notes: tuple[str, ...] = ()

    @property
    def n_units(self) -> int:
        """Number of topics that the run has."""
        return len(self.rankings)


def looks_like_run(head: str) -> bool:
    """Return whether the first line has or names a rank where runs have it, or JSON has values by topic and document.

    Values by topic and measure, as evaluations have them, are none of a run.
    """
    first = head.lstrip().partition("\n")[0].split()
    ranks = [first[of.index("rank")] for of in (COLUMNS, SHORT) if len(of) == len(first)]
    ranked = any(rank.lower() == "rank" or whole_number(rank) is not None for rank in ranks)
    return ranked or (NESTED.match(head) is not None and not BY_MEASURE.match(head))


def read_run(stream: TextIO, name: str) -> Run:
    """Return the rankings of a stream: by score, and ties by document, both falling, as in trec_eval.

    Scores are compared in single precision; ranks are used only if there are no scores. What stands behind topic and
    document are ranks if all are whole numbers, else scores. FileError for one that is not a finite number and for a
    document that a topic has twice.
    """
    rows = read_rows(stream, name, COLUMNS, SHORT)
    column = "score" if "score" in rows.columns else "rank"
    scores = _numbers(rows, name, column)
    ranked = column == "rank" and all(number >= 0 and number.is_integer() for number in scores)
    if ranked:
        scores = [-rank for rank in scores]
    by_topic: dict[str, list[tuple[float, str]]] = {}
    for topic, document, score in zip(rows.columns["topic"], rows.columns["document"], scores, strict=True):
        by_topic.setdefault(topic, []).append((score, document))
    rankings = {}
    for topic, scored in by_topic.items():
        scored.sort(reverse=True)
        rankings[topic] = tuple(document for _, document in scored)
        if len(set(rankings[topic])) < len(scored):
            raise _twice(rows, name, topic)
    notes = [NO_SCORES] if ranked else _on_tags(list(dict.fromkeys(rows.columns.get("tag", ()))), name)
    return Run(name=name, rankings=rankings, notes=tuple(notes))


def _numbers(rows: Rows, name: str, column: str) -> list[float]:
    """Return the scores, or ranks, in the precision in which trec_eval compares scores."""
    cells = rows.columns[column]
    try:
        numbers = np.array(list(map(float, cells)))
    except ValueError:
        numbers = np.array(list(map(finite_number, cells)), dtype=np.float64)
    if not np.isfinite(numbers).all():
        odd = int(np.flatnonzero(~np.isfinite(numbers))[0])
        raise rows.error(name, odd, f"the {column} {cells[odd][:SHOWN]!r} is not a finite number")
    with np.errstate(over="ignore"):
        return list(numbers.astype(np.float32).tolist())


def _twice(rows: Rows, name: str, topic: str) -> FileError:
    """Return the error at the first document that a topic has again."""
    first: dict[str, int] = {}
    for row, (of, document) in enumerate(zip(rows.columns["topic"], rows.columns["document"], strict=True)):
        if of == topic and first.setdefault(document, row) != row:
            break
    reason = f"topic {topic} has the document {document} twice, first on line {rows.lines[first[document]]}"
    return FileError(name, rows.lines[row], reason)


def _on_tags(tags: Sequence[str], name: str) -> list[str]:
    """Return a note on several tags of a run, or on one that is not in the file's name."""
    if not tags:
        return []
    first, *others = tags
    if others:
        listed = ", ".join(tag[:SHOWN] for tag in tags[:LISTED]) + ", ..." * (len(tags) > LISTED)
        return [f"{len(tags)} run tags: {listed}"]
    return [] if first in name else [f"run tag {first[:SHOWN]}"]
