"""The mean of scores given per unit by other means: a learned metric, exact match, human judgement."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.metrics.base import Family
from nlpsig_core.data.readers.tables.scores import ScoredUnits, Scores

COLUMNS = ("sum", "units")
NAMED = 5


def count(gold: ScoredUnits, output: Scores) -> np.ndarray:
    """The score of each unit and 1, (units, 2), reals; NaN for units without a score.

    Raises FileError if the number of units differs from the table's, or if no unit has a score.
    """
    if output.n_units != gold.n_units:
        raise FileError(output.name, None, f"{output.n_units} scores where the table has {gold.n_units} units")
    if np.isnan(output.values).all():
        raise FileError(output.name, None, "no score at all")
    return with_ones(output.values)


def with_ones(scores: np.ndarray) -> np.ndarray:
    """Each score and 1, (units, 2); NaN for units without a score."""
    return np.stack([scores, np.where(np.isnan(scores), np.nan, 1.0)], axis=1)


def remarks(gold: ScoredUnits, output: Scores) -> list[str]:
    """At most one remark: the units without a score."""
    return without_scores("unit", output.values, lambda unit: f"{gold.units[unit]} (line {output.lines[unit]})")


def without_scores(thing: str, scores: np.ndarray, name: Callable[[int], str]) -> list[str]:
    """At most one remark: the things without a score, the first of them by name."""
    missing = np.flatnonzero(np.isnan(scores)).tolist()
    if not missing:
        return []
    more = f" and {len(missing) - NAMED:,} more" if len(missing) > NAMED else ""
    return [f"no score for {thing}{'s' if len(missing) > 1 else ''} {', '.join(map(name, missing[:NAMED]))}{more}"]


FAMILY = Family(
    name="scores", version=1, reader="Score table", columns=COLUMNS, count=count, remarks=remarks, whole=False
)
