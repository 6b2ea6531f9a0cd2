"""A head-table model: of the pairs of words that look like these two, how many are dependent and head."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from nlpsig_core.synthesis.parsers.arcs import ATOMS, arc_rows, room
from nlpsig_core.synthesis.parsers.arrays import Codes, Ints
from nlpsig_core.synthesis.parsers.decoding import best_tree
from nlpsig_core.synthesis.parsers.perceptron import templates

# Looks that share a row by chance are few among so many.
ROWS = 1 << 20
# How a pair of words looks, the more exact the later.
TEMPLATES = templates(
    ATOMS,
    """
    h.tag d.tag side
    h.tag d.tag place
    h.tag d.ending d.tag place
    h.tag h.after d.before d.ending d.tag place
    """,
)
# The share of arcs that is expected among tags that were never seen together.
UNSEEN = 0.01
# So many pairs weighs what is expected by the look before.
BACKING = 4.0
# Steps of the logarithm to the base e.
SCALE = 1000.0


@njit(nogil=True, cache=True)
def _score(counts: Ints, rows: Ints) -> np.int64:
    """The logarithm of the odds of being an arc, in whole steps."""
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
    """Numbers of pairs and of arcs among them, (rows, 2), in the sentences of the order."""
    return _learn(codes, heads, first, order, TEMPLATES, ROWS)


def parse(counts: np.ndarray, codes: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Heads (nodes,) of all sentences: the projective tree with the best odds."""
    return _parse(counts, codes, first, TEMPLATES)
