"""Compiled loops over the features of one list: their sums over places, the most frequent values, and what is not 0."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpsig_core.base.compiled import Ints, compiled


@compiled()
def summed(has: Ints, where: Ints, seen: Ints, columns: Ints, ends: Ints, n_columns: int) -> Ints:
    """Return how much of each feature the candidates have, (columns, candidates).

    ``has`` (places, candidates) tells how often a candidate has a place; the place ``where[i]`` has the look
    ``seen[i]``; and the features of look i are ``columns[ends[i]:ends[i + 1]]``.
    """
    n = has.shape[1]
    looks, values = np.zeros((ends.shape[0] - 1, n), np.int16), np.zeros((n_columns, n), np.int16)
    for i in range(seen.shape[0]):
        for candidate in range(n):
            looks[seen[i], candidate] += has[where[i], candidate]
    for look in range(looks.shape[0]):
        for i in range(ends[look], ends[look + 1]):
            for candidate in range(n):
                values[columns[i], candidate] += looks[look, candidate]
    return values


@compiled()
def centred(values: NDArray[Any]) -> NDArray[Any]:
    """Return the values (features, candidates) less the most frequent value of each feature (of equals, the least)."""
    result, n = values.copy(), values.shape[1]
    for feature in range(values.shape[0]):
        # Most are 0 in most candidates.
        if 2 * np.count_nonzero(values[feature]) >= n:
            ordered = np.sort(values[feature])
            best, longest, run = ordered[0], 1, 1
            for i in range(1, n):
                run = run + 1 if ordered[i] == ordered[i - 1] else 1
                if run > longest:
                    best, longest = ordered[i], run
            for candidate in range(n):
                result[feature, candidate] -= best
    return result


@compiled()
def sparse(values: NDArray[Any]) -> tuple[NDArray[Any], Ints, Ints]:
    """Return the values (features, candidates) that are not 0, by candidate, their features, and how many each has."""
    n_values = np.count_nonzero(values)
    data, features, counts, n = np.empty(n_values), np.empty(n_values, np.int64), np.zeros(values.shape[1], np.int64), 0
    for candidate in range(values.shape[1]):
        for feature in range(values.shape[0]):
            if values[feature, candidate] != 0:
                data[n], features[n] = values[feature, candidate], feature
                n += 1
                counts[candidate] += 1
    return data, features, counts
