"""MaxEnt models with L2 and L1 penalties, and the expected score."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from nlpsig_core.laboratory.reranking.candidates import Candidates
from nlpsig_core.laboratory.reranking.estimators.base import Setting
from nlpsig_core.laboratory.reranking.estimators.objectives import Objective, expected_loss, surprise, with_squares
from nlpsig_core.laboratory.reranking.estimators.orthant import minimise_l1

# Steps are over when the objective falls by less than this share of it.
ENOUGH, MOST_STEPS = 1e-5, 500


def l2(candidates: Candidates, settings: Sequence[Setting], start: np.ndarray | None = None) -> list[np.ndarray]:
    """Weights that maximise the mean log probability of all closest parses minus the sum of c times their squares."""
    objective = surprise(candidates)
    return _path(candidates, settings, start, lambda c, last: minimise(with_squares(objective, c), last))


def l1(candidates: Candidates, settings: Sequence[Setting], start: np.ndarray | None = None) -> list[np.ndarray]:
    """Weights that maximise the mean log probability of all closest parses minus the sum of c times their sizes."""
    objective = surprise(candidates)

    def fit(c: Setting, last: np.ndarray) -> np.ndarray:
        return minimise_l1(objective, np.broadcast_to(c, candidates.n_features), last, ENOUGH, MOST_STEPS)

    return _path(candidates, settings, start, fit)


def expected(candidates: Candidates, settings: Sequence[Setting], start: np.ndarray | None = None) -> list[np.ndarray]:
    """Weights of a locally highest expected score minus the sum of c times their squares."""
    objective = expected_loss(candidates)
    return _path(candidates, settings, start, lambda c, last: minimise(with_squares(objective, c), last))


def _path(
    candidates: Candidates, settings: Sequence[Setting], start: np.ndarray | None,
    fit: Callable[[Setting, np.ndarray], np.ndarray],
) -> list[np.ndarray]:  # fmt: skip
    """The weights for each setting, where each begins with those of the last, and the first with zeros or ``start``."""
    found, last = [], np.zeros(candidates.n_features) if start is None else start
    for c in settings:
        last = fit(c, last)
        found.append(last)
    return found


def minimise(objective: Objective, start: np.ndarray, enough: float = ENOUGH) -> np.ndarray:
    """The weights at which L-BFGS ends."""
    from scipy.optimize import minimize

    options = {"maxiter": MOST_STEPS, "ftol": enough, "gtol": 0.0}
    weights: np.ndarray = minimize(objective, start, jac=True, method="L-BFGS-B", options=options).x
    return weights
