"""Domains of a test set: which units belong to one, and what can be chosen."""

from __future__ import annotations

import numpy as np

from nlpsig_core.errors import ChoiceError
from nlpsig_core.task.test_set import TestSet

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
