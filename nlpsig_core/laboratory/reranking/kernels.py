"""Compiled loops over the rows of sparse matrices: scores by several weights at once, best rows, and what varies.

A matrix is given by rows as ``starts``, ``columns`` (ascending in each row) and ``values``. The columns that count are
``runs`` (runs, 2) of successive ones: the first, and the one after the last.
"""

from __future__ import annotations

import numpy as np

from nlpsig_core.base.compiled import compiled

# Scores that are summed at once.
LANES = 4
# With more runs of columns than this, finding them in each row takes longer than other ways to leave columns out.
MOST_RUNS = 32


def runs_of(columns: np.ndarray) -> np.ndarray:
    """Return the first column of each run of successive columns (ascending), and the one after its last, (runs, 2)."""
    breaks = np.flatnonzero(np.diff(columns) != 1)
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
    runs: np.ndarray,
    weights: np.ndarray,
) -> np.ndarray:
    """Return the row of each sentence with the greatest score by each of several weights, (k, sentences).

    The rows of a sentence are those from ``first[sentence]`` to ``first[sentence + 1]``, (sentences + 1,). ``weights``
    are (features, k), with k a multiple of LANES. Of equals, the first is returned.
    """
    k, n = weights.shape[1], first.shape[0] - 1
    best, scores, most = np.empty((k, n), np.int64), np.empty(k), np.empty(k)
    for sentence in range(n):
        most[:] = -np.inf
        for row in range(first[sentence], first[sentence + 1]):
            score_row(starts[row], starts[row + 1], columns, values, runs, weights, scores)
            for j in range(k):
                if row == first[sentence] or scores[j] > most[j]:
                    best[j, sentence], most[j] = row, scores[j]
    return best


@compiled()
def variation(
    first: np.ndarray, starts: np.ndarray, columns: np.ndarray, values: np.ndarray, closest: np.ndarray, n_columns: int
) -> np.ndarray:
    """Count the sentences in which each column varies, and those in which a closest row has more than another.

    The result is (2, columns); ``closest`` (rows,) tells which rows are. Rows without an entry have 0.
    """
    counts = np.zeros((2, n_columns), np.int64)
    entries, near_entries = np.zeros(n_columns, np.int64), np.zeros(n_columns, np.int64)
    least, most, near_most = np.empty(n_columns), np.empty(n_columns), np.empty(n_columns)
    touched = np.empty(n_columns, np.int64)
    for sentence in range(first.shape[0] - 1):
        begin, end, n = first[sentence], first[sentence + 1], 0
        for row in range(begin, end):
            for i in range(starts[row], starts[row + 1]):
                column, value = columns[i], values[i]
                if entries[column] == 0:
                    touched[n] = column
                    n += 1
                    least[column], most[column], near_most[column] = np.inf, -np.inf, -np.inf
                entries[column] += 1
                least[column], most[column] = min(least[column], value), max(most[column], value)
                if closest[row]:
                    near_entries[column] += 1
                    near_most[column] = max(near_most[column], value)
        near = np.sum(closest[begin:end])
        for column in touched[:n]:
            if entries[column] < end - begin:
                least[column], most[column] = min(least[column], 0.0), max(most[column], 0.0)
            if near_entries[column] < near:
                near_most[column] = max(near_most[column], 0.0)
            if most[column] > least[column]:
                counts[0, column] += 1
                counts[1, column] += near_most[column] > least[column]
            entries[column] = near_entries[column] = 0
    return counts
