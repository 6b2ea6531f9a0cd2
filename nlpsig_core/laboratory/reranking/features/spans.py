"""Features of a constituent's span: RightBranch, Heavy, Neighbours, Edges, WordEdges."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import product

from nlpsig_core.laboratory.reranking.features.heads import PUNCTUATION
from nlpsig_core.laboratory.reranking.features.places import Feature, Place, tags
from nlpsig_core.laboratory.reranking.trees import Tree


def sees_branch(place: Place) -> Hashable:
    """Whether the node is on the right-most branch, and whether it is punctuation."""
    return place.around.right, place.node.label in PUNCTUATION


def right_branch(place: Place) -> Iterator[Feature]:
    """1 for a node on the right-most branch, 0 for any other; punctuation does not count."""
    if place.node.label not in PUNCTUATION:
        yield "", "1" if place.around.right else "0"


def binned(length: int) -> str:
    """A number of words in bins: 0, 1, 2, 3 or 4 (called 4), and more (5)."""
    return str(length if length < 3 else 4 if length < 5 else 5)


def sees_span(place: Place) -> Hashable:
    """The label, the span, and the tags at its edges."""
    node, around = place.node, place.around
    return bool(node.children) and (node.label, node.start, node.end, tags(node)[:2], tags(node)[-2:], around[-2:])


def heavy(place: Place) -> Iterator[Feature]:
    """Length of a constituent, words to the end of the sentence, label, punctuation at its end and after it."""
    node = place.node
    if node.children:
        ends = (tags(node)[-1], place.around.after[0])
        marks = (tag.lower if tag.label in PUNCTUATION else "_" for tag in ends)
        yield "", binned(node.end - node.start), binned(place.around.rest), node.label, *marks


def neighbours(place: Place) -> Iterator[Feature]:
    """Label, binned length, and up to one tag on each side of a constituent: its own first tag, and the one after it.

    As published: that the tag on the left is the constituent's own is called a bug in the original's comments.
    """
    if place.node.children:
        yield from _neighbours(place, tags(place.node)[0].label)


def corrected_neighbours(place: Place) -> Iterator[Feature]:
    """Label, binned length, and up to one tag on each side of a constituent: the ones before and after it."""
    if place.node.children:
        yield from _neighbours(place, place.around.before[0].label)


def _neighbours(place: Place, left: str) -> Iterator[Feature]:
    """The variants are named, like the original's, by: length (1), number of tags on the left, and on the right."""
    seen, right = (binned(place.node.end - place.node.start), place.node.label), place.around.after[0].label
    yield "1:0:0", *seen
    yield "1:0:1", *seen, right
    yield "1:1:0", *seen, left
    yield "1:1:1", *seen, left, right


# How many words are seen before the start, after it, before the end and after it: at most two in all.
_WINDOWS = [window for window in product(range(3), repeat=4) if sum(window) <= 2]
_WINDOW_NAMES = [":".join(map(str, window)) for window in _WINDOWS]


def edges(place: Place) -> Iterator[Feature]:
    """Label of a constituent, with and without binned length, and tags around its edges, the nearest first.

    The variants are named by: length (0 or 1), numbers of tags before and after the start, before and after the end.
    """
    if place.node.children:
        yield from _edges(place, *([tag.label for tag in tags] for tags in _around_edges(place)))


def word_edges(place: Place) -> Iterator[Feature]:
    """The same as ``edges`` with words in place of tags."""
    if place.node.children:
        yield from _edges(place, *([tag.lower for tag in tags] for tags in _around_edges(place)))


def _around_edges(place: Place) -> tuple[tuple[Tree, ...], ...]:
    """Two tags before and after the start, before and after the end, the nearest first."""
    inside, before, after = tags(place.node), place.around.before, place.around.after
    return before, (*inside, *after)[:2], (*before[::-1], *inside)[:-3:-1], after


def _edges(place: Place, before: list[str], first: list[str], last: list[str], after: list[str]) -> Iterator[Feature]:
    length, label = binned(place.node.end - place.node.start), place.node.label
    for (a, b, c, d), name in zip(_WINDOWS, _WINDOW_NAMES, strict=True):
        seen = (label, *before[:a], *first[:b], *last[:c], *after[:d])
        yield f"0:{name}", *seen
        yield f"1:{name}", length, *seen
