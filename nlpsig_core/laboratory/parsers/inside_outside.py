"""Probabilities of arcs among trees without crossing arcs: inside and outside over the spans of Eisner (1996)."""

from __future__ import annotations

import numpy as np

from nlpsig_core.base.compiled import compiled
from nlpsig_core.laboratory.parsers.arrays import Floats
from nlpsig_core.laboratory.parsers.eisner import LEFT, RIGHT


@compiled()
def fill_projective_marginals(scores: Floats, single: bool, result: Floats) -> None:
    """Fill ``result`` (n + 1, n + 1) with the probabilities of arcs, the root being before the first word.

    The probability of a tree is proportional to the exponential of the sum of its ``scores``; ``single`` allows one
    dependent of the root. Spans are those of ``eisner``; every tree is made of them in one way. O(n^3).
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
    """The share of a span's probability of one way to make it."""
    return probability * np.exp(inside - total) if probability > 0.0 and inside > -np.inf else 0.0
