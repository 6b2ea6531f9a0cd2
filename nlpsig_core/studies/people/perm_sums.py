"""PERM-BOTH of measures that are scores of sums: what cells move is a product of swaps with a matrix."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nlpsig_core.data.metrics.agreement import systems
from nlpsig_core.data.metrics.agreement.table import by_system
from nlpsig_core.data.metrics.base import Metric

# From swaps (rows, cells), 0 or 1, to the gain of each pair, (rows, pairs).
Gains = Callable[[np.ndarray], np.ndarray]


def of_sums(values: np.ndarray, pairs: np.ndarray, measure: Metric) -> Gains:
    """Return the gains of a score of sums over cells: those that were swapped move from one metric to the other."""
    assert measure.expand is not None
    people = by_system(values[0])[0]
    system = np.tile(np.arange(people.shape[1]), len(people))
    each = []
    for of_metric in values:
        alone = np.zeros((system.size, 3, people.shape[1] + 1))
        alone[np.arange(system.size), :, system] = np.stack([part.ravel() for part in by_system(of_metric)], axis=-1)
        each.append(measure.expand(alone.reshape(1, system.size, -1))[0])
    totals = np.stack([of.sum(axis=0) for of in each])
    moving = np.flatnonzero(np.any([(of != each[0]).any(axis=0) for of in each], axis=0))
    columns = np.stack([of[:, moving] for of in each], axis=1)

    def gains(swaps: np.ndarray) -> np.ndarray:
        moved = (swaps @ columns.reshape(system.size, -1)).reshape(len(swaps), len(values), -1)
        result = np.empty((len(swaps), len(pairs)))
        for column, (a, b) in enumerate(pairs):
            both = np.repeat(totals[[a, b], None], len(swaps), axis=1)
            both[:, :, moving] += (moved[:, b] - moved[:, a]) * np.array([1, -1])[:, None, None]
            result[:, column] = np.subtract(*measure.score(both))
        return result

    return gains


def of_accuracy(values: np.ndarray, pairs: np.ndarray, measure: Metric) -> Gains:
    """Return the gains in the accuracy of segments, which are sums over cells.

    Two systems are compared in four ways: both scores by a, both by b, or one by each. With signs s (1, or -1 where
    swapped), what a gains over b is s_i (same + mixed) / 2 + s_j (same - mixed) / 2: ``same`` if both scores are those
    of a instead of b, ``mixed`` if i's is that of a and j's that of b, instead of the reverse.
    """
    people, _, known = by_system(values[0])
    metrics = by_system(values)[1]
    number = (known.sum(axis=1) * (known.sum(axis=1) - 1) / 2)[:, None]
    share = known / np.maximum(number, 1) / max((number > 0).sum(), 1)
    first, second = metrics[pairs[:, 0]], metrics[pairs[:, 1]]
    slopes = np.zeros(first.shape)
    for i in range(people.shape[1]):
        for j in range(i + 1, people.shape[1]):
            theirs = np.sign(people[:, i] - people[:, j])
            by_a, mixed, reverse, by_b = (
                (np.sign(x[..., i] - y[..., j]) == theirs) * 1.0 for x in (first, second) for y in (first, second)
            )
            same, mixed = by_a - by_b, mixed - reverse
            weight = share[:, i] * known[:, j] / 2
            slopes[..., i] += weight * (same + mixed)
            slopes[..., j] += weight * (same - mixed)
    slopes = slopes.reshape(len(pairs), -1).T
    return lambda swaps: slopes.sum(axis=0) - 2 * swaps @ slopes


def of_soft_accuracy(values: np.ndarray, pairs: np.ndarray, measure: Metric) -> Gains:
    """Return the gains in soft accuracy, from sums by pair of systems of a mean and a half difference with a sign.

    With the mean m of both scores of a cell and half their difference h, a has m + s h and b m - s h.
    """
    people, _, known = by_system(values[0])
    metrics = by_system(values)[1]
    middle, half = ((metrics[pairs[:, 0]] + sign * metrics[pairs[:, 1]]).transpose(1, 2, 0) / 2 for sign in (1, -1))
    places = list(zip(*np.triu_indices(people.shape[1], 1), strict=True))

    def statistics_of(signs: np.ndarray) -> np.ndarray:
        statistics = np.empty((5, len(places), 2, signs.shape[1], len(pairs)))
        for place, (i, j) in enumerate(places):
            both = (known[:, i] * known[:, j])[:, None]
            theirs, centre = (people[:, i] - people[:, j])[:, None] * both, (middle[:, i] - middle[:, j]) * both
            ours, others = half[:, i] * both, half[:, j] * both
            moved = signs[i] @ np.hstack([ours, centre * ours])
            moved -= signs[j] @ np.hstack([others, centre * others])
            apart, crossed = np.hsplit(moved, 2)
            product = (signs[i] * signs[j]) @ (ours * others)
            squares = (centre**2 + ours**2 + others**2).sum(axis=0) - 2 * product
            for output, sign in enumerate((1, -1)):
                statistics[1, place, output] = centre.sum(axis=0) + sign * apart
                statistics[3, place, output] = squares + 2 * sign * crossed
            statistics[0, place], statistics[2, place] = theirs.sum(), (theirs**2).sum()
            statistics[4, place] = both.sum()
        return np.moveaxis(statistics.reshape(-1, *statistics.shape[2:]), 0, -1)

    def gains(swaps: np.ndarray) -> np.ndarray:
        signs = np.ascontiguousarray(1.0 - 2 * swaps.reshape(len(swaps), *people.shape).transpose(2, 0, 1))
        return np.asarray(np.subtract(*systems.soft_accuracy(statistics_of(signs))))

    return gains
