"""A markovised grammar with the relative frequencies of a treebank."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.laboratory.reranking.grammar.binarisation import TAG, Symbol, binarised
from nlpsig_core.laboratory.reranking.grammar.chart import Rules
from nlpsig_core.laboratory.reranking.grammar.lexicon import Lexicon, learn_lexicon
from nlpsig_core.laboratory.reranking.trees import Tree

# Log probabilities are whole multiples of this, so that their sums are exact: equally probable trees are real ties.
STEP = 2.0**-32


class Rule(NamedTuple):
    """A rule: a body or part with two children, or a phrase with its chain of brackets over a body or a tag."""

    parent: Symbol
    children: tuple[Symbol, ...]
    chain: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Grammar:
    """Log probabilities of rules, and of words under tags; all trees have ``root`` at the top."""

    root: Symbol
    logs: Mapping[Rule, float]
    lexicon: Lexicon

    @cached_property
    def numbers(self) -> Mapping[Symbol, int]:
        """The number of each symbol, in sorted order."""
        of_rules = {symbol for rule in self.logs for symbol in (rule.parent, *rule.children)}
        symbols = {self.root, *of_rules, *(Symbol(TAG, tag) for tag in self.lexicon.tags)}
        return {symbol: number for number, symbol in enumerate(sorted(symbols))}

    @cached_property
    def ordered(self) -> tuple[Rule, ...]:
        """The rules by their first child, those with one child before those with two."""
        return tuple(sorted(self.logs, key=lambda rule: (rule.children[0], len(rule.children), *rule)))

    @cached_property
    def rules(self) -> Rules:
        """The rules as arrays, in this order."""
        of, numbers = self.numbers, np.arange(len(self.numbers) + 1)
        left = np.array([of[rule.children[0]] for rule in self.ordered], np.int32)
        right = np.array([of[rule.children[1]] if len(rule.children) > 1 else -1 for rule in self.ordered], np.int32)
        parent = np.array([of[rule.parent] for rule in self.ordered], np.int32)
        by_parent = np.argsort(parent, kind="stable").astype(np.int32)
        first = np.searchsorted(left, numbers)
        return Rules(
            parent=parent,
            left=left,
            right=right,
            log=np.array([self.logs[rule] for rule in self.ordered], np.float64),
            first=first,
            first_binary=first[:-1] + np.bincount(left[right < 0], minlength=len(of)),
            by_parent=by_parent,
            of_parent=np.searchsorted(parent[by_parent], numbers),
        )

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """The children of each rule, in this order; the second is -1 for a rule with one child."""
        return list(zip(self.rules.left.tolist(), self.rules.right.tolist(), strict=True))

    def tags(self, words: Sequence[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The tags that the words can have (numbers of symbols), their log probabilities, and each word's first tag.

        The last array is (words + 1,).
        """
        of_words = [self.lexicon.log_probabilities(word, first=i == 0) for i, word in enumerate(words)]
        tags = [self.numbers[Symbol(TAG, tag)] for of_word in of_words for tag in of_word]
        logs = [_whole(log) for of_word in of_words for log in of_word.values()]
        return np.array(tags, np.int32), np.array(logs, np.float64), np.cumsum([0, *map(len, of_words)])


def learn_grammar(trees: Iterable[Tree], horizontal: int = 1, vertical: int = 1) -> Grammar:
    """The grammar of a treebank whose trees have the same label at the top.

    The probability of a rule is its relative frequency among those of its parent. A chain of brackets, each the only
    child of the one before, is one rule: no chain is endless, and every tree has one derivation. ``horizontal`` and
    ``vertical`` are those of ``binarised``. ChoiceError for a treebank without trees, or with several labels at the
    top.
    """
    if horizontal < 0 or vertical < 1:
        raise ChoiceError("Horizontal markovisation is a number from 0 on, vertical markovisation one from 1 on")
    rules: Counter[Rule] = Counter()
    tagged: list[tuple[str, str]] = []
    roots: set[Symbol] = set()
    for tree in trees:
        derivation = binarised(tree, horizontal, vertical)
        roots.add(derivation.symbol)
        for node in derivation.nodes():
            if node.word:
                tagged.append((node.symbol.label, node.word))
            else:
                rules[Rule(node.symbol, tuple(child.symbol for child in node.children), node.chain)] += 1
    if len(roots) != 1:
        labels = ", ".join(sorted(root.label for root in roots)) or "no tree"
        raise ChoiceError(f"A grammar needs trees with the same label at the top; the treebank has {labels}")
    of_parent: Counter[Symbol] = Counter()
    for rule, number in rules.items():
        of_parent[rule.parent] += number
    logs = {rule: _whole(math.log(number / of_parent[rule.parent])) for rule, number in rules.items()}
    return Grammar(root=roots.pop(), logs=logs, lexicon=learn_lexicon(tagged))


def _whole(log: float) -> float:
    return round(log / STEP) * STEP
