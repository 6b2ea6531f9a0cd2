"""The scores of systems by people and by a metric, and what measures over systems and over segments share.

The last axis has three columns for each system (people's score, the metric's, and 1 if there are both; else all are 0),
and those of one system more, which stands for others.
"""

from __future__ import annotations

import numpy as np

from nlpsig_core.data.metrics.items.by_class import ratio

# Standardised means that differ by at most this much are equal; rounding is far below.
ROUNDING = 1e-11


def by_system(statistics: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return people's scores, the metric's, and whether there are both, (..., systems) each."""
    table = statistics.reshape(*statistics.shape[:-1], 3, -1)[..., :-1]
    return table[..., 0, :], table[..., 1, :], table[..., 2, :]


def standardised(values: np.ndarray) -> np.ndarray:
    """Return the numbers of people and of each metric less their mean, by their standard deviation, (..., units, k).

    Metrics on different scales can then take one another's place in a segment. All are 0 where they differ by rounding
    alone.
    """
    table = values.reshape(*values.shape[:2], 3, -1)
    both = table[:, :, 2]
    number = np.maximum(both.sum(axis=(1, 2), keepdims=True), 1)
    result = table.copy()
    for place in (0, 1):
        scores = table[:, :, place]
        apart = (scores - scores.sum(axis=(1, 2), keepdims=True) / number) * both
        spread = np.sqrt((apart**2).sum(axis=(1, 2), keepdims=True) / number)
        least = ROUNDING * np.abs(scores).max(axis=(1, 2), keepdims=True)
        result[:, :, place] = np.divide(apart, spread, out=np.zeros(apart.shape), where=spread > least)
    return result.reshape(values.shape)


def orders(scores: np.ndarray, system: int, tie: float, start: int = 0) -> np.ndarray:
    """Return 1, 0 or -1: the order of a system and each from ``start`` on, (..., systems), 0 up to a ``tie`` apart."""
    apart = scores[..., system, None] - scores[..., start:]
    return np.asarray(np.where(np.abs(apart) > tie, np.sign(apart), 0))


def compared(
    people: np.ndarray, metric: np.ndarray, weights: np.ndarray, ties: tuple[float, float] = (0.0, 0.0)
) -> tuple[np.ndarray, ...]:
    """Return the numbers of pairs of systems (...,) with equal signs, concordant less discordant, untied in each, all.

    ``weights`` (..., systems) are 0 for systems that are not compared; a pair counts by their product. Scores of people
    and of the metric are equal if they are at most their tie apart.
    """
    counts = [np.zeros(np.broadcast_shapes(people.shape, weights.shape)[:-1]) for _ in range(5)]
    for system in range(people.shape[-1] - 1):
        a, b = (orders(scores, system, tie, system + 1) for scores, tie in zip((people, metric), ties, strict=True))
        of_pair = weights[..., system, None] * weights[..., system + 1 :]
        for total, part in zip(counts, (a == b, a * b, a != 0, b != 0, np.ones(a.shape)), strict=True):
            total += (part * of_pair).sum(axis=-1)
    return tuple(counts)


def correlation(people: np.ndarray, metric: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return Pearson's correlation over systems by weight and whether it is defined, (...,) each; 0 where it is not."""
    number = np.maximum(weights.sum(axis=-1, keepdims=True), 1)
    x, y = (scores - (scores * weights).sum(axis=-1, keepdims=True) / number for scores in (people, metric))
    spreads = [(weights * part**2).sum(axis=-1) for part in (x, y)]
    least = [(ROUNDING * np.abs(scores * (weights > 0)).max(axis=-1, initial=0)) ** 2 for scores in (people, metric)]
    defined = (spreads[0] > least[0]) & (spreads[1] > least[1])
    return np.where(defined, ratio((weights * x * y).sum(axis=-1), np.sqrt(spreads[0] * spreads[1])), 0.0), defined
