"""Drawings of units that other software has scored: rows of score tables, and questions of evaluations."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from nlpsig_core.base.words import one_line
from nlpsig_core.data.drawings.markup import NO_OUTPUT, element, escape, frame, head, listed, numbered, paragraph, table
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.readers.logs.evaluations import Answers, Questions
from nlpsig_core.data.readers.people.segment_scores import SegmentScores
from nlpsig_core.data.readers.tables.scores import ScoredUnits, Scores

# The most characters that a table shows of a question.
MOST_OF_A_LINE = 200


def no_lengths(gold: ScoredUnits | SegmentScores) -> np.ndarray:
    """Return zeros, (units,): scores come without texts."""
    return np.zeros(gold.n_units, dtype=np.int64)


def row_text(gold: ScoredUnits, unit: int) -> str:
    """Return the name of a unit."""
    return gold.units[unit]


def draw_row(gold: ScoredUnits, outputs: Mapping[str, Scores | None], unit: int, metric: Metric) -> str:
    """Draw a table of the systems' scores on a unit; it is the same for all metrics."""
    rows = []
    for number, (name, output) in enumerate(outputs.items(), 1):
        score = NO_OUTPUT if output is None else _text(float(output.values[unit]), "no score", "")
        rows.append((numbered(name, number), element("score", score, tag="td")))
    return frame(table("scores", [escape(f"unit {gold.units[unit]}"), "score"], rows))


def _text(value: float, none: str, name: str) -> str:
    return none if math.isnan(value) else f"{name}{value:.6g}"


def segment_text(gold: SegmentScores, unit: int) -> str:
    """Return the name of a segment."""
    return f"segment {gold.segments[unit]}"


def draw_segment(gold: SegmentScores, outputs: Mapping[str, SegmentScores | None], unit: int, metric: Metric) -> str:
    """Draw a table of the rated systems, the best by people first, with their scores by people and by the metrics."""
    found = {name: gold.scores_of(of).values[unit] for name, of in outputs.items() if of is not None}
    heads = [
        element("", numbered(name, number), "" if name in found else f" {NO_OUTPUT}")
        for number, name in enumerate(outputs, 1)
    ]
    nothing, rows = np.full(len(gold.systems), np.nan), []
    for system in np.argsort(-gold.values[unit], kind="stable").tolist():
        scores = [gold.values[unit, system], *(found.get(name, nothing)[system] for name in outputs)]
        cells = [element("score", _text(float(score), "–", ""), tag="td") for score in scores]
        rows.append((element("", escape(gold.systems[system]), tag="bdi"), *cells))
    return frame(table("scores", [escape(segment_text(gold, unit)), "people", *heads], rows))


def question_lengths(gold: Questions) -> np.ndarray:
    """Return the number of characters of each question, (questions,), at least 1; zeros if none has a text."""
    lengths = np.array([len(question.text) for question in gold.questions], dtype=np.int64)
    return np.maximum(lengths, 1) if lengths.any() else lengths


def question_text(gold: Questions, unit: int) -> str:
    """Return the end of a question in one line, since it begins with its context; its name if it has no text."""
    line = one_line(gold.questions[unit].text).strip()
    return f"… {line[-MOST_OF_A_LINE:]}" if len(line) > MOST_OF_A_LINE else line or gold.unit_names[unit]


def draw_question(gold: Questions, outputs: Mapping[str, Answers | None], unit: int, metric: Metric) -> str:
    """Draw the question with its choices, the target, and each answer with its score and the line of its log."""
    question = gold.questions[unit]
    labels = listed(*(labels[unit] for labels in (gold.domains, gold.documents) if labels))
    parts = [head(f"{gold.unit} {gold.unit_names[unit]}", labels)]
    parts += [paragraph(text) for text in (question.text, "\n".join(question.choices)) if text]
    parts += [head("target"), paragraph(question.target)] if question.target else []
    name = metric.name if metric.name in gold.metrics else gold.main
    for number, (system, output) in enumerate(outputs.items(), 1):
        parts.append(head(system, NO_OUTPUT if output is None else _summary(output, unit, name), number))
        texts = () if output is None else (output.answers[unit], output.responses[unit])
        parts += [paragraph(text) for text in texts if text]
    return frame(*parts, words=[question.text])


def _summary(output: Answers, unit: int, metric: str) -> str:
    """Return the score and the line of the log, or that there is no answer."""
    if not output.lines[unit]:
        return "no answer"
    value = float(output.scores[metric][unit]) if metric in output.scores else math.nan
    return listed(_text(value, f"no {metric}", f"{metric} "), f"line {output.lines[unit]:,}")
