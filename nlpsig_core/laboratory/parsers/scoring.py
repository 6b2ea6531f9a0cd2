"""Scores of all arcs of a sentence, and the rows of an arc's features."""

from __future__ import annotations

import numpy as np

from nlpsig_core.base.compiled import compiled
from nlpsig_core.laboratory.parsers.arrays import Codes, Floats, Ints
from nlpsig_core.laboratory.parsers.features import SLOTS, Parts, slot_of, slots


@compiled()
def of_sentence(parts: Parts, begin: int, end: int) -> Parts:
    """The parts of the nodes of one sentence, copied: loops over them are compiled for one layout only."""
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
    """What each node adds to its arcs by itself, (nodes, SLOTS), for each direction and distance."""
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
    """The kind of tag of each node, and a node of each kind."""
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
def rows_of_arc(parts: Parts, head: int, dependent: int, rows: Codes) -> int:
    """Fill in the rows of an arc's features; returns their number, at most ``most_rows``."""
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
    """The largest number of features of an arc of a sentence of ``size`` nodes."""
    return int(4 * parts.head_alone.shape[0] + 2 * parts.head.shape[0] + size)
