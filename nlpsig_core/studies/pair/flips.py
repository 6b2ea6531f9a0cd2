"""Flips: the units that a candidate loses and wins against a baseline, those that matter most first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.studies.pair.units import unit_gains, unit_names

# How many units are named on each side.
NAMED = 10


@dataclass(frozen=True, kw_only=True)
class Flip:
    """A unit that the candidate loses or wins: its number from 1 in its test set, its name ("" if it has none), scores.

    ``gain`` is the candidate's, above 0 where it is better; it and the scores are None if units have no scores of their
    own. ``pull`` is how much the candidate's gain on all units shrinks without this one.
    """

    test_set: str
    unit: int
    name: str
    score_baseline: float | None
    score_candidate: float | None
    gain: float | None
    pull: float


@dataclass(frozen=True, kw_only=True)
class Flips:
    """How many units the candidate loses and wins, and the first NAMED of each, by their pull on the gain.

    The counts are None if units have no scores of their own. Named are then units in which the two differ and which
    lower the gain, or raise it.
    """

    lost: int | None
    won: int | None
    worst: tuple[Flip, ...]
    best: tuple[Flip, ...]


def flips(selection: Selection, baseline: str, candidate: str) -> Flips:
    """Return the units of a selection, of one test set or several, that two of its systems lose and win."""
    weights = np.array(selection.stats.weights) / sum(selection.stats.weights)
    tables = []
    for (name, part), stats, weight in zip(
        selection.test_sets.items(), selection.stats.test_sets, weights, strict=True
    ):
        units = unit_gains(stats.named((candidate, baseline)))
        names = unit_names(part) or [""] * len(units)
        tables.append(units.assign(test_set=name, name=names, pull=weight * units["pull"]))
    # Equal pulls can differ by rounding.
    units = pd.concat(tables).sort_values("pull", kind="stable", key=lambda pull: pull.round(9))
    scored = selection.metric.by_unit
    side = units["gain"] if scored else units["pull"].where(units["gain"] != 0, 0.0)
    lost, won = units[side < 0], units[side > 0][::-1]
    return Flips(
        lost=len(lost) if scored else None,
        won=len(won) if scored else None,
        worst=_named(lost, scored),
        best=_named(won, scored),
    )


def _named(units: pd.DataFrame, scored: bool) -> tuple[Flip, ...]:
    return tuple(
        Flip(
            test_set=row.test_set,
            unit=row.unit + 1,
            name=row.name,
            score_baseline=row.score_b if scored else None,
            score_candidate=row.score_a if scored else None,
            gain=row.gain if scored else None,
            pull=row.pull,
        )
        for row in units.head(NAMED).itertuples()
    )
