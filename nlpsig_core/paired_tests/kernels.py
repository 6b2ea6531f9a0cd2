"""The compiled loops of the tests that resample; they release the interpreter's lock and start no threads."""

from __future__ import annotations

import numpy as np
from numba import njit

# Two numbers of single precision are the same where they differ by less than this share.
SAME = 1e-5


@njit(nogil=True, cache=True)
def swap_totals(moved, place, totals, first, second, swapped):
    """Fill ``swapped`` (k, 2, pairs, rows) with both systems' totals after swaps.

    ``moved`` (columns, rows) are sums over the swapped units, ``place`` (k, systems) the columns of each system,
    ``totals`` (systems, k); ``first`` and ``second`` (pairs,) systems.
    """
    for column in range(place.shape[0]):
        for pair in range(first.shape[0]):
            a, b = first[pair], second[pair]
            ours, theirs = moved[place[column, a]], moved[place[column, b]]
            own, other = np.float64(totals[a, column]), np.float64(totals[b, column])
            for row in range(moved.shape[1]):
                gained = np.float64(theirs[row]) - np.float64(ours[row])
                swapped[column, 0, pair, row] = own + gained
                swapped[column, 1, pair, row] = other - gained


@njit(nogil=True, cache=True)
def tally_studentized(means, sums, first, second, limit, n, hits):
    """Add to ``hits`` (pairs,) how many resamples have |t*| >= t.

    ``means`` (systems, rows) are of a system's influences in each resample of ``n`` units, ``sums`` (pairs, rows) of
    the squared differences of two systems' influences; ``limit`` (pairs,) is t^2 / n, infinite where nothing is as
    much. No division: where a resample has no spread t* is infinite. Sums are of single precision: what is within
    SAME of t is as much as it.
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
