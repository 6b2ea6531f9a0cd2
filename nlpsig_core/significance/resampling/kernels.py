"""The compiled loops: drawing resamples, scoring them and tallying pairs.

All release the interpreter's lock and none starts threads of its own (numba's ``parallel=True`` aborts the
process when two threads enter it at once); the caller spreads blocks over a thread pool.
"""

from __future__ import annotations

import numpy as np

from nlpsig_core.base.compiled import compiled

# The four words of a generator.
State = tuple[np.uint64, np.uint64, np.uint64, np.uint64]
# The bits of half a word, and a word of which the lower half is set.
HALF, LOWER = np.uint64(32), np.uint64(0xFFFFFFFF)
# So many gains of a pair, with the numbers of their bins, stay in the nearest cache.
STRIP = 1_000


@compiled(inline="always")
def _rotate(word: np.uint64, by: int) -> np.uint64:
    return (word << np.uint64(by)) | (word >> np.uint64(64 - by))


@compiled(inline="always")
def _next(state: State) -> tuple[np.uint64, State]:
    """Return the generator's next word and its next state."""
    s0, s1, s2, s3 = state
    word = _rotate(s0 + s3, 23) + s0
    shifted = s1 << np.uint64(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    return word, (s0, s1, s2 ^ shifted, _rotate(s3, 45))


@compiled()
def draw(generator: np.ndarray, counts: np.ndarray, times: int = 0) -> None:
    """Fill ``counts`` (rows, units) with how often each unit is drawn: each row draws ``times`` times.

    By default ``times`` is the number of units.

    ``generator`` (4,) uint64 is the state of xoshiro256++ (Blackman and Vigna 2019) and advances. Each of its words
    gives two draws, exactly uniform (Lemire 2019, with rejection). A row starts with a new word, so that rows do not
    depend on how a block is cut into pieces.
    """
    rows, units = counts.shape
    wanted, n = times or units, np.uint64(units)
    reject_below = np.uint64((1 << 32) % units)
    words = np.empty((wanted + 1) // 2, np.uint64)
    drawn = np.zeros((2, len(words)), np.uint32)
    lower, upper = drawn
    state = before = (generator[0], generator[1], generator[2], generator[3])
    # Words of a row are made while the row before it is counted: a word waits for the one before it, so counting
    # takes hardly longer. What the first turn counts is overwritten, and the words of the last one are for no row.
    for row in range(rows + 1):
        before, of_row = state, counts[max(row - 1, 0)]
        of_row[:] = 0
        for i in range(len(words)):
            words[i], state = _next(state)
            of_row[lower[i]] += 1
            of_row[upper[i]] += 1
        if wanted % 2:
            of_row[upper[-1]] -= 1
        least = LOWER
        for i in range(len(words)):
            below, above = (words[i] & LOWER) * n, (words[i] >> HALF) * n
            least = min(least, below & LOWER, above & LOWER)
            lower[i], upper[i] = below >> HALF, above >> HALF
        if least < reject_below:
            state = _draw_one_by_one(before, n, reject_below, drawn.ravel()[:wanted])
    generator[0], generator[1], generator[2], generator[3] = before


@compiled()
def _draw_one_by_one(state: State, n: np.uint64, reject_below: np.uint64, drawn: np.ndarray) -> State:
    """Fill ``drawn`` with numbers below ``n``, and return the next state; some halves of words may be rejected."""
    done = 0
    while done < len(drawn):
        word, state = _next(state)
        for of_word in (word & LOWER, word >> HALF):
            if done < len(drawn) and (of_word * n & LOWER) >= reject_below:
                drawn[done] = of_word * n >> HALF
                done += 1
    return state


@compiled(error_model="numpy")
def ratios(totals: np.ndarray, column_of: np.ndarray, scale: float, offset: float, scores: np.ndarray) -> None:
    """Fill ``scores`` (outputs, rows) with ``offset + scale * part / whole``, a whole below 1 being 1 (``Ratio``).

    ``column_of`` (2, outputs): the rows of ``totals`` (columns, rows) for part and whole of each output.
    """
    for output in range(column_of.shape[1]):
        part, whole = totals[column_of[0, output]], totals[column_of[1, output]]
        for row in range(totals.shape[1]):
            scores[output, row] = offset + scale * np.float64(part[row]) / max(np.float64(whole[row]), 1.0)


def tally(
    scores: np.ndarray, pairs: np.ndarray, limits: tuple[np.ndarray, np.ndarray], hits: tuple[np.ndarray, np.ndarray]
) -> None:
    """Add to each pair's ``hits`` the number of resampled gains above its first limit and below its second.

    ``scores`` (systems, rows); ``pairs`` (2, pairs); ``limits`` and ``hits`` (pairs,) each.
    """
    _tally(scores, (scores.min(axis=1), scores.max(axis=1)), pairs, limits, hits)


@compiled()
def _tally(
    scores: np.ndarray,
    ends: tuple[np.ndarray, np.ndarray],
    pairs: np.ndarray,
    limits: tuple[np.ndarray, np.ndarray],
    hits: tuple[np.ndarray, np.ndarray],
) -> None:
    (least, most), (upper, lower), (hits_above, hits_below) = ends, limits, hits
    for pair in range(pairs.shape[1]):
        first, second = pairs[0, pair], pairs[1, pair]
        above, below = upper[pair], lower[pair]
        # No difference is rounded beyond those of the extremes: most pairs that are far apart need no more.
        if most[first] - least[second] <= above and least[first] - most[second] >= below:
            continue
        ours, theirs = scores[first], scores[second]
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
    gains, numbers = np.empty(STRIP, least.dtype), np.empty(STRIP, np.uint16)
    for pair in range(pairs.shape[1]):
        start, per_unit = low[pair], 1.0 / width[pair]
        counts, smallest, largest = bins[pair], least[pair], most[pair]
        for done in range(0, rows, STRIP):
            some = slice(done, min(done + STRIP, rows))
            ours, theirs = scores[pairs[0, pair], some], scores[pairs[1, pair], some]
            for row in range(len(ours)):  # several rows at a time, unlike the loop below
                gain = ours[row] - theirs[row]
                gains[row] = gain
                numbers[row] = np.uint16(np.int32(min(max((gain - start) * per_unit, 0.0), last)))
            for row in range(len(ours)):
                gain, number = gains[row], np.uint64(numbers[row])
                counts[number] += 1
                low_end, high_end = smallest[number], largest[number]
                smallest[number] = gain if gain < low_end else low_end  # min would look for NaN
                largest[number] = gain if gain > high_end else high_end
