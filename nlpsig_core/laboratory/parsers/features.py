"""Features of arcs (McDonald, Crammer and Pereira 2005, table 1), prepared once for each word, and scores of arcs.

A feature pairs a part of the head with a part of the dependent. Parts are hashes below ROWS, and the row of a feature
is the exclusive or of its parts, so what a pair of words costs is one operation and one look-up. Each feature exists
without and with direction and distance; the row of the latter is the row of the former with its last four bits
changed, so that both are in the same 64 bytes of memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.compiled import Floats, Ints, compiled
from nlpsig_core.laboratory.parsers.treebank import COLUMNS, Treebank
from nlpsig_core.laboratory.parsers.weights import Codes, hashed

ROWS = 1 << 22
# Direction and distance: numbers 1 to 14, so that 0 stands for neither.
SLOTS = 16

# Parts of a word, in words of the treebank's columns; -1 and +1 are its neighbours.
ALONE = """
form; lemma; fine; coarse; feats;
form fine; form coarse; lemma fine; lemma coarse; coarse feats; lemma feats;
coarse-1 coarse; coarse coarse+1; coarse-1 coarse coarse+1;
fine-1 fine; fine fine+1; fine-1 fine fine+1
"""
# Parts of the head and parts of the dependent. Forms go with fine tags and lemmas with coarse ones: all four
# combinations, and tags around both ends fine as well as coarse, are half as fast and no better on dev.
PAIRS = """
form | form; lemma | lemma; fine | fine; coarse | coarse;
form | fine; fine | form; lemma | coarse; coarse | lemma;
form fine | fine; fine | form fine; lemma coarse | coarse; coarse | lemma coarse;
feats | feats; coarse feats | coarse feats; coarse feats | coarse; coarse | coarse feats; lemma | coarse feats;
coarse feats | lemma;
coarse-1 coarse | coarse-1 coarse; coarse-1 coarse | coarse coarse+1; coarse coarse+1 | coarse-1 coarse;
coarse coarse+1 | coarse coarse+1;
coarse-1 coarse | coarse; coarse coarse+1 | coarse; coarse | coarse-1 coarse; coarse | coarse coarse+1
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
    """Return the parts of all nodes of a treebank."""
    atoms = _atoms(treebank)

    def parts(role: str, templates: Sequence[str]) -> Codes:
        named = [[atoms[name] for name in template.split()] for template in templates]
        return np.stack([hashed(columns, f"{role} {number}", ROWS) for number, columns in enumerate(named)])

    alone = ALONE.split(";")
    heads, dependents = zip(*(pair.split("|") for pair in PAIRS.split(";")), strict=True)
    return Parts(
        head_alone=parts("head alone", alone),
        dependent_alone=parts("dependent alone", alone),
        head=parts("head", heads),
        dependent=parts("dependent", dependents),
        head_end=parts("head end", [BETWEEN]),
        inside=parts("inside", [BETWEEN]),
        dependent_end=parts("dependent end", [BETWEEN]),
    )


def _atoms(treebank: Treebank) -> dict[str, np.ndarray]:
    """Return each column of the codes and those of the word before and after, uint64; 0 beyond the sentence."""
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
    """Return a number from 1 to 14 for direction and distance (1 to 5, 6 to 10, more)."""
    distance = abs(head - dependent)
    step = distance if distance < 6 else 6 if distance < 11 else 7
    return np.uint32(step if head < dependent else 7 + step)


@compiled()
def slots(size: int) -> Codes:
    """Return the slot of every pair of a sentence of ``size`` nodes, (head, dependent)."""
    table = np.zeros((size, size), np.uint32)
    for head in range(size):
        for dependent in range(size):
            if head != dependent:
                table[head, dependent] = slot_of(head, dependent)
    return table


@compiled()
def sentence_parts(parts: Parts, begin: int, end: int) -> Parts:
    """Copy the parts of the nodes of one sentence: loops over them are compiled for one layout only."""
    return Parts(
        parts.head_alone[:, begin:end].copy(),
        parts.dependent_alone[:, begin:end].copy(),
        parts.head[:, begin:end].copy(),
        parts.dependent[:, begin:end].copy(),
        parts.head_end[:, begin:end].copy(),
        parts.inside[:, begin:end].copy(),
        parts.dependent_end[:, begin:end].copy(),
    )


@compiled()
def _sums_alone(alone: Codes, weights: Floats) -> Floats:
    """Return what each node adds to its arcs by itself, (nodes, SLOTS)."""
    sums = np.zeros((alone.shape[1], SLOTS), np.float32)
    for t in range(alone.shape[0]):
        for node in range(alone.shape[1]):
            row = alone[t, node]
            plain = weights[row]
            for slot in range(1, SLOTS):
                sums[node, slot] += plain + weights[row ^ np.uint32(slot)]
    return sums


@compiled()
def fill_scores(parts: Parts, weights: Floats, scores: Floats) -> None:
    """Fill ``scores`` (head, dependent) float32 with the summed weights of each arc of a sentence."""
    size = scores.shape[0]
    places = slots(size)
    by_head, by_dependent = _sums_alone(parts.head_alone, weights), _sums_alone(parts.dependent_alone, weights)
    for head in range(size):
        for dependent in range(size):
            slot = places[head, dependent]
            scores[head, dependent] = by_head[head, slot] + by_dependent[dependent, slot]
    for t in range(parts.head.shape[0]):
        for head in range(size):
            part = parts.head[t, head]
            for dependent in range(1, size):
                row = part ^ parts.dependent[t, dependent]
                scores[head, dependent] += weights[row] + weights[row ^ places[head, dependent]]
    _add_between(parts.head_end[0], parts.inside[0], parts.dependent_end[0], weights, scores)


@compiled()
def kinds_of(inside: Codes) -> tuple[Ints, Ints]:
    """Number the kinds of tags of a sentence; return the kind of each node and a node of each kind."""
    kinds, examples, n = np.empty(inside.shape[0], np.int64), np.empty(inside.shape[0], np.int64), 0
    for node in range(inside.shape[0]):
        kind = 0
        while kind < n and inside[examples[kind]] != inside[node]:
            kind += 1
        if kind == n:
            examples[n] = node
            n += 1
        kinds[node] = kind
    return kinds, examples[:n]


@compiled()
def _add_between(head_end: Codes, inside: Codes, dependent_end: Codes, weights: Floats, scores: Floats) -> None:
    """Add the tags between, by sums from the start of the sentence for each pair of tags and each direction."""
    size = scores.shape[0]
    kinds, examples = kinds_of(inside)
    sums = np.zeros((2, examples.shape[0], examples.shape[0], size + 1), np.float64)
    values = np.empty(examples.shape[0], np.float32)
    for side in range(2):
        for a, head in enumerate(examples):
            for c, dependent in enumerate(examples):
                part = head_end[head] ^ dependent_end[dependent] ^ np.uint32(side)
                for b, node in enumerate(examples):
                    values[b] = weights[part ^ inside[node]]
                for node in range(1, size):
                    sums[side, a, c, node + 1] = sums[side, a, c, node] + values[kinds[node]]
    for head in range(size):
        for dependent in range(1, size):
            low, high = min(head, dependent), max(head, dependent)
            if high > low + 1:
                sum_to = sums[int(head < dependent), kinds[head], kinds[dependent]]
                scores[head, dependent] += np.float32(sum_to[high] - sum_to[low + 1])


@compiled()
def arc_rows(parts: Parts, head: int, dependent: int, rows: Codes) -> int:
    """Fill in the rows of an arc's features and return their number, at most ``most_rows``."""
    slot, n = slot_of(head, dependent), 0
    for t in range(parts.head_alone.shape[0]):
        for row in (parts.head_alone[t, head], parts.dependent_alone[t, dependent]):
            rows[n], rows[n + 1] = row, row ^ slot
            n += 2
    for t in range(parts.head.shape[0]):
        row = parts.head[t, head] ^ parts.dependent[t, dependent]
        rows[n], rows[n + 1] = row, row ^ slot
        n += 2
    part = parts.head_end[0, head] ^ parts.dependent_end[0, dependent] ^ np.uint32(head < dependent)
    for node in range(min(head, dependent) + 1, max(head, dependent)):
        rows[n] = part ^ parts.inside[0, node]
        n += 1
    return n


@compiled()
def most_rows(parts: Parts, size: int) -> int:
    """Return the largest number of features of an arc of a sentence of ``size`` nodes."""
    return int(4 * parts.head_alone.shape[0] + 2 * parts.head.shape[0] + size)
