"""Parsing with a split grammar: the unsplit one prunes, and the max-rule tree of what is left is taken."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlpsig_core.laboratory.grammars.lexicon import RARE, Lexicon, endings
from nlpsig_core.laboratory.grammars.markovised.chart import cell_of
from nlpsig_core.laboratory.grammars.parser import Parser
from nlpsig_core.laboratory.grammars.split_merge.chart import inside, likely, max_rule, outside
from nlpsig_core.laboratory.grammars.split_merge.derivations import PART, TAG, TOP, Derivations
from nlpsig_core.laboratory.grammars.split_merge.training import Model, split_merge, totals_of, unsplit
from nlpsig_core.laboratory.grammars.treebank import Treebank
from nlpsig_core.laboratory.grammars.trees import Sharing, Tree
from nlpsig_core.laboratory.parsers.weights import Floats, Ints

# Symbols of a span that are less probable under the unsplit grammar are pruned; then less, then none.
THRESHOLDS = (1e-4, 1e-7, 0.0)
# Less probable symbols of a span are left out of the probabilities of smaller ones.
LEAST = 1e-10
# How many words of a shorter ending, or of the ending of a word, count as much as the word's own subsymbols.
PRIOR = 5.0


class Words:
    """P(word | subsymbol of a tag): the lexicon's P(word | tag), shared out by the expected counts of subsymbols.

    The shares are those of the word with its tag, mixed with those of rare words with its ending.
    """

    def __init__(
        self, lexicon: Lexicon, derivations: Derivations, model: Model, counts: Floats, totals: Floats
    ) -> None:
        self.lexicon, self.first = lexicon, model.grammar.first
        self.tags = {tag: i for i, (kind, tag) in enumerate(derivations.symbols) if kind == TAG}
        self.shares = {
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
        profile = self.shares[tag]
        for counts in (*(self.endings.get((tag, ending)) for ending in endings(word)), self.counts.get((tag, word))):
            if counts is not None:
                profile = (counts + PRIOR * profile) / (counts.sum() + PRIOR)
        return profile


class SplitMergeParser(Parser):
    """Takes the max-rule tree of a split grammar, among the symbols that the unsplit one finds likely."""

    def __init__(self, treebank: Treebank, derivations: Derivations, cycles: int, seed: int, **options) -> None:
        self.lexicon = Lexicon([[(tag.label, tag.word) for tag in tree.tags] for tree in treebank.trees])
        self.derivations, self.top = derivations, derivations.symbols.index(TOP)
        self.model, counts = split_merge(derivations, cycles, seed, **options)
        self.coarse = unsplit(derivations)
        totals = totals_of(self.model, counts.rules, counts.words)
        self.words = Words(self.lexicon, derivations, self.model, counts.words, totals)
        of_pairs = np.add.reduceat(counts.words, self.model.pair[:-1])
        symbols = np.add.reduceat(totals, self.model.grammar.first[:-1])
        self.coarse_words = Words(self.lexicon, derivations, self.coarse, of_pairs, symbols)

    def best(self, words: Sequence[str]) -> Tree | None:
        """Return the max-rule tree; None if no derivation is found without pruning and with any tag for any word."""
        for smooth in (False, True):
            found = self.coarse_words.of(words, smooth)
            n_cells = len(words) * (len(words) + 1) // 2
            coarse = inside(self.coarse.grammar, found, np.ones((n_cells, len(self.derivations.symbols)), np.bool_))
            if coarse.above[-len(words), self.top] == 0:
                continue
            outer = outside(self.coarse.grammar, coarse, self.top, LEAST)
            found = self.words.of(words, smooth)
            for threshold in THRESHOLDS:
                chart = inside(self.model.grammar, found, likely(self.coarse.grammar, coarse, outer, threshold))
                if chart.above[-len(words), self.model.grammar.first[self.top]] > 0:
                    best = max_rule(self.model.grammar, chart, outside(self.model.grammar, chart, self.top, LEAST))
                    return self.tree(words, *best)
        return None

    def tree(self, words: Sequence[str], rules: Ints, middles: Ints, singles: Ints) -> Tree:
        """Return the tree of the choices of ``max_rule``."""
        sharing, symbols, grammar = Sharing(), self.derivations.symbols, self.model.grammar

        def above(start: int, end: int, symbol: int) -> tuple[Tree, ...]:
            rule = singles[cell_of(start, end), symbol]
            if rule < 0:
                return below(start, end, symbol)
            forest = below(start, end, grammar.left[rule])
            for label in (*reversed(self.derivations.chains[self.derivations.steps[rule]]), symbols[symbol][1]):
                forest = (sharing.node(label, forest),)
            return forest

        def below(start: int, end: int, symbol: int) -> tuple[Tree, ...]:
            kind, label = symbols[symbol]
            if kind == TAG:
                return (sharing.tag(label, words[start], start),)
            cell = cell_of(start, end)
            rule, middle = rules[cell, symbol], int(middles[cell, symbol])
            forest = above(start, middle, grammar.left[rule]) + above(middle, end, grammar.right[rule])
            return forest if kind == PART else (sharing.node(label, forest),)

        return above(0, len(words), self.top)[0]


def train_split_merge(treebank: Treebank, seed: int = 0, cycles: int = 3, **options) -> SplitMergeParser:
    """Return the parser of a treebank after some cycles of splitting and merging; ``seed`` gives the noise of splits."""
    return SplitMergeParser(treebank, Derivations(treebank.trees), cycles, seed, **options)
