"""The compiled loop that takes columns of a sparse matrix: scipy's own takes most of the time of a trial."""

from __future__ import annotations

import numpy as np

from nlpsig_core.base.compiled import compiled


@compiled()
def take_columns(
    starts: np.ndarray, columns: np.ndarray, values: np.ndarray, place: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A matrix by rows (``starts``, ``columns``, ``values``) with each column at its ``place``, without those at -1."""
    ends = np.zeros_like(starts)
    for row in range(len(starts) - 1):
        kept = 0
        for i in range(starts[row], starts[row + 1]):
            kept += place[columns[i]] >= 0
        ends[row + 1] = ends[row] + kept
    new_columns, new_values, at = np.empty(ends[-1], columns.dtype), np.empty(ends[-1], values.dtype), 0
    for i in range(starts[-1]):
        if place[columns[i]] >= 0:
            new_columns[at], new_values[at] = place[columns[i]], values[i]
            at += 1
    return ends, new_columns, new_values
