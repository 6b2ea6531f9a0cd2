"""Small n-best lists as arrays, for tests of reranking."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.laboratory.reranking.candidates import Candidates

F1 = METRICS["F1-brackets"]


def lists(*sentences: list[tuple[tuple[int, int, int], list[float]]]) -> Candidates:
    """Candidates, each with its brackets (matched, gold, predicted) and its features."""
    rows = [candidate for sentence in sentences for candidate in sentence]
    return Candidates(
        first=np.cumsum([0, *map(len, sentences)]),
        matrix=csr_matrix(np.array([features for _, features in rows], dtype=float)),
        statistics=np.array([brackets for brackets, _ in rows]),
        metric=F1,
    )


def world(sentences: int = 12, features: int = 6, seed: int = 0, noise: float = 1.0) -> Candidates:
    """Lists of 2 to 6 candidates whose qualities depend on counts and a log probability, with noise."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 7, sentences)
    n = int(sizes.sum())
    counts = rng.poisson(0.7, (n, features)).astype(float)
    counts[:, 0] = -rng.exponential(9.0, n)
    signal = counts @ np.append(0.2, rng.normal(size=features - 1)) + noise * rng.normal(size=n)
    gold = np.repeat(rng.integers(4, 12, sentences), sizes)
    predicted = gold + rng.integers(-2, 3, n)
    matched = np.rint(np.minimum(gold, predicted) / (1 + np.exp(-signal))).astype(int)
    return Candidates(
        first=np.concatenate([[0], np.cumsum(sizes)]),
        matrix=csr_matrix(counts),
        statistics=np.stack([matched, gold, predicted], axis=1),
        metric=F1,
    )
