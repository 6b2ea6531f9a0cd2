"""What a dependency metric counts of a word: by what words are marked, and what is wrong with one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from nlpsig_core.drawings.markup import several
from nlpsig_core.metrics.base import Metric
from nlpsig_core.metrics.dependency import sorted_features, universal, universal_features
from nlpsig_core.readers.conllu import ParsedText

WRONG_HEAD, WRONG_RELATION, WRONG_FIELD, ALONE = "wrong-head", "wrong-relation", "wrong-field", "alone"
Fields = Mapping[str, Callable[[str], str]]
_TAGS: Fields = {"upos": str, "xpos": str}
# By the column of what a metric counts right: the fields that are compared, each with its normal form.
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


class Line(NamedTuple):
    """A line below a word, and whether it is wrong."""

    text: str
    wrong: bool = False


@dataclass(frozen=True)
class Rule:
    """By what words are marked: ``by`` names it, and ``note`` says so where it is another than the metric.

    ``heads``, ``relations``, ``fields`` and ``tokens`` are what is compared; ``punctuation`` says whether it counts,
    ``blank`` whether a lemma of the gold that is _ matches any.
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
        """The fields that are shown below the words: those that are compared, else the universal tags."""
        return self.fields or SHOWN

    def errors(self, marks: Sequence[str]) -> list[str]:
        """How many words have which error, for those that occur."""
        relation = "right head with wrong relation" if self.heads else "wrong relation"
        said = {
            WRONG_HEAD: ("wrong head", "wrong heads"),
            WRONG_RELATION: (relation, relation.replace("head", "heads") if self.heads else f"{relation}s"),
            WRONG_FIELD: ("wrong", "wrong"),
            ALONE: ("word without counterpart", "words without counterpart"),
        }
        return [several(marks.count(mark), *words) for mark, words in said.items() if mark in marks]


def rule_of(metric: Metric) -> Rule:
    """What a metric of CoNLL-U or CoNLL-X counts, or LAS with a note where a single word does not show it."""
    column = metric.columns[0].removesuffix("_2006")
    if column in ("las", "uas", "la"):
        return Rule(metric.label, column != "la", column != "uas", punctuation=column == metric.columns[0])
    if column == "tokens":
        return Rule(metric.label, tokens=True)
    if column in FIELDS:
        return Rule(metric.label, fields=FIELDS[column], blank=column == "lemmas")
    note = f"marked by LAS, not by {metric.label}: words with the right head and relation"
    return Rule("LAS", heads=True, relations=True, note=note)


@dataclass(frozen=True)
class Judge:
    """Compares the words of a system with those of the gold: ``match`` has the gold's word of each, -1 for none."""

    gold: ParsedText
    system: ParsedText
    match: np.ndarray
    rule: Rule

    def word(self, word: int) -> tuple[str, str, list[Line]]:
        """The mark of a word, "" where it is right, what the gold has, and the lines below it."""
        g = int(self.match[word])
        if self.rule.tokens:
            return "", "", lines_of(self.system, word, self.rule.below)
        if g < 0:
            return ALONE, "the gold has no such word", lines_of(self.system, word, self.rule.below)
        if self.rule.fields:
            return self._fields(word, g)
        wanted, label = int(self.gold.head[g]), self.gold.fields["deprel"][g]
        said = f"gold: {label}" + (f" of {self.gold.fields['form'][wanted]}" if wanted >= 0 else "")
        return self._arc(word, g), said, lines_of(self.system, word, self.rule.below)

    def _arc(self, word: int, g: int) -> str:
        head = int(self.system.head[word])
        # A head without counterpart is none of the gold's words, and not its root either.
        found = -1 if head < 0 else int(self.match[head]) if self.match[head] >= 0 else -2
        if self.rule.heads and found != int(self.gold.head[g]):
            return WRONG_HEAD
        relations = universal(self.system.fields["deprel"][word]), universal(self.gold.fields["deprel"][g])
        return WRONG_RELATION if self.rule.relations and relations[0] != relations[1] else ""

    def _fields(self, word: int, g: int) -> tuple[str, str, list[Line]]:
        lines: list[Line] = []
        for name, normal in self.rule.fields.items():
            found, wanted = normal(self.system.fields[name][word]), normal(self.gold.fields[name][g])
            right = found == wanted or (self.rule.blank and wanted == "_")
            lines += _lines(name, found) if right else _wrong_lines(name, found, wanted)
        wanted_lines = ", ".join(line.text for line in lines_of(self.gold, g, self.rule.fields))
        return WRONG_FIELD if any(line.wrong for line in lines) else "", f"gold: {wanted_lines}", lines


def lines_of(treebank: ParsedText, word: int, fields: Fields) -> list[Line]:
    """The values of these fields of a word, a feature a line."""
    return [line for name, normal in fields.items() for line in _lines(name, normal(treebank.fields[name][word]))]


def _lines(name: str, value: str) -> list[Line]:
    return [Line(part) for part in (value.split("|") if name == "feats" else [value])] if value else [Line("_")]


def _wrong_lines(name: str, found: str, wanted: str) -> list[Line]:
    """The lines of a wrong value: of features only those that differ, and those that are lacking."""
    if name != "feats":
        return [Line(found, wrong=True)]
    ours, theirs = ([] if value in ("", "_") else value.split("|") for value in (wanted, found))
    names = {feature.partition("=")[0] for feature in theirs}
    lines = [Line(feature, feature not in ours) for feature in theirs]
    lines += [Line(f"lacks {feature}", wrong=True) for feature in ours if feature.partition("=")[0] not in names]
    # The same features, one of them twice.
    return (
        lines if any(line.wrong for line in lines) else [Line(line.text, wrong=True) for line in lines or [Line("_")]]
    )
