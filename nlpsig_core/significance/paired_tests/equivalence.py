"""Equivalence tests: which pairs score the same within a margin."""

from __future__ import annotations

import numpy as np

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.significance.resampling.bootstrap import Bootstrap


def equivalent(result: Bootstrap, within: float, level: float = 0.05) -> np.ndarray:
    """Whether each pair's true gain is between -within and within, (m,), by two one-sided tests at the level.

    Both tests reject if the percentile interval of level 1 - 2 level (90% at 0.05) is inside these bounds (Schuirmann
    1987). ChoiceError if ``within`` is not above 0, or if the level is not below 0.5.
    """
    if not 0 < level < 0.5:
        raise ChoiceError(f"Equivalence cannot be tested at the level {level:g}; choose a level between 0 and 0.5")
    if not within > 0:
        raise ChoiceError(f"Systems cannot be equivalent within {within:g}; choose a gain above 0")
    low, high = result.gain_intervals(1 - 2 * level).T
    inside: np.ndarray = (-within < low) & (high < within)
    return inside
