"""The contract of constituency parsers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.laboratory.grammars.lexicon import Lexicon, bare
from nlpsig_core.laboratory.grammars.treebank import ROOT
from nlpsig_core.laboratory.grammars.trees import Sharing, Tree

# Derivations of longer sentences may be deeper than Python's stack.
LONGEST = 120


class Parser(ABC):
    """A trained parser; ``lexicon`` knows the words of its treebank."""

    lexicon: Lexicon

    @abstractmethod
    def best(self, words: Sequence[str]) -> Tree | None:
        """Return the best tree of the words; None if the grammar has none, however little is pruned."""

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        """Return a tree for each sentence, flat where the grammar has none or the sentence is longer than LONGEST.

        ChoiceError for a sentence without words.
        """
        for number, words in enumerate(sentences, start=1):
            if not words:
                raise ChoiceError(f"Sentence {number} has no words; a parser needs at least one")
        found = (self.best(words) if len(words) <= LONGEST else None for words in sentences)
        return [tree or flat_tree(self.lexicon, words) for tree, words in zip(found, sentences, strict=True)]


def flat_tree(lexicon: Lexicon, words: Sequence[str]) -> Tree:
    """Return the tree whose root dominates all words, each with its most probable tag."""
    sharing, tags = Sharing(), []
    for position, word in enumerate(words):
        shares = lexicon.shares(word, first=position == 0)
        tags.append(sharing.tag(bare(max(shares, key=lambda tag: (shares[tag], tag))), word, position))
    return sharing.node(ROOT, tuple(tags))
