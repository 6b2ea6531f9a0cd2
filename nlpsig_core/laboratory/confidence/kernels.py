"""The compiled loops: every measure of a ranking of edges from its tied groups, for one test set or many resamples.

Edges with the same confidence form a *group*; groups are in ascending order of confidence, and ``edges`` and ``wrong``
(groups,) count the edges of each and the wrong ones among them. Within a group all orders are equally likely, and every
measure is its expectation over them.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.compiled import compiled

N_BINS = 20
# Below this number of terms, a stretch of the harmonic series is added up; above it, its expansion is exact.
FEW = 32
# Terms that are smaller than this share of the sum do not change it.
NEGLIGIBLE = 1e-17
# A share of a whole number of edges, such as a tenth of 30, may come out a little above a whole number.
ROUNDING = 1e-9


@compiled(error_model="numpy")
def reciprocals(start: int, n: int) -> float:
    """Return the sum of 1 / (start + i) for i = 1 to n."""
    if n == 1:
        return 1.0 / (start + 1)
    total, i = 0.0, 0
    while i < n and (n <= FEW or start + i < FEW):
        i += 1
        total += 1.0 / (start + i)
    return total + _harmonic(start + n) - _harmonic(start + i) if i < n else total


@compiled(error_model="numpy")
def _harmonic(n: int) -> float:
    """Return the nth harmonic number without Euler's constant, for n >= FEW (Euler-Maclaurin expansion)."""
    square = 1.0 / (float(n) * n)
    return math.log(n) + 0.5 / n - square * (1 / 12 - square * (1 / 120 - square / 252))


@compiled(error_model="numpy")
def average_precision(edges: np.ndarray, wrong: np.ndarray) -> float:
    """Return the mean over wrong edges of the precision at their ranks; NaN if none is wrong.

    In a group of n edges, k of them wrong, after N edges with K wrong ones, position i is wrong with probability k / n;
    then (i - 1) (k - 1) / (n - 1) of those before it in the group are expected to be wrong.
    """
    total, before, errors = 0.0, 0, 0
    for group in range(len(edges)):
        n, k = edges[group], wrong[group]
        if k > 0:
            inverse = reciprocals(before, n)
            others = (k - 1) / (n - 1) * (n - (before + 1) * inverse) if n > 1 else 0.0
            total += k / n * ((errors + 1) * inverse + others)
        before += n
        errors += k
    return total / errors if errors else math.nan


@compiled(error_model="numpy")
def precision_after(edges: np.ndarray, wrong: np.ndarray, share: float) -> float:
    """Return the precision when this share of the wrong edges is found; NaN if none is wrong.

    The number to find is rounded up, and is at least one.
    """
    errors = int(wrong.sum())
    if errors == 0:
        return math.nan
    wanted = min(max(math.ceil(share * errors - ROUNDING), 1), errors)
    before, found = 0, 0
    for group in range(len(edges)):
        if found + wrong[group] >= wanted:
            return wanted * _reciprocal_rank(before, edges[group], wrong[group], wanted - found)
        before += edges[group]
        found += wrong[group]
    return math.nan


@compiled(error_model="numpy")
def _reciprocal_rank(before: int, n: int, k: int, j: int) -> float:
    """Return the expectation of 1 / (before + position of the jth of k wrong edges among n) over all orders.

    The position has a negative hypergeometric distribution. Its probabilities are summed from near the mode in both
    directions, each from its neighbour's; their common factor cancels.
    """
    middle = min(max(j * (n + 1) // (k + 1), j), n - k + j)
    weights, total = 1.0, 1.0 / (before + middle)
    weight = 1.0
    for i in range(middle, n - k + j):
        weight *= i / (i - j + 1) * (n - i - k + j) / (n - i)
        weights += weight
        total += weight / (before + i + 1)
        if weight < NEGLIGIBLE * weights:
            break
    weight = 1.0
    for i in range(middle - 1, j - 1, -1):
        weight *= (i - j + 1) / i * (n - i) / (n - i - k + j)
        weights += weight
        total += weight / (before + i)
        if weight < NEGLIGIBLE * weights:
            break
    return total / weights


@compiled(error_model="numpy")
def found_after(edges: np.ndarray, wrong: np.ndarray, share: float) -> float:
    """Return the share of the wrong edges among this share of all edges, the least confident; NaN if none is wrong."""
    left, found, errors = share * edges.sum(), 0.0, wrong.sum()
    for group in range(len(edges)):
        if edges[group] > 0:
            taken = min(left, float(edges[group]))
            found += wrong[group] * taken / edges[group]
            left -= taken
        if left <= 0:
            break
    return found / errors if errors else math.nan


@compiled(error_model="numpy")
def risk_coverage_area(edges: np.ndarray, wrong: np.ndarray) -> float:
    """Return the mean, over all numbers of most confident edges, of the share of wrong edges among them."""
    total, before, errors = 0.0, 0, 0
    for group in range(len(edges) - 1, -1, -1):
        n, k = edges[group], wrong[group]
        if n > 0:
            inverse = reciprocals(before, n)
            total += errors * inverse + (k / n * (n - before * inverse) if k > 0 else 0.0)
        before += n
        errors += k
    return total / before if before else math.nan


@compiled(error_model="numpy")
def bin_sums(edges: np.ndarray, wrong: np.ndarray, confidence: np.ndarray) -> np.ndarray:
    """Return edges, right edges and the sum of their confidences in each bin, (N_BINS, 3)."""
    sums = np.zeros((N_BINS, 3))
    for group in range(len(edges)):
        if edges[group] == 0:
            continue
        # 1 is in the last bin.
        into = sums[min(int(confidence[group] * N_BINS + ROUNDING), N_BINS - 1)]
        into[0] += edges[group]
        into[1] += edges[group] - wrong[group]
        into[2] += edges[group] * confidence[group]
    return sums


@compiled(error_model="numpy")
def rmse(sums: np.ndarray) -> float:
    """Return the root mean square difference of bins' centres and shares of right edges; bins weigh as their edges."""
    total = 0.0
    for number in range(N_BINS):
        n, right, _ = sums[number]
        if n > 0:
            total += n * ((number + 0.5) / N_BINS - right / n) ** 2
    return math.sqrt(total / float(sums[:, 0].sum()))


@compiled(error_model="numpy")
def calibration_error(sums: np.ndarray) -> float:
    """Return the mean absolute difference of bins' confidences and shares of right edges; bins weigh as their edges."""
    return float(np.abs(sums[:, 2] - sums[:, 1]).sum() / sums[:, 0].sum())


@compiled(error_model="numpy")
def optimism(sums: np.ndarray) -> float:
    """Return the mean confidence minus the share of right edges."""
    return float((sums[:, 2].sum() - sums[:, 1].sum()) / sums[:, 0].sum())


@compiled(error_model="numpy")
def brier(edges: np.ndarray, wrong: np.ndarray, confidence: np.ndarray) -> float:
    """Return the mean squared difference of confidence and outcome, 1 for a right edge and 0 for a wrong one."""
    total = 0.0
    for group in range(len(edges)):
        c = confidence[group]
        total += wrong[group] * c**2 + (edges[group] - wrong[group]) * (1 - c) ** 2
    return total / float(edges.sum())


@compiled(error_model="numpy")
def measure(
    edges: np.ndarray, wrong: np.ndarray, confidence: np.ndarray, probability: bool, measured: np.ndarray
) -> None:
    """Fill ``measured`` with all measures in the order of ``evaluation.MEASURES``, NaN where one does not exist."""
    measured[0] = average_precision(edges, wrong)
    measured[1] = precision_after(edges, wrong, 0.1)
    measured[2] = precision_after(edges, wrong, 0.9)
    measured[3] = risk_coverage_area(edges, wrong)
    measured[4] = found_after(edges, wrong, 0.01)
    measured[5] = found_after(edges, wrong, 0.05)
    measured[6] = found_after(edges, wrong, 0.1)
    measured[7:] = math.nan
    if probability and edges.sum() > 0:
        sums = bin_sums(edges, wrong, confidence)
        measured[7] = rmse(sums)
        measured[8] = calibration_error(sums)
        measured[9] = brier(edges, wrong, confidence)
        measured[10] = optimism(sums)


class Cells(NamedTuple):
    """Edges by tied group and resampled unit: a cell holds the edges of one group in one unit.

    ``confidence`` (groups,) is that of each group, whose cells are those from ``starts[group]`` to
    ``starts[group + 1]``; ``units`` (cells,), ``edges`` (cells, 2) all and wrong edges.
    """

    confidence: np.ndarray
    starts: np.ndarray
    units: np.ndarray
    edges: np.ndarray


@compiled(error_model="numpy")
def group_counts(counts: np.ndarray, cells: Cells) -> np.ndarray:
    """Count all and wrong edges (2, groups, rows) for units that are drawn ``counts`` (units, rows) times.

    Rows are side by side, so that one instruction serves several.
    """
    rows = counts.shape[1]
    totals = np.zeros((2, len(cells.confidence), rows), dtype=np.int32)
    for group in range(len(cells.confidence)):
        edges, wrong = totals[0, group], totals[1, group]
        for cell in range(cells.starts[group], cells.starts[group + 1]):
            times = counts[cells.units[cell]]
            n, k = cells.edges[cell, 0], cells.edges[cell, 1]
            for row in range(rows):
                edges[row] += n * times[row]
            if k > 0:
                for row in range(rows):
                    wrong[row] += k * times[row]
    return totals


@compiled(error_model="numpy")
def measure_resamples(counts: np.ndarray, cells: Cells, probability: bool, measured: np.ndarray) -> None:
    """Fill ``measured`` (rows, measures) for resamples ``counts`` (units, rows)."""
    edges, wrong = group_counts(counts, cells)
    for row in range(len(measured)):
        n, k = edges[:, row].astype(np.int64), wrong[:, row].astype(np.int64)
        measure(n, k, cells.confidence, probability, measured[row])


@compiled(error_model="numpy")
def precision_of_resamples(counts: np.ndarray, cells: Cells, recalls: np.ndarray, precision: np.ndarray) -> None:
    """Fill ``precision`` (rows, recalls) with the precision at each recall in resamples ``counts`` (units, rows)."""
    edges, wrong = group_counts(counts, cells)
    for row in range(len(precision)):
        n, k = edges[:, row].astype(np.int64), wrong[:, row].astype(np.int64)
        for at in range(len(recalls)):
            precision[row, at] = precision_after(n, k, recalls[at])
