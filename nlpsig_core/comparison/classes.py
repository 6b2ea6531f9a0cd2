"""The comparison class of each pair: what the systems' groups and kinds make of it."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pandas as pd

SAME, DIFFERENT = "same group", "different groups"
SAME_MODEL, DIFFERENT_MODELS = "same model type", "different model types"
COMBINATION, MIXED, INVALID = "system combination", "one combination", "invalid output"
COMPARISONS = (DIFFERENT, SAME, DIFFERENT_MODELS, SAME_MODEL, COMBINATION, MIXED, INVALID)


def groups_of(systems: pd.DataFrame) -> np.ndarray:
    """What the classes compare of each system, (systems,): its base model where that is told, else its group."""
    model = systems.get("base_model", pd.Series("", index=systems.index)).to_numpy(dtype=str)
    return np.where(model != "", model, systems["group"].to_numpy(dtype=str)).astype(object)


def comparisons(systems: pd.DataFrame, pairs: np.ndarray, invalid: Collection[str] = ()) -> np.ndarray:
    """The comparison class of each pair, (m,), for (m, 2) rows of the frame (file, group, kind).

    Classes are those of Berg-Kirkpatrick et al. (2012), figure 4, or, for two systems whose ``base_model`` is
    told, those of figures 5 to 8; a combination against a single system, which the paper leaves out, and
    pairs with an invalid output are classes of their own.
    """
    group = systems["group"].to_numpy(dtype=str)
    model = systems.get("base_model", pd.Series("", index=systems.index)).to_numpy(dtype=str)
    combined = systems["kind"].astype(str).str.lower().str.contains("combination").to_numpy()
    broken = systems["file"].isin(list(invalid)).to_numpy()
    a, b = pairs.T
    return np.select(
        [
            broken[a] | broken[b],
            combined[a] & combined[b],
            combined[a] | combined[b],
            (model[a] != "") & (model[a] == model[b]),
            (model[a] != "") & (model[b] != ""),
            group[a] == group[b],
        ],
        [INVALID, COMBINATION, MIXED, SAME_MODEL, DIFFERENT_MODELS, SAME],
        DIFFERENT,
    )
