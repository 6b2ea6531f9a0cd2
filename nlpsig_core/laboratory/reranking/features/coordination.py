"""Features of coordinations: CoPar and CoLenPar."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from nlpsig_core.laboratory.reranking.features.heads import CONJUNCTIONS, PUNCTUATION, is_coordination
from nlpsig_core.laboratory.reranking.features.places import Feature, Place
from nlpsig_core.laboratory.reranking.trees import Tree

DEEPEST, LONGEST = 5, 5


def parallel(place: Place) -> Iterator[Feature]:
    """Yield whether (1) the labels of two adjacent conjuncts are equal down to each depth from 1 to 5."""
    for first, second in _conjuncts(place.node):
        for depth in range(1, DEEPEST + 1):
            yield "0", str(depth), str(int(_equal(first, second, depth)))


def parallel_length(place: Place) -> Iterator[Feature]:
    """Yield how many words the second of two adjacent conjuncts is longer (-5 to 5), and if it is the last child."""
    for first, second in _conjuncts(place.node):
        longer = (second.end - second.start) - (first.end - first.start)
        is_last = int(second is place.node.children[-1])
        yield "", str(max(-LONGEST, min(longer, LONGEST))), str(is_last)


def _conjuncts(node: Tree) -> Iterator[tuple[Tree, Tree]]:
    """Yield adjacent pairs of the children of a coordination, without punctuation and conjunctions."""
    if is_coordination(node):
        yield from pairwise(child for child in node.children if child.label not in PUNCTUATION | CONJUNCTIONS)


def _equal(first: Tree, second: Tree, depth: int) -> bool:
    """Return whether two trees have the same labels down to this depth; 1 is the root alone."""
    if first.label != second.label or depth == 1:
        return first.label == second.label
    return len(first.children) == len(second.children) and all(
        _equal(one, other, depth - 1) for one, other in zip(first.children, second.children, strict=True)
    )
