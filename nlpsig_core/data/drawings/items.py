"""Drawings of items: the text if there is one, the gold's answer and that of each output, right or wrong."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import partial
from typing import Any

import numpy as np
from rapidfuzz.distance import Levenshtein

from nlpsig_core.base.words import one_line
from nlpsig_core.data.drawings.markup import (
    GOLD,
    NO_OUTPUT,
    element,
    escape,
    frame,
    head,
    listed,
    numbered,
    paragraph,
    span,
    table,
)
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.metrics.items.strings import ANSWERS, words_of
from nlpsig_core.data.readers.items.items import OR, Items
from nlpsig_core.data.readers.items.json_rows import alternatives
from nlpsig_core.data.readers.items.rows import Rows

RIGHT, WRONG, NO_ANSWER = "✓", "✗", "no answer"
# Where a longer string differs is not marked.
MOST_CHARACTERS = 2000
# An answer as HTML, and whether it is right: None where that is a matter of degree.
_Judged = tuple[str, bool | None]


def lengths(gold: Items) -> np.ndarray:
    """Count the words of each item's text, (units,); zeros without texts."""
    return np.array([len(text.split()) for text in gold.texts or [""] * gold.n_units], dtype=np.int64)


def text(gold: Items, unit: int) -> str:
    """Return the text of an item in one line, or its id without a text, or its number without an id."""
    return (gold.texts and one_line(gold.texts[unit]).strip()) or name_of(gold, unit)


def name_of(gold: Items, unit: int) -> str:
    """Return the id of an item, a bare number as such, or its place in the gold."""
    name = gold.keys[unit] if gold.keys else ""
    return f"id {name}" if name.isdecimal() else name or f"item {unit + 1}"


def draw(gold: Items, outputs: Mapping[str, Rows | None], unit: int, metric: Metric) -> str:
    """Draw the text of an item and a table of answers; a string is right by the metric, all else is marked alike."""
    labels = listed(*(of_units[unit] for of_units in (gold.domains, gold.documents) if of_units))
    parts = [head(name_of(gold, unit), labels)]
    parts += [paragraph(gold.texts[unit])] if gold.texts else []
    read = {name: None if output is None else gold.answers_of(output) for name, output in outputs.items()}
    values = {name: each.values[unit] for name, each in read.items() if each is not None}
    judge = JUDGES[gold.kind](gold, gold.answers[unit], list(values.values()), metric)
    rows = [_row(element("", GOLD, tag="b"), judge(gold.answers[unit], ())[0], None)]
    for number, (name, each) in enumerate(read.items(), 1):
        none = span("", NO_OUTPUT), None
        rows.append(_row(numbered(name, number), *(none if each is None else judge(values[name], each.unknown))))
    parts.append(table("scores answers", (), rows))
    return frame(*parts, legend=LEGENDS[gold.kind], words=gold.texts[unit : unit + 1])


def _row(system: str, answer: str, right: bool | None) -> list[str]:
    sign = {True: span("", RIGHT, title="right"), False: span("cross", WRONG, title="wrong"), None: ""}[right]
    return [system, element("answer", answer, tag="td"), element("sign", sign, tag="td")]


def _plain(text: str, right: bool, summary: str = "") -> _Judged:
    shown = span("" if right else "unlike", text, dir="auto")
    return shown + (span("summary", summary) if summary else ""), right


def _label(
    gold: Items, wanted: int, values: Sequence[int], metric: Metric
) -> Callable[[int, tuple[str, ...]], _Judged]:
    """Return how a label is drawn, given its code and the labels that the gold lacks."""

    def judge(code: int, unknown: tuple[str, ...]) -> _Judged:
        if code < 0:
            return span("summary", NO_ANSWER), False
        known = code < len(gold.classes)
        label = gold.classes[code] if known else unknown[code - len(gold.classes)]
        return _plain(label, code == wanted, "" if known else "no label of the gold")

    return judge


def _label_set(
    gold: Items, wanted: np.ndarray, values: Sequence[np.ndarray], metric: Metric
) -> Callable[[np.ndarray, tuple[str, ...]], _Judged]:
    """Return how a set of labels is drawn: those in common, then extra ones, then missing ones."""

    def chips(kind: str, sign: str, which: np.ndarray) -> list[str]:
        return [span(kind, f"{sign}{gold.classes[code]}", dir="auto") for code in np.flatnonzero(which).tolist()]

    def judge(given: np.ndarray, unknown: tuple[str, ...]) -> _Judged:
        own, other, foreign = given[:-1] > 0, wanted[:-1] > 0, int(given[-1])
        if foreign and not unknown:
            return span("summary", NO_ANSWER), False
        parts = chips("chip", "", own & other) + chips("chip extra", "+", own & ~other)
        parts += [span("chip extra", f"+{foreign} not in the gold")] if foreign else []
        parts += chips("chip absent", "−", other & ~own)
        return " ".join(parts) or span("summary", "no label"), bool((given == wanted).all())

    return judge


def _number(
    gold: Items, wanted: float, values: Sequence[float], metric: Metric
) -> Callable[[float, tuple[str, ...]], _Judged]:
    """Return how a number is drawn: with its distance from the gold's, on a scale of the gold's numbers."""
    known = [value for value in (*values, wanted) if not math.isnan(value)]
    low, high = min(gold.answers.min(), *known), max(gold.answers.max(), *known)

    def at(value: float) -> str:
        return f"--at:{100 * (value - low) / (high - low if high > low else 1):.1f}%"

    def judge(value: float, unknown: tuple[str, ...]) -> _Judged:
        if math.isnan(value):
            return span("summary", NO_ANSWER), None
        marks = [element("wanted", style=at(wanted)), element("given", style=at(value))][: 1 + bool(value != wanted)]
        distance = f"{value - wanted:+.4g}" if value != wanted else ""
        return element("scale", *marks) + span("", f"{value:.6g}") + span("summary", distance), None

    return judge


def _string(
    gold: Items, wanted: str, values: Sequence[str | None], metric: Metric
) -> Callable[[str | None, tuple[str, ...]], _Judged]:
    """Return how a string is drawn: characters that the gold lacks, and in their places those that it has instead.

    Of several right ones, it is the nearest of the gold.
    """
    options = alternatives(wanted)
    form: Callable[[str], object] = words_of if metric.family.name == ANSWERS.name else str

    def judge(given: str | None, unknown: tuple[str, ...]) -> _Judged:
        if given is None:
            return span("summary", NO_ANSWER), False
        if given == wanted:
            return _plain(OR.join(options) or NO_ANSWER, True)
        right, nearest = form(given) in map(form, options), min(options, key=partial(Levenshtein.distance, given))
        if right or max(len(given), len(nearest)) > MOST_CHARACTERS:
            return _plain(given or NO_ANSWER, right)
        pieces = []
        for kind, i, j, k, m in SequenceMatcher(None, given, nearest, autojunk=False).get_opcodes():
            pieces += [escape(given[i:j])] if kind == "equal" else [span("unlike", given[i:j])] * (j > i)
            pieces += [span("lacking", nearest[k:m])] * (kind != "equal" and m > k)
        return element("", *pieces, tag="span", dir="auto"), False

    return judge


JUDGES: dict[str, Callable[[Items, Any, Sequence[Any], Metric], Callable[[Any, tuple[str, ...]], _Judged]]] = {
    "Labels": _label,
    "Label sets": _label_set,
    "Numbers": _number,
    "Strings": _string,
}
LEGENDS = {
    "Labels": [],
    "Label sets": [
        (span("chip extra", "+label"), "not in the gold"),
        (span("chip absent", "−label"), "only in the gold"),
    ],
    "Numbers": [
        (element("wanted", tag="span"), "the gold's number"),
        (element("given", tag="span"), "the system's number"),
    ],
    "Strings": [(span("unlike", "abc"), "not in the gold"), (span("lacking", "abc"), "only in the gold")],
}
