"""The averaged perceptron (Collins 2002), for which every closest parse is correct (Johnson 2005, slide 39)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import diags_array

from nlpsig_core.laboratory.reranking.candidates import Candidates
from nlpsig_core.laboratory.reranking.estimators.base import Setting
from nlpsig_core.laboratory.reranking.estimators.kernels import columns_of_fractions, learn
from nlpsig_core.laboratory.reranking.estimators.objectives import surprise

# More passes learn the training set by heart: it has many more features than sentences.
PASSES = 2


def path(candidates: Candidates, settings: Sequence[Setting], start: np.ndarray | None = None) -> list[np.ndarray]:
    """Weights by their mean over all steps of PASSES passes through the sentences, for each setting.

    Features that are no counts, such as log probabilities, are divided by their deviation within sentences, and begin
    with c times the number of sentences times the ``lead`` of the closest parses in them. From 0, the weight of a log
    probability would fall in the first steps, as a closest parse that is not the first is less probable than the
    first. A ``start`` is not used.
    """
    matrix = candidates.matrix
    first, sizes = beginning(candidates)
    begin = np.stack([c * first for c in settings], axis=1)
    weights = learn(
        candidates.first, matrix.indptr, matrix.indices, matrix.data, candidates.closest, begin, sizes, PASSES
    )
    return list(weights.T)


def beginning(candidates: Candidates) -> tuple[np.ndarray, np.ndarray]:
    """The first weights for c = 1, and the sizes of steps of all features, (features,) each: 0 and 1 for counts.

    To divide a feature by its deviation is to divide its steps by the deviation squared.
    """
    weights, sizes = np.zeros(candidates.n_features), np.ones(candidates.n_features)
    columns = no_counts(candidates)
    if len(columns):
        alone = candidates.with_columns(columns)
        sizes[columns] = 1 / variances(alone)
        weights[columns] = candidates.n_sentences * lead(alone) * sizes[columns]
    return weights, sizes


def no_counts(candidates: Candidates) -> np.ndarray:
    """The features with values other than whole numbers."""
    return columns_of_fractions(candidates.matrix.indices, candidates.matrix.data, candidates.n_features)


def lead(candidates: Candidates) -> np.ndarray:
    """How far the mean of each feature of the closest parses is above that of all parses of a sentence, (features,)."""
    _, gradient = surprise(candidates)(np.zeros(candidates.n_features))
    return -gradient


def variances(candidates: Candidates) -> np.ndarray:
    """The mean square of each feature's distance from its mean in the sentence, (features,); 1 instead of 0."""
    values, n = candidates.matrix, len(candidates.sentence)
    rows = np.arange(n)
    by_sentence = type(values)((np.ones(n), (candidates.sentence, rows)), shape=(candidates.n_sentences, n))
    means = diags_array(1 / np.diff(candidates.first)) @ (by_sentence @ values)
    squares = values.power(2).sum(axis=0) - (by_sentence @ values).multiply(means).sum(axis=0)
    mean_squares = np.asarray(squares).ravel() / n
    return np.where(mean_squares > 0, mean_squares, 1.0)
