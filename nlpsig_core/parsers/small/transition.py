"""A greedy transition-based parser: arc-standard (Nivre 2004) with a static oracle."""

from __future__ import annotations

import numpy as np
from numba import njit

from nlpsig_core.parsers.small.arcs import code_at, place_of
from nlpsig_core.parsers.small.arrays import Codes, Ints
from nlpsig_core.parsers.small.coding import ENDING, FORM, OUTSIDE, TAG
from nlpsig_core.parsers.small.perceptron import add_up, averaged, find_rows, templates, update

# With so many rows few features share one by chance.
ROWS = 1 << 18
# Shift the next word; attach the second word of the stack to the top and remove it; attach the top to the second.
SHIFT, LEFT, RIGHT = 0, 1, 2
# Of the top of the stack s, the two below it t and u, and the next words b and c: form, ending, tag; the tags of
# their outermost dependents to the left and right; how many dependents s and t have; distance of s from t.
ATOMS = (
    "s.form s.ending s.tag t.form t.ending t.tag u.form u.ending u.tag b.form b.ending b.tag c.form c.ending c.tag "
    "s.left s.right t.left t.right s.number t.number place d.tag"
).split()
TEMPLATES = templates(
    ATOMS,
    """
    s.form
    s.tag
    s.form s.tag
    s.ending s.tag
    t.form
    t.tag
    t.form t.tag
    t.ending t.tag
    b.form
    b.tag
    b.form b.tag
    c.tag
    u.tag
    s.tag t.tag
    s.tag t.tag place
    s.form t.form
    s.form t.tag
    s.tag t.form
    s.form t.form t.tag
    s.form s.tag t.tag
    s.ending s.tag t.tag
    s.tag t.ending t.tag
    s.ending s.tag t.ending t.tag
    s.tag t.tag b.tag
    s.tag t.tag b.form
    s.tag t.tag b.tag c.tag
    s.tag t.form b.tag
    s.form t.tag b.tag
    s.tag b.tag
    s.form b.tag
    s.tag b.form
    s.tag b.tag c.tag
    b.tag c.tag d.tag
    u.tag t.tag s.tag
    u.tag t.tag s.tag b.tag
    t.form s.form b.tag
    t.tag t.left s.tag
    t.tag t.right s.tag
    t.tag s.tag s.left
    t.tag s.tag s.right
    t.tag t.left s.tag s.left
    t.tag t.right s.tag s.right
    t.form t.tag t.right s.tag
    t.form s.tag place
    t.tag s.form place
    s.tag s.number t.tag
    t.tag t.number s.tag
    """,
)  # fmt: skip


@njit(nogil=True, cache=True)
def fill_atoms(codes: Codes, stack: Ints, size: int, following: int, edges: Ints, numbers: Ints, atoms: Codes) -> None:
    """Fill ``atoms`` with those of a configuration; ``edges`` (nodes, 2) are outermost dependents, -1 for none."""
    atoms[:] = np.uint64(OUTSIDE)
    for place in range(3):
        if size > place:
            node = stack[size - 1 - place]
            for column in (FORM, ENDING, TAG):
                atoms[3 * place + column] = codes[node, column]
            if place < 2:
                for side in range(2):
                    atoms[15 + 2 * place + side] = code_at(codes, edges[node, side], TAG)
                atoms[19 + place] = np.uint64(numbers[node])
    for place in range(2):
        for column in (FORM, ENDING, TAG):
            atoms[9 + 3 * place + column] = code_at(codes, following + place, column)
    if size > 1:
        atoms[21] = place_of(stack[size - 2], stack[size - 1])
    atoms[22] = code_at(codes, following + 2, TAG)


@njit(nogil=True, cache=True)
def oracle(stack: Ints, size: int, gold: Ints, waiting: Ints) -> int:
    """The move towards the ``gold`` heads; ``waiting`` (nodes,) counts the dependents that a word still lacks."""
    if size > 1:
        top, below = stack[size - 1], stack[size - 2]
        if gold[below] == top:
            return LEFT
        if gold[top] == below and waiting[top] == 0:
            return RIGHT
    return SHIFT


@njit(nogil=True, cache=True)
def best_move(scores: Ints, size: int, words_left: bool) -> int:
    """The possible move with the highest score: arcs need two words on the stack, a shift needs a next word."""
    move = SHIFT if words_left else LEFT
    for other in (LEFT, RIGHT):
        if size > 1 and scores[other] > scores[move]:
            move = other
    return move


@njit(nogil=True, cache=True)
def make(move: int, stack: Ints, size: int, following: int, heads: Ints, edges: Ints, numbers: Ints) -> tuple[int, int]:
    """Make a move; returns the new size of the stack and the next word."""
    if move == SHIFT:
        stack[size] = following
        return size + 1, following + 1
    head, dependent = stack[size - 1], stack[size - 2]
    if move == RIGHT:
        head, dependent = dependent, head
    heads[dependent] = head
    edges[head, 0 if dependent < head else 1] = dependent
    numbers[head] += 1
    stack[size - 2] = head
    return size - 1, following


@njit(nogil=True, cache=True)
def walk(codes: Codes, gold: Ints, weights: Ints, totals: Ints, step: int, templates: Ints, heads: Ints) -> int:
    """Fill ``heads`` of a sentence move by move; the last word on the stack is the only dependent of the root.

    With ``step`` 0 the best moves are made; otherwise the moves lead to ``gold``, and the weights learn from each.
    Returns the number of the next step.
    """
    nodes = codes.shape[0]
    stack, numbers, waiting = np.empty(nodes, np.int64), np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
    edges = np.full((nodes, 2), -1)
    atoms, rows, scores = np.empty(23, np.uint64), np.empty(templates.shape[0], np.int64), np.empty(3, np.int64)
    if step:
        for node in range(1, nodes):
            waiting[gold[node]] += 1
    size, following, learning = 0, 1, step > 0
    while following < nodes or size > 1:
        fill_atoms(codes, stack, size, following, edges, numbers, atoms)
        find_rows(atoms, templates, weights.shape[0], rows)
        add_up(weights, rows, scores)
        move = best_move(scores, size, following < nodes)
        if learning:
            right = oracle(stack, size, gold, waiting)
            if right != move:
                update(weights, totals, rows, right, 1, step)
                update(weights, totals, rows, move, -1, step)
            move = right
            step += 1
            if move != SHIFT:
                waiting[stack[size - 1] if move == LEFT else stack[size - 2]] -= 1
        size, following = make(move, stack, size, following, heads, edges, numbers)
    heads[0], heads[stack[0]] = -1, 0
    return step


@njit(nogil=True, cache=True)
def _learn(codes: Codes, gold: Ints, first: Ints, order: Ints, templates: Ints, n_rows: int) -> Ints:
    weights, totals = np.zeros((n_rows, 3), np.int64), np.zeros((n_rows, 3), np.int64)
    heads, step = np.empty(codes.shape[0], np.int64), 1
    for sentence in order:
        begin, end = first[sentence], first[sentence + 1]
        step = walk(codes[begin:end], gold[begin:end], weights, totals, step, templates, heads[begin:end])
    return averaged(weights, totals, step - 1)


@njit(nogil=True, cache=True)
def _parse(weights: Ints, codes: Codes, first: Ints, templates: Ints) -> Ints:
    heads = np.empty(codes.shape[0], np.int64)
    for sentence in range(first.shape[0] - 1):
        begin, end = first[sentence], first[sentence + 1]
        walk(codes[begin:end], heads[begin:end], weights, weights, 0, templates, heads[begin:end])
    return heads


def learn(codes: np.ndarray, heads: np.ndarray, first: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Averaged weights (rows, 3) after the sentences in this order, one step per move."""
    return _learn(codes, heads, first, order, TEMPLATES, ROWS)


def parse(weights: np.ndarray, codes: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Heads (nodes,) of all sentences."""
    return _parse(weights, codes, first, TEMPLATES)
