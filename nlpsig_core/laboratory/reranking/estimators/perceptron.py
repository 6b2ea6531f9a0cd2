"""The averaged perceptron (Collins 2002), for which every closest parse is correct (Johnson 2005, slide 39)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import diags_array

from nlpsig_core.base.compiled import compiled
from nlpsig_core.laboratory.reranking.candidates import Candidates, Part, whole
from nlpsig_core.laboratory.reranking.estimators.conditional import Setting, surprise
from nlpsig_core.laboratory.reranking.kernels import in_lanes, place_of, runs_of, score_row

# More passes learn the training set by heart: it has many more features than sentences.
PASSES = 2


def path(candidates: Candidates, settings: Sequence[Setting], start: np.ndarray | None) -> list[np.ndarray]:
    """Return the mean of the weights over all steps of PASSES passes through the sentences, for each setting.

    Features that are no counts, such as log probabilities, are divided by their deviation within sentences, and begin
    with c times the number of sentences times the lead of the closest parses in them. From 0, the weight of a log
    probability would fall in the first steps, as a closest parse that is not the first is less probable than the
    first. A ``start`` is not used.
    """
    return path_in_columns(whole(candidates), np.arange(candidates.n_features), settings)


def path_in_columns(part: Part, columns: np.ndarray, settings: Sequence[Setting]) -> list[np.ndarray]:
    """Return the ``path`` of a part with some of its features (indices, ascending), without copying either."""
    (first, sizes), candidates = beginning(part), part.candidates
    begin, steps = np.zeros((candidates.n_features, len(settings))), np.zeros(candidates.n_features)
    begin[columns] = np.stack([c * first[columns] for c in settings], axis=1)
    steps[columns] = sizes[columns]
    runs = runs_of(columns)
    weights = _learn(*candidates.rows, part.sentences, candidates.closest, runs, in_lanes(begin), steps, PASSES)
    return list(weights[columns, : len(settings)].T)


def beginning(part: Part) -> tuple[np.ndarray, np.ndarray]:
    """Return the first weights for c = 1, and the sizes of steps of all features, (features,) each: 0, 1 for counts.

    To divide a feature by its deviation is to divide its steps by the deviation squared. The lead of a feature is how
    far its mean over the closest parses is above that over all parses of a sentence.
    """
    weights, sizes = np.zeros(part.candidates.n_features), np.ones(part.candidates.n_features)
    # A feature may have fractions in other sentences alone.
    in_all, of_all = part.candidates.fractions
    places, alone = of_all.take(part.sentences).fractions
    if len(places):
        columns = in_all[places]
        sizes[columns] = 1 / variances(alone)
        lead = -surprise(alone)(np.zeros(len(columns)))[1]
        weights[columns] = len(part.sentences) * lead * sizes[columns]
    return weights, sizes


def variances(candidates: Candidates) -> np.ndarray:
    """Return the mean square of each feature's distance from its mean in the sentence, (features,); 1 instead of 0."""
    values, n = candidates.matrix, len(candidates.sentence)
    by_sentence = type(values)((np.ones(n), (candidates.sentence, np.arange(n))), shape=(candidates.n_sentences, n))
    means = diags_array(1 / np.diff(candidates.first)) @ (by_sentence @ values)
    squares = values.power(2).sum(axis=0) - (by_sentence @ values).multiply(means).sum(axis=0)
    mean_squares = np.asarray(squares).ravel() / n
    return np.where(mean_squares > 0, mean_squares, 1.0)


@compiled()
def _learn(
    first: np.ndarray,
    starts: np.ndarray,
    columns: np.ndarray,
    values: np.ndarray,
    sentences: np.ndarray,
    closest: np.ndarray,
    runs: np.ndarray,
    weights: np.ndarray,
    sizes: np.ndarray,
    passes: int,
) -> np.ndarray:
    """Return the mean of the weights over all steps, (features, k), of k perceptrons that begin with ``weights``.

    ``starts``, ``columns`` and ``values`` are the matrix by rows; ``sizes`` (features,) are those of steps. Features
    of size 0 that begin with 0, as all outside of ``runs``, take no part. k is a multiple of LANES. Of equals, the
    first is chosen.
    """
    k = weights.shape[1]
    summed, step, scores = np.zeros_like(weights), 0.0, np.empty(k)
    best, nearest, most, most_near = np.empty(k, np.int64), np.empty(k, np.int64), np.empty(k), np.empty(k)
    for _ in range(passes):
        for sentence in sentences:
            most[:], most_near[:] = -np.inf, -np.inf
            for row in range(first[sentence], first[sentence + 1]):
                score_row(starts[row], starts[row + 1], columns, values, runs, weights, scores)
                for j in range(k):
                    if scores[j] > most[j]:
                        best[j], most[j] = row, scores[j]
                    if closest[row] and scores[j] > most_near[j]:
                        nearest[j], most_near[j] = row, scores[j]
            for j in range(k):
                if not closest[best[j]]:
                    for row, sign in ((nearest[j], 1.0), (best[j], -1.0)):
                        at = starts[row]
                        for run in range(runs.shape[0]):
                            at = place_of(runs[run, 0], at, starts[row + 1], columns)
                            while at < starts[row + 1] and columns[at] < runs[run, 1]:
                                change = sign * sizes[columns[at]] * values[at]
                                weights[columns[at], j] += change
                                # What is added in this step is missing in the sums of the steps before it.
                                summed[columns[at], j] += step * change
                                at += 1
            step += 1.0
    return weights - summed / step
