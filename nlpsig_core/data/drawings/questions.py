"""Drawings of evaluation logs: a question, its target, and the models' answers with their scores."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from nlpsig_core.base.words import one_line
from nlpsig_core.data.drawings.markup import NO_OUTPUT, element, escape, frame, head, listed, reads_right_to_left
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.readers.logs.evaluations import Answers, Questions

# How many characters of a question stand for it in a table.
MOST_OF_A_LINE = 200


def lengths(gold: Questions) -> np.ndarray:
    """Characters of each question, (questions,), at least 1."""
    return np.array([max(len(question.text), 1) for question in gold.questions], dtype=np.int64)


def text(gold: Questions, unit: int) -> str:
    """The end of a question in one line, after what it is about; or its name if it has no text."""
    line = one_line(gold.questions[unit].text).strip()
    return f"… {line[-MOST_OF_A_LINE:]}" if len(line) > MOST_OF_A_LINE else line or gold.unit_names[unit]


def draw(gold: Questions, outputs: Mapping[str, Answers | None], unit: int, metric: Metric) -> str:
    """The question with its choices, the target, and each answer with its score and the line of its log."""
    question = gold.questions[unit]
    parts = [head(f"question {gold.unit_names[unit]}", _place(gold, unit)), _paragraph(question.text)]
    parts += [_paragraph("\n".join(question.choices))] if question.choices else []
    parts += [head("target"), _paragraph(question.target)]
    name = gold.main if metric.name not in gold.metrics else metric.name
    for number, (system, output) in enumerate(outputs.items(), 1):
        parts.append(head(system, NO_OUTPUT if output is None else _summary(output, unit, name), number))
        texts = () if output is None else (output.answers[unit], output.responses[unit])
        parts += [_paragraph(text) for text in texts if text]
    return frame(*parts, right_to_left=reads_right_to_left([question.text]))


def _place(gold: Questions, unit: int) -> str:
    labels = (of[unit] if of else "" for of in (gold.domains, gold.documents))
    return listed(*labels)


def _summary(output: Answers, unit: int, metric: str) -> str:
    """The score, and where the answer is in the log; that there is none otherwise."""
    if not output.lines[unit]:
        return "no answer"
    value = float(output.scores[metric][unit]) if metric in output.scores else math.nan
    score = f"no {metric}" if math.isnan(value) else f"{metric} {value:.6g}"
    return listed(score, f"line {output.lines[unit]:,}")


def _paragraph(text: str) -> str:
    """The text in the direction of its script, with its line breaks."""
    return element("text", escape(text).replace("\n", "<br/>"), dir="auto")
