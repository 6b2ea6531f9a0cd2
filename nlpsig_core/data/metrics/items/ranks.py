"""Scores of a weighted sample that depend on the order of values: rank correlations and areas under curves.

A row of weights states how often each unit was drawn; the score is that of the sample in which each unit occurs so
often. Weights change from resample to resample, the order of values does not: each output is sorted once, and a kernel
(``rank_kernels``) walks through it with some resamples at a time. All sums are whole numbers in float64.

Every function takes ``values`` (outputs, units, 2), gold and predicted; the gold is that of the first output.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from nlpsig_core.data.metrics.base import WeightedScore
from nlpsig_core.data.metrics.items import rank_kernels as kernels

# Bytes of one array (units, lanes) of weights: resamples that advance side by side. Eight share a line of the cache.
LANES_BYTES = 2_000_000
FEWEST_LANES, MOST_LANES = 8, 64
# From weights (units, rows), and the units in order and ends of ties of each output, to scores (outputs, rows).
Fill = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], None]


class Order:
    """The units of one output in ascending order of its values, and where groups of ties end, (units,) each."""

    def __init__(self, values: np.ndarray) -> None:
        self.units = np.argsort(values, kind="stable").astype(np.int32)
        ordered = values[self.units]
        self.ends = np.append(ordered[1:] != ordered[:-1], True)[: len(values)]

    @property
    def groups(self) -> np.ndarray:
        """The number of each unit's group of ties, (units,), from 0."""
        groups = np.empty(len(self.units), dtype=np.intp)
        groups[self.units] = np.cumsum(self.ends) - self.ends
        return groups

    def beyond(self, numbers: np.ndarray) -> np.ndarray:
        """Return for each unit the sum of the numbers (units,) of units with a higher value, minus that of lower ones.

        A unit's rank, doubled and centred, is -1 times this sum of ones.
        """
        groups = self.groups
        of_groups = np.bincount(groups, weights=numbers)
        up_to = np.cumsum(of_groups)
        return np.asarray((up_to[-1:] - 2 * up_to + of_groups)[groups])


class _Ranked:
    """A score of outputs by the order of their predictions; ``slopes`` is its gradient for one output."""

    def __init__(self, predicted: np.ndarray, fill: Fill, slopes: Callable[[Order], np.ndarray]) -> None:
        self.shape, self.fill, self.slopes = predicted.shape, fill, slopes
        self.orders = [Order(values) for values in predicted]
        self.units = np.array([order.units for order in self.orders], dtype=np.int32).reshape(self.shape)
        self.ends = np.array([order.ends for order in self.orders], dtype=np.bool_).reshape(self.shape)

    def __call__(self, weights: np.ndarray) -> np.ndarray:
        outputs, units = self.shape
        scores = np.zeros((outputs, len(weights)))
        lanes = max(FEWEST_LANES, min(MOST_LANES, LANES_BYTES // (8 * max(units, 1))))
        for start in range(0, len(weights) if scores.size else 0, lanes):
            in_lanes = np.ascontiguousarray(weights[start : start + lanes].T, dtype=np.float64)
            part = np.zeros((outputs, in_lanes.shape[1]))
            self.fill(in_lanes, self.units, self.ends, part)
            scores[:, start : start + lanes] = part
        return scores

    def gradient(self) -> np.ndarray:
        return np.array([self.slopes(order) for order in self.orders]).reshape(self.shape)


def spearman(values: np.ndarray) -> WeightedScore:
    """Return Spearman's rank correlation of gold and predictions, with mean ranks for ties; 0 where one is constant."""
    gold = Order(_gold(values))

    def fill(weights: np.ndarray, units: np.ndarray, ends: np.ndarray, scores: np.ndarray) -> None:
        ranks = np.empty_like(weights)
        kernels.centred_ranks(weights, gold.units, gold.ends, ranks)
        spread = np.einsum("ur,ur,ur->r", weights, ranks, ranks)
        kernels.rank_correlations(weights, weights * ranks, spread, units, ends, scores)

    def slopes(predicted: Order) -> np.ndarray:
        ours, theirs = (-order.beyond(np.ones(values.shape[1])) for order in (gold, predicted))
        product, spreads = ours @ theirs, (ours @ ours) * (theirs @ theirs)
        if not spreads:
            return np.zeros(values.shape[1])
        of_product = ours * theirs + gold.beyond(theirs) + predicted.beyond(ours)
        of_gold = (ours**2 + 2 * gold.beyond(ours)) / (ours @ ours)
        of_predicted = (theirs**2 + 2 * predicted.beyond(theirs)) / (theirs @ theirs)
        return np.asarray((of_product - product * (of_gold + of_predicted) / 2) / np.sqrt(spreads))

    return _Ranked(values[:, :, 1], fill, slopes)


def kendall(values: np.ndarray) -> WeightedScore:
    """Return Kendall's tau-b of gold and predictions; 0 where one is constant."""
    gold = Order(_gold(values))
    ranks, distinct = gold.groups + 1, int(gold.ends.sum())

    def fill(weights: np.ndarray, units: np.ndarray, ends: np.ndarray, scores: np.ndarray) -> None:
        tied = np.zeros(weights.shape[1])
        kernels.count_ties(weights, gold.units, gold.ends, tied)
        kernels.tau_b(weights, ranks, distinct, tied, units, ends, scores)

    def slopes(predicted: Order) -> np.ndarray:
        n, lead = values.shape[1], np.zeros(values.shape[1])
        kernels.add_leads(ranks, distinct, predicted.units, predicted.ends, lead)
        starts = np.roll(predicted.ends, 1)
        kernels.add_leads(distinct + 1 - ranks, distinct, predicted.units[::-1].copy(), starts[::-1].copy(), lead)
        untied = [n - np.bincount(order.groups)[order.groups] for order in (gold, predicted)]
        of_gold, of_predicted = (float(units.sum()) for units in untied)
        if not of_gold * of_predicted:
            return np.zeros(n)
        apart = untied[0] / of_gold + untied[1] / of_predicted
        return np.asarray((2 * lead - lead.sum() * apart) / np.sqrt(of_gold * of_predicted))

    return _Ranked(values[:, :, 1], fill, slopes)


def roc_auc(values: np.ndarray) -> WeightedScore:
    """Return the area under the ROC curve in percent: how often a positive unit is ranked above a negative one.

    The gold is 0 or 1. A tie counts half (Mann and Whitney 1947); 50 where all units drawn have the same gold.
    """
    positive = _gold(values) > 0
    found, others = int(positive.sum()), int((~positive).sum())

    def slopes(predicted: Order) -> np.ndarray:
        if not found * others:
            return np.zeros(len(positive))
        # The pairs of each unit that are in order, twice.
        won = np.where(positive, others - predicted.beyond(~positive), found + predicted.beyond(positive))
        own = won[positive].sum() / np.where(positive, found, others)
        return np.asarray(50 * (won - own) / (found * others))

    return _Ranked(values[:, :, 1], partial(kernels.areas_under_roc, positive), slopes)


def average_precision(values: np.ndarray) -> WeightedScore:
    """Return the average precision over thresholds in percent: the mean precision by gain in recall.

    The gold is 0 or 1; the score is 0 without a positive unit.
    """
    positive = _gold(values) > 0

    def slopes(predicted: Order) -> np.ndarray:
        groups = predicted.groups
        hits, seen = np.bincount(groups, weights=positive), np.cumsum(np.bincount(groups))
        precision = np.cumsum(hits) / seen
        found, area = hits.sum(), hits @ precision
        if not found:
            return np.zeros(len(positive))
        recalled, passed = (np.cumsum(later[::-1])[::-1] for later in (hits / seen, hits * precision / seen))
        own = positive * (precision + recalled - area / found)[groups]
        return np.asarray(100 * (own - passed[groups]) / found)

    return _Ranked(-values[:, :, 1], partial(kernels.average_precisions, positive), slopes)


def ranked(values: np.ndarray) -> np.ndarray:
    """Return the same values with the doubled, centred ranks of each output's predictions in their place.

    Scores stay the same, and outputs of different scales can take units from one another. Values of several systems
    have ranks already (``agreement.segments.ranked``).
    """
    if values.shape[2] != 2:
        return values
    once = np.ones(values.shape[1])
    ranks = np.array([-Order(output[:, 1]).beyond(once) for output in values]).reshape(values.shape[:2])
    return np.stack([values[:, :, 0], ranks], axis=-1)


def _gold(values: np.ndarray) -> np.ndarray:
    """Return the gold, (units,); zeros if there are no outputs."""
    return np.asarray(values[0, :, 0] if len(values) else np.zeros(values.shape[1]))
