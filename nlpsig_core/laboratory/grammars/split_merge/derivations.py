"""Derivations of treebank trees with at most two children a node, as arrays: the start of a split grammar."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.compiled import Ints
from nlpsig_core.laboratory.grammars.treebank import ROOT
from nlpsig_core.laboratory.grammars.trees import Tree

TAG, PHRASE, PART = "tag", "phrase", "part"
# A tag, a phrase, or a part: all children of a phrase but the last ones (x-bar binarisation).
Symbol = tuple[str, str]
TOP = (PHRASE, ROOT)


class Step(NamedTuple):
    """A rule of the unsplit grammar; its children are one or two symbols."""

    parent: Symbol
    children: tuple[Symbol, ...]


class Forest(NamedTuple):
    """The nodes of all derivations, each after its children, as arrays.

    ``rule`` is -1 for tags; ``left`` and ``right`` are nodes, -1 where there is none; ``pair`` is the (tag, word) of a
    tag, else -1. Nodes of a tree are those from ``first`` (trees + 1,) on, its top the last of them.
    """

    symbol: Ints
    rule: Ints
    left: Ints
    right: Ints
    pair: Ints
    first: Ints


class Derivations:
    """The derivations of trees, with their sorted ``symbols``, ``steps``, and ``pairs`` of tag and word.

    A node with a single child that is a phrase is left out of the derivation, so that no rule with one child is above
    another one; ``chains`` has the most frequent labels that were left out between a parent and its only child.
    """

    def __init__(self, trees: Iterable[Tree]) -> None:
        self.rows, self.first = list[tuple[Symbol, tuple[Symbol, ...], int, int, str]](), [0]
        inner = defaultdict[Step, Counter[tuple[str, ...]]](Counter)
        for tree in trees:
            self._add(tree, inner)
            self.first.append(len(self.rows))
        self.chains = {step: max(sorted(counts), key=lambda chain: counts[chain]) for step, counts in inner.items()}
        self.symbols = sorted({row[0] for row in self.rows})
        number = {symbol: i for i, symbol in enumerate(self.symbols)}
        steps = {Step(symbol, children) for symbol, children, *_ in self.rows if children}
        # By left child, rules with one child first: the order of the chart's loops.
        self.steps = sorted(steps, key=lambda step: (step.children[0], len(step.children), step))
        self.pairs = sorted({(symbol[1], word) for symbol, *_, word in self.rows if word})
        steps_, pairs_ = ({item: i for i, item in enumerate(items)} for items in (self.steps, self.pairs))
        columns = [
            (number[symbol], steps_[Step(symbol, children)] if children else -1, left, right,
             pairs_[symbol[1], word] if word else -1)
            for symbol, children, left, right, word in self.rows
        ]  # fmt: skip
        symbol_, rule, left_, right_, pair = np.array(columns, np.int32).T.copy()
        self.forest = Forest(symbol_, rule, left_, right_, pair, np.array(self.first))

    def _add(self, tree: Tree, inner: dict[Step, Counter[tuple[str, ...]]]) -> int:
        """Add the nodes of a tree, return the number of its top."""
        if not tree.children:
            return self._row((TAG, tree.label), (), -1, -1, tree.word)
        top, chain = (PHRASE, tree.label), list[str]()
        while len(tree.children) == 1 and tree.children[0].children:
            tree = tree.children[0]
            chain.append(tree.label)
        if len(tree.children) == 1:
            below = self._add(tree.children[0], inner)
        elif chain:
            below = self._body((PHRASE, chain.pop()), tree, inner)
        else:
            return self._body(top, tree, inner)
        symbol = self.rows[below][0]
        inner[Step(top, (symbol,))][tuple(chain)] += 1
        return self._row(top, (symbol,), below, -1)

    def _body(self, symbol: Symbol, tree: Tree, inner: dict[Step, Counter[tuple[str, ...]]]) -> int:
        """Add a node with at least two children and return its number; parts are built from the left."""
        node, *others = [self._add(child, inner) for child in tree.children]
        for place, right in enumerate(others, start=1):
            parent = (PART, tree.label) if place < len(others) else symbol
            node = self._row(parent, (self.rows[node][0], self.rows[right][0]), node, right)
        return node

    def _row(self, symbol: Symbol, children: tuple[Symbol, ...], left: int, right: int, word: str = "") -> int:
        self.rows.append((symbol, children, left, right, word))
        return len(self.rows) - 1
