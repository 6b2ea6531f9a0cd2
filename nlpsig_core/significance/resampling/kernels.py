"""The compiled loops: drawing resamples, scoring them and tallying pairs.

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
    n, half, low_half = np.uint64(units), np.uint64(32), np.uint64(0xFFFFFFFF)
    reject_below = np.uint64((1 << 32) % units)
    for row in range(rows):
        counts[row, :] = 0
        drawn = 0
        while drawn < wanted:
            word = _rotate(s0 + s3, 23) + s0
            shifted = s1 << np.uint64(17)
            s2 ^= s0
            s3 ^= s1
            s1 ^= s2
            s0 ^= s3
            s2 ^= shifted
            s3 = _rotate(s3, 45)
            product = (word & low_half) * n
            if (product & low_half) >= reject_below:
                counts[row, product >> half] += 1
                drawn += 1
            product = (word >> half) * n
            if drawn < wanted and (product & low_half) >= reject_below:
                counts[row, product >> half] += 1
                drawn += 1
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3


@compiled(error_model="numpy")
def ratios(totals: np.ndarray, column_of: np.ndarray, scale: float, offset: float, scores: np.ndarray) -> None:
    """Fill ``scores`` (outputs, rows) with ``offset + scale * part / whole``, a whole below 1 being 1 (``Ratio``).

    ``column_of`` (2, outputs): the rows of ``totals`` (columns, rows) for part and whole of each output.
    """
    for output in range(column_of.shape[1]):
        part, whole = totals[column_of[0, output]], totals[column_of[1, output]]
        for row in range(totals.shape[1]):
            scores[output, row] = offset + scale * np.float64(part[row]) / max(np.float64(whole[row]), 1.0)


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
    last, rows = np.float64(bins.shape[1] - 1), scores.shape[1]
    gains, numbers = np.empty(rows), np.empty(rows, np.uint16)
    for pair in range(pairs.shape[1]):
        ours, theirs = scores[pairs[0, pair]], scores[pairs[1, pair]]
        start, per_unit = low[pair], 1.0 / width[pair]
        for row in range(rows):  # several rows at a time, unlike the loop below
            gains[row] = ours[row] - theirs[row]
            numbers[row] = np.uint16(np.int32(min(max((gains[row] - start) * per_unit, 0.0), last)))
        own_bins, own_least, own_most = bins[pair], least[pair], most[pair]
        for row in range(rows):
            gain, number = gains[row], np.uint64(numbers[row])
            own_bins[number] += 1
            if gain < own_least[number]:  # seldom, and unlike a minimum no store otherwise
                own_least[number] = gain
            if gain > own_most[number]:
                own_most[number] = gain
