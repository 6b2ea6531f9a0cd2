"""Compiled loops over sparse matrices: entries by sentence, scores by several weights at once, and what varies.

A matrix is given by rows as ``starts``, ``columns`` (ascending in each row) and ``values``; the rows of a sentence are
those from ``first[sentence]`` to ``first[sentence + 1]``. The columns that count are in ``runs`` (runs, 2): the first,
and the one after the last. ``sentences`` are indices of those that are looked at.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlpsig_core.base.compiled import Flags, Floats, Ints, compiled

# The number of weights by which rows are scored at once.
LANES = 4
# More runs of columns take longer to find in each sentence than columns between them, whose weights are 0.
MOST_RUNS = 32


class Entries(NamedTuple):
    """A matrix by rows; and its entries by sentence, and by column in each, so that each weight is looked up once.

    The columns of sentence s, ascending, are ``own[blocks[s]:blocks[s + 1]]``. Those entries of the sentence that are
    in column ``own[i]`` are at ``ends[i]`` to ``ends[i + 1]`` of ``ranks`` (the row less the first of the sentence,
    ascending) and ``counts`` (the values).
    """

    first: Ints
    starts: Ints
    columns: Ints
    values: Floats
    blocks: Ints
    own: Ints
    ends: Ints
    ranks: Ints
    counts: Floats


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


def in_lanes(weights: Floats) -> list[Floats]:
    """Return weights (features, k) in arrays (features, LANES), the last with columns of zeros."""
    padded = np.pad(weights, ((0, 0), (0, -weights.shape[1] % LANES)))
    return list(map(np.ascontiguousarray, np.split(padded, padded.shape[1] // LANES, axis=1)))


def entries_of(first: Ints, starts: Ints, columns: Ints, values: Floats, n_columns: int) -> Entries:
    """Return a matrix by rows with its entries by sentence."""
    ranks = np.empty(len(columns), np.min_scalar_type(int(np.diff(first).max())))
    counts, place = np.empty(len(columns)), np.zeros(n_columns, np.int64)
    blocks, own, ends = _sort(first, starts, columns, values, place, ranks, counts)
    return Entries(first, starts, columns, values, blocks, own, ends, ranks, counts)


@compiled()
def _sort(
    first: Ints, starts: Ints, columns: Ints, values: Floats, place: Ints, ranks: Ints, counts: Floats
) -> tuple[Ints, Ints, Ints]:
    """Fill ``ranks`` and ``counts``, and return ``blocks``, ``own`` and ``ends``; ``place`` (columns,) is all 0."""
    blocks, own, ends, n = np.zeros_like(first), np.empty_like(columns), np.zeros(columns.shape[0] + 1, np.int64), 0
    for sentence in range(first.shape[0] - 1):
        begin, end, n_before = starts[first[sentence]], starts[first[sentence + 1]], n
        for column in columns[begin:end]:
            if place[column] == 0:
                own[n] = column
                n += 1
            place[column] += 1
        own[n_before:n].sort()
        at = begin
        for i in range(n_before, n):
            size = place[own[i]]
            place[own[i]] = at
            at += size
            ends[i + 1] = at
        for row in range(first[sentence], first[sentence + 1]):
            for i in range(starts[row], starts[row + 1]):
                to = place[columns[i]]
                ranks[to], counts[to] = row - first[sentence], values[i]
                place[columns[i]] = to + 1
        for column in own[n_before:n]:
            place[column] = 0
        blocks[sentence + 1] = n
    return blocks, own[:n].copy(), ends[: n + 1].copy()


@compiled()
def score_rows(sentence: int, entries: Entries, runs: Ints, weights: Floats, scores: Floats) -> None:
    """Fill ``scores`` (rows or more, LANES) with those of the rows of a sentence by the columns in ``runs``.

    ``weights`` are (features, LANES), so that those of a feature stay in registers.
    """
    scores[:] = 0
    at, end = entries.blocks[sentence], entries.blocks[sentence + 1]
    for run in range(runs.shape[0]):
        at = place_of(runs[run, 0], at, end, entries.own)
        while at < end and entries.own[at] < runs[run, 1]:
            column = entries.own[at]
            one, two, three, four = weights[column, 0], weights[column, 1], weights[column, 2], weights[column, 3]
            if one != 0 or two != 0 or three != 0 or four != 0:
                for i in range(entries.ends[at], entries.ends[at + 1]):
                    row, value = entries.ranks[i], entries.counts[i]
                    scores[row, 0] += value * one
                    scores[row, 1] += value * two
                    scores[row, 2] += value * three
                    scores[row, 3] += value * four
            at += 1


@compiled()
def place_of(column: int, start: int, end: int, columns: Ints) -> int:
    """Return the first place from ``start`` up to ``end`` with this column (ascending) or a later one."""
    while start < end and columns[start] < column:
        middle = (start + end) // 2
        if columns[middle] < column:
            start = middle + 1
        else:
            end = middle
    return start


@compiled()
def best_rows(entries: Entries, sentences: Ints, runs: Ints, weights: Floats) -> Ints:
    """Return the row of each sentence with the greatest score by each of the weights (features, LANES).

    The result is (LANES, sentences). Of equals, the first is returned.
    """
    best, scores = np.empty((LANES, sentences.shape[0]), np.int64), np.empty((np.diff(entries.first).max(), LANES))
    for i in range(sentences.shape[0]):
        score_rows(sentences[i], entries, runs, weights, scores)
        begin, end = entries.first[sentences[i]], entries.first[sentences[i] + 1]
        for lane in range(LANES):
            best[lane, i] = begin + np.argmax(scores[: end - begin, lane])
    return best


@compiled()
def variation(entries: Entries, sentences: Ints, closest: Flags, n_columns: int) -> Ints:
    """Count the sentences in which each column varies, and those in which a closest row has more than another.

    The result is (2, columns); ``closest`` (rows,) tells which rows are. Rows without an entry have 0.
    """
    counts = np.zeros((2, n_columns), np.int64)
    for sentence in sentences:
        near = closest[entries.first[sentence] : entries.first[sentence + 1]]
        n_near = np.sum(near)
        for at in range(entries.blocks[sentence], entries.blocks[sentence + 1]):
            least, most, most_near, n, n_seen = np.inf, -np.inf, -np.inf, 0, 0
            for i in range(entries.ends[at], entries.ends[at + 1]):
                value = entries.counts[i]
                n += 1
                least, most = min(least, value), max(most, value)
                if near[entries.ranks[i]]:
                    n_seen += 1
                    most_near = max(most_near, value)
            if n < near.shape[0]:
                least, most = min(least, 0.0), max(most, 0.0)
            if n_seen < n_near:
                most_near = max(most_near, 0.0)
            counts[0, entries.own[at]] += most > least
            counts[1, entries.own[at]] += most_near > least
    return counts
