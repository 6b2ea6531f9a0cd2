"""Drawings of bracketed trees: gold and outputs with the brackets, or tags, that EVALB counts as wrong or missed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from nlpsig_core.base.runtime import cached_property
from nlpsig_core.base.words import count
from nlpsig_core.data.drawings.brackets import TreeErrors, compared_brackets, compared_words, tree_errors
from nlpsig_core.data.drawings.markup import (
    GOLD,
    MISSED,
    NO_OUTPUT,
    RIGHT_ALONE,
    element,
    frame,
    head,
    listed,
    missed_marks,
    scrolling,
    span,
)
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.readers.brackets import BracketedTree, BracketedTrees, GoldTrees

NOTHING = BracketedTree([], [], [], [], [])
# Drawn for a bracket without a label.
NO_LABEL = "( )"
MARKS = {"wrong": "✗", "alone": "✓", "deleted": "", "": ""}
LEGEND = {
    "tags": (element("leaf wrong", span("tag", "NN ✗"), tag="span"), "differs from the gold tag"),
    "wrong": (span("dashed", "NP ✗"), "not a bracket of the gold"),
    "missed": MISSED,
    "alone": RIGHT_ALONE,
    "folded": (element("leaf folded", span("tag", "NP"), span("form", "…"), tag="span"), "the same in all trees"),
    "deleted": (span("deleted", "NP"), "not counted by EVALB"),
}


@dataclass
class Node:
    """A bracket that contains words: its index in the tree, its span, its children and its height above the words."""

    index: int
    start: int
    end: int
    children: list[Node] = field(default_factory=list)
    height: int = 1


@dataclass(frozen=True, kw_only=True)
class DrawnTree:
    """A tree with the text above it.

    ``compared``, ``wrong`` and ``missed`` hold brackets by index, the last with their marks; ``words`` holds how often
    each word is compared, and ``tags`` maps words with a wrong tag to the gold tag. ``alone`` are brackets that are
    right here and missed by another output; ``folded`` words stand for several.
    """

    name: str
    summary: str
    tree: BracketedTree = NOTHING
    compared: Collection[int] = ()
    words: Sequence[int] = ()
    wrong: Collection[int] = ()
    missed: Mapping[int, str] = field(default_factory=dict)
    tags: Mapping[int, str] = field(default_factory=dict)
    errors: TreeErrors | None = None
    alone: Collection[int] = ()
    folded: Collection[int] = ()

    @cached_property
    def nodes(self) -> list[Node]:
        """The brackets that contain words, in the order of opening."""
        return _nodes(self.tree)

    @property
    def levels(self) -> int:
        """The rows of brackets above the words, two for each."""
        return 2 * max((node.height for node in self.nodes), default=0)

    @property
    def deleted(self) -> bool:
        """Whether some word or bracket is not compared."""
        return not all(self.words) or any(node.index not in self.compared for node in self.nodes)


def text(gold: GoldTrees, unit: int) -> str:
    """Return the words of a sentence joined by spaces, without those that do not count for its length (traces)."""
    tree = gold.trees[unit]
    pairs = zip(tree.tags, tree.words, strict=True)
    return " ".join(word for tag, word in pairs if tag not in gold.rules.deleted_for_length)


def draw(gold: GoldTrees, outputs: Mapping[str, BracketedTrees | None], unit: int, metric: Metric) -> str:
    """Draw the gold and output trees of a sentence with their errors: brackets, or tags for tagging accuracy."""
    drawn = drawn_trees(gold, outputs, unit, metric)
    columns = max(1, *(len(each.tree.words) for each in drawn))
    grid = element("columns", *cells(drawn), style=f"grid-template-columns:repeat({columns},auto)")
    return framed(scrolling(grid, label="constituency trees"), drawn, metric)


def drawn_trees(
    gold: GoldTrees, outputs: Mapping[str, BracketedTrees | None], unit: int, metric: Metric
) -> list[DrawnTree]:
    """Return the gold and the output trees of a sentence with what is marked in them."""
    by_tags, labelled = "tags" in metric.columns, "labelled" in metric.editions
    by_system = {
        name: None if output is None else tree_errors(gold, output, unit, labelled) for name, output in outputs.items()
    }
    counted = gold.sentences[unit]
    brackets = counted.labelled if labelled else counted.brackets
    summary = count(len(counted.words), "tag") if by_tags else count(len(brackets), "bracket")
    missed = {} if by_tags else missed_marks({name: each.missed if each else () for name, each in by_system.items()})
    drawn = [_drawn(gold, unit, gold.trees[unit], labelled, name=GOLD, summary=summary, missed=missed)]
    for name, output in outputs.items():
        errors = by_system[name]
        if errors is None or output is None:
            drawn.append(DrawnTree(name=name, summary=NO_OUTPUT))
            continue
        summary = errors.reason or (_tag_summary(errors) if by_tags else _bracket_summary(errors))
        marks: dict[str, Any] = {"tags": errors.tags} if by_tags else {"wrong": errors.wrong, "errors": errors}
        drawn.append(_drawn(gold, unit, output.trees[unit], labelled, name=name, summary=summary, **marks))
    return drawn


def framed(body: str, drawn: Sequence[DrawnTree], metric: Metric) -> str:
    """Return the drawing of trees, gold first, with a legend of the marks that occur in them."""
    legend = [entry for mark, entry in LEGEND.items() if any(getattr(each, mark) for each in drawn)]
    note = f"errors are marked by labelled brackets, not by {metric.label}: a wrong bracket need not cross the gold"
    return frame(
        body,
        legend=legend,
        words=drawn[0].tree.words,
        note=note if {"crossing", "no_crossing"} & set(metric.columns) else "",
    )


def _drawn(gold: GoldTrees, unit: int, tree: BracketedTree, labelled: bool, **marks: Any) -> DrawnTree:
    """Return a tree of a unit with the words and brackets that are compared."""
    words = compared_words(gold.trees[unit], tree, gold.rules)[1]
    compared = {bracket.number for bracket in compared_brackets(tree, words, gold.rules, labelled)}
    return DrawnTree(tree=tree, compared=compared, words=words, **marks)


def cells(drawn: Sequence[DrawnTree]) -> Iterator[str]:
    """Yield the cells of a grid with a column per word: for each tree its heading, brackets from the top, and words."""
    row = 1
    for number, tree in enumerate(drawn):
        yield head(tree.name, tree.summary, number, f"grid-row:{row}")
        yield from cells_of_tree(tree, row + 1)
        row += 2 + tree.levels


def cells_of_tree(drawn: DrawnTree, row: int = 1) -> Iterator[str]:
    """Yield the cells of the brackets and words of a tree, from a row of the grid on."""
    bottom = row + drawn.levels
    yield from _leaves(drawn, bottom)
    for node in drawn.nodes:
        yield from _bracket(drawn, node, bottom)


def _bracket_summary(errors: TreeErrors) -> str:
    counted = errors.statistics
    crossing = counted["crossing"]
    return listed(
        f"{counted['matched']:,} of {count(counted['gold_brackets'], 'bracket')} right",
        f"{len(errors.missed):,} missed" if errors.missed else "",
        f"{len(errors.wrong):,} not in the gold" if errors.wrong else "",
        f"{crossing:,} crossing" if crossing else "",
        _tag_summary(errors) if counted["tags"] < counted["words"] else "",
    )


def _tag_summary(errors: TreeErrors) -> str:
    counted = errors.statistics
    return f"{counted['tags']:,} of {count(counted['words'], 'tag')} right"


def _nodes(tree: BracketedTree) -> list[Node]:
    nodes: list[Node] = []
    around: list[Node] = []
    for index, (start, end) in enumerate(zip(tree.starts, tree.ends, strict=True)):
        if start == end:
            continue
        while around and around[-1].end <= start:
            around.pop()
        node = Node(index, start, end)
        if around:
            around[-1].children.append(node)
        nodes.append(node)
        around.append(node)
    for node in reversed(nodes):
        node.height = 1 + max((child.height for child in node.children), default=0)
    return nodes


def _leaves(drawn: DrawnTree, row: int) -> Iterator[str]:
    for i, (word, tag, compared) in enumerate(zip(drawn.tree.words, drawn.tree.tags, drawn.words, strict=True), 1):
        right = drawn.tags.get(i - 1, "")
        parts = span("tag", f"{tag} ✗" if right else tag), span("form", word)
        kind = "leaf wrong" if right else "leaf" if compared else "leaf deleted"
        kind += " folded" if i - 1 in drawn.folded else ""
        title = f"gold: {right}" if right else ""
        yield element(kind, *parts, style=f"grid-area:{row}/{i}", title=title)


def _bracket(drawn: DrawnTree, node: Node, bottom: int) -> Iterator[str]:
    """Yield the label of a bracket, and the lines to its children; ``bottom`` is the row of the words."""
    kind = "wrong" if node.index in drawn.wrong else "" if node.index in drawn.compared else "deleted"
    kind = "alone" if node.index in drawn.alone else kind
    label = drawn.tree.labels[node.index] or NO_LABEL
    marked = span("", f"{label} {MARKS[kind]}".strip()) + drawn.missed.get(node.index, "")
    content = element("label", marked, tag="span")
    row = bottom - 2 * node.height
    yield element(f"node {kind}".strip(), content, style=f"grid-area:{row}/{node.start + 1}/auto/{node.end + 1}")
    inside = [(child.start, child.end, child.height) for child in node.children]
    before = [node.start, *(child.end for child in node.children)]
    after = [*(child.start for child in node.children), node.end]
    between = (range(*gap) for gap in zip(before, after, strict=True))
    inside += [(word, word + 1, 0) for word in chain.from_iterable(between)]
    for start, end, height in inside:
        ends = " first" * (start == node.start) + " last" * (end == node.end)
        area = f"grid-area:{row + 1}/{start + 1}/{bottom - 2 * height}/{end + 1}"
        yield element(f"riser{ends} {kind}".strip(), style=area)
