"""Marks of single words: their errors by a dependency metric, and colours by the confidence of their edges."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.words import count
from nlpsig_core.data.drawings.arcs import ArcWord
from nlpsig_core.data.drawings.markup import element, listed
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.metrics.structures.dependency import sorted_features, universal, universal_features
from nlpsig_core.data.readers.conll.parsed_text import ParsedText

WRONG_HEAD, WRONG_RELATION, WRONG_FIELD, ALONE = "wrong-head", "wrong-relation", "wrong-field", "alone"
Fields = Mapping[str, Callable[[str], str]]
_TAGS: Fields = {"upos": str, "xpos": str}
# By the metric's column of correct words: the fields it compares, each with its normalisation.
FIELDS: Mapping[str, Fields] = {
    "words": {},
    "upos": {"upos": str},
    "xpos": {"xpos": str},
    "feats": {"feats": sorted_features},
    "ufeats": {"feats": universal_features},
    "alltags_2017": {**_TAGS, "feats": sorted_features},
    "alltags": {**_TAGS, "feats": universal_features},
    "lemmas_2017": {"lemma": str},
    "lemmas": {"lemma": str},
}
SHOWN: Fields = {"upos": str}
# Upper bounds of confidence, in ascending order, with the colour of the arcs below them; others are not coloured.
STEPS = ((0.25, "#C8392B"), (0.5, "#D43F91"), (0.75, "#8751DA"), (0.95, "#2564E0"))


class FieldLine(NamedTuple):
    """A line of text below a word, and whether it is wrong."""

    text: str
    wrong: bool = False


@dataclass(frozen=True, kw_only=True)
class WordMarking:
    """What is compared to mark words: heads, relations, fields or tokens.

    ``by`` is the name of the metric that compares these; ``note`` is for the user if that is not the chosen metric.
    ``punctuation`` says whether punctuation counts, ``blank`` whether a gold lemma _ matches any lemma.
    """

    by: str
    heads: bool = False
    relations: bool = False
    fields: Fields = field(default_factory=dict)
    tokens: bool = False
    punctuation: bool = True
    blank: bool = False
    note: str = ""

    @property
    def below(self) -> Fields:
        """The fields shown below the words: those compared, else the universal tags."""
        return self.fields or SHOWN

    def errors(self, marks: Sequence[str]) -> list[str]:
        """Return the number of words with each kind of error that occurs, as text."""
        names = {
            WRONG_HEAD: ("wrong head", "wrong heads"),
            WRONG_RELATION: ("wrong relation", "wrong relations"),
            WRONG_FIELD: ("wrong", "wrong"),
            ALONE: ("word without counterpart", "words without counterpart"),
        }
        if self.heads:
            names[WRONG_RELATION] = ("right head with wrong relation", "right heads with wrong relation")
        return [count(marks.count(mark), *words) for mark, words in names.items() if mark in marks]


def marking_of(metric: Metric) -> WordMarking:
    """Return the marking of a CoNLL-U or CoNLL-X metric; by LAS, with a note, if it does not judge single words."""
    column, by = metric.columns[0].removesuffix("_2006"), metric.label
    if column in ("las", "uas", "la"):
        punctuation = column == metric.columns[0]
        return WordMarking(by=by, heads=column != "la", relations=column != "uas", punctuation=punctuation)
    if column == "tokens":
        return WordMarking(by=by, tokens=True)
    if column in FIELDS:
        return WordMarking(by=by, fields=FIELDS[column], blank=column == "lemmas")
    note = f"errors are marked by LAS, not by {by}: words with the right head and relation"
    return WordMarking(by="LAS", heads=True, relations=True, note=note)


@dataclass(frozen=True, kw_only=True)
class Judge:
    """Compares system words with gold words; ``match`` is the gold word of each system word, -1 for none."""

    gold: ParsedText
    system: ParsedText
    match: np.ndarray
    marking: WordMarking

    def word(self, word: int) -> tuple[str, str, list[FieldLine]]:
        """Return the mark of a word ("" if it is right), its title (what the gold has), and the lines below it."""
        g = int(self.match[word])
        if self.marking.fields and g >= 0:
            return self._fields(word, g)
        mark, title = "", ""
        if not self.marking.tokens:
            mark, title = self._arc(word, g) if g >= 0 else (ALONE, "the gold has no such word")
        return mark, title, lines_of(self.system, word, self.marking.below)

    def _arc(self, word: int, g: int) -> tuple[str, str]:
        head, wanted = int(self.system.head[word]), int(self.gold.head[g])
        relation, label = self.system.fields["deprel"][word], self.gold.fields["deprel"][g]
        title = f"gold: {label}" + (f" of {self.gold.fields['form'][wanted]}" if wanted >= 0 else "")
        # A head that matches no gold word is never right, not even if the gold has the root.
        head_in_gold = -1 if head < 0 else int(self.match[head]) if self.match[head] >= 0 else -2
        if self.marking.heads and head_in_gold != wanted:
            return WRONG_HEAD, title
        wrong = self.marking.relations and universal(relation) != universal(label)
        return WRONG_RELATION if wrong else "", title

    def _fields(self, word: int, g: int) -> tuple[str, str, list[FieldLine]]:
        lines: list[FieldLine] = []
        for name, normal in self.marking.fields.items():
            value, wanted = normal(self.system.fields[name][word]), normal(self.gold.fields[name][g])
            right = value == wanted or (self.marking.blank and wanted == "_")
            lines += _lines(name, value) if right else _wrong_lines(name, value, wanted)
        wanted_lines = ", ".join(line.text for line in lines_of(self.gold, g, self.marking.fields))
        return WRONG_FIELD if any(line.wrong for line in lines) else "", f"gold: {wanted_lines}", lines


def lines_of(treebank: ParsedText, word: int, fields: Fields) -> list[FieldLine]:
    """Return the values of a word's fields, one feature per line."""
    return [line for name, normal in fields.items() for line in _lines(name, normal(treebank.fields[name][word]))]


def _lines(name: str, value: str) -> list[FieldLine]:
    values = value.split("|") if name == "feats" else [value]
    return [FieldLine(part) for part in values] if value else [FieldLine("_")]


def _wrong_lines(name: str, value: str, wanted: str) -> list[FieldLine]:
    """Return the lines of a wrong value; only features that differ or are missing are marked as wrong."""
    if name != "feats":
        return [FieldLine(value, wrong=True)]
    ours, theirs = ([] if features in ("", "_") else features.split("|") for features in (wanted, value))
    names = {feature.partition("=")[0] for feature in theirs}
    lines = [FieldLine(feature, feature not in ours) for feature in theirs]
    lines += [FieldLine(f"missing {feature}", wrong=True) for feature in ours if feature.partition("=")[0] not in names]
    if any(line.wrong for line in lines):
        return lines
    # The features are the same, but one occurs twice.
    return [FieldLine(line.text, wrong=True) for line in lines] or [FieldLine("_", wrong=True)]


def colour_of(confidence: float) -> str:
    """Return the colour of an edge of this confidence, "" for a sure one."""
    return next((colour for below, colour in STEPS if confidence < below), "")


def coloured(words: Sequence[ArcWord], confidences: np.ndarray | None) -> list[ArcWord]:
    """Return the words with arcs coloured by confidence, (words,), which is shown below each word, if it is known."""
    if confidences is None:
        return list(words)
    return [
        replace(
            word,
            colour=colour_of(confidence),
            lines=[*word.lines, (f"{confidence:.0%}", False)],
            title=listed(f"confidence {confidence:.1%}", word.title),
        )
        for word, confidence in zip(words, confidences.tolist(), strict=True)
    ]


def legend_of_colours() -> list[tuple[str, str]]:
    """Return the legend of the colours: (HTML of the mark, explanation)."""
    return [
        (element("sure", tag="span", style=f"border-color:{colour}"), f"confidence below {below:.0%}")
        for below, colour in STEPS
    ]
