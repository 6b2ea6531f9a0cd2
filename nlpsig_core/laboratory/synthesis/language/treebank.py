"""Sentences with dependency trees, and their CoNLL-U text."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np


class Word(NamedTuple):
    """One syntactic word; ``head`` counts from 1, and is 0 for the root."""

    form: str
    lemma: str
    upos: str
    feats: str
    head: int
    relation: str
    space_after: bool = True


class Contraction(NamedTuple):
    """A surface token that stands for the words ``first`` to ``last`` (from 1, both included)."""

    first: int
    last: int
    surface: str


class Sentence(NamedTuple):
    """Words in order, their contractions, and the origin of the sentence.

    ``document`` is the running number of the document, ``opens`` says whether the sentence is its first.
    """

    words: tuple[Word, ...]
    contractions: tuple[Contraction, ...] = ()
    domain: str = ""
    document: int = 0
    opens: bool = False


def stream(seed: int, *keys: int) -> np.random.Generator:
    """A separate generator for each purpose, so that changing one leaves the others unchanged."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=keys)))


def universal(relation: str) -> str:
    """The relation without its subtype."""
    return relation.split(":")[0]


XPOS = {
    "ADJ": "a", "ADP": "p", "ADV": "r", "AUX": "x", "CCONJ": "c", "DET": "d", "INTJ": "i", "NOUN": "n",
    "NUM": "m", "PART": "q", "PRON": "o", "PROPN": "e", "PUNCT": "z", "SCONJ": "s", "VERB": "v",
}  # fmt: skip


def xpos(word: Word) -> str:
    """The language-specific tag: a letter for the class, then the first letter of each feature's value."""
    values = [] if word.feats == "_" else [pair.split("=")[1][0] for pair in word.feats.split("|")]
    return XPOS[word.upos].upper() + "".join(values).lower()


def tokens(sentence: Sentence) -> list[tuple[str, range]]:
    """The surface tokens, each with the numbers of its words."""
    spans = {c.first: c for c in sentence.contractions}
    found, number = [], 1
    while number <= len(sentence.words):
        last = spans[number].last if number in spans else number
        form = spans[number].surface if number in spans else sentence.words[number - 1].form
        found.append((form, range(number, last + 1)))
        number = last + 1
    return found


def text(sentence: Sentence) -> str:
    """The sentence as plain text."""
    return "".join(form + " " * sentence.words[span[-1] - 1].space_after for form, span in tokens(sentence)).rstrip()


def conllu_lines(sentence: Sentence) -> Iterable[str]:
    """The CoNLL-U lines of the words and contractions, without comments and without the closing blank."""
    spans = {c.first: c for c in sentence.contractions}
    last = 0
    for number, word in enumerate(sentence.words, start=1):
        misc = "_" if word.space_after else "SpaceAfter=No"
        if number in spans:
            last = spans[number].last
            glued = "_" if sentence.words[last - 1].space_after else "SpaceAfter=No"
            yield "\t".join([f"{number}-{last}", spans[number].surface, *"______", "_", glued])
        if number <= last:
            misc = "_"
        columns = [str(number), word.form, word.lemma, word.upos, xpos(word), word.feats, str(word.head)]
        yield "\t".join([*columns, word.relation, "_", misc])


def sentence_id(sentence: Sentence, number: int) -> str:
    """The identifier of the gold sentence with this number (from 1)."""
    return f"{sentence.domain}-{sentence.document:03d}-s{number}"


def gold_conllu(sentences: Sequence[Sentence]) -> str:
    """The gold file, with documents, identifiers and texts as comments."""
    lines: list[str] = []
    for number, sentence in enumerate(sentences, start=1):
        if sentence.opens:
            lines.append(f"# newdoc id = {sentence.domain}-{sentence.document:03d}")
        lines += [f"# sent_id = {sentence_id(sentence, number)}", f"# text = {text(sentence)}"]
        lines += [*conllu_lines(sentence), ""]
    return "\n".join(lines) + "\n"


def output_conllu(sentences: Sequence[Sentence]) -> str:
    """The file of a system: its own sentences, numbered in order."""
    lines: list[str] = []
    for number, sentence in enumerate(sentences, start=1):
        lines += [f"# sent_id = {number}", *conllu_lines(sentence), ""]
    return "\n".join(lines) + "\n"
