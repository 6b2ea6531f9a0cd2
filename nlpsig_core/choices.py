"""What can be chosen of test sets: units of a domain, what is resampled, a metric of the own edition of each."""

from __future__ import annotations

import numpy as np

from nlpsig_core.errors import ChoiceError
from nlpsig_core.metrics import EDITIONS, metric_named, usual_edition
from nlpsig_core.metrics.base import Metric
from nlpsig_core.test_set import TestSet

ALL_BUT = "all but "


def units_of(test_set: TestSet, domain: str) -> np.ndarray | None:
    """Which units belong to a domain, or to "all but" one, (units,) mask; None for all of them."""
    if not domain:
        return None
    domains = test_set.domains
    known = set(domains.tolist())
    but = domain.removeprefix(ALL_BUT)
    if domain not in known and but in known:
        return domains != but
    if domain not in known:
        raise ChoiceError.unknown("domain", domain, known)
    return domains == domain


def domain_in(test_set: TestSet, domain: str) -> str | None:
    """What a choice of domain means for one of several test sets: None where it has no such domain.

    Where "all but" one is wanted that it has not, it takes part with all its units.
    """
    if not domain or domain in test_set.domains:
        return domain
    but = domain.removeprefix(ALL_BUT)
    return None if but == domain else domain if but in test_set.domains else ""


def domain_choices(test_set: TestSet) -> list[str]:
    """Each domain by name, then all but each one where there are three or more."""
    known = sorted(set(test_set.domains.tolist()))
    return known + ([ALL_BUT + name for name in known] if len(known) > 2 else [])


def units_to_resample(test_set: TestSet) -> list[str]:
    """The format's own unit, and the document where documents are known."""
    own = test_set.reader.unit
    return [own, *(["document"] if own != "document" and len(test_set.documents) else [])]


def metric_for(other: TestSet, metric: Metric, edition: str | None, first: TestSet) -> Metric:
    """The metric, chosen on one test set, for another: where its edition is the usual one there, of the other's own."""
    reader = other.reader.name
    if reader == first.reader.name:
        asked = reader in EDITIONS and EDITIONS[reader].usual is None
        if other is first or edition is None or asked or edition != usual_edition(reader, first.gold):
            return metric
    return metric_named(metric.label, reader, usual_edition(reader, other.gold))
