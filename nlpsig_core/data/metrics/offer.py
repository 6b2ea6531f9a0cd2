"""Offer: the metrics and editions that a test set offers, and which one a name means on it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.metrics import (
    METRICS,
    editions_for,
    metric_named,
    metrics_for,
    only_edition,
    usual_edition,
)
from nlpsig_core.data.metrics.answers import FAMILY, metric_of_family, metrics_in
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.task.test_set import TestSet


@dataclass(frozen=True)
class Offer:
    """The metrics by which a test set can be scored, in an ``edition`` (None: the usual one).

    Those of its format, of a pack only those whose statistics it has, and those of the logs of an evaluation.
    """

    test_set: TestSet
    edition: str | None = None

    @property
    def usual(self) -> str | None:
        """The edition with which a pack was made, else the one that fits the gold (``usual_edition``)."""
        if self.test_set.packed is not None and self.test_set.packed.edition:
            return self.test_set.packed.edition
        return usual_edition(self.test_set.reader.name, self.test_set.gold)

    @property
    def editions(self) -> list[str]:
        """The editions that can be chosen, the newest first."""
        reader = self.test_set.reader.name
        offered = {
            edition: filter(self._has, metrics_for(reader, edition).values()) for edition in editions_for(reader)
        }
        return [edition for edition, metrics in offered.items() if any(m.editions for m in metrics)] or list(offered)

    @property
    def metrics(self) -> dict[str, Metric]:
        """The metrics by label; those of logs by name."""
        of_format = metrics_for(self.test_set.reader.name, self.edition or self.usual)
        offered = {label: self._told(metric) for label, metric in of_format.items() if self._has(metric)}
        # If all tasks have the same main metric, its own name says more.
        by_name = bool(self.of_logs) and self.test_set.packed is None and self.test_set.gold.one_main
        return self.of_logs if by_name else offered | self.of_logs

    @property
    def of_logs(self) -> dict[str, Metric]:
        """The metrics that the logs of an evaluation have beside those of METRICS, by name; of other formats none."""
        if not self.test_set.reader.logs:
            return {}
        if self.test_set.packed is None:
            return metrics_in(self.test_set.gold)
        of_families = map(metric_of_family, self.test_set.packed.families)
        return {metric.name: metric for metric in of_families if metric}

    def edition_of(self, name: str | None) -> str | None:
        """Return the edition that is asked for, the only one of a metric with that full name, or the usual one.

        In a pack, a label of its usual edition comes before a full name: CLAS of a pack of 2017 is CLAS-2017.
        """
        if self.edition is None and self.test_set.packed is not None and name in self.metrics:
            return self.usual
        return self.edition or only_edition(name, self.test_set.reader.name) or self.usual

    def metric(self, name: str | None = None, any_edition: bool = False) -> Metric:
        """Return the metric of that name (the first by default); with ``any_edition`` also by its full name in others.

        ChoiceError lists the metrics, or the editions where one must be named.
        """
        here = replace(self, edition=self.edition_of(name))
        if name is None and (metrics := here.metrics):
            return next(iter(metrics.values()))
        reader, of_logs = self.test_set.reader.name, self.of_logs
        if name in of_logs:
            return of_logs[name]
        if of_logs and name not in METRICS and name not in metrics_for(reader):
            raise ChoiceError.unknown("metric", str(name), here.metrics)
        metric = metric_named(name, reader, here.edition, only=self.edition is not None and not any_edition)
        if not self._has(metric):
            raise ChoiceError.unknown("metric in this pack", metric.label, here.metrics)
        return self._told(metric)

    def counterpart(self, metric: Metric, first: TestSet) -> Metric:
        """Return a metric chosen on the ``first`` test set in this edition, for this one.

        It is in the usual edition of this one if it was in that of the first.
        """
        editions = first.reader.editions
        if self.test_set.reader.name == first.reader.name:
            asked = editions is not None and editions.usual is None
            if self.test_set is first or self.edition is None or asked or self.edition != Offer(first).usual:
                return metric
        return Offer(self.test_set).metric(metric.label)

    def lacks(self, metric: Metric) -> bool:
        """Whether the logs do not have a metric that those of another test set have."""
        of_logs = self.of_logs
        if metric.name not in of_logs:
            return bool(of_logs) and metric_of_family(metric.family.name) is not None
        return self.test_set.packed is None and metric.name not in self.test_set.gold.own

    def _has(self, metric: Metric) -> bool:
        packed = self.test_set.packed
        return packed is None or packed.suffices_for(metric.family.name, metric.columns)

    def _told(self, metric: Metric) -> Metric:
        """Return the metric; a task's main one with its name for signatures."""
        if metric.family is not FAMILY or self.test_set.packed is not None:
            return metric
        return replace(metric, details={"main": self.test_set.gold.main})
