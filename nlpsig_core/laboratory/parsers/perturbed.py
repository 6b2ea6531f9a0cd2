"""Scores of arcs under many draws of the weights at once (KD-Fix of Mejer and Crammer 2012, section 2).

Every draw adds noise of one standard deviation to each weight that is not 0; all sentences share the draws.
Noise is kept as (rows, draws) for the rows that the treebank uses, so that one look-up serves all draws, and as whole
numbers of 8 bits, so that a row of 64 draws is 64 bytes and sums are exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from nlpsig_core.base.compiled import compiled
from nlpsig_core.laboratory.parsers.arrays import Codes, Flags, Floats, Ints
from nlpsig_core.laboratory.parsers.decoding import Decoder, fill_tree
from nlpsig_core.laboratory.parsers.features import SLOTS, Parts, parts_of, slots
from nlpsig_core.laboratory.parsers.graph import GraphParser
from nlpsig_core.laboratory.parsers.scoring import fill_scores, kinds_of, of_sentence
from nlpsig_core.laboratory.parsers.treebank import Treebank

# Steps of noise to a standard deviation: 8 bits reach 3.97 of them, and one normal number in 14,000 is beyond.
STEPS = 32
# Bytes that memory moves at once.
LINE = 64
# Draws are made this many at a time, so that the first ones do not depend on how many follow.
TOGETHER = 10


def perturbed_scores(
    parser: GraphParser, treebank: Treebank, draws: int, scale: float, generator: np.random.Generator
) -> Iterator[np.ndarray]:
    """For each sentence the scores (draws, n + 1, n + 1) float32 of its arcs, by head and dependent.

    ``scale`` is the standard deviation of the noise. The draws depend on the generator and on the treebank; the first
    do not depend on how many follow.
    """
    parts, places, table = _drawn(parser, treebank, draws, generator)
    for begin, end in zip(treebank.first[:-1], treebank.first[1:], strict=True):
        scores = np.empty((draws, end - begin, end - begin), np.float32)
        own, noise = _own_and_noise(of_sentence(parts, begin, end), parser.weights, places, table)
        _fill_scores(own, noise, scale / STEPS, scores)
        yield scores


def perturbed_heads(
    parser: GraphParser, treebank: Treebank, draws: int, scale: float | Sequence[float], generator: np.random.Generator
) -> np.ndarray:
    """The heads (draws, nodes) under each of the draws that ``perturbed_scores`` makes.

    Several scales share the draws, and cost little more than one: (scales, draws, nodes).
    """
    parts, places, table = _drawn(parser, treebank, draws, generator)
    steps = np.atleast_1d(np.asarray(scale, np.float64)) / STEPS
    heads = np.empty((len(steps), draws, len(treebank.heads)), np.int64)
    _parse(parts, treebank.first, parser.weights, places, table, steps, parser.decoder, heads)
    return heads.reshape(*np.shape(scale), *heads.shape[1:])


def _drawn(
    parser: GraphParser, treebank: Treebank, draws: int, generator: np.random.Generator
) -> tuple[Parts, np.ndarray, np.ndarray]:
    """The treebank's parts, the place of each row in the table (0: no noise), and the table (places, draws) int8."""
    parts, used = parts_of(treebank), np.zeros(len(parser.weights), np.bool_)
    _mark(parts, treebank.first, used)
    rows = np.flatnonzero(used & (parser.weights != 0))
    places = np.zeros(len(used), np.int32)
    places[rows] = np.arange(1, len(rows) + 1)
    table = _aligned(len(rows) + 1, draws)
    for first in range(0, draws, TOGETHER):
        _draw(table[1:, first : min(first + TOGETHER, draws)], generator)
    return parts, places, table


def _draw(table: np.ndarray, generator: np.random.Generator) -> None:
    """Fill a table of at most TOGETHER columns with normal noise in steps."""
    quantiles = _quantiles()
    for begin in range(0, len(table), 1 << 16):
        some = table[begin : begin + (1 << 16)]
        drawn = generator.integers(0, len(quantiles), (len(some), TOGETHER), np.uint16, endpoint=False)
        some[:] = quantiles[drawn[:, : some.shape[1]]]


@cache
def _quantiles() -> np.ndarray:
    """The 2^16 quantiles of the normal distribution in steps, int8; to draw one is to draw a normal number."""
    from scipy.special import ndtri

    number = 1 << 16
    steps = STEPS * ndtri((np.arange(number) + 0.5) / number)
    return np.asarray(np.rint(np.clip(steps, -127, 127)).astype(np.int8))


def _aligned(rows: int, columns: int) -> np.ndarray:
    """Zeros (rows, columns or a little more) int8, each row at the start of a line of memory."""
    width = -(-columns // LINE) * LINE
    room = np.zeros(rows * width + LINE, np.int8)
    start = -room.ctypes.data % LINE
    return room[start : start + rows * width].reshape(rows, width)


@compiled()
def _mark(parts: Parts, first: Ints, used: Flags) -> None:
    """Mark the rows of all arcs of all sentences."""
    for sentence in range(first.shape[0] - 1):
        here = of_sentence(parts, first[sentence], first[sentence + 1])
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
def _add_rows(table: Ints, found: Ints, number: int, sums: Ints) -> None:
    """Add rows of the table to the sums (draws,), line by line.

    Reading one number of each row first lets memory fetch all rows at once; the rows are added when they are here.
    """
    touched = 0
    for i in range(number):
        touched += table[found[i], 0]
    found[number] = touched
    for begin in range(0, sums.shape[0], LINE):
        some = sums[begin : begin + LINE]
        for i in range(number):
            row = table[found[i], begin : begin + LINE]
            for draw in range(LINE):
                some[draw] += np.int32(row[draw])


@compiled()
def _noise_alone(alone: Codes, places: Ints, table: Ints) -> Ints:
    """The noise that each node adds to its arcs by itself, (nodes, SLOTS, draws)."""
    sums = np.zeros((alone.shape[1], SLOTS, table.shape[1]), np.int32)
    found = np.empty(alone.shape[0] + 1, np.int64)
    for node in range(alone.shape[1]):
        for slot in range(SLOTS):
            n = 0
            for t in range(alone.shape[0]):
                found[n] = places[alone[t, node] ^ np.uint32(slot)]
                n += found[n] > 0
            _add_rows(table, found, n, sums[node, slot])
        for slot in range(1, SLOTS):
            for draw in range(sums.shape[2]):
                sums[node, slot, draw] += sums[node, 0, draw]
    return sums


@compiled()
def _fill_noise(parts: Parts, places: Ints, table: Ints, noise: Ints) -> None:
    """Fill ``noise`` (head, dependent, draw) int32 of a sentence, in steps."""
    size, n_templates = noise.shape[0], parts.head.shape[0]
    by_distance = slots(size)
    by_head = _noise_alone(parts.head_alone, places, table)
    by_dependent = _noise_alone(parts.dependent_alone, places, table)
    found = np.empty(2 * n_templates + 1, np.int64)
    for head in range(size):
        for dependent in range(1, size):
            slot, n = by_distance[head, dependent], 0
            if head == dependent:
                continue
            for t in range(n_templates):
                row = parts.head[t, head] ^ parts.dependent[t, dependent]
                found[n] = places[row]
                n += found[n] > 0
                found[n] = places[row ^ slot]
                n += found[n] > 0
            sums = noise[head, dependent]
            for draw in range(sums.shape[0]):
                sums[draw] = by_head[head, slot, draw] + by_dependent[dependent, slot, draw]
            _add_rows(table, found, n, sums)
    _add_noise_between(parts, places, table, noise)


@compiled()
def _add_noise_between(parts: Parts, places: Ints, table: Ints, noise: Ints) -> None:
    """Add the tags between, by sums that grow with the distance from the head, for each tag of the dependent."""
    size = noise.shape[0]
    kinds, examples = kinds_of(parts.inside[0])
    sums = np.empty((examples.shape[0], noise.shape[2]), np.int32)
    for head in range(size):
        for side, step in ((0, -1), (1, 1)):
            sums[:] = 0
            node = head + 2 * step
            while 0 <= node < size:
                for c, dependent in enumerate(examples):
                    ends = parts.head_end[0, head] ^ parts.dependent_end[0, dependent] ^ np.uint32(side)
                    place = places[ends ^ parts.inside[0, node - step]]
                    if place > 0:
                        for draw in range(sums.shape[1]):
                            sums[c, draw] += table[place, draw]
                if node > 0:
                    for draw in range(sums.shape[1]):
                        noise[head, node, draw] += sums[kinds[node], draw]
                node += step


@compiled()
def _own_and_noise(parts: Parts, weights: Floats, places: Ints, table: Ints) -> tuple[Floats, Ints]:
    """The scores of the parser (head, dependent) of a sentence, and the noise (head, dependent, draw) in steps."""
    size = parts.head.shape[1]
    own, noise = np.zeros((size, size), np.float32), np.zeros((size, size, table.shape[1]), np.int32)
    fill_scores(parts, weights, own)
    _fill_noise(parts, places, table, noise)
    return own, noise


@compiled()
def _fill_scores(own: Floats, noise: Ints, step: float, scores: Floats) -> None:
    """Fill ``scores`` (draw, head, dependent) of a sentence: those of the parser and the noise of each draw."""
    draws, size = scores.shape[:2]
    width = np.float32(step)
    for head in range(size):
        for draw in range(draws):
            for dependent in range(size):
                scores[draw, head, dependent] = own[head, dependent] + width * np.float32(noise[head, dependent, draw])


@compiled()
def _parse(
    parts: Parts, first: Ints, weights: Floats, places: Ints, table: Ints, steps: Floats, decoder: Decoder,
    heads: Ints,
) -> None:  # fmt: skip
    """Fill ``heads`` (steps, draws, nodes)."""
    for sentence in range(first.shape[0] - 1):
        begin, end = first[sentence], first[sentence + 1]
        scores = np.empty((heads.shape[1], end - begin, end - begin), np.float32)
        own, noise = _own_and_noise(of_sentence(parts, begin, end), weights, places, table)
        for i in range(steps.shape[0]):
            _fill_scores(own, noise, steps[i], scores)
            for draw in range(heads.shape[1]):
                fill_tree(scores[draw], decoder, heads[i, draw, begin:end])
