"""Places: the nodes of a tree with what feature classes see around them.

A feature belongs to one place, so the counts of a parse are the sum over its places. The parses of a list share most of
their places: equal nodes in equal surroundings are one Place, and its features are computed once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from nlpsig_core.laboratory.grammars.heads import KEPT, SEMANTIC, SYNTACTIC, head_child, last_word
from nlpsig_core.laboratory.grammars.lexicon import PUNCTUATION
from nlpsig_core.laboratory.grammars.trees import Tree
from nlpsig_core.laboratory.reranking.features.heads import how_joined

# A variant of the class ("" if there is only one), and what was seen.
Feature = tuple[str, ...]
# Levels below the root that are told apart; all deeper ones are the same.
DEEPEST = 4
# What stands before the first and after the last word.
EDGE = Tree(label="_", children=(), start=-1, word="_")


class Around(NamedTuple):
    """What classes see around a node.

    ``parent`` is the label of the parent, "" for the root. ``flag`` tells how the parent joins the node to its
    siblings (``*CONJ*``, ``*ADJ*``, or with LAST where nothing but punctuation follows the parent below the
    grandparent); ``parent_flag`` is that of the parent. ``last``: only punctuation follows below the parent.
    ``right``: the node is on the right-most branch. ``depth`` is 0 for the root, at most DEEPEST. ``heads``: whether
    the node is the syntactic and the semantic head of its parent. ``rest``: number of words after the node.
    ``before`` and ``after`` are the two tags on each side, the nearest first.
    """

    parent: str
    flag: str
    parent_flag: str
    last: bool
    right: bool
    depth: int
    heads: tuple[bool, bool]
    rest: int
    before: tuple[Tree, Tree]
    after: tuple[Tree, Tree]


TOP = Around(
    parent="",
    flag="",
    parent_flag="",
    last=True,
    right=True,
    depth=0,
    heads=(False, False),
    rest=0,
    before=(EDGE, EDGE),
    after=(EDGE, EDGE),
)


@dataclass(eq=False, slots=True)
class Place:
    """A node and what is around it; ``below`` are the numbers of this place and of all below it."""

    node: Tree
    around: Around
    below: list[int]


class Places:
    """The places of the trees of one list: ``all`` by number."""

    def __init__(self) -> None:
        self.all: list[Place] = []
        self.known: dict[tuple[Tree, Around], Place] = {}

    def place(self, node: Tree, around: Around = TOP) -> Place:
        """Return the place of a node, or of the root of a tree."""
        key = (node, around)
        place = self.known.get(key)
        if place is None:
            place = self.known[key] = Place(node, around, [len(self.all)])
            self.all.append(place)
            for child, its_surroundings in zip(node.children, _below(place), strict=True):
                place.below += self.place(child, its_surroundings).below
        return place


@lru_cache(KEPT)
def tags(node: Tree) -> tuple[Tree, ...]:
    """Return the tags of the words of a node."""
    return sum((tags(child) for child in node.children), ()) if node.children else (node,)


def _below(place: Place) -> list[Around]:
    """Return what is around each child of a place."""
    node, around = place.node, place.around
    if not node.children:
        return []
    labels = node.labels
    how, final = how_joined(labels, node.label), last_word(labels)
    flag = f"*{'LAST' if around.last else ''}{how}*" if how else ""
    syntactic, semantic = head_child(node, SYNTACTIC), head_child(node, SEMANTIC)
    line = (around.before[1], around.before[0], *tags(node), *around.after)
    result = []
    for i, child in enumerate(node.children):
        start, end = child.start - node.start + 2, child.end - node.start + 2
        right = around.right and i == final and child.label not in PUNCTUATION
        result.append(
            Around(
                parent=node.label,
                flag=flag if child.children else "",
                parent_flag=around.flag,
                last=i >= final,
                right=right,
                depth=min(around.depth + 1, DEEPEST),
                heads=(i == syntactic, i == semantic),
                rest=around.rest + node.end - child.end,
                before=(line[start - 1], line[start - 2]),
                after=(line[end], line[end + 1]),
            )
        )
    return result
