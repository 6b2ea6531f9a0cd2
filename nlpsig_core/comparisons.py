"""The comparison class of each pair: what the systems' groups and kinds make of it."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pandas as pd

SAME, DIFFERENT, COMBINATION, MIXED, INVALID = (
    "same group",
    "different groups",
    "system combination",
    "one combination",
    "invalid output",
)
COMPARISONS = (DIFFERENT, SAME, COMBINATION, MIXED, INVALID)


def comparisons(systems: pd.DataFrame, pairs: np.ndarray, invalid: Collection[str] = ()) -> np.ndarray:
    """The comparison class of each pair, (m,), for (m, 2) rows of the frame (file, group, kind).

    Classes are those of Berg-Kirkpatrick et al. (2012), figure 4; a combination against a single system,
    which the paper leaves out, and pairs with an invalid output are classes of their own.
    """
    group = systems["group"].to_numpy(dtype=str)
    combined = systems["kind"].astype(str).str.lower().str.contains("combination").to_numpy()
    broken = systems["file"].isin(list(invalid)).to_numpy()
    a, b = pairs.T
    return np.select(
        [broken[a] | broken[b], combined[a] & combined[b], combined[a] | combined[b], group[a] == group[b]],
        [INVALID, COMBINATION, MIXED, SAME],
        DIFFERENT,
    )
