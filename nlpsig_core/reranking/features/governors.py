"""Features of pairs and triples of heads: Heads."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import lru_cache

from nlpsig_core.reranking.features.base import Feature
from nlpsig_core.reranking.features.heads import KEPT, SEMANTIC, SYNTACTIC, head_child, is_coordination
from nlpsig_core.reranking.features.places import Place
from nlpsig_core.reranking.trees import Tree

Tags = tuple[Tree, ...]


def sees_heads(place: Place) -> Hashable:
    """The heads that the node joins, and those that they govern."""
    node = place.node
    return _arcs(node, SYNTACTIC), _arcs(node, SEMANTIC), _chains(node, SYNTACTIC)


def heads(place: Place) -> Iterator[Feature]:
    """A head with its governor, and with the governor's governor.

    All children of a coordination depend on what governs it; its conjuncts that have its label govern what depends on
    it. The variants are named by: number of heads, whether words are shown (two numbers), kind of head (0 syntactic,
    1 semantic).
    """
    node = place.node
    for dependent, governor in _arcs(node, SYNTACTIC):
        yield "2:0:0:0", dependent.label, governor.label
        yield "2:1:1:0", dependent.label, dependent.lower, governor.label, governor.lower
    for dependent, governor in _arcs(node, SEMANTIC):
        yield "2:1:1:1", dependent.label, dependent.lower, governor.label, governor.lower
    for dependent, middle, governor in _chains(node, SYNTACTIC):
        yield "3:0:0:0", dependent.label, middle.label, governor.label


@lru_cache(KEPT)
def _chains(node: Tree, semantic: bool) -> tuple[tuple[Tree, Tree, Tree], ...]:
    """The dependents, their governors, and the governors of these that this node joins to them."""
    children, governors = _dependents(node, semantic)
    return tuple([
        (dependent, middle, governor)
        for child in children
        for dependent, middle in _outer_arcs(child, semantic)
        for governor in governors
    ])  # fmt: skip


@lru_cache(KEPT)
def _dependents(node: Tree, semantic: bool) -> tuple[tuple[Tree, ...], Tags]:
    """The children of a node that are not its head, and the heads that govern them."""
    if len(node.children) < 2 or is_coordination(node):
        return (), ()
    head = head_child(node, semantic)
    return node.children[:head] + node.children[head + 1 :], _governors(node.children[head], semantic)


@lru_cache(KEPT)
def _arcs(node: Tree, semantic: bool) -> tuple[tuple[Tree, Tree], ...]:
    """The dependents and governors that this node joins."""
    children, governors = _dependents(node, semantic)
    return tuple(
        [(dependent, governor) for child in children for dependent in _heads(child, semantic) for governor in governors]
    )


@lru_cache(KEPT)
def _governors(node: Tree, semantic: bool) -> Tags:
    """The heads of a node that govern others."""
    if not node.children:
        return (node,)
    if not is_coordination(node):
        return _governors(node.children[head_child(node, semantic)], semantic)
    return sum((_governors(child, semantic) for child in node.children if child.label == node.label), ())


@lru_cache(KEPT)
def _heads(node: Tree, semantic: bool) -> Tags:
    """The heads of a node that depend on others."""
    if not node.children:
        return (node,)
    if not is_coordination(node):
        return _heads(node.children[head_child(node, semantic)], semantic)
    return sum((_heads(child, semantic) for child in node.children), ())


@lru_cache(KEPT)
def _outer_arcs(node: Tree, semantic: bool) -> tuple[tuple[Tree, Tree], ...]:
    """The dependents and governors inside a node of which the governor depends on what governs the node."""
    if not node.children:
        return ()
    if is_coordination(node):
        return sum((_outer_arcs(child, semantic) for child in node.children), ())
    return _outer_arcs(node.children[head_child(node, semantic)], semantic) + _arcs(node, semantic)
