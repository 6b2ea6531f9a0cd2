"""Scores of segments, of which systems are the columns -> a task of their own, read as a table of scores."""

from __future__ import annotations

from functools import partial

import numpy as np

from nlpsig_core.data.readers.people.segment_scores import SegmentScores
from nlpsig_core.data.task.files import File
from nlpsig_core.data.task.loading import task_of
from nlpsig_core.data.task.shared_task import SharedTask


def task_of_scores(scores: SegmentScores, name: str) -> SharedTask:
    """Return the task in which the rated systems compete, by their mean score over segments."""
    table = "\n".join(_rows(scores)).encode()
    return task_of({"scores.tsv": File("scores.tsv", partial(bytes, table))}, name)


def _rows(scores: SegmentScores) -> list[str]:
    documents, domains = (of or ("",) * scores.n_units for of in (scores.documents, scores.domains))
    rows = ["unit\tdocument\tdomain\tsystem\tscore"]
    for segment, document, domain, values in zip(scores.segments, documents, domains, scores.values, strict=True):
        rows += [
            f"{segment}\t{document}\t{domain}\t{system}\t{value!r}"
            for system, value in zip(scores.systems, values.tolist(), strict=True)
            if not np.isnan(value)
        ]
    return rows
