"""The tree without crossing arcs that has the highest sum of arc scores (Eisner 1996)."""

from __future__ import annotations

import numpy as np

from nlpsig_core.base.compiled import compiled
from nlpsig_core.laboratory.parsers.arrays import Floats, Ints

LEFT, RIGHT = 0, 1


@compiled()
def fill_projective_tree(scores: Floats, single: bool, heads: Ints) -> None:
    """Fill ``heads`` (n + 1,) with the best tree without crossing arcs, the root being before the first word.

    ``scores`` (n + 1, n + 1) are by head and dependent; ``single`` allows one dependent of the root. A span is complete
    if it has all dependents of its head on that side, incomplete if it is an arc with the words in between. O(n^3).
    """
    size = scores.shape[0]
    complete, incomplete = np.zeros((size, size, 2)), np.zeros((size, size, 2))
    # Where a span is split: complete ones by side, incomplete ones third.
    split = np.zeros((size, size, 3), np.int64)
    for width in range(1, size):
        for left in range(1 if single else 0, size - width):
            _join(scores, left, left + width, complete, incomplete, split)
    heads[0] = -1
    if not single:
        _follow(split, 0, size - 1, RIGHT, heads)
        return
    root, best = 1, -np.inf
    for node in range(1, size):
        score = scores[0, node] + complete[1, node, LEFT] + complete[node, size - 1, RIGHT]
        if score > best:
            root, best = node, score
    heads[root] = 0
    _follow(split, 1, root, LEFT, heads)
    _follow(split, root, size - 1, RIGHT, heads)


@compiled()
def _join(scores: Floats, left: int, right: int, complete: Floats, incomplete: Floats, split: Ints) -> None:
    """Fill in the best spans from ``left`` to ``right``, from the spans inside."""
    best, at = -np.inf, left
    for middle in range(left, right):
        score = complete[left, middle, RIGHT] + complete[middle + 1, right, LEFT]
        if score > best:
            best, at = score, middle
    # The root has no head.
    incomplete[left, right, LEFT] = best + scores[right, left] if left > 0 else -np.inf
    incomplete[left, right, RIGHT] = best + scores[left, right]
    split[left, right, 2] = at

    best, at = -np.inf, left
    for middle in range(left, right):
        score = complete[left, middle, LEFT] + incomplete[middle, right, LEFT]
        if score > best:
            best, at = score, middle
    complete[left, right, LEFT], split[left, right, LEFT] = best, at

    best, at = -np.inf, right
    for middle in range(left + 1, right + 1):
        score = incomplete[left, middle, RIGHT] + complete[middle, right, RIGHT]
        if score > best:
            best, at = score, middle
    complete[left, right, RIGHT], split[left, right, RIGHT] = best, at


@compiled()
def _follow(split: Ints, left: int, right: int, side: int, heads: Ints) -> None:
    """Read the arcs off the best spans inside a complete one."""
    waiting = [(left, right, side)]
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
