"""PERM-BOTH of measures that are scored anew after each permutation: correlations by group, calibrated ties.

The scores of two metrics are sorted once, all together. After any swaps, those of each metric are in this order too, so
that a compiled loop walks through it (``perm_kernels``).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import numpy as np

from nlpsig_core.data.metrics.agreement.table import ROUNDING, by_system
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.studies.people import perm_kernels as kernels
from nlpsig_core.studies.people.perm_sums import Gains, of_accuracy

# What a group of cells has in common, by the axis of (segments, systems).
SEGMENT, SYSTEM, NOTHING = 0, 1, None
# Adds the scores of both metrics of a pair to sums (2, 2, rows), from swaps (cells, rows): 0, or -1 where swapped.
Add = Callable[[np.ndarray, np.ndarray], None]
# Permutations that advance side by side: one byte each, they fill a line of the processor's cache.
LANES = 64
# Shares of which fewer can be added up in 16 bits have 64, and this denominator.
FEWEST_TOGETHER, DENOMINATOR = 16, 2**45


class Cells:
    """The scores that people and both metrics of each pair have, sorted by group.

    ``index`` (cells,) are the places of the cells among all, ``starts`` the first cell of each group and the end;
    ``people`` (cells,) and ``metrics`` (metrics, cells) are the scores.
    """

    def __init__(self, values: np.ndarray, common: int | None) -> None:
        people, metrics, known = by_system(values)
        of_cells = np.nonzero(known[0])
        group = np.zeros(len(of_cells[0]), dtype=np.intp) if common is None else of_cells[common]
        order = np.argsort(group, kind="stable")
        self.index = np.flatnonzero(known[0])[order]
        self.group = group[order]
        self.starts = np.append(np.flatnonzero(np.diff(self.group, prepend=-1)), len(order))
        self.people = people[0].ravel()[self.index]
        self.metrics = metrics.reshape(len(values), -1)[:, self.index]

    def filled(self, shape: tuple[int, ...], adds: list[Add], swaps: np.ndarray) -> np.ndarray:
        """Return an array for each pair, (pairs, *shape, rows), that ``adds`` fill LANES by LANES from all swaps."""
        result = np.zeros((len(adds), *shape, len(swaps)))
        for start in range(0, len(swaps), LANES):
            of_cells = np.ascontiguousarray(-swaps[start : start + LANES].T[self.index])
            for add, of_pair in zip(adds, result, strict=True):
                part = np.zeros((*shape, of_cells.shape[1]))
                add(of_cells, part)
                of_pair[..., start : start + LANES] = part
        return result

    def sorted(self, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the order of scores (any, cells) within each group, and where groups of ties end."""
        group = np.tile(self.group, len(scores))
        order = np.lexsort((scores.ravel(), group))
        last = [np.diff(of[order]) != 0 for of in (scores.ravel(), group)]
        return order, np.append(last[0] | last[1], True)[: len(order)]

    def ranks(self) -> np.ndarray:
        """Return the rank of people's scores in each group, from 1; ties share one, and no rank is left out."""
        order, ends = self.sorted(self.people[None])
        ranks = np.empty(len(order), dtype=np.intp)
        ranks[order] = np.cumsum(ends) - ends
        firsts = ranks[order[self.starts[:-1]]]
        return np.asarray(ranks - np.repeat(firsts, np.diff(self.starts)) + 1)


def _means(cells: Cells, adds: list[Add]) -> Gains:
    """Return the gains of each pair in the mean over groups, from what adds the scores of groups."""

    def gains(swaps: np.ndarray) -> np.ndarray:
        sums = cells.filled((2, 2), adds, swaps)
        means = sums[:, :, 0] / np.maximum(sums[:, :, 1], 1)
        return np.asarray((means[:, 0] - means[:, 1]).T)

    return gains


def of_ranks(
    values: np.ndarray, pairs: np.ndarray, measure: Metric, *, kernel: Callable[..., None], common: int | None = NOTHING
) -> Gains:
    """Return the gains in a rank correlation of the cells that have something in ``common``, averaged over groups."""
    cells = Cells(values, common)
    ranks = cells.ranks()
    small = np.int16 if len(ranks) <= np.iinfo(np.int16).max else np.int32
    nodes = ranks.max(initial=0) + 1

    def of_pair(pair: np.ndarray) -> Add:
        order, ends = cells.sorted(cells.metrics[pair])
        at, flips = (order % len(ranks)).astype(np.int32), -(order < len(ranks)).astype(np.int8)

        def add(swaps: np.ndarray, sums: np.ndarray) -> None:
            tree = np.empty((nodes, swaps.shape[1]), dtype=small)
            kernel(swaps, at, flips, ends, cells.starts, ranks, tree, sums)

        return add

    return _means(cells, [of_pair(pair) for pair in pairs])


def of_correlations(values: np.ndarray, pairs: np.ndarray, measure: Metric) -> Gains:
    """Return the gains in the correlation over systems, averaged over segments."""
    cells = Cells(values, SEGMENT)

    def of_pair(pair: np.ndarray) -> Add:
        scores = cells.metrics[pair]
        return lambda swaps, sums: kernels.add_correlations(swaps, cells.starts, cells.people, scores, ROUNDING, sums)

    return _means(cells, [of_pair(pair) for pair in pairs])


def of_calibrated(values: np.ndarray, pairs: np.ndarray, measure: Metric) -> Gains:
    """Return the gains in the accuracy of segments with the best tie: in that without a tie, and in what a tie adds."""
    cells, couples, without = Cells(values, SEGMENT), _Couples(values), of_accuracy(values, pairs, measure)

    def of_pair(pair: np.ndarray) -> Add:
        at, flips, ends, changes = couples.entries(cells.metrics[pair])
        return lambda swaps, best: kernels.raise_to_best(swaps, at, flips, ends, changes, couples.together, best)

    adds = [of_pair(pair) for pair in pairs]

    def gains(swaps: np.ndarray) -> np.ndarray:
        best = cells.filled((2,), adds, swaps)
        return np.asarray(without(swaps) + (best[:, 0] - best[:, 1]).T / couples.whole)

    return gains


class _Couples:
    """The couples of systems of each segment: their cells (2, couples), and the share of each in an accuracy of 1.

    Shares are whole numbers of ``whole``; so many are added up ``together`` in their own type.
    """

    def __init__(self, values: np.ndarray) -> None:
        people, _, known = by_system(values[0])
        systems = np.triu_indices(known.shape[1], 1)
        both = known[:, systems[0]] * known[:, systems[1]] > 0
        place = np.cumsum(known).reshape(known.shape).astype(np.int32) - 1
        self.cells = np.stack([place[:, of][both] for of in systems])
        self.order = np.sign(people[:, systems[0]] - people[:, systems[1]])[both]
        numbers = both.sum(axis=1)
        numbers = numbers[numbers > 0]
        part, few_bits = math.lcm(*numbers.tolist()), np.iinfo(np.int16).max
        few = FEWEST_TOGETHER * part // min(numbers.tolist(), default=1) <= few_bits
        part = part if few else DENOMINATOR
        self.shares = np.rint(np.repeat(part / numbers, numbers)).astype(np.int16 if few else np.int64)
        self.together = np.iinfo(self.shares.dtype).max // int(self.shares.max(initial=1))
        self.whole = part * max(len(numbers), 1)

    def entries(self, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return the differences in the scores (2, cells) of two metrics, as ``raise_to_best`` takes them.

        Each score of a couple is that of either metric. A difference that is as right as a tie changes nothing.
        """
        columns = []
        for whose in product((0, 1), repeat=2):
            apart = np.subtract(*(scores[of, cells] for of, cells in zip(whose, self.cells, strict=True)))
            changes = self.shares * ((self.order == 0).astype(np.int8) - (np.sign(apart) == self.order))
            some = np.flatnonzero(changes)
            flips = np.repeat(np.array(whose, dtype=np.int8)[:, None] - 1, len(some), axis=1)
            columns.append((np.abs(apart[some]), self.cells[:, some], flips, changes[some]))
        apart, cells, flips, changes = (np.concatenate(of, axis=-1) for of in zip(*columns, strict=True))
        order = np.argsort(apart)
        ends = np.append(np.diff(apart[order]) != 0, True)[: len(order)]
        return cells[:, order], flips[:, order], ends, changes[order]
