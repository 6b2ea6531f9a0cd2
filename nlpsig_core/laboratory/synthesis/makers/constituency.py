"""Phrase-structure trees, with labels and tags in the style of the Penn Treebank, from dependency trees."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nlpsig_core.laboratory.synthesis.language.documents import make_treebank
from nlpsig_core.laboratory.synthesis.language.treebank import Sentence, Word, lines, universal
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, Order, domain_table, side_files
from nlpsig_core.laboratory.synthesis.systems.decisions import all_decisions, rate
from nlpsig_core.laboratory.synthesis.systems.parses import is_above, parsed, tagged

EASE = 0.3
MARKS = {".": ".", "?": ".", "!": ".", ",": ",", "(": "-LRB-", ")": "-RRB-", "«": "``", "»": "''"}
TAGS = {
    "ADJ": "JJ", "ADP": "IN", "ADV": "RB", "AUX": "VBP", "CCONJ": "CC", "DET": "DT", "INTJ": "UH", "NOUN": "NN",
    "NUM": "CD", "PART": "RB", "PRON": "PRP", "PROPN": "NNP", "SCONJ": "IN", "VERB": "VBP",
}  # fmt: skip
TAGS_BY_FEATURE = {
    "Number=Plur": "NNS",
    "Degree=Cmp": "JJR",
    "Tense=Past": "VBD",
    "VerbForm=Part": "VBN",
    "VerbForm=Inf": "VB",
    "PronType=Rel": "WP",
}
LABELS = {"ADJ": "ADJP", "ADV": "ADVP", "INTJ": "INTJ"} | dict.fromkeys(("NOUN", "PROPN", "PRON", "NUM", "DET"), "NP")
INTRODUCED = {"case": "PP", "mark": "SBAR"}
VERBAL = ("aux", "cop")
BESIDE = ("conj", "parataxis", "punct")  # outside a verb phrase
CLOSE = ("amod", "det", "flat", "nummod", "cc")  # words that have no bracket of their own


class Phrase(NamedTuple):
    """A bracket: its label and children, or for a tag its token."""

    label: str
    children: tuple["Phrase", ...] = ()
    token: str = ""

    def __str__(self) -> str:
        """The tree in brackets, in one line."""
        return f"({self.label} {self.token or ' '.join(map(str, self.children))})"


def make_constituency(order: Order) -> Files:
    """Make the files of a task of bracketed trees, one tree per line.

    A system's tree is the phrase structure derived from its dependency tree and tags, without some of the brackets
    around single words.
    """
    bank = rate(make_treebank(order.seed, 0, order.units), order.seed, ease=EASE)
    files = {"gold.mrg": brackets(bank.sentences), "domains.tsv": domain_table("sentence", bank.sentences)}
    made = all_decisions(bank, order.entrants, order.seed)
    for decisions in made:
        layers = np.stack([decisions.tags[0], *np.ones((2, bank.size), dtype=bool)])
        sentences = tagged(bank, parsed(bank, decisions), layers)
        bare = [(~decisions.tags[1, place]).tolist() for place in bank.slices()]
        trees = map(phrase_structure, sentences, bare)
        files[f"systems/{decisions.name}.mrg"] = lines(map(str, trees))
    return files | side_files(order, "Constituency parsing of given words", "sentence", made)


def brackets(sentences: Sequence[Sentence]) -> str:
    """Return a file with the phrase structure of one sentence per line."""
    return lines(str(phrase_structure(sentence)) for sentence in sentences)


def phrase_structure(sentence: Sentence, bare: Sequence[bool] = ()) -> Phrase:
    """Return the phrase structure of a sentence from its heads and tags.

    ``bare`` marks the words without the bracket around a single word that they should have.
    """
    below: list[list[int]] = [[] for _ in range(len(sentence.words) + 1)]
    for number, head in enumerate(projective(sentence.heads), start=1):
        below[head].append(number)
    tree = Builder(sentence.words, below, bare or [False] * len(sentence.words)).phrase(below[0][0])
    return Phrase("TOP", (tree if tree.children else Phrase("S", (tree,)),))


def projective(heads: Sequence[int]) -> list[int]:
    """Change heads (from 1) into those of a tree without crossing arcs and with one root.

    Further roots are attached to the first. Arcs over a word that is not below their head are lifted to the head of
    their head, short arcs first (Nivre and Nilsson 2005).
    """
    result = list(heads)
    root = result.index(0) + 1
    result = [root if head == 0 and number != root else head for number, head in enumerate(result, start=1)]
    while crossing := [(abs(n - h), n) for n, h in enumerate(result, start=1) if h and not spans(result, n, h)]:
        number = min(crossing)[1]
        result[number - 1] = result[result[number - 1] - 1]
    return result


def spans(heads: Sequence[int], number: int, head: int) -> bool:
    """Return whether all words between a word and its head are below that head."""
    return all(is_above(heads, head, other) for other in range(min(number, head) + 1, max(number, head)))


def leaf(word: Word) -> Phrase:
    """Return a word under its tag, from its universal tag and features."""
    if word.upos == "PUNCT":
        tag = MARKS.get(word.form, ":")
        return Phrase(tag, token=tag if word.form in "()" else word.form)
    special = (TAGS_BY_FEATURE[pair] for pair in word.feats.split("|") if pair in TAGS_BY_FEATURE)
    return Phrase(next(special, TAGS[word.upos]), token=word.form)


class Builder(NamedTuple):
    """A projective dependency tree; ``below`` lists the dependents by number of the word, from 1 (0: the root)."""

    words: Sequence[Word]
    below: Sequence[Sequence[int]]
    bare: Sequence[bool]

    def first(self, numbers: Sequence[int], relations: Sequence[str]) -> int:
        """Return the place of the first of these words with one of the relations; behind all if there is none."""
        own = (i for i, n in enumerate(numbers) if universal(self.words[n - 1].relation) in relations)
        return next(own, len(numbers))

    def phrases(self, numbers: Sequence[int]) -> list[Phrase]:
        """Return the phrases of several words, side by side."""
        return [self.phrase(number) for number in numbers]

    def phrase(self, number: int) -> Phrase:
        """Return the phrase of a word with all its dependents, and the word that introduces it."""
        left = [n for n in self.below[number] if n < number]
        right = [n for n in self.below[number] if n > number]
        place = self.first(left, tuple(INTRODUCED))
        if place == len(left):
            return self.core(number, left, right)
        label = INTRODUCED[universal(self.words[left[place] - 1].relation)]
        return Phrase(label, (*self.phrases(left[: place + 1]), self.core(number, left[place + 1 :], right)))

    def core(self, number: int, left: list[int], right: list[int]) -> Phrase:
        """Return the phrase of a word with these dependents; words without any may have no bracket."""
        word = self.words[number - 1]
        start = self.first(left, VERBAL)
        if word.upos == "VERB" or start < len(left):
            end = self.first(right, BESIDE)
            verb = Phrase("VP", (*self.phrases(left[start:]), leaf(word), *self.phrases(right[:end])))
            return Phrase("S", (*self.phrases(left[:start]), verb, *self.phrases(right[end:])))
        label = LABELS.get(word.upos, "NP")
        if not left + right and (word.upos not in LABELS or self.bare[number - 1] or universal(word.relation) in CLOSE):
            return leaf(word)
        if left and self.words[left[0] - 1].form == "(":
            label = "PRN"
        close = next((i for i, n in enumerate(right) if self.first([n], CLOSE)), len(right))
        inner = Phrase(label, (*self.phrases(left), leaf(word), *self.phrases(right[:close])))
        return Phrase(label, (inner, *self.phrases(right[close:]))) if right[close:] else inner
