"""Errors in tokens and sentences: which faults a tokeniser makes, and which words survive them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from nlpsig_core.laboratory.synthesis.language.treebank import Sentence

# Chance of each fault where it is possible; as in real tasks, groups with the same tokeniser share its faults
TOKENISERS = {
    "baseline": {
        "unsplit": 0.03, "misspell": 0.015, "oversplit": 0.0006, "glue": 0.002,
        "break": 0.1, "join": 0.012,
    },
    "careful": {
        "unsplit": 0.012, "misspell": 0.008, "oversplit": 0.0003, "glue": 0.0005,
        "break": 0.03, "join": 0.012,
    },
    "eager": {
        "unsplit": 0.008, "misspell": 0.02, "oversplit": 0.002, "glue": 0.0005,
        "break": 0.12, "join": 0.004,
    },
}  # fmt: skip


class Fault(NamedTuple):
    """A fault in the words ``first`` to ``last`` of a sentence."""

    kind: str
    first: int
    last: int


class Faults(NamedTuple):
    """All faults of a sentence: in words, a break after a word (0: none), the next sentence joined on."""

    words: tuple[Fault, ...] = ()
    broken_after: int = 0
    joined: bool = False


def possible_faults(sentence: Sentence) -> Iterator[Fault]:
    """The possible faults in the tokens of a sentence, from left to right."""
    inside = {number for c in sentence.contractions for number in range(c.first, c.last + 1)}
    spans = {c.first: c for c in sentence.contractions}
    for number, word in enumerate(sentence.words, start=1):
        if number in spans:
            yield Fault("unsplit", number, spans[number].last)
            yield Fault("misspell", number, spans[number].last)
        elif number not in inside and word.upos in ("NOUN", "VERB", "PROPN") and len(word.form) >= 5:
            yield Fault("oversplit", number, number)
        elif number > 1 and number - 1 not in inside and word.upos == "PUNCT" and glued(sentence, number):
            yield Fault("glue", number - 1, number)


def glued(sentence: Sentence, number: int) -> bool:
    """Whether there is no space before the word."""
    return not sentence.words[number - 2].space_after


def word_faults(sentence: Sentence, rates: dict[str, float], generator: np.random.Generator) -> tuple[Fault, ...]:
    """The faults that happen; none overlap."""
    found: list[Fault] = []
    for fault in possible_faults(sentence):
        happens = generator.random() < rates[fault.kind]
        if happens and not (found and found[-1].last >= fault.first):
            found.append(fault)
    return tuple(found)


def break_point(sentence: Sentence) -> int:
    """The number of the mark in the middle of a sentence after which it can be broken, or 0."""
    marks = [i for i, w in enumerate(sentence.words, start=1) if w.form in (",", ":", ";")]
    return next((i for i in marks if 3 <= i <= len(sentence.words) - 3), 0)


def draw_faults(sentences: Sequence[Sentence], rates: dict[str, float], generator: np.random.Generator) -> list[Faults]:
    """The faults of a tokeniser with these rates, one entry per sentence."""
    faults = []
    for sentence in sentences:
        words = word_faults(sentence, rates, generator)
        breaks, joins = generator.random(2)
        after = break_point(sentence) if breaks < rates["break"] and not words else 0
        faults.append(Faults(words, after, joins < rates["join"] and not after))
    return separated(faults, sentences)


def separated(faults: list[Faults], sentences: Sequence[Sentence]) -> list[Faults]:
    """The faults without joins that touch another join, a break, a new document or the end."""
    result: list[Faults] = []
    for i, fault in enumerate(faults):
        last = i + 1 == len(faults)
        busy = last or faults[i + 1].broken_after or sentences[i + 1].opens or (result and result[-1].joined)
        result.append(fault._replace(joined=fault.joined and not busy))
    return result


def kept(sentences: Sequence[Sentence], faults: Sequence[Faults]) -> np.ndarray:
    """(words,) whether the gold arc can still be right: both ends are tokens of one sentence."""
    parts = []
    for i, (sentence, fault) in enumerate(zip(sentences, faults, strict=True)):
        heads = np.array([word.head for word in sentence.words])
        lost = np.zeros(len(heads) + 1, dtype=bool)
        for kind, first, last in fault.words:
            lost[first : (first if kind == "misspell" else last) + 1] = True
        alive = ~(lost[1:] | lost[heads])
        if fault.broken_after:
            numbers = np.arange(1, len(heads) + 1)
            alive &= (heads == 0) | ((numbers <= fault.broken_after) == (heads <= fault.broken_after))
        if i and faults[i - 1].joined:
            alive &= heads > 0
        parts.append(alive)
    return np.concatenate(parts)


def extra_words(faults: Sequence[Faults]) -> int:
    """The number of words of the tokeniser minus that of the gold."""
    change = {"unsplit": -1, "glue": -1, "oversplit": 1, "misspell": 0}
    return sum(change[fault.kind] for of_sentence in faults for fault in of_sentence.words)
