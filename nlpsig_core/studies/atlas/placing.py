"""Placing an open task in the atlas: its thresholds among those of its kind, and what makes them differ."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.base.words import count, plural, two_digits
from nlpsig_core.data.drawings import lengths_on
from nlpsig_core.significance.comparison.classes import COMPARISONS, INVALID
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.studies.atlas.ask import Asked, Question
from nlpsig_core.studies.atlas.model import log_variance
from nlpsig_core.studies.atlas.names import metric_in
from nlpsig_core.studies.atlas.rows import Z, name_of, numbers_of_class, short_digest, title
from nlpsig_core.studies.atlas.store import Atlas

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

    Columns of the ``table``: comparison, n, pairs, ``threshold`` by the notion, ``expected`` with ``low`` and
    ``high`` (for a new test set of this size), other ``test_sets`` of the metric and class in the atlas, the share of
    them ``below``, at this size, and factors by which the task's standard errors differ from the median of theirs:
    ``by_correlation`` of the systems' scores, ``by_level`` of the scores, ``by_length`` of the units (NaN where one
    is not known), and ``by_units``, what is left: units that vary more or less in score.
    """

    table: pd.DataFrame
    sentence: str


def placed(pairs: pd.DataFrame, selection: Selection, atlas: Atlas, notion: Notion = Notion()) -> Placed:
    """Return the place of a selection of one test set, from its table of all pairs, by level and sides of a notion.

    The task's own rows in the atlas are not counted among other test sets; the sentence says if there are any.
    ChoiceError if the atlas does not have the metric, or if documents are resampled. Classes with too few pairs for a
    threshold have no row.
    """
    metric_in(atlas, metric := title(selection.metric))
    if not selection.first.by_own_unit:
        counts = selection.first.test_set.reader.unit
        raise ChoiceError(f"The atlas counts {counts}s; resample them to see the place of this task")
    n, unit = selection.first.stats.n_units, selection.stats.unit
    with_gain = pairs[pairs["gain"] > 0].assign(level=(pairs["score_a"] + pairs["score_b"]) / 2)
    lengths, rows = lengths_on(selection.first.test_set), []
    length = float(lengths.mean()) if len(lengths) else 0.0
    thresholds = atlas.thresholds
    own_rows = (thresholds["task"] == selection.task.name) & (thresholds["test_set"] == name_of(selection))
    own_rows |= thresholds["digest"] == short_digest(selection.first.stats)
    for comparison in COMPARISONS:
        alike = with_gain[with_gain["comparison"] == comparison]
        if comparison != INVALID and len(alike) and (own := numbers_of_class(alike, n))["threshold"] > 0:
            question = Question(metric=metric, n=n, comparison=comparison, level=notion.level, sides=notion.sides)
            asked = Asked(atlas, question)
            known = atlas.thresholds[(atlas.thresholds["metric"] == asked.metric) & ~own_rows]
            others = known[known["comparison"] == comparison]
            rows.append({"comparison": comparison, "n": n} | _row(own | {"length": length}, asked, others))
    table = pd.DataFrame(rows)
    if not rows:
        return Placed(table, "No class has enough pairs for a threshold")
    in_atlas = bool((own_rows & (atlas.thresholds["metric"] == metric)).any())
    words = _sentence(table.loc[table["pairs"].idxmax()], f"{metric} ({notion.p} < {notion.level:g})", unit, in_atlas)
    return Placed(table, words)


def _row(own: dict[str, float], asked: Asked, others: pd.DataFrame) -> dict[str, float]:
    low, expected, high = asked.thresholds(asked.question.n)
    at_n = others["threshold"] * (others["n"] / asked.question.n) ** 0.5
    usual = others["level"].median()
    by = {
        "by_correlation": _ratio(1 - own["correlation"], 1 - others["correlation"].median()) ** 0.5,
        # A unit that is right with probability p has the deviation sqrt(p (1 - p)).
        "by_level": math.exp((log_variance(own["level"], asked.metric) - log_variance(usual, asked.metric)) / 2),
        "by_length": _ratio(others["length"][others["length"] > 0].median(), own["length"]) ** 0.5,
    }
    explained = math.prod(factor for factor in by.values() if factor == factor)
    row = {"pairs": own["pairs"], "threshold": own["threshold"] * asked.z / Z, "expected": expected}
    row |= {"low": low, "high": high, "test_sets": len(others)}
    row |= {"below": float((at_n < own["threshold"]).mean()) if len(others) else np.nan}
    return row | by | {"by_units": _ratio(own["error"], others["error"].median()) / explained}


def _ratio(own: float, usual: float) -> float:
    """Return how many times the usual value its own is; NaN unless both are above 0."""
    return own / usual if own > 0 and usual > 0 else math.nan


def _sentence(row: pd.Series, where: str, unit: str, in_atlas: bool) -> str:
    n = f"{row['n']:,} {plural(row['n'], unit)}"
    threshold, expected, low, high = (two_digits(row[name]) for name in ("threshold", "expected", "low", "high"))
    own = f"The threshold of {row['comparison']}, {threshold} in {where}"
    known = "the atlas has this test set too" if in_atlas else ""
    interval = "" if math.isnan(row["low"]) else f"{low} to {high}"
    around = "; ".join(filter(None, [interval, known]))
    expectation = f"{expected} was to be expected{f' ({around})' if around else ''}"
    if not row["test_sets"]:
        return f"{own}, has no other test set of this class to compare with; at {n} {expectation}"
    others = f"{row['below'] * row['test_sets']:.0f} of {count(row['test_sets'], 'other test set')}"
    return f"{own}, is above those of {others} at {n}; {expectation}. {_why(row)}"


def _why(row: pd.Series) -> str:
    """Return what makes the standard errors differ from those of other test sets; not what makes them more alike."""
    factors = {name: row[name] for name in WHY if row[name] == row[name]}
    ratio = math.prod(factors.values())
    smaller = int(ratio < 1)
    reasons = [WHY[name][smaller] for name, by in factors.items() if (1 / by if smaller else by) > SAME]
    because = f": {' and '.join(reasons)}" if reasons and max(ratio, 1 / ratio) > SAME else ""
    return f"Standard errors are {ratio:.2f} times those of other test sets{because}"
