"""Why a reranker prefers a parse: its heaviest features, and those that pull a parse above the first one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from nlpsig_core.laboratory.reranking.candidates import Candidates

WEIGHT_COLUMNS = ["name", "weight", "sentences"]
PULL_COLUMNS = ["sentence", "name", "weight", "difference", "pull"]
# The name of all features of a sentence that are not listed, together.
OTHERS = ""


def heaviest(candidates: Candidates, weights: np.ndarray, names: Sequence[str], number: int) -> pd.DataFrame:
    """The features with the largest absolute weights, with ``WEIGHT_COLUMNS``.

    ``sentences`` is the number of sentences in which the candidates have different values of the feature.
    ``weights`` are (splits, features), of which the mean is taken; ``names`` are those of the features.
    """
    mean = weights.mean(axis=0)
    features = _largest(np.abs(mean), number)
    varies = np.bincount(candidates.variation()[0], minlength=candidates.n_features)
    rows = [(names[i], mean[i], varies[i]) for i in features.tolist()]
    return pd.DataFrame(rows, columns=WEIGHT_COLUMNS)


def pulls(
    candidates: Candidates,
    chosen: np.ndarray,
    weights: np.ndarray,
    split_of: np.ndarray,
    names: Sequence[str],
    number: int,
) -> pd.DataFrame:
    """The features that pull the ``chosen`` rows (sentences,) above the first of their lists, with ``PULL_COLUMNS``.

    ``difference`` is how much more of a feature the chosen parse has, and ``pull`` that times the weight: what the
    feature adds to the score of the chosen parse over the first. Each sentence (a number from 0) has its ``number``
    largest pulls, largest first, and those of all others as one row, so that its pulls sum to the difference of the
    scores. Sentences whose first parse is chosen have none. ``weights`` are (splits, features), and ``split_of``
    (sentences,) names those by which each sentence is reranked.
    """
    rows: list[tuple[int, str, float, float, float]] = []
    first = candidates.first[:-1]
    for sentence in np.flatnonzero(chosen != first).tolist():
        own = weights[split_of[sentence]]
        more = candidates.matrix[[chosen[sentence]]] - candidates.matrix[[first[sentence]]]
        features, differences = more.indices, more.data
        each = differences * own[features]
        order = _largest(np.abs(each), number)
        rows += [(sentence, names[features[i]], own[features[i]], differences[i], each[i]) for i in order.tolist()]
        rest = float(np.delete(each, order).sum())
        rows += [(sentence, OTHERS, np.nan, np.nan, rest)] if np.delete(each, order).any() else []
    return pd.DataFrame(rows, columns=PULL_COLUMNS)


def _largest(sizes: np.ndarray, number: int) -> np.ndarray:
    """The indices of the largest sizes, largest first; those of size 0 are left out."""
    order = np.argsort(-sizes, kind="stable")[:number]
    return order[sizes[order] > 0]
