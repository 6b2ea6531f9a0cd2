"""A head-table parser: the share of similar word pairs in which one word is the head of the other."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from nlpsig_core.parsers.small.arcs import ATOMS, arc_rows, room
from nlpsig_core.parsers.small.arrays import Codes, Ints
from nlpsig_core.parsers.small.decoding import best_tree
from nlpsig_core.parsers.small.perceptron import templates

# With so many rows few contexts share one by chance.
ROWS = 1 << 20
# Contexts of a pair of words, from general to specific.
TEMPLATES = templates(
    ATOMS,
    """
    h.tag d.tag side
    h.tag d.tag place
    h.tag d.ending d.tag place
    h.tag h.after d.before d.ending d.tag place
    """,
)
# The expected share of arcs for tags never seen together.
UNSEEN = 0.01
# The weight of the more general context, in pairs.
BACKING = 4.0
# Integer steps per unit of the natural logarithm.
SCALE = 1000.0


@njit(nogil=True, cache=True)
def _score(counts: Ints, rows: Ints) -> np.int64:
    """The log odds of being an arc, in integer steps."""
    share = UNSEEN
    for row in rows:
        share = (counts[row, 1] + BACKING * share) / (counts[row, 0] + BACKING)
    return np.int64(math.floor(SCALE * math.log(share / (1 - share))))


@njit(nogil=True, cache=True)
def _learn(codes: Codes, gold: Ints, first: Ints, order: Ints, templates: Ints, n_rows: int) -> Ints:
    counts = np.zeros((n_rows, 2), np.int64)
    atoms, rows = room(templates)
    for sentence in order:
        begin, end = first[sentence], first[sentence + 1]
        for dependent in range(1, end - begin):
            for head in range(end - begin):
                if head != dependent:
                    arc_rows(codes[begin:end], head, dependent, templates, atoms, rows, n_rows)
                    for row in rows:
                        counts[row, 0] += 1
                        counts[row, 1] += gold[begin + dependent] == head
    return counts


@njit(nogil=True, cache=True)
def _parse(counts: Ints, codes: Codes, first: Ints, templates: Ints) -> Ints:
    heads = np.empty(codes.shape[0], np.int64)
    atoms, rows = room(templates)
    for sentence in range(first.shape[0] - 1):
        begin, end = first[sentence], first[sentence + 1]
        scores = np.zeros((end - begin, end - begin), np.int64)
        for dependent in range(1, end - begin):
            for head in range(end - begin):
                if head != dependent:
                    arc_rows(codes[begin:end], head, dependent, templates, atoms, rows, counts.shape[0])
                    scores[head, dependent] = _score(counts, rows)
        best_tree(scores, heads[begin:end])
    return heads


def learn(codes: np.ndarray, heads: np.ndarray, first: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Counts (rows, 2) of pairs, and of arcs among them, over the sentences of the order."""
    return _learn(codes, heads, first, order, TEMPLATES, ROWS)


def parse(counts: np.ndarray, codes: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Heads (nodes,) of all sentences: the projective trees with the highest odds."""
    return _parse(counts, codes, first, TEMPLATES)
