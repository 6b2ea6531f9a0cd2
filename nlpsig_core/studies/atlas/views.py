"""What surrounds an answer: the cloud of pairs, and thresholds by size, of each test set, and of the paper."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from nlpsig_core.significance.comparison.classes import DIFFERENT, SAME
from nlpsig_core.significance.comparison.thresholds import PUBLISHED
from nlpsig_core.studies.atlas.ask import ABOUT_N, Asked, Question
from nlpsig_core.studies.atlas.rows import Z
from nlpsig_core.studies.atlas.store import Atlas

# The number of units of the paper's test sets, where it reports one.
UNITS = {"690 sentences": 690, "2,034 sentences": 2_034, "100 sentences": 100, "48 document collections": 48}
# The paper does not say which ROUGE.
IN_ATLAS = {"ROUGE": "ROUGE-1"}


def nearby(asked: Asked) -> pd.DataFrame:
    """Return all pairs of the metric and class, for the cloud: the atlas's columns, and three more.

    ``significant`` is by the question's notion, ``gain_at_n`` the gain that would be as many standard errors on the
    question's n, and ``about_n`` whether the test set has about as many units.
    """
    n, rows = asked.question.n, asked.rows
    return rows.assign(
        gain_at_n=rows["gain"] * (rows["n"] / n) ** 0.5, about_n=rows["n"].between(n / ABOUT_N, n * ABOUT_N)
    ).reset_index(drop=True)


def curve(asked: Asked, sizes: Sequence[int]) -> pd.DataFrame:
    """Return the threshold by number of units: n, threshold, low, high (the interval for a new test set)."""
    rows = [(n, *asked.thresholds(n)) for n in sizes]
    return pd.DataFrame(rows, columns=["n", "low", "threshold", "high"])[["n", "threshold", "low", "high"]]


def strip(asked: Asked) -> pd.DataFrame:
    """Return the thresholds of test sets, the lowest first: task, test_set, language, year, n, pairs, level, threshold.

    Beside the ``threshold`` on its own n units, ``at_n`` is what it would be on the question's.
    """
    question, known = asked.question, asked.atlas.thresholds
    alike = known[(known["metric"] == asked.metric) & (known["comparison"] == question.comparison)]
    own = alike["threshold"] * asked.z / Z
    columns = ["task", "test_set", "language", "year", "n", "pairs", "level"]
    table = alike[columns].assign(threshold=own, at_n=own * (alike["n"] / question.n) ** 0.5)
    return table.sort_values("at_n", kind="stable", ignore_index=True)


def published(atlas: Atlas, metric: str = "") -> pd.DataFrame:
    """Return the paper's thresholds (``PUBLISHED``), of all metrics or one of the atlas, and what the atlas expects.

    Further columns: n, and ``expected``, ``low`` and ``high``, the threshold of a new test set of this size at
    one-sided p < 0.05, with its 90% interval. They are NaN where the atlas lacks the metric, or the paper the size.
    """
    names = PUBLISHED["metric"].replace(IN_ATLAS)
    rows = PUBLISHED[names == metric] if metric else PUBLISHED
    expected = [_expected(atlas, names[at], row["test set"], row["comparison"]) for at, row in rows.iterrows()]
    columns = pd.DataFrame(expected, columns=["n", "expected", "low", "high"], index=rows.index)
    return pd.concat([rows, columns], axis=1).reset_index(drop=True)


def _expected(atlas: Atlas, metric: str, test_set: str, comparison: str) -> tuple[float, ...]:
    n = UNITS.get(test_set)
    if n is None or metric not in atlas.metrics:
        return (np.nan if n is None else n, *(np.nan,) * 3)
    like = SAME if comparison.startswith("same") else DIFFERENT
    low, centre, high = Asked(atlas, Question(metric=metric, n=n, sides="one", comparison=like)).thresholds(n)
    return n, centre, low, high
