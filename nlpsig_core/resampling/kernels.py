"""The compiled loops: drawing resamples and tallying pairs.

All release the interpreter's lock and none starts threads of its own (numba's ``parallel=True`` aborts the
process when two threads enter it at once); the caller spreads blocks over a thread pool.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True, cache=True, inline="always")
def _rotate(word, by):
    return (word << np.uint64(by)) | (word >> np.uint64(64 - by))


@njit(nogil=True, cache=True)
def draw(state, counts, times=0):
    """Fill ``counts`` (rows, units) with how often each unit is drawn: each row draws ``times`` times.

    Without ``times`` it draws as often as there are units.

    ``state`` (4,) uint64 is the generator (xoshiro256++, Blackman and Vigna 2019) and moves on. Each of its
    words gives two draws; a draw is uniform to the last bit (Lemire 2019, rejection included). A row starts
    with a new word, so that rows are the same however a block is cut into parts.
    """
    rows, units = counts.shape
    wanted = times or units
    s0, s1, s2, s3 = state
    n, low_half = np.uint64(units), np.uint64(0xFFFFFFFF)
    reject_below = np.uint64((1 << 32) % units)
    word = np.uint64(0)
    for row in range(rows):
        counts[row, :] = 0
        drawn, fresh = 0, False
        while drawn < wanted:
            if fresh:
                product = (word >> np.uint64(32)) * n
                fresh = False
            else:
                word = _rotate(s0 + s3, 23) + s0
                shifted = s1 << np.uint64(17)
                s2 ^= s0
                s3 ^= s1
                s1 ^= s2
                s0 ^= s3
                s2 ^= shifted
                s3 = _rotate(s3, 45)
                product = (word & low_half) * n
                fresh = True
            if (product & low_half) >= reject_below:
                counts[row, np.int64(product >> np.uint64(32))] += 1
                drawn += 1
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3


@njit(nogil=True, cache=True)
def tally(scores, first, second, above, below, hits_above, hits_below):
    """Add to the hits of each pair how many resampled gains lie above, how many below its limits.

    ``scores`` (systems, rows); ``first`` and ``second`` (pairs,) systems; limits and hits (pairs,).
    """
    rows = scores.shape[1]
    for pair in range(first.shape[0]):
        ours, theirs = scores[first[pair]], scores[second[pair]]
        upper, lower = above[pair], below[pair]
        over = under = 0
        for row in range(rows):
            gain = ours[row] - theirs[row]
            over += gain > upper
            under += gain < lower
        hits_above[pair] += over
        hits_below[pair] += under


@njit(nogil=True, cache=True)
def bin_gains(scores, first, second, low, width, bins, least, most):
    """Add the resampled gains of each pair to its ``bins`` (pairs, n), the outer ones open; see ``tally``.

    ``least`` and ``most`` (pairs, n) are moved to the smallest and largest gain of each bin.
    """
    rows, last = scores.shape[1], bins.shape[1] - 1
    for pair in range(first.shape[0]):
        ours, theirs = scores[first[pair]], scores[second[pair]]
        start, per_unit = low[pair], 1.0 / width[pair]
        for row in range(rows):
            gain = ours[row] - theirs[row]
            place = min(max(np.int64((gain - start) * per_unit), 0), last)
            bins[pair, place] += 1
            least[pair, place] = min(least[pair, place], gain)
            most[pair, place] = max(most[pair, place], gain)


@njit(nogil=True, cache=True)
def tally_largest(scores, first, second, gain, error, limit, hits):
    """Add to ``hits`` (pairs,) in how many resamples some pair from this one on deviates as much as ``limit``.

    A deviation is |gain* - gain| / error; pairs are in the order of falling limits. See ``tally``.
    """
    rows = scores.shape[1]
    largest = np.zeros(rows)
    for pair in range(first.shape[0] - 1, -1, -1):
        ours, theirs = scores[first[pair]], scores[second[pair]]
        centre, scale, least, count = gain[pair], 1.0 / error[pair], limit[pair], 0
        for row in range(rows):
            largest[row] = max(largest[row], abs(ours[row] - theirs[row] - centre) * scale)
            count += largest[row] >= least
        hits[pair] += count
