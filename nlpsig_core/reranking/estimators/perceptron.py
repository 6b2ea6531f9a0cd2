"""The averaged perceptron (Collins 2002), for which every closest parse is correct (Johnson 2005, slide 39)."""

from __future__ import annotations

import numpy as np

from nlpsig_core.reranking.candidates import Candidates

PASSES = 10


def fit(candidates: Candidates, c: float | np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
    """Weights by their mean over PASSES passes through the sentences.

    Features that are no counts, such as log probabilities, are brought to the root mean square ``c`` first: without
    that, their large values drown the counts in each step. A ``start`` is not used.
    """
    from nlpsig_core.reranking.estimators.kernels import learn

    matrix = candidates.matrix
    weights: np.ndarray = learn(
        candidates.first, matrix.indptr, matrix.indices, matrix.data, candidates.closest, rates(candidates, c),
        PASSES, np.zeros(candidates.n_features),
    )  # fmt: skip
    return weights


def rates(candidates: Candidates, c: float | np.ndarray) -> np.ndarray:
    """The size of a step in each feature, (features,): 1 for counts, else (c / root mean square)^2.

    A step of that size in a feature equals a step of 1 in the feature brought to the root mean square c.
    """
    matrix = candidates.matrix
    no_count = np.unique(matrix.indices[matrix.data != np.rint(matrix.data)])
    values = matrix[:, no_count]
    spread = np.asarray(values.multiply(values).mean(axis=0)).ravel()
    sizes = np.ones(candidates.n_features)
    sizes[no_count] = np.broadcast_to(c, candidates.n_features)[no_count] ** 2 / spread
    return sizes
