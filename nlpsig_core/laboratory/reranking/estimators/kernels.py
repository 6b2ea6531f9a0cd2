"""The compiled loops of the averaged perceptron."""

from __future__ import annotations

import numpy as np

from nlpsig_core.base.compiled import compiled


@compiled()
def learn(
    first: np.ndarray, starts: np.ndarray, columns: np.ndarray, values: np.ndarray, closest: np.ndarray,
    weights: np.ndarray, rates: np.ndarray, passes: int,
) -> np.ndarray:  # fmt: skip
    """The mean of the weights over all steps, (features, k), of k perceptrons that begin with ``weights``.

    ``starts``, ``columns`` and ``values`` are the matrix by rows; ``rates`` (features,) are the sizes of steps. Of
    equals, the first is chosen.
    """
    k = weights.shape[1]
    summed, step, scores = np.zeros_like(weights), 0.0, np.empty(k)
    best, nearest, most, most_near = np.empty(k, np.int64), np.empty(k, np.int64), np.empty(k), np.empty(k)
    for _ in range(passes):
        for sentence in range(first.shape[0] - 1):
            most[:], most_near[:] = -np.inf, -np.inf
            for row in range(first[sentence], first[sentence + 1]):
                scores[:] = 0.0
                for i in range(starts[row], starts[row + 1]):
                    for j in range(k):
                        scores[j] += values[i] * weights[columns[i], j]
                for j in range(k):
                    if scores[j] > most[j]:
                        best[j], most[j] = row, scores[j]
                    if closest[row] and scores[j] > most_near[j]:
                        nearest[j], most_near[j] = row, scores[j]
            for j in range(k):
                if not closest[best[j]]:
                    for row, sign in ((nearest[j], 1.0), (best[j], -1.0)):
                        for i in range(starts[row], starts[row + 1]):
                            change = sign * rates[columns[i]] * values[i]
                            weights[columns[i], j] += change
                            # What is added in this step is missing in the sums of the steps before it.
                            summed[columns[i], j] += step * change
            step += 1.0
    return weights - summed / step


@compiled()
def columns_of_fractions(columns: np.ndarray, values: np.ndarray, n_columns: int) -> np.ndarray:
    """The columns of a sparse matrix with a value that is no whole number, ascending."""
    has_fraction = np.zeros(n_columns, np.bool_)
    for i in range(len(values)):
        if values[i] != np.rint(values[i]):
            has_fraction[columns[i]] = True
    return np.flatnonzero(has_fraction)
