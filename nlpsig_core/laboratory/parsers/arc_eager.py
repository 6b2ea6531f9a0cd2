"""The arc-eager system with the root after the words: its moves, its dynamic oracle, and features of configurations.

Nivre (2003); Goldberg and Nivre (2012). Features are those of MaltParser's nivreeager model and of Zhang and Nivre
(2011), tables 1 and 2.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlpsig_core.base.compiled import Flags, Ints, compiled
from nlpsig_core.laboratory.parsers.treebank import COLUMNS
from nlpsig_core.laboratory.parsers.weights import Codes, mix

# Push the next word; pop the top, which has a head; attach the top to the next word and pop it; attach the next word
# to the top and push it.
SHIFT, REDUCE, LEFT, RIGHT = range(4)
N_MOVES = 4
NONE = -1
# Entries of ``numbers``: the size of the stack, the next position (n + 1 is the root's).
SIZE, NEXT = 0, 1

# The top of the stack s and the word below it t; the next words b, c, d; the head h of s and its head g; the
# dependents of s and b: outermost (l, r) and next (l2, r2).
NODES = "s t b c d h g s.l s.r s.l2 s.r2 b.l b.l2".split()
PER_NODE = (*COLUMNS, "label")
# How far s is from b; how many dependents s and b have on each side.
ATOMS = (*(f"{node}.{column}" for node in NODES for column in PER_NODE), "gap", "s.nl", "s.nr", "b.nl")
WORDING = """
s.fine b.fine; s.lemma b.coarse; s.coarse b.lemma; s.form s.fine b.fine; s.fine b.form b.fine;
s.feats b.feats s.coarse b.coarse; s.coarse b.coarse gap; s.coarse b.coarse b.l.label;
s.coarse b.coarse s.r.label; s.lemma b.lemma; s.lemma; b.lemma; s.coarse b.feats b.coarse;
s.coarse s.feats b.coarse; s.coarse s.l.label b.coarse; h.coarse s.coarse b.coarse;
s.form; s.fine; s.coarse; s.form s.fine; s.lemma s.feats;
b.form; b.fine; b.form b.fine; b.lemma b.feats;
c.form; c.fine; c.form c.fine; c.lemma; d.form; d.fine; d.form d.fine;
t.fine; t.lemma; t.coarse s.coarse b.coarse; t.fine s.fine b.fine;
s.form b.form; s.form s.fine b.form b.fine; s.lemma s.coarse b.lemma b.coarse;
b.fine c.fine; b.coarse c.coarse; b.fine c.fine d.fine; b.coarse c.coarse d.coarse;
s.fine b.fine c.fine; s.coarse b.coarse c.coarse; s.coarse b.coarse c.coarse d.coarse; s.lemma b.coarse c.coarse;
s.coarse b.coarse c.lemma;
h.fine s.fine b.fine; s.fine s.l.fine b.fine; s.fine s.r.fine b.fine; s.fine b.fine b.l.fine;
s.lemma gap; s.coarse gap; b.lemma gap; b.coarse gap; s.lemma b.lemma gap;
s.lemma s.nr; s.coarse s.nr; s.lemma s.nl; s.coarse s.nl; b.lemma b.nl; b.coarse b.nl;
h.lemma; h.coarse; s.label;
s.l.lemma; s.l.coarse; s.l.label; s.r.lemma; s.r.coarse; s.r.label;
b.l.lemma; b.l.coarse; b.l.label;
g.lemma; g.coarse; h.label; s.l2.coarse s.l2.label; s.r2.coarse s.r2.label; b.l2.coarse b.l2.label;
s.coarse s.l.coarse s.l2.coarse; s.coarse s.r.coarse s.r2.coarse; b.coarse b.l.coarse b.l2.coarse;
s.coarse h.coarse g.coarse; s.coarse s.l.label s.r.label; s.coarse s.label b.coarse; s.lemma s.label b.coarse;
s.coarse s.nr b.coarse; s.coarse s.nl b.coarse; s.coarse b.nl b.coarse; s.label b.coarse c.coarse;
s.feats b.feats; s.coarse b.coarse s.r.lemma; s.coarse b.coarse b.l.lemma
"""
# The relation of a new arc is learned from this many templates, the first.
LABEL_TEMPLATES = 16


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
    """Return the configuration before the first of ``size`` - 1 words."""
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
    """Tell whether all words have been read and popped."""
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
def arc_of(state: State, move: int) -> tuple[int, int]:
    """Return the head and the dependent of the arc that LEFT or RIGHT makes."""
    top, following = state.stack[state.numbers[SIZE] - 1], state.numbers[NEXT]
    word = following if following < state.heads.shape[0] else 0
    return (top, word) if move == RIGHT else (word, top)


@compiled()
def make(state: State, move: int, label: int) -> None:
    """Make a possible move; ``label`` is that of its arc, if it makes one."""
    size, following = state.numbers[SIZE], state.numbers[NEXT]
    if move in (LEFT, RIGHT):
        head, dependent = arc_of(state, move)
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


def _indices(wording: str) -> np.ndarray:
    """Return indices of atoms (templates, longest), padded with -1."""
    rows = [[ATOMS.index(name) for name in template.split()] for template in wording.split(";")]
    longest = max(map(len, rows))
    return np.array([row + [-1] * (longest - len(row)) for row in rows])


TEMPLATES, N_ATOMS = _indices(WORDING), len(ATOMS)


@compiled()
def _child(state: State, node: int, which: int) -> int:
    return int(state.children[node, which]) if node >= 0 else NONE


@compiled()
def fill_atoms(codes: Codes, state: State, atoms: Codes) -> None:
    """Fill in the atoms of a configuration; 0 stands for nothing."""
    size, following, nodes = state.numbers[SIZE], state.numbers[NEXT], codes.shape[0]
    s = state.stack[size - 1] if size > 0 else NONE
    t = state.stack[size - 2] if size > 1 else NONE
    b = following if following < nodes else 0
    c = following + 1 if following + 1 < nodes else 0 if following + 1 == nodes else NONE
    d = following + 2 if following + 2 < nodes else 0 if following + 2 == nodes else NONE
    h = state.heads[s] if s >= 0 else NONE
    g = state.heads[h] if h >= 0 else NONE
    outermost, inner = (_child(state, s, 0), _child(state, s, 2)), (_child(state, s, 1), _child(state, s, 3))
    seen = (s, t, b, c, d, h, g, *outermost, *inner, _child(state, b, 0), _child(state, b, 1))
    for place, node in enumerate(seen):
        at = place * 6
        if node < 0:
            atoms[at : at + 6] = 0
        else:
            for column in range(5):
                atoms[at + column] = codes[node, column]
            atoms[at + 5] = state.labels[node] + 1
    at = len(seen) * 6
    gap = following - s if s >= 0 else 0
    atoms[at] = gap if gap < 6 else 6 if gap < 11 else 7
    atoms[at + 1] = min(state.counts[s, 0], 3) if s >= 0 else 4
    atoms[at + 2] = min(state.counts[s, 1], 3) if s >= 0 else 4
    atoms[at + 3] = min(state.counts[b, 0], 3)


@compiled()
def fill_rows(atoms: Codes, templates: Ints, n_rows: int, rows: Codes) -> None:
    """Fill ``rows`` with the row of each template's feature among ``n_rows``, a power of two."""
    for t in range(templates.shape[0]):
        value = np.uint64(t + 1)
        for place in templates[t]:
            if place < 0:
                break
            value = mix(value, atoms[place])
        rows[t] = np.uint32((value >> np.uint64(20)) & np.uint64(n_rows - 1))
