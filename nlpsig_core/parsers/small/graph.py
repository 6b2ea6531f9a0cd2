"""A graph-based parser: the projective tree with the best sum over arcs (McDonald, Crammer and Pereira 2005)."""

from __future__ import annotations

import numpy as np
from numba import njit

from nlpsig_core.parsers.small.arcs import ATOMS, arc_rows, room
from nlpsig_core.parsers.small.arrays import Codes, Ints
from nlpsig_core.parsers.small.coding import TAG
from nlpsig_core.parsers.small.decoding import best_tree
from nlpsig_core.parsers.small.perceptron import averaged, mix, templates, update

# With so many rows few features share one by chance.
ROWS = 1 << 20
TEMPLATES = templates(
    ATOMS,
    """
    h.tag d.tag side
    h.tag d.tag place
    h.tag place
    d.tag place
    h.form place
    d.form place
    h.form h.tag side
    d.form d.tag side
    h.ending h.tag place
    d.ending d.tag place
    h.form d.form side
    h.form d.tag side
    h.form d.tag place
    h.tag d.form side
    h.tag d.form place
    h.form h.tag d.form d.tag place
    h.tag d.ending d.tag side
    h.tag d.ending d.tag place
    h.ending h.tag d.tag side
    h.ending h.tag d.tag place
    h.ending h.tag d.ending d.tag side
    h.form d.ending d.tag side
    h.tag h.after d.before d.tag side
    h.tag h.after d.before d.tag place
    h.before h.tag d.before d.tag place
    h.tag h.after d.tag d.after place
    h.before h.tag d.tag d.after side
    h.before h.tag d.tag d.after place
    h.before h.tag h.after place
    d.before d.tag d.after place
    """,
)


@njit(nogil=True, cache=True)
def _between_row(codes: Codes, head: int, node: int, dependent: int, n_rows: int) -> np.int64:
    """The row of the feature of a word between the ends of an arc."""
    value = mix(mix(np.uint64(head < dependent), codes[head, TAG]), codes[dependent, TAG])
    return np.int64(mix(value, codes[node, TAG]) & np.uint64(n_rows - 1))


@njit(nogil=True, cache=True)
def fill_scores(codes: Codes, weights: Ints, templates: Ints, scores: Ints) -> None:
    """Fill ``scores`` (head, dependent) with the summed weights of each arc of a sentence."""
    atoms, rows = room(templates)
    for dependent in range(1, codes.shape[0]):
        for head in range(codes.shape[0]):
            if head == dependent:
                continue
            arc_rows(codes, head, dependent, templates, atoms, rows, weights.shape[0])
            score = 0
            for row in rows:
                score += weights[row, 0]
            for node in range(min(head, dependent) + 1, max(head, dependent)):
                score += weights[_between_row(codes, head, node, dependent, weights.shape[0]), 0]
            scores[head, dependent] = score


@njit(nogil=True, cache=True)
def change_arcs(codes: Codes, heads: Ints, gold: Ints, weights: Ints, totals: Ints, templates: Ints, step: int) -> None:
    """Reward gold arcs missing from the tree and penalize arcs of the tree that are not gold."""
    atoms, rows = room(templates)
    row_between = np.empty(1, np.int64)
    for dependent in range(1, codes.shape[0]):
        if heads[dependent] == gold[dependent]:
            continue
        for head, change in ((gold[dependent], 1), (heads[dependent], -1)):
            arc_rows(codes, head, dependent, templates, atoms, rows, weights.shape[0])
            update(weights, totals, rows, 0, change, step)
            for node in range(min(head, dependent) + 1, max(head, dependent)):
                row_between[0] = _between_row(codes, head, node, dependent, weights.shape[0])
                update(weights, totals, row_between, 0, change, step)


@njit(nogil=True, cache=True)
def _learn(codes: Codes, gold: Ints, first: Ints, order: Ints, templates: Ints, n_rows: int) -> Ints:
    weights, totals = np.zeros((n_rows, 1), np.int64), np.zeros((n_rows, 1), np.int64)
    for step, sentence in enumerate(order, 1):
        begin, end = first[sentence], first[sentence + 1]
        scores, heads = np.zeros((end - begin, end - begin), np.int64), np.empty(end - begin, np.int64)
        fill_scores(codes[begin:end], weights, templates, scores)
        best_tree(scores, heads)
        change_arcs(codes[begin:end], heads, gold[begin:end], weights, totals, templates, step)
    return averaged(weights, totals, len(order))


@njit(nogil=True, cache=True)
def _parse(weights: Ints, codes: Codes, first: Ints, templates: Ints) -> Ints:
    heads = np.empty(codes.shape[0], np.int64)
    for sentence in range(first.shape[0] - 1):
        begin, end = first[sentence], first[sentence + 1]
        scores = np.zeros((end - begin, end - begin), np.int64)
        fill_scores(codes[begin:end], weights, templates, scores)
        best_tree(scores, heads[begin:end])
    return heads


def learn(codes: np.ndarray, heads: np.ndarray, first: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Averaged weights (rows, 1) after the sentences in this order, one step each."""
    return _learn(codes, heads, first, order, TEMPLATES, ROWS)


def parse(weights: np.ndarray, codes: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Heads (nodes,) of all sentences."""
    return _parse(weights, codes, first, TEMPLATES)
