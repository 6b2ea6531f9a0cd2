"""Aligners of two directions that learn by expectation maximisation, each on its own or both in agreement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from nlpsig_core.base.compiled import Floats, compiled
from nlpsig_core.laboratory.aligners.aligner import Aligner, Posteriors
from nlpsig_core.laboratory.aligners.bitext import Bitext
from nlpsig_core.laboratory.aligners.positions import LONGEST_JUMP, diagonal_moments, fill_diagonal, fill_hmm
from nlpsig_core.laboratory.aligners.table import PairTable, View, pair_table

ITERATIONS = 5
# The slope of the diagonal: its start, its limits, and Newton's steps in an iteration.
SLOPE, SLOPES, STEPS = 4.0, (0.1, 20.0), 3
# The share of all jumps that is spread over them evenly.
SMOOTHING = 0.01
# The least sum that is divided by.
TINY = 1e-300


class Direction(NamedTuple):
    """What one direction has learned: probabilities of ``pairs`` and of words from none (``null``), and positions."""

    pairs: Floats
    null: Floats
    shape: Floats


class Expected(NamedTuple):
    """What one direction expects: its posteriors (cells,), statistics of its positions, and the log likelihood."""

    posteriors: Floats
    statistics: Floats
    log_likelihood: float


class PositionModel(NamedTuple):
    """A model of positions: its kernel, where its shape starts, and how that learns from the statistics."""

    fill: Callable[[View, Floats, Floats, Floats, Floats, Floats], float]
    start: Floats
    learn: Callable[[View, Floats, Floats], Floats]


def learn_slope(view: View, shape: Floats, statistics: Floats) -> Floats:
    """Return the slope whose mean distance is the expected one, by Newton's method (Dyer et al. 2013, section 3.1)."""
    sizes, number = np.unique(np.stack([view.n_given, view.n_generated]), axis=1, return_counts=True)
    slope, goal = float(shape[0]), statistics[0] / statistics[1]
    for _ in range(STEPS):
        mean, variance = diagonal_moments(sizes[0].copy(), sizes[1].copy(), number, slope)
        if variance > 0:
            slope = float(np.clip(slope + (mean - goal) / variance, *SLOPES))
    return np.array([slope])


def learn_jumps(view: View, shape: Floats, statistics: Floats) -> Floats:
    """Return weights of jumps: their expected numbers, smoothed."""
    weights = statistics / max(statistics.sum(), TINY)
    return np.asarray((1 - SMOOTHING) * weights + SMOOTHING / len(weights))


# Model 1 learns nothing about positions.
MODEL_1 = PositionModel(fill_diagonal, np.zeros(1), lambda view, shape, statistics: shape)
DIAGONAL = PositionModel(fill_diagonal, np.full(1, SLOPE), learn_slope)
HMM = PositionModel(fill_hmm, np.ones(2 * LONGEST_JUMP + 1), learn_jumps)


@dataclass(frozen=True, eq=False, kw_only=True)
class DirectedAligner(Aligner):
    """An aligner with a model of each direction."""

    symmetrisation: ClassVar[str] = "product"

    table: PairTable
    model: PositionModel
    forward: Direction
    backward: Direction

    def posteriors(self, bitext: Bitext) -> list[Posteriors]:
        """Return the posteriors of each sentence pair."""
        grid = self.table.grid(bitext)
        flat = [
            expect(self.model, view, direction).posteriors
            for view, direction in zip(grid, (self.forward, self.backward), strict=True)
        ]
        shapes = zip(bitext.source.lengths.tolist(), bitext.target.lengths.tolist(), strict=True)
        cells = zip(grid.forward.first[:-1].tolist(), grid.forward.first[1:].tolist(), shapes, strict=True)
        return [Posteriors(*(values[a:b].reshape(shape) for values in flat)) for a, b, shape in cells]


def expect(model: PositionModel, view: View, direction: Direction) -> Expected:
    """Return what a direction expects of the cells of a bitext."""
    posteriors, statistics = np.empty(len(view.pair)), np.zeros(max(2, len(direction.shape)))
    log_likelihood = model.fill(view, *direction, posteriors, statistics)
    return Expected(posteriors, statistics, log_likelihood)


@compiled()
def fill_counts(view: View, posteriors: Floats, pairs: Floats, null: Floats) -> None:
    """Add posteriors (cells,) to the counts of their ``pairs``, and what they leave of each word to ``null``."""
    for k in range(len(view.n_given)):
        for j in range(view.n_generated[k]):
            left = 1.0
            for i in range(view.n_given[k]):
                cell = view.first[k] + i * view.given_step[k] + j * view.generated_step[k]
                pairs[view.pair[cell]] += posteriors[cell]
                left -= posteriors[cell]
            null[view.words[view.first_word[k] + j]] += max(left, 0.0)


def train_directed(
    models: Sequence[PositionModel],
    bitext: Bitext,
    seed: int = 0,
    *,
    iterations: int = ITERATIONS,
    joint: bool = False,
    threshold: float,
) -> DirectedAligner:
    """Train an aligner by some iterations of each model, which starts with the words of the model before.

    If ``joint``, both directions learn from the products of their posteriors (Liang, Taskar and Klein 2006, section
    3.2). Nothing is drawn at random.
    """
    table = pair_table(bitext)
    grid = table.grid(bitext)
    keys = table.source, table.target
    directions = [
        Direction(np.ones(len(table.target)), np.ones(len(words)), np.zeros(1))
        for words in (table.target_vocabulary, table.source_vocabulary)
    ]
    for model in models:
        directions = [direction._replace(shape=model.start) for direction in directions]
        for _ in range(iterations):
            expected = [expect(model, view, own) for view, own in zip(grid, directions, strict=True)]
            both = expected[0].posteriors * expected[1].posteriors if joint else None
            for i, (view, own) in enumerate(zip(grid, expected, strict=True)):
                pairs, null = np.zeros_like(directions[i].pairs), np.zeros_like(directions[i].null)
                fill_counts(view, own.posteriors if both is None else both, pairs, null)
                pairs /= np.maximum(np.bincount(keys[i], pairs), TINY)[keys[i]]
                shape = model.learn(view, directions[i].shape, own.statistics)
                directions[i] = Direction(pairs, null / max(null.sum(), TINY), shape)
    forward, backward = directions
    return DirectedAligner(table=table, model=models[-1], forward=forward, backward=backward, threshold=threshold)
