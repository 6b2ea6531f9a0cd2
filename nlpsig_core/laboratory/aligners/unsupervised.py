"""The kinds of aligners that learn from sentence pairs alone.

Nothing is drawn at random: ``seed`` is there because every kind has one.
"""

from __future__ import annotations

from nlpsig_core.laboratory.aligners.bitext import Bitext
from nlpsig_core.laboratory.aligners.directed import (
    DIAGONAL,
    HMM,
    MODEL_1,
    DirectedAligner,
    Stage,
    train_directed,
)

ITERATIONS = 5


def train_model_1(bitext: Bitext, seed: int = 0, iterations: int = ITERATIONS) -> DirectedAligner:
    """Train Model 1 in both directions (Brown et al. 1993)."""
    return train_directed(bitext, [Stage(MODEL_1, False, iterations)], "product", 0.05)


def train_diagonal(bitext: Bitext, seed: int = 0, iterations: int = ITERATIONS) -> DirectedAligner:
    """Train Model 2 with a diagonal in both directions (Dyer et al. 2013)."""
    return train_directed(bitext, [Stage(DIAGONAL, False, iterations)], "product", 0.1)


def train_hmm(bitext: Bitext, seed: int = 0, iterations: int = ITERATIONS) -> DirectedAligner:
    """Train hidden Markov models of both directions, each on its own, after Model 1 (Vogel et al. 1996)."""
    return train_directed(bitext, [Stage(model, False, iterations) for model in (MODEL_1, HMM)], "product", 0.15)


def train_joint_hmm(bitext: Bitext, seed: int = 0, iterations: int = ITERATIONS) -> DirectedAligner:
    """Train hidden Markov models of both directions in agreement, after such Models 1 (Liang et al. 2006)."""
    return train_directed(bitext, [Stage(model, True, iterations) for model in (MODEL_1, HMM)], "product", 0.15)
