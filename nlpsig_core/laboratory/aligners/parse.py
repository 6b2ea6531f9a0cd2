"""Inversion transduction grammar: the best alignment whose parts are in order or swapped, by dynamic programming."""

from __future__ import annotations

import numpy as np

from nlpsig_core.base.compiled import Flags, Floats, compiled

# A block links one word of a side to up to so many adjacent ones of the other.
WIDEST = 3


@compiled()
def block_score(scores: Floats, s: int, t: int, u: int, v: int) -> float:
    """Return the sum of the scores of a block of cells, source words s to t and target words u to v, ends excluded.

    It is minus infinity for blocks that the grammar lacks.
    """
    if min(t - s, v - u) != 1 or max(t - s, v - u) > WIDEST:
        return -np.inf
    total = 0.0
    for i in range(s, t):
        for j in range(u, v):
            total += scores[i, j]
    return total


@compiled()
def chart_of(scores: Floats) -> Floats:
    """Return the best score of links between any source words s to t and target words u to v, ``chart[s, t, u, v]``.

    ``scores`` are those of links (source words, target words); no link at all has the score 0. Wu (1997), section 4,
    with the blocks of Haghighi, Blitzer, DeNero and Klein (2009), section 3.
    """
    n, m = scores.shape
    chart = np.zeros((n + 1, n + 1, m + 1, m + 1))
    for width in range(1, n + 1):
        for s in range(n - width + 1):
            t = s + width
            own = chart[s, t]
            for middle in range(s + 1, t):
                one, two = chart[s, middle], chart[middle, t]
                for u in range(m):
                    row = own[u]
                    for k in range(u, m + 1):
                        straight, inverted, ones, twos = one[u, k], two[u, k], one[k], two[k]
                        for v in range(k, m + 1):
                            a, b = straight + twos[v], inverted + ones[v]
                            a = a if a > b else b
                            row[v] = a if a > row[v] else row[v]
            for length in range(1, m + 1):
                for u in range(m - length + 1):
                    v = u + length
                    best = max(own[u, v], own[u + 1, v], own[u, v - 1])
                    own[u, v] = max(best, block_score(scores, s, t, u, v))
    return chart


@compiled()
def best_links(scores: Floats) -> Flags:
    """Return the links (source words, target words) of the alignment with the highest sum of ``scores``."""
    chart = chart_of(scores)
    links = np.zeros(scores.shape, np.bool_)
    waiting = [(0, scores.shape[0], 0, scores.shape[1])]
    while len(waiting) > 0:
        s, t, u, v = waiting.pop()
        best = chart[s, t, u, v]
        if best <= 0:
            continue
        if block_score(scores, s, t, u, v) == best:
            links[s:t, u:v] = True
        elif chart[s, t, u + 1, v] == best:
            waiting.append((s, t, u + 1, v))
        elif chart[s, t, u, v - 1] == best:
            waiting.append((s, t, u, v - 1))
        else:
            middle, k, straight = split_of(chart, s, t, u, v)
            waiting.append((s, middle, u, k) if straight else (s, middle, k, v))
            waiting.append((middle, t, k, v) if straight else (middle, t, u, k))
    return links


@compiled()
def split_of(chart: Floats, s: int, t: int, u: int, v: int) -> tuple[int, int, bool]:
    """Return where the best links of two spans are split in both sentences, and whether the parts are in order."""
    for middle in range(s + 1, t):
        for k in range(u, v + 1):
            if chart[s, middle, u, k] + chart[middle, t, k, v] == chart[s, t, u, v]:
                return middle, k, True
            if chart[middle, t, u, k] + chart[s, middle, k, v] == chart[s, t, u, v]:
                return middle, k, False
    return s, u, True
