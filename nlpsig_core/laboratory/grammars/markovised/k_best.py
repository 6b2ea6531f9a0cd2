"""The k most probable trees of a sentence (Huang and Chiang 2005, algorithm 3), found in its chart."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import chain as joined
from typing import NamedTuple

import numpy as np

from nlpsig_core.laboratory.grammars.markovised.chart import best_steps, cell_of, chart_of
from nlpsig_core.laboratory.grammars.markovised.estimation import TAG, Grammar
from nlpsig_core.laboratory.grammars.trees import Sharing, Tree

# The start and end of a span, and the number of a symbol.
Item = tuple[int, int, int]


class ScoredTree(NamedTuple):
    """A tree and its log probability."""

    score: float
    tree: Tree


def k_best(grammar: Grammar, words: Sequence[str], k: int) -> list[ScoredTree]:
    """Return the k most probable trees of the words with their log probabilities, best first.

    Fewer if there are fewer, none if the grammar has no tree for the words. The order of equally probable trees is
    fixed: a shorter list is the beginning of a longer one.
    """
    if not words:
        return []
    search = _Search(grammar, words, k)
    root = (0, len(words), grammar.numbers[grammar.root])
    search.has(root, k - 1)
    ranked = search.derivations[root].ranked
    return [ScoredTree(-derivation.cost, search.forest(root, rank)[0]) for rank, derivation in enumerate(ranked)]


class _Derivation(NamedTuple):
    """A derivation of an item: its cost (minus the log probability), its step, and the ranks of its children.

    Heaps compare them in this order: equals by step, then by ranks. A tag with its word has no children.
    """

    cost: float
    step: int
    ranks: tuple[int, ...]


class _Step(NamedTuple):
    """A way to make an item: the log probability of the rule, its chain, and the items below it."""

    log: float
    chain: tuple[str, ...] = ()
    below: tuple[Item, ...] = ()


class _Derivations(NamedTuple):
    """The best ways to make an item, its best derivations so far, best first, and the candidates for the next one."""

    steps: list[_Step]
    ranked: list[_Derivation]
    heap: list[_Derivation]


class _Search:
    """The best derivations of each item of a sentence, found only as far as needed."""

    def __init__(self, grammar: Grammar, words: Sequence[str], k: int) -> None:
        self.grammar, self.words, self.k = grammar, words, k
        self.chart = chart_of(grammar.rules, *grammar.tags(words))
        self.symbols, self.sharing = list(grammar.numbers), Sharing()
        self.derivations: dict[Item, _Derivations] = {}
        self.exhausted: set[Item] = set()
        self.forests: dict[tuple[Item, int], tuple[Tree, ...]] = {}

    def has(self, item: Item, rank: int) -> bool:
        """Return whether an item has more than ``rank`` derivations, and find them up to this one."""
        state = self.derivations.get(item) or self.start(item)
        while len(state.ranked) <= rank and item not in self.exhausted:
            if state.ranked:
                self.advance(state, state.ranked[-1])
            if state.heap:
                state.ranked.append(heapq.heappop(state.heap))
            else:
                self.exhausted.add(item)
        return len(state.ranked) > rank

    def start(self, item: Item) -> _Derivations:
        """Return the ways to make an item, with the best derivation of each as a candidate."""
        start, end, symbol = item
        rules, ordered = self.grammar.rules, self.grammar.ordered
        if self.symbols[symbol].kind == TAG:
            totals = [float(self.chart[cell_of(start, end), symbol])]
            steps = [_Step(totals[0])] if totals[0] > -np.inf else []
        else:
            logs, used, middles = best_steps(rules, self.chart, start, end, symbol, self.k)
            totals, steps = logs.tolist(), []
            for rule, middle in zip(used.tolist(), middles.tolist(), strict=True):
                below: tuple[Item, ...] = ((start, middle, int(rules.left[rule])),)
                if rules.right[rule] >= 0:
                    below = (*below, (middle, end, int(rules.right[rule])))
                steps.append(_Step(float(rules.log[rule]), ordered[rule].chain, below))
        heap = [_Derivation(-totals[i], i, (0,) * len(step.below)) for i, step in enumerate(steps)]
        self.derivations[item] = _Derivations(steps, [], heap)
        return self.derivations[item]

    def advance(self, state: _Derivations, last: _Derivation) -> None:
        """Add the candidates that follow a derivation: one of its children moves on to its next derivation.

        A child moves on only while those after it are at their best, so that nothing comes twice.
        """
        (log, _, below), ranks = state.steps[last.step], last.ranks
        for place in range(len(ranks) - 1, -1, -1):
            following = (*ranks[:place], ranks[place] + 1, *ranks[place + 1 :])
            if all(map(self.has, below, following)):
                costs = (self.derivations[item].ranked[rank].cost for item, rank in zip(below, following, strict=True))
                heapq.heappush(state.heap, _Derivation(sum(costs) - log, last.step, following))
            if ranks[place]:
                break

    def forest(self, item: Item, rank: int) -> tuple[Tree, ...]:
        """Return the trees side by side of a derivation; those of a phrase or tag are one tree."""
        if (item, rank) not in self.forests:
            # Derivations that no other one competed with have not been looked at yet.
            self.has(item, rank)
            state = self.derivations[item]
            _, step, ranks = state.ranked[rank]
            _, chain, below = state.steps[step]
            forest = tuple(joined.from_iterable(map(self.forest, below, ranks)))
            if not below:
                start, _, symbol = item
                forest = (self.sharing.tag(self.symbols[symbol].label, self.words[start], start),)
            for label in reversed(chain):
                forest = (self.sharing.node(label, forest),)
            self.forests[item, rank] = forest
        return self.forests[item, rank]
