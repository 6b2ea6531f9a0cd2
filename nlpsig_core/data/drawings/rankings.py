"""Drawings of topics: the query, and the first documents of each run side by side with their judgements."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nlpsig_core.base.words import count
from nlpsig_core.data.drawings.markup import (
    NO_OUTPUT,
    badge,
    element,
    escape,
    frame,
    head,
    listed,
    numbered,
    paragraph,
    scrolling,
    span,
    table,
)
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.readers.rankings.judgements import Judgements
from nlpsig_core.data.readers.rankings.runs import Run

# How many documents of each run are shown.
FIRST = 10
UNJUDGED = "?"
NO_DOCUMENT = "no document"


def lengths(gold: Judgements) -> np.ndarray:
    """Count the relevant documents of each topic, (topics,)."""
    return np.array([_relevant(grades) for grades in gold.grades], dtype=np.int64)


def text(gold: Judgements, unit: int) -> str:
    """Return the topic and, where it is known, its query."""
    return " ".join(filter(None, (_name(gold, unit), gold.queries[unit] if gold.queries else "")))


def _name(gold: Judgements, unit: int) -> str:
    return f"topic {gold.topics[unit]}"


def _relevant(grades: Mapping[str, int]) -> int:
    return sum(grade > 0 for grade in grades.values())


def draw(gold: Judgements, outputs: Mapping[str, Run | None], unit: int, metric: Metric) -> str:
    """Draw the query of a topic and a table of the first documents of each run; it is the same for all metrics."""
    grades, query = gold.grades[unit], gold.queries[unit] if gold.queries else ""
    known = listed(count(_relevant(grades), "relevant document"), f"{len(grades):,} judged")
    rankings = {
        name: () if run is None else run.rankings.get(gold.topics[unit], ())[:FIRST] for name, run in outputs.items()
    }
    columns = ["rank"]
    for number, (name, run) in enumerate(outputs.items(), 1):
        lacking = NO_OUTPUT if run is None else "" if rankings[name] else NO_DOCUMENT
        columns.append(numbered(name, number) + (span("summary", lacking) if lacking else ""))
    longest = max(map(len, rankings.values()), default=0)
    rows = [(str(rank + 1), *_cells(rank, rankings, grades)) for rank in range(longest)]
    documents = scrolling(table("scores ranking", columns, rows), label="rankings")
    parts = [head(_name(gold, unit), known), *([paragraph(query)] if query else []), documents]
    return frame(*parts, legend=_legend(grades, rankings), words=[query])


def _cells(rank: int, rankings: Mapping[str, tuple[str, ...]], grades: Mapping[str, int]) -> list[str]:
    """Return what each run has at a rank: the grade, the document, and its ranks among the first of the others."""
    cells = []
    for name, documents in rankings.items():
        if rank >= len(documents):
            cells.append(element("", tag="td"))
            continue
        document = documents[rank]
        also = [
            element("also", badge(number), str(others.index(document) + 1), tag="span")
            for number, (other, others) in enumerate(rankings.items(), 1)
            if other != name and document in others
        ]
        shown = element("", escape(document), tag="bdi")
        cells.append(element("", _grade(grades.get(document)), " ", shown, *also, tag="td"))
    return cells


def _grade(grade: int | None) -> str:
    """Return the grade of a document in a box: filled if it is relevant, dashed if it was not judged."""
    if grade is None:
        return span("grade unjudged", UNJUDGED, title="not judged")
    kind, title = ("relevant", "relevant") if grade > 0 else ("", "not relevant")
    return span(f"grade {kind}".strip(), str(grade), title=title)


def _legend(grades: Mapping[str, int], rankings: Mapping[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    shown = [document for documents in rankings.values() for document in documents]
    marks = [(_grade(1), "grade of a relevant document"), (_grade(0), "not relevant")]
    marks += [(_grade(None), "not judged")] if any(document not in grades for document in shown) else []
    both = len(set(shown)) < len(shown)
    return marks + ([(element("also", badge(2), "3", tag="span"), "also 3rd in run 2")] if both else [])
