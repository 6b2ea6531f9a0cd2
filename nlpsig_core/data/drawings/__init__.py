"""Drawings of single units: the gold and the outputs with their errors, one entry per format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from nlpsig_core.data.drawings import (
    dependencies,
    grids,
    items,
    rankings,
    scored,
    spans,
    texts,
    transcripts,
    trees,
    trees_beside,
)
from nlpsig_core.data.drawings.arc_pages import page_beside
from nlpsig_core.data.readers import READERS
from nlpsig_core.data.task.test_set import TestSet


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """How the units of a format are drawn.

    ``draw(gold, outputs by system, unit, metric)`` returns self-contained HTML of the gold and of each output, which is
    None if it is invalid; all texts are escaped. It marks the errors that the metric counts, or notes which other
    errors it marks. If the units have ``edges``, ``draw`` takes the confidences of the edges of outputs by name as one
    more argument. ``beside``, if there is one, draws the same next to each other, the gold last, and differences in
    words. ``text(gold, unit)`` returns the unit as one line of plain text. ``lengths(gold)`` returns the length
    of each unit, (units,), counted in ``length_of`` ("" if units have no length).
    """

    draw: Callable[..., str]
    text: Callable[[Any, int], str]
    lengths: Callable[[Any], np.ndarray] = lambda gold: gold.lengths
    length_of: str = "tokens"
    edges: bool = False
    beside: Callable[..., str] | None = None


# By the name that readers have for their drawing.
DRAWINGS = {
    "raw-text dependencies": Drawing(
        draw=dependencies.draw_treebanks,
        text=dependencies.treebank_text,
        length_of="words",
        edges=True,
        beside=partial(dependencies.draw_treebanks, page=page_beside),
    ),
    "dependencies": Drawing(
        draw=dependencies.draw_parses,
        text=spans.text,
        edges=True,
        beside=partial(dependencies.draw_parses, page=page_beside),
    ),
    "spans": Drawing(draw=spans.draw, text=spans.text),
    "brackets": Drawing(draw=trees.draw, text=trees.text, length_of="words", beside=trees_beside.draw),
    "alignment grids": Drawing(draw=grids.draw, text=grids.text, lengths=grids.lengths, length_of="source words"),
    "summaries": Drawing(draw=texts.draw_summaries, text=texts.text, lengths=texts.lengths),
    "translations": Drawing(draw=texts.draw_translations, text=texts.text, lengths=texts.lengths),
    "items": Drawing(draw=items.draw, text=items.text, lengths=items.lengths, length_of="words"),
    "rankings": Drawing(
        draw=rankings.draw, text=rankings.text, lengths=rankings.lengths, length_of="relevant documents"
    ),
    "transcripts": Drawing(
        draw=transcripts.draw, text=transcripts.text, lengths=transcripts.lengths, length_of="words"
    ),
    "score rows": Drawing(draw=scored.draw_row, text=scored.row_text, lengths=scored.no_lengths, length_of=""),
    "segments": Drawing(draw=scored.draw_segment, text=scored.segment_text, lengths=scored.no_lengths, length_of=""),
    "questions": Drawing(
        draw=scored.draw_question, text=scored.question_text, lengths=scored.question_lengths, length_of="characters"
    ),
}


def lengths_on(test_set: TestSet) -> np.ndarray:
    """Return the length of each unit of a test set, (units,); (0,) for a pack that does not know them."""
    if test_set.packed is not None:
        return np.array(test_set.packed.lengths, dtype=int)
    return drawing_for(test_set.reader.name).lengths(test_set.gold)


def drawing_for(reader: str) -> Drawing:
    """Return the drawing of a format, by the format's name."""
    return DRAWINGS[READERS[reader].drawing]
