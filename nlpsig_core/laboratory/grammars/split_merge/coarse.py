"""The unsplit grammar, which prunes charts, and probabilities of words under subsymbols of tags."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlpsig_core.base.compiled import Flags, Floats
from nlpsig_core.laboratory.grammars.lexicon import RARE, Lexicon, endings
from nlpsig_core.laboratory.grammars.split_merge.chart import Chart, inside, likely, outside
from nlpsig_core.laboratory.grammars.split_merge.derivations import TAG, TOP, Derivations
from nlpsig_core.laboratory.grammars.split_merge.training import Expected, Model, learned, totals_of, unsplit
from nlpsig_core.laboratory.grammars.treebank import Treebank

# Less probable symbols of a span are left out of the probabilities of smaller ones.
LEAST = 1e-10
# How many words of a shorter ending, or of the ending of a word, count as much as the word's own subsymbols.
PRIOR = 5.0


class Words:
    """P(word | subsymbol of a tag): the lexicon's P(word | tag), shared out by the expected counts of subsymbols.

    The shares are those of the word with its tag, mixed with those of rare words with its ending.
    """

    def __init__(self, lexicon: Lexicon, derivations: Derivations, model: Model, expected: Expected) -> None:
        self.lexicon, self.first = lexicon, model.grammar.first
        totals, counts = totals_of(model, expected.rules, expected.words), expected.words
        self.tags = {tag: i for i, (kind, tag) in enumerate(derivations.symbols) if kind == TAG}
        self.shares: dict[str, Floats] = {
            tag: totals[self.first[i] : self.first[i + 1]] / totals[self.first[i] : self.first[i + 1]].sum()
            for tag, i in self.tags.items()
        }
        self.counts = {
            pair: counts[begin:end]
            for pair, begin, end in zip(derivations.pairs, model.pair[:-1], model.pair[1:], strict=True)
        }
        self.endings = dict[tuple[str, tuple[str, ...]], Floats]()
        for (tag, word), of_pair in self.counts.items():
            if lexicon.once[word].total() <= RARE:
                for ending in endings(word):
                    self.endings[tag, ending] = self.endings.get((tag, ending), 0.0) + of_pair

    def of(self, words: Sequence[str], smooth: bool) -> Floats:
        """Return the probabilities of the words of a sentence, (words, subsymbols)."""
        table = np.zeros((len(words), self.first[-1]))
        for place, word in enumerate(words):
            logs = self.lexicon.log_probabilities(word, first=place == 0, smooth=smooth)
            known = self.lexicon.known(word, first=place == 0)
            for tag, log in logs.items():
                subs = slice(self.first[self.tags[tag]], self.first[self.tags[tag] + 1])
                table[place, subs] = np.exp(log) * self.profile(tag, known) / np.maximum(self.shares[tag], 1e-300)
        return table

    def profile(self, tag: str, word: str) -> Floats:
        """Return P(subsymbol | tag, word)."""
        profile: Floats = self.shares[tag]
        for counts in (*(self.endings.get((tag, ending)) for ending in endings(word)), self.counts.get((tag, word))):
            if counts is not None:
                profile = (counts + PRIOR * profile) / (counts.sum() + PRIOR)
        return profile


class Coarse:
    """The unsplit grammar of a treebank, with its ``derivations`` and ``lexicon``."""

    def __init__(self, treebank: Treebank) -> None:
        self.lexicon = Lexicon([[(tag.label, tag.word) for tag in tree.tags] for tree in treebank.trees])
        self.derivations = Derivations(treebank.trees)
        self.top = self.derivations.symbols.index(TOP)
        self.model, expected = learned(unsplit(self.derivations), self.derivations.forest, 0)
        self.words = Words(self.lexicon, self.derivations, self.model, expected)

    def charts(self, words: Sequence[str], smooth: bool) -> tuple[Chart, Chart] | None:
        """Return the inside and outside chart of a sentence; None if it has no derivation.

        ``smooth`` lets words have tags that they were not seen with.
        """
        shape = len(words) * (len(words) + 1) // 2, len(self.derivations.symbols)
        chart = inside(self.model.grammar, self.words.of(words, smooth), np.ones(shape, np.bool_))
        if chart.above[-len(words), self.top] == 0:
            return None
        return chart, outside(self.model.grammar, chart, self.top, LEAST)

    def likely(self, charts: tuple[Chart, Chart], threshold: float) -> Flags:
        """Return the symbols that are more probable than a threshold, (spans, symbols)."""
        return likely(self.model.grammar, *charts, threshold)
