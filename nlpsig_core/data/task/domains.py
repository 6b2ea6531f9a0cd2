"""Domains of a test set: their units, and the choices that they offer."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.task.test_set import TestSet

ALL_BUT = "all but "
# What can be resampled beside the format's own unit.
DOCUMENT = "document"


def units_of(test_set: TestSet, domain: str) -> np.ndarray | None:
    """Mask of the units in a domain, or in "all but" one, (units,); None if no domain is chosen."""
    if not domain:
        return None
    domains = test_set.domains
    known = set(domains.tolist())
    but = domain.removeprefix(ALL_BUT)
    if domain not in known and but in known:
        others: np.ndarray = domains != but
        return others
    if domain not in known:
        raise ChoiceError.unknown("domain", domain, known)
    own: np.ndarray = domains == domain
    return own


def domain_in(test_set: TestSet, domain: str) -> str | None:
    """The choice of domain that applies to one of several test sets; None if it does not have the domain.

    A test set without the domain of "all but" takes part with all its units.
    """
    if not domain or domain in test_set.domains:
        return domain
    but = domain.removeprefix(ALL_BUT)
    return None if but == domain else domain if but in test_set.domains else ""


def domain_choices(test_set: TestSet) -> list[str]:
    """Each domain by name, followed by all but each one if there are three or more."""
    known = sorted(set(test_set.domains.tolist()))
    return known + ([ALL_BUT + name for name in known] if len(known) > 2 else [])


def units_to_resample(test_set: TestSet) -> list[str]:
    """The format's own unit, and the document if documents are known."""
    own = test_set.reader.unit
    return [own, *([DOCUMENT] if own != DOCUMENT and len(test_set.documents) else [])]


def common_units(test_sets: Iterable[TestSet]) -> list[str]:
    """The units that can be resampled on each of the test sets."""
    first, *others = (units_to_resample(test_set) for test_set in test_sets)
    return [unit for unit in first if all(unit in of for of in others)]
