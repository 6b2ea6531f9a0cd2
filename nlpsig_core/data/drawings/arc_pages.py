"""Pages of arc diagrams: one above the other with aligned words, or next to each other; with a legend of marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from nlpsig_core.data.drawings.arcs import BEFORE, BEHIND, ArcDiagram, ArcWord, draw_diagrams
from nlpsig_core.data.drawings.markup import (
    RIGHT_ALONE,
    beside,
    element,
    escape,
    frame,
    head,
    named,
    panel,
    scrolling,
    span,
)
from nlpsig_core.data.drawings.words import (
    ALONE,
    WRONG_FIELD,
    WRONG_HEAD,
    WRONG_RELATION,
    WordMarking,
    legend_of_colours,
)

LEGEND = {
    WRONG_HEAD: (span("line", ""), "wrong head"),
    WRONG_RELATION: (span("boxed", "label"), "right head, wrong relation"),
    ALONE: (span("unmatched", "word"), "the gold has no such word"),
    "leaves": (span("away", ""), "the head is outside the gold sentence"),
    "break": (span("stop", ""), "the system ends a sentence here"),
    "surface": (span("", "‾‾"), "one token with several words"),
}
NOTHING = ArcDiagram(())
# The colour of arcs that are right in one output and wrong in another.
OF_ALONE = "var(--alone)"


@dataclass(frozen=True, kw_only=True)
class DrawnOutput:
    """A diagram with the text above and below it."""

    name: str
    summary: str
    diagram: ArcDiagram = NOTHING
    below: str = ""


def page_above(drawn: Sequence[DrawnOutput], marking: WordMarking) -> str:
    """Return all diagrams in one box, each below its name and summary, and a legend of the marks that occur."""
    parts = []
    for number, (output, arcs) in enumerate(zip(drawn, draw_diagrams([each.diagram for each in drawn]), strict=True)):
        parts += [head(output.name, output.summary, number), arcs]
        parts += [element("head note", span("", output.below))] if output.below else []
    coloured = any(word.colour for output in drawn for word in output.diagram.words)
    return _framed(scrolling(*parts, label="dependency trees"), drawn, marking, legend_of_colours() if coloured else [])


def page_beside(drawn: Sequence[DrawnOutput], marking: WordMarking) -> str:
    """Return the outputs and then the gold next to each other, as far as there is room, with differences in words.

    Arcs that are right in one output and wrong in another are coloured and have a tick.
    """
    gold, *outputs = drawn
    alone = [right_alone(each, outputs) for each in outputs]
    panels = [_panel(each, own, number) for number, (each, own) in enumerate(zip(outputs, alone, strict=True), 1)]
    return _framed(beside([*panels, _panel(gold)]), drawn, marking, [RIGHT_ALONE] if any(alone) else [])


def right_alone(output: DrawnOutput, outputs: Sequence[DrawnOutput]) -> list[ArcWord]:
    """Return the words of an output without an error that another output has with one."""
    wrong = {word.column for each in outputs if each is not output for word in each.diagram.words if word.mark}
    return [word for word in output.diagram.words if not word.mark and word.column in wrong]


def _panel(output: DrawnOutput, alone: Sequence[ArcWord] = (), number: int = 0) -> str:
    words = output.diagram.words
    lines = named("Wrong", [_arc_text(word, words) for word in words if word.mark])
    lines += named("Right here, wrong in the other", [_arc_text(word, words) for word in alone])
    lines += element("named", escape(output.below)) if output.below else ""
    shown = [replace(word, colour=OF_ALONE, relation=f"{word.relation} ✓") if word in alone else word for word in words]
    (arcs,) = draw_diagrams([replace(output.diagram, words=shown)])
    return panel(output.name, output.summary, scrolling(arcs, label=f"dependency tree: {output.name}"), lines, number)


def _arc_text(word: ArcWord, words: Sequence[ArcWord]) -> str:
    """Return a word with its relation and head, and what the gold has, as text."""
    head_word = f" of {words[word.head].form}" if word.head >= 0 else ""
    return f"{word.form}: {word.relation}{head_word}" + (f" ({word.title})" if word.mark and word.title else "")


def _framed(body: str, drawn: Sequence[DrawnOutput], marking: WordMarking, more: Sequence[tuple[str, str]]) -> str:
    diagrams = [output.diagram for output in drawn]
    marks = {mark for diagram in diagrams for mark in _marks(diagram)}
    legend = [entry for mark, entry in _legend(marking).items() if mark in marks]
    words = (word.form for word in diagrams[0].words)
    return frame(body, legend=[*legend, *more], words=words, note=marking.note)


def _marks(diagram: ArcDiagram) -> Iterator[str]:
    yield from (word.mark for word in diagram.words)
    yield from ("leaves" for word in diagram.words if word.head in (BEFORE, BEHIND))
    yield from ("break" for _ in diagram.breaks)
    for token in diagram.multiword_tokens:
        yield "surface"
        yield ALONE if token.alone else ""


def _legend(marking: WordMarking) -> dict[str, tuple[str, str]]:
    legend = LEGEND | {WRONG_FIELD: (span("boxed", "value"), f"wrong {marking.by}")}
    if not marking.heads:
        legend[WRONG_RELATION] = (LEGEND[WRONG_RELATION][0], "wrong relation")
    if marking.tokens:
        legend[ALONE] = (LEGEND[ALONE][0], "the gold has no such token")
    return legend
