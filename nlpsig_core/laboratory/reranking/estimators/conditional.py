"""MaxEnt models with L2 and L1 penalties, and the expected score.

The model is P(t | s) = exp(w · f(t)) / Z(s), with Z the sum over the candidates of s (Johnson 2005, slide 13).
Objectives are functions of the weights that return a value and its gradient (features,). All are means over sentences,
so that a good setting depends little on their number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.optimize import Bounds, minimize

from nlpsig_core.laboratory.reranking.candidates import Candidates, Part

# A number, or an array (features,) with one for each feature, so that classes can have their own.
Setting = float | np.ndarray
Objective = Callable[[np.ndarray], tuple[float, np.ndarray]]
# Steps are over when the objective falls by less than this share of it, or with bounds, where a step may be short for
# other reasons, when no slope is steeper than this.
ENOUGH, FLAT, MOST_STEPS = 1e-5, 3e-4, 500
# The relative step at which the slope of a metric in its totals is measured.
STEP = 1e-5


def path(
    objective_of: Callable[[Candidates], Objective],
    minimise: Callable[[Objective, Setting, np.ndarray], np.ndarray],
    part: Part,
    columns: np.ndarray,
    settings: Sequence[Setting],
    start: np.ndarray | None,
) -> list[np.ndarray]:
    """Return the weights for each setting, each beginning with those of the last, the first with zeros or ``start``."""
    objective = objective_of(part.copy.with_columns(columns))
    found = [np.zeros(len(columns)) if start is None else start]
    for c in settings:
        found.append(minimise(objective, c, found[-1]))
    return found[1:]


def minimise_with_squares(objective: Objective, c: Setting, start: np.ndarray) -> np.ndarray:
    """Return the weights at which L-BFGS ends, for the objective plus the sum of c times each squared weight."""
    options = {"maxiter": MOST_STEPS, "ftol": ENOUGH, "gtol": 0.0}
    return np.asarray(minimize(with_squares(objective, c), start, jac=True, method="L-BFGS-B", options=options).x)


def minimise_with_sizes(objective: Objective, c: Setting, start: np.ndarray, flat: float = FLAT) -> np.ndarray:
    """Return weights that minimise the objective plus the sum of c times their sizes; most become exactly 0.

    Each weight is the difference of two parts of at least 0, in which the penalty is linear. L-BFGS-B stops parts at 0.
    """

    def penalised(parts: np.ndarray) -> tuple[float, np.ndarray]:
        positive, negative = np.split(parts, 2)
        value, gradient = objective(positive - negative)
        return value + float(np.sum(c * (positive + negative))), np.concatenate([c + gradient, c - gradient])

    parts = np.concatenate([np.maximum(start, 0), np.maximum(-start, 0)])
    options = {"maxiter": MOST_STEPS, "ftol": 0.0, "gtol": flat}
    bounds = Bounds(0, np.inf)
    parts = minimize(penalised, parts, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x
    positive, negative = np.split(parts, 2)
    return np.asarray(positive - negative)


def log_sum(candidates: Candidates, scores: np.ndarray) -> np.ndarray:
    """Return the logarithm of the sum of the exponentials of each sentence's scores (candidates,), (sentences,)."""
    most = candidates.most(scores)
    return np.asarray(most + np.log(candidates.sums(np.exp(scores - most[candidates.sentence]))))


def probabilities(candidates: Candidates, scores: np.ndarray) -> np.ndarray:
    """Return the probability of each candidate among those of its sentence, (candidates,); a score may be -inf."""
    return np.asarray(np.exp(scores - log_sum(candidates, scores)[candidates.sentence]))


def surprise(candidates: Candidates) -> Objective:
    """Return the objective minus log probability of all closest parses, in nats, the mean over sentences.

    The gradient is the difference of the expectations of the features over all candidates and over the closest ones
    (Johnson 2005, slide 21).
    """
    columns, n = candidates.matrix.T, candidates.n_sentences

    def objective(weights: np.ndarray) -> tuple[float, np.ndarray]:
        scores = candidates.matrix @ weights
        close = np.where(candidates.closest, scores, -np.inf)
        value = (log_sum(candidates, scores) - log_sum(candidates, close)).mean()
        return float(value), columns @ (probabilities(candidates, scores) - probabilities(candidates, close)) / n

    return objective


def expected_loss(candidates: Candidates) -> Objective:
    """Return the objective minus the score of the expected statistics of the corpus.

    With brackets, this is the F of the expected numbers of correct and of predicted brackets (Johnson 2005, slide 46).
    The slope of the metric in its totals is measured by central differences.
    """
    columns, statistics, metric = candidates.matrix.T, candidates.statistics, candidates.metric

    def objective(weights: np.ndarray) -> tuple[float, np.ndarray]:
        shares = probabilities(candidates, candidates.matrix @ weights)
        totals = shares @ statistics
        steps = np.diag(STEP * np.maximum(totals, 1.0))
        slopes = (metric.score(totals + steps) - metric.score(totals - steps)) / (2 * steps.diagonal())
        gain = statistics @ slopes
        mean = candidates.sums(shares * gain)[candidates.sentence]
        return -metric.sign * float(metric.score(totals)), -metric.sign * (columns @ (shares * (gain - mean)))

    return objective


def with_squares(objective: Objective, c: Setting) -> Objective:
    """Return the objective plus the sum of c times each squared weight."""

    def penalised(weights: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = objective(weights)
        return value + float(np.sum(c * weights**2)), gradient + 2 * c * weights

    return penalised
