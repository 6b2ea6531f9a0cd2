"""Features of single words and of the heads that they depend on: Word, WProj, Heads."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from nlpsig_core.laboratory.reranking.features.heads import (
    KEPT,
    PUNCTUATION,
    ROOTS,
    SEMANTIC,
    SYNTACTIC,
    head_child,
    head_tag,
    is_coordination,
)
from nlpsig_core.laboratory.reranking.features.places import Feature, Place
from nlpsig_core.laboratory.reranking.trees import Tree


def word(place: Place) -> Iterator[Feature]:
    """Yield a word with its tag, and with the tag's parent."""
    node = place.node
    if not node.children:
        yield "1", node.lower, node.label
        yield "2", node.lower, node.label, place.around.parent


def word_projection(place: Place) -> Iterator[Feature]:
    """Yield a word (no punctuation) with its maximal projection, and the parent of this; the root counts as none."""
    parent = place.around.parent
    maximal = not place.around.heads[SEMANTIC] or parent in ROOTS
    head = head_tag(place.node, SEMANTIC)
    if parent and maximal and head.label not in PUNCTUATION:
        yield "0:0:1", head.lower, place.node.label, parent


class Joins(NamedTuple):
    """The heads of a node, and what it joins.

    ``governors`` are its heads that govern others, ``heads`` those that depend on others. ``arcs`` are the dependents
    and governors that this node joins, ``outer`` all those inside it of which the governor depends on what governs the
    node, and ``chains`` the dependents, their governors and the governors of these that this node joins.
    """

    governors: tuple[Tree, ...]
    heads: tuple[Tree, ...]
    arcs: tuple[tuple[Tree, Tree], ...] = ()
    outer: tuple[tuple[Tree, Tree], ...] = ()
    chains: tuple[tuple[Tree, Tree, Tree], ...] = ()


@lru_cache(KEPT)
def _joins(node: Tree, semantic: bool) -> Joins:
    if not node.children:
        return Joins((node,), (node,))
    inner = [_joins(child, semantic) for child in node.children]
    if is_coordination(node):
        governors = [one.governors for one, label in zip(inner, node.labels, strict=True) if label == node.label]
        return Joins(sum(governors, ()), sum([one.heads for one in inner], ()), outer=sum([i.outer for i in inner], ()))
    line = inner.pop(head_child(node, semantic))
    arcs = tuple([(tag, governor) for one in inner for tag in one.heads for governor in line.governors])
    chains = tuple([(*arc, governor) for one in inner for arc in one.outer for governor in line.governors])
    return Joins(line.governors, line.heads, arcs, line.outer + arcs, chains)


def heads(place: Place) -> Iterator[Feature]:
    """Yield a head with its governor, and with the governor's governor.

    All children of a coordination depend on what governs it; its conjuncts that have its label govern what depends on
    it. The variants are named by: number of heads, whether words are shown (two numbers), kind of head (0 syntactic,
    1 semantic).
    """
    syntactic = _joins(place.node, SYNTACTIC)
    for dependent, governor in syntactic.arcs:
        yield "2:0:0:0", dependent.label, governor.label
        yield "2:1:1:0", dependent.label, dependent.lower, governor.label, governor.lower
    for dependent, governor in _joins(place.node, SEMANTIC).arcs:
        yield "2:1:1:1", dependent.label, dependent.lower, governor.label, governor.lower
    for dependent, middle, governor in syntactic.chains:
        yield "3:0:0:0", dependent.label, middle.label, governor.label
