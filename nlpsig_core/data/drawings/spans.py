"""Drawings of tagged tokens: gold and output chunks, or tags, with the errors that conlleval counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from nlpsig_core.data.drawings.markup import (
    GOLD,
    MISSED,
    NO_OUTPUT,
    element,
    frame,
    head,
    listed,
    missed_by,
    reads_right_to_left,
    several,
    span,
)
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.metrics.tagging import Chunks
from nlpsig_core.data.readers.tagged import Tagged

CROSS = span("cross", " ✗")
LEGEND = {
    "wrong": (span("boxes", "TYPE ✗"), "not a chunk of the gold"),
    "missed": MISSED,
}
TAG_LEGEND = (
    element("tagged wrong", element("type", span("", "TAG"), CROSS, tag="span"), tag="span"),
    "differs from the gold tag",
)


class Chunk(NamedTuple):
    """A chunk: its first and last token in the sentence, and its type."""

    first: int
    last: int
    kind: str


def text(gold: Tagged, unit: int) -> str:
    """The tokens of a sentence joined by spaces, or its number if the file has no tokens."""
    return f"sentence {unit + 1}" if gold.tokens is None else " ".join(gold.tokens[gold.tokens_of(unit)])


def draw(gold: Tagged, outputs: Mapping[str, Tagged | None], unit: int, metric: Metric) -> str:
    """The tokens of a sentence with the chunks of the gold and of each output, or their tags for token accuracy."""
    tokens = gold.tokens_of(unit)
    n = tokens.stop - tokens.start
    forms = [str(i + 1) for i in range(n)] if gold.tokens is None else gold.tokens[tokens]
    if "tags" in metric.columns:
        return _draw_tags(forms, gold, outputs, tokens)
    wanted = chunks_of(gold, tokens)
    by_system = {name: None if output is None else chunks_of(output, tokens) for name, output in outputs.items()}
    marks = {chunk: _missed(chunk, by_system) for chunk in wanted}
    parts = [head(GOLD, several(len(wanted), "chunk")), _line(forms, marks)]
    wrong = False
    for number, (name, chunks) in enumerate(by_system.items(), 1):
        parts.append(head(name, NO_OUTPUT if chunks is None else _summary(wanted, chunks), number))
        if chunks is not None:
            boxes = {chunk: "" if chunk in wanted else CROSS for chunk in chunks}
            parts.append(_line(forms, boxes))
            wrong |= any(boxes.values())
    legend = [LEGEND["wrong"]] * wrong + [LEGEND["missed"]] * any(marks.values())
    return frame(*parts, legend=legend, right_to_left=reads_right_to_left(forms))


def _draw_tags(forms: Sequence[str], gold: Tagged, outputs: Mapping[str, Tagged | None], tokens: slice) -> str:
    wanted = gold.tags[tokens]
    parts = [head(GOLD, several(len(wanted), "tag")), _tagged(forms, wanted, wanted)]
    for number, (name, output) in enumerate(outputs.items(), 1):
        if output is None:
            parts.append(head(name, NO_OUTPUT, number))
            continue
        tags = output.tags[tokens]
        right = sum(tag == other for tag, other in zip(wanted, tags, strict=True))
        parts.append(head(name, f"{right:,} of {several(len(wanted), 'tag')} right", number))
        parts.append(_tagged(forms, tags, wanted))
    wrong = any(output is not None and output.tags[tokens] != wanted for output in outputs.values())
    return frame(*parts, legend=[TAG_LEGEND] * wrong, right_to_left=reads_right_to_left(forms))


def _tagged(forms: Sequence[str], tags: Sequence[str], wanted: Sequence[str]) -> str:
    """The tokens in a line that may wrap, each above its tag, which is marked if it differs from the gold tag."""
    parts = []
    for form, tag, other in zip(forms, tags, wanted, strict=True):
        wrong = tag != other
        below = element("type", span("", tag), CROSS if wrong else "")
        title = f"gold: {other}" if wrong else ""
        parts.append(element("tagged wrong" if wrong else "tagged", _token(form), below, title=title))
    return element("tokens", *parts)


def _missed(chunk: Chunk, by_system: Mapping[str, list[Chunk] | None]) -> str:
    """The mark of a gold chunk that outputs have missed."""
    missing = [
        (k, name) for k, (name, chunks) in enumerate(by_system.items(), 1) if chunks is not None and chunk not in chunks
    ]
    return missed_by([k for k, _ in missing], [name for _, name in missing])


def chunks_of(tagged: Tagged, tokens: slice) -> list[Chunk]:
    """The chunks of a sentence by conlleval's rules; the sentence is read alone, since no chunk crosses its end."""
    alone = Tagged(
        name=tagged.name,
        tokens=None,
        tags=tagged.tags[tokens],
        first_token=np.array([0]),
        lines=tagged.lines[tokens],
    )
    codes: dict[str, int] = {}
    first, last, kind = (column.tolist() for column in Chunks.of(alone, codes))
    names = list(codes)
    return [Chunk(begin, end, names[k]) for begin, end, k in zip(first, last, kind, strict=True)]


def _summary(wanted: list[Chunk], chunks: list[Chunk]) -> str:
    right = len(set(wanted) & set(chunks))
    missed, wrong = len(wanted) - right, len(chunks) - right
    return listed(
        f"{right:,} of {several(len(wanted), 'chunk')} right", f"{missed:,} missed" if missed else "",
        f"{wrong:,} not in the gold" if wrong else "",
    )  # fmt: skip


def _line(forms: Sequence[str], marks: Mapping[Chunk, str]) -> str:
    """The tokens in a line that may wrap, with a box around each chunk and its mark."""
    parts, position = [], 0
    for chunk, mark in sorted(marks.items()):
        parts += [_token(form) for form in forms[position : chunk.first]]
        inside = element("inside", *map(_token, forms[chunk.first : chunk.last + 1]))
        kind = "chunk wrong" if mark == CROSS else "chunk"
        parts.append(element(kind, inside, element("type", span("", chunk.kind), mark)))
        position = chunk.last + 1
    parts += [_token(form) for form in forms[position:]]
    return element("tokens", *parts)


def _token(form: str) -> str:
    return span("token", form)
