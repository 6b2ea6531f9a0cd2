"""Scores of a weighted sample that depend on the order of values: rank correlations and areas under curves.

A row of weights states how often each unit was drawn; the score is that of the sample in which each unit occurs so
often. Weights change from resample to resample, the order of values does not: each output is sorted once, and a kernel
walks through its units while the resamples of a block advance side by side. All sums are whole numbers in float64.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nlpsig_core.base.compiled import compiled
from nlpsig_core.data.metrics.base import WeightedScore

# Bytes of one array (units, lanes) of weights: the resamples that advance side by side.
LANES_BYTES = 2_000_000
MOST_LANES = 64


class Order:
    """The units of each output in ascending order of its values, (outputs, units), and where groups of ties end."""

    def __init__(self, values: np.ndarray) -> None:
        self.units = np.argsort(values, axis=1, kind="stable")
        ordered = np.take_along_axis(values, self.units, axis=1)
        self.ends = np.ones(values.shape, dtype=np.bool_)
        self.ends[:, :-1] = ordered[:, 1:] != ordered[:, :-1]


def spearman(values: np.ndarray) -> WeightedScore:
    """Return Spearman's rank correlation of gold and predictions, with mean ranks for ties; 0 where one is constant.

    ``values`` (outputs, units, 2) holds gold and predicted values; the gold is that of the first output.
    """
    gold, predicted = Order(values[:1, :, 0]), Order(values[:, :, 1])

    def score(weights: np.ndarray, scores: np.ndarray) -> None:
        ranks = np.empty_like(weights)
        centred_ranks(weights, gold.units[0], gold.ends[0], ranks)
        spread = np.einsum("ur,ur,ur->r", weights, ranks, ranks)
        rank_correlations(weights, weights * ranks, spread, predicted.units, predicted.ends, scores)

    return _in_lanes(score, len(values))


def kendall(values: np.ndarray) -> WeightedScore:
    """Return Kendall's tau-b of gold and predictions; 0 where one is constant. ``values`` as for ``spearman``."""
    gold, predicted = Order(values[:1, :, 0]), Order(values[:, :, 1])
    distinct, ranks = np.unique(values[:1, :, 0], return_inverse=True)

    def score(weights: np.ndarray, scores: np.ndarray) -> None:
        tied = np.zeros(weights.shape[1])
        count_ties(weights, gold.units[0], gold.ends[0], tied)
        tau_b(weights, ranks.ravel() + 1, len(distinct), tied, predicted.units, predicted.ends, scores)

    return _in_lanes(score, len(values))


def roc_auc(values: np.ndarray) -> WeightedScore:
    """Return the area under the ROC curve in percent: how often a positive unit is ranked above a negative one.

    A tie counts half (Mann and Whitney 1947); 50 where all units drawn have the same gold. ``values`` as for
    ``spearman``, with a gold of 0 and 1.
    """
    positive, predicted = values[:1, :, 0].ravel() > 0, Order(values[:, :, 1])

    def score(weights: np.ndarray, scores: np.ndarray) -> None:
        areas_under_roc(weights, positive, predicted.units, predicted.ends, scores)

    return _in_lanes(score, len(values))


def average_precision(values: np.ndarray) -> WeightedScore:
    """Return the average precision over thresholds in percent: the mean precision by gain in recall.

    ``values`` as for ``roc_auc``; 0 without a positive unit.
    """
    positive, predicted = values[:1, :, 0].ravel() > 0, Order(-values[:, :, 1])

    def score(weights: np.ndarray, scores: np.ndarray) -> None:
        average_precisions(weights, positive, predicted.units, predicted.ends, scores)

    return _in_lanes(score, len(values))


def _in_lanes(score: Callable[[np.ndarray, np.ndarray], None], outputs: int) -> WeightedScore:
    """Return a score of weights (rows, units) that hands a kernel some rows at a time, as columns."""

    def scores(weights: np.ndarray) -> np.ndarray:
        rows, units = weights.shape
        lanes = max(1, min(MOST_LANES, LANES_BYTES // (8 * max(units, 1))))
        result = np.empty((outputs, rows))
        for start in range(0, rows if outputs else 0, lanes):
            of_lanes = np.ascontiguousarray(weights[start : start + lanes].T, dtype=np.float64)
            part = np.zeros((outputs, of_lanes.shape[1]))
            score(of_lanes, part)
            result[:, start : start + lanes] = part
        return result

    return scores


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
                ranks[units[member]] = 2 * before + group - size
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
    weights: np.ndarray, positive: np.ndarray, units: np.ndarray, ends: np.ndarray, scores: np.ndarray
) -> None:
    """Fill ``scores`` (outputs, rows) with areas in percent; ``positive`` (units,)."""
    n, rows = weights.shape
    for output in range(len(units)):
        negatives, positives, twice_won = np.zeros(rows), np.zeros(rows), np.zeros(rows)
        group, positive_group = np.zeros(rows), np.zeros(rows)
        for place in range(n):
            unit = units[output, place]
            if positive[unit]:
                positive_group += weights[unit]
            else:
                group += weights[unit]
            if ends[output, place]:
                twice_won += positive_group * (2 * negatives + group)
                negatives += group
                positives += positive_group
                group[:] = 0
                positive_group[:] = 0
        for row in range(rows):
            pairs = positives[row] * negatives[row]
            scores[output, row] = 50 * twice_won[row] / pairs if pairs > 0 else 50.0


@compiled()
def average_precisions(
    weights: np.ndarray, positive: np.ndarray, units: np.ndarray, ends: np.ndarray, scores: np.ndarray
) -> None:
    """Fill ``scores`` (outputs, rows) with average precisions in percent; ``units`` in descending order of values."""
    n, rows = weights.shape
    for output in range(len(units)):
        found, seen, area, group = np.zeros(rows), np.zeros(rows), np.zeros(rows), np.zeros(rows)
        for place in range(n):
            unit = units[output, place]
            seen += weights[unit]
            if positive[unit]:
                group += weights[unit]
            if ends[output, place]:
                found += group
                for row in range(rows):
                    if group[row] > 0:
                        area[row] += group[row] * found[row] / seen[row]
                group[:] = 0
        for row in range(rows):
            scores[output, row] = 100 * area[row] / found[row] if found[row] > 0 else 0.0
