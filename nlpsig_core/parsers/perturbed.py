"""Scores of arcs under many draws of the weights at once (KD-Fix of Mejer and Crammer 2012, section 4.1).

Every draw adds noise of one standard deviation to each weight that training touched; all sentences share the draws.
Weights are kept as (rows, draws), only the rows that the treebank uses, so one look-up serves all draws.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numba import njit

from nlpsig_core.parsers.arrays import Codes, Flags, Floats, Ints
from nlpsig_core.parsers.decoding import fill_best_tree
from nlpsig_core.parsers.eisner import fill_projective_tree
from nlpsig_core.parsers.features import SLOTS, Parts, parts_of, slots
from nlpsig_core.parsers.graph import GraphParser
from nlpsig_core.parsers.scoring import kinds_of, of_sentence
from nlpsig_core.parsers.treebank import Treebank


def perturbed_scores(
    parser: GraphParser, treebank: Treebank, draws: int, scale: float, generator: np.random.Generator
) -> Iterator[np.ndarray]:
    """For each sentence the scores (draws, n + 1, n + 1) float32 of its arcs, by head and dependent.

    ``scale`` is the standard deviation of the noise. The draws depend on the generator and on the treebank.
    """
    parts, places, table = _drawn(parser, treebank, draws, scale, generator)
    for begin, end in zip(treebank.first[:-1], treebank.first[1:], strict=True):
        scores = np.zeros((end - begin, end - begin, draws), np.float32)
        _fill_scores(of_sentence(parts, begin, end), places, table, scores)
        yield scores.transpose(2, 0, 1)


def perturbed_heads(
    parser: GraphParser, treebank: Treebank, draws: int, scale: float, generator: np.random.Generator
) -> np.ndarray:
    """The heads (draws, nodes) under each of the draws that ``perturbed_scores`` makes."""
    parts, places, table = _drawn(parser, treebank, draws, scale, generator)
    heads = np.empty((draws, len(treebank.heads)), np.int64)
    _parse(parts, treebank.first, places, table, parser.single, parser.projective, heads)
    return heads


def _drawn(
    parser: GraphParser, treebank: Treebank, draws: int, scale: float, generator: np.random.Generator
) -> tuple[Parts, np.ndarray, np.ndarray]:
    """The treebank's parts, the place of each row in the table (0: not used), and the table (places, draws)."""
    parts, used = parts_of(treebank), np.zeros(len(parser.weights), np.bool_)
    _mark(parts, treebank.first, used)
    rows = np.flatnonzero(used & (parser.weights != 0))
    places = np.zeros(len(used), np.int32)
    places[rows] = np.arange(1, len(rows) + 1)
    table = np.zeros((len(rows) + 1, draws), np.float32)
    generator.standard_normal(out=table[1:], dtype=np.float32)
    table[1:] *= np.float32(scale)
    table[1:] += parser.weights[rows, None]
    return parts, places, table


@njit(nogil=True, cache=True)
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


@njit(nogil=True, cache=True)
def _add_rows(table: Floats, found: Ints, number: int, sums: Floats) -> None:
    """Add rows of the table to the sums (draws,)."""
    for i in range(number):
        place = found[i]
        for draw in range(sums.shape[0]):
            sums[draw] += table[place, draw]


@njit(nogil=True, cache=True)
def _sums_alone(alone: Codes, places: Ints, table: Floats) -> Floats:
    """What each node adds to its arcs by itself, (nodes, SLOTS, draws)."""
    sums = np.zeros((alone.shape[1], SLOTS, table.shape[1]), np.float32)
    found = np.empty(alone.shape[0], np.int64)
    for node in range(alone.shape[1]):
        for slot in range(SLOTS):
            n = 0
            for t in range(alone.shape[0]):
                found[n] = places[alone[t, node] ^ np.uint32(slot)]
                n += found[n] > 0
            _add_rows(table, found, n, sums[node, slot])
        for slot in range(1, SLOTS):
            sums[node, slot] += sums[node, 0]
    return sums


@njit(nogil=True, cache=True)
def _fill_scores(parts: Parts, places: Ints, table: Floats, scores: Floats) -> None:
    """Fill ``scores`` (head, dependent, draw) of a sentence."""
    size, n_templates = scores.shape[0], parts.head.shape[0]
    by_distance = slots(size)
    by_head = _sums_alone(parts.head_alone, places, table)
    by_dependent = _sums_alone(parts.dependent_alone, places, table)
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
            sums = scores[head, dependent]
            for draw in range(sums.shape[0]):
                sums[draw] = by_head[head, slot, draw] + by_dependent[dependent, slot, draw]
            _add_rows(table, found, n, sums)
    _add_between(parts, places, table, scores)


@njit(nogil=True, cache=True)
def _add_between(parts: Parts, places: Ints, table: Floats, scores: Floats) -> None:
    """Add the tags between, by sums that grow with the distance from the head, for each tag of the dependent."""
    size = scores.shape[0]
    kinds, examples = kinds_of(parts.inside[0])
    sums = np.empty((examples.shape[0], scores.shape[2]), np.float32)
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
                        scores[head, node, draw] += sums[kinds[node], draw]
                node += step


@njit(nogil=True, cache=True)
def _parse(
    parts: Parts, first: Ints, places: Ints, table: Floats, single: bool, projective: bool, heads: Ints
) -> None:  # fmt: skip
    for sentence in range(first.shape[0] - 1):
        begin, end = first[sentence], first[sentence + 1]
        scores = np.zeros((end - begin, end - begin, table.shape[1]), np.float32)
        _fill_scores(of_sentence(parts, begin, end), places, table, scores)
        by_draw = np.ascontiguousarray(scores.transpose(2, 0, 1))
        for draw in range(table.shape[1]):
            if projective:
                fill_projective_tree(by_draw[draw], single, heads[draw, begin:end])
            else:
                fill_best_tree(by_draw[draw], single, heads[draw, begin:end])
