"""Drawings of single units: the gold and the outputs with their errors, one entry per format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nlpsig_core.data.drawings import grids, questions, score_rows, spans, texts, trees
from nlpsig_core.data.drawings.dependencies import (
    draw_parses,
    draw_treebanks,
    parses_text,
    treebank_text,
)
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.readers import READERS
from nlpsig_core.data.readers.base import Sentences
from nlpsig_core.data.readers.conll.parsed_text import ParsedText
from nlpsig_core.data.task.test_set import TestSet


@dataclass(frozen=True)
class Drawing:
    """How the units of a format are drawn.

    ``lengths(gold)`` returns the length of each unit, (units,), counted in ``length_of`` ("" if units have no
    length). ``draw(gold, outputs by system, unit, metric)`` returns self-contained HTML of the gold and of each output,
    None for an invalid one; all texts are escaped. It marks the errors that the metric counts, or notes which other
    errors it marks. ``text(gold, unit)`` returns the unit as one line of plain text. ``draw_confidence`` is ``draw``
    with one more argument, the confidences of the edges of outputs by name; None for formats without edges.
    """

    lengths: Callable[[Any], np.ndarray]
    length_of: str
    draw: Callable[[Any, Mapping[str, Any], int, Metric], str]
    text: Callable[[Any, int], str]
    draw_confidence: Callable[[Any, Mapping[str, Any], int, Metric, Mapping[str, np.ndarray]], str] | None = None


def _sentence_lengths(gold: Sentences | ParsedText) -> np.ndarray:
    return gold.lengths


# By the name that readers have for their drawing.
DRAWINGS = {
    "raw-text dependencies": Drawing(_sentence_lengths, "words", draw_treebanks, treebank_text, draw_treebanks),
    "dependencies": Drawing(_sentence_lengths, "tokens", draw_parses, parses_text, draw_parses),
    "spans": Drawing(_sentence_lengths, "tokens", spans.draw, spans.text),
    "brackets": Drawing(trees.lengths, "words", trees.draw, trees.text),
    "alignment grids": Drawing(grids.lengths, "source words", grids.draw, grids.text),
    "summaries": Drawing(texts.lengths, "tokens", texts.draw_summaries, texts.text),
    "translations": Drawing(texts.lengths, "tokens", texts.draw_translations, texts.text),
    "score rows": Drawing(score_rows.lengths, "", score_rows.draw, score_rows.text),
    "questions": Drawing(questions.lengths, "characters", questions.draw, questions.text),
}


def lengths_on(test_set: TestSet) -> np.ndarray:
    """The length of each unit of a test set, (units,); a pack that does not know them has none, (0,)."""
    if test_set.packed is not None:
        return np.array(test_set.packed.lengths, dtype=int)
    return drawing_for(test_set.reader.name).lengths(test_set.gold)


def drawing_for(reader: str) -> Drawing:
    """The drawing of a format, by the format's name."""
    return DRAWINGS[READERS[reader].drawing]
