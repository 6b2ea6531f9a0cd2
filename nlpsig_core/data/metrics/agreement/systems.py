"""Agreement on systems, from totals over segments.

Every score takes how often each rated system was drawn, (..., systems), once each by default: a pair of systems then
counts as often as it was drawn, and copies of one system are not compared with one another.
"""

from __future__ import annotations

import math

import numpy as np

from nlpsig_core.base.compiled import compiled
from nlpsig_core.data.metrics.agreement.table import ROUNDING, by_system, compared, correlation, orders, standardised
from nlpsig_core.data.metrics.items.by_class import ratio

TIES = (ROUNDING, ROUNDING)


def _means(totals: np.ndarray, drawn: np.ndarray | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the mean of people's and of the metric's scores by system, and its weight, 0 without scores."""
    people, metric, both = by_system(totals)
    weights = (both > 0) * (1.0 if drawn is None else drawn)
    return people / np.maximum(both, 1), metric / np.maximum(both, 1), weights


def accuracy(totals: np.ndarray, drawn: np.ndarray | None = None) -> np.ndarray:
    """Return the share of pairs of systems that a metric orders as people do, 0 to 1 (Kocmi et al. 2021)."""
    equal, *_, pairs = compared(*_means(totals, drawn), TIES)
    return ratio(equal, pairs)


def kendall(totals: np.ndarray, drawn: np.ndarray | None = None) -> np.ndarray:
    """Return Kendall's tau-b of the mean scores of systems, -1 to 1."""
    _, concordant, people, metric, _ = compared(*_means(totals, drawn), TIES)
    return ratio(concordant, np.sqrt(people * metric))


def pearson(totals: np.ndarray, drawn: np.ndarray | None = None) -> np.ndarray:
    """Return Pearson's correlation of the mean scores of systems, -1 to 1."""
    return correlation(*_means(totals, drawn))[0]


def spearman(totals: np.ndarray, drawn: np.ndarray | None = None) -> np.ndarray:
    """Return Spearman's correlation of the mean scores of systems, -1 to 1; tied systems share their mean rank."""
    people, metric, weights = _means(totals, drawn)
    return correlation(_ranks(people, weights), _ranks(metric, weights), weights)[0]


def _ranks(scores: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return twice the ranks, less the number of systems and 1: how many are below each, less those above."""
    above = [weights[..., system, None] * orders(scores, system, ROUNDING) for system in range(scores.shape[-1])]
    return np.asarray(-sum(above, np.zeros(np.broadcast_shapes(scores.shape, weights.shape))))


def differences(values: np.ndarray) -> np.ndarray:
    """Return the statistics of soft accuracy, (outputs, segments, 5 * pairs): 0 for pairs of which a score is missing.

    For each pair of systems, these are the differences of people's and of the metric's scores, their squares, and 1.
    """
    people, metric, both = by_system(standardised(values))
    first, second = np.triu_indices(people.shape[-1], 1)
    known = both[..., first] * both[..., second]
    apart = [(scores[..., first] - scores[..., second]) * known for scores in (people, metric)]
    return np.concatenate([*apart, *(part**2 for part in apart), known], axis=-1)


def soft_accuracy(totals: np.ndarray, drawn: np.ndarray | None = None) -> np.ndarray:
    """Return soft pairwise accuracy, 0 to 1: the mean of 1 - |p of people - p of the metric| (Thompson et al. 2024).

    p is the one-sided p of a paired randomization test of each pair of systems, by the normal approximation of the sum
    of its differences with random signs, so that no draw is needed.
    """
    *shape, columns = totals.shape
    by_output = totals.reshape(*(shape[:1] or [1]), math.prod(shape[1:]), 5, columns // 5)
    statistics = np.ascontiguousarray(np.moveaxis(by_output, (2, 3), (0, 1)))  # no copy of resamples
    agreement = np.empty((*shape, columns // 5))
    _agreements(statistics, agreement.reshape(*by_output.shape[:2], columns // 5))
    weights = np.ascontiguousarray(by_output[:, :, 4] > 0).reshape(agreement.shape) * 1.0
    if drawn is not None:
        first, second = np.triu_indices(drawn.shape[-1], 1)
        weights = weights * drawn[..., first] * drawn[..., second]
    return ratio((agreement * weights).sum(axis=-1), weights.sum(axis=-1))


@compiled(inline="always")
def _p(total: float, squares: float) -> float:
    """Return the p of a sum of differences with random signs: one half without a difference in any segment."""
    return math.erfc(total / math.sqrt(2 * squares) if squares > ROUNDING else 0.0) / 2


@compiled()
def _agreements(statistics: np.ndarray, agreement: np.ndarray) -> None:
    """Write 1 - |p of people - p of the metric| of each pair, (outputs, rows, pairs).

    ``statistics`` are (5, pairs, outputs, rows). Outputs without gaps have the same p of people, computed once.
    """
    theirs = np.empty(statistics.shape[3])
    for pair in range(statistics.shape[1]):
        for output in range(statistics.shape[2]):
            people, metric = statistics[0:4:2, pair, output], statistics[1:4:2, pair, output]
            if output == 0 or np.any(people != statistics[0:4:2, pair, output - 1]):
                for row in range(len(theirs)):
                    theirs[row] = _p(people[0, row], people[1, row])
            for row in range(len(theirs)):
                agreement[output, row, pair] = 1 - abs(theirs[row] - _p(metric[0, row], metric[1, row]))
