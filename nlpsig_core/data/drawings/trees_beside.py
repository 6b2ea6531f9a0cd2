"""Bracketed trees next to each other: what all have in common is folded, and the brackets that differ are named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from nlpsig_core.data.drawings.brackets import TreeErrors
from nlpsig_core.data.drawings.markup import beside, element, named, panel, scrolling
from nlpsig_core.data.drawings.trees import NO_LABEL, DrawnTree, cells_of_tree, drawn_trees, framed
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.readers.brackets import BracketedTree, BracketedTrees, GoldTrees

Span = tuple[int, int]
# Words that name a bracket: all up to so many, else so many at either end.
NAMED, AT_ENDS = 5, 2


def draw(gold: GoldTrees, outputs: Mapping[str, BracketedTrees | None], unit: int, metric: Metric) -> str:
    """Draw the outputs and then the gold tree of a sentence next to each other, with their errors, also in words.

    A bracket that is the same in all trees, inside too, is one leaf with its words.
    """
    gold_tree, *others = drawn_trees(gold, outputs, unit, metric)
    errors = [each.errors for each in others if each.errors]
    others = [replace(each, alone=right_alone(each.errors, errors)) if each.errors else each for each in others]
    shared = shared_spans([each for each in (gold_tree, *others) if each.tree.words])
    lines = [_lines(each, gold_tree) for each in others]
    gold_tree, *others = (folded(each, shared) for each in (gold_tree, *others))
    panels = [_panel(each, own, number) for number, (each, own) in enumerate(zip(others, lines, strict=True), 1)]
    return framed(beside([*panels, _panel(gold_tree)], "equal"), [gold_tree, *others], metric)


def right_alone(own: TreeErrors, errors: Iterable[TreeErrors]) -> frozenset[int]:
    """Return the brackets of an output that are right, and that an output with other errors has missed."""
    missed = frozenset[int]().union(*(each.missed for each in errors))
    return frozenset(bracket for wanted, bracket in own.matched.items() if wanted in missed)


def shared_spans(drawn: Sequence[DrawnTree]) -> list[Span]:
    """Return the largest spans of several words, but not all, that are the same bracket in all trees, inside too.

    No bracket inside is marked: EVALB deletes words, so that a bracket may match one of another span.
    """
    trees = [each.tree for each in drawn]
    if len({len(tree.words) for tree in trees}) != 1:
        return []
    spans: list[Span] = []
    for start, end in zip(trees[0].starts, trees[0].ends, strict=True):
        inside_another = spans and end <= spans[-1][1]
        if end - start < 2 or end - start == len(trees[0].words) or inside_another:
            continue
        if _alike(trees, start, end) and not any(_marked(each, start, end) for each in drawn):
            spans.append((start, end))
    return spans


def _alike(trees: Iterable[BracketedTree], start: int, end: int) -> bool:
    """Tell whether trees have the same words, tags and brackets in a span."""
    inside = []
    for tree in trees:
        brackets = zip(tree.labels, tree.starts, tree.ends, strict=True)
        own = [(label, a, b) for label, a, b in brackets if start <= a < b <= end]
        inside.append((tree.words[start:end], tree.tags[start:end], own))
    return all(each == inside[0] for each in inside)


def _marked(drawn: DrawnTree, start: int, end: int) -> bool:
    marked = (*drawn.wrong, *drawn.alone, *drawn.missed)
    return any(start <= drawn.tree.starts[i] and drawn.tree.ends[i] <= end for i in marked)


def folded(drawn: DrawnTree, spans: Sequence[Span]) -> DrawnTree:
    """Return a tree in which each of some spans, which are brackets of it, is one word, tagged with its label."""
    tree, n = drawn.tree, len(drawn.tree.words)
    if not spans or not n:
        return drawn
    leaves = sorted(set(range(n)) - {word for start, end in spans for word in range(start + 1, end)})
    pieces = list(pairwise([*leaves, n]))
    place = {word: number for number, word in enumerate([*leaves, n])}
    kept = [
        number
        for number, (start, end) in enumerate(zip(tree.starts, tree.ends, strict=True))
        if not any(first <= start and end <= last for first, last in spans)
    ]
    new = {number: i for i, number in enumerate(kept)}
    return replace(
        drawn,
        tree=BracketedTree(
            words=[" ".join(tree.words[start:end]) for start, end in pieces],
            tags=[_label(tree, start, end) if (start, end) in spans else tree.tags[start] for start, end in pieces],
            labels=[tree.labels[number] for number in kept],
            starts=[place[tree.starts[number]] for number in kept],
            ends=[place[tree.ends[number]] for number in kept],
        ),
        compared=_moved(drawn.compared, new),
        words=[max(drawn.words[start:end]) for start, end in pieces],
        wrong=_moved(drawn.wrong, new),
        alone=_moved(drawn.alone, new),
        missed={new[number]: mark for number, mark in drawn.missed.items()},
        tags={place[word]: tag for word, tag in drawn.tags.items()},
        folded={place[start] for start, _ in spans},
    )


def _moved(numbers: Iterable[int], new: Mapping[int, int]) -> set[int]:
    return {new[number] for number in numbers if number in new}


def _label(tree: BracketedTree, start: int, end: int) -> str:
    """Return the label of the outermost bracket that spans these words."""
    spans = list(zip(tree.starts, tree.ends, strict=True))
    return tree.labels[spans.index((start, end))] or NO_LABEL


def _panel(drawn: DrawnTree, lines: str = "", number: int = 0) -> str:
    tree = drawn.tree
    as_text = f"{drawn.name}: {bracketed(tree)}" if tree.words else ""
    style = f"grid-template-columns:repeat({max(1, len(tree.words))},auto)"
    grid = element("columns", *cells_of_tree(drawn), style=style, role="img", **{"aria-label": as_text})
    return panel(drawn.name, drawn.summary, scrolling(grid, label=f"constituency tree: {drawn.name}"), lines, number)


def bracketed(tree: BracketedTree) -> str:
    """Return a tree as text in brackets, without tags: (S (NP the man) sleeps)."""
    opening = [""] * len(tree.words)
    closing = [""] * len(tree.words)
    for label, start, end in zip(tree.labels, tree.starts, tree.ends, strict=True):
        if start < end:
            opening[start] += f"({label} " if label else "("
            closing[end - 1] += ")"
    return " ".join(a + word + b for a, word, b in zip(opening, tree.words, closing, strict=True))


def _lines(drawn: DrawnTree, gold: DrawnTree) -> str:
    """Return the brackets of an output that differ, in words."""
    if drawn.errors is None:
        tree, wanted = drawn.tree, sorted(drawn.tags.items())
        return named("Wrong tags", [f"{tree.tags[word]} {tree.words[word]} (gold: {tag})" for word, tag in wanted])
    return (
        named("Not in the gold", _names(drawn.tree, drawn.wrong))
        + named("Missed", _names(gold.tree, drawn.errors.missed))
        + named("Right here, wrong in the other", _names(drawn.tree, drawn.alone))
    )


def _names(tree: BracketedTree, brackets: Iterable[int]) -> list[str]:
    return [
        f"{tree.labels[i] or NO_LABEL} “{_shortened(tree.words[tree.starts[i] : tree.ends[i]])}”"
        for i in sorted(brackets)
    ]


def _shortened(words: Sequence[str]) -> str:
    parts = words if len(words) <= NAMED else [*words[:AT_ENDS], "…", *words[-AT_ENDS:]]
    return " ".join(parts)
