"""The gradient of a score at totals, by central differences."""

from __future__ import annotations

import numpy as np

from nlpsig_core.data.metrics.base import Score

# The step of a numerical gradient, as a share of a total.
STEP = 1e-4


def gradient(score: Score, totals: np.ndarray) -> np.ndarray:
    """Return the slope of ``score`` in each of the totals (outputs, k), of the same shape."""
    slopes = np.empty_like(totals)
    for column in range(totals.shape[1]):
        above, below = totals.copy(), totals.copy()
        step = STEP * np.abs(totals[:, column])
        above[:, column] += np.where(step > 0, step, 1.0)
        below[:, column] -= step
        slopes[:, column] = (score(above) - score(below)) / (above - below)[:, column]
    return slopes
