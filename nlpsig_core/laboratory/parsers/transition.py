"""A greedy transition parser: arc-eager, an averaged perceptron trained with a dynamic oracle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from nlpsig_core.base.compiled import compiled
from nlpsig_core.laboratory.parsers import configurations
from nlpsig_core.laboratory.parsers.arc_eager import (
    N_MOVES,
    RIGHT,
    State,
    fill_costs,
    fill_possible,
    is_over,
    make,
    start,
)
from nlpsig_core.laboratory.parsers.arrays import Codes, Flags, Floats, Ints
from nlpsig_core.laboratory.parsers.configurations import LABEL_TEMPLATES, TEMPLATES, fill_atoms, fill_rows
from nlpsig_core.laboratory.parsers.hashing import mix
from nlpsig_core.laboratory.parsers.orders import rounds_of
from nlpsig_core.laboratory.parsers.packing import pack, unpack
from nlpsig_core.laboratory.parsers.relations import Relations, learn_relations
from nlpsig_core.laboratory.parsers.treebank import Treebank
from nlpsig_core.laboratory.parsers.trees import Parse

# Rows of weights of moves, and of relations that features see.
ROWS, LABEL_ROWS = 1 << 21, 1 << 16
# From the second round on, this share of moves in training is the parser's own.
OWN_MOVES = 0.9


@dataclass(frozen=True, eq=False, kw_only=True)
class TransitionParser:
    """Averaged weights of moves (ROWS, 4) and of the relations that features see (LABEL_ROWS, labels), float32.

    ``backwards`` reads sentences from their end; ``single`` allows one dependent of the root; ``relations`` has the
    last word on relations.
    """

    moves: np.ndarray
    labels: np.ndarray
    single: bool
    backwards: bool
    relations: Relations

    def parse(self, treebank: Treebank) -> list[Parse]:
        """A tree for each sentence, from its words alone."""
        heads = self.heads(treebank)
        return treebank.parses(heads, self.relations.of(treebank, heads))

    def heads(self, treebank: Treebank) -> np.ndarray:
        """The head of each node (nodes,) within its sentence; -1 for roots."""
        read = reversed_treebank(treebank) if self.backwards else treebank
        heads = _parse(read.codes, read.first, self.moves, self.labels, self.single)
        return reversed_heads(heads, read.first) if self.backwards else np.asarray(heads)

    def arrays(self) -> dict[str, np.ndarray]:
        """The parser as arrays, for a file."""
        flags = {"flags": np.array([self.single, self.backwards])}
        return pack("moves", self.moves) | pack("labels", self.labels) | flags | self.relations.arrays()

    @classmethod
    def of(cls, arrays: Mapping[str, np.ndarray]) -> Self:
        """The parser of such arrays."""
        single, backwards = arrays["flags"].tolist()
        relations = Relations.of_arrays(arrays)
        return cls(
            moves=unpack("moves", arrays, (ROWS, N_MOVES)),
            labels=unpack("labels", arrays, (LABEL_ROWS, len(relations.labels))),
            single=single,
            backwards=backwards,
            relations=relations,
        )


def train_transition(
    treebank: Treebank, dev: Treebank | None = None, seed: int = 0, *, rounds: int = 10, backwards: bool = False
) -> TransitionParser:
    """A transition parser trained with the dynamic oracle; ``dev`` is not used."""
    read = reversed_treebank(treebank) if backwards else treebank
    order, labels = rounds_of(treebank, rounds, seed), treebank.labels
    moves, of_labels = np.zeros((ROWS, N_MOVES), np.float32), np.zeros((LABEL_ROWS, len(labels)), np.float32)
    _learn(
        read.codes, read.heads, read.relations(labels), read.first, order, treebank.n_sentences, seed,
        moves, np.zeros_like(moves), of_labels, np.zeros_like(of_labels),
    )  # fmt: skip
    return TransitionParser(
        moves=moves,
        labels=of_labels,
        single=treebank.single_root,
        backwards=backwards,
        relations=learn_relations(treebank, order),
    )


def reversed_heads(heads: np.ndarray, first: np.ndarray) -> np.ndarray:
    """The heads (nodes,) of the same trees with the words of each sentence in reverse."""
    places = _reversal(first)
    sizes = np.repeat(np.diff(first), np.diff(first))
    turned = heads[places]
    return np.asarray(np.where(turned > 0, sizes - turned, turned))


def reversed_treebank(treebank: Treebank) -> Treebank:
    """The treebank with the words of each sentence in reverse."""
    places = _reversal(treebank.first)
    sentences = tuple(s._replace(relations=s.relations[::-1]) for s in treebank.sentences)
    return Treebank(
        sentences=sentences,
        codes=treebank.codes[places],
        heads=reversed_heads(treebank.heads, treebank.first),
        first=treebank.first,
    )


def _reversal(first: np.ndarray) -> np.ndarray:
    """Where each node is in the reversed treebank: roots stay."""
    sizes = np.diff(first)
    own, start = np.arange(first[-1]), np.repeat(first[:-1], sizes)
    return np.asarray(np.where(own == start, own, start + np.repeat(sizes, sizes) - (own - start)))


@compiled()
def best_of(scores: Floats, possible: Flags) -> int:
    """The possible class with the highest score."""
    best = -1
    for i in range(scores.shape[0]):
        if possible[i] and (best < 0 or scores[i] > scores[best]):
            best = i
    return best


@compiled()
def add_up(weights: Floats, rows: Codes, scores: Floats) -> None:
    """Fill ``scores`` (classes,) with the sums of some rows of ``weights`` (rows, classes)."""
    scores[:] = 0
    for row in rows:
        for i in range(scores.shape[0]):
            scores[i] += weights[row, i]


@compiled()
def _correct(weights: Floats, totals: Floats, rows: Codes, right: int, wrong: int, step: int) -> None:
    """A perceptron's update in step ``step``."""
    for row in rows:
        weights[row, right] += np.float32(1)
        weights[row, wrong] -= np.float32(1)
        totals[row, right] += np.float32(step)
        totals[row, wrong] -= np.float32(step)


@compiled()
def _average(weights: Floats, totals: Floats, steps: int) -> None:
    for row in range(weights.shape[0]):
        for i in range(weights.shape[1]):
            weights[row, i] -= totals[row, i] / np.float32(steps)


@compiled()
def _label_rows(rows: Codes, chosen: Codes, right: bool) -> None:
    """Fill in the rows of the relation's features: those of the first templates, by direction."""
    for t in range(chosen.shape[0]):
        chosen[t] = (rows[t] ^ np.uint32(40503 if right else 0)) & np.uint32(LABEL_ROWS - 1)


@compiled()
def _learn(
    codes: Codes, gold: Ints, relations: Ints, first: Ints, order: Ints, n_sentences: int, seed: int,
    moves: Floats, move_totals: Floats, labels: Floats, label_totals: Floats,
) -> None:  # fmt: skip
    """Change weights from zeros to averages over the steps, one for each sentence of the order."""
    drawn = mix(np.uint64(seed), np.uint64(1))
    for step in range(order.shape[0]):
        begin, end = first[order[step]], first[order[step] + 1]
        drawn = _learn_sentence(
            codes[begin:end], gold[begin:end], relations[begin:end], step, step >= n_sentences, drawn,
            moves, move_totals, labels, label_totals,
        )  # fmt: skip
    _average(moves, move_totals, order.shape[0])
    _average(labels, label_totals, order.shape[0])


@compiled()
def _learn_sentence(
    codes: Codes, gold: Ints, relations: Ints, step: int, exploring: bool, drawn: np.uint64,
    moves: Floats, move_totals: Floats, labels: Floats, label_totals: Floats,
) -> np.uint64:  # fmt: skip
    """Learn from each configuration of a sentence; returns the last random number ``drawn``."""
    state, atoms = start(gold.shape[0]), configurations.room()
    rows, few = np.empty(TEMPLATES.shape[0], np.uint32), np.empty(LABEL_TEMPLATES, np.uint32)
    scores, label_scores = np.empty(N_MOVES, np.float32), np.empty(labels.shape[1], np.float32)
    possible, good, costs = np.empty(N_MOVES, np.bool_), np.empty(N_MOVES, np.bool_), np.empty(N_MOVES, np.int64)
    while not is_over(state):
        fill_atoms(codes, state, atoms)
        fill_rows(atoms, TEMPLATES, ROWS, rows)
        fill_possible(state, possible)
        add_up(moves, rows, scores)
        fill_costs(state, gold, costs)
        least = np.min(costs[possible])
        for i in range(N_MOVES):
            good[i] = possible[i] and costs[i] == least
        move, right = best_of(scores, possible), best_of(scores, good)
        if not good[move]:
            _correct(moves, move_totals, rows, right, move, step)
        drawn = mix(drawn, np.uint64(step + 1))
        if not (exploring and np.float64(drawn >> np.uint64(11)) / 2.0**53 < OWN_MOVES):
            move = right
        label = -1
        if move >= 2:
            _label_rows(rows, few, move == RIGHT)
            add_up(labels, few, label_scores)
            label = int(np.argmax(label_scores))
            dependent, head = _ends(state, move)
            if gold[dependent] == head:
                if label != relations[dependent]:
                    _correct(labels, label_totals, few, relations[dependent], label, step)
                label = int(relations[dependent]) if not exploring else label
        make(state, move, label)
    return drawn


@compiled()
def _ends(state: State, move: int) -> tuple[int, int]:
    """Dependent and head of the arc that a move makes."""
    top, following = state.stack[state.numbers[0] - 1], state.numbers[1]
    word = following if following < state.heads.shape[0] else 0
    return (word, top) if move == RIGHT else (top, word)


@compiled()
def _parse(codes: Codes, first: Ints, moves: Floats, labels: Floats, single: bool) -> Ints:
    heads = np.empty(codes.shape[0], np.int64)
    for sentence in range(first.shape[0] - 1):
        begin, end = first[sentence], first[sentence + 1]
        heads[begin:end] = _parse_sentence(codes[begin:end], moves, labels, single)
    return heads


@compiled()
def _parse_sentence(codes: Codes, moves: Floats, labels: Floats, single: bool) -> Ints:
    """The heads that the best moves make; of several dependents of the root, the one with the best score stays."""
    state, atoms = start(codes.shape[0]), configurations.room()
    rows, few = np.empty(TEMPLATES.shape[0], np.uint32), np.empty(LABEL_TEMPLATES, np.uint32)
    scores, label_scores = np.empty(N_MOVES, np.float32), np.empty(labels.shape[1], np.float32)
    possible = np.empty(N_MOVES, np.bool_)
    root, best = 0, -np.inf
    while not is_over(state):
        fill_atoms(codes, state, atoms)
        fill_rows(atoms, TEMPLATES, ROWS, rows)
        fill_possible(state, possible)
        add_up(moves, rows, scores)
        move, label = best_of(scores, possible), -1
        if move >= 2:
            _label_rows(rows, few, move == RIGHT)
            add_up(labels, few, label_scores)
            label = int(np.argmax(label_scores))
            dependent, head = _ends(state, move)
            if head == 0 and scores[move] > best:
                root, best = dependent, scores[move]
        make(state, move, label)
    if single:
        for word in range(1, codes.shape[0]):
            if state.heads[word] == 0 and word != root:
                state.heads[word] = root
    return state.heads
