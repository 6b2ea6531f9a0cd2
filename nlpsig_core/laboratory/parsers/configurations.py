"""Features of arc-eager configurations (MaltParser's nivreeager model; Zhang and Nivre 2011, tables 1 and 2)."""

from __future__ import annotations

import numpy as np

from nlpsig_core.base.compiled import compiled
from nlpsig_core.laboratory.parsers.arc_eager import NEXT, NONE, SIZE, State
from nlpsig_core.laboratory.parsers.arrays import Codes, Ints
from nlpsig_core.laboratory.parsers.hashing import mix
from nlpsig_core.laboratory.parsers.treebank import COLUMNS

# The top of the stack s and the word below it t; the next words b, c, d; the head h of s and its head g; the
# dependents of s and b: outermost (l, r) and next (l2, r2).
NODES = "s t b c d h g s.l s.r s.l2 s.r2 b.l b.l2".split()
PER_NODE = (*COLUMNS, "label")
# How far s is from b; how many dependents s and b have on each side.
ATOMS = (*(f"{node}.{column}" for node in NODES for column in PER_NODE), "gap", "s.nl", "s.nr", "b.nl")
LINES = """
s.fine b.fine
s.lemma b.coarse
s.coarse b.lemma
s.form s.fine b.fine
s.fine b.form b.fine
s.feats b.feats s.coarse b.coarse
s.coarse b.coarse gap
s.coarse b.coarse b.l.label
s.coarse b.coarse s.r.label
s.lemma b.lemma
s.lemma
b.lemma
s.coarse b.feats b.coarse
s.coarse s.feats b.coarse
s.coarse s.l.label b.coarse
h.coarse s.coarse b.coarse
s.form
s.fine
s.coarse
s.form s.fine
s.lemma s.feats
b.form
b.fine
b.form b.fine
b.lemma b.feats
c.form
c.fine
c.form c.fine
c.lemma
d.form
d.fine
d.form d.fine
t.fine
t.lemma
t.coarse s.coarse b.coarse
t.fine s.fine b.fine
s.form b.form
s.form s.fine b.form b.fine
s.lemma s.coarse b.lemma b.coarse
b.fine c.fine
b.coarse c.coarse
b.fine c.fine d.fine
b.coarse c.coarse d.coarse
s.fine b.fine c.fine
s.coarse b.coarse c.coarse
s.coarse b.coarse c.coarse d.coarse
s.lemma b.coarse c.coarse
s.coarse b.coarse c.lemma
h.fine s.fine b.fine
s.fine s.l.fine b.fine
s.fine s.r.fine b.fine
s.fine b.fine b.l.fine
s.lemma gap
s.coarse gap
b.lemma gap
b.coarse gap
s.lemma b.lemma gap
s.lemma s.nr
s.coarse s.nr
s.lemma s.nl
s.coarse s.nl
b.lemma b.nl
b.coarse b.nl
h.lemma
h.coarse
s.label
s.l.lemma
s.l.coarse
s.l.label
s.r.lemma
s.r.coarse
s.r.label
b.l.lemma
b.l.coarse
b.l.label
g.lemma
g.coarse
h.label
s.l2.coarse s.l2.label
s.r2.coarse s.r2.label
b.l2.coarse b.l2.label
s.coarse s.l.coarse s.l2.coarse
s.coarse s.r.coarse s.r2.coarse
b.coarse b.l.coarse b.l2.coarse
s.coarse h.coarse g.coarse
s.coarse s.l.label s.r.label
s.coarse s.label b.coarse
s.lemma s.label b.coarse
s.coarse s.nr b.coarse
s.coarse s.nl b.coarse
s.coarse b.nl b.coarse
s.label b.coarse c.coarse
s.feats b.feats
s.coarse b.coarse s.r.lemma
s.coarse b.coarse b.l.lemma
"""
# The relation of a new arc is learned from this many templates, the first.
LABEL_TEMPLATES = 16


def _indices(lines: str) -> np.ndarray:
    """Indices of atoms (templates, longest), padded with -1."""
    rows = [[ATOMS.index(name) for name in line.split()] for line in lines.strip().splitlines()]
    longest = max(map(len, rows))
    return np.array([row + [-1] * (longest - len(row)) for row in rows])


TEMPLATES = _indices(LINES)


@compiled()
def room() -> Codes:
    """Space for the atoms of a configuration."""
    return np.empty(len(ATOMS), np.uint64)


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
    seen = (
        s, t, b, c, d, h, g, _child(state, s, 0), _child(state, s, 2), _child(state, s, 1), _child(state, s, 3),
        _child(state, b, 0), _child(state, b, 1),
    )  # fmt: skip
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
