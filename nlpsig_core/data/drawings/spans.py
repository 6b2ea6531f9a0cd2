"""Drawings of tagged tokens: gold and output chunks, or tags, with the errors that conlleval counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.words import count
from nlpsig_core.data.drawings.markup import GOLD, MISSED, NO_OUTPUT, element, frame, head, listed, missed_marks, span
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.metrics.structures.tagging import Chunks
from nlpsig_core.data.readers.conll.conllx import Parses
from nlpsig_core.data.readers.tagged import Tagged

CROSS = span("cross", " ✗")
NOT_IN_GOLD = (span("boxes", "TYPE ✗"), "not a chunk of the gold")
TAG_LEGEND = (
    element("tagged wrong", element("type", span("", "TAG"), CROSS, tag="span"), tag="span"),
    "differs from the gold tag",
)


class Chunk(NamedTuple):
    """A chunk: its first and last token in the sentence, and its type."""

    first: int
    last: int
    kind: str


def text(gold: Tagged | Parses, unit: int) -> str:
    """Return the tokens of a sentence joined by spaces, or its number if the file has no tokens."""
    return f"sentence {unit + 1}" if gold.tokens is None else " ".join(gold.tokens[gold.tokens_of(unit)])


def draw(gold: Tagged, outputs: Mapping[str, Tagged | None], unit: int, metric: Metric) -> str:
    """Draw the tokens of a sentence with the chunks of the gold and each output, or their tags for token accuracy."""
    tokens = gold.tokens_of(unit)
    numbers = [str(i + 1) for i in range(tokens.stop - tokens.start)]
    forms = numbers if gold.tokens is None else gold.tokens[tokens]
    if gold.classes or "tags" in metric.columns:
        return _draw_tags(forms, gold, outputs, tokens)
    wanted = chunks_of(gold, tokens)
    by_system = {name: None if output is None else chunks_of(output, tokens) for name, output in outputs.items()}
    missed = {name: () if chunks is None else {*wanted} - {*chunks} for name, chunks in by_system.items()}
    marks = dict.fromkeys(wanted, "") | missed_marks(missed)
    parts = [head(GOLD, count(len(wanted), "chunk")), _line(forms, marks)]
    wrong = False
    for number, (name, chunks) in enumerate(by_system.items(), 1):
        parts.append(head(name, NO_OUTPUT if chunks is None else _summary(wanted, chunks), number))
        if chunks is not None:
            boxes = {chunk: "" if chunk in wanted else CROSS for chunk in chunks}
            parts.append(_line(forms, boxes))
            wrong |= any(boxes.values())
    legend = [NOT_IN_GOLD] * wrong + [MISSED] * any(marks.values())
    return frame(*parts, legend=legend, words=forms)


def _draw_tags(forms: Sequence[str], gold: Tagged, outputs: Mapping[str, Tagged | None], tokens: slice) -> str:
    wanted = gold.tags[tokens]
    parts = [head(GOLD, count(len(wanted), "tag")), _tagged(forms, wanted, wanted)]
    for number, (name, output) in enumerate(outputs.items(), 1):
        if output is None:
            parts.append(head(name, NO_OUTPUT, number))
            continue
        tags = output.tags[tokens]
        right = sum(tag == other for tag, other in zip(wanted, tags, strict=True))
        parts.append(head(name, f"{right:,} of {count(len(wanted), 'tag')} right", number))
        parts.append(_tagged(forms, tags, wanted))
    wrong = any(output is not None and output.tags[tokens] != wanted for output in outputs.values())
    return frame(*parts, legend=[TAG_LEGEND] * wrong, words=forms)


def _tagged(forms: Sequence[str], tags: Sequence[str], wanted: Sequence[str]) -> str:
    """Return the tokens in a line that may wrap, each above its tag, which is marked if it differs from the gold's."""
    parts = []
    for form, tag, other in zip(forms, tags, wanted, strict=True):
        if tag == other:
            parts.append(element("tagged", _token(form), element("type", span("", tag))))
        else:
            below = element("type", span("", tag), CROSS)
            parts.append(element("tagged wrong", _token(form), below, title=f"gold: {other}"))
    return element("tokens", *parts)


def chunks_of(tagged: Tagged, tokens: slice) -> list[Chunk]:
    """Return the chunks of a sentence by conlleval's rules; it is read alone, since no chunk crosses its end."""
    alone = replace(tagged, tags=tagged.tags[tokens], lines=tagged.lines[tokens], first_token=np.array([0]))
    codes: dict[str, int] = {}
    first, last, kind = (column.tolist() for column in Chunks.of(alone, codes))
    names = list(codes)
    return [Chunk(begin, end, names[k]) for begin, end, k in zip(first, last, kind, strict=True)]


def _summary(wanted: list[Chunk], chunks: list[Chunk]) -> str:
    right = len(set(wanted) & set(chunks))
    missed, wrong = len(wanted) - right, len(chunks) - right
    return listed(
        f"{right:,} of {count(len(wanted), 'chunk')} right",
        f"{missed:,} missed" if missed else "",
        f"{wrong:,} not in the gold" if wrong else "",
    )


def _line(forms: Sequence[str], marks: Mapping[Chunk, str]) -> str:
    """Return the tokens in a line that may wrap, with a box around each chunk and its mark."""
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
