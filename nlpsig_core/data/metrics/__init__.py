"""Metrics of each format, and how they are found by format, edition and name."""

from __future__ import annotations

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.metrics.answers import metric_of_family
from nlpsig_core.data.metrics.base import Family, Metric
from nlpsig_core.data.metrics.table import METRICS
from nlpsig_core.data.readers import READERS

FAMILIES = {metric.family.name: metric.family for metric in METRICS.values()}
# The metrics of each format in all editions.
OF_FORMAT = {reader: [metric for metric in METRICS.values() if metric.family.reader == reader] for reader in READERS}


def family_named(name: str) -> Family:
    """The family of that name, of the registry or of a metric in logs."""
    of_logs = metric_of_family(name)
    return of_logs.family if of_logs else FAMILIES[name]


def metrics_for(reader: str, edition: str | None = None) -> dict[str, Metric]:
    """The metrics of a format in an edition, by label; without an edition, those of the first."""
    editions = editions_for(reader)
    if edition is not None and edition not in editions:
        raise ChoiceError.unknown("edition", edition, editions)
    chosen = edition or next(iter(editions), None)
    return {m.label: m for m in OF_FORMAT.get(reader, ()) if not m.editions or chosen in m.editions}


def editions_for(reader: str) -> list[str]:
    """The editions of the evaluation that a format's metrics know, the newest first."""
    return list(dict.fromkeys(edition for metric in OF_FORMAT.get(reader, ()) for edition in metric.editions))


def usual_edition(reader: str, gold: object) -> str | None:
    """The edition that fits a gold, or None where there is but one definition; ChoiceError where it must be chosen."""
    editions = READERS[reader].editions
    if editions is None:
        return None
    if editions.usual is None:
        raise ChoiceError(f"{editions.help} Choose an edition (--edition): {', '.join(editions_for(reader))}")
    return editions.usual(gold)


def metric_named(name: str | None, reader: str, edition: str | None = None, only: bool = False) -> Metric:
    """The metric with a label in the edition (None: the first), else with that full name; without a name, the first.

    With ``only``, only metrics of the edition are available. Raises ChoiceError, with a list, for an unknown name.
    """
    labelled = metrics_for(reader, edition)
    if name is None:
        return next(iter(labelled.values()))
    named = labelled.values() if only else OF_FORMAT.get(reader, ())
    available = {metric.name: metric for metric in named} | labelled
    if name not in available:
        raise ChoiceError.unknown(f"metric of edition {edition}" if only else "metric", name, available)
    return available[name]


def only_edition(name: str | None, reader: str) -> str | None:
    """The edition of the reader's metric with that full name, if it has just one."""
    metric = METRICS.get(name or "")
    only = metric and metric.family.reader == reader and len(metric.editions) == 1
    return metric.editions[0] if metric and only else None


def formats_with(name: str) -> list[str]:
    """The formats that have a metric with that full name or label."""
    return list(dict.fromkeys(m.family.reader for m in METRICS.values() if name in (m.name, m.label)))


__all__ = [
    "FAMILIES", "METRICS", "Family", "Metric", "editions_for", "family_named", "formats_with", "metric_named",
    "metrics_for", "only_edition", "usual_edition",
]  # fmt: skip
