"""The trees with the highest sums of arc scores: the best one, with or without crossing arcs, and the k best.

With crossing arcs by Chu and Liu (1965) and Edmonds (1967); the k best by Lawler (1972).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlpsig_core.base.compiled import Flags, Floats, Ints, compiled
from nlpsig_core.laboratory.parsers.decoding.projective import fill_projective_tree


class Decoder(NamedTuple):
    """The trees to search: with one dependent of the root if ``single``, without crossing arcs if ``projective``."""

    single: bool = True
    projective: bool = False


@compiled()
def _spread(scores: Floats) -> float:
    """Return more than the scores of two trees can differ."""
    low, high = np.inf, -np.inf
    for head in range(scores.shape[0]):
        for dependent in range(1, scores.shape[0]):
            if head != dependent:
                low, high = min(low, scores[head, dependent]), max(high, scores[head, dependent])
    return float((high - low) * scores.shape[0] + 1.0)


@compiled()
def fill_tree(scores: Floats, decoder: Decoder, heads: Ints) -> None:
    """Fill ``heads`` (n + 1,) with the best of the decoder's trees, -1 for the root, node 0.

    ``scores`` (n + 1, n + 1) are finite, by head and dependent.
    """
    if decoder.projective:
        fill_projective_tree(scores, decoder.single, heads)
    else:
        fill_best_tree(scores, decoder.single, heads)


@compiled()
def fill_best_tree(scores: Floats, single: bool, heads: Ints) -> None:
    """Fill ``heads`` (n + 1,) with the best tree, of one dependent of the root if ``single``; O(n^2).

    If the best heads of the words are such a tree, it is the best. Otherwise a penalty on arcs of the root, larger than
    what the scores of trees differ by, leaves as few of them as possible.
    """
    size = scores.shape[0]
    _fill_best_heads(scores, heads)
    if _is_tree(heads, single):
        return
    penalty = _spread(scores) if single else 0.0
    # By dependent and head, so that the search for a head reads along a row.
    incoming = np.empty((size, size), np.float64)
    for dependent in range(size):
        incoming[dependent, 0] = scores[0, dependent] - penalty
        for head in range(1, size):
            incoming[dependent, head] = scores[head, dependent]
    _contract_and_expand(incoming, heads)


@compiled()
def _fill_best_heads(scores: Floats, heads: Ints) -> None:
    """Fill in the best head of each word, whether or not they form a tree."""
    size = scores.shape[0]
    best = np.full(size, -np.inf)
    for head in range(size):
        for dependent in range(1, size):
            if scores[head, dependent] > best[dependent] and head != dependent:
                best[dependent], heads[dependent] = scores[head, dependent], head
    heads[0] = -1


@compiled()
def _is_tree(heads: Ints, single: bool) -> bool:
    """Tell whether every word reaches the root, which has one dependent if ``single``."""
    size, roots = heads.shape[0], 0
    walk = np.zeros(size, np.int64)
    for start in range(1, size):
        roots += heads[start] == 0
        node = start
        while node != 0 and walk[node] == 0:
            walk[node] = start
            node = heads[node]
        if node != 0 and walk[node] == start:
            return False
    return roots == 1 or not single


@compiled()
def fill_constrained_tree(scores: Floats, decoder: Decoder, allowed: Flags, heads: Ints) -> bool:
    """Fill ``heads`` with the best tree of ``allowed`` arcs (head, dependent); return False if there is none.

    Other arcs get a penalty that outweighs what trees differ by.
    """
    fill_tree(scores - np.where(allowed, 0.0, _spread(scores)), decoder, heads)
    possible = True
    for dependent in range(1, scores.shape[0]):
        possible &= allowed[heads[dependent], dependent]
    return possible


@compiled()
def score_of(scores: Floats, heads: Ints) -> float:
    """Return the sum of the scores of a tree's arcs."""
    total = 0.0
    for dependent in range(1, heads.shape[0]):
        total += scores[heads[dependent], dependent]
    return total


@compiled()
def _contract_and_expand(incoming: Floats, heads: Ints) -> None:
    """Run Chu-Liu-Edmonds on ``incoming`` (dependent, head), which is used up.

    Nodes and contracted cycles are numbered together, cycles from n + 1 on. A cycle takes the row and the column of
    one of its nodes, its place. ``tail`` and ``tip`` keep the head and the dependent of the original arc that is best
    between two places.
    """
    size = incoming.shape[0]
    tail, tip = np.empty((size, size), np.int32), np.empty((size, size), np.int32)
    for dependent in range(size):
        incoming[dependent, dependent] = -np.inf
        for head in range(size):
            tail[dependent, head], tip[dependent, head] = head, dependent
    number_at, parent = np.arange(size), np.full(2 * size, -1)
    arcs = np.full((2 * size, 2), -1)
    alive = np.ones(size, np.bool_)
    # The walk that came by each place, and the head that it chose.
    walk, best = np.full(size, -1), np.full(size, -1)
    n_numbers = size
    for start in range(1, size):
        place = start
        while place != 0 and alive[place] and walk[place] in (-1, start):
            if walk[place] == start:
                # The walk is back at a place of its own: a cycle, which walks on as one place.
                _contract(incoming, tail, tip, alive, best, number_at, parent, place, n_numbers)
                number_at[place] = n_numbers
                n_numbers += 1
            walk[place] = start
            best[place] = np.argmax(incoming[place])
            number = number_at[place]
            arcs[number, 0], arcs[number, 1] = tail[place, best[place]], tip[place, best[place]]
            place = best[place]
    for cycle in range(n_numbers - 1, size - 1, -1):
        node = arcs[cycle, 1]
        while parent[node] != cycle:
            node = parent[node]
        arcs[node, 0], arcs[node, 1] = arcs[cycle, 0], arcs[cycle, 1]
    for node in range(size):
        heads[node] = arcs[node, 0]


@compiled()
def _contract(
    incoming: Floats,
    tail: Ints,
    tip: Ints,
    alive: Flags,
    best: Ints,
    number_at: Ints,
    parent: Ints,
    place: int,
    number: int,
) -> None:
    """Make one place of the cycle of chosen heads through ``place``; ``number`` is the cycle's."""
    size = incoming.shape[0]
    gain = incoming[place, best[place]]
    incoming[place] -= gain
    member = best[place]
    parent[number_at[place]] = number
    while member != place:
        following, gain = best[member], incoming[member, best[member]]
        parent[number_at[member]] = number
        alive[member] = False
        for other in range(size):
            if incoming[member, other] - gain > incoming[place, other]:
                incoming[place, other] = incoming[member, other] - gain
                tail[place, other], tip[place, other] = tail[member, other], tip[member, other]
            if incoming[other, member] > incoming[other, place]:
                incoming[other, place] = incoming[other, member]
                tail[other, place], tip[other, place] = tail[other, member], tip[other, member]
            incoming[other, member] = -np.inf
        member = following
    incoming[place, place] = -np.inf
    for other in range(size):
        if best[other] >= 0 and not alive[best[other]]:
            best[other] = place


def k_best_trees(scores: np.ndarray, k: int, decoder: Decoder = Decoder()) -> tuple[np.ndarray, np.ndarray]:
    """Return the heads (trees, n + 1) and scores (trees,) of the k best trees, best first; fewer if there are fewer.

    ``scores`` (n + 1, n + 1) are finite, by head and dependent.
    """
    scores, trees = np.asarray(scores, np.float64), np.empty((k, len(scores)), np.int64)
    n = fill_k_best(scores, decoder, trees)
    return trees[:n], np.array([score_of(scores, heads) for heads in trees[:n]])


@compiled()
def fill_k_best(scores: Floats, decoder: Decoder, trees: Ints) -> int:
    """Fill ``trees`` (k, n + 1) with the best trees, best first, and return their number.

    Each candidate is the best tree of a set of trees; the sets part all trees. A set has the heads of the tree it was
    cut from (its ``source``) up to one word, the ``cut``, whose head is banned, as is that of each earlier cut. When a
    candidate is taken, the rest of its set is parted by the first word whose head differs. O(k n^3); without crossing
    arcs O(k n^4).
    """
    k, size = trees.shape
    room = 1 + k * (size - 1)
    heads, totals = np.empty((room, size), np.int64), np.full(room, -np.inf)
    source, cut = np.full(room, -1), np.ones(room, np.int64)
    fill_tree(scores, decoder, heads[0])
    totals[0] = score_of(scores, heads[0])
    made, taken = 1, 0
    while taken < k:
        best = np.argmax(totals[:made])
        if totals[best] == -np.inf:
            break
        trees[taken] = heads[best]
        totals[best] = -np.inf
        taken += 1
        allowed, tree = np.ones((size, size), np.bool_), best
        while source[tree] >= 0:
            allowed[heads[source[tree], cut[tree]], cut[tree]] = False
            tree = source[tree]
        for dependent in range(1, size):
            head = heads[best, dependent]
            if dependent >= cut[best]:
                allowed[head, dependent] = False
                if fill_constrained_tree(scores, decoder, allowed, heads[made]):
                    totals[made] = score_of(scores, heads[made])
                    source[made], cut[made] = best, dependent
                    made += 1
            allowed[:, dependent] = False
            allowed[head, dependent] = True
    return taken
