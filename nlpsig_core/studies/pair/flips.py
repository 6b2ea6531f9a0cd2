"""Flips: the units that a candidate loses and wins against a baseline, those that matter most first."""

from __future__ import annotations

from collections.abc import Sequence
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

    ``gain`` is the candidate's, above 0 where it is better.
    """

    test_set: str
    unit: int
    name: str
    score_baseline: float
    score_candidate: float
    gain: float


@dataclass(frozen=True, kw_only=True)
class Flips:
    """How many units the candidate loses and wins, and the first NAMED of each, by their pull on the gain."""

    lost: int
    won: int
    worst: tuple[Flip, ...]
    best: tuple[Flip, ...]


def flips(selection: Selection, baseline: str, candidate: str) -> Flips:
    """Return the units of a selection, of one test set or several, that two of its systems lose and win."""
    pair = [selection.stats.names.index(name) for name in (candidate, baseline)]
    weights = np.array(selection.stats.weights) / sum(selection.stats.weights)
    tables = []
    for (name, part), stats, weight in zip(
        selection.test_sets.items(), selection.stats.test_sets, weights, strict=True
    ):
        units = unit_gains(stats.select(pair))
        names = unit_names(part) or [""] * len(units)
        tables.append(units.assign(test_set=name, name=names, pull=weight * units["pull"]))
    # Equal pulls can differ by rounding.
    units = pd.concat(tables).sort_values("pull", kind="stable", key=lambda pull: pull.round(9))
    lost, won = units[units["gain"] < 0], units[units["gain"] > 0][::-1]
    return Flips(lost=len(lost), won=len(won), worst=_named(lost), best=_named(won))


def _named(units: pd.DataFrame) -> tuple[Flip, ...]:
    rows: Sequence[dict[str, object]] = units.head(NAMED).to_dict("records")
    return tuple(
        Flip(
            test_set=str(row["test_set"]),
            unit=int(str(row["unit"])) + 1,
            name=str(row["name"]),
            score_baseline=float(str(row["score_b"])),
            score_candidate=float(str(row["score_a"])),
            gain=float(str(row["gain"])),
        )
        for row in rows
    )
