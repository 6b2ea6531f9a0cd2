"""MaxEnt models with L2 and L1 penalties, and the expected score."""

from __future__ import annotations

import numpy as np

from nlpsig_core.reranking.candidates import Candidates
from nlpsig_core.reranking.estimators.objectives import Objective, expected_loss, surprise, with_squares
from nlpsig_core.reranking.estimators.orthant import minimise_l1

# Steps are over when the objective falls by less than this share of it.
ENOUGH, MOST_STEPS = 1e-5, 500


def fit_l2(candidates: Candidates, c: float | np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
    """Weights that maximise the log probability of all closest parses minus the sum of c times their squares."""
    return minimise(with_squares(surprise(candidates), c), begin(candidates, start))


def fit_l1(candidates: Candidates, c: float | np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
    """Weights that maximise the log probability of all closest parses minus the sum of c times their sizes."""
    constants = np.broadcast_to(c, candidates.n_features)
    return minimise_l1(surprise(candidates), constants, begin(candidates, start), ENOUGH, MOST_STEPS)


def fit_expected(candidates: Candidates, c: float | np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
    """Weights of a locally highest expected score minus the sum of c times their squares."""
    return minimise(with_squares(expected_loss(candidates), c), begin(candidates, start))


def begin(candidates: Candidates, start: np.ndarray | None) -> np.ndarray:
    """The weights to begin with: ``start``, else zeros."""
    return np.zeros(candidates.n_features) if start is None else start


def minimise(objective: Objective, start: np.ndarray, enough: float = ENOUGH) -> np.ndarray:
    """The weights at which L-BFGS ends."""
    from scipy.optimize import minimize

    options = {"maxiter": MOST_STEPS, "ftol": enough, "gtol": 0.0}
    weights: np.ndarray = minimize(objective, start, jac=True, method="L-BFGS-B", options=options).x
    return weights
