"""Equivalence: which pairs are the same within a gain, and the verdict on each pair."""

from __future__ import annotations

import numpy as np
import pandas as pd

from nlpsig_core.bootstrap import Bootstrap
from nlpsig_core.errors import ChoiceError

BETTER, EQUIVALENT, UNDECIDED = "better", "equivalent", "undecided"
VERDICTS = (BETTER, EQUIVALENT, UNDECIDED)


def equivalent(result: Bootstrap, within: float, level: float = 0.05) -> np.ndarray:
    """Whether each pair's true gain lies between -within and within, (m,): two one-sided tests at the level.

    They both reject where the percentile interval of level 1 - 2 level (90 % at 0.05) lies inside of these bounds
    (Schuirmann 1987). ChoiceError where ``within`` is not above 0.
    """
    if not within > 0:
        raise ChoiceError(f"Systems cannot be the same within {within:g}; choose a gain above 0")
    low, high = result.gain_intervals(1 - 2 * level).T
    return (-within < low) & (high < within)


def verdicts(pairs: pd.DataFrame, same: np.ndarray) -> np.ndarray:
    """The verdict on each pair, (m,): better where significant, else equivalent where ``same``, else undecided."""
    return np.select([pairs["significant"].to_numpy(dtype=bool), same], [BETTER, EQUIVALENT], UNDECIDED)
