"""The averaged perceptron (Collins 2002), for which every closest parse is correct (Johnson 2005, slide 39)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import diags_array

from nlpsig_core.base.compiled import Flags, Floats, Ints, compiled
from nlpsig_core.laboratory.reranking.candidates import Candidates, Part
from nlpsig_core.laboratory.reranking.estimators.conditional import Setting, surprise
from nlpsig_core.laboratory.reranking.kernels import LANES, Entries, in_lanes, place_of, runs_of, score_rows

# More passes learn the training set by heart: it has many more features than sentences.
PASSES = 2


def path(part: Part, columns: np.ndarray, settings: Sequence[Setting], start: np.ndarray | None) -> list[np.ndarray]:
    """Return the mean of the weights over all steps of PASSES passes through the sentences, for each setting.

    Features that are no counts, such as log probabilities, are divided by their deviation within sentences, and begin
    with c times the number of sentences times the lead of the closest parses in them. From 0, the weight of a log
    probability would fall in the first steps, as a closest parse that is not the first is less probable than the
    first. A ``start`` is not used, and neither sentences nor columns are copied.
    """
    (first, sizes), candidates = beginning(part), part.candidates
    begin, steps = np.zeros((candidates.n_features, len(settings))), np.zeros(candidates.n_features)
    begin[columns] = np.stack([c * first[columns] for c in settings], axis=1)
    steps[columns] = sizes[columns]
    runs = runs_of(columns)
    entries, closest = candidates.entries, candidates.closest
    weights = [_learn(entries, part.sentences, closest, runs, lanes, steps, PASSES) for lanes in in_lanes(begin)]
    return list(np.concatenate(weights, axis=1)[columns, : len(settings)].T)


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
    entries: Entries, sentences: Ints, closest: Flags, runs: Ints, weights: Floats, sizes: Floats, passes: int
) -> Floats:
    """Return the mean of the weights over all steps, (features, LANES), of perceptrons that begin with ``weights``.

    ``sizes`` (features,) are those of steps. Features of size 0 that begin with 0, as all outside of ``runs``, take no
    part. Of equals, the first is chosen.
    """
    summed, step, scores = np.zeros_like(weights), 0.0, np.empty((np.diff(entries.first).max(), LANES))
    for _ in range(passes):
        for sentence in sentences:
            score_rows(sentence, entries, runs, weights, scores)
            begin, end = entries.first[sentence], entries.first[sentence + 1]
            for lane in range(LANES):
                best = begin + np.argmax(scores[: end - begin, lane])
                if not closest[best]:
                    nearest, most = best, -np.inf
                    for row in range(begin, end):
                        if closest[row] and scores[row - begin, lane] > most:
                            nearest, most = row, scores[row - begin, lane]
                    for row, sign in ((nearest, 1.0), (best, -1.0)):
                        at = entries.starts[row]
                        for run in range(runs.shape[0]):
                            at = place_of(runs[run, 0], at, entries.starts[row + 1], entries.columns)
                            while at < entries.starts[row + 1] and entries.columns[at] < runs[run, 1]:
                                column = entries.columns[at]
                                change = sign * sizes[column] * entries.values[at]
                                weights[column, lane] += change
                                # What is added in this step is missing in the sums of the steps before it.
                                summed[column, lane] += step * change
                                at += 1
            step += 1.0
    return weights - summed / step
