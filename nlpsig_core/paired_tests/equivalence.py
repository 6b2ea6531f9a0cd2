"""Equivalence: which pairs have the same score within a gain."""

from __future__ import annotations

import numpy as np

from nlpsig_core.errors import ChoiceError
from nlpsig_core.resampling.bootstrap import Bootstrap


def equivalent(result: Bootstrap, within: float, level: float = 0.05) -> np.ndarray:
    """Whether each pair's true gain lies between -within and within, (m,): two one-sided tests at the level.

    They both reject where the percentile interval of level 1 - 2 level (90 % at 0.05) lies inside of these bounds
    (Schuirmann 1987). ChoiceError where ``within`` is not above 0, or the level not below 0.5.
    """
    if not 0 < level < 0.5:
        raise ChoiceError(f"Equivalence at the level {level:g} has no interval; choose a level below 0.5")
    if not within > 0:
        raise ChoiceError(f"Systems cannot be the same within {within:g}; choose a gain above 0")
    low, high = result.gain_intervals(1 - 2 * level).T
    return (-within < low) & (high < within)
