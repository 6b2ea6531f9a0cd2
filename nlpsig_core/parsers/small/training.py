"""Train a parser of one of three kinds on sentences of a treebank, and parse with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nlpsig_core.errors import ChoiceError
from nlpsig_core.parsers.small import graph, relations, table, transition
from nlpsig_core.parsers.small.coding import EncodedTreebank
from nlpsig_core.parsers.trees import Parse


@dataclass(frozen=True, kw_only=True)
class ParserKind:
    """A kind of parser: its rounds over the training set, and its functions.

    ``learn`` and ``parse`` are for heads, the other two functions for the relations of given arcs.
    """

    rounds: int
    learn: Callable[..., np.ndarray]
    parse: Callable[..., np.ndarray]
    learn_relations: Callable[..., np.ndarray]
    choose_relations: Callable[..., np.ndarray]


PARSERS = {
    # Counts of arcs, best projective tree.
    "table": ParserKind(
        rounds=1,
        learn=table.learn,
        parse=table.parse,
        learn_relations=relations.count,
        choose_relations=relations.most_frequent,
    ),
    # Averaged perceptron over arcs, best projective tree.
    "graph": ParserKind(
        rounds=5,
        learn=graph.learn,
        parse=graph.parse,
        learn_relations=relations.learn,
        choose_relations=relations.classify,
    ),
    # Averaged perceptron over greedy moves.
    "transition": ParserKind(
        rounds=5,
        learn=transition.learn,
        parse=transition.parse,
        learn_relations=relations.learn,
        choose_relations=relations.classify,
    ),
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Parser:
    """A trained parser: tables for heads and for relations, (rows, classes), and the ``labels`` of the latter."""

    kind: ParserKind
    for_heads: np.ndarray
    for_relations: np.ndarray
    labels: tuple[str, ...]

    def parse(self, treebank: EncodedTreebank) -> list[Parse]:
        """A tree with one root for each sentence, from its forms and tags."""
        codes, first = treebank.codes, treebank.first
        heads = self.kind.parse(self.for_heads, codes, first)
        places = self.kind.choose_relations(self.for_relations, codes, heads, first)
        ends = zip((first[:-1] + 1).tolist(), first[1:].tolist(), strict=True)
        return [Parse(heads[a:b].tolist(), [self.labels[i] for i in places[a:b].tolist()]) for a, b in ends]


def train(kind: str, treebank: EncodedTreebank, seed: int = 0, sentences: np.ndarray | None = None) -> Parser:
    """A parser of a kind in PARSERS, trained on ``sentences`` (indices, possibly repeated; default: all).

    Each round goes through the sentences in a new order that depends on ``seed``; the same arguments give the same
    parser. Raises ChoiceError for an unknown kind.
    """
    if kind not in PARSERS:
        raise ChoiceError.unknown("parser", kind, PARSERS)
    chosen, drawn = PARSERS[kind], np.arange(treebank.n_sentences) if sentences is None else sentences
    generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
    order = np.concatenate([drawn[generator.random(len(drawn)).argsort()] for _ in range(chosen.rounds)])
    codes, heads, first = treebank.codes, treebank.heads, treebank.first
    # Relations that are not in the drawn sentences are unknown.
    words = np.concatenate([treebank.relations[first[i] + 1 : first[i + 1]] for i in np.unique(drawn)])
    known = np.unique(words)
    places = np.searchsorted(known, treebank.relations)
    return Parser(
        kind=chosen,
        for_heads=chosen.learn(codes, heads, first, order),
        for_relations=chosen.learn_relations(codes, heads, places, first, order, len(known)),
        labels=tuple(treebank.labels[i] for i in known.tolist()),
    )
