"""The compiled loops of ``ranks``: they walk through sorted units while the resamples of a block advance side by side.

``units`` holds indices in ascending order of values, of one order or (outputs, units); ``ends`` marks the last unit of
each group of ties. All sums are whole numbers in float64.
"""

from __future__ import annotations

import numpy as np

from nlpsig_core.base.compiled import compiled

# Divides in place of a weight of 0.
NOTHING = 1e-300


@compiled()
def centred_ranks(weights: np.ndarray, units: np.ndarray, ends: np.ndarray, ranks: np.ndarray) -> None:
    """Fill ``ranks`` (units, rows) with twice each unit's mean rank, less the sample's size and 1: they sum to 0.

    ``units`` (units,) are in ascending order; ``ends`` marks the last of each group of ties; weights (units, rows).
    """
    rows = weights.shape[1]
    size, before, group = np.zeros(rows), np.zeros(rows), np.zeros(rows)
    for unit in range(len(units)):
        size += weights[unit]
    start = 0
    for place in range(len(units)):
        group += weights[units[place]]
        if ends[place]:
            for member in range(start, place + 1):
                for row in range(rows):
                    ranks[units[member], row] = 2 * before[row] + group[row] - size[row]
            before += group
            group[:] = 0
            start = place + 1


@compiled()
def rank_correlations(
    weights: np.ndarray, gold: np.ndarray, gold_spread: np.ndarray, units: np.ndarray, ends: np.ndarray,
    scores: np.ndarray,
) -> None:  # fmt: skip
    """Fill ``scores`` (outputs, rows); ``gold`` (units, rows) are weighted ranks, the rest as for ``centred_ranks``."""
    n, rows = weights.shape
    size = np.zeros(rows)
    for unit in range(n):
        size += weights[unit]
    for output in range(len(units)):
        before, group, of_gold = np.zeros(rows), np.zeros(rows), np.zeros(rows)
        product, spread = np.zeros(rows), np.zeros(rows)
        for place in range(n):
            unit = units[output, place]
            drawn, weighted = weights[unit], gold[unit]
            if ends[output, place]:
                for row in range(rows):
                    tied = group[row] + drawn[row]
                    rank = 2 * before[row] + tied - size[row]
                    product[row] += rank * (of_gold[row] + weighted[row])
                    spread[row] += rank * rank * tied
                    before[row] += tied
                    group[row] = 0
                    of_gold[row] = 0
            else:
                for row in range(rows):
                    group[row] += drawn[row]
                    of_gold[row] += weighted[row]
        for row in range(rows):
            both = spread[row] * gold_spread[row]
            scores[output, row] = product[row] / np.sqrt(both) if both > 0 else 0.0


@compiled()
def count_ties(weights: np.ndarray, units: np.ndarray, ends: np.ndarray, tied: np.ndarray) -> None:
    """Add to ``tied`` (rows,) the ordered pairs of draws with equal values; see ``centred_ranks``."""
    group = np.zeros(weights.shape[1])
    for place in range(len(units)):
        group += weights[units[place]]
        if ends[place]:
            tied += group * (group - 1)
            group[:] = 0


@compiled()
def tau_b(
    weights: np.ndarray, ranks: np.ndarray, distinct: int, gold_tied: np.ndarray, units: np.ndarray, ends: np.ndarray,
    scores: np.ndarray,
) -> None:  # fmt: skip
    """Fill ``scores`` (outputs, rows) with tau-b; ``ranks`` (units,) of the gold run from 1 to ``distinct``.

    A Fenwick tree over the gold's ranks counts the draws already passed; its steps are the same for all rows.
    """
    n, rows = weights.shape
    size = np.zeros(rows)
    for unit in range(n):
        size += weights[unit]
    tree = np.empty((distinct + 1, rows))
    for output in range(len(units)):
        tree[:] = 0
        passed, group, balance, tied = np.zeros(rows), np.zeros(rows), np.zeros(rows), np.zeros(rows)
        lower = np.empty(rows)
        start = 0
        for place in range(n):
            unit = units[output, place]
            # Draws passed with a lower gold, plus those with the same or a lower one.
            lower[:] = 0
            for rank in (ranks[unit] - 1, ranks[unit]):
                node = rank
                while node > 0:
                    lower += tree[node]
                    node -= node & -node
            balance += weights[unit] * (lower - passed)
            group += weights[unit]
            if ends[output, place]:
                for member in range(start, place + 1):
                    node = ranks[units[output, member]]
                    while node <= distinct:
                        tree[node] += weights[units[output, member]]
                        node += node & -node
                passed += group
                tied += group * (group - 1)
                group[:] = 0
                start = place + 1
        for row in range(rows):
            pairs = size[row] * (size[row] - 1)
            both = (pairs - tied[row]) * (pairs - gold_tied[row])
            scores[output, row] = 2 * balance[row] / np.sqrt(both) if both > 0 else 0.0


@compiled()
def areas_under_roc(
    positive: np.ndarray, weights: np.ndarray, units: np.ndarray, ends: np.ndarray, scores: np.ndarray
) -> None:
    """Fill ``scores`` (outputs, rows) with areas in percent; ``positive`` (units,)."""
    n, rows = weights.shape
    for output in range(len(units)):
        negatives, positives, twice_won = np.zeros(rows), np.zeros(rows), np.zeros(rows)
        group, positive_group = np.zeros(rows), np.zeros(rows)
        for place in range(n):
            unit = units[output, place]
            drawn, of_class = weights[unit], positive_group if positive[unit] else group
            for row in range(rows):
                of_class[row] += drawn[row]
            if ends[output, place]:
                for row in range(rows):
                    twice_won[row] += positive_group[row] * (2 * negatives[row] + group[row])
                    negatives[row] += group[row]
                    positives[row] += positive_group[row]
                    group[row] = 0
                    positive_group[row] = 0
        for row in range(rows):
            pairs = positives[row] * negatives[row]
            scores[output, row] = 50 * twice_won[row] / pairs if pairs > 0 else 50.0


@compiled()
def average_precisions(
    positive: np.ndarray, weights: np.ndarray, units: np.ndarray, ends: np.ndarray, scores: np.ndarray
) -> None:
    """Fill ``scores`` (outputs, rows) with average precisions in percent; ``units`` in descending order of values."""
    n, rows = weights.shape
    for output in range(len(units)):
        found, seen, area, group = np.zeros(rows), np.zeros(rows), np.zeros(rows), np.zeros(rows)
        any_found = False
        for place in range(n):
            unit = units[output, place]
            drawn = weights[unit]
            if positive[unit]:
                any_found = True
                for row in range(rows):
                    group[row] += drawn[row]
            for row in range(rows):
                seen[row] += drawn[row]
            if ends[output, place] and any_found:
                for row in range(rows):
                    found[row] += group[row]
                    area[row] += group[row] * found[row] / max(seen[row], NOTHING)
                    group[row] = 0
                any_found = False
        for row in range(rows):
            scores[output, row] = 100 * area[row] / found[row] if found[row] > 0 else 0.0


@compiled()
def add_leads(ranks: np.ndarray, distinct: int, units: np.ndarray, ends: np.ndarray, lead: np.ndarray) -> None:
    """Add to ``lead`` (units,), over units earlier in the order: 1 for each of a lower rank, -1 for each of a higher.

    ``ranks`` (units,) run from 1 to ``distinct``; units of a group of ties are not earlier than one another.
    """
    tree = np.zeros(distinct + 1)
    start = 0
    for place in range(len(units)):
        unit = units[place]
        lead[unit] -= start
        for rank in (ranks[unit] - 1, ranks[unit]):
            node = rank
            while node > 0:
                lead[unit] += tree[node]
                node -= node & -node
        if ends[place]:
            for member in range(start, place + 1):
                node = ranks[units[member]]
                while node <= distinct:
                    tree[node] += 1
                    node += node & -node
            start = place + 1
