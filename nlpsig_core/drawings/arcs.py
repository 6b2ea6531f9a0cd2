"""Dependency trees as arcs over their words: where every word and every arc goes, and the HTML of it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from nlpsig_core.drawings.markup import element, span

# Heads that are no shown word: none, one before the shown words, one behind them.
ROOT, BEFORE, BEHIND = -1, -2, -3
# Pixels: sizes of print, the space between words, between legs on one word, between arcs over each other.
FORM, TAG, LABEL = 14.0, 10.5, 11.0
GAP, PORT, LEVEL, EDGE = 14.0, 8.0, 19.0, 8.0
FORM_LINE, TAG_LINE, SURFACE_LINE = 18, 13, 18
NARROW, BROAD = frozenset("fijlrtI.,:;'|!()[]/-`\" "), frozenset("mwMWOQG@%&—…")


@dataclass(frozen=True)
class Word:
    """A word: its column (the same place in two trees is drawn at the same height of the text), head and relation.

    ``head`` is the place of a word among those of the tree, or ROOT, BEFORE, BEHIND. ``mark`` is "", "wrong-head",
    "wrong-relation", "wrong-field" (a line below the word) or "alone" (the gold has no such word); ``said`` explains
    it. ``lines`` stand below the word, each with whether it is wrong.
    """

    form: str
    column: tuple[int, int]
    head: int
    relation: str
    lines: Sequence[tuple[str, bool]] = ()
    mark: str = ""
    said: str = ""


class Surface(NamedTuple):
    """A token of several words: its first and last word, its text, and whether the gold has no such token."""

    first: int
    last: int
    text: str
    alone: bool = False


@dataclass(frozen=True)
class Tree:
    """What is drawn in one row: words in order, breaks between sentences (before a word), tokens of several words."""

    words: Sequence[Word]
    breaks: Sequence[int] = ()
    surfaces: Sequence[Surface] = ()


class Arc(NamedTuple):
    """The arc from a head to a word over the words from ``left`` to ``right``, and how many arcs high it is."""

    head: int
    word: int
    left: int
    right: int
    level: int


def text_width(text: str, size: float) -> float:
    """About how wide a text is in pixels, rather too wide: the page's font is not known here."""
    return size * sum(map(_character_width, text))


@lru_cache(maxsize=1 << 14)
def _character_width(character: str) -> float:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.02
    if character in NARROW:
        return 0.36
    if character in BROAD:
        return 0.92
    return 0.68 if character.isupper() else 0.59


def arcs_of(words: Sequence[Word]) -> list[Arc]:
    """An arc for each word, low ones inside of high ones; roots stand above all that is beside them."""
    spans = []
    for i, word in enumerate(words):
        other = {ROOT: i, BEFORE: i - 1, BEHIND: i + 1}.get(word.head, word.head)
        spans.append((abs(other - i), min(i, other), max(i, other), i))
    # Of the gap before each word, and of the one behind the last: the level of the highest arc over it so far.
    heights = [0] * (len(words) + 1)
    arcs = []
    for length, left, right, i in sorted(spans, key=lambda found: (not found[0], found)):
        gaps = slice(left + 1, right + 1) if length else slice(i, i + 2)
        level = 1 + max(heights[gaps])
        heights[gaps] = [level] * len(heights[gaps])
        arcs.append(Arc(words[i].head, i, left, right, level))
    return arcs


class _Legs(NamedTuple):
    """How far from the middle of its word each arc begins and ends: {(arc's word, word): offset}, legs of each word."""

    offset: dict[tuple[int, int], float]
    number: list[int]

    @classmethod
    def of(cls, n_words: int, arcs: Iterable[Arc]) -> _Legs:
        """No leg crosses another arc of its word: low arcs leave a word further out than high ones."""
        legs: list[list[tuple[int, int, int]]] = [[] for _ in range(n_words)]
        for arc in arcs:
            for word in {arc.word, arc.head} - {ROOT, BEFORE, BEHIND}:
                side = (arc.right > word) - (arc.left < word)
                legs[word].append((side, -side * arc.level, arc.word))
        offset: dict[tuple[int, int], float] = {}
        number = []
        for word, found in enumerate(legs):
            found = sorted(found)
            number.append(len(found))
            offset |= {(i, word): (k - (len(found) - 1) / 2) * PORT for k, (_, _, i) in enumerate(found)}
        return cls(offset, number)


class Row:
    """A tree with its arcs, and what its words need in width."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.arcs = arcs_of(tree.words)
        self.legs = _Legs.of(len(tree.words), self.arcs)
        self.widths = [
            max(
                text_width(word.form, FORM),
                *(text_width(line, TAG) for line, _ in word.lines),
                self.legs.number[i] * PORT,
            )
            for i, word in enumerate(tree.words)
        ]
        for arc in self.arcs:
            if arc.left == arc.right:
                self.widths[arc.word] = max(self.widths[arc.word], self.label_width(arc))

    def label_width(self, arc: Arc) -> float:
        """What the relation of an arc needs."""
        return text_width(self.tree.words[arc.word].relation, LABEL) + EDGE

    def needs(self) -> Iterable[tuple[int, int, float]]:
        """(word, later word, pixels that lie at least between their middles); -1 is the left edge."""
        for i, j in pairwise(range(len(self.widths))):
            yield i, j, (self.widths[i] + self.widths[j]) / 2 + GAP
        if not self.widths:
            return
        for first, last, text, _ in (surface for surface in self.tree.surfaces if surface.first < surface.last):
            yield first, last, text_width(text, LABEL) - (self.widths[first] + self.widths[last]) / 2
        yield -1, 0, max([self.widths[0] / 2 + EDGE, *(self.stub(arc) for arc in self.arcs if arc.left < 0)])
        for arc in self.arcs:
            if arc.left == arc.right or arc.left < 0 or arc.right == len(self.widths):
                continue
            inner = self.legs.offset.get((arc.word, arc.left), 0.0) - self.legs.offset.get((arc.word, arc.right), 0.0)
            beside = PORT * max(self.legs.number[arc.left : arc.right + 1]) / 2 if arc.head < 0 else 0.0
            yield arc.left, arc.right, self.label_width(arc) + EDGE + inner + beside

    @property
    def behind(self) -> float:
        """What is needed behind the middle of the last word."""
        stubs = (self.stub(arc) for arc in self.arcs if arc.right == len(self.widths))
        return max([self.widths[-1] / 2 + EDGE, *stubs])

    def stub(self, arc: Arc) -> float:
        """How far from the middle of its word an arc reaches that comes from outside of the shown words."""
        offset = self.legs.offset[arc.word, arc.word]
        return self.label_width(arc) + 2 * EDGE + (offset if arc.head == BEHIND else -offset)


def draw_trees(trees: Sequence[Tree]) -> list[str]:
    """The HTML of trees that stand one above the other, with the same columns at the same place."""
    rows = [Row(tree) for tree in trees]
    columns = sorted({word.column for tree in trees for word in tree.words})
    place = {column: i for i, column in enumerate(columns)}
    least: list[list[tuple[int, float]]] = [[] for _ in columns]
    for row in rows:
        at = [place[word.column] for word in row.tree.words]
        for left, right, pixels in row.needs():
            least[at[right]].append((at[left] if left >= 0 else -1, pixels))
    middles: list[float] = []
    for needs in least:
        middles.append(max((pixels + (middles[left] if left >= 0 else 0.0) for left, pixels in needs), default=0.0))
    return [_html(row, [middles[place[word.column]] for word in row.tree.words]) for row in rows]


def _html(row: Row, middles: list[float]) -> str:
    words, tree = row.tree.words, row.tree
    if not words:
        return ""
    top = LEVEL * max(arc.level for arc in row.arcs) + LABEL
    below = top + FORM_LINE + TAG_LINE * max(len(word.lines) for word in words)
    height = below + SURFACE_LINE * bool(tree.surfaces)
    parts = list(_arcs_html(row, middles, top))
    for word, middle, width in zip(words, middles, row.widths, strict=True):
        lines = "".join(span("tag wrong" if wrong else "tag", line) for line, wrong in word.lines)
        kind = f"word {word.mark}" if word.mark in ("alone", "wrong-field") else "word"
        place = _place(middle - width / 2, top, width)
        parts.append(element(kind, span("form", word.form), lines, style=place, title=word.said))
    for first, last, text, alone in tree.surfaces:
        left, right = middles[first] - row.widths[first] / 2, middles[last] + row.widths[last] / 2
        kind = "surface alone" if alone else "surface"
        parts.append(element(kind, span("", text), style=_place(left, below + 2, right - left)))
    for i in tree.breaks:
        left = (middles[i - 1] + row.widths[i - 1] / 2 + middles[i] - row.widths[i] / 2) / 2
        parts.append(element("break", style=_place(left, 0, 0, height), title="the system ends a sentence here"))
    return element("arcs", *parts, style=f"width:{middles[-1] + row.behind:.0f}px;height:{height:.0f}px")


def _arcs_html(row: Row, middles: list[float], top: float) -> Iterator[str]:
    ends = [_ends(row, arc, middles) for arc in row.arcs]
    legs = [
        (x, arc.level)
        for arc, (left, right) in zip(row.arcs, ends, strict=True)
        for x in {left if arc.head != BEFORE else right, right if arc.head != BEHIND else left}
    ]
    for arc, (left, right) in zip(row.arcs, ends, strict=True):
        word = row.tree.words[arc.word]
        kind = "to-root" if arc.left == arc.right else "onward" if arc.word == arc.left else "backward"
        kind += " leaves" if arc.head in (BEFORE, BEHIND) else ""
        style = ""
        if arc.left != arc.right:
            crossing = [x for x, level in legs if level > arc.level and left < x < right]
            label, width = free_part(left, right, row.label_width(arc), crossing)
            style = f"--l:{label - left:.1f}px;--v:{width:.1f}px" if crossing else ""
        height = LEVEL * arc.level - 2
        relation = element("relation", span("", word.relation), title=word.said, style=style)
        place = _place(left, top - height - 2, right - left, height)
        mark = "" if word.mark == "wrong-field" else word.mark
        yield element(f"arc {kind} {mark}".strip(), relation, style=place)


def free_part(left: float, right: float, width: float, crossing: Iterable[float]) -> tuple[float, float]:
    """Where the label of an arc stands, and how much room is there: near its middle, but between crossing legs.

    Only arcs of trees that are not projective cross; where no place is wide enough the label has the whole arc.
    """
    middle = (left + right) / 2
    parts = list(pairwise(sorted((left, right, *crossing))))
    least = next((need for need in (width, width - EDGE) if any(end - begin >= need for begin, end in parts)), None)
    if least is None:
        return left, right - left
    fitting = [(begin + least / 2, end - least / 2) for begin, end in parts if end - begin >= least]
    first, last = min(fitting, key=lambda part: abs(min(max(middle, part[0]), part[1]) - middle))
    nearest = min(max(middle, first), last)
    half = min(nearest - first, last - nearest) + least / 2
    return nearest - half, 2 * half


def _ends(row: Row, arc: Arc, middles: list[float]) -> tuple[float, float]:
    """Where the legs of an arc stand, from left to right."""
    at = middles[arc.word] + row.legs.offset[arc.word, arc.word]
    length = row.label_width(arc) + EDGE
    if arc.head in (BEFORE, BEHIND):
        return (at - length, at) if arc.head == BEFORE else (at, at + length)
    other = at if arc.head == ROOT else middles[arc.head] + row.legs.offset[arc.word, arc.head]
    return min(at, other), max(at, other)


def _place(x: float, y: float, width: float, height: float = 0) -> str:
    return f"--x:{x:.1f}px;--y:{y:.1f}px;--w:{width:.1f}px" + (f";--h:{height:.1f}px" if height else "")
