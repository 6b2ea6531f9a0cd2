"""Strata: units that several test sets have, and which are therefore drawn together."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

import numpy as np


class Stratum(NamedTuple):
    """Units that exactly the same test sets have; they are resampled together, apart from all others.

    In s strata of n units the variance of a mean comes out s/n too small (1/n in one): strata are meant to be few.

    ``places`` are the indices of the units in each of these test sets, by its number, in one order of the units.
    """

    places: Mapping[int, np.ndarray]

    @property
    def n_units(self) -> int:
        """Number of units."""
        return len(next(iter(self.places.values())))


def apart(sizes: Sequence[int]) -> tuple[Stratum, ...]:
    """The strata of test sets of these sizes that have no unit in common: one each."""
    return tuple(Stratum({number: np.arange(n_units)}) for number, n_units in enumerate(sizes))


def strata_of(units: Sequence[Sequence[Hashable]]) -> tuple[Stratum, ...]:
    """The strata of several test sets, from what tells the units of each one; None is a unit like no other.

    A unit that a test set has twice is two units, in other test sets as well. Strata are in the order of their first
    test set, those of that test set alone first, then in the order of their first units.
    """
    named = [{unit for unit in of_part if unit is not None} for of_part in units]
    if sum(map(len, named)) == len(set().union(*named)):
        return apart([len(of_part) for of_part in units])
    found: dict[Hashable, dict[int, int]] = {}
    for number, of_part in enumerate(units):
        times: dict[Hashable, int] = {}
        for place, unit in enumerate(of_part):
            own = (number, place) if unit is None else unit
            times[own] = times.get(own, 0) + 1
            found.setdefault((unit is None, own, times[own]), {})[number] = place
    strata: dict[tuple[int, ...], list[dict[int, int]]] = {}
    for places in found.values():
        strata.setdefault(tuple(places), []).append(places)
    order = sorted(strata, key=lambda parts: (parts[0], len(parts) > 1))
    return tuple(
        Stratum({number: np.array([places[number] for places in strata[parts]]) for number in parts}) for parts in order
    )
