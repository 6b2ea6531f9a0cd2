"""Relations for given arcs: the most frequent relation of a back-off table, or an averaged perceptron."""

from __future__ import annotations

import numpy as np
from numba import njit

from nlpsig_core.parsers.small.arcs import ATOMS, arc_rows, room
from nlpsig_core.parsers.small.arrays import Codes, Ints
from nlpsig_core.parsers.small.perceptron import add_up, averaged, templates, update

# Of tables with a column for each relation.
ROWS = 1 << 15
# Contexts of an arc, from general to specific.
CONTEXTS = templates(
    ATOMS,
    """
    side
    d.tag
    h.tag d.tag
    h.tag d.tag side
    h.tag d.ending d.tag side
    """,
)
TEMPLATES = templates(
    ATOMS,
    """
    h.tag d.tag side
    h.tag d.tag place
    h.tag d.form side
    h.form d.tag side
    h.form d.form
    d.form d.tag side
    d.ending d.tag side
    h.tag d.ending d.tag side
    h.ending h.tag d.ending d.tag side
    h.form d.ending d.tag side
    h.tag d.before d.tag side
    h.tag d.tag d.after side
    h.tag d.before d.tag d.after side
    """,
)


@njit(nogil=True, cache=True)
def _rows_of_arcs(codes: Codes, heads: Ints, first: Ints, templates: Ints, n_rows: int) -> Ints:
    """The rows of each node's arc, (nodes, templates)."""
    found = np.zeros((codes.shape[0], templates.shape[0]), np.int64)
    atoms, _ = room(templates)
    for sentence in range(first.shape[0] - 1):
        begin, end = first[sentence], first[sentence + 1]
        for node in range(1, end - begin):
            arc_rows(codes[begin:end], heads[begin + node], node, templates, atoms, found[begin + node], n_rows)
    return found


@njit(nogil=True, cache=True)
def _learn(rows: Ints, relations: Ints, first: Ints, order: Ints, n_rows: int, n_labels: int) -> Ints:
    weights, totals = np.zeros((n_rows, n_labels), np.int64), np.zeros((n_rows, n_labels), np.int64)
    scores, step = np.empty(n_labels, np.int64), 0
    for sentence in order:
        for node in range(first[sentence] + 1, first[sentence + 1]):
            step += 1
            add_up(weights, rows[node], scores)
            best, right = np.argmax(scores), relations[node]
            if best != right:
                update(weights, totals, rows[node], right, 1, step)
                update(weights, totals, rows[node], best, -1, step)
    return averaged(weights, totals, step)


def learn(
    codes: np.ndarray, heads: np.ndarray, relations: np.ndarray, first: np.ndarray, order: np.ndarray, n_labels: int
) -> np.ndarray:
    """Averaged weights (rows, labels) after the sentences in this order, one step per word."""
    rows = _rows_of_arcs(codes, heads, first, TEMPLATES, ROWS)
    return _learn(rows, relations, first, order, ROWS, n_labels)


def classify(weights: np.ndarray, codes: np.ndarray, heads: np.ndarray, first: np.ndarray) -> np.ndarray:
    """The relation (nodes,) with the highest sum of weights for each node's arc."""
    scores = np.zeros((len(codes), weights.shape[1]), np.int64)
    for rows in _rows_of_arcs(codes, heads, first, TEMPLATES, ROWS).T:
        scores += weights[rows]
    return np.asarray(scores.argmax(axis=1))


def count(
    codes: np.ndarray, heads: np.ndarray, relations: np.ndarray, first: np.ndarray, order: np.ndarray, n_labels: int
) -> np.ndarray:
    """Counts (rows, labels) of each relation in each context, over the sentences of the order."""
    counts = np.zeros((ROWS, n_labels), np.int64)
    rows = _rows_of_arcs(codes, heads, first, CONTEXTS, ROWS)
    nodes = np.concatenate([np.arange(first[sentence] + 1, first[sentence + 1]) for sentence in order])
    np.add.at(counts, (rows[nodes], relations[nodes][:, None]), 1)
    return counts


def most_frequent(counts: np.ndarray, codes: np.ndarray, heads: np.ndarray, first: np.ndarray) -> np.ndarray:
    """The most frequent relation (nodes,) in the most specific known context of each node's arc."""
    found = np.zeros(len(codes), np.int64)
    for rows in _rows_of_arcs(codes, heads, first, CONTEXTS, ROWS).T:
        found = np.where(counts[rows].any(axis=1), counts[rows].argmax(axis=1), found)
    return found
