"""Placing an open task in the atlas: its thresholds among those of its kind, and what makes them differ."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.atlas.ask import Asked, Question
from nlpsig_core.atlas.rows import title
from nlpsig_core.atlas.store import Atlas
from nlpsig_core.atlas.thresholds import of_class
from nlpsig_core.comparison.classes import COMPARISONS, INVALID
from nlpsig_core.comparison.selection import Selection
from nlpsig_core.words import count, plural, share

# A factor this near to 1 makes no difference worth a word.
SAME = 1.1


class Placed(NamedTuple):
    """An open task's place in the atlas: a row for each class, and a sentence on the class of most pairs.

    Columns of the ``table``: comparison, n, pairs, ``threshold`` (two-sided p < 0.05), ``expected`` with ``low`` and
    ``high`` (for a new test set of this size), ``test_sets`` of the metric and class in the atlas, the share of them
    ``below``, at this size, and two factors by which the task's standard errors differ from the median of theirs:
    ``by_correlation`` of the systems' scores, and ``by_units``, which vary more or less in score.
    """

    table: pd.DataFrame
    sentence: str


def placed(pairs: pd.DataFrame, selection: Selection, atlas: Atlas) -> Placed:
    """The place of a selection of one test set, from its table of all pairs.

    ChoiceError if the atlas does not have the metric. Classes with too few pairs for a threshold have no row.
    """
    n, unit, metric = selection.first.stats.n_units, selection.stats.unit, title(selection.metric)
    with_gain = pairs[pairs["gain"] > 0].assign(level=(pairs["score_a"] + pairs["score_b"]) / 2)
    rows = []
    for comparison in COMPARISONS:
        of = with_gain[with_gain["comparison"] == comparison]
        if comparison != INVALID and len(of) and (own := of_class(of, n))["threshold"] > 0:
            asked = Asked(atlas, Question(metric=metric, n=n, comparison=comparison))
            rows.append({"comparison": comparison, "n": n} | _row(own, asked))
    table = pd.DataFrame(rows)
    if not rows:
        return Placed(table, "No class has enough pairs for a threshold")
    return Placed(table, _sentence(table.loc[table["pairs"].idxmax()], metric, unit))


def _row(own: dict[str, float], asked: Asked) -> dict[str, float]:
    low, expected, high = asked.thresholds(asked.question.n)
    known = asked.atlas.thresholds
    others = known[(known["metric"] == asked.metric) & (known["comparison"] == asked.question.comparison)]
    at_n = others["threshold"] * (others["n"] / asked.question.n) ** 0.5
    apart = ((1 - own["correlation"]) / (1 - others["correlation"].median())) ** 0.5
    return {
        "pairs": own["pairs"], "threshold": own["threshold"], "expected": expected, "low": low, "high": high,
        "test_sets": len(others), "below": float((at_n < own["threshold"]).mean()) if len(others) else np.nan,
        "by_correlation": apart, "by_units": own["error"] / others["error"].median() / apart,
    }  # fmt: skip


def _sentence(row: pd.Series, metric: str, unit: str) -> str:
    n = f"{row['n']:,} {plural(row['n'], unit)}"
    own = f"The threshold of {row['comparison']}, {row['threshold']:.2f} in {metric}"
    expected = f"{row['expected']:.2f} was to be expected ({row['low']:.2f} to {row['high']:.2f})"
    if not row["test_sets"]:
        return f"{own}, has no other test set of this class to compare with; at {n} {expected}"
    others = f"{share(row['below'])} of {count(row['test_sets'], 'test set')}"
    return f"{own}, is above those of {others} at {n}; {expected}. {_why(row)}"


def _why(row: pd.Series) -> str:
    """What makes the standard errors differ from those of other test sets."""
    factors = {
        "its systems are {} alike than usual": 1 / row["by_correlation"],
        "its units differ {} in score": row["by_units"],
    }
    told = [text.format("more" if by > 1 else "less") for text, by in factors.items() if max(by, 1 / by) > SAME]
    times = row["by_correlation"] * row["by_units"]
    errors = f"Standard errors are {times:.2f} times those of other test sets"
    return f"{errors}: {' and '.join(told)}" if told else f"{errors}, as are both correlation and units"
