"""Features of local trees: Rule and NGram."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import lru_cache
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


_NONE = Child("_", ("_",), False)


@lru_cache(KEPT)
def _child(node: Tree) -> Child:
    head = head_tag(node, SYNTACTIC)
    words = ("*HEAD*", head.label, head.lower) if node.children else (head.lower,)
    return Child(node.label, (node.label, *words), head.label in FUNCTION_TAGS)


def sees_rule(place: Place) -> Hashable:
    """Return the local tree with the words of heads, the parent, how both are joined to siblings, and the depth."""
    node, around = place.node, place.around
    if not node.children:
        return None
    return node.label, around[:3], around.depth, head_child(node, SYNTACTIC), tuple([_child(c) for c in node.children])


def rule(place: Place) -> Iterator[Feature]:
    """Yield the labels of the children and of the node; the variants show more (see ``Shown``).

    A variant that shows only function words counts only rules that have some.
    """
    if place.node.children:
        children, head = [_child(child) for child in place.node.children], head_child(place.node, SYNTACTIC)
        for name, shown in _RULES.items():
            seen, words = _labels(children, head, shown)
            if words or not (shown.head or shown.function):
                yield name, *seen, *_above(place, shown)


def ngram(place: Place) -> Iterator[Feature]:
    """Yield n adjacent children, with the ends of the rule, and whether they begin before or with its head (or after).

    Rules with fewer than n children do not count. A variant that shows the head adds it where the n-gram lacks it. As
    in the original, a variant that shows function words ends at the first n-gram without any.
    """
    node = place.node
    if not node.children:
        return
    line, head = [_NONE, *map(_child, node.children), _NONE], head_child(node, SYNTACTIC) + 1
    for name, shown in _NGRAMS.items():
        n, above = shown.length, _above(place, shown)
        for start in range(len(line) - n + 1 if len(node.children) >= n else 0):
            seen, words = _labels(line[start : start + n], head - start, shown)
            if shown.function and not words:
                break
            where = "*PREHEAD*" if start < head else "*POSTHEAD*"
            more = line[head].with_word if shown.head and not start <= head < start + n else ()
            yield name, *seen, where, *more, *above


def _labels(children: list[Child], head: int, shown: Shown) -> tuple[list[str], bool]:
    """Return what is shown of adjacent children, and whether words are among it."""
    if not (shown.head or shown.function):
        return [child.label for child in children], False
    seen, any_word = list[str](), False
    for i, child in enumerate(children):
        with_word = (shown.head and i == head) or (shown.function and child.is_function)
        seen += child.with_word if with_word else (child.label,)
        any_word = any_word or bool(with_word)
    return seen, any_word


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
