"""Agreement of raters: Krippendorff's alpha of scores on an interval scale."""

from __future__ import annotations

import numpy as np


def interval_alpha(units: np.ndarray, values: np.ndarray) -> float:
    """Return Krippendorff's alpha (2011) from the unit, a number from 0, and the value of each rating, (ratings,).

    Squared differences of ratings of the same unit are compared with those of all ratings. Units with one rating say
    nothing; NaN if no unit has two, or all values are equal.
    """
    several = np.bincount(units)[units] > 1
    _, unit, sizes = np.unique(units[several], return_inverse=True, return_counts=True)
    x, n = values[several] - values.mean(), int(several.sum())
    sums, squares = np.bincount(unit, x), np.bincount(unit, x**2)
    within = ((sizes * squares - sums**2) / (sizes - 1)).sum()
    among_all = n * (x**2).sum() - x.sum() ** 2
    return 1 - (n - 1) * within / among_all if among_all > 0 else np.nan
