"""PERM-BOTH: pairs of metrics whose scores are swapped, each of a segment and a system on its own.

Deutsch et al. (2021), "A statistical analysis of summarization evaluation metrics using resampling methods". Metrics
are standardised first, so that their scores can take one another's place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from nlpsig_core.data.metrics.agreement import segments, systems
from nlpsig_core.data.metrics.agreement.table import by_system, standardised
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.significance.paired_tests.base import PValues
from nlpsig_core.significance.paired_tests.randomization import draw_swaps
from nlpsig_core.significance.resampling.blocks import Piece, Progress, nth_of, over_blocks
from nlpsig_core.significance.resampling.columns import piece_rows
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.streams import Purpose, stream

PERMUTATIONS = 1_000
# Gains that differ by less are equal; measures are between -1 and 1.
TIE = 1e-10
# Statistics of soft accuracy that are held at a time.
VALUES_AT_A_TIME = 24_000_000
# From swaps (rows, cells), 0 or 1, to the gain of each pair, (rows, pairs).
Gains = Callable[[np.ndarray], np.ndarray]


def perm_both(
    values: np.ndarray, pairs: np.ndarray, measure: Metric, recipe: Resampling, progress: Progress | None = None
) -> PValues:
    """Return p of each pair of metrics (m, 2), the better one first: how often swapped scores differ as much.

    ``values`` (metrics, segments, k) are counts of the family. A pair is compared on the scores that both metrics and
    people have, and all pairs share the swaps. p = (hits + 1) / (b + 1).
    """
    both = by_system(values)[2] > 0
    masks: dict[bytes, list[int]] = {}
    for index, (a, b) in enumerate(pairs):
        masks.setdefault((both[a] & both[b]).tobytes(), []).append(index)
    hits, of = np.zeros((2, len(pairs)), dtype=np.int64), recipe.n_resamples + 1
    for number, (known, chosen) in enumerate(masks.items()):
        metrics, own = np.unique(pairs[chosen], return_inverse=True)
        on_both = _only(values[metrics], np.frombuffer(known, dtype=bool).reshape(both.shape[1:]))
        gains = _gains_of(measure)(on_both, own.reshape(-1, 2), measure)
        hits[:, chosen] = _hits(gains, both[0].size, recipe, nth_of(progress, number, len(masks)))
    better, worse = hits
    return PValues(
        one_sided=(better + 1) / of,
        two_sided=np.minimum((better + worse + 1) / of, 1.0),
        n_resamples=recipe.n_resamples,
    )


def _only(values: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Return standardised values of the known cells (segments, systems), without the others."""
    table = values.reshape(*values.shape[:2], 3, -1)
    padded = np.pad(known, ((0, 0), (0, 1)))[None, :, None]
    return standardised((table * padded).reshape(values.shape))


def _hits(gains: Gains, cells: int, recipe: Resampling, progress: Progress | None) -> np.ndarray:
    """Count the swaps that give each pair its gain or more, for the first metric and for the second, (2, pairs)."""
    observed = gains(np.zeros((1, cells)))[0]
    columns = np.empty((cells, 1))

    def streams(block: int) -> np.random.PCG64:
        return np.random.PCG64(stream(recipe.seed, Purpose.CELL_SWAPS, block))

    def work(pieces: Iterator[Piece]) -> np.ndarray:
        hits = np.zeros((2, len(observed)), dtype=np.int64)
        for _, own, rows in pieces:
            swapped = gains(draw_swaps(own, columns, rows))
            hits += np.stack([(swapped >= observed - TIE).sum(axis=0), (swapped <= TIE - observed).sum(axis=0)])
        return hits

    return np.asarray(sum(over_blocks(recipe, streams, work, piece_rows([columns]), progress)))


def _gains_of(measure: Metric) -> Callable[[np.ndarray, np.ndarray, Metric], Gains]:
    """Return what makes the gains of a measure after swaps, as one matrix product if there is one."""
    if measure.expand in (standardised, segments.moments):
        return _of_sums
    return {"seg-accuracy-item": _of_accuracy, "SPA": _of_soft_accuracy}.get(measure.name, written_out)


def written_out(values: np.ndarray, pairs: np.ndarray, measure: Metric) -> Gains:
    """Return the gains of any measure, swap by swap."""

    def scores(swapped: np.ndarray) -> np.ndarray:
        assert measure.expand is not None
        statistics = measure.expand(swapped)
        if measure.sample is not None:
            return measure.sample(statistics)(np.ones((1, values.shape[1])))[:, 0]
        return measure.score(statistics.sum(axis=1))

    def gains(swaps: np.ndarray) -> np.ndarray:
        result = np.empty((len(swaps), len(pairs)))
        for row, cells in enumerate(swaps.reshape(len(swaps), values.shape[1], -1)):
            swap = np.pad(cells, ((0, 0), (0, 1)))[:, None]
            for column, pair in enumerate(pairs):
                a, b = values[pair].reshape(2, len(cells), 3, -1)
                both = np.stack([np.where(swap, b, a), np.where(swap, a, b)])
                result[row, column] = -np.diff(scores(both.reshape(2, len(cells), -1)))[0]
        return result

    return gains


def _of_sums(values: np.ndarray, pairs: np.ndarray, measure: Metric) -> Gains:
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


def _of_accuracy(values: np.ndarray, pairs: np.ndarray, measure: Metric) -> Gains:
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


def _of_soft_accuracy(values: np.ndarray, pairs: np.ndarray, measure: Metric) -> Gains:
    """Return the gains in soft accuracy, from sums by pair of systems of a mean and a half difference with a sign.

    With the mean m of both scores of a cell and half their difference h, a has m + s h and b m - s h.
    """
    people, _, known = by_system(values[0])
    metrics = by_system(values)[1]
    middle, half = ((metrics[pairs[:, 0]] + sign * metrics[pairs[:, 1]]).transpose(1, 2, 0) / 2 for sign in (1, -1))
    places = list(zip(*np.triu_indices(people.shape[1], 1), strict=True))

    at_a_time = max(1, VALUES_AT_A_TIME // (10 * len(pairs) * max(len(places), 1)))

    def statistics_of(signs: np.ndarray) -> np.ndarray:
        statistics = np.empty((2, len(signs), len(pairs), 5, len(places)))
        for place, (i, j) in enumerate(places):
            both = (known[:, i] * known[:, j])[:, None]
            theirs, centre = (people[:, i] - people[:, j])[:, None] * both, (middle[:, i] - middle[:, j]) * both
            ours, others = half[:, i] * both, half[:, j] * both
            moved = signs[:, :, i] @ np.hstack([ours, centre * ours])
            moved -= signs[:, :, j] @ np.hstack([others, centre * others])
            apart, crossed = np.hsplit(moved, 2)
            product = (signs[:, :, i] * signs[:, :, j]) @ (ours * others)
            squares = (centre**2 + ours**2 + others**2).sum(axis=0) - 2 * product
            for output, sign in enumerate((1, -1)):
                statistics[output, ..., 1, place] = centre.sum(axis=0) + sign * apart
                statistics[output, ..., 3, place] = squares + 2 * sign * crossed
            statistics[..., 0, place], statistics[..., 2, place] = theirs.sum(), (theirs**2).sum()
            statistics[..., 4, place] = both.sum()
        return statistics.reshape(*statistics.shape[:3], -1)

    def gains(swaps: np.ndarray) -> np.ndarray:
        signs = 1 - 2 * swaps.reshape(len(swaps), *people.shape)
        some = (signs[start : start + at_a_time] for start in range(0, len(signs), at_a_time))
        return np.vstack([np.subtract(*systems.soft_accuracy(statistics_of(part))) for part in some])

    return gains
