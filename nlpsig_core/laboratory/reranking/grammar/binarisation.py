"""Trees of a treebank made plain, and as derivations of at most two children that remember parents and siblings.

Klein and Manning (2003), sections 2 and 3: vertical markovisation lets a label remember the labels above it, horizontal
markovisation lets the rest of a rule remember only the last of the siblings that came before, here one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from nlpsig_core.data.readers.brackets import BracketedTree
from nlpsig_core.data.readers.evalb_rules import FUNCTION_TAG
from nlpsig_core.laboratory.reranking.trees import Sharing, Tree

ROOT = "S1"
# Other names of the root, and none.
ROOTS = frozenset((ROOT, "TOP", "ROOT", ""))
TRACE = "-NONE-"
TAG, PHRASE, BODY, PART = "tag", "phrase", "body", "part"


def plain_tree(tree: BracketedTree) -> Tree | None:
    """Return a tree with the root S1, without traces, brackets of nothing else, and functions of labels (NP-SBJ).

    None for a tree without words.
    """
    sharing, before = Sharing(), [0]
    forest: list[Tree] = []
    for word, tag in zip(tree.words, tree.tags, strict=True):
        if tag != TRACE:
            forest.append(sharing.tag(tag, word, len(forest)))
        before.append(len(forest))
    if not forest:
        return None
    # Of nested brackets, the inner one opens later.
    for label, start, end in zip(reversed(tree.labels), reversed(tree.starts), reversed(tree.ends), strict=True):
        first, last = (bisect_left(forest, before[edge], key=lambda node: node.start) for edge in (start, end))
        if first < last and label not in ROOTS:
            plain = FUNCTION_TAG.split(label, maxsplit=1)[0] or label
            forest[first:last] = [sharing.node(plain, tuple(forest[first:last]))]
    return sharing.node(ROOT, tuple(forest))


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
        symbol = Symbol(PART if place else BODY, tree.label, above, before)
        node = Node(symbol, (others[place], node))
    return Node(top, (node,), tuple(chain))
