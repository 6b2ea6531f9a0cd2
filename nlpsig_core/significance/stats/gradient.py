"""The gradient of a score at totals, by central differences."""

from __future__ import annotations

import numpy as np

from nlpsig_core.data.metrics.base import Score

# The step of a numerical gradient, as a share of a total.
STEP = 1e-4
# A total that is a smaller share of the largest one is rounding, as of centred numbers: a step of it would be none.
ROUNDING = 1e-9


def gradient(score: Score, totals: np.ndarray) -> np.ndarray:
    """Return the slope of ``score`` in each of the totals (outputs, k), of the same shape."""
    slopes, largest = np.empty_like(totals), np.abs(totals).max(axis=1, initial=0)
    for column in range(totals.shape[1]):
        above, below = totals.copy(), totals.copy()
        size = np.abs(totals[:, column])
        step = STEP * np.where((size > 0) & (size < ROUNDING * largest), largest, size)
        above[:, column] += np.where(step > 0, step, 1.0)
        below[:, column] -= step
        slopes[:, column] = (score(above) - score(below)) / (above - below)[:, column]
    return slopes
