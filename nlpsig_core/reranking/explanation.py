"""Why a reranker prefers a parse: its heaviest features, and those that pull a parse above the first one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from nlpsig_core.reranking.candidates import Candidates
from nlpsig_core.reranking.wording import in_words

WEIGHT_COLUMNS = ["feature", "class", "weight", "sentences", "name"]
PULL_COLUMNS = ["feature", "class", "weight", "first", "reranked", "pull", "name"]


def heaviest(candidates: Candidates, weights: np.ndarray, names: Sequence[str], number: int) -> pd.DataFrame:
    """The features with the largest absolute weights, as ``WEIGHT_COLUMNS``: a feature in words, and its ``name``.

    ``sentences`` is the number of sentences in which a candidate has it. ``weights`` and ``names`` are (features,).
    """
    features = _largest(np.abs(weights), number)
    within = candidates.sentences_with()
    rows = [(in_words(names[i]), class_of(names[i]), weights[i], within[i], names[i]) for i in features]
    return pd.DataFrame(rows, columns=WEIGHT_COLUMNS)


def pulled_up(
    matrix: Any, weights: np.ndarray, names: Sequence[str], first: int, reranked: int, number: int
) -> pd.DataFrame:
    """The features that separate two candidates (rows of ``matrix``), as ``PULL_COLUMNS``, the largest pull first.

    ``first`` and ``reranked`` are the values of a feature in the two, and ``pull`` is their difference times the
    weight: what the feature adds to the score of the reranked parse over the first. The pulls of all features sum to
    the difference of the scores.
    """
    of_first, of_reranked = (matrix[row].toarray().ravel() for row in (first, reranked))
    pulls = (of_reranked - of_first) * weights
    rows = [
        (in_words(names[i]), class_of(names[i]), weights[i], of_first[i], of_reranked[i], pulls[i], names[i])
        for i in _largest(np.abs(pulls), number)
    ]
    return pd.DataFrame(rows, columns=PULL_COLUMNS)


def class_of(name: str) -> str:
    """The class of a feature with this name."""
    return name.partition(" ")[0].partition(":")[0]


def _largest(sizes: np.ndarray, number: int) -> np.ndarray:
    """The indices of the largest sizes, largest first; those of size 0 are left out."""
    order = np.argsort(-sizes, kind="stable")[:number]
    return order[sizes[order] > 0]
