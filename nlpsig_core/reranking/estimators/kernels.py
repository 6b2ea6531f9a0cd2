"""The compiled loop of the averaged perceptron."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def learn(
    first: np.ndarray, starts: np.ndarray, columns: np.ndarray, values: np.ndarray, closest: np.ndarray,
    weights: np.ndarray, rates: np.ndarray, passes: int,
) -> np.ndarray:  # fmt: skip
    """The mean of the weights over all steps, (features,), of a perceptron that begins with ``weights``.

    ``starts``, ``columns`` and ``values`` are the matrix by rows; ``rates`` (features,) are the sizes of steps. Of
    equals, the first is chosen.
    """
    summed, step = np.zeros_like(weights), 0.0
    for _ in range(passes):
        for sentence in range(first.shape[0] - 1):
            best, nearest, most, most_near = -1, -1, -np.inf, -np.inf
            for row in range(first[sentence], first[sentence + 1]):
                score = 0.0
                for i in range(starts[row], starts[row + 1]):
                    score += values[i] * weights[columns[i]]
                if score > most:
                    best, most = row, score
                if closest[row] and score > most_near:
                    nearest, most_near = row, score
            if not closest[best]:
                for row, sign in ((nearest, 1.0), (best, -1.0)):
                    for i in range(starts[row], starts[row + 1]):
                        change = sign * rates[columns[i]] * values[i]
                        weights[columns[i]] += change
                        # What is added in this step is missing in the sums of the steps before it.
                        summed[columns[i]] += step * change
            step += 1.0
    return weights - summed / step
