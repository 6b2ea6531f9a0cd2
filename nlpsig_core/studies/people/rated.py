"""The same systems by a metric and by people: outputs that people have judged, or columns of a metric on trial."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.errors import TaskError, check_named
from nlpsig_core.data.metrics.agreement.table import by_system
from nlpsig_core.data.metrics.judged import HUMAN_SCORE
from nlpsig_core.data.metrics.people import FAMILY
from nlpsig_core.data.readers.base import DOCUMENT
from nlpsig_core.data.readers.people.alone import table_of
from nlpsig_core.data.readers.people.segment_scores import SegmentScores
from nlpsig_core.data.task.files import File
from nlpsig_core.data.task.loading import task_of
from nlpsig_core.data.task.test_set import TestSet
from nlpsig_core.significance.comparison.select import Count, Task, count_outputs
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.stats.counts import DROP_UNITS
from nlpsig_core.significance.stats.selected import SelectedTestSet
from nlpsig_core.studies.pair.units import unit_names

NEEDED = (
    "people's scores beside the outputs (human-scores/NAME.tsv), or as the gold beside the scores of metrics "
    "(gold.csv and systems/METRIC.csv), with the columns segment, system and score"
)


class Rated(NamedTuple):
    """The selections of outputs by a metric and by people, who may have judged some of them, on the same units.

    ``known`` (units, systems) tells where both have scores of the ``systems``, whose outputs are ``files``; ``units``
    are names, and ``unit`` is what they are called.
    """

    metric: Selection
    people: Selection
    systems: tuple[str, ...]
    known: np.ndarray
    units: tuple[str, ...]
    unit: str
    files: frozenset[str]

    def shared(self, a: str, b: str) -> np.ndarray:
        """Return the units on which both systems are known, as a mask; ChoiceError for a system that is not rated."""
        for name in (a, b):
            check_named("rated system", name, self.systems)
        return np.asarray(self.known[:, [self.systems.index(a), self.systems.index(b)]].all(axis=1))

    def on(self, selection: Selection, systems: Collection[str], within: np.ndarray) -> Selection:
        """Return one of the two selections on some rated systems and, by mask, units."""
        if np.array_equal(within, selection.first.complete) and set(systems) == set(self.systems):
            # The units of all other pages, on which all pairs of the selection are tested together.
            return selection
        table = selection.task.systems
        chosen = table["file"].isin(self.files) & table["system"].isin(list(systems))
        task = replace(selection.task, systems=table[chosen].reset_index(drop=True))
        return selection.changed(task=task, within=within)


def are_of_metrics(test_set: TestSet) -> bool:
    """Return whether the outputs of a test set are metrics on trial, and its gold people's scores."""
    return test_set.reader.name == FAMILY.reader


def has_people(test_set: TestSet) -> bool:
    """Return whether people have scored the outputs, or the systems that metrics have scored."""
    return are_of_metrics(test_set) or test_set.is_judged


def rated_of(selection: Selection, metric: str = "", count: Count = count_outputs) -> Rated:
    """Return what people have rated in a selection of one test set; TaskError if there are no scores by people.

    If its outputs are metrics, ``metric`` is the file of the one on trial (ChoiceError if there is none); else the
    metric is that of the selection. ``count`` gives the statistics.
    """
    first = selection.first
    if are_of_metrics(first.test_set):
        return _metric_rated(first, metric)
    if not first.test_set.is_judged:
        raise TaskError(f"{first.task.name} has no scores by people. Needed are {NEEDED}")
    counts = count(first.task, first.test_set, HUMAN_SCORE)
    by_metric = selection.only_first.changed(unit=first.resampled)
    people = by_metric.changed(metric=HUMAN_SCORE, counts=counts, invalid=DROP_UNITS)
    names = unit_names(replace(first, unit=first.test_set.reader.unit, within=None, subset=None, domain=""))
    return _on_both(by_metric, people, tuple(names))


def _metric_rated(first: SelectedTestSet, metric: str) -> Rated:
    """Return the rated systems by a metric on trial and by people, where both have scored."""
    test_set, counts = first.test_set, first.counts
    check_named("metric", metric, counts.files)
    people, scores, both = by_system(counts.values[counts.files.index(metric)])
    unit = {test_set.cluster: DOCUMENT}.get(first.unit, first.unit)
    names = getattr(test_set.gold, "segments", tuple(str(number) for number in range(1, len(both) + 1)))
    documents, domains = (tuple(of.tolist()) for of in (test_set.documents, test_set.domains))
    named, selections = ", ".join(filter(None, (first.task.name, test_set.name))), []
    for label, values in ((first.task.names[metric], scores), (HUMAN_SCORE.label, people)):
        of = SegmentScores(
            name=label,
            systems=test_set.classes,
            segments=names,
            values=np.where(both > 0, values, np.nan),
            documents=documents,
            domains=domains,
        )
        task = _task_of(of, named, test_set.reader.unit)
        selection = task.select(edition="higher", invalid=DROP_UNITS, unit=unit, domain=first.domain)
        selections.append(selection.changed(metric=replace(selection.metric, label=label)))
    # Both halves resample documents if these matter for one of them.
    resampled = {of.first.resampled for of in selections}
    unit = DOCUMENT if DOCUMENT in resampled else test_set.reader.unit
    by_metric, by_people = (of.changed(unit=unit) for of in selections)
    known = tuple(name for name, one in zip(names, np.any(both, axis=1).tolist(), strict=True) if one)
    return _on_both(by_metric, by_people, known)


def _task_of(scores: SegmentScores, name: str, unit: str) -> Task:
    """Return the task of rated systems with their scores, whose rows are called ``unit``."""
    file = File("scores.tsv", partial(bytes, table_of(scores).encode()))
    task = task_of({file.path: file}, name)
    test_sets = {of: replace(one, reader=replace(one.reader, unit=unit)) for of, one in task.test_sets.items()}
    return Task(**vars(replace(task, test_sets=test_sets)))


def _on_both(metric: Selection, people: Selection, names: tuple[str, ...]) -> Rated:
    """Return the outputs that both selections have; a system is known on the units that all its outputs have."""
    each, first = (metric.first, people.first), metric.first
    files = [file for file in first.outputs if file in people.first.outputs]
    finite = [np.isfinite(of.counts.values[[of.counts.files.index(f) for f in files]]).all(axis=2) for of in each]
    inside = first.test_set.units_in(first.domain)
    known = finite[0] & finite[1] if inside is None else finite[0] & finite[1] & inside
    systems = tuple(dict.fromkeys(first.task.names[file] for file in files))
    own = [[first.task.names[file] == system for file in files] for system in systems]
    table = np.array([known[of].all(axis=0) for of in own]).reshape(len(systems), -1).T
    return Rated(metric, people, systems, table, names, first.test_set.reader.unit, frozenset(files))
