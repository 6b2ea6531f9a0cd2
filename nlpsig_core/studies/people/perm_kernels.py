"""The compiled loops of ``perm_orders``: the scores of both metrics of a pair, as permutations advance side by side.

``swaps`` (cells, rows) are -1, all bits, where two metrics swap their scores of a cell (segment and system), else 0.
An *entry* is a score of either metric: ``cells`` has its cell, ``flips`` is -1 for scores of the first metric. So
``swaps ^ flip`` is -1 where the first metric has this score after the swaps, and 0 where the second one has it. Entries
are in ascending order; ``ends`` marks the last of each group of ties. Cells are sorted by group, and entries first by
group: group g has the cells from ``starts[g]`` to ``starts[g + 1]``, and twice as many entries.

``sums`` (2, 2, rows) receive the sum of each metric's scores of groups, and the number of groups with a score.
"""

from __future__ import annotations

import numpy as np

from nlpsig_core.base.compiled import compiled


@compiled()
def enter(
    swaps: np.ndarray, cells: np.ndarray, flips: np.ndarray, ranks: np.ndarray, tree: np.ndarray, everyone: np.ndarray
) -> None:
    """Add entries to the Fenwick tree over ranks (nodes, rows) and to the one that counts those of both metrics."""
    for member in range(len(cells)):
        own, flip, node = swaps[cells[member]], flips[member], ranks[cells[member]]
        while node < len(tree):
            everyone[node] += 1
            node_row = tree[node]
            for row in range(swaps.shape[1]):
                node_row[row] -= own[row] ^ flip
            node += node & -node


@compiled()
def add_taus(
    swaps: np.ndarray, cells: np.ndarray, flips: np.ndarray, ends: np.ndarray, starts: np.ndarray, ranks: np.ndarray,
    tree: np.ndarray, sums: np.ndarray,
) -> None:  # fmt: skip
    """Add tau-b of each group; ``ranks`` (cells,) are people's, from 1 in each group, and of equal scores the same.

    ``tree`` (nodes, rows) is room for a Fenwick tree over ranks, which counts the entries of the first metric that were
    passed; ``everyone`` counts those of both. It is of a type that holds the number of cells with either sign.
    """
    rows = swaps.shape[1]
    everyone = np.empty(len(tree), np.int64)
    lead, passed, group = np.empty(rows, tree.dtype), np.empty(rows, tree.dtype), np.empty(rows, tree.dtype)
    balance, tied = np.empty((2, rows), np.int64), np.empty((2, rows), np.int64)
    for number in range(len(starts) - 1):
        first, size = 2 * starts[number], starts[number + 1] - starts[number]
        last = first + 2 * size
        of_people = np.bincount(ranks[starts[number] : starts[number + 1]])
        nodes, untied = len(of_people), size**2 - (of_people**2).sum()
        tree[:nodes], everyone[:nodes] = 0, 0
        passed[:], group[:], balance[:], tied[:] = 0, 0, 0, 0
        start = first
        for place in range(first, last):
            own, flip, rank = swaps[cells[place]], flips[place], ranks[cells[place]]
            # Entries passed with a lower rank, plus those with the same or a lower one, less all: nodes up to the
            # parent of the rank belong to both.
            everyones_lead = everyone[rank] - (start - first)
            node_row = tree[rank]
            for row in range(rows):
                lead[row] = node_row[row] - passed[row]
            node, parent = rank - 1, rank & (rank - 1)
            while node > 0:
                times = 1 if node > parent else 2
                everyones_lead += times * everyone[node]
                node_row = tree[node]
                for row in range(rows):
                    lead[row] += times * node_row[row]
                node &= node - 1
            for row in range(rows):
                chosen = own[row] ^ flip
                balance[0, row] += lead[row] & chosen
                balance[1, row] += (everyones_lead - lead[row]) & ~chosen
                group[row] -= chosen
            if ends[place]:
                enter(swaps, cells[start : place + 1], flips[start : place + 1], ranks, tree[:nodes], everyone)
                both = place + 1 - start
                if both > 1:
                    for row in range(rows):
                        ours = np.int64(group[row])
                        tied[0, row] += ours * (ours - 1)
                        tied[1, row] += (both - ours) * (both - ours - 1)
                for row in range(rows):
                    passed[row] += group[row]
                    group[row] = 0
                start = place + 1
        for output in range(2):
            for row in range(rows):
                spread = np.float64(untied) * np.float64(size * (size - 1) - tied[output, row])
                if spread > 0:
                    sums[output, 0, row] += 2 * balance[output, row] / np.sqrt(spread)
                    sums[output, 1, row] += 1


@compiled()
def add_rhos(
    swaps: np.ndarray, cells: np.ndarray, flips: np.ndarray, ends: np.ndarray, starts: np.ndarray, ranks: np.ndarray,
    tree: np.ndarray, sums: np.ndarray,
) -> None:  # fmt: skip
    """Add Spearman's rank correlation of each group; as ``add_taus``, of which ``tree`` is not used.

    Ranks are doubled and less the size of the group and 1, so that they sum to 0; ties share their mean rank.
    """
    rows = swaps.shape[1]
    before, group, of_people = np.empty(rows), np.empty(rows), np.empty(rows)
    product, spread = np.empty((2, rows)), np.empty((2, rows))
    for number in range(len(starts) - 1):
        first, size = 2 * starts[number], starts[number + 1] - starts[number]
        equal = np.bincount(ranks[starts[number] : starts[number + 1]]).astype(np.float64)
        centred = 2 * np.cumsum(equal) - equal - size
        spread_of_people = (equal * centred**2).sum()
        before[:], group[:], of_people[:], product[:], spread[:] = 0, 0, 0, 0, 0
        start, everyone = first, 0.0
        for place in range(first, first + 2 * size):
            own, flip, rank = swaps[cells[place]], flips[place], centred[ranks[cells[place]]]
            everyone += rank
            for row in range(rows):
                chosen = np.float64(own[row] ^ flip)
                group[row] -= chosen
                of_people[row] -= chosen * rank
            if ends[place]:
                both = place + 1 - start
                for row in range(rows):
                    ours = 2 * before[row] + group[row] - size
                    theirs = 2 * (start - first) + both - size - (ours + size)
                    product[0, row] += ours * of_people[row]
                    product[1, row] += theirs * (everyone - of_people[row])
                    spread[0, row] += ours * ours * group[row]
                    spread[1, row] += theirs * theirs * (both - group[row])
                    before[row] += group[row]
                    group[row], of_people[row] = 0, 0
                start, everyone = place + 1, 0.0
        for output in range(2):
            for row in range(rows):
                spreads = spread_of_people * spread[output, row]
                if spreads > 0:
                    sums[output, 0, row] += product[output, row] / np.sqrt(spreads)
                    sums[output, 1, row] += 1


@compiled()
def add_correlations(
    swaps: np.ndarray, starts: np.ndarray, people: np.ndarray, scores: np.ndarray, rounding: float, sums: np.ndarray
) -> None:
    """Add Pearson's correlation of each group of people's scores (cells,) and those of both metrics, (2, cells).

    Scores that differ by ``rounding`` alone, as in ``correlation``, have none.
    """
    rows = swaps.shape[1]
    taken = np.empty(swaps.shape)
    mean, largest, spread, product = np.empty(rows), np.empty(rows), np.empty(rows), np.empty(rows)
    for number in range(len(starts) - 1):
        first, last = starts[number], starts[number + 1]
        of_people = people[first:last] - people[first:last].mean()
        spread_of_people = (of_people**2).sum()
        if spread_of_people <= (rounding * np.abs(people[first:last]).max()) ** 2:
            continue
        for output in range(2):
            mean[:], largest[:], spread[:], product[:] = 0, 0, 0, 0
            for cell in range(first, last):
                kept, other = scores[output, cell], scores[1 - output, cell]
                own, of_cell = swaps[cell], taken[cell - first]
                for row in range(rows):
                    score = other if own[row] else kept
                    of_cell[row] = score
                    mean[row] += score / (last - first)
                    largest[row] = max(largest[row], abs(score))
            for cell in range(first, last):
                theirs, of_cell = of_people[cell - first], taken[cell - first]
                for row in range(rows):
                    apart = of_cell[row] - mean[row]
                    spread[row] += apart * apart
                    product[row] += apart * theirs
            for row in range(rows):
                if spread[row] > (rounding * largest[row]) ** 2:
                    sums[output, 0, row] += product[row] / np.sqrt(spread[row] * spread_of_people)
                    sums[output, 1, row] += 1


@compiled()
def raise_to_best(
    swaps: np.ndarray, cells: np.ndarray, flips: np.ndarray, ends: np.ndarray, changes: np.ndarray, together: int,
    best: np.ndarray,
) -> None:  # fmt: skip
    """Raise ``best`` (2, rows) to each metric's largest sum of the ``changes`` up to an end of ties.

    An entry is a difference of two scores, so ``cells`` and ``flips`` are (2, entries): a metric has it if it has both.
    So many changes ``together`` are added up in their own type, in which they must fit.
    """
    rows, entries = swaps.shape[1], cells.shape[1]
    total, sums, tops = np.zeros((2, rows)), np.empty((2, rows), changes.dtype), np.empty((2, rows), changes.dtype)
    for start in range(0, entries, together):
        met = False
        sums[:], tops[:] = 0, np.iinfo(changes.dtype).min
        for place in range(start, min(start + together, entries)):
            change, flip_i, flip_j = changes[place], flips[0, place], flips[1, place]
            own_i, own_j = swaps[cells[0, place]], swaps[cells[1, place]]
            for row in range(rows):
                i, j = own_i[row] ^ flip_i, own_j[row] ^ flip_j
                sums[0, row] += change & i & j
                sums[1, row] += change & ~(i | j)
            if ends[place]:
                met = True
                for row in range(rows):
                    tops[0, row] = max(tops[0, row], sums[0, row])
                    tops[1, row] = max(tops[1, row], sums[1, row])
        for output in range(2):
            for row in range(rows):
                if met:
                    best[output, row] = max(best[output, row], total[output, row] + tops[output, row])
                total[output, row] += sums[output, row]
