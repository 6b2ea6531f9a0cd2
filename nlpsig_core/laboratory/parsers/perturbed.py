"""Trees under many draws of the weights at once (KD-Fix of Mejer and Crammer 2012, section 2).

Every draw adds noise of one standard deviation to each weight that is not 0; all sentences share the draws.
Noise is kept as (rows, draws) for the rows that the treebank uses, so that one look-up serves all draws, and as whole
numbers of 8 bits, so that a row of 64 draws is 64 bytes and sums are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from nlpsig_core.base.compiled import Flags, Floats, Ints, compiled
from nlpsig_core.laboratory.parsers.decoding.best_trees import Decoder, fill_tree
from nlpsig_core.laboratory.parsers.features import (
    SLOTS,
    Parts,
    fill_scores,
    kinds_of,
    parts_of,
    sentence_parts,
    slots,
)
from nlpsig_core.laboratory.parsers.graph import GraphParser
from nlpsig_core.laboratory.parsers.treebank import Treebank
from nlpsig_core.laboratory.parsers.weights import Codes

# Steps of noise to a standard deviation: 8 bits reach 3.97 of them, and one normal number in 14,000 is beyond.
STEPS = 32
# Bytes that memory moves at once.
LINE = 64
# Draws are made this many at a time, so that the first ones do not depend on how many follow.
TOGETHER = 10


class Noise(NamedTuple):
    """The place of each row of weights in a table, 0 for rows without noise, and the ``table`` (places, draws) int8."""

    places: Ints
    table: Ints


def perturbed_heads(
    parser: GraphParser, treebank: Treebank, draws: int, scales: Sequence[float], generator: np.random.Generator
) -> np.ndarray:
    """Return the heads (scales, draws, nodes) of the best trees under each draw of the weights.

    ``scales`` are standard deviations of the noise, which share the draws and cost little more than one. The draws
    depend on the generator and on the treebank; the first do not depend on how many follow.
    """
    parts, steps = parts_of(treebank), np.asarray(scales, np.float64) / STEPS
    noise = drawn_noise(parser, parts, treebank.first, draws, generator)
    heads = np.empty((len(steps), draws, len(treebank.heads)), np.int64)
    _parse(parts, treebank.first, parser.weights, noise, steps, parser.decoder, heads)
    return heads


def drawn_noise(
    parser: GraphParser, parts: Parts, first: np.ndarray, draws: int, generator: np.random.Generator
) -> Noise:
    """Draw noise for the rows of a treebank that are not 0; ``parts`` and ``first`` are the treebank's."""
    used = np.zeros(len(parser.weights), np.bool_)
    _mark(parts, first, used)
    rows = np.flatnonzero(used & (parser.weights != 0))
    places = np.zeros(len(used), np.int32)
    places[rows] = np.arange(1, len(rows) + 1)
    table = _aligned(len(rows) + 1, draws)
    for begin in range(0, draws, TOGETHER):
        _draw(table[1:, begin : min(begin + TOGETHER, draws)], generator)
    return Noise(places, table)


def _draw(table: np.ndarray, generator: np.random.Generator) -> None:
    """Fill a table of at most TOGETHER columns with normal noise in steps."""
    quantiles = _quantiles()
    for begin in range(0, len(table), 1 << 16):
        some = table[begin : begin + (1 << 16)]
        drawn = generator.integers(0, len(quantiles), (len(some), TOGETHER), np.uint16, endpoint=False)
        some[:] = quantiles[drawn[:, : some.shape[1]]]


@cache
def _quantiles() -> np.ndarray:
    """Return 2^16 quantiles of the normal distribution in steps, int8; to draw one is to draw a normal number."""
    number = 1 << 16
    steps = STEPS * ndtri((np.arange(number) + 0.5) / number)
    return np.asarray(np.rint(np.clip(steps, -127, 127)).astype(np.int8))


def _aligned(rows: int, columns: int) -> np.ndarray:
    """Return zeros (rows, columns or a little more) int8, each row at the start of a line of memory."""
    width = -(-columns // LINE) * LINE
    room = np.zeros(rows * width + LINE, np.int8)
    start = -room.ctypes.data % LINE
    return room[start : start + rows * width].reshape(rows, width)


@compiled()
def _mark(parts: Parts, first: Ints, used: Flags) -> None:
    """Mark the rows of all arcs of all sentences."""
    for sentence in range(first.shape[0] - 1):
        here = sentence_parts(parts, first[sentence], first[sentence + 1])
        size = first[sentence + 1] - first[sentence]
        places, (_, examples) = slots(size), kinds_of(here.inside[0])
        for alone in (here.head_alone, here.dependent_alone):
            for row in alone.flat:
                for slot in range(SLOTS):
                    used[row ^ np.uint32(slot)] = True
        for t in range(here.head.shape[0]):
            for head in range(size):
                for dependent in range(1, size):
                    row = here.head[t, head] ^ here.dependent[t, dependent]
                    used[row] = used[row ^ places[head, dependent]] = True
        for head in examples:
            for dependent in examples:
                part = here.head_end[0, head] ^ here.dependent_end[0, dependent]
                for node in examples:
                    row = part ^ here.inside[0, node]
                    used[row] = used[row ^ np.uint32(1)] = True


@compiled()
def _add_rows(table: Ints, rows: Ints, number: int, sums: Ints) -> None:
    """Add the first ``number`` of some rows of the table to the sums (draws,), line by line.

    Reading one number of each row first lets memory fetch all rows at once; the rows are added when they are here.
    """
    touched = 0
    for i in range(number):
        touched += table[rows[i], 0]
    rows[number] = touched
    for begin in range(0, sums.shape[0], LINE):
        some = sums[begin : begin + LINE]
        for i in range(number):
            row = table[rows[i], begin : begin + LINE]
            for draw in range(LINE):
                some[draw] += np.int32(row[draw])


@compiled()
def _noise_alone(alone: Codes, noise: Noise) -> Ints:
    """Return the noise that each node adds to its arcs by itself, (nodes, SLOTS, draws)."""
    sums = np.zeros((alone.shape[1], SLOTS, noise.table.shape[1]), np.int32)
    rows = np.empty(alone.shape[0] + 1, np.int64)
    for node in range(alone.shape[1]):
        for slot in range(SLOTS):
            n = 0
            for t in range(alone.shape[0]):
                rows[n] = noise.places[alone[t, node] ^ np.uint32(slot)]
                n += rows[n] > 0
            _add_rows(noise.table, rows, n, sums[node, slot])
        for slot in range(1, SLOTS):
            for draw in range(sums.shape[2]):
                sums[node, slot, draw] += sums[node, 0, draw]
    return sums


@compiled()
def _noise_of_arcs(parts: Parts, noise: Noise) -> Ints:
    """Return the noise (head, dependent, draw) int32 of the arcs of a sentence, in steps."""
    n_templates, size = parts.head.shape
    arcs = np.zeros((size, size, noise.table.shape[1]), np.int32)
    by_distance = slots(size)
    by_head = _noise_alone(parts.head_alone, noise)
    by_dependent = _noise_alone(parts.dependent_alone, noise)
    rows = np.empty(2 * n_templates + 1, np.int64)
    for head in range(size):
        for dependent in range(1, size):
            slot, n = by_distance[head, dependent], 0
            if head == dependent:
                continue
            for t in range(n_templates):
                row = parts.head[t, head] ^ parts.dependent[t, dependent]
                rows[n] = noise.places[row]
                n += rows[n] > 0
                rows[n] = noise.places[row ^ slot]
                n += rows[n] > 0
            sums = arcs[head, dependent]
            for draw in range(sums.shape[0]):
                sums[draw] = by_head[head, slot, draw] + by_dependent[dependent, slot, draw]
            _add_rows(noise.table, rows, n, sums)
    _add_noise_between(parts, noise, arcs)
    return arcs


@compiled()
def _add_noise_between(parts: Parts, noise: Noise, arcs: Ints) -> None:
    """Add the tags between, by sums that grow with the distance from the head, for each tag of the dependent."""
    size = arcs.shape[0]
    kinds, examples = kinds_of(parts.inside[0])
    sums = np.empty((examples.shape[0], arcs.shape[2]), np.int32)
    for head in range(size):
        for side, step in ((0, -1), (1, 1)):
            sums[:] = 0
            node = head + 2 * step
            while 0 <= node < size:
                for c, dependent in enumerate(examples):
                    ends = parts.head_end[0, head] ^ parts.dependent_end[0, dependent] ^ np.uint32(side)
                    place = noise.places[ends ^ parts.inside[0, node - step]]
                    if place > 0:
                        for draw in range(sums.shape[1]):
                            sums[c, draw] += noise.table[place, draw]
                if node > 0:
                    for draw in range(sums.shape[1]):
                        arcs[head, node, draw] += sums[kinds[node], draw]
                node += step


@compiled()
def _add_noise(own: Floats, arcs: Ints, step: float, scores: Floats) -> None:
    """Fill ``scores`` (draw, head, dependent) of a sentence: the parser's ``own`` and the noise of each draw."""
    draws, size = scores.shape[:2]
    width = np.float32(step)
    for head in range(size):
        for draw in range(draws):
            for dependent in range(size):
                scores[draw, head, dependent] = own[head, dependent] + width * np.float32(arcs[head, dependent, draw])


@compiled()
def _parse(
    parts: Parts, first: Ints, weights: Floats, noise: Noise, steps: Floats, decoder: Decoder, heads: Ints
) -> None:
    """Fill ``heads`` (steps, draws, nodes)."""
    for sentence in range(first.shape[0] - 1):
        begin, end = first[sentence], first[sentence + 1]
        here = sentence_parts(parts, begin, end)
        own = np.zeros((end - begin, end - begin), np.float32)
        fill_scores(here, weights, own)
        arcs = _noise_of_arcs(here, noise)
        scores = np.empty((heads.shape[1], end - begin, end - begin), np.float32)
        for i in range(steps.shape[0]):
            _add_noise(own, arcs, steps[i], scores)
            for draw in range(heads.shape[1]):
                fill_tree(scores[draw], decoder, heads[i, draw, begin:end])
