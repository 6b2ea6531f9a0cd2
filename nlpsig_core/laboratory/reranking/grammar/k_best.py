"""The k most probable trees of a sentence (Huang and Chiang 2005, algorithm 3)."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nlpsig_core.laboratory.reranking.grammar.binarisation import TAG, bracketed
from nlpsig_core.laboratory.reranking.grammar.chart import best_steps, cell_of, chart_of
from nlpsig_core.laboratory.reranking.grammar.estimation import Grammar
from nlpsig_core.laboratory.reranking.lists import Candidate
from nlpsig_core.laboratory.reranking.trees import Sharing, Tree

# The start and end of a span, and the number of a symbol.
Item = tuple[int, int, int]


def k_best(grammar: Grammar, words: Sequence[str], k: int) -> list[Candidate]:
    """The k most probable trees of the words with their log probabilities, best first.

    Fewer if there are fewer, none if the grammar has no tree for the words. The order of equally probable trees is
    fixed: a shorter list is the beginning of a longer one.
    """
    if not words:
        return []
    search = _Search(grammar, words, k)
    root = (0, len(words), grammar.numbers[grammar.root])
    search.has(root, k - 1)
    found = search.steps[root].found
    return [Candidate(-derivation.cost, search.forest(root, rank)[0]) for rank, derivation in enumerate(found)]


def log_probability(grammar: Grammar, words: Sequence[str]) -> float:
    """The log of the probability of the words: of all their trees together; minus infinity if they have none."""
    if not words:
        return -np.inf
    chart = chart_of(grammar.rules, *grammar.tags(words), True)
    return float(chart[cell_of(0, len(words)), grammar.numbers[grammar.root]])


class _Derivation(NamedTuple):
    """A derivation of an item: its cost (minus the log probability), its step, and the ranks of its children.

    Heaps compare them in this order: equals by step, then by ranks. A tag with its word has no children.
    """

    cost: float
    step: int
    ranks: tuple[int, ...]


class _Steps(NamedTuple):
    """The best ways to make an item: the log of each rule, its chain, and the items below it.

    ``found`` are the best derivations so far, best first; ``heap`` has the candidates for the next one.
    """

    logs: list[float]
    chains: list[tuple[str, ...]]
    below: list[tuple[Item, ...]]
    found: list[_Derivation]
    heap: list[_Derivation]


class _Search:
    """The best derivations of each item of a sentence, found only as far as needed."""

    def __init__(self, grammar: Grammar, words: Sequence[str], k: int) -> None:
        self.grammar, self.words, self.k = grammar, words, k
        self.chart = chart_of(grammar.rules, *grammar.tags(words), False)
        self.symbols = list(grammar.numbers)
        self.steps: dict[Item, _Steps] = {}
        self.exhausted: set[Item] = set()
        self.forests: dict[tuple[Item, int], tuple[Tree, ...]] = {}
        self.sharing = Sharing()

    def has(self, item: Item, rank: int) -> bool:
        """Whether an item has more than ``rank`` derivations; finds them up to this one."""
        steps = self.steps.get(item) or self.start(item)
        while len(steps.found) <= rank and item not in self.exhausted:
            if steps.found:
                self.advance(steps, steps.found[-1])
            if steps.heap:
                steps.found.append(heapq.heappop(steps.heap))
            else:
                self.exhausted.add(item)
        return len(steps.found) > rank

    def start(self, item: Item) -> _Steps:
        """The ways to make an item, with the best derivation of each as a candidate."""
        start, end, symbol = item
        if self.symbols[symbol].kind == TAG:
            log = float(self.chart[cell_of(start, end), symbol])
            steps = _Steps([log], [()], [()], [], [_Derivation(-log, 0, ())] if log > -np.inf else [])
        else:
            rules = self.grammar.rules
            totals, used, middles = best_steps(rules, self.chart, start, end, symbol, self.k)
            below = [
                self.below(item, rule, middle) for rule, middle in zip(used.tolist(), middles.tolist(), strict=True)
            ]
            candidates = enumerate(zip(totals.tolist(), below, strict=True))
            heap = [_Derivation(-total, step, (0,) * len(items)) for step, (total, items) in candidates]
            chains = [self.grammar.ordered[rule].chain for rule in used.tolist()]
            steps = _Steps(rules.log[used].tolist(), chains, below, [], heap)
        self.steps[item] = steps
        return steps

    def below(self, item: Item, rule: int, middle: int) -> tuple[Item, ...]:
        """The items that a rule combines; ``middle`` is the end of the first."""
        left, right = self.grammar.pairs[rule]
        first = (item[0], middle, left)
        return (first, (middle, item[1], right)) if right >= 0 else (first,)

    def advance(self, steps: _Steps, last: _Derivation) -> None:
        """Add the candidates that follow a derivation: one of its children moves on to its next derivation.

        A child moves on only while those after it are at their best, so that nothing comes twice.
        """
        below, ranks = steps.below[last.step], last.ranks
        for place in range(len(ranks) - 1, -1, -1):
            following = (*ranks[:place], ranks[place] + 1, *ranks[place + 1 :])
            if all(map(self.has, below, following)):
                costs = (self.steps[item].found[rank].cost for item, rank in zip(below, following, strict=True))
                heapq.heappush(steps.heap, _Derivation(sum(costs) - steps.logs[last.step], last.step, following))
            if ranks[place]:
                break

    def forest(self, item: Item, rank: int) -> tuple[Tree, ...]:
        """The trees side by side of a derivation; those of a phrase or tag are one tree."""
        forest = self.forests.get((item, rank))
        if forest is None:
            # Derivations that no other one competed with have not been looked at yet.
            self.has(item, rank)
            steps = self.steps[item]
            _, step, ranks = steps.found[rank]
            if ranks:
                inner = map(self.forest, steps.below[step], ranks)
                forest = bracketed(steps.chains[step], inner, self.sharing)
            else:
                start, _, symbol = item
                forest = (self.sharing.tag(self.symbols[symbol].label, self.words[start], start),)
            self.forests[item, rank] = forest
        return forest
