"""Parsing with a split grammar: the unsplit one prunes, and the max-rule tree of what is left is taken."""

from __future__ import annotations

from collections.abc import Sequence

from nlpsig_core.base.compiled import Ints
from nlpsig_core.laboratory.grammars.markovised.chart import cell_of
from nlpsig_core.laboratory.grammars.parser import Parser
from nlpsig_core.laboratory.grammars.split_merge.chart import inside, max_rule, outside
from nlpsig_core.laboratory.grammars.split_merge.coarse import LEAST, Coarse, Words
from nlpsig_core.laboratory.grammars.split_merge.derivations import PART, TAG
from nlpsig_core.laboratory.grammars.split_merge.training import Expected, Model, split_merge
from nlpsig_core.laboratory.grammars.treebank import Treebank
from nlpsig_core.laboratory.grammars.trees import Sharing, Tree

# Symbols of a span that are less probable under the unsplit grammar are pruned; then less, then none.
THRESHOLDS = (1e-4, 1e-7, 0.0)


class SplitMergeParser(Parser):
    """Takes the max-rule tree of a split grammar, among the symbols that the unsplit one finds likely."""

    def __init__(self, coarse: Coarse, model: Model, expected: Expected) -> None:
        self.coarse, self.model = coarse, model
        self.lexicon, self.derivations, self.top = coarse.lexicon, coarse.derivations, coarse.top
        self.words = Words(self.lexicon, self.derivations, model, expected)

    def best(self, words: Sequence[str]) -> Tree | None:
        """Return the max-rule tree; None if no derivation is found without pruning and with any tag for any word."""
        top = int(self.model.grammar.first[self.top])
        for smooth in (False, True):
            charts, found = self.coarse.charts(words, smooth), self.words.of(words, smooth)
            if charts is None:
                continue
            for threshold in THRESHOLDS:
                chart = inside(self.model.grammar, found, self.coarse.likely(charts, threshold))
                if chart.above[-len(words), top] > 0:
                    outer = outside(self.model.grammar, chart, self.top, LEAST)
                    return self.tree(words, *max_rule(self.model.grammar, chart, outer))
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


def train_split_merge(
    treebank: Treebank, seed: int = 0, cycles: int = 3, iterations: tuple[int, int] = (20, 10)
) -> SplitMergeParser:
    """Return the parser of a treebank after some cycles of splitting and merging; ``seed`` gives the noise of splits.

    ``iterations`` of EM follow a split, and a merge.
    """
    coarse = Coarse(treebank)
    return SplitMergeParser(coarse, *split_merge(coarse.derivations, cycles, seed, iterations))
