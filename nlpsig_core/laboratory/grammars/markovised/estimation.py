"""A markovised grammar with the relative frequencies of a treebank, and its probabilities of words under tags.

Trees are made plain, and become derivations of at most two children that remember parents and siblings. Klein and
Manning (2003), sections 2 and 3: vertical markovisation lets a label remember the labels above it, horizontal
markovisation lets the rest of a rule remember only the last of the siblings that came before, here one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.laboratory.grammars.lexicon import Lexicon
from nlpsig_core.laboratory.grammars.markovised.chart import Rules
from nlpsig_core.laboratory.grammars.trees import Tree

TAG, PHRASE, BODY, PART = "tag", "phrase", "body", "part"


class Symbol(NamedTuple):
    """A symbol of the grammar.

    A ``PHRASE`` is a bracket that may hold a single bracket, and this another, and so on; it ends in a ``TAG`` or in a
    ``BODY``: the innermost of these brackets, with at least two children. A ``PART`` is all children of a body but the
    first ones, of which it remembers the last label, ``before``. ``above`` are the labels over the bracket, nearest
    first.
    """

    kind: str
    label: str
    above: tuple[str, ...] = ()
    before: tuple[str, ...] = ()


class Node(NamedTuple):
    """A node of a derivation: a tag with its word, a phrase with one child, or a body or part with two.

    ``chain`` are the labels of a phrase's brackets, from the outermost to the innermost.
    """

    symbol: Symbol
    children: tuple[Node, ...] = ()
    chain: tuple[str, ...] = ()
    word: str = ""

    def nodes(self) -> Iterator[Node]:
        """Yield all nodes, each before those below it."""
        open_nodes = [self]
        while open_nodes:
            node = open_nodes.pop()
            yield node
            open_nodes.extend(node.children)


def binarised(tree: Tree, vertical: int, above: tuple[str, ...] = ()) -> Node:
    """Return the only derivation of a tree, whose labels remember ``vertical`` - 1 labels ``above`` them."""
    if not tree.children:
        return Node(Symbol(TAG, tree.label), word=tree.word)
    top, chain = Symbol(PHRASE, tree.label, above), [tree.label]
    while len(tree.children) == 1 and tree.children[0].children:
        above = (tree.label, *above)[: vertical - 1]
        tree = tree.children[0]
        chain.append(tree.label)
    below = (tree.label, *above)[: vertical - 1]
    *others, node = [binarised(child, vertical, below) for child in tree.children]
    for place in reversed(range(len(others))):
        before = (others[place - 1].symbol.label,) if place else ()
        symbol = Symbol(kind=PART if place else BODY, label=tree.label, above=above, before=before)
        node = Node(symbol, (others[place], node))
    return Node(top, (node,), tuple(chain))


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
        inside = {symbol for rule in self.logs for symbol in (rule.parent, *rule.children)}
        symbols = {self.root, *inside, *(Symbol(TAG, tag) for tag in self.lexicon.tags)}
        return {symbol: number for number, symbol in enumerate(sorted(symbols))}

    @cached_property
    def ordered(self) -> tuple[Rule, ...]:
        """The rules by their first child, those with one child before those with two."""
        return tuple(sorted(self.logs, key=lambda rule: (rule.children[0], len(rule.children), *rule)))

    @cached_property
    def rules(self) -> Rules:
        """The rules as arrays, in this order."""
        numbers, symbols = self.numbers, np.arange(len(self.numbers) + 1)
        rows = [[numbers[symbol] for symbol in (rule.parent, *rule.children)] for rule in self.ordered]
        parent, left, right = np.array([[*row, -1][:3] for row in rows], np.int32).T.copy()
        by_parent = np.argsort(parent, kind="stable").astype(np.int32)
        first = np.searchsorted(left, symbols)
        return Rules(
            parent=parent,
            left=left,
            right=right,
            log=np.array([self.logs[rule] for rule in self.ordered], np.float64),
            first=first,
            first_binary=first[:-1] + np.bincount(left[right < 0], minlength=len(numbers)),
            by_parent=by_parent,
            of_parent=np.searchsorted(parent[by_parent], symbols),
        )

    def tags(self, words: Sequence[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the tags that the words can have (numbers of symbols), their logs, and each word's first tag.

        The last array is (words + 1,).
        """
        logs = [self.lexicon.log_probabilities(word, first=i == 0) for i, word in enumerate(words)]
        tags = [self.numbers[Symbol(TAG, tag)] for of_word in logs for tag in of_word]
        values = [_whole(log) for of_word in logs for log in of_word.values()]
        return np.array(tags, np.int32), np.array(values, np.float64), np.cumsum([0, *map(len, logs)])


def learn_grammar(trees: Iterable[Tree], vertical: int = 1) -> Grammar:
    """Return the grammar of a treebank whose trees have the same label at the top.

    The probability of a rule is its relative frequency among those of its parent. A chain of brackets, each the only
    child of the one before, is one rule: no chain is endless, and every tree has one derivation. ``vertical`` is that
    of ``binarised``. ChoiceError for a treebank without trees, or with several labels at the top.
    """
    rules, tagged, roots = Counter[Rule](), list[list[tuple[str, str]]](), set[Symbol]()
    for tree in trees:
        derivation = binarised(tree, vertical)
        roots.add(derivation.symbol)
        tagged.append([(tag.label, tag.word) for tag in tree.tags])
        for node in derivation.nodes():
            if not node.word:
                rules[Rule(node.symbol, tuple(child.symbol for child in node.children), node.chain)] += 1
    if len(roots) != 1:
        labels = ", ".join(sorted(root.label for root in roots)) or "no tree"
        raise ChoiceError(f"A grammar needs trees with the same label at the top; the treebank has {labels}")
    totals: Counter[Symbol] = Counter()
    for rule, number in rules.items():
        totals[rule.parent] += number
    logs = {rule: _whole(math.log(number / totals[rule.parent])) for rule, number in rules.items()}
    return Grammar(root=roots.pop(), logs=logs, lexicon=Lexicon(tagged))


def _whole(log: float) -> float:
    return round(log / STEP) * STEP
