"""Features of coordinations: CoPar and CoLenPar."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import pairwise

from nlpsig_core.laboratory.reranking.features.base import Feature
from nlpsig_core.laboratory.reranking.features.heads import CONJUNCTIONS, PUNCTUATION, is_coordination
from nlpsig_core.laboratory.reranking.features.places import Place
from nlpsig_core.laboratory.reranking.trees import Tree

DEEPEST, LONGEST = 5, 5


def sees_coordination(place: Place) -> Hashable:
    """The whole subtree of a coordination."""
    return is_coordination(place.node) and place.node


def parallel(place: Place) -> Iterator[Feature]:
    """For two adjacent conjuncts and each depth from 1 to 5: whether (1) their labels are equal down to it."""
    for one, other in _conjuncts(place.node):
        for depth in range(1, DEEPEST + 1):
            yield "0", str(depth), str(int(_equal(one, other, depth)))


def parallel_length(place: Place) -> Iterator[Feature]:
    """For two adjacent conjuncts, how many words the second is longer (-5 to 5), and whether it is the last child."""
    for one, other in _conjuncts(place.node):
        longer = (other.end - other.start) - (one.end - one.start)
        is_last = int(other is place.node.children[-1])
        yield "", str(max(-LONGEST, min(longer, LONGEST))), str(is_last)


def _conjuncts(node: Tree) -> Iterator[tuple[Tree, Tree]]:
    """Adjacent pairs of the children of a coordination, without punctuation and conjunctions."""
    if is_coordination(node):
        left_out = PUNCTUATION | CONJUNCTIONS
        yield from pairwise(child for child in node.children if child.label not in left_out)


def _equal(one: Tree, other: Tree, depth: int) -> bool:
    """Whether two trees have the same labels down to this depth; 1 is the root alone."""
    if one.label != other.label:
        return False
    if depth == 1:
        return True
    if len(one.children) != len(other.children):
        return False
    return all(_equal(a, b, depth - 1) for a, b in zip(one.children, other.children, strict=True))
