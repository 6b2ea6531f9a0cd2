"""The order in which a parser sees the sentences of its treebank."""

from __future__ import annotations

import numpy as np

from nlpsig_core.laboratory.parsers.treebank import Treebank


def rounds_of(treebank: Treebank, rounds: int, seed: int) -> np.ndarray:
    """Sentence indices of so many rounds, each in a new order that depends on ``seed``."""
    generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
    return np.concatenate([generator.random(treebank.n_sentences).argsort() for _ in range(rounds)])
