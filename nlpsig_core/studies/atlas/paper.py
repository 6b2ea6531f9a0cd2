"""The thresholds that the paper reports, beside what the atlas expects at their sizes."""

from __future__ import annotations

import numpy as np
import pandas as pd

from nlpsig_core.significance.comparison.classes import DIFFERENT, SAME
from nlpsig_core.significance.comparison.thresholds import PUBLISHED
from nlpsig_core.studies.atlas.ask import Asked, Question
from nlpsig_core.studies.atlas.store import Atlas

# The number of units of the paper's test sets, where it reports one.
UNITS = {"690 sentences": 690, "2,034 sentences": 2_034, "100 sentences": 100, "48 document collections": 48}
# The paper does not say which ROUGE.
IN_ATLAS = {"ROUGE": "ROUGE-1"}


def published(atlas: Atlas, metric: str = "") -> pd.DataFrame:
    """The paper's thresholds (``PUBLISHED``), of all metrics or one of the atlas, and what the atlas expects.

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
