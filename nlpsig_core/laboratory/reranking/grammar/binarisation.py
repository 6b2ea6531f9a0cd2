"""Trees as derivations of at most two children, with symbols that remember parents and siblings, and back.

Klein and Manning (2003), sections 2 and 3: vertical markovisation lets a label remember the labels above it, horizontal
markovisation lets the rest of a rule remember only the last of the siblings that came before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain as joined
from typing import NamedTuple

from nlpsig_core.laboratory.reranking.trees import Sharing, Tree

TAG, PHRASE, BODY, PART = "tag", "phrase", "body", "part"


class Symbol(NamedTuple):
    """A symbol of the grammar.

    A ``PHRASE`` is a bracket that may hold a single bracket, and this another, and so on; it ends in a ``TAG`` or in a
    ``BODY``: the innermost of these brackets, with at least two children. A ``PART`` is all children of a body but the
    first ones, of which it remembers the labels ``before``. ``above`` are the labels over the bracket, nearest first.
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
        """All nodes, each before those below it."""
        open_nodes = [self]
        while open_nodes:
            node = open_nodes.pop()
            yield node
            open_nodes.extend(node.children)


def binarised(tree: Tree, horizontal: int, vertical: int, above: tuple[str, ...] = ()) -> Node:
    """The only derivation of a tree, whose labels remember ``vertical`` - 1 labels ``above`` them.

    Parts remember the labels of ``horizontal`` siblings before them.
    """
    if tree.is_tag:
        return Node(Symbol(TAG, tree.label), word=tree.word)
    top, chain = Symbol(PHRASE, tree.label, above), [tree.label]
    while len(tree.children) == 1 and not tree.children[0].is_tag:
        above = (tree.label, *above)[: vertical - 1]
        tree = tree.children[0]
        chain.append(tree.label)
    below = (tree.label, *above)[: vertical - 1]
    children = [binarised(child, horizontal, vertical, below) for child in tree.children]
    child = children[0] if len(children) == 1 else _body(tree.label, above, children, horizontal)
    return Node(top, (child,), tuple(chain))


def _body(label: str, above: tuple[str, ...], children: list[Node], horizontal: int) -> Node:
    """The body of these children: the first one and the part of the others, and so on."""
    labels = [child.symbol.label for child in children]
    node = children[-1]
    for place in range(len(children) - 2, -1, -1):
        before = tuple(labels[max(place - horizontal, 0) : place])
        symbol = Symbol(PART, label, above, before) if place else Symbol(BODY, label, above)
        node = Node(symbol, (children[place], node))
    return node


def restored(derivation: Node) -> Tree:
    """The tree of a derivation; the inverse of ``binarised``."""
    sharing, position = Sharing(), iter(range(sum(bool(node.word) for node in derivation.nodes())))

    def forest(node: Node) -> tuple[Tree, ...]:
        if node.word:
            return (sharing.tag(node.symbol.label, node.word, next(position)),)
        return bracketed(node.chain, map(forest, node.children), sharing)

    return forest(derivation)[0]


def bracketed(chain: tuple[str, ...], forests: Iterable[tuple[Tree, ...]], sharing: Sharing) -> tuple[Tree, ...]:
    """The trees of several forests side by side, in the brackets of a chain; without a chain, as they are."""
    forest = tuple(joined.from_iterable(forests))
    for label in reversed(chain):
        forest = (sharing.node(label, forest),)
    return forest
