"""Phrase structure from dependency trees, with labels and tags in the style of the Penn Treebank."""

from collections.abc import Sequence
from typing import NamedTuple

from nlpsig_core.laboratory.parsers.treebank import projective
from nlpsig_core.laboratory.synthesis.language.treebank import Word, universal


class Phrase(NamedTuple):
    """A bracket: its label and children, or for a tag its token."""

    label: str
    children: tuple["Phrase", ...] = ()
    token: str = ""

    def __str__(self) -> str:
        """The tree in brackets, in one line."""
        return f"({self.label} {self.token or ' '.join(map(str, self.children))})"


MARKS = {
    ",": ",", ".": ".", "?": ".", "!": ".", ":": ":", ";": ":", "(": "-LRB-", ")": "-RRB-", "«": "``", "»": "''",
}  # fmt: skip
TOKENS = {"(": "-LRB-", ")": "-RRB-"}
TAGS = {
    "ADP": "IN", "SCONJ": "IN", "CCONJ": "CC", "DET": "DT", "NUM": "CD", "INTJ": "UH", "ADV": "RB", "PART": "RB",
    "PROPN": "NNP",
}  # fmt: skip
VERBAL = ("VERB", "AUX")
NOMINAL = ("NOUN", "PROPN", "PRON", "NUM", "DET")
LOOSE = ("PUNCT", "CCONJ")  # at the edge of a phrase they belong to the phrase above
INSIDE = ("ADV", "AUX", "PART")  # inside the verb phrase although they precede the verb
CLOSE = ("amod", "det", "flat", "nummod")  # attached to the noun without a bracket in between
BESIDE = ("conj", "parataxis")  # begin what is outside a clause
OF_NOUNS = ("acl", "amod", "appos", "flat", "nmod", "nummod")  # belong to the noun that they follow


def penn_tag(word: Word) -> str:
    """The tag of a word from its universal tag and features."""
    upos, feats = word.upos, word.feats
    if upos == "PUNCT":
        return MARKS.get(word.form, ":")
    if upos == "NOUN":
        return "NNS" if "Number=Plur" in feats else "NN"
    if upos == "ADJ":
        return "JJR" if "Degree=Cmp" in feats else "JJ"
    if upos == "PRON":
        return "WP" if "PronType=Rel" in feats else "PRP$" if "Case=Gen" in feats else "PRP"
    if upos in VERBAL:
        return "VBD" if "Tense=Past" in feats else "VBN" if "Part" in feats else "VB" if "Inf" in feats else "VBP"
    return TAGS[upos]


def leaf(word: Word) -> Phrase:
    """A word under its tag."""
    return Phrase(penn_tag(word), token=TOKENS.get(word.form, word.form))


def phrase_structure(words: Sequence[Word], bare: Sequence[bool]) -> Phrase:
    """The phrase structure of a sentence from the heads and tags of ``words``.

    ``bare`` marks the words without the bracket around a single word that they should have.
    """
    heads = projective([word.head for word in words])
    below: list[list[int]] = [[] for _ in range(len(words) + 1)]
    for number, head in enumerate(heads, start=1):
        below[head].append(number)
    trees = Builder(words, below, bare).siblings(below[0][0])
    main = next((tree for tree in trees if not tree.token), Phrase("S"))
    inside = [child for tree in trees for child in (tree.children if tree is main else (tree,))]
    return Phrase("TOP", (Phrase(main.label, tuple(inside)),))


class Builder(NamedTuple):
    """A projective dependency tree; ``below`` lists the dependents by number of the word, from 1 (0: the root)."""

    words: Sequence[Word]
    below: Sequence[Sequence[int]]
    bare: Sequence[bool]

    def relation(self, number: int) -> str:
        """The universal relation of a word."""
        return universal(self.words[number - 1].relation)

    def is_loose(self, number: int) -> bool:
        """Whether a word is a mark or conjunction without dependents."""
        return self.words[number - 1].upos in LOOSE and not self.below[number]

    def all(self, numbers: Sequence[int]) -> list[Phrase]:
        """The phrases of several words, side by side."""
        return [tree for number in numbers for tree in self.siblings(number)]

    def siblings(self, number: int) -> list[Phrase]:
        """The phrase of a word, between the marks and conjunctions at its edges, which are not part of it."""
        left = [n for n in self.below[number] if n < number]
        right = [n for n in self.below[number] if n > number]
        start, end = 0, len(right)
        while start < len(left) and self.is_loose(left[start]):
            start += 1
        while end and self.is_loose(right[end - 1]):
            end -= 1
        trees = [
            *self.all(left[:start]), *self.introduced(number, left[start:], right[:end]), *self.all(right[end:])
        ]  # fmt: skip
        return [Phrase("PRN", tuple(trees))] if trees[0].label == "-LRB-" and len(trees) > 1 else trees

    def introduced(self, number: int, left: list[int], right: list[int]) -> list[Phrase]:
        """The phrase of a word with its preposition, conjunction or relative pronoun."""
        first = self.relation(left[0]) if left else ""
        if first in ("case", "mark"):
            label = "PP" if first == "case" else "SBAR"
            return [Phrase(label, (*self.siblings(left[0]), *self.phrase(number, left[1:], right)))]
        if left and "PronType=Rel" in self.words[left[0] - 1].feats and not self.below[left[0]]:
            who = Phrase("WHNP", (leaf(self.words[left[0] - 1]),))
            return [Phrase("SBAR", (who, *self.phrase(number, left[1:], right)))]
        return self.phrase(number, left, right)

    def phrase(self, number: int, left: list[int], right: list[int]) -> list[Phrase]:
        """The phrase of a word with these dependents; function words have no phrase of their own."""
        word = self.words[number - 1]
        copula = next((i for i, n in enumerate(left) if self.relation(n) == "cop"), -1) + 1
        if word.upos == "VERB" or copula or (word.upos == "AUX" and left + right):
            return [self.clause(number, left, right, copula)]
        if word.upos in NOMINAL and (word.upos != "DET" or left + right):
            return self.nominal(number, left, right)
        if word.upos == "ADJ" and word.relation == "amod" and not left + right:
            return [leaf(word)]
        label = {"ADJ": "ADJP", "ADV": "ADVP", "INTJ": "INTJ"}.get(word.upos, "")
        return self.bracket(label, number, [*self.all(left), leaf(word), *self.all(right)])

    def bracket(self, label: str, number: int, trees: list[Phrase]) -> list[Phrase]:
        """A bracket around the trees, unless it has no label or is around a bare word."""
        return [Phrase(label, tuple(trees))] if label and not (len(trees) == 1 and self.bare[number - 1]) else trees

    def nominal(self, number: int, left: list[int], right: list[int]) -> list[Phrase]:
        """A noun phrase: a bracket of the noun and its close modifiers, then what follows."""
        close = 0
        while close < len(right) and self.relation(right[close]) in CLOSE:
            close += 1
        core = [*self.all(left), leaf(self.words[number - 1]), *self.all(right[:close])]
        owner = self.words[number - 1].upos == "PRON" and self.relation(number) == "nmod"
        if len(core) + len(right) == 1 and (owner or self.relation(number) in CLOSE):
            return core
        trees = self.bracket("NP", number, core)
        return [Phrase("NP", (*trees, *self.all(right[close:])))] if right[close:] else trees

    def clause(self, number: int, left: list[int], right: list[int], copula: int) -> Phrase:
        """A clause: what precedes the verb phrase, the verb phrase, and further clauses."""
        beside = next((i for i, n in enumerate(right) if self.relation(n) in BESIDE), len(right))
        while beside and beside < len(right) and self.is_loose(right[beside - 1]):
            beside -= 1
        start = copula or len(left)
        while start and self.words[left[start - 1] - 1].upos in INSIDE:
            start -= 1
        middle = self.verb_phrase(number, left[start:], right[:beside], max(copula - start, 0))
        core = Phrase("S", (*self.all(left[:start]), middle))
        return Phrase("S", (core, *self.all(right[beside:]))) if right[beside:] else core

    def verb_phrase(self, number: int, left: list[int], right: list[int], copula: int) -> Phrase:
        """A verb phrase; a participle or infinitive has one of its own below its auxiliary."""
        if copula:
            own = 0
            while own < len(right) and self.relation(right[own]) in OF_NOUNS:
                own += 1
            predicate = self.predicate(number, left[copula:], right[:own])
            return Phrase("VP", (*self.all(left[:copula]), *predicate, *self.all(right[own:])))
        last = max((i for i, n in enumerate(left, start=1) if self.words[n - 1].upos == "AUX"), default=0)
        inner = Phrase("VP", (*self.all(left[last:]), leaf(self.words[number - 1]), *self.all(right)))
        return Phrase("VP", (*self.all(left[:last]), inner)) if last else inner

    def predicate(self, number: int, left: list[int], right: list[int]) -> list[Phrase]:
        """The predicate of a copula: a noun phrase or an adjective phrase."""
        if self.words[number - 1].upos in NOMINAL:
            return self.nominal(number, left, right)
        return self.bracket("ADJP", number, [*self.all(left), leaf(self.words[number - 1]), *self.all(right)])
