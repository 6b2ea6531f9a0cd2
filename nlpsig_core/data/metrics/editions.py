"""Which metrics and editions a test set offers, and which one a name means on it."""

from __future__ import annotations

from dataclasses import replace

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.metrics import METRICS, editions_for, metric_named, metrics_for, metrics_of, usual_edition
from nlpsig_core.data.metrics.answers import FAMILY, metric_of_family, metrics_in
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.task.test_set import TestSet


def metric_of(test_set: TestSet, name: str | None = None, edition: str | None = None) -> Metric:
    """The metric of that name (the first on offer by default) in the edition that is named or usual.

    ChoiceError lists the metrics, or the editions where one must be named.
    """
    of = edition_of(test_set, name, edition)
    if name is None and (offered := metrics_on(test_set, of)):
        return next(iter(offered.values()))
    return named_on(test_set, name, of, only=edition is not None)


def named_on(test_set: TestSet, name: str | None, edition: str | None, only: bool = False) -> Metric:
    """The metric that ``metric_named`` finds; ChoiceError if a pack does not have its statistics."""
    of_logs = metrics_of_logs(test_set)
    if name in of_logs:
        return of_logs[name]
    if of_logs and name not in METRICS and name not in metrics_for(test_set.reader.name):
        raise ChoiceError.unknown("metric", str(name), metrics_on(test_set, edition))
    metric = metric_named(name, test_set.reader.name, edition, only)
    if not offers(test_set, metric):
        raise ChoiceError.unknown("metric in this pack", metric.label, metrics_on(test_set, edition))
    return _told(test_set, metric)


def metrics_on(test_set: TestSet, edition: str | None = None) -> dict[str, Metric]:
    """The metrics of an edition (None: the usual one) that a test set offers, by label."""
    metrics = metrics_for(test_set.reader.name, edition or usual_on(test_set))
    offered = {label: _told(test_set, metric) for label, metric in metrics.items() if offers(test_set, metric)}
    of_logs = metrics_of_logs(test_set)
    # If all tasks have the same main metric, its own name says more.
    by_name = bool(of_logs) and test_set.packed is None and test_set.gold.one_main
    return of_logs if by_name else offered | of_logs


def _told(test_set: TestSet, metric: Metric) -> Metric:
    """The metric; of a task's main one, with its name for signatures."""
    if metric.family is not FAMILY or test_set.packed is not None:
        return metric
    return replace(metric, details={"main": test_set.gold.main})


def metrics_of_logs(test_set: TestSet) -> dict[str, Metric]:
    """The metrics that the logs of an evaluation have beside those of METRICS, by name; of other formats none."""
    if not test_set.reader.logs:
        return {}
    if test_set.packed is None:
        return metrics_in(test_set.gold)
    return {metric.name: metric for family in test_set.packed.families if (metric := metric_of_family(family))}


def lacks(test_set: TestSet, metric: Metric) -> bool:
    """Whether the logs of a test set do not have a metric that those of another have."""
    of_logs = metrics_of_logs(test_set)
    if metric.name not in of_logs:
        return bool(of_logs) and metric_of_family(metric.family.name) is not None
    return test_set.packed is None and metric.name not in test_set.gold.own


def offers(test_set: TestSet, metric: Metric) -> bool:
    """Whether a test set can be scored by a metric: a pack only if it has the statistics."""
    return test_set.packed is None or test_set.packed.suffices_for(metric.family.name, metric.columns)


def editions_on(test_set: TestSet) -> list[str]:
    """The editions with a metric that the test set offers, the newest first."""
    known = editions_for(test_set.reader.name)
    offered = [metric for metric in metrics_of(test_set.reader.name) if offers(test_set, metric)]
    return [edition for edition in known if any(edition in metric.editions for metric in offered)] or known


def usual_on(test_set: TestSet) -> str | None:
    """The edition with which a pack was made, else the one that fits the gold (``usual_edition``)."""
    if test_set.packed is not None and test_set.packed.edition:
        return test_set.packed.edition
    return usual_edition(test_set.reader.name, test_set.gold)


def edition_of(test_set: TestSet, name: str | None = None, edition: str | None = None) -> str | None:
    """The edition that is named, the only one of a metric with that full name, or the usual one.

    In a pack, a label of its usual edition comes before a full name: CLAS of a pack of 2017 is CLAS-2017.
    """
    if edition is None and test_set.packed is not None and name in metrics_on(test_set):
        return usual_on(test_set)
    return edition or only_edition(name, test_set.reader.name) or usual_on(test_set)


def only_edition(name: str | None, reader: str) -> str | None:
    """The edition of the reader's metric with that full name, if it has just one."""
    metric = METRICS.get(name or "")
    only = metric and metric.family.reader == reader and len(metric.editions) == 1
    return metric.editions[0] if metric and only else None


def metric_for(other: TestSet, metric: Metric, edition: str | None, first: TestSet) -> Metric:
    """A metric chosen on the ``first`` test set, for another: in the other's usual edition if it was the usual one."""
    reader = other.reader.name
    if reader == first.reader.name:
        editions = first.reader.editions
        asked = editions is not None and editions.usual is None
        if other is first or edition is None or asked or edition != usual_on(first):
            return metric
    return metric_of(other, metric.label)
