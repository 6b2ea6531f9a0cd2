"""From a task to a selection in one call: ``load_task("...").select(metric="LAS")``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

import numpy as np

from nlpsig_core.base.engine import Workers
from nlpsig_core.base.errors import ChoiceError, check_named, check_types
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.task.loading import FormatKnown, accept, files_at, task_of
from nlpsig_core.data.task.shared_task import MACRO, Correction, SharedTask
from nlpsig_core.data.task.test_set import TestSet
from nlpsig_core.significance.comparison.notion import BOOTSTRAP, Notion
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.paired_tests import PValues
from nlpsig_core.significance.resampling.bootstrap import Bootstrap
from nlpsig_core.significance.stats.counting import FileProgress, count_each, count_test_set
from nlpsig_core.significance.stats.counts import Counts
from nlpsig_core.significance.stats.selected import SelectedTestSet
from nlpsig_core.significance.stats.weights import EQUAL, WEIGHTS

Count = Callable[[SharedTask, TestSet, Metric], Counts]
Choose = Callable[[TestSet], Metric]


class Task(SharedTask):
    """A shared task whose systems can be selected by a metric; ``load_task`` makes it.

    Examples
    --------
    >>> import nlpsig_core as nlpsig
    >>> task = nlpsig.load_task("orvan-three-test-sets")
    >>> list(task.test_sets)
    ['brelda', 'llethir', 'shumak']
    >>> task.select(metric="LAS", test_set="macro-average").several
    True
    """

    def select(
        self,
        metric: str | None = None,
        test_set: str | None = None,
        *,
        edition: str | int | None = None,
        domain: str = "",
        unit: str = "",
        invalid: str = "",
        weights: str = EQUAL,
        workers: Workers = Workers(),
    ) -> Selection:
        """Return the selection of a test set by a metric; ChoiceError lists what can be chosen.

        Parameters
        ----------
        metric
            Its label or full name; by default the first one of the format.
        test_set
            A test set, by default the first, or "macro-average" for the mean over all.
        edition
            The edition of the evaluation; by default the usual one of the gold.
        domain, unit, invalid
            As in ``SelectedTestSet``: "news", "document", "leave out".
        weights
            How a macro-average weighs test sets, one of ``WEIGHTS``.
        workers
            Workers of Dask that count what the cache does not have.

        Returns
        -------
        Selection
            Systems, units and metric, ready for ``bootstrap``.
        """
        check_types(workers=(workers, Workers))
        choices = (metric, edition, test_set)
        of_metric, of_edition, of_test_set = (None if choice is None else str(choice) for choice in choices)
        domain, unit, invalid = (str(choice or "") for choice in (domain, unit, invalid))
        selection = select(
            self,
            lambda of: Offer(of, of_edition).metric(of_metric),
            of_test_set,
            domain=domain,
            unit=unit,
            invalid=invalid,
            weights=str(weights),
            count=partial(count_outputs, workers=workers),
        )
        for part in selection.test_sets.values():
            part.counts.check(part.invalid)
        return selection


def load_task(
    path: str | Path,
    gold: str | Path | None = None,
    correction: Correction = Correction(),
    known: FormatKnown = accept,
) -> Task:
    """Return the shared task in a folder, a zip, a pack, a score table, or of the sample of that name.

    ``gold`` names gold that is supplied separately; ``correction`` overrides what is inferred from the files; ``known``
    as in ``task_of``.
    """
    check_types(correction=(correction, Correction))
    files, name = files_at(path, gold)
    return Task(**vars(task_of(files, name, correction, known)))


def count_outputs(
    task: SharedTask,
    test_set: TestSet,
    metric: Metric,
    progress: FileProgress | None = None,
    workers: Workers = Workers(),
) -> Counts:
    """Return the statistics of all systems of a task (``count_test_set``), from the disk cache where they are known."""
    return count_test_set(test_set, task.files_on(test_set), metric.family, progress, workers=workers)


def select(
    task: SharedTask,
    metric: Metric | Choose,
    test_set: str | None = None,
    *,
    domain: str = "",
    unit: str = "",
    invalid: str = "",
    weights: str = EQUAL,
    count: Count = count_outputs,
) -> Selection:
    """Return the selection of a test set (the first by default), or of all for their mean with these ``weights``.

    ``metric`` may give each test set its own edition; ``count`` gives the statistics. Of all test sets, those without
    the domain are left out, and so are those that lack the metric, if others have it. Those without the domain
    that "all but" excepts take part whole.
    """
    check_named("weights", weights, WEIGHTS)
    if test_set != MACRO:
        only = task.test_set(test_set)
        domains, weights = {only.name: domain}, EQUAL
    else:
        domains = {name: own for name, of in task.test_sets.items() if (own := of.domain_here(domain)) is not None}
    if not domains:
        known = {name for of in task.test_sets.values() for name in of.domains.tolist()}
        raise ChoiceError.unknown("domain", domain, known)
    test_sets = {name: task.test_sets[name] for name in domains}
    metrics = _metrics(metric, test_sets)
    counts = count_each((name, count(task, test_sets[name], of)) for name, of in metrics.items())
    selected = {
        name: SelectedTestSet(
            task=task,
            test_set=test_sets[name],
            counts=counts[name],
            metric=own,
            domain=domains[name],
            unit=unit,
            invalid=invalid,
        )
        for name, own in metrics.items()
    }
    return Selection(selected, weights)


def _metrics(metric: Metric | Choose, test_sets: Mapping[str, TestSet]) -> dict[str, Metric]:
    """Return the metric of each test set that has it; of all, if all lack one that is given."""
    metrics, errors = {}, []
    for name, test_set in test_sets.items():
        try:
            metrics[name] = metric(test_set) if callable(metric) else metric
        except ChoiceError as error:
            errors.append(error)
    if not metrics:
        raise errors[0]
    return {name: of for name, of in metrics.items() if not Offer(test_sets[name]).lacks(of)} or metrics


def named_apart(selections: Iterable[tuple[str, Selection]]) -> dict[str, Selection]:
    """Return the selections by name, in their order; where names are equal, later ones have numbers: "en", "en #2"."""
    named: dict[str, Selection] = {}
    for name, selection in selections:
        apart, number = name, 1
        while apart in named:
            number += 1
            apart = f"{name} #{number}"
        named[apart] = selection
    return named


def evidence(
    selection: Selection,
    notion: Notion,
    bootstrap: Callable[[], Bootstrap],
    tested: Callable[[str], PValues],
    by_max_t: Callable[[Bootstrap], np.ndarray],
) -> tuple[Selection, Bootstrap, np.ndarray | None, tuple[tuple[str, PValues], ...]]:
    """Return the arguments of ``Results``: what takes long and what the notion needs, each made by its function.

    ``tested`` takes the name of a test other than the bootstrap, ``by_max_t`` the bootstrap.
    """
    result, test = bootstrap(), notion.test_on(selection.stats)
    by_tests = () if test == BOOTSTRAP else ((test, tested(test)),)
    return selection, result, by_max_t(result) if notion.by_max_t else None, by_tests
