"""Trees without crossing arcs (Eisner 1996): the best one, and the probability of each arc by inside and outside."""

from __future__ import annotations

import numpy as np

from nlpsig_core.base.compiled import Floats, Ints, compiled

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


@compiled()
def fill_projective_marginals(scores: Floats, single: bool, result: Floats) -> None:
    """Fill ``result`` (n + 1, n + 1) with the probabilities of arcs, the root being before the first word.

    The probability of a tree is proportional to the exponential of the sum of its ``scores``; ``single`` allows one
    dependent of the root. Every tree is made of spans in one way. O(n^3).
    """
    size = scores.shape[0]
    first = 1 if single else 0
    complete, incomplete = np.zeros((size, size, 2)), np.zeros((size, size, 2))
    for width in range(1, size):
        for left in range(first, size - width):
            _add_up(scores, left, left + width, complete, incomplete)
    whole, arcs = np.zeros((size, size, 2)), np.zeros((size, size, 2))
    _share_roots(scores, single, complete, whole, result)
    for width in range(size - 1, 0, -1):
        for left in range(first, size - width):
            right = left + width
            _pass_down(left, right, complete, incomplete, whole, arcs)
            result[right, left], result[left, right] = arcs[left, right, LEFT], arcs[left, right, RIGHT]


@compiled()
def _add_up(scores: Floats, left: int, right: int, complete: Floats, incomplete: Floats) -> None:
    """Fill in the logarithms of the sums over all spans from ``left`` to ``right``, from the spans inside."""
    total = -np.inf
    for middle in range(left, right):
        total = np.logaddexp(total, complete[left, middle, RIGHT] + complete[middle + 1, right, LEFT])
    # The root has no head.
    incomplete[left, right, LEFT] = total + scores[right, left] if left > 0 else -np.inf
    incomplete[left, right, RIGHT] = total + scores[left, right]
    from_right, from_left = -np.inf, -np.inf
    for middle in range(left, right):
        from_right = np.logaddexp(from_right, complete[left, middle, LEFT] + incomplete[middle, right, LEFT])
        from_left = np.logaddexp(from_left, incomplete[left, middle + 1, RIGHT] + complete[middle + 1, right, RIGHT])
    complete[left, right, LEFT], complete[left, right, RIGHT] = from_right, from_left


@compiled()
def _share_roots(scores: Floats, single: bool, complete: Floats, whole: Floats, result: Floats) -> None:
    """Fill in the probabilities of the largest spans, and with ``single`` those of the root's arcs."""
    last = scores.shape[0] - 1
    if not single:
        whole[0, last, RIGHT] = 1.0
        return
    total = -np.inf
    for node in range(1, last + 1):
        total = np.logaddexp(total, scores[0, node] + complete[1, node, LEFT] + complete[node, last, RIGHT])
    for node in range(1, last + 1):
        share = np.exp(scores[0, node] + complete[1, node, LEFT] + complete[node, last, RIGHT] - total)
        result[0, node] = whole[1, node, LEFT] = whole[node, last, RIGHT] = share


@compiled()
def _pass_down(left: int, right: int, complete: Floats, incomplete: Floats, whole: Floats, arcs: Floats) -> None:
    """Give the probabilities of complete spans (``whole``) and of arcs to the spans that they are made of."""
    for middle in range(left, right):
        inside = complete[left, middle, LEFT] + incomplete[middle, right, LEFT]
        share = _part(whole[left, right, LEFT], inside, complete[left, right, LEFT])
        whole[left, middle, LEFT] += share
        arcs[middle, right, LEFT] += share
        inside = incomplete[left, middle + 1, RIGHT] + complete[middle + 1, right, RIGHT]
        share = _part(whole[left, right, RIGHT], inside, complete[left, right, RIGHT])
        arcs[left, middle + 1, RIGHT] += share
        whole[middle + 1, right, RIGHT] += share
    total = -np.inf
    for middle in range(left, right):
        total = np.logaddexp(total, complete[left, middle, RIGHT] + complete[middle + 1, right, LEFT])
    both = arcs[left, right, LEFT] + arcs[left, right, RIGHT]
    for middle in range(left, right):
        share = _part(both, complete[left, middle, RIGHT] + complete[middle + 1, right, LEFT], total)
        whole[left, middle, RIGHT] += share
        whole[middle + 1, right, LEFT] += share


@compiled()
def _part(probability: float, inside: float, total: float) -> float:
    """Return the probability of a span that is made in one way."""
    return probability * np.exp(inside - total) if probability > 0.0 and inside > -np.inf else 0.0
