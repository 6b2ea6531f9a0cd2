"""Strata: units that the same test sets share, and that are therefore drawn together."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

import numpy as np


class Stratum(NamedTuple):
    """Units that exactly the same test sets share; they are resampled together, and apart from all others.

    ``units`` are their indices in each of these test sets, by the test set's number, in one order. With s strata of n
    units the variance of a mean is too small by s/n (1/n with one), so strata should be few.
    """

    units: Mapping[int, np.ndarray]

    @property
    def n_units(self) -> int:
        """Number of units."""
        return len(next(iter(self.units.values())))


def apart(sizes: Sequence[int]) -> tuple[Stratum, ...]:
    """Return the strata of test sets of these sizes that share no units: one each."""
    return tuple(Stratum({number: np.arange(n_units)}) for number, n_units in enumerate(sizes))


def strata_of(units: Sequence[Sequence[Hashable]]) -> tuple[Stratum, ...]:
    """Return the strata of several test sets, from the identities of the units of each; None is a unit like no other.

    A unit that occurs twice in a test set counts as two units, in other test sets as well. Strata are in the order of
    their first test set, those of that test set alone first, then in the order of their first units.
    """
    named = [{unit for unit in identities if unit is not None} for identities in units]
    if sum(map(len, named)) == len(set().union(*named)):
        return apart([len(identities) for identities in units])
    indices: dict[Hashable, dict[int, int]] = {}
    for test_set, identities in enumerate(units):
        times: dict[Hashable, int] = {}
        for index, identity in enumerate(identities):
            own = (test_set, index) if identity is None else identity
            times[own] = times.get(own, 0) + 1
            indices.setdefault((identity is None, own, times[own]), {})[test_set] = index
    strata: dict[tuple[int, ...], list[dict[int, int]]] = {}
    for by_test_set in indices.values():
        strata.setdefault(tuple(by_test_set), []).append(by_test_set)
    order = sorted(strata, key=lambda test_sets: (test_sets[0], len(test_sets) > 1))
    return tuple(
        Stratum({test_set: np.array([indices[test_set] for indices in strata[test_sets]]) for test_set in test_sets})
        for test_sets in order
    )
