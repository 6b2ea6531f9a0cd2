"""What estimators minimise: functions of the weights that return a value and its gradient (features,).

All are means over sentences, so that a good setting depends little on their number.

The model is P(t | s) = exp(w · f(t)) / Z(s), with Z the sum over the candidates of s (Johnson 2005, slide 13).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nlpsig_core.laboratory.reranking.candidates import Candidates

Objective = Callable[[np.ndarray], tuple[float, np.ndarray]]
# The relative step at which the slope of a metric in its totals is measured.
STEP = 1e-5


def log_sum(candidates: Candidates, scores: np.ndarray) -> np.ndarray:
    """The logarithm of the sum of the exponentials of each sentence's scores (candidates,), (sentences,)."""
    most = candidates.most(scores)
    summed: np.ndarray = most + np.log(candidates.sums(np.exp(scores - most[candidates.sentence])))
    return summed


def probabilities(candidates: Candidates, scores: np.ndarray) -> np.ndarray:
    """The probability of each candidate among those of its sentence, (candidates,); a score may be -inf."""
    shares: np.ndarray = np.exp(scores - log_sum(candidates, scores)[candidates.sentence])
    return shares


def surprise(candidates: Candidates) -> Objective:
    """Minus the log probability of all closest parses, in nats, the mean over sentences.

    The gradient is the difference of the expectations of the features over all candidates and over the closest ones
    (Johnson 2005, slide 21).
    """
    columns, n = candidates.matrix.T, candidates.n_sentences

    def of(weights: np.ndarray) -> tuple[float, np.ndarray]:
        scores = candidates.matrix @ weights
        close = np.where(candidates.closest, scores, -np.inf)
        value = (log_sum(candidates, scores) - log_sum(candidates, close)).mean()
        return float(value), columns @ (probabilities(candidates, scores) - probabilities(candidates, close)) / n

    return of


def expected_loss(candidates: Candidates) -> Objective:
    """Minus the score of the expected statistics of the corpus.

    With brackets, this is the F of the expected numbers of correct and of predicted brackets (Johnson 2005, slide 46).
    """
    columns, statistics, factor = candidates.matrix.T, candidates.statistics, -candidates.metric.sign

    def of(weights: np.ndarray) -> tuple[float, np.ndarray]:
        shares = probabilities(candidates, candidates.matrix @ weights)
        totals = shares @ statistics
        gain = statistics @ slopes(candidates, totals)
        mean = candidates.sums(shares * gain)[candidates.sentence]
        return factor * float(candidates.metric.score(totals)), factor * (columns @ (shares * (gain - mean)))

    return of


def slopes(candidates: Candidates, totals: np.ndarray) -> np.ndarray:
    """How much the metric changes with each of its totals (k,), by central differences."""
    steps = np.diag(STEP * np.maximum(totals, 1.0))
    rises = candidates.metric.score(totals + steps) - candidates.metric.score(totals - steps)
    slope: np.ndarray = rises / (2 * steps.diagonal())
    return slope


def with_squares(objective: Objective, c: float | np.ndarray) -> Objective:
    """The objective plus the sum of c times each squared weight; ``c`` may be an array (features,)."""

    def of(weights: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = objective(weights)
        return value + float(np.sum(c * weights**2)), gradient + 2 * c * weights

    return of
