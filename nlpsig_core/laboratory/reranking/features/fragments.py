"""Features that are fragments of trees: NGramTree and HeadTree. Fragments are written in brackets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from nlpsig_core.laboratory.reranking.features.heads import FUNCTION_TAGS, KEPT, SEMANTIC, SYNTACTIC, head_child
from nlpsig_core.laboratory.reranking.features.places import Feature, Place
from nlpsig_core.laboratory.reranking.trees import Tree

# Which words NGramTree shows, numbered as in the original: none, those of closed classes, all.
NO_WORDS, FUNCTION_WORDS, ALL_WORDS = 0, 2, 3
_NGRAMS = ((2, NO_WORDS, "2:0:1:0"), (2, ALL_WORDS, "2:3:1:0"), (3, FUNCTION_WORDS, "3:2:1:0"))
# The variants of HeadTree: whether the word of the head is shown, kind of head.
_HEADS = ((False, SYNTACTIC, "1:0:0:0"), (False, SEMANTIC, "1:0:0:1"), (True, SEMANTIC, "1:1:0:1"))


def ngram_tree(place: Place) -> Iterator[Feature]:
    """Yield the smallest fragments that connect n adjacent words, at the node that dominates all of them.

    As in the original, the last word of the sentence is in no n-gram. The variants are named by: n, which words are
    shown, 1 (only nodes above the n words) and 0 (no ancestors).
    """
    node = place.node
    last = node.end if place.around.rest else node.end - 1
    for n, words, name in _NGRAMS if len(node.children) > 1 else ():
        # n words from the start on are below no single child if a boundary of children is inside them.
        starts = {start for child in node.children[1:] for start in range(child.start - n + 1, child.start)}
        for start in starts:
            if node.start <= start and start + n <= last:
                yield name, _fragment(node, start, start + n, words)


@lru_cache(KEPT)
def _fragment(node: Tree, start: int, end: int, words: int) -> str:
    """Return the part of a tree above its words from ``start`` to ``end``."""
    if not node.children:
        shown = words == ALL_WORDS or (words == FUNCTION_WORDS and node.label in FUNCTION_TAGS)
        return f"({node.label} {node.lower})" if shown else node.label
    inner = [
        _fragment(child, max(start, child.start), min(end, child.end), words)
        for child in node.children
        if child.start < end and child.end > start
    ]
    return f"({node.label} {' '.join(inner)})"


def head_tree(place: Place) -> Iterator[Feature]:
    """Yield the line from a maximal projection down to its head, with the neighbours of each node on the line.

    The variants are named by: 1 (only adjacent siblings), whether the head's word is shown, 0 (no ancestors), and the
    kind of head (0 syntactic, 1 semantic).
    """
    for with_word, semantic, name in _HEADS:
        if not place.around.heads[semantic]:
            yield name, _line(place.node, with_word, semantic)


@lru_cache(KEPT)
def _line(node: Tree, with_word: bool, semantic: bool) -> str:
    if not node.children:
        return f"({node.label} {node.lower})" if with_word else node.label
    children, head = node.children, head_child(node, semantic)
    before = f"{children[head - 1].label} " if head else ""
    after = f" {children[head + 1].label}" if head + 1 < len(children) else ""
    return f"({node.label} {before}{_line(children[head], with_word, semantic)}{after})"
