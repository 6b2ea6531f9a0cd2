"""Lengths and positions of the sentences of a file, from the indices of their first tokens."""

from __future__ import annotations

import numpy as np


def lengths(first: np.ndarray, n_tokens: int) -> np.ndarray:
    """Tokens of each sentence, (sentences,), from the first token of each and the number of all tokens."""
    return np.diff(np.append(first, n_tokens))


def tokens_of(first: np.ndarray, n_tokens: int, sentence: int) -> slice:
    """The tokens of one sentence."""
    bounds = [*first[sentence : sentence + 2].tolist(), n_tokens]
    return slice(bounds[0], bounds[1])
