"""OWL-QN: L-BFGS for a smooth function plus the sizes of the weights (Andrew and Gao 2007)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np

from nlpsig_core.laboratory.reranking.estimators.objectives import Objective

MEMORY = 10
# Of the decrease that the slope promises, the least share that a step must bring, and how often it is halved.
LEAST_SHARE, HALVINGS = 1e-4, 30
Change = tuple[np.ndarray, np.ndarray]


def minimise_l1(objective: Objective, c: np.ndarray, start: np.ndarray, enough: float, most_steps: int) -> np.ndarray:
    """Weights that minimise the objective plus the sum of c times their sizes, ``c`` (features,); most become 0.

    Ends once a step lowers this by less than the share ``enough`` of it, or after ``most_steps``.
    """
    weights, changes = start, deque[Change](maxlen=MEMORY)
    value, gradient = objective(weights)
    total = value + float(c @ np.abs(weights))
    for _ in range(most_steps):
        slope = steepest(weights, gradient, c)
        direction = downhill(slope, changes)
        found = search(objective, c, weights, slope, direction, total, 1.0 if changes else first_step(slope))
        if found is None:
            break
        new, new_total, new_gradient = found
        change, rise = new - weights, new_gradient - gradient
        if change @ rise > 0:
            changes.append((change, rise))
        lowered, scale = total - new_total, max(abs(total), abs(new_total), 1.0)
        weights, gradient, total = new, new_gradient, new_total
        if lowered <= enough * scale:
            break
    return weights


def steepest(weights: np.ndarray, gradient: np.ndarray, c: np.ndarray) -> np.ndarray:
    """The slope of the penalised objective in its steepest direction, (features,); all 0 at the minimum (equation 4).

    A weight of 0 has a slope only if the gradient outweighs the penalty.
    """
    at_zero = np.sign(gradient) * np.maximum(np.abs(gradient) - c, 0)
    slope: np.ndarray = np.where(weights != 0, gradient + np.sign(weights) * c, at_zero)
    return slope


def first_step(slope: np.ndarray) -> float:
    """A cautious first step: of length 1."""
    return 1.0 / max(float(np.linalg.norm(slope)), 1e-12)


def downhill(slope: np.ndarray, changes: Sequence[Change]) -> np.ndarray:
    """The direction of L-BFGS (two loops over the last changes of weights and gradients), where it goes downhill."""
    direction, shares = -slope, []
    for change, rise in reversed(changes):
        share = (change @ direction) / (change @ rise)
        direction = direction - share * rise
        shares.append(share)
    if changes:
        change, rise = changes[-1]
        direction = direction * ((change @ rise) / (rise @ rise))
    for (change, rise), share in zip(changes, reversed(shares), strict=True):
        direction = direction + (share - (rise @ direction) / (change @ rise)) * change
    return np.where(direction * slope < 0, direction, 0.0)


def search(
    objective: Objective, c: np.ndarray, weights: np.ndarray, slope: np.ndarray, direction: np.ndarray, total: float,
    step: float,
) -> tuple[np.ndarray, float, np.ndarray] | None:  # fmt: skip
    """The first of ever shorter steps that lowers the penalised objective: weights, objective, gradient; None if none.

    A weight that would change its sign becomes 0.
    """
    orthant = np.where(weights != 0, np.sign(weights), -np.sign(slope))
    for _ in range(HALVINGS):
        moved = weights + step * direction
        new = np.where(moved * orthant > 0, moved, 0.0)
        value, gradient = objective(new)
        new_total = value + float(c @ np.abs(new))
        if new_total <= total + LEAST_SHARE * (slope @ (new - weights)):
            return new, new_total, gradient
        step /= 2
    return None
