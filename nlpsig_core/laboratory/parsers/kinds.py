"""The kinds of parsers, and training one of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.laboratory.parsers.ensemble import Ensemble, train_ensemble
from nlpsig_core.laboratory.parsers.graph import GraphParser, train_graph
from nlpsig_core.laboratory.parsers.relations import Relations
from nlpsig_core.laboratory.parsers.transition import TransitionParser, train_transition
from nlpsig_core.laboratory.parsers.treebank import Treebank
from nlpsig_core.laboratory.parsers.trees import Parse


class Parser(Protocol):
    """A trained parser."""

    @property
    def relations(self) -> Relations:
        """Its classifier of relations, which knows the vocabulary of the training set."""

    def parse(self, treebank: Treebank) -> list[Parse]:
        """A tree for each sentence, from its words alone."""

    def heads(self, treebank: Treebank) -> np.ndarray:
        """The head of each node (nodes,) within its sentence; -1 for roots."""

    def arrays(self) -> dict[str, np.ndarray]:
        """The parser as arrays, for a file."""

    @classmethod
    def of(cls, arrays: Mapping[str, np.ndarray]) -> Self:
        """The parser of such arrays."""


@dataclass(frozen=True, kw_only=True)
class ParserKind:
    """A kind of parser: ``what`` it does in a sentence, how it is trained, and the class of what comes out.

    ``train`` takes a treebank, a dev treebank or None, a seed, and options of its own by keyword.
    """

    name: str
    what: str
    source: str
    train: Callable[..., Parser]
    parser: type[Parser]


PARSERS: dict[str, ParserKind] = {
    "graph": ParserKind(
        name="graph",
        what="Scores every pair of words as an arc and takes the best tree; arcs are learned by MIRA.",
        source="McDonald, Crammer and Pereira (2005); McDonald, Pereira, Ribarov and Hajič (2005)",
        train=train_graph,
        parser=GraphParser,
    ),
    "transition": ParserKind(
        name="transition",
        what="Reads the words once and decides greedily on arcs; learned by a perceptron from its own mistakes too.",
        source="Nivre (2003); Goldberg and Nivre (2012)",
        train=train_transition,
        parser=TransitionParser,
    ),
    "ensemble": ParserKind(
        name="ensemble",
        what="Takes the tree with the most votes of two graph parsers and four transition parsers.",
        source="Sagae and Lavie (2006); Surdeanu and Manning (2010)",
        train=train_ensemble,
        parser=Ensemble,
    ),
}


def train(kind: str, treebank: Treebank, dev: Treebank | None = None, seed: int = 0, **options: Any) -> Parser:
    """A parser of a kind in PARSERS; ChoiceError for an unknown kind.

    ``dev`` decides what the kind leaves open; ``seed`` gives the order of sentences; ``options`` are those of the
    kind's own function. The same arguments give the same parser, byte for byte.
    """
    if kind not in PARSERS:
        raise ChoiceError.unknown("parser", kind, PARSERS)
    return PARSERS[kind].train(treebank, dev, seed, **options)
