"""The projective tree with the highest sum of arc scores."""

from __future__ import annotations

import numpy as np
from numba import njit

from nlpsig_core.parsers.small.arrays import Ints

LEFT, RIGHT = 0, 1


@njit(nogil=True, cache=True)
def best_tree(scores: Ints, heads: Ints) -> None:
    """Fill ``heads`` (n + 1,) with the projective tree of one root that has the highest sum of scores.

    ``scores`` (n + 1, n + 1) int64 are by head and dependent; node 0 is the root. Eisner (1996): a span is complete if
    it has all dependents of its head on that side, incomplete if it is an arc with the words in between.
    """
    size = scores.shape[0]
    complete = np.zeros((size, size, 2), np.int64)
    incomplete = np.zeros((size, size, 2), np.int64)
    split = np.zeros((size, size, 4), np.int64)
    for width in range(1, size - 1):
        for left in range(1, size - width):
            right = left + width
            _join(scores, left, right, complete, incomplete, split)
    root, best = 0, 0
    for node in range(1, size):
        score = scores[0, node] + complete[1, node, LEFT] + complete[node, size - 1, RIGHT]
        if root == 0 or score > best:
            root, best = node, score
    heads[0] = -1
    heads[root] = 0
    _follow(split, root, size - 1, heads)


@njit(nogil=True, cache=True)
def _join(scores: Ints, left: int, right: int, complete: Ints, incomplete: Ints, split: Ints) -> None:
    """Fill in the best spans from ``left`` to ``right``, from the spans inside."""
    best, at = complete[left, left, RIGHT] + complete[left + 1, right, LEFT], left
    for middle in range(left + 1, right):
        score = complete[left, middle, RIGHT] + complete[middle + 1, right, LEFT]
        if score > best:
            best, at = score, middle
    incomplete[left, right, LEFT] = best + scores[right, left]
    incomplete[left, right, RIGHT] = best + scores[left, right]
    split[left, right, 2] = at

    best, at = complete[left, left, LEFT] + incomplete[left, right, LEFT], left
    for middle in range(left + 1, right):
        score = complete[left, middle, LEFT] + incomplete[middle, right, LEFT]
        if score > best:
            best, at = score, middle
    complete[left, right, LEFT], split[left, right, LEFT] = best, at

    best, at = incomplete[left, right, RIGHT] + complete[right, right, RIGHT], right
    for middle in range(left + 1, right):
        score = incomplete[left, middle, RIGHT] + complete[middle, right, RIGHT]
        if score > best:
            best, at = score, middle
    complete[left, right, RIGHT], split[left, right, RIGHT] = best, at


@njit(nogil=True, cache=True)
def _follow(split: Ints, root: int, last: int, heads: Ints) -> None:
    """Read the arcs off the best spans on both sides of the root."""
    waiting = [(1, root, LEFT), (root, last, RIGHT)]
    while waiting:
        left, right, side = waiting.pop()
        if left == right:
            continue
        middle = split[left, right, side]
        if side == LEFT:
            # The arc goes from right to middle.
            heads[middle] = right
            waiting.append((left, middle, LEFT))
            low, high = middle, right
        else:
            heads[middle] = left
            waiting.append((middle, right, RIGHT))
            low, high = left, middle
        between = split[low, high, 2]
        waiting.append((low, between, RIGHT))
        waiting.append((between + 1, high, LEFT))
