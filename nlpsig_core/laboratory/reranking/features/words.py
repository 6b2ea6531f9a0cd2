"""Features of words: Word, WProj, Heads; and fragments of trees in brackets: NGramTree, HeadTree."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import lru_cache
from typing import NamedTuple

from nlpsig_core.laboratory.grammars.heads import KEPT, SEMANTIC, SYNTACTIC, head_child
from nlpsig_core.laboratory.grammars.lexicon import PUNCTUATION
from nlpsig_core.laboratory.grammars.trees import Tree
from nlpsig_core.laboratory.reranking.features.heads import FUNCTION_TAGS, ROOTS, head_tag, is_coordination
from nlpsig_core.laboratory.reranking.features.places import Feature, Place


def sees_word(place: Place) -> Feature | None:
    """Return the word, the tag and the parent of a tag; None for other nodes."""
    node = place.node
    return None if node.children else (node.lower, node.label, place.around.parent)


def word(place: Place) -> Iterator[Feature]:
    """Yield a word with its tag, and with the tag's parent."""
    if seen := sees_word(place):
        yield "1", *seen[:2]
        yield "2", *seen


def sees_projection(place: Place) -> Feature | None:
    """Return the head of a maximal projection, if it is no punctuation, the projection and its parent; else None."""
    parent = place.around.parent
    if not parent or (place.around.heads[SEMANTIC] and parent not in ROOTS):
        return None
    head = head_tag(place.node, SEMANTIC)
    return None if head.label in PUNCTUATION else (head.lower, place.node.label, parent)


def word_projection(place: Place) -> Iterator[Feature]:
    """Yield a word (no punctuation) with its maximal projection, and the parent of this; the root counts as none."""
    if seen := sees_projection(place):
        yield "0:0:1", *seen


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
        governors = [joins.governors for joins, label in zip(inner, node.labels, strict=True) if label == node.label]
        return Joins(sum(governors, ()), sum([j.heads for j in inner], ()), outer=sum([j.outer for j in inner], ()))
    line = inner.pop(head_child(node, semantic))
    arcs = tuple([(tag, governor) for joins in inner for tag in joins.heads for governor in line.governors])
    chains = tuple([(*arc, governor) for joins in inner for arc in joins.outer for governor in line.governors])
    return Joins(governors=line.governors, heads=line.heads, arcs=arcs, outer=line.outer + arcs, chains=chains)


def sees_heads(place: Place) -> Hashable:
    """Return the arcs and chains of heads that a node joins; None if there are none."""
    syntactic, semantic = _joins(place.node, SYNTACTIC), _joins(place.node, SEMANTIC)
    arcs = syntactic.arcs, semantic.arcs, syntactic.chains
    return arcs if any(arcs) else None


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


def sees_ngrams(place: Place) -> Hashable:
    """Return a node that joins words, and whether others follow it in the sentence."""
    return (place.node, place.around.rest > 0) if len(place.node.children) > 1 else None


def ngram_tree(place: Place) -> Iterator[Feature]:
    """Yield the smallest fragments that connect n adjacent words, at the node that dominates all of them.

    As in the original, the last word of the sentence is in no n-gram. The variants are named by: n, which words are
    shown (numbered as in the original: 0 none, 2 those of closed classes, 3 all), 1 (only nodes above the n words) and
    0 (no ancestors).
    """
    node = place.node
    label, children = node.label, node.children
    last, done = node.end if place.around.rest else node.end - 1, node.start - 1
    for i in range(1, len(children)):
        border = children[i].start
        if border < last:
            before, after = _ends(children[i - 1]), _ends(children[i])
            yield "2:0:1:0", f"({label} {before.last} {after.first})"
            yield "2:3:1:0", f"({label} {before.last_word} {after.first_word})"
        for start in range(max(border - 2, done + 1), min(border, last - 2)):
            yield "3:2:1:0", _fragment(node, start, start + 3)
        done = border - 1


class Ends(NamedTuple):
    """The part of a tree above its first word, and that above its last: with only its tag, and with the word, too."""

    first: str
    first_word: str
    last: str
    last_word: str


@lru_cache(KEPT)
def _ends(node: Tree) -> Ends:
    label, children = node.label, node.children
    if not children:
        word = f"({label} {node.lower})"
        return Ends(label, word, label, word)
    first, last = _ends(children[0]), _ends(children[-1])
    return Ends(
        f"({label} {first.first})",
        f"({label} {first.first_word})",
        f"({label} {last.last})",
        f"({label} {last.last_word})",
    )


@lru_cache(KEPT)
def _fragment(node: Tree, start: int, end: int) -> str:
    """Return the part of a tree above its words from ``start`` to ``end``; words of closed classes are shown."""
    label, children = node.label, node.children
    if not children:
        return f"({label} {node.lower})" if label in FUNCTION_TAGS else label
    inner = [
        _fragment(child, max(start, child.start), min(end, child.end))
        for child in children
        if child.start < end and child.end > start
    ]
    return f"({label} {' '.join(inner)})"


# The variants of HeadTree: whether the word of the head is shown, kind of head.
_HEADS = ((False, SYNTACTIC, "1:0:0:0"), (False, SEMANTIC, "1:0:0:1"), (True, SEMANTIC, "1:1:0:1"))


def sees_lines(place: Place) -> Hashable:
    """Return the node, and whether it is the syntactic and the semantic head of its parent; None if it is both."""
    heads = place.around.heads
    return None if all(heads) else (place.node, heads)


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
