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
    statistics = np.ascontiguousarray(totals, dtype=np.float64).reshape(*totals.shape[:-1], 5, -1)
    agreement = np.empty((*totals.shape[:-1], statistics.shape[-1]))
    _agreements(statistics.reshape(-1, *statistics.shape[-2:]), agreement.reshape(-1, agreement.shape[-1]))
    weights = (statistics[..., 4, :] > 0) * 1.0
    if drawn is not None:
        first, second = np.triu_indices(drawn.shape[-1], 1)
        weights = weights * drawn[..., first] * drawn[..., second]
    return ratio((agreement * weights).sum(axis=-1), weights.sum(axis=-1))


@compiled()
def _agreements(statistics: np.ndarray, agreement: np.ndarray) -> None:
    """Write 1 - |p of people - p of the metric| of each pair, (rows, pairs), for statistics (rows, 5, pairs)."""
    for row in range(len(statistics)):
        for pair in range(statistics.shape[2]):
            p = 0.0
            for whose, sign in ((0, 1.0), (1, -1.0)):
                total, squares = statistics[row, whose, pair], statistics[row, whose + 2, pair]
                # Without a difference in any segment, p is one half.
                p += sign * math.erfc(total / math.sqrt(2 * squares) if squares > ROUNDING else 0.0) / 2
            agreement[row, pair] = 1 - abs(p)
