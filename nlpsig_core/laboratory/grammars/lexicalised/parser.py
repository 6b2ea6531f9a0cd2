"""Parsing with the head-driven model, where the unsplit grammar finds phrases likely."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from nlpsig_core.base.compiled import Flags
from nlpsig_core.laboratory.grammars.heads import VERBS
from nlpsig_core.laboratory.grammars.lexicalised import chart, events
from nlpsig_core.laboratory.grammars.markovised.chart import cell_of
from nlpsig_core.laboratory.grammars.parser import Parser
from nlpsig_core.laboratory.grammars.split_merge.coarse import Coarse
from nlpsig_core.laboratory.grammars.split_merge.derivations import PHRASE, TAG
from nlpsig_core.laboratory.grammars.treebank import ROOT, Treebank
from nlpsig_core.laboratory.grammars.trees import Sharing, Tree

# Log ratio to the best item of a span, and the least probability of a symbol under the unsplit grammar; then wider.
BEAMS = ((8.0, 1e-4), (14.0, 1e-8), (30.0, 0.0))


class LexicalisedParser(Parser):
    """Takes the best tree of the head-driven model within a beam."""

    def __init__(
        self, coarse: Coarse, numbers: dict[str, int], words: dict[str, int], steps: Sequence[events.Step]
    ) -> None:
        self.coarse, self.lexicon, self.numbers, self.vocabulary = coarse, coarse.lexicon, numbers, words
        rows = np.array(steps, np.int64)
        self.table: events.Table = events.count(rows, 1 << (12 * len(rows)).bit_length())
        pairs = sorted({(step.label, step.parent) for step in steps if step.kind == events.HEAD})
        children = [child for child, _ in pairs]
        names = ["", *numbers]
        self.names = names
        self.labels = chart.Labels(
            kind=np.array([events.kind_of(name) for name in names]),
            base=np.array([name == events.BASE for name in names]),
            of_child=np.searchsorted(children, np.arange(len(names) + 1)),
            parents=np.array([parent for _, parent in pairs], np.int64),
        )
        # The symbol of the unsplit grammar for each label, by which it is pruned.
        symbols = {symbol: i for i, symbol in enumerate(coarse.derivations.symbols)}
        plain = [events.NOUN_PHRASE if name == events.BASE else name for name in names]
        self.symbols = [symbols.get((PHRASE, name), symbols.get((TAG, name), -1)) for name in plain]

    def best(self, words: Sequence[str]) -> Tree | None:
        """Return the best tree within the beam, a wider one if there is none; None if no beam has one."""
        for smooth in (False, True):
            charts = self.coarse.charts(words, smooth)
            if charts is None:
                continue
            for beam, threshold in BEAMS:
                flags = self.coarse.likely(charts, threshold)
                allowed = np.ascontiguousarray(np.where(np.array(self.symbols) >= 0, flags[:, self.symbols], False))
                options = self.options(words, smooth, allowed)
                items = chart.fill(self.table, self.labels, options, allowed, reachable(allowed, len(words)), beam)
                found = self.finished(items, options, len(words))
                if found >= 0:
                    return events.without_base_phrases(self.tree(words, items, options, found))
        return None

    def options(self, words: Sequence[str], smooth: bool, allowed: Flags) -> chart.Options:
        """Return the likely tags of the words."""
        rows, verbs = list[tuple[int, int, int, float]](), [0]
        for place, word in enumerate(words):
            shares = self.lexicon.shares(word, first=place == 0, smooth=smooth)
            verbs.append(verbs[-1] + (max(shares, key=lambda tag: shares[tag]) in VERBS))
            logs = self.lexicon.log_probabilities(word, first=place == 0, smooth=smooth)
            number = self.vocabulary.get(self.lexicon.known(word, first=place == 0), -1)
            for tag, log in logs.items():
                if allowed[cell_of(place, place + 1), self.numbers[tag]]:
                    rows.append((place, self.numbers[tag], number, math.exp(log)))
        places, tags, numbers, probability = (np.array(column) for column in zip(*rows, strict=True))
        counts = np.array([self.lexicon.tags[self.names[tag]] for tag in tags])
        prior = chart.priors(self.table, tags, numbers, len(self.names)) + np.log(counts * probability)[:, None]
        return chart.Options(places, tags, numbers, probability, prior, np.array(verbs))

    def finished(self, items: chart.Items, options: chart.Options, n_words: int) -> int:
        """Return the best root over all words, with the probability of its head; -1 if there is none."""
        best, found = -math.inf, -1
        begin, end = items.spans[cell_of(0, n_words), chart.WHOLE]
        for item in items.kept[begin:end].tolist():
            if self.names[items.rows[item, chart.LABEL]] == ROOT:
                score = items.score[item] + chart.root_log(
                    self.table, options, *items.rows[item, [chart.LABEL, chart.OPTION]].tolist()
                )
                if score > best:
                    best, found = score, item
        return found

    def tree(self, words: Sequence[str], items: chart.Items, options: chart.Options, item: int) -> Tree:
        """Return the tree of a whole item."""
        sharing = Sharing()

        def whole(item: int) -> Tree:
            row = items.rows[item]
            if row[chart.FIRST] < 0:
                place = int(options.place[row[chart.OPTION]])
                return sharing.tag(self.names[row[chart.LABEL]], words[place], place)
            left, right, partial = list[Tree](), list[Tree](), row[chart.FIRST]
            while items.rows[partial, chart.STAGE] != chart.WHOLE:
                stage, second = items.rows[partial, chart.STAGE], items.rows[partial, chart.SECOND]
                if second >= 0:
                    (left if stage == chart.LEFTWARDS else right).append(whole(second))
                partial = items.rows[partial, chart.FIRST]
            return sharing.node(self.names[row[chart.LABEL]], (*left, whole(partial), *reversed(right)))

        return whole(item)


def reachable(allowed: Flags, n_words: int) -> Flags:
    """Return the labels allowed over a span or over one around it, (spans, labels)."""
    flags = allowed.copy()
    for length in range(n_words - 1, 0, -1):
        for start in range(n_words - length + 1):
            cell = cell_of(start, start + length)
            if start:
                flags[cell] |= flags[cell_of(start - 1, start + length)]
            if start + length < n_words:
                flags[cell] |= flags[cell_of(start, start + length + 1)]
    return flags


def train_lexicalised(treebank: Treebank, seed: int = 0) -> LexicalisedParser:
    """Return the parser of a treebank; nothing is drawn."""
    coarse = Coarse(treebank)
    trees = [events.with_base_phrases(tree) for tree in treebank.trees]
    labels = sorted({node.label for tree in trees for node in tree.nodes()})
    numbers = {label: i for i, label in enumerate(labels, start=1)}
    vocabulary = {word: i for i, word in enumerate(sorted(coarse.lexicon.words))}
    steps = list[events.Step]()
    for tree in trees:
        words = [vocabulary[coarse.lexicon.known(word, first=i == 0)] for i, word in enumerate(tree.words)]
        head = events.steps_of(tree, numbers.__getitem__, words, steps)
        row = (numbers[ROOT], numbers[head.label])
        steps.append(events.Step(events.MODIFIER, events.RIGHT, 0, 0, 0, 0, 0, *row, 0))
        steps.append(events.Step(events.WORD, events.RIGHT, 0, 0, 0, 0, 0, *row, words[head.start]))
    return LexicalisedParser(coarse, numbers, vocabulary, steps)
