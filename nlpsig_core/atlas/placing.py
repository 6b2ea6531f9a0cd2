"""Placing an open task in the atlas: its thresholds among those of its kind, and what makes them differ."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.atlas.ask import Asked, Question
from nlpsig_core.atlas.model import logit_spread
from nlpsig_core.atlas.rows import title
from nlpsig_core.atlas.store import Atlas
from nlpsig_core.atlas.thresholds import of_class
from nlpsig_core.comparison.classes import COMPARISONS, INVALID
from nlpsig_core.comparison.selection import Selection
from nlpsig_core.drawings import lengths_on
from nlpsig_core.words import count, plural, share

# A factor this near to 1 makes no difference worth a word.
SAME = 1.1
# What a factor above 1 means, and one below.
WHY = {
    "by_correlation": ("its systems are less alike than usual", "its systems are more alike than usual"),
    "by_level": ("its scores are nearer to 50", "its scores are farther from 50"),
    "by_length": ("its units are shorter", "its units are longer"),
    "by_units": ("its units differ more in score", "its units differ less in score"),
}


class Placed(NamedTuple):
    """An open task's place in the atlas: a row for each class, and a sentence on the class of most pairs.

    Columns of the ``table``: comparison, n, pairs, ``threshold`` (two-sided p < 0.05), ``expected`` with ``low`` and
    ``high`` (for a new test set of this size), ``test_sets`` of the metric and class in the atlas, the share of them
    ``below``, at this size, and factors by which the task's standard errors differ from the median of theirs:
    ``by_correlation`` of the systems' scores, ``by_level`` of the scores, ``by_length`` of the units (NaN where the
    lengths are not known), and ``by_units``, what is left: units that vary more or less in score.
    """

    table: pd.DataFrame
    sentence: str


def placed(pairs: pd.DataFrame, selection: Selection, atlas: Atlas) -> Placed:
    """The place of a selection of one test set, from its table of all pairs.

    ChoiceError if the atlas does not have the metric. Classes with too few pairs for a threshold have no row.
    """
    n, unit, metric = selection.first.stats.n_units, selection.stats.unit, title(selection.metric)
    with_gain = pairs[pairs["gain"] > 0].assign(level=(pairs["score_a"] + pairs["score_b"]) / 2)
    lengths, rows = lengths_on(selection.first.test_set), []
    length = float(lengths.mean()) if len(lengths) else 0.0
    for comparison in COMPARISONS:
        of = with_gain[with_gain["comparison"] == comparison]
        if comparison != INVALID and len(of) and (own := of_class(of, n))["threshold"] > 0:
            asked = Asked(atlas, Question(metric=metric, n=n, comparison=comparison))
            rows.append({"comparison": comparison, "n": n} | _row(own | {"length": length}, asked))
    table = pd.DataFrame(rows)
    if not rows:
        return Placed(table, "No class has enough pairs for a threshold")
    return Placed(table, _sentence(table.loc[table["pairs"].idxmax()], metric, unit))


def _row(own: dict[str, float], asked: Asked) -> dict[str, float]:
    low, expected, high = asked.thresholds(asked.question.n)
    known = asked.atlas.thresholds
    others = known[(known["metric"] == asked.metric) & (known["comparison"] == asked.question.comparison)]
    at_n = others["threshold"] * (others["n"] / asked.question.n) ** 0.5
    by = {
        "by_correlation": ((1 - own["correlation"]) / (1 - others["correlation"].median())) ** 0.5,
        "by_level": _by_level(own["level"], others["level"].median(), asked.metric),
        "by_length": _by_length(own["length"], others["length"]),
    }
    told = [factor for factor in by.values() if factor == factor]
    return {
        "pairs": own["pairs"], "threshold": own["threshold"], "expected": expected, "low": low, "high": high,
        "test_sets": len(others), "below": float((at_n < own["threshold"]).mean()) if len(others) else np.nan,
        **by, "by_units": own["error"] / others["error"].median() / math.prod(told),
    }  # fmt: skip


def _by_level(own: float, usual: float, metric: str) -> float:
    """A unit that is right with probability p has the deviation sqrt(p (1 - p)); 1 for metrics on another scale."""
    return math.exp((logit_spread(own, metric) - logit_spread(usual, metric)) / 2)


def _by_length(own: float, others: pd.Series) -> float:
    """The mean of a unit of m words has an error of 1 / sqrt(m); NaN where lengths are not known."""
    usual = others[others > 0].median()
    return float((usual / own) ** 0.5) if own > 0 and usual > 0 else np.nan


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
    factors = {name: row[name] for name in WHY if row[name] == row[name]}
    told = [WHY[name][int(by < 1)] for name, by in factors.items() if max(by, 1 / by) > SAME]
    errors = f"Standard errors are {math.prod(factors.values()):.2f} times those of other test sets"
    return f"{errors}: {' and '.join(told)}" if told else f"{errors}, and so is all that they depend on"
