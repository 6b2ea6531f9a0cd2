"""Scores of segments, of which systems are the columns -> a task of their own, read as a table of scores."""

from __future__ import annotations

from functools import partial

from nlpsig_core.data.readers.people.alone import table_of
from nlpsig_core.data.readers.people.segment_scores import SegmentScores
from nlpsig_core.data.task.files import File
from nlpsig_core.data.task.loading import task_of
from nlpsig_core.data.task.shared_task import SharedTask


def task_of_scores(scores: SegmentScores, name: str) -> SharedTask:
    """Return the task in which the rated systems compete, by their mean score over segments."""
    table = table_of(scores).encode()
    return task_of({"scores.tsv": File("scores.tsv", partial(bytes, table))}, name)
