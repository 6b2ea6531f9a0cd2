"""The edges of one output, and which of them are wrong, by format.

Where there are no trees, an edge is what is predicted for a token (its tag) or a unit (that it is right).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.metrics.structures.conllx import check_same_tokens
from nlpsig_core.data.metrics.structures.dependency import head_in_gold, sentence_of, universal
from nlpsig_core.data.metrics.texts.word_matching import match_words
from nlpsig_core.data.readers.conll.conllx import Parses
from nlpsig_core.data.readers.conll.parsed_text import ParsedText
from nlpsig_core.data.readers.items.items import Items
from nlpsig_core.data.readers.items.rows import Rows
from nlpsig_core.data.readers.tables.scores import ScoredUnits, Scores
from nlpsig_core.data.readers.tagged import Tagged

# What makes an edge right, and two edges the same: the head, or head and relation; the tag; the label; a score of 1,
# or of 0.
HEADS, RELATIONS = OF_TREES = ("heads", "relations")
TAGS, LABELS = "tags", "labels"
HIGHER, LOWER = OF_SCORES = ("higher", "lower")
# Changes whenever the edges of a file may come out differently; cached edges of other versions are ignored.
VERSION = 1


@dataclass(frozen=True, eq=False, kw_only=True)
class Parsed:
    """The edges of one output, each from a word to its head; all arrays are (words,), whole numbers from 0.

    ``start`` and ``end`` are the characters of a word, and ``form`` distinguishes the words of a multiword token (0
    for others). ``head`` is the number of the head among the words of the file, from 1, 0 for a root. Equal
    relations have equal numbers ``relation``. ``sentence`` is the sentence of the gold in which a word starts.
    ``right_head`` and ``right_relation`` are 1 if the gold has the word with this head, and with this head and
    relation: a word that the gold does not have is a wrong edge. All heads of tagged tokens are roots, and a tag or
    label is a relation; a score is a relation too, ``right_head`` where it is 1 and ``right_relation`` where it is 0.
    """

    start: np.ndarray
    end: np.ndarray
    form: np.ndarray
    head: np.ndarray
    relation: np.ndarray
    sentence: np.ndarray
    right_head: np.ndarray
    right_relation: np.ndarray

    @classmethod
    def from_values(cls, values: np.ndarray) -> Parsed:
        """Return the edges of the arrays side by side, (words, fields)."""
        names = (field.name for field in fields(cls))
        return cls(**dict(zip(names, np.ascontiguousarray(values.T.astype(np.int64)), strict=True)))

    @property
    def values(self) -> np.ndarray:
        """The arrays side by side, (words, fields)."""
        return np.stack([getattr(self, field.name) for field in fields(self)], axis=1).astype(np.int64)

    @property
    def n_words(self) -> int:
        """Number of words, and of edges."""
        return len(self.head)

    def wrong(self, against: str) -> np.ndarray:
        """Tell whether each edge is wrong, against one of its format's, (words,)."""
        right = self.right_head if against in (HEADS, HIGHER) else self.right_relation
        wrong: np.ndarray = right == 0
        return wrong


def parsed_text(gold: ParsedText, output: ParsedText) -> Parsed:
    """Return the edges of an output from raw text, aligned with the gold as the CoNLL 2017 and 2018 evaluations do.

    Relations are compared without subtypes. The shares of right edges are the precisions of UAS and LAS. Raises
    FileError if the texts differ.
    """
    match = match_words(gold, output)
    relation = _relations(output.fields["deprel"], universal)
    in_gold = np.flatnonzero(match >= 0)
    wanted = match[in_gold]
    right_head, right_relation = np.zeros((2, output.n_words), dtype=bool)
    right_head[in_gold] = head_in_gold(output, match)[in_gold] == gold.head[wanted]
    same = relation[in_gold] == _relations(gold.fields["deprel"], universal)[wanted]
    right_relation[in_gold] = right_head[in_gold] & same
    start, end = (span[output.word_token] for span in (output.token_start, output.token_end))
    return Parsed(
        start=start,
        end=end,
        form=_forms(output),
        head=output.head + 1,
        relation=relation,
        sentence=sentence_of(gold, start),
        right_head=right_head,
        right_relation=right_relation,
    )


def parses(gold: Parses, output: Parses) -> Parsed:
    """Return the edges of an output with the gold's tokens, punctuation included; relations are compared unchanged.

    Raises FileError if the tokens differ.
    """
    check_same_tokens(gold, output)
    right_head = gold.head == output.head
    relation = _relations(output.relation)
    place = np.arange(len(gold.tokens))
    return Parsed(
        start=place,
        end=place + 1,
        form=np.zeros_like(place),
        head=np.where(output.head == 0, 0, gold.first_token[gold.token_sentence] + output.head),
        relation=relation,
        sentence=gold.token_sentence,
        right_head=right_head,
        right_relation=right_head & (relation == _relations(gold.relation)),
    )


def tagged(gold: Tagged, output: Tagged) -> Parsed:
    """Return the tags of an output whose tokens are the gold's; tags are compared unchanged.

    Raises FileError if the tokens differ.
    """
    check_same_tokens(gold, output)
    tag = _relations(output.tags)
    right = tag == _relations(gold.tags)
    return _units(gold.token_sentence, tag, right, right)


def labelled(gold: Items, output: Rows) -> Parsed:
    """Return the labels of an output; a missing one is wrong, and equal to other missing ones."""
    answers = gold.answers_of(output)
    label = np.append(_relations((*gold.classes, *answers.unknown)), 0)[answers.values]
    right = answers.values == gold.answers
    return _units(np.arange(gold.n_units), label, right, right)


def scored(gold: ScoredUnits, output: Scores) -> Parsed:
    """Return the scores of an output, each 0 or 1; raises FileError for another one."""
    for unit in np.flatnonzero(~np.isin(output.values, (0, 1)))[:1]:
        score = output.values[unit]
        given = "no score" if np.isnan(score) else f"the score {score:g}"
        reason = f"{given}; confidences need scores of 0 and 1, which say whether a unit is right"
        raise FileError(output.name, output.lines[unit], reason)
    return _units(np.arange(gold.n_units), output.values, output.values == 1, output.values == 0)


def _units(sentence: np.ndarray, predicted: np.ndarray, right: np.ndarray, other: np.ndarray) -> Parsed:
    """Return what is predicted for tokens or units that are the gold's."""
    place, none = np.arange(len(sentence)), np.zeros(len(sentence), dtype=np.int64)
    return Parsed(
        start=place,
        end=place + 1,
        form=none,
        head=none,
        relation=predicted,
        sentence=sentence,
        right_head=right,
        right_relation=other,
    )


class Format(NamedTuple):
    """How the edges of a format are found, ``edges(gold, output)``, and against what they are right, the usual first.

    ``votes`` is False if outputs do not show what they predict, so that systems cannot be compared; ``of_words`` is
    False if a unit has one edge.
    """

    edges: Callable[[Any, Any], Parsed]
    against: tuple[str, ...]
    votes: bool = True
    of_words: bool = True


FORMATS = {
    "CoNLL-U": Format(parsed_text, OF_TREES),
    "CoNLL-X": Format(parses, OF_TREES),
    "Tagged tokens": Format(tagged, (TAGS,)),
    "Labels": Format(labelled, (LABELS,), of_words=False),
    "Score table": Format(scored, OF_SCORES, votes=False, of_words=False),
}


def _relations(relations: Sequence[str], normal: Callable[[str], str] = str) -> np.ndarray:
    """Return a number for each relation, equal for equal ones: a checksum, which does not depend on other files."""
    numbers = {relation: crc32(normal(relation).encode()) for relation in set(relations)}
    return np.fromiter(map(numbers.__getitem__, relations), np.int64, len(relations))


def _forms(output: ParsedText) -> np.ndarray:
    """Return a number for the lower-cased form and the occurrence of each word of a multiword token; 0 for others."""
    forms = np.zeros(output.n_words, dtype=np.int64)
    seen: dict[tuple[int, str], int] = {}
    for word in np.flatnonzero(output.is_multiword).tolist():
        form = (int(output.word_token[word]), output.fields["form"][word].lower())
        seen[form] = seen.get(form, 0) + 1
        forms[word] = crc32(f"{form[1]}\t{seen[form]}".encode())
    return forms
