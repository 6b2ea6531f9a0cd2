"""Features of single words: NLogP, Word, WProj."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

from nlpsig_core.laboratory.reranking.features.base import Feature
from nlpsig_core.laboratory.reranking.features.heads import PUNCTUATION, ROOTS, SEMANTIC, head_tag
from nlpsig_core.laboratory.reranking.features.places import Place
from nlpsig_core.laboratory.reranking.lists import Candidate


def log_probability(candidate: Candidate) -> Mapping[Feature, float]:
    """The negative logarithm of the base parser's probability."""
    return {("",): -candidate.score}


def sees_tag(place: Place) -> Hashable:
    """A tag with its word, and its parent."""
    return not place.node.children and (place.node, place.around.parent)


def word(place: Place) -> Iterator[Feature]:
    """A word with its tag, and with the tag's parent."""
    node = place.node
    if not node.children:
        yield "1", node.lower, node.label
        yield "2", node.lower, node.label, place.around.parent


def sees_projection(place: Place) -> Hashable:
    """The word that heads the node, its label, its parent, and whether it is its parent's head."""
    head = head_tag(place.node, SEMANTIC)
    return head, place.node.label, place.around.parent, place.around.heads[SEMANTIC]


def word_projection(place: Place) -> Iterator[Feature]:
    """A word (no punctuation) with its maximal projection, and the parent of this; the root does not count as one."""
    parent = place.around.parent
    maximal = not place.around.heads[SEMANTIC] or parent in ROOTS
    head = head_tag(place.node, SEMANTIC)
    if parent and maximal and head.label not in PUNCTUATION:
        yield "0:0:1", head.lower, place.node.label, parent
