"""Arc diagrams of dependency trees: the positions of words and arcs, and their HTML."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from nlpsig_core.data.drawings.markup import element, span

# Heads that are not shown: no head, a word before the shown ones, a word after them.
ROOT, BEFORE, BEHIND = -1, -2, -3
# In pixels: font sizes; the space between words, between legs on a word, between stacked arcs, beside labels.
FORM, TAG, LABEL = 14.0, 10.5, 11.0
GAP, PORT, LEVEL, EDGE = 14.0, 8.0, 19.0, 8.0
FORM_LINE, TAG_LINE, SURFACE_LINE = 18, 13, 18
NARROW, BROAD = frozenset("fijlrtI.,:;'|!()[]/-`\" "), frozenset("mwMWOQG@%&—…")


@dataclass(frozen=True, kw_only=True)
class ArcWord:
    """A word of a diagram with its column, head and relation.

    Words of the same column are drawn at the same horizontal position in all diagrams. ``head`` is the index of a
    word of the diagram, or ROOT, BEFORE, BEHIND. ``mark`` is "", "wrong-head", "wrong-relation", "wrong-field" (a
    line below the word) or "alone" (the gold has no such word); ``title`` explains it. ``lines`` are shown below the
    word, each with whether it is wrong. ``colour`` is that of the arc, "" for the text's.
    """

    form: str
    column: tuple[int, int]
    head: int
    relation: str
    lines: Sequence[tuple[str, bool]] = ()
    mark: str = ""
    title: str = ""
    colour: str = ""


class MultiwordToken(NamedTuple):
    """A multiword token: its first and last word, its text, and whether the gold has no such token."""

    first: int
    last: int
    text: str
    alone: bool = False


@dataclass(frozen=True)
class ArcDiagram:
    """The content of one diagram: words, the words before which a sentence ends, and multiword tokens."""

    words: Sequence[ArcWord]
    breaks: Sequence[int] = ()
    multiword_tokens: Sequence[MultiwordToken] = ()


class Arc(NamedTuple):
    """An arc from a head to a word, which spans the words from ``left`` to ``right``, and its level, from 1."""

    head: int
    word: int
    left: int
    right: int
    level: int


def text_width(text: str, size: float) -> float:
    """Return an upper estimate of the width of a text in pixels, since the page's font is not known here."""
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


def arcs_of(words: Sequence[ArcWord]) -> list[Arc]:
    """Return an arc for each word, short arcs below long ones; the line of a root rises above the arcs beside it."""
    spans = []
    for i, word in enumerate(words):
        other = {ROOT: i, BEFORE: i - 1, BEHIND: i + 1}.get(word.head, word.head)
        spans.append((abs(other - i), min(i, other), max(i, other), i))
    # The level of the highest arc so far over the gap before each word, and over the gap after the last word.
    heights = [0] * (len(words) + 1)
    arcs = []
    for length, left, right, i in sorted(spans, key=lambda extent: (not extent[0], extent)):
        gaps = slice(left + 1, right + 1) if length else slice(i, i + 2)
        level = 1 + max(heights[gaps])
        heights[gaps] = [level] * len(heights[gaps])
        arcs.append(Arc(words[i].head, i, left, right, level))
    return arcs


class _Legs:
    """Offsets of arc ends from the middle of their word, {(arc's word, word): offset}, and the legs of each word.

    Low arcs are further out than high ones, so that no leg crosses another arc of its word.
    """

    def __init__(self, n_words: int, arcs: Iterable[Arc]) -> None:
        legs: list[list[tuple[int, int, int]]] = [[] for _ in range(n_words)]
        for arc in arcs:
            for word in {arc.word, arc.head} - {ROOT, BEFORE, BEHIND}:
                side = (arc.right > word) - (arc.left < word)
                legs[word].append((side, -side * arc.level, arc.word))
        self.number = [len(own) for own in legs]
        self.offset = {
            (i, word): (k - (len(own) - 1) / 2) * PORT
            for word, own in enumerate(legs)
            for k, (_, _, i) in enumerate(sorted(own))
        }


class ArcLayout:
    """A diagram with its arcs and the widths of its words in pixels."""

    def __init__(self, diagram: ArcDiagram) -> None:
        self.diagram = diagram
        self.arcs = arcs_of(diagram.words)
        self.legs = _Legs(len(diagram.words), self.arcs)
        self.widths = [
            max([text_width(word.form, FORM), n * PORT, *(text_width(line, TAG) for line, _ in word.lines)])
            for word, n in zip(diagram.words, self.legs.number, strict=True)
        ]
        for arc in self.arcs:
            if arc.left == arc.right:
                self.widths[arc.word] = max(self.widths[arc.word], self.label_width(arc))

    def label_width(self, arc: Arc) -> float:
        """Return the width of the label of an arc, in pixels."""
        return text_width(self.diagram.words[arc.word].relation, LABEL) + EDGE

    def needs(self) -> Iterator[tuple[int, int, float]]:
        """Yield (word, later word, minimal distance of their middles in pixels); -1 is the left edge."""
        for i, j in pairwise(range(len(self.widths))):
            yield i, j, (self.widths[i] + self.widths[j]) / 2 + GAP
        if not self.widths:
            return
        for first, last, text, _ in (token for token in self.diagram.multiword_tokens if token.first < token.last):
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
        """The space after the middle of the last word, in pixels."""
        stubs = (self.stub(arc) for arc in self.arcs if arc.right == len(self.widths))
        return max([self.widths[-1] / 2 + EDGE, *stubs])

    def stub(self, arc: Arc) -> float:
        """Return how far an arc from outside the shown words extends from the middle of its word, in pixels."""
        offset = self.legs.offset[arc.word, arc.word]
        return self.label_width(arc) + 2 * EDGE + (offset if arc.head == BEHIND else -offset)


def draw_diagrams(diagrams: Sequence[ArcDiagram]) -> list[str]:
    """Return the HTML of each of several diagrams, one above the other, with aligned columns."""
    layouts = [ArcLayout(diagram) for diagram in diagrams]
    columns = sorted({word.column for diagram in diagrams for word in diagram.words})
    index = {column: i for i, column in enumerate(columns)}
    least: list[list[tuple[int, float]]] = [[] for _ in columns]
    for layout in layouts:
        at = [index[word.column] for word in layout.diagram.words]
        for left, right, pixels in layout.needs():
            least[at[right]].append((at[left] if left >= 0 else -1, pixels))
    middles: list[float] = []
    for needs in least:
        middles.append(max((pixels + (middles[left] if left >= 0 else 0.0) for left, pixels in needs), default=0.0))
    return [_html(layout, [middles[index[word.column]] for word in layout.diagram.words]) for layout in layouts]


def _html(layout: ArcLayout, middles: list[float]) -> str:
    words, diagram = layout.diagram.words, layout.diagram
    if not words:
        return ""
    top = LEVEL * max(arc.level for arc in layout.arcs) + LABEL
    below = top + FORM_LINE + TAG_LINE * max(len(word.lines) for word in words)
    height = below + SURFACE_LINE * bool(diagram.multiword_tokens)
    parts = list(_arcs_html(layout, middles, top))
    for word, middle, width in zip(words, middles, layout.widths, strict=True):
        lines = "".join(span("tag wrong" if wrong else "tag", line) for line, wrong in word.lines)
        kind = f"word {word.mark}" if word.mark in ("alone", "wrong-field") else "word"
        position = _position(middle - width / 2, top, width)
        parts.append(element(kind, span("form", word.form), lines, style=position, title=word.title))
    for first, last, text, alone in diagram.multiword_tokens:
        left, right = middles[first] - layout.widths[first] / 2, middles[last] + layout.widths[last] / 2
        kind = "surface alone" if alone else "surface"
        parts.append(element(kind, span("", text), style=_position(left, below + 2, right - left)))
    for i in diagram.breaks:
        left = (middles[i - 1] + layout.widths[i - 1] / 2 + middles[i] - layout.widths[i] / 2) / 2
        parts.append(element("break", style=_position(left, 0, 0, height), title="the system ends a sentence here"))
    return element("arcs", *parts, style=f"width:{middles[-1] + layout.behind:.0f}px;height:{height:.0f}px")


def _arcs_html(layout: ArcLayout, middles: list[float], top: float) -> Iterator[str]:
    ends = [_ends(layout, arc, middles) for arc in layout.arcs]
    legs = [
        (x, arc.level)
        for arc, (left, right) in zip(layout.arcs, ends, strict=True)
        for x in {left if arc.head != BEFORE else right, right if arc.head != BEHIND else left}
    ]
    for arc, (left, right) in zip(layout.arcs, ends, strict=True):
        word = layout.diagram.words[arc.word]
        kind = "to-root" if arc.left == arc.right else "onward" if arc.word == arc.left else "backward"
        kind += " leaves" if arc.head in (BEFORE, BEHIND) else ""
        style = ""
        if arc.left != arc.right:
            crossing = [x for x, level in legs if level > arc.level and left < x < right]
            label, width = free_part(left, right, layout.label_width(arc), crossing)
            style = f"--l:{label - left:.1f}px;--v:{width:.1f}px" if crossing else ""
        height = LEVEL * arc.level - 2
        relation = element("relation", span("", word.relation), title=word.title, style=style)
        position = _position(left, top - height - 2, right - left, height)
        if word.colour:  # as a text, mixed with that around it to be read in both themes
            position += f";color:color-mix(in srgb,{word.colour} 75%,currentColor);border-color:{word.colour}"
        mark = "" if word.mark == "wrong-field" else word.mark
        yield element(f"arc {kind} {mark}".strip(), relation, style=position)


def free_part(left: float, right: float, width: float, crossing: Iterable[float]) -> tuple[float, float]:
    """Return the start and width of the space for an arc's label: near its middle, but between crossing legs.

    Only arcs of non-projective trees cross. If no space is wide enough, the label may use the whole arc.
    """
    middle = (left + right) / 2
    spaces = list(pairwise(sorted((left, right, *crossing))))
    least = next((need for need in (width, width - EDGE) if any(end - begin >= need for begin, end in spaces)), None)
    if least is None:
        return left, right - left
    fitting = [(begin + least / 2, end - least / 2) for begin, end in spaces if end - begin >= least]
    first, last = min(fitting, key=lambda space: abs(min(max(middle, space[0]), space[1]) - middle))
    nearest = min(max(middle, first), last)
    half = min(nearest - first, last - nearest) + least / 2
    return nearest - half, 2 * half


def _ends(layout: ArcLayout, arc: Arc, middles: list[float]) -> tuple[float, float]:
    at = middles[arc.word] + layout.legs.offset[arc.word, arc.word]
    length = layout.label_width(arc) + EDGE
    if arc.head in (BEFORE, BEHIND):
        return (at - length, at) if arc.head == BEFORE else (at, at + length)
    other = at if arc.head == ROOT else middles[arc.head] + layout.legs.offset[arc.word, arc.head]
    return min(at, other), max(at, other)


def _position(x: float, y: float, width: float, height: float = 0) -> str:
    return f"--x:{x:.1f}px;--y:{y:.1f}px;--w:{width:.1f}px" + (f";--h:{height:.1f}px" if height else "")
