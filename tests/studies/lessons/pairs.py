"""Pairs of systems for the tests of lessons."""

from __future__ import annotations

import numpy as np

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.stats.array import Stats


def pair(seed: int, units: int) -> Stats:
    """Make two systems of about the same quality in LAS, the better one first; the same units are hard for both."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(2, 30, units)
    easy = rng.normal(0.7, 0.15, units) + rng.normal(0, 0.05, (2, units))
    correct = rng.binomial(gold, easy.clip(0, 1))
    values = np.stack([correct, np.tile(gold, (2, 1)), np.tile(gold, (2, 1))], axis=2).astype(np.int32)
    stats = Stats(("a", "b"), values, METRICS["LAS"])
    return stats.select(np.argsort(-stats.scores))
