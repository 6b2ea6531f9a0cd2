"""Metrics of each format; ``offer`` says which of them a test set offers, and which one a name means on it."""

from __future__ import annotations

from nlpsig_core.data.metrics import judged
from nlpsig_core.data.metrics.base import Family, Metric
from nlpsig_core.data.metrics.means import family_metric
from nlpsig_core.data.metrics.rankings import ranking_family
from nlpsig_core.data.metrics.table import METRICS

FAMILIES = {metric.family.name: metric.family for metric in (*METRICS.values(), judged.HUMAN_SCORE)}


def family_named(name: str) -> Family:
    """Return the family of that name, of the registry, of a metric in logs or of a further measure of rankings."""
    logged = family_metric(name)
    return logged.family if logged else ranking_family(name) or FAMILIES[name]


__all__ = ["METRICS", "Family", "Metric", "family_named"]
