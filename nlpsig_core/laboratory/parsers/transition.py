"""A greedy transition parser: arc-eager, an averaged perceptron trained with a dynamic oracle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from nlpsig_core.base.compiled import Flags, Floats, Ints, compiled
from nlpsig_core.laboratory.parsers.arc_eager import (
    LABEL_TEMPLATES,
    N_ATOMS,
    N_MOVES,
    RIGHT,
    TEMPLATES,
    State,
    arc_of,
    fill_atoms,
    fill_costs,
    fill_possible,
    fill_rows,
    is_over,
    make,
    start,
)
from nlpsig_core.laboratory.parsers.parser import Parser
from nlpsig_core.laboratory.parsers.relations import Relations, learn_relations
from nlpsig_core.laboratory.parsers.treebank import Treebank
from nlpsig_core.laboratory.parsers.weights import Codes, add_up, average, correct, mix, pack, training_order, unpack

# Rows of weights of moves, and of relations that features see.
ROWS, LABEL_ROWS = 1 << 21, 1 << 16
# From the second round on, this share of moves in training is the parser's own.
OWN_MOVES = 0.9


@dataclass(frozen=True, eq=False, kw_only=True)
class TransitionParser(Parser):
    """Averaged weights of moves (ROWS, 4) and of the relations that features see (LABEL_ROWS, labels), float32.

    ``backwards`` reads sentences from their end; ``single`` allows one dependent of the root; ``relations`` has the
    last word on relations.
    """

    moves: np.ndarray
    labels: np.ndarray
    single: bool
    backwards: bool

    def heads(self, treebank: Treebank) -> np.ndarray:
        """Return the head of each node (nodes,) within its sentence; -1 for roots."""
        read = reversed_treebank(treebank) if self.backwards else treebank
        heads = _parse(read.codes, read.first, self.moves, self.labels, self.single)
        return reversed_heads(heads, read.first) if self.backwards else np.asarray(heads)

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the parser as arrays, for a file."""
        flags = {"flags": np.array([self.single, self.backwards])}
        return pack("moves", self.moves) | pack("labels", self.labels) | flags | self.relations.arrays()

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> Self:
        """Return the parser of such arrays."""
        single, backwards = arrays["flags"].tolist()
        relations = Relations.from_arrays(arrays)
        return cls(
            moves=unpack("moves", arrays, (ROWS, N_MOVES)),
            labels=unpack("labels", arrays, (LABEL_ROWS, len(relations.labels))),
            single=single,
            backwards=backwards,
            relations=relations,
        )


class Learned(NamedTuple):
    """Weights of moves (ROWS, 4) and of relations (LABEL_ROWS, labels), with the totals for their averages."""

    moves: Floats
    move_totals: Floats
    labels: Floats
    label_totals: Floats


class Scratch(NamedTuple):
    """Space for what is computed in each configuration of a sentence."""

    atoms: Codes
    rows: Codes
    label_rows: Codes
    possible: Flags
    scores: Floats
    label_scores: Floats


def train_transition(
    treebank: Treebank, dev: Treebank | None = None, seed: int = 0, *, rounds: int = 10, backwards: bool = False
) -> TransitionParser:
    """Train a transition parser with the dynamic oracle; ``dev`` is not used."""
    read = reversed_treebank(treebank) if backwards else treebank
    order, labels = training_order(treebank, rounds, seed), treebank.labels
    shapes = ((ROWS, N_MOVES), (ROWS, N_MOVES), (LABEL_ROWS, len(labels)), (LABEL_ROWS, len(labels)))
    learned = Learned(*(np.zeros(shape, np.float32) for shape in shapes))
    _learn(read.codes, read.heads, read.relations(labels), read.first, order, treebank.n_sentences, seed, learned)
    return TransitionParser(
        moves=learned.moves,
        labels=learned.labels,
        single=treebank.single_root,
        backwards=backwards,
        relations=learn_relations(treebank, order),
    )


def reversed_heads(heads: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Return the heads (nodes,) of the same trees with the words of each sentence in reverse."""
    places = _reversal(first)
    sizes = np.repeat(np.diff(first), np.diff(first))
    turned = heads[places]
    return np.asarray(np.where(turned > 0, sizes - turned, turned))


def reversed_treebank(treebank: Treebank) -> Treebank:
    """Return the treebank with the words of each sentence in reverse."""
    places = _reversal(treebank.first)
    sentences = tuple(s._replace(relations=s.relations[::-1]) for s in treebank.sentences)
    return Treebank(
        sentences=sentences,
        codes=treebank.codes[places],
        heads=reversed_heads(treebank.heads, treebank.first),
        first=treebank.first,
    )


def _reversal(first: np.ndarray) -> np.ndarray:
    """Return where each node is in the reversed treebank: roots stay."""
    sizes = np.diff(first)
    own, start = np.arange(first[-1]), np.repeat(first[:-1], sizes)
    return np.asarray(np.where(own == start, own, start + np.repeat(sizes, sizes) - (own - start)))


@compiled()
def best_of(scores: Floats, possible: Flags) -> int:
    """Return the possible class with the highest score."""
    best = -1
    for i in range(scores.shape[0]):
        if possible[i] and (best < 0 or scores[i] > scores[best]):
            best = i
    return best


@compiled()
def _scratch(n_labels: int) -> Scratch:
    return Scratch(
        np.empty(N_ATOMS, np.uint64),
        np.empty(TEMPLATES.shape[0], np.uint32),
        np.empty(LABEL_TEMPLATES, np.uint32),
        np.empty(N_MOVES, np.bool_),
        np.empty(N_MOVES, np.float32),
        np.empty(n_labels, np.float32),
    )


@compiled()
def _score_moves(codes: Codes, state: State, moves: Floats, scratch: Scratch) -> None:
    """Fill in which moves are possible, and their scores."""
    fill_atoms(codes, state, scratch.atoms)
    fill_rows(scratch.atoms, TEMPLATES, ROWS, scratch.rows)
    fill_possible(state, scratch.possible)
    add_up(moves, scratch.rows, scratch.scores)


@compiled()
def _best_label(labels: Floats, right: bool, scratch: Scratch) -> int:
    """Return the best relation of an arc; its features are those of the first templates, by direction."""
    rows = scratch.label_rows
    for t in range(rows.shape[0]):
        rows[t] = (scratch.rows[t] ^ np.uint32(40503 if right else 0)) & np.uint32(LABEL_ROWS - 1)
    add_up(labels, rows, scratch.label_scores)
    return int(np.argmax(scratch.label_scores))


@compiled()
def _learn(
    codes: Codes,
    gold: Ints,
    relations: Ints,
    first: Ints,
    order: Ints,
    n_sentences: int,
    seed: int,
    learned: Learned,
) -> None:
    """Change weights from zeros to averages over the steps, one for each sentence of the order."""
    drawn = mix(np.uint64(seed), np.uint64(1))
    for step in range(order.shape[0]):
        begin, end = first[order[step]], first[order[step] + 1]
        sentence = codes[begin:end], gold[begin:end], relations[begin:end]
        drawn = _learn_sentence(*sentence, step, step >= n_sentences, drawn, learned)
    average(learned.moves, learned.move_totals, order.shape[0])
    average(learned.labels, learned.label_totals, order.shape[0])


@compiled()
def _learn_sentence(
    codes: Codes, gold: Ints, relations: Ints, step: int, exploring: bool, drawn: np.uint64, learned: Learned
) -> np.uint64:
    """Learn from each configuration of a sentence; return the last random number ``drawn``."""
    state, scratch = start(gold.shape[0]), _scratch(learned.labels.shape[1])
    good, costs = np.empty(N_MOVES, np.bool_), np.empty(N_MOVES, np.int64)
    while not is_over(state):
        _score_moves(codes, state, learned.moves, scratch)
        possible = scratch.possible
        fill_costs(state, gold, costs)
        least = np.min(costs[possible])
        for i in range(N_MOVES):
            good[i] = possible[i] and costs[i] == least
        move, right = best_of(scratch.scores, possible), best_of(scratch.scores, good)
        if not good[move]:
            correct(learned.moves, learned.move_totals, scratch.rows, right, move, step)
        drawn = mix(drawn, np.uint64(step + 1))
        if not (exploring and np.float64(drawn >> np.uint64(11)) / 2.0**53 < OWN_MOVES):
            move = right
        label = -1
        if move >= 2:
            label = _best_label(learned.labels, move == RIGHT, scratch)
            head, dependent = arc_of(state, move)
            if gold[dependent] == head:
                gold_label = int(relations[dependent])
                if label != gold_label:
                    correct(learned.labels, learned.label_totals, scratch.label_rows, gold_label, label, step)
                label = label if exploring else gold_label
        make(state, move, label)
    return drawn


@compiled()
def _parse(codes: Codes, first: Ints, moves: Floats, labels: Floats, single: bool) -> Ints:
    heads = np.empty(codes.shape[0], np.int64)
    for sentence in range(first.shape[0] - 1):
        begin, end = first[sentence], first[sentence + 1]
        heads[begin:end] = _parse_sentence(codes[begin:end], moves, labels, single)
    return heads


@compiled()
def _parse_sentence(codes: Codes, moves: Floats, labels: Floats, single: bool) -> Ints:
    """Return the heads that the best moves make; the dependent of the root with the best score stays."""
    state, scratch = start(codes.shape[0]), _scratch(labels.shape[1])
    root, best = 0, -np.inf
    while not is_over(state):
        _score_moves(codes, state, moves, scratch)
        move, label = best_of(scratch.scores, scratch.possible), -1
        if move >= 2:
            label = _best_label(labels, move == RIGHT, scratch)
            head, dependent = arc_of(state, move)
            if head == 0 and scratch.scores[move] > best:
                root, best = dependent, scratch.scores[move]
        make(state, move, label)
    if single:
        for word in range(1, codes.shape[0]):
            if state.heads[word] == 0 and word != root:
                state.heads[word] = root
    return state.heads
