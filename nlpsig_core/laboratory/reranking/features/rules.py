"""Features of local trees: Rule and NGram."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from nlpsig_core.laboratory.grammars.heads import KEPT, SYNTACTIC, head_child
from nlpsig_core.laboratory.grammars.trees import Tree
from nlpsig_core.laboratory.reranking.features.heads import FUNCTION_TAGS, ROOTS, head_tag
from nlpsig_core.laboratory.reranking.features.places import Feature, Place


class Shown(NamedTuple):
    """What a variant shows besides labels.

    ``length`` of the n-grams of children, 0 for the whole rule; ``ancestors`` (0 or 1); ``root``: whether the
    constituent that is shown highest is deeper than the children of the sentence; ``conjunct``: how a constituent is
    joined to its siblings; ``head``: the word of the head child (2); ``function``: words of closed classes that head
    children (2). The last two numbers of the original's names have one value here: no other words are shown, and
    heads are syntactic.
    """

    length: int = 0
    ancestors: int = 0
    root: int = 0
    conjunct: int = 0
    head: int = 0
    function: int = 0


# By the name of the variant, as in the original.
_RULES, _NGRAMS = (
    {name: Shown(*map(int, name.split(":")[:-2])) for name in names.split()}
    for names in (
        "0:0:0:0:0:0:0:1 0:1:0:0:0:0:0:1 0:0:1:0:0:0:0:1 0:0:0:1:0:0:0:1 0:0:0:0:2:0:0:1 0:0:0:0:0:2:0:1 "
        "0:0:0:0:2:2:0:1",
        "1:1:0:1:0:0:0:1 2:1:1:1:0:0:0:1 3:1:1:1:0:0:0:1 2:1:0:0:2:0:0:1 2:1:0:0:0:2:0:1",
    )
)


class Child(NamedTuple):
    """What a rule shows of a child: its label, and this with the word that heads it."""

    label: str
    with_word: tuple[str, ...]
    is_function: bool


# What stands before the first and after the last child.
_END = ("_",)


@lru_cache(KEPT)
def _child(node: Tree) -> Child:
    head = head_tag(node, SYNTACTIC)
    words = ("*HEAD*", head.label, head.lower) if node.children else (head.lower,)
    return Child(node.label, (node.label, *words), head.label in FUNCTION_TAGS)


def sees_rule(place: Place) -> Hashable:
    """Return the local tree with the words that are shown, the parent, how both are joined to siblings, and the depth.

    None for a tag.
    """
    return (_local(place.node), place.around[:3], place.around.depth) if place.node.children else None


@lru_cache(KEPT)
def _local(node: Tree) -> Hashable:
    """Return the labels of a node and of its children, and the words of its head and of closed classes."""
    children, head = [_child(child) for child in node.children], head_child(node, SYNTACTIC)
    shown = [child if i == head or child.is_function else child.label for i, child in enumerate(children)]
    return node.label, head, *shown


@lru_cache(KEPT)
def _shown(node: Tree, with_head: int, with_function: int) -> tuple[tuple[str, ...], ...]:
    """Return what is shown of each child: its label, or this with the word of the head or of a closed class."""
    children, head = [_child(child) for child in node.children], head_child(node, SYNTACTIC)
    return tuple(
        [
            child.with_word if (with_head and i == head) or (with_function and child.is_function) else (child.label,)
            for i, child in enumerate(children)
        ]
    )


def _has_words(parts: tuple[tuple[str, ...], ...]) -> bool:
    return max(map(len, parts)) > 1


def rule(place: Place) -> Iterator[Feature]:
    """Yield the labels of the children and of the node; the variants show more (see ``Shown``).

    A variant that shows only function words counts only rules that have some.
    """
    if place.node.children:
        for name, shown in _RULES.items():
            parts = _shown(place.node, shown.head, shown.function)
            if not shown.function or _has_words(parts):
                yield name, *chain.from_iterable(parts), *_above(place, shown)


def ngram(place: Place) -> Iterator[Feature]:
    """Yield n adjacent children, with the ends of the rule, and whether they begin before or with its head (or after).

    Rules with fewer than n children do not count. A variant that shows the head adds it where the n-gram lacks it. As
    in the original, a variant that shows function words ends at the first n-gram without any.
    """
    node = place.node
    if not node.children:
        return
    head = head_child(node, SYNTACTIC) + 1
    for name, shown in _NGRAMS.items():
        n, above = shown.length, _above(place, shown)
        line = (_END, *_shown(node, shown.head, shown.function), _END)
        for start in range(len(line) - n + 1 if len(node.children) >= n else 0):
            parts = line[start : start + n]
            if shown.function and not _has_words(parts):
                break
            where = "*PREHEAD*" if start < head else "*POSTHEAD*"
            more = line[head] if shown.head and not start <= head < start + n else ()
            yield name, *chain.from_iterable(parts), where, *more, *above


def _above(place: Place, shown: Shown) -> Feature:
    """Return what is shown of the node and above it."""
    around = place.around
    deep = shown.root and around.depth - shown.ancestors > 2
    flags = (around.flag, around.parent_flag) if shown.conjunct else ("", "")
    return _path(place.node.label, flags[0], around.parent if shown.ancestors else "", flags[1], bool(deep))


@lru_cache(KEPT)
def _path(label: str, flag: str, parent: str, parent_flag: str, deep: bool) -> Feature:
    """Return labels with flags; roots have no label."""
    seen = [label * (label not in ROOTS), flag, parent * (parent not in ROOTS), parent_flag * bool(parent)]
    return ("_", *filter(None, seen), *(["*NONROOT*"] if deep else []))
