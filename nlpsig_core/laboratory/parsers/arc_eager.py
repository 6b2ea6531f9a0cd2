"""The arc-eager system and its dynamic oracle (Nivre 2003; Goldberg and Nivre 2012), with the root after the words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlpsig_core.base.compiled import compiled
from nlpsig_core.laboratory.parsers.arrays import Flags, Ints

# Push the next word; pop the top, which has a head; attach the top to the next word and pop it; attach the next word
# to the top and push it.
SHIFT, REDUCE, LEFT, RIGHT = range(4)
N_MOVES = 4
NONE = -1
# Entries of ``numbers``: the size of the stack, the next position (n + 1 is the root's).
SIZE, NEXT = 0, 1


class State(NamedTuple):
    """A configuration, changed in place: arrays over nodes, NONE where there is nothing.

    ``children`` are the outermost and the next dependents on the left (0, 1) and on the right (2, 3), ``counts`` how
    many there are on each side; ``labels`` are numbers of the relations that features see.
    """

    numbers: Ints
    stack: Ints
    on_stack: Flags
    heads: Ints
    labels: Ints
    children: Ints
    counts: Ints


@compiled()
def start(size: int) -> State:
    """The configuration before the first of ``size`` - 1 words."""
    return State(
        np.array([0, 1]),
        np.empty(size, np.int64),
        np.zeros(size, np.bool_),
        np.full(size, NONE),
        np.full(size, NONE),
        np.full((size, 4), NONE),
        np.zeros((size, 2), np.int64),
    )


@compiled()
def is_over(state: State) -> bool:
    """Whether all words have been read and popped."""
    return bool(state.numbers[SIZE] == 0 and state.numbers[NEXT] == state.heads.shape[0])


@compiled()
def fill_possible(state: State, possible: Flags) -> None:
    """Fill in which moves (N_MOVES,) are possible."""
    size, words_left = state.numbers[SIZE], state.numbers[NEXT] < state.heads.shape[0]
    has_head = size > 0 and state.heads[state.stack[size - 1]] != NONE
    possible[SHIFT] = words_left
    possible[REDUCE] = has_head
    possible[LEFT] = size > 0 and not has_head
    possible[RIGHT] = size > 0 and words_left


@compiled()
def make(state: State, move: int, label: int) -> None:
    """Make a possible move; ``label`` is that of its arc, if it makes one."""
    size, following = state.numbers[SIZE], state.numbers[NEXT]
    if move in (LEFT, RIGHT):
        top, word = state.stack[size - 1], following if following < state.heads.shape[0] else 0
        head, dependent = (word, top) if move == LEFT else (top, word)
        state.heads[dependent], state.labels[dependent] = head, label
        side = 0 if move == LEFT else 1
        state.children[head, 2 * side + 1] = state.children[head, 2 * side]
        state.children[head, 2 * side] = dependent
        state.counts[head, side] += 1
    if move in (LEFT, REDUCE):
        state.on_stack[state.stack[size - 1]] = False
        state.numbers[SIZE] -= 1
    else:
        state.stack[size] = following
        state.on_stack[following] = True
        state.numbers[SIZE] += 1
        state.numbers[NEXT] += 1


@compiled()
def fill_costs(state: State, gold: Ints, costs: Ints) -> None:
    """Fill ``costs`` (N_MOVES,): the gold arcs that each move puts out of reach; section 3.2 of the paper.

    In trees with crossing arcs the count is a lower bound.
    """
    nodes, size, following = state.heads.shape[0], state.numbers[SIZE], state.numbers[NEXT]
    costs[:] = 0
    if size > 0:
        top = state.stack[size - 1]
        # Dependents of the top among the words to come are lost when it is popped.
        below = 0
        for word in range(following, nodes):
            below += gold[word] == top
        costs[REDUCE] = below
        head_position = gold[top] if gold[top] > 0 else nodes
        costs[LEFT] = below + (head_position > following)
    if following < nodes:
        # Left dependents of the next word, and its head on the stack, are lost when it is pushed.
        left = 0
        for i in range(size):
            word = state.stack[i]
            left += state.heads[word] == NONE and gold[word] == following
        on_stack = gold[following] > 0 and state.on_stack[gold[following]]
        costs[SHIFT] = left + on_stack
        if size > 0:
            to_come = gold[following] == 0 or gold[following] > following
            costs[RIGHT] = left + (gold[following] != top and (on_stack or to_come))
