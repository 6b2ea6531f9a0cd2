"""The k trees with the highest sums of arc scores (Lawler 1972, over Chu-Liu-Edmonds or Eisner)."""

from __future__ import annotations

import numpy as np

from nlpsig_core.base.compiled import compiled
from nlpsig_core.laboratory.parsers.arrays import Floats, Ints
from nlpsig_core.laboratory.parsers.decoding import FREE, Decoder, fill_constrained_tree, fill_tree, score_of


def k_best_trees(scores: np.ndarray, k: int, decoder: Decoder = Decoder()) -> tuple[np.ndarray, np.ndarray]:
    """The heads (trees, n + 1) and the scores (trees,) of the k best trees, best first; fewer if there are fewer.

    ``scores`` (n + 1, n + 1) are finite, by head and dependent.
    """
    scores, trees = np.asarray(scores, np.float64), np.empty((k, len(scores)), np.int64)
    found = fill_k_best(scores, decoder, trees)
    return trees[:found], np.array([score_of(scores, heads) for heads in trees[:found]])


@compiled()
def fill_k_best(scores: Floats, decoder: Decoder, trees: Ints) -> int:
    """Fill ``trees`` (k, n + 1) with the best trees, best first, and return their number.

    Each candidate is the best tree of a set of trees; the sets part all trees. A set is given by forced heads and
    banned arcs, those of the set it was cut from and one more. When a candidate is taken, the rest of its set is
    parted by the first word whose head differs. O(k n^3); without crossing arcs O(k n^4).
    """
    k, size = trees.shape
    room = 1 + k * (size - 1)
    heads, forced = np.empty((room, size), np.int64), np.full((room, size), FREE)
    totals, source, banned = np.full(room, -np.inf), np.full(room, -1), np.zeros(room, np.int64)
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
        allowed, cut = np.ones((size, size), np.bool_), best
        while source[cut] >= 0:
            allowed[heads[source[cut], banned[cut]], banned[cut]] = False
            cut = source[cut]
        must = forced[best].copy()
        for dependent in range(1, size):
            if must[dependent] != FREE:
                continue
            head = heads[best, dependent]
            allowed[head, dependent] = False
            if fill_constrained_tree(scores, decoder, must, allowed, heads[made]):
                totals[made] = score_of(scores, heads[made])
                forced[made] = must
                source[made], banned[made] = best, dependent
                made += 1
            allowed[head, dependent] = True
            must[dependent] = head
    return taken
