"""Offer: the metrics and editions that a test set or a format offers, and which one a name means on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.metrics import rankings
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.metrics.items import by_class, label_sets, labels, numbers
from nlpsig_core.data.metrics.judged import HUMAN_SCORE
from nlpsig_core.data.metrics.means import ANSWERS, family_metric, log_metrics
from nlpsig_core.data.metrics.structures import tags
from nlpsig_core.data.metrics.table import METRICS
from nlpsig_core.data.readers import Reader
from nlpsig_core.data.task.test_set import Packed, TestSet


class Own(NamedTuple):
    """The metrics that a test set has beside those of METRICS: all that menus offer, and the one of a name.

    ``named(test_set, name, edition)`` is None if the test set lacks the metric, which others may have.
    """

    offered: Callable[[TestSet], dict[str, Metric]]
    named: Callable[[TestSet, str, str | None], Metric | None]


def _of_classes(
    named: Callable[[str, tuple[str, ...]], Metric | None],
    offered: Callable[[tuple[str, ...]], list[str]] = by_class.offered,
) -> Own:
    """Return the metrics of which the name and the classes of the gold tell what they are; menus have those offered."""

    def all_offered(of: TestSet) -> dict[str, Metric]:
        return {name: metric for name in offered(of.classes) if (metric := named(name, of.classes))}

    return Own(all_offered, lambda of, name, edition: named(name, of.classes))


def _logged(test_set: TestSet) -> dict[str, Metric]:
    """Return the metrics of the logs of an evaluation, by name, this task's own first."""
    if test_set.packed is None:
        return log_metrics(test_set.gold)
    return {metric.name: metric for family in test_set.packed.families if (metric := family_metric(family))}


def _ranked(test_set: TestSet) -> dict[str, Metric]:
    """Return the measures that a pack has beside the usual ones."""
    families = test_set.packed.families if test_set.packed is not None else ()
    names = [name.removeprefix(rankings.BY) for name in families if name.startswith(rankings.BY)]
    return {name: metric for name in names if (metric := rankings.own_metric(name, None))}


# By format: metrics that follow from the classes of the gold, or are named in logs.
OWN = {
    "Labels": _of_classes(labels.own_metric, labels.offered),
    "Label sets": _of_classes(label_sets.own_metric),
    "Tagged tokens": _of_classes(tags.own_metric),
    "Numbers": _of_classes(numbers.own_metric, lambda classes: []),
    "Rankings": Own(_ranked, lambda of, name, edition: rankings.own_metric(name, edition)),
    "Evaluation logs": Own(_logged, lambda of, name, edition: _logged(of).get(name)),
}


# Formats with more metrics than a menu can list, which may be typed.
WITH_NOTATION = ("Rankings",)


@dataclass(frozen=True)
class Offer:
    """The metrics by which a test set, or any of a format, can be scored in an ``edition`` (None: the usual one).

    Those of its format that fit its classes, of a pack only those whose statistics it has, and its own ones (``OWN``).
    """

    source: TestSet | Reader
    edition: str | None = None

    @property
    def reader(self) -> Reader:
        """The format."""
        return self.source if isinstance(self.source, Reader) else self.source.reader

    @property
    def _packed(self) -> Packed | None:
        return None if isinstance(self.source, Reader) else self.source.packed

    @property
    def _registered(self) -> list[Metric]:
        """The metrics of the format in all editions; those of a test set fit its classes."""
        metrics = [metric for metric in METRICS.values() if metric.family.reader == self.reader.name]
        return metrics if isinstance(self.source, Reader) else [m for m in metrics if m.fits(self.source.classes)]

    @property
    def _labelled(self) -> dict[str, Metric]:
        """The metrics of the format in the edition, by label, whatever a pack has."""
        edition = self.edition or self.usual
        known = {edition: None for metric in self._registered for edition in metric.editions}
        if edition is not None and edition not in known:
            raise ChoiceError.unknown("edition", edition, known)
        return {
            metric.label: metric for metric in self._registered if not metric.editions or edition in metric.editions
        }

    @property
    def editions(self) -> list[str]:
        """The editions that can be chosen, the newest first."""
        here, everywhere = (
            list(dict.fromkeys(edition for metric in metrics for edition in metric.editions))
            for metrics in (filter(self._has, self._registered), self._registered)
        )
        return here or everywhere

    @property
    def usual(self) -> str | None:
        """The edition with which a pack was made, else the one that fits the gold, of a format alone the newest.

        None if there is but one definition; ChoiceError if it must be chosen.
        """
        if self._packed is not None and self._packed.edition:
            return self._packed.edition
        editions = self.reader.editions
        if editions is None:
            return None
        if editions.usual is None:
            raise ChoiceError(f"{editions.help} Choose an edition (--edition): {', '.join(self.editions)}")
        if isinstance(self.source, Reader):
            return self.editions[0]
        return editions.usual if isinstance(editions.usual, str) else editions.usual(self.source.gold)

    @property
    def metrics(self) -> dict[str, Metric]:
        """The metrics by label, the test set's own ones last."""
        offered = {label: self._named(metric) for label, metric in self._labelled.items() if self._has(metric)}
        own = self.own
        # If all tasks have the same main metric, its own name says more.
        by_name = (
            self.reader.logs and isinstance(self.source, TestSet) and not self._packed and self.source.gold.one_main
        )
        return own if by_name else offered | own

    @property
    def own(self) -> dict[str, Metric]:
        """The metrics that the test set has beside those of METRICS, by label, as menus offer them."""
        if isinstance(self.source, Reader):
            return {}
        own = OWN[self.reader.name].offered(self.source) if self.reader.name in OWN else {}
        by_people = {HUMAN_SCORE.label: HUMAN_SCORE} if self.source.is_judged else {}
        return {label: of for label, of in own.items() if self._has(of)} | by_people

    def own_named(self, name: str | None, any_edition: bool = False) -> Metric | None:
        """Return the test set's own metric of that name, which may be one that no menu offers; None if it has none.

        ChoiceError for a name of another edition than the one that is asked for, unless ``any_edition`` will do.
        """
        if name is None or isinstance(self.source, Reader):
            return None
        if name in (HUMAN_SCORE.name, HUMAN_SCORE.label) and self.source.is_judged:
            return HUMAN_SCORE
        if self.reader.name not in OWN:
            return None
        own = OWN[self.reader.name].named(self.source, name, self.edition or self.usual)
        if own is not None and own.editions and self.edition not in (None, *own.editions) and not any_edition:
            raise ChoiceError(f"{name} is a metric of the edition {own.editions[0]!r}, but {self.edition!r} is chosen")
        return own if own is not None and self._has(own) else None

    def edition_of(self, name: str | None) -> str | None:
        """Return the edition that is asked for, the only one of a metric with that full name, or the usual one.

        In a pack, a label of its usual edition comes before a full name: CLAS of a pack of 2017 is CLAS-2017.
        """
        if self.edition or (self._packed is not None and name in self.metrics):
            return self.edition or self.usual
        editions = next((metric.editions for metric in self._registered if metric.name == name), ())
        return editions[0] if len(editions) == 1 else self.usual

    def metric(self, name: str | None = None, any_edition: bool = False) -> Metric:
        """Return the metric of that name (the first by default); with ``any_edition`` also by its full name in others.

        ChoiceError lists the metrics, or the editions where one must be named.
        """
        here = replace(self, edition=self.edition_of(name))
        if name is None and (metrics := here.metrics):
            return next(iter(metrics.values()))
        if own := self.own_named(name, any_edition):
            return own
        labelled = here._labelled
        only = self.edition is not None and not any_edition
        named = {metric.name: metric for metric in (labelled.values() if only else self._registered)} | labelled
        if name is not None and name not in named:
            thing = f"metric of edition {here.edition}" if only and not self.own else "metric"
            raise ChoiceError.unknown(thing, name, here.metrics if self.own and name not in METRICS else named)
        metric = next(iter(labelled.values())) if name is None else named[name]
        if not self._has(metric):
            raise ChoiceError.unknown("metric in this pack", metric.label, here.metrics)
        return self._named(metric)

    def counterpart(self, metric: Metric, first: TestSet) -> Metric:
        """Return a metric chosen on the ``first`` test set in this edition, for this one.

        It is in the usual edition of this one if it was in that of the first.
        """
        if self._is_own(metric):
            return self.own_named(metric.name) or metric
        editions = first.reader.editions
        if self.reader.name == first.reader.name:
            asked = editions is not None and editions.usual is None
            if self.source is first or self.edition is None or asked or self.edition != Offer(first).usual:
                return metric
        return Offer(self.source).metric(metric.label)

    def lacks(self, metric: Metric) -> bool:
        """Return whether the test set does not have a metric that another one of its format has."""
        if isinstance(self.source, Reader) or not self._is_own(metric):
            return isinstance(self.source, TestSet) and not metric.fits(self.source.classes)
        if self.reader.logs and not self._packed and metric is not HUMAN_SCORE:
            return metric.name not in self.source.gold.own
        return self.own_named(metric.name) is None

    def _is_own(self, metric: Metric) -> bool:
        if metric is HUMAN_SCORE:
            return True
        registered = METRICS.get(metric.name)
        return self.reader.name in OWN and (registered is None or registered.family.reader != self.reader.name)

    def _has(self, metric: Metric) -> bool:
        return self._packed is None or self._packed.suffices_for(metric.family.name, metric.columns)

    def _named(self, metric: Metric) -> Metric:
        """Return the metric; a task's main one with its name for signatures."""
        if metric.family is not ANSWERS or self._packed is not None or isinstance(self.source, Reader):
            return metric
        return replace(metric, details={"main": self.source.gold.main})


def formats_with(name: str) -> list[str]:
    """Return the formats that have a metric with that full name or label."""
    return list(dict.fromkeys(m.family.reader for m in METRICS.values() if name in (m.name, m.label)))
