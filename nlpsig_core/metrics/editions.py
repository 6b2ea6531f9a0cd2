"""Which metric and edition a name means on a test set."""

from __future__ import annotations

from nlpsig_core.metrics import METRICS, metric_named, usual_edition
from nlpsig_core.metrics.base import Metric
from nlpsig_core.task.test_set import TestSet


def metric_of(test_set: TestSet, name: str | None = None, edition: str | None = None) -> Metric:
    """The metric of that name (the format's first by default) in the edition that is named or usual.

    ChoiceError lists the metrics, or the editions where one must be named.
    """
    of = edition_of(test_set, name, edition)
    return metric_named(name, test_set.reader.name, of, only=edition is not None)


def edition_of(test_set: TestSet, name: str | None = None, edition: str | None = None) -> str | None:
    """The edition that is named, the only one of a metric with that full name, or the usual one."""
    reader = test_set.reader.name
    return edition or only_edition(name, reader) or usual_edition(reader, test_set.gold)


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
        if other is first or edition is None or asked or edition != usual_edition(reader, first.gold):
            return metric
    return metric_named(metric.label, reader, usual_edition(reader, other.gold))
