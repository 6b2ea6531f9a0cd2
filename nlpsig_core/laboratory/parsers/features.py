"""Features of arcs (McDonald, Crammer and Pereira 2005, table 1), prepared once for each word.

A feature pairs a part of the head with a part of the dependent. Parts are hashes below ROWS, and the row of a feature
is the exclusive or of its parts, so what a pair of words costs is one operation and one look-up. Each feature exists
without and with direction and distance; the row of the latter is the row of the former with its last four bits
changed, so that both are in the same 64 bytes of memory.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlpsig_core.base.compiled import compiled
from nlpsig_core.laboratory.parsers.arrays import Codes
from nlpsig_core.laboratory.parsers.hashing import hashed
from nlpsig_core.laboratory.parsers.treebank import COLUMNS, Treebank

ROWS = 1 << 22
# Direction and distance: numbers 1 to 14, so that 0 stands for neither.
SLOTS = 16

# Parts of a word, in words of the treebank's columns; -1 and +1 are its neighbours.
ALONE = """
form
lemma
fine
coarse
feats
form fine
form coarse
lemma fine
lemma coarse
coarse feats
lemma feats
coarse-1 coarse
coarse coarse+1
coarse-1 coarse coarse+1
fine-1 fine
fine fine+1
fine-1 fine fine+1
"""
# Parts of the head and parts of the dependent. Forms go with fine tags and lemmas with coarse ones: all four
# combinations, and tags around both ends fine as well as coarse, are half as fast and no better on dev.
PAIRS = """
form | form
lemma | lemma
fine | fine
coarse | coarse
form | fine
fine | form
lemma | coarse
coarse | lemma
form fine | fine
fine | form fine
lemma coarse | coarse
coarse | lemma coarse
feats | feats
coarse feats | coarse feats
coarse feats | coarse
coarse | coarse feats
lemma | coarse feats
coarse feats | lemma
coarse-1 coarse | coarse-1 coarse
coarse-1 coarse | coarse coarse+1
coarse coarse+1 | coarse-1 coarse
coarse coarse+1 | coarse coarse+1
coarse-1 coarse | coarse
coarse coarse+1 | coarse
coarse | coarse-1 coarse
coarse | coarse coarse+1
"""
# The tag of both ends, joined by the tag of each word between.
BETWEEN = "coarse"


class Parts(NamedTuple):
    """Parts of the features of each node: arrays (templates, nodes) uint32 below ROWS, as compiled loops take them.

    ``head_alone`` and ``dependent_alone`` are features by themselves; ``head`` and ``dependent`` join with each other;
    ``head_end``, ``inside`` and ``dependent_end`` (one template) join, with ``inside`` of each word between.
    """

    head_alone: Codes
    dependent_alone: Codes
    head: Codes
    dependent: Codes
    head_end: Codes
    inside: Codes
    dependent_end: Codes


def parts_of(treebank: Treebank) -> Parts:
    """The parts of all nodes of a treebank."""
    atoms = _atoms(treebank)

    def parts(role: str, lines: list[str]) -> Codes:
        named = [[atoms[name] for name in line.split()] for line in lines]
        return np.stack([hashed(columns, f"{role} {number}", ROWS) for number, columns in enumerate(named)])

    heads, dependents = ([line.split(" | ")[side] for line in _lines(PAIRS)] for side in (0, 1))
    return Parts(
        head_alone=parts("head alone", _lines(ALONE)),
        dependent_alone=parts("dependent alone", _lines(ALONE)),
        head=parts("head", heads),
        dependent=parts("dependent", dependents),
        head_end=parts("head end", [BETWEEN]),
        inside=parts("inside", [BETWEEN]),
        dependent_end=parts("dependent end", [BETWEEN]),
    )


def _lines(text: str) -> list[str]:
    return text.strip().splitlines()


def _atoms(treebank: Treebank) -> dict[str, np.ndarray]:
    """Each column of the codes, as uint64, and those of the word before and after; 0 beyond the sentence."""
    codes = treebank.codes.astype(np.uint64)
    atoms = {name: np.ascontiguousarray(codes[:, i]) for i, name in enumerate(COLUMNS)}
    starts, ends = treebank.first[:-1], treebank.first[1:] - 1
    for name in COLUMNS:
        before, after = np.roll(atoms[name], 1), np.roll(atoms[name], -1)
        before[starts] = 0
        after[ends] = 0
        atoms |= {f"{name}-1": before, f"{name}+1": after}
    return atoms


@compiled()
def slot_of(head: int, dependent: int) -> np.uint32:
    """A number from 1 to 14 for direction and distance (1 to 5, 6 to 10, more)."""
    distance = abs(head - dependent)
    step = distance if distance < 6 else 6 if distance < 11 else 7
    return np.uint32(step if head < dependent else 7 + step)


@compiled()
def slots(size: int) -> Codes:
    """The number of every pair of a sentence of ``size`` nodes, as (head, dependent)."""
    table = np.zeros((size, size), np.uint32)
    for head in range(size):
        for dependent in range(size):
            if head != dependent:
                table[head, dependent] = slot_of(head, dependent)
    return table
