"""Compiled loops of the resampling tests; they release the interpreter's lock and start no threads."""

from __future__ import annotations

import numpy as np

from nlpsig_core.base.compiled import compiled

# Single-precision numbers whose relative difference is below this count as equal.
SAME = 1e-5


@compiled()
def swap_totals(
    moved: np.ndarray, column_of: np.ndarray, totals: np.ndarray, first: np.ndarray, second: np.ndarray,
    swapped: np.ndarray,
) -> None:  # fmt: skip
    """Fill ``swapped`` (k, 2, pairs, rows) with both systems' totals after swaps.

    ``moved`` (columns, rows): sums over the swapped units. ``column_of`` (k, systems): the row of ``moved`` for each
    statistic of each system. ``totals``: (systems, k). ``first``, ``second``: the systems of each pair, (pairs,).
    """
    for column in range(column_of.shape[0]):
        for pair in range(first.shape[0]):
            a, b = first[pair], second[pair]
            ours, theirs = moved[column_of[column, a]], moved[column_of[column, b]]
            own, other = np.float64(totals[a, column]), np.float64(totals[b, column])
            for row in range(moved.shape[1]):
                gained = np.float64(theirs[row]) - np.float64(ours[row])
                swapped[column, 0, pair, row] = own + gained
                swapped[column, 1, pair, row] = other - gained


@compiled()
def tally_studentized(
    means: np.ndarray, sums: np.ndarray, first: np.ndarray, second: np.ndarray, limit: np.ndarray, n: int,
    hits: np.ndarray,
) -> None:  # fmt: skip
    """Add to ``hits`` (pairs,) how many resamples have |t*| >= t.

    ``means`` (systems, rows): mean influence of each system in each resample of ``n`` units. ``sums`` (pairs, rows):
    sums of the squared differences of two systems' influences. ``limit`` (pairs,): t^2 / n, infinite if no resample
    can reach it. Nothing is divided, so that t* is infinite in a resample without spread. The sums are in single
    precision, so a t* within SAME of t counts as equal to t.
    """
    for pair in range(first.shape[0]):
        ours, theirs, of_pair = means[first[pair]], means[second[pair]], sums[pair]
        least = limit[pair] * (1 - SAME)
        count = 0
        for row in range(means.shape[1]):
            shift = ours[row] - theirs[row]
            spread = max(np.float64(of_pair[row]) / n - shift * shift, 0.0)
            count += shift * shift >= least * spread
        hits[pair] += count
