"""The compiled loops: drawing resamples and tallying pairs.

All release the interpreter's lock and none starts threads of its own (numba's ``parallel=True`` aborts the
process when two threads enter it at once); the caller spreads blocks over a thread pool.
"""

from __future__ import annotations

import numpy as np

from nlpsig_core.base.compiled import compiled


@compiled(inline="always")
def _rotate(word: np.uint64, by: int) -> np.uint64:
    return (word << np.uint64(by)) | (word >> np.uint64(64 - by))


@compiled()
def draw(state: np.ndarray, counts: np.ndarray, times: int = 0) -> None:
    """Fill ``counts`` (rows, units) with how often each unit is drawn: each row draws ``times`` times.

    By default ``times`` is the number of units.

    ``state`` (4,) uint64 is the generator (xoshiro256++, Blackman and Vigna 2019) and advances. Each of its words
    gives two draws, exactly uniform (Lemire 2019, with rejection). A row starts with a new word, so that rows do not
    depend on how a block is cut into pieces.
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


@compiled()
def tally(
    scores: np.ndarray, pairs: np.ndarray, limits: tuple[np.ndarray, np.ndarray], hits: tuple[np.ndarray, np.ndarray]
) -> None:
    """Add to each pair's ``hits`` the number of resampled gains above its first limit and below its second.

    ``scores`` (systems, rows); ``pairs`` (2, pairs); ``limits`` and ``hits`` (pairs,) each.
    """
    (upper, lower), (hits_above, hits_below) = limits, hits
    for pair in range(pairs.shape[1]):
        ours, theirs = scores[pairs[0, pair]], scores[pairs[1, pair]]
        above, below = upper[pair], lower[pair]
        over = under = 0
        for row in range(scores.shape[1]):
            gain = ours[row] - theirs[row]
            over += gain > above
            under += gain < below
        hits_above[pair] += over
        hits_below[pair] += under


@compiled()
def bin_gains(
    scores: np.ndarray,
    pairs: np.ndarray,
    low: np.ndarray,
    width: np.ndarray,
    bins: np.ndarray,
    least: np.ndarray,
    most: np.ndarray,
) -> None:
    """Add the resampled gains of ``pairs`` (2, pairs) to their ``bins`` (pairs, n), of which the outer two are open.

    Updates ``least`` and ``most`` (pairs, n), the smallest and largest gain in each bin.
    """
    last = bins.shape[1] - 1
    for pair in range(pairs.shape[1]):
        ours, theirs = scores[pairs[0, pair]], scores[pairs[1, pair]]
        start, per_unit = low[pair], 1.0 / width[pair]
        for row in range(scores.shape[1]):
            gain = ours[row] - theirs[row]
            number = min(max(np.int64((gain - start) * per_unit), 0), last)
            bins[pair, number] += 1
            least[pair, number] = min(least[pair, number], gain)
            most[pair, number] = max(most[pair, number], gain)
