"""Features of spans: RightBranch, Heavy, Neighbours, Edges, WordEdges; and of coordinations: CoPar, CoLenPar."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import pairwise, product

from nlpsig_core.laboratory.grammars.lexicon import PUNCTUATION
from nlpsig_core.laboratory.grammars.trees import Tree
from nlpsig_core.laboratory.reranking.features.heads import CONJUNCTIONS, is_coordination
from nlpsig_core.laboratory.reranking.features.places import Feature, Place, tags


def sees_branch(place: Place) -> str | None:
    """Return 1 for a node on the right-most branch, 0 for any other, None for punctuation."""
    return None if place.node.label in PUNCTUATION else str(int(place.around.right))


def right_branch(place: Place) -> Iterator[Feature]:
    """Yield 1 for a node on the right-most branch, 0 for any other; punctuation does not count."""
    if seen := sees_branch(place):
        yield "", seen


def binned(length: int) -> str:
    """Return a number of words in bins: 0, 1, 2, 3 or 4 (called 4), and more (5)."""
    return str(length if length < 3 else 4 if length < 5 else 5)


def sees_span(place: Place) -> Hashable:
    """Return the label, the span, the tags at its edges, and the number of words after it; None for a tag."""
    node, around = place.node, place.around
    if not node.children:
        return None
    inside = tags(node)
    return node.label, node.start, node.end, inside[:2], inside[-2:], around[-3:]


def heavy(place: Place) -> Iterator[Feature]:
    """Yield a constituent's length, words to the end of the sentence, label, punctuation at its end and after it."""
    node = place.node
    if node.children:
        ends = (tags(node)[-1], place.around.after[0])
        marks = (tag.lower if tag.label in PUNCTUATION else "_" for tag in ends)
        yield "", binned(node.end - node.start), binned(place.around.rest), node.label, *marks


def neighbours(place: Place) -> Iterator[Feature]:
    """Yield label, binned length, and up to one tag on each side: the constituent's own first one, and the one after.

    As published: that the tag on the left is the constituent's own is called a bug in the original's comments.
    """
    return _neighbours(place, tags(place.node)[0].label)


def corrected_neighbours(place: Place) -> Iterator[Feature]:
    """Yield label, binned length, and up to one tag on each side: those before and after the constituent."""
    return _neighbours(place, place.around.before[0].label)


def _neighbours(place: Place, left: str) -> Iterator[Feature]:
    """Yield variants named, like the original's, by: length (1), number of tags on the left, and on the right."""
    seen, right = (binned(place.node.end - place.node.start), place.node.label), place.around.after[0].label
    if place.node.children:
        yield "1:0:0", *seen
        yield "1:0:1", *seen, right
        yield "1:1:0", *seen, left
        yield "1:1:1", *seen, left, right


# How many words are seen before the start, after it, before the end and after it: at most two in all.
_WINDOWS = {":".join(map(str, sizes)): sizes for sizes in product(range(3), repeat=4) if sum(sizes) <= 2}


def edges(place: Place) -> Iterator[Feature]:
    """Yield a constituent's label, with and without binned length, and tags around its edges, the nearest first.

    The variants are named by: length (0 or 1), numbers of tags before and after the start, before and after the end.
    """
    return _edges(place, "label")


def word_edges(place: Place) -> Iterator[Feature]:
    """Yield the same as ``edges`` with words in place of tags."""
    return _edges(place, "lower")


def _edges(place: Place, shown: str) -> Iterator[Feature]:
    if place.node.children:
        inside, before, after = tags(place.node), place.around.before, place.around.after
        sides = before, (*inside, *after)[:2], (*before[::-1], *inside)[:-3:-1], after
        before_start, first, last, after_end = ([getattr(tag, shown) for tag in side] for side in sides)
        length, label = binned(place.node.end - place.node.start), place.node.label
        for name, (a, b, c, d) in _WINDOWS.items():
            seen = (label, *before_start[:a], *first[:b], *last[:c], *after_end[:d])
            yield f"0:{name}", *seen
            yield f"1:{name}", length, *seen


DEEPEST, LONGEST = 5, 5


def sees_coordination(place: Place) -> Hashable:
    """Return the node if it is a coordination; else None."""
    return place.node if is_coordination(place.node) else None


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
        _equal(ours, theirs, depth - 1) for ours, theirs in zip(first.children, second.children, strict=True)
    )
