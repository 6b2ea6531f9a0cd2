"""The comparison class of each pair, from the systems' groups, kinds and base models."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pandas as pd

from nlpsig_core.base.digests import digest

SAME, DIFFERENT = "same group", "different groups"
SAME_MODEL, DIFFERENT_MODELS = "same model type", "different model types"
COMBINATION, MIXED, INVALID = "system combination", "one combination", "invalid output"
COMPARISONS = (DIFFERENT, SAME, DIFFERENT_MODELS, SAME_MODEL, COMBINATION, MIXED, INVALID)


def groups_of(systems: pd.DataFrame) -> np.ndarray:
    """Return what the classes compare, (systems,): each system's base model if known, else its group."""
    model = systems.get("base_model", pd.Series("", index=systems.index)).to_numpy(dtype=str)
    groups: np.ndarray = np.where(model != "", model, systems["group"].to_numpy(dtype=str)).astype(object)
    return groups


def classes_digest(systems: pd.DataFrame) -> str:
    """Return a name for what the comparison classes depend on: the systems' groups, kinds and base models."""
    columns = [c for c in ("system", "group", "kind", "base_model") if c in systems]
    return digest(systems[columns].to_csv(index=False).encode())[:6]


def comparisons(systems: pd.DataFrame, pairs: np.ndarray, invalid: Collection[str] = ()) -> np.ndarray:
    """Return the comparison class of each pair, (m,), for (m, 2) rows of the frame (file, group, kind).

    The classes are those of Berg-Kirkpatrick et al. (2012), figure 4, or of figures 5 to 8 for two systems with a known
    ``base_model``. A combination against a single system, which the paper leaves out, and pairs with an invalid output
    are classes of their own.
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
