"""The kinds of constituency parsers: their registry, and training one of them."""

from __future__ import annotations

from typing import Any

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.laboratory.grammars.lexicalised.parser import train_lexicalised
from nlpsig_core.laboratory.grammars.markovised.annotation import train_markovised
from nlpsig_core.laboratory.grammars.parser import GrammarKind, Parser
from nlpsig_core.laboratory.grammars.split_merge.parser import train_split_merge
from nlpsig_core.laboratory.grammars.treebank import Treebank

# Raise this when a kind learns something else from the same treebank: results kept from before are then stale.
VERSION = 1

GRAMMARS: dict[str, GrammarKind] = {
    "markovised": GrammarKind(
        name="markovised",
        what="Counts the rules of a treebank whose labels remember their parents and siblings.",
        source="Klein and Manning (2003)",
        train=train_markovised,
    ),
    "split-merge": GrammarKind(
        name="split-merge",
        what="Splits symbols in two by EM, again and again, and takes the tree with the most probable rules.",
        source="Petrov, Barrett, Thibaux and Klein (2006); Petrov and Klein (2007)",
        train=train_split_merge,
    ),
    "lexicalised": GrammarKind(
        name="lexicalised",
        what="Generates each phrase from its head word: the head child, then modifiers on both sides with their words.",
        source="Collins (1997), model 1",
        train=train_lexicalised,
    ),
}


def train(kind: str, treebank: Treebank, seed: int = 0, **options: Any) -> Parser:
    """Train a parser of a kind in GRAMMARS; ChoiceError for an unknown kind or a treebank without trees.

    ``options`` are those of the kind's own function. The same arguments give the same parser.
    """
    if kind not in GRAMMARS:
        raise ChoiceError.unknown("grammar", kind, GRAMMARS)
    if not treebank.trees:
        raise ChoiceError("A grammar needs at least one tree; the treebank has none")
    return GRAMMARS[kind].train(treebank, seed, **options)
