"""What the sidebar's choices select: the statistics of test sets, waited for on screen, and selections of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.base.version import __version__
from nlpsig_core.data.metrics import Metric
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.task.shared_task import MACRO, SharedTask
from nlpsig_core.data.task.test_set import TestSet
from nlpsig_core.significance.comparison.select import select
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.stats.counting import count_each
from nlpsig_core.significance.stats.counts import Counts
from nlpsig_core.significance.stats.weights import WEIGHTS
from ui.app import choice
from ui.frame.view import View
from ui.work import computations
from ui.work.cache import TaskKey
from ui.work.memory import remember_as, weight
from ui.work.watching import watch

Metrics = dict[str, Metric]


def counted(
    key: TaskKey, task: SharedTask, names: Iterable[str], metric: Metric, edition: str | None, chosen: TestSet
) -> tuple[Metrics, dict[str, Counts]]:
    """Return the metric on each of these test sets, and the statistics of those that have it; of all where none has.

    ``edition`` and ``metric`` are chosen on one test set and mean the same on the others.
    """
    of_names = {name: task.test_sets[name] for name in names}
    metrics = {name: Offer(of, edition).counterpart(metric, chosen) for name, of in of_names.items()}
    having = {name: of for name, of in of_names.items() if len(of_names) == 1 or not Offer(of).lacks(metrics[name])}
    counts = count_each(
        (name, watch(computations.count(key, task, of, metrics[name].family)))
        for name, of in (having or of_names).items()
    )
    return metrics, counts


def counting(key: TaskKey) -> Callable[[SharedTask, TestSet, Metric], Counts]:
    """Return what ``select`` takes to count the outputs of another task, waited for on screen."""
    return lambda task, test_set, metric: watch(computations.count(key, task, test_set, metric.family))


def offered(test_sets: Collection[TestSet], counts: Collection[Counts]) -> dict[str, list[str]]:
    """Return what domain, unit, treatment of invalid outputs and weights can be; nothing where there is no choice."""
    domains = list(dict.fromkeys(domain for test_set in test_sets for domain in test_set.domain_choices))
    first, *others = (test_set.resampling_units for test_set in test_sets)
    units = [unit for unit in first if all(unit in possible for possible in others)]
    return {
        "domain": ["", *domains] if domains else [],
        "unit": ["", *units] if len(units) > 1 else [],
        "invalid": list(next(iter(counts)).treatments) if any(of.problems for of in counts) else [],
        "weights": list(WEIGHTS),
    }


def selected(
    key: TaskKey, task: SharedTask, metrics: Metrics, counts: dict[str, Counts], name: str, choices: dict[str, str]
) -> Selection:
    """Return the selection of a test set or of all (MACRO) by its ``choices``: domain, unit, invalid, weights."""
    of_metrics = tuple((name, metric.name, metric.editions) for name, metric in metrics.items())
    return remember_as(
        (__version__, key, digest_of(task.systems.to_csv()), name, of_metrics, tuple(choices.items())),
        lambda: select(task, lambda of: metrics[of.name], name, count=lambda _, of, metric: counts[of.name], **choices),
        weigh=lambda selection: weight(selection, selection.stats),
    )


def on_first_test_set(key: TaskKey, task: SharedTask, metric: Metric) -> Selection:
    """Return the selection of another task by a metric, on all units of its first test set; ChoiceError without it."""
    test_set, offer = task.test_set(), Offer(task.test_set())
    if offer.lacks(metric):
        raise ChoiceError.unknown("metric", metric.label, offer.metrics)
    counts = watch(computations.count(key, task, test_set, metric.family))
    return selected(key, task, {test_set.name: metric}, {test_set.name: counts}, test_set.name, {})


def over_all_test_sets(view: View) -> View:
    """Return the same choices over all test sets; NlpsigError where they cannot be shown together."""
    if view.selection.several:
        return view
    names = list(view.task.test_sets)
    metrics, counts = counted(view.key, view.task, names, view.metric, view.edition, view.first.test_set)
    options = offered(view.task.test_sets.values(), counts.values())
    choices = {name: choice.current(name, of_name) if of_name else "" for name, of_name in options.items()}
    return replace(view, selection=selected(view.key, view.task, metrics, counts, MACRO, choices))
