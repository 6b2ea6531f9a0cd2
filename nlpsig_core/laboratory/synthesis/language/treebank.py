"""Sentences with dependency trees, and their text in the formats of treebanks."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from nlpsig_core.laboratory.parsers.treebank import ParsedSentence

LEFT, RIGHT = ",.:;?!)»", "(«"  # marks without a space before or after them


class Word(NamedTuple):
    """A syntactic word; ``head`` counts from 1, and is 0 for the root.

    ``surface`` is the token that this word and the next one form together, if any.
    """

    form: str
    lemma: str
    upos: str
    feats: str
    head: int
    relation: str
    surface: str = ""


class Sentence(NamedTuple):
    """Words in order, the domain and number of the document, and whether the sentence is its first."""

    words: tuple[Word, ...]
    domain: str = ""
    document: int = 0
    opens: bool = False

    @property
    def name(self) -> str:
        """The name of the document."""
        return f"{self.domain}-{self.document:03d}"

    @property
    def heads(self) -> list[int]:
        """The head of each word."""
        return [word.head for word in self.words]


def stream(seed: int, *keys: int) -> np.random.Generator:
    """Return a separate generator for each purpose, so that changing one leaves the others unchanged."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=keys)))


def universal(relation: str) -> str:
    """Return the relation without its subtype."""
    return relation.partition(":")[0]


def capital(word: str) -> str:
    """Return the word with a capital, for the start of a sentence."""
    return word[:1].upper() + word[1:]


def plain(words: Sequence[str]) -> str:
    """Return the words as a line of text, spaced, with a capital and no comma at the start."""
    line, glue = "", ""
    for word in words:
        if line or word not in ",:;":
            line += ("" if word in LEFT else glue) + word
            glue = "" if word in RIGHT else " "
    return capital(line)


def tokens(sentence: Sentence) -> list[tuple[str, range]]:
    """Return the surface tokens, each with the numbers of its words."""
    spans, number = [], 1
    while number <= len(sentence.words):
        word = sentence.words[number - 1]
        span = range(number, number + 1 + bool(word.surface))
        spans.append((word.surface or word.form, span))
        number = span.stop
    return spans


def text(sentence: Sentence) -> str:
    """Return the sentence as plain text."""
    return plain([form for form, _ in tokens(sentence)])


def lines(texts: Iterable[str]) -> str:
    """Return a file with one text per line."""
    return "".join(text + "\n" for text in texts)


def xpos(word: Word) -> str:
    """Return a language-specific tag: the start of the universal tag, then the first letter of each feature."""
    values = [] if word.feats == "_" else [pair.split("=")[1][0] for pair in word.feats.split("|")]
    return word.upos[:2] + "".join(values).lower()


def trees(sentences: Iterable[Sentence]) -> list[ParsedSentence]:
    """Return the tree of each sentence as parsers learn from it: forms, tags, heads and relations only."""
    rows = [zip(*((w.form, w.upos, w.head, w.relation) for w in s.words), strict=True) for s in sentences]
    return [ParsedSentence(*map(tuple, columns)) for columns in rows]


def conllu_rows(sentence: Sentence) -> Iterable[str]:
    """Yield the CoNLL-U lines of the tokens and words, without comments."""
    spans = tokens(sentence)
    following = [form for form, _ in spans[1:]] + [""]
    for (form, span), after in zip(spans, following, strict=True):
        misc = "SpaceAfter=No" if form in RIGHT or (after and after in LEFT) else "_"
        if len(span) > 1:
            yield "\t".join([f"{span[0]}-{span[-1]}", form, *"_______", misc])
        for number in span:
            word = sentence.words[number - 1]
            columns = [str(number), word.form, word.lemma, word.upos, xpos(word), word.feats, str(word.head)]
            yield "\t".join([*columns, word.relation, "_", misc if len(span) == 1 else "_"])


def sentence_id(sentence: Sentence, number: int) -> str:
    """Return the identifier of the gold sentence with this number (from 1)."""
    return f"{sentence.name}-s{number}"


def gold_conllu(sentences: Sequence[Sentence]) -> str:
    """Return the gold file, with documents, identifiers and texts as comments."""
    rows: list[str] = []
    for number, sentence in enumerate(sentences, start=1):
        rows += [f"# newdoc id = {sentence.name}"] * sentence.opens
        rows += [f"# sent_id = {sentence_id(sentence, number)}", f"# text = {text(sentence)}"]
        rows += [*conllu_rows(sentence), ""]
    return lines(rows)


def output_conllu(sentences: Sequence[Sentence]) -> str:
    """Return the file of a system: its own sentences, numbered in order."""
    rows: list[str] = []
    for number, sentence in enumerate(sentences, start=1):
        rows += [f"# sent_id = {number}", *conllu_rows(sentence), ""]
    return lines(rows)


def conllx(sentences: Iterable[Sentence], *, bare: bool = False) -> str:
    """Return a CoNLL-X file; if ``bare``, with forms, tags, heads and relations only."""
    rows: list[str] = []
    for sentence in sentences:
        for number, word in enumerate(sentence.words, start=1):
            tags = ("_", word.upos, "_", "_") if bare else (word.lemma, word.upos, xpos(word), word.feats)
            rows.append("\t".join([str(number), word.form, *tags, str(word.head), word.relation, "_", "_"]))
        rows.append("")
    return lines(rows)
