"""Constituency trees over their words, gold and outputs, with the brackets that EVALB finds wrong or missing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from nlpsig_core.drawings.brackets import Comparison, compare, compared_brackets, compared_words
from nlpsig_core.drawings.markup import (
    GOLD,
    NO_OUTPUT,
    element,
    frame,
    head,
    listed,
    missed_by,
    reads_right_to_left,
    scrolling,
    several,
    span,
)
from nlpsig_core.metrics.base import Metric
from nlpsig_core.readers.brackets import BracketedTree, BracketedTrees, GoldTrees

NOTHING = BracketedTree([], [], [], [], [])
# What stands in the drawing where a bracket has no label.
NO_LABEL = "( )"
LEGEND = {
    "tags": (element("leaf wrong", span("tag", "NN ✗"), tag="span"), "not the gold's tag"),
    "wrong": (span("dashed", "NP ✗"), "not a bracket of the gold"),
    "missed": (missed_by((1,), ("the system of that number",)), "missed by the system of that number"),
    "deleted": (span("deleted", "NP"), "EVALB does not count it"),
}


@dataclass
class _Node:
    """A bracket that holds words: its place in the tree, its span, how high it stands above the words."""

    place: int
    start: int
    end: int
    children: list[_Node] = field(default_factory=list)
    height: int = 1


@dataclass(frozen=True)
class _Drawn:
    """A tree with what is said above it, and by places which brackets and words are compared and which marked.

    ``tags`` are the right tags of words whose own is marked.
    """

    name: str
    said: str
    number: int = 0
    tree: BracketedTree = NOTHING
    compared: Collection[int] = ()
    words: Collection[int] = ()
    wrong: Collection[int] = ()
    missed: Mapping[int, str] = field(default_factory=dict)
    tags: Mapping[int, str] = field(default_factory=dict)

    @cached_property
    def nodes(self) -> list[_Node]:
        """The brackets that hold words, in the order in which they open, with their children and heights."""
        return _nodes(self.tree)

    @property
    def leaves_out(self) -> bool:
        """Whether there is a word or a bracket that is not compared."""
        return not all(self.words) or any(node.place not in self.compared for node in self.nodes)


def lengths(gold: GoldTrees) -> np.ndarray:
    """Words of each sentence as EVALB counts its length, (sentences,)."""
    return np.array(gold.lengths)


def text(gold: GoldTrees, unit: int) -> str:
    """The words of a sentence between spaces, without those that do not count for its length (traces)."""
    tree = gold.trees.trees[unit]
    pairs = zip(tree.tags, tree.words, strict=True)
    return " ".join(word for tag, word in pairs if tag not in gold.rules.deleted_for_length)


def draw(gold: GoldTrees, outputs: Mapping[str, BracketedTrees | None], unit: int, metric: Metric) -> str:
    """The tree of a sentence in the gold and in each output, one above the other, with their errors.

    Marked are brackets, or the tags where the metric counts those.
    """
    by_tags, labelled = "tags" in metric.columns, "labelled" in metric.editions
    tree = gold.trees.trees[unit]
    found = {
        name: None if output is None else compare(gold, output, unit, labelled) for name, output in outputs.items()
    }
    counted = gold.sentences[unit]
    said = (
        several(len(counted.words), "tag")
        if by_tags
        else several(len(counted.labelled if labelled else counted.brackets), "bracket")
    )
    drawn = [_drawn(gold, unit, tree, labelled, name=GOLD, said=said, missed={} if by_tags else _missed(found))]
    for number, (name, output) in enumerate(outputs.items(), 1):
        comparison = found[name]
        if comparison is None or output is None:
            drawn.append(_Drawn(name, NO_OUTPUT, number))
            continue
        said = comparison.reason or (_tags_said(comparison) if by_tags else _said(comparison))
        marks = {"tags": comparison.tags} if by_tags else {"wrong": comparison.wrong}
        drawn.append(_drawn(gold, unit, output.trees[unit], labelled, name=name, said=said, number=number, **marks))
    columns = max(1, *(len(one.tree.words) for one in drawn))
    grid = element("columns", *_cells(drawn), style=f"grid-template-columns:repeat({columns},auto)")
    shown = {
        "tags": any(one.tags for one in drawn),
        "wrong": any(one.wrong for one in drawn),
        "missed": any(one.missed for one in drawn),
        "deleted": any(one.leaves_out for one in drawn),
    }
    legend = [said for mark, said in LEGEND.items() if shown[mark]]
    box = scrolling(grid, label="constituency trees")
    return frame(box, legend=legend, right_to_left=reads_right_to_left(tree.words), note=_note(metric))


def _note(metric: Metric) -> str:
    """By what is marked where that is another than the metric."""
    if not {"crossing", "no_crossing"} & set(metric.columns):
        return ""
    return f"marked by labelled brackets, not by {metric.label}: a wrong bracket need not cross one of the gold"


def _drawn(gold: GoldTrees, unit: int, tree: BracketedTree, labelled: bool, **marks: Any) -> _Drawn:
    """The tree with what is compared of it."""
    words = compared_words(gold.trees.trees[unit], tree, gold.rules)[1]
    compared = {bracket.place for bracket in compared_brackets(tree, words, gold.rules, labelled)}
    return _Drawn(tree=tree, compared=compared, words=words, **marks)


def _cells(drawn: Sequence[_Drawn]) -> Iterator[str]:
    """The cells of a grid with a column a word: of each tree its head, brackets from the top, words."""
    row = 1
    for one in drawn:
        yield head(one.name, one.said, one.number, f"grid-row:{row}")
        bottom = row + 1 + 2 * max((node.height for node in one.nodes), default=0)
        yield from _leaves(one, bottom)
        for node in one.nodes:
            yield from _bracket(one, node, bottom)
        row = bottom + 1


def _missed(found: Mapping[str, Comparison | None]) -> dict[int, str]:
    """By bracket of the gold: the mark of the outputs that do not have it."""
    by_place: dict[int, list[tuple[int, str]]] = {}
    for number, (name, comparison) in enumerate(found.items(), 1):
        for place in comparison.missed if comparison else ():
            by_place.setdefault(place, []).append((number, name))
    return {place: missed_by(*zip(*of, strict=True)) for place, of in by_place.items()}


def _said(comparison: Comparison) -> str:
    counted = comparison.statistics
    crossing = counted["crossing"]
    return listed(
        f"{counted['matched']:,} of {several(counted['gold_brackets'], 'bracket')} right",
        f"{len(comparison.missed):,} missed" if comparison.missed else "",
        f"{len(comparison.wrong):,} not of the gold" if comparison.wrong else "",
        f"{crossing:,} crossing" if crossing else "",
        f"{counted['tags']:,} of {several(counted['words'], 'tag')} right"
        if counted["tags"] < counted["words"]
        else "",
    )


def _tags_said(comparison: Comparison) -> str:
    counted = comparison.statistics
    return f"{counted['tags']:,} of {several(counted['words'], 'tag')} right"


def _nodes(tree: BracketedTree) -> list[_Node]:
    nodes: list[_Node] = []
    around: list[_Node] = []
    for place, (start, end) in enumerate(zip(tree.starts, tree.ends, strict=True)):
        if start == end:
            continue
        while around and around[-1].end <= start:
            around.pop()
        node = _Node(place, start, end)
        if around:
            around[-1].children.append(node)
        nodes.append(node)
        around.append(node)
    for node in reversed(nodes):
        node.height = 1 + max((child.height for child in node.children), default=0)
    return nodes


def _leaves(one: _Drawn, row: int) -> Iterator[str]:
    """The words with their tags, in that row of the grid."""
    for i, (word, tag, compared) in enumerate(zip(one.tree.words, one.tree.tags, one.words, strict=True), 1):
        right = one.tags.get(i - 1, "")
        parts = span("tag", f"{tag} ✗" if right else tag), span("form", word)
        kind = "leaf wrong" if right else "leaf" if compared else "leaf deleted"
        said = f"gold: {right}" if right else ""
        yield element(kind, *parts, style=f"grid-area:{row}/{i}", title=said)


def _bracket(one: _Drawn, node: _Node, bottom: int) -> Iterator[str]:
    """The label of a bracket, and the lines to what is directly inside of it; ``bottom`` is the row of the words."""
    kind = "wrong" if node.place in one.wrong else "" if node.place in one.compared else "deleted"
    label = one.tree.labels[node.place] or NO_LABEL
    marked = span("", f"{label} ✗" if kind == "wrong" else label) + one.missed.get(node.place, "")
    content = element("label", marked, tag="span")
    row = bottom - 2 * node.height
    yield element(f"node {kind}".strip(), content, style=f"grid-area:{row}/{node.start + 1}/auto/{node.end + 1}")
    inside = [(child.start, child.end, child.height) for child in node.children]
    covered = {word for start, end, _ in inside for word in range(start, end)}
    inside += [(word, word + 1, 0) for word in range(node.start, node.end) if word not in covered]
    for start, end, height in inside:
        ends = " first" * (start == node.start) + " last" * (end == node.end)
        place = f"grid-area:{row + 1}/{start + 1}/{bottom - 2 * height}/{end + 1}"
        yield element(f"riser{ends} {kind}".strip(), style=place)
