"""Metrics on trial: a task whose outputs are metrics, and its gold people's scores."""

from __future__ import annotations

from functools import partial

import numpy as np

from nlpsig_core.base.errors import TaskError
from nlpsig_core.data.metrics.judged import HUMAN_SCORE
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.metrics.people import FAMILY
from nlpsig_core.data.readers.people.alone import table_of
from nlpsig_core.data.readers.people.segment_scores import SegmentScores
from nlpsig_core.data.task.files import File, Files
from nlpsig_core.data.task.loading import task_of
from nlpsig_core.data.task.shared_task import Correction, SharedTask
from nlpsig_core.significance.comparison.select import count_outputs
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.resampling.blocks import Progress
from nlpsig_core.studies.people.rated import Rated, are_of_metrics, rated_of


def trial_of(selection: Selection, progress: Progress | None = None) -> SharedTask:
    """Return the task of a selection if its outputs are metrics, else one of its metrics that score single units.

    The latter are tried by the scores of the units that people have judged; TaskError if no metric scores single units.
    """
    if are_of_metrics(selection.first.test_set):
        return selection.task
    test_set = selection.first.test_set
    offered = [of for of in Offer(test_set).metrics.values() if of.by_unit and of is not HUMAN_SCORE]
    if not offered:
        raise TaskError(f"No metric of {test_set.reader.name} scores single {test_set.reader.unit}s")
    files: Files = {}
    for number, metric in enumerate(offered, 1):
        counts = count_outputs(selection.task, test_set, metric)
        of_metric = selection.changed(metric=metric, counts=counts, unit=test_set.reader.unit, invalid="")
        rated = rated_of(of_metric)
        if not files:
            files["gold.tsv"] = _file("gold.tsv", _judged(rated), rated)
        path = f"systems/{metric.label.replace('/', '_')}.tsv"
        files[path] = _file(path, _scored(rated), rated)
        if progress:
            progress(number, len(offered))
    return task_of(files, selection.task.name, Correction(format=FAMILY.reader))


def _judged(rated: Rated) -> np.ndarray:
    """Return people's scores, (units, systems), the mean over a system's outputs."""
    first = rated.people.first
    names = [first.task.names[file] for file in first.outputs]
    values = first.counts.values[[first.counts.files.index(file) for file in first.outputs], :, 0]
    return np.array([values[[name == system for name in names]].mean(axis=0) for system in rated.systems]).T


def _scored(rated: Rated) -> np.ndarray:
    """Return scores of units by a metric, (units, systems), the better the higher."""
    first, table = rated.metric.first, np.full(rated.known.shape, np.nan)
    places = [first.stats.names.index(system) for system in rated.systems]
    table[first.complete] = rated.metric.metric.sign * first.stats.unit_scores[places].T
    return table


def _file(path: str, values: np.ndarray, rated: Rated) -> File:
    """Return scores of units and systems, where both people and the metric have them, as a file."""
    units = rated.units or tuple(str(number) for number in range(1, len(values) + 1))
    scores = SegmentScores(name=path, systems=rated.systems, segments=units, values=values)
    return File(path, partial(bytes, table_of(scores.only(rated.known)).encode()))
