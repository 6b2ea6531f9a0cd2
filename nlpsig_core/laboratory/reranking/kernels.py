"""Compiled loops over the rows of sparse matrices: scores by several weights at once, best rows, and what varies.

A matrix is given by rows as ``starts``, ``columns`` (ascending in each row) and ``values``; the rows of a sentence are
those from ``first[sentence]`` to ``first[sentence + 1]``. The columns that count are in ``runs`` (runs, 2): the first,
and the one after the last. ``sentences`` are indices of those that are looked at.
"""

from __future__ import annotations

import numpy as np

from nlpsig_core.base.compiled import compiled

# Scores that are summed at once.
LANES = 4
# More runs of columns take longer to find in each row than columns between them, whose weights are 0.
MOST_RUNS = 32


def runs_of(columns: np.ndarray) -> np.ndarray:
    """Return the first column of each run of columns (ascending), and the one after its last, (runs, 2).

    Where there are more than MOST_RUNS runs, those with the fewest columns between them are joined.
    """
    gaps = np.diff(columns) - 1
    breaks = np.flatnonzero(gaps)
    if len(breaks) >= MOST_RUNS:
        breaks = np.sort(breaks[np.argsort(-gaps[breaks], kind="stable")[: MOST_RUNS - 1]])
    firsts, lasts = columns[np.append(0, breaks + 1)[: len(columns)]], columns[np.append(breaks, -1)[: len(columns)]]
    return np.stack([firsts, lasts + 1], axis=1)


def in_lanes(weights: np.ndarray) -> np.ndarray:
    """Return weights (features, k) with columns of zeros up to a multiple of LANES."""
    return np.pad(weights, ((0, 0), (0, -weights.shape[1] % LANES)))


@compiled()
def score_row(
    start: int,
    end: int,
    columns: np.ndarray,
    values: np.ndarray,
    runs: np.ndarray,
    weights: np.ndarray,
    scores: np.ndarray,
) -> None:
    """Fill ``scores`` (k,) with those of the row from ``start`` to ``end`` by the columns in ``runs``.

    LANES of them are summed at a time, so that sums stay in registers.
    """
    for lane in range(0, scores.shape[0], LANES):
        at, one, two, three, four = start, 0.0, 0.0, 0.0, 0.0
        for run in range(runs.shape[0]):
            at = place_of(runs[run, 0], at, end, columns)
            while at < end and columns[at] < runs[run, 1]:
                value, column = values[at], columns[at]
                one += value * weights[column, lane]
                two += value * weights[column, lane + 1]
                three += value * weights[column, lane + 2]
                four += value * weights[column, lane + 3]
                at += 1
        scores[lane], scores[lane + 1], scores[lane + 2], scores[lane + 3] = one, two, three, four


@compiled()
def place_of(column: int, start: int, end: int, columns: np.ndarray) -> int:
    """Return the first place from ``start`` up to ``end`` with this column (ascending) or a later one."""
    while start < end and columns[start] < column:
        middle = (start + end) // 2
        if columns[middle] < column:
            start = middle + 1
        else:
            end = middle
    return start


@compiled()
def best_rows(
    first: np.ndarray,
    starts: np.ndarray,
    columns: np.ndarray,
    values: np.ndarray,
    sentences: np.ndarray,
    runs: np.ndarray,
    weights: np.ndarray,
) -> np.ndarray:
    """Return the row of each sentence with the greatest score by each of several weights, (k, sentences).

    ``weights`` are (features, k), with k a multiple of LANES. Of equals, the first is returned.
    """
    k, n = weights.shape[1], sentences.shape[0]
    best, scores, most = np.empty((k, n), np.int64), np.empty(k), np.empty(k)
    for place in range(n):
        begin, end = first[sentences[place]], first[sentences[place] + 1]
        most[:] = -np.inf
        for row in range(begin, end):
            score_row(starts[row], starts[row + 1], columns, values, runs, weights, scores)
            for j in range(k):
                if row == begin or scores[j] > most[j]:
                    best[j, place], most[j] = row, scores[j]
    return best


@compiled()
def with_fractions(columns: np.ndarray, values: np.ndarray, n_columns: int) -> np.ndarray:
    """Return whether each column has a value that is no whole number, (columns,)."""
    found = np.zeros(n_columns, np.bool_)
    for i in range(values.shape[0]):
        if values[i] != np.rint(values[i]):
            found[columns[i]] = True
    return found


@compiled()
def variation(
    first: np.ndarray,
    starts: np.ndarray,
    columns: np.ndarray,
    values: np.ndarray,
    sentences: np.ndarray,
    closest: np.ndarray,
    n_columns: int,
) -> np.ndarray:
    """Count the sentences in which each column varies, and those in which a closest row has more than another.

    The result is (2, columns); ``closest`` (rows,) tells which rows are. Rows without an entry have 0.
    """
    counts = np.zeros((2, n_columns), np.int64)
    # Of each column: entries, those of closest rows, least, most, and most in closest rows; together in memory.
    seen, touched = np.zeros((n_columns, 8)), np.empty(n_columns, np.int64)
    for sentence in sentences:
        begin, end, n = first[sentence], first[sentence + 1], 0
        near = np.sum(closest[begin:end])
        for row in range(begin, end):
            for i in range(starts[row], starts[row + 1]):
                own, value = seen[columns[i]], values[i]
                if own[0] == 0:
                    touched[n] = columns[i]
                    n += 1
                    own[2], own[3], own[4] = np.inf, -np.inf, -np.inf
                own[0] += 1
                own[2], own[3] = min(own[2], value), max(own[3], value)
                if closest[row]:
                    own[1] += 1
                    own[4] = max(own[4], value)
        for column in touched[:n]:
            own = seen[column]
            if own[0] < end - begin:
                own[2], own[3] = min(own[2], 0.0), max(own[3], 0.0)
            if own[1] < near:
                own[4] = max(own[4], 0.0)
            if own[3] > own[2]:
                counts[0, column] += 1
                counts[1, column] += own[4] > own[2]
            own[0] = own[1] = 0
    return counts
