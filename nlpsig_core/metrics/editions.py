"""A metric for another test set, of the edition that is usual there."""

from __future__ import annotations

from nlpsig_core.metrics import EDITIONS, metric_named, usual_edition
from nlpsig_core.metrics.base import Metric
from nlpsig_core.task.test_set import TestSet


def metric_for(other: TestSet, metric: Metric, edition: str | None, first: TestSet) -> Metric:
    """The metric for another test set: if its edition is the usual one on the first, the usual one on the other."""
    reader = other.reader.name
    if reader == first.reader.name:
        asked = reader in EDITIONS and EDITIONS[reader].usual is None
        if other is first or edition is None or asked or edition != usual_edition(reader, first.gold):
            return metric
    return metric_named(metric.label, reader, usual_edition(reader, other.gold))
