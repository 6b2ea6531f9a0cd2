"""Phrases of the invented language: nouns and names with their modifiers, pronouns, numerals, adverbs."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from nlpsig_core.laboratory.synthesis.language.lexicon import Language, attach, nominal, pick, pick_frequent


@dataclass(eq=False, kw_only=True)
class Node:
    """A word of a growing tree with its dependents in order, before and after it.

    ``governor`` is its head if the word is placed among the dependents of another word, such as an extraposed clause;
    such trees are not projective.
    """

    form: str
    lemma: str
    upos: str
    relation: str
    features: dict[str, str] = field(default_factory=dict)
    before: list["Node"] = field(default_factory=list)
    after: list["Node"] = field(default_factory=list)
    governor: "Node | None" = None
    tight: str = ""  # side without a space: "left", "right" or ""
    age: int = field(default_factory=itertools.count().__next__)  # only the order within a tree matters

    def inflect(self, form: str, **features: str) -> "Node":
        """The same node in another form."""
        self.form = form
        self.features |= features
        return self


def in_order(node: Node, head: Node | None = None) -> Iterator[tuple[Node, Node | None]]:
    """The words from left to right, each with its head."""
    for child in node.before:
        yield from in_order(child, child.governor or node)
    yield node, head
    for child in node.after:
        yield from in_order(child, child.governor or node)


DEPTH = 0.42  # how much rarer a construction is inside another one


class Voice(NamedTuple):
    """A speaker: a language, the habits of a domain (probabilities of constructions), and a random generator."""

    language: Language
    habits: dict[str, float]
    generator: np.random.Generator

    def chance(self, habit: str, depth: int = 0) -> bool:
        """Whether the construction is used; every level of depth makes it rarer."""
        return bool(self.generator.random() < self.habits[habit] * DEPTH**depth)

    def closed(self, gloss: str) -> str:
        """The function word for a gloss."""
        return self.language.closed[gloss]

    def one_of(self, *glosses: str) -> str:
        """One of these glosses, all equally likely."""
        return pick(glosses, self.generator)

    def stem(self, upos: str) -> str:
        """A word of an open class."""
        return pick_frequent(self.language.stems[upos], self.generator)


def function_word(voice: Voice, gloss: str, upos: str, relation: str, **features: str) -> Node:
    """A word that does not inflect."""
    form = voice.closed(gloss)
    return Node(form=form, lemma=form, upos=upos, relation=relation, features=dict(features))


def punctuation(mark: str, tight: str = "left") -> Node:
    """A punctuation mark; ``tight`` is the side without a space."""
    return Node(form=mark, lemma=mark, upos="PUNCT", relation="punct", tight=tight)


PERSONS = {"I": "1Sing", "you": "2Sing", "she": "3Sing", "we": "1Plur", "ye": "2Plur", "they": "3Plur"}


def pronoun(voice: Voice, relation: str, case: str, *glosses: str) -> Node:
    """A personal pronoun in this case."""
    gloss = voice.one_of(*(glosses or ("she", "she", "they", "I", "we", "you")))
    base, number = voice.closed(gloss), PERSONS[gloss][1:]
    features = {"Case": case, "Number": number, "Person": PERSONS[gloss][0], "PronType": "Prs"}
    return Node(
        form=nominal(voice.language, base, "Sing", case), lemma=base, upos="PRON", relation=relation, features=features
    )


def adverb(voice: Voice, relation: str = "advmod") -> Node:
    """A lexical adverb or one derived from an adjective, sometimes with a degree word."""
    if voice.generator.random() < 0.6:
        form = voice.stem("ADV")
    else:
        form = attach(voice.stem("ADJ"), voice.language.flavour.endings["Adv"])
    before = [degree(voice)] if voice.chance("degree") else []
    return Node(form=form, lemma=form, upos="ADV", relation=relation, before=before)


def degree(voice: Voice) -> Node:
    """A word such as very."""
    return function_word(voice, voice.one_of("very", "too", "only"), "ADV", "advmod")


def adjective(voice: Voice, relation: str, number: str) -> Node:
    """An adjective that agrees in number, at times compared or with a degree word."""
    endings = voice.language.flavour.endings
    lemma = voice.stem("ADJ")
    compared = voice.generator.random() < 0.12
    base = attach(lemma, endings["Cmp"]) if compared else lemma
    features = {"Degree": "Cmp" if compared else "Pos", "Number": number}
    node = Node(
        form=attach(base, endings["Plur"]) if number == "Plur" else base,
        lemma=lemma,
        upos="ADJ",
        relation=relation,
        features=features,
    )
    node.before = [degree(voice)] if voice.chance("degree") and not compared else []
    return node


def preposition(voice: Voice) -> Node:
    """An adposition, sometimes of two words."""
    gloss = voice.one_of("in", "in", "on", "to", "from", "with", "by", "beside")
    node = function_word(voice, gloss, "ADP", "case")
    if voice.generator.random() < 0.06:
        node.after = [function_word(voice, "of", "ADP", "fixed")]
    return node


def determiner(voice: Voice, number: str) -> Node:
    """An article or a demonstrative; demonstratives agree in number."""
    gloss = voice.one_of("the", "the", "the", "the", "a", "this", "that")
    form = voice.closed(gloss)
    if gloss in ("the", "a"):
        features = {"Definite": "Def" if gloss == "the" else "Ind", "PronType": "Art"}
        return Node(form=form, lemma=form, upos="DET", relation="det", features=features)
    node = Node(form=form, lemma=form, upos="DET", relation="det", features={"Number": number, "PronType": "Dem"})
    return node.inflect(nominal(voice.language, form, number, "Nom"))


def numeral(voice: Voice) -> Node:
    """A number in words or in digits."""
    if voice.chance("digits"):
        form = str(2 + int(voice.generator.random() * 2 ** int(2 + 9 * voice.generator.random())))
        return Node(
            form=form, lemma=form, upos="NUM", relation="nummod", features={"NumForm": "Digit", "NumType": "Card"}
        )
    gloss = voice.one_of("two", "three", "four", "five", "six", "seven", "ten")
    return function_word(voice, gloss, "NUM", "nummod", NumForm="Word", NumType="Card")


def name(voice: Voice, relation: str, case: str) -> Node:
    """A name of one or two words; the first carries the case."""
    lemma = voice.stem("PROPN")
    form = nominal(voice.language, lemma, "Sing", case)
    node = Node(form=form, lemma=lemma, upos="PROPN", relation=relation, features={"Case": case, "Number": "Sing"})
    if voice.generator.random() < 0.4:
        last = voice.stem("PROPN")
        node.after.append(Node(form=last, lemma=last, upos="PROPN", relation="flat", features={"Number": "Sing"}))
    return node


def bare_noun(voice: Voice, relation: str, case: str) -> Node:
    """A noun without dependents."""
    number = "Plur" if voice.generator.random() < 0.3 else "Sing"
    lemma = voice.stem("NOUN")
    form = nominal(voice.language, lemma, number, case)
    return Node(form=form, lemma=lemma, upos="NOUN", relation=relation, features={"Case": case, "Number": number})


def add_modifiers(voice: Voice, noun: Node, depth: int) -> None:
    """Give a noun its adjectives, numeral and determiner, in the language's order."""
    if voice.chance("number"):
        noun.before.insert(0, numeral(voice))
    place = noun.before if voice.language.flavour.adjective_first else noun.after
    count = 0
    while count < 3 and voice.chance("adjective", depth + count):
        place.append(adjective(voice, "amod", noun.features["Number"]))
        count += 1
    if voice.chance("possessive_pronoun"):
        noun.before.insert(0, pronoun(voice, "nmod:poss", "Gen"))
    elif voice.chance("determiner"):
        noun.before.insert(0, determiner(voice, noun.features["Number"]))


def add_complements(voice: Voice, noun: Node, depth: int) -> None:
    """Give a noun its genitive and its prepositional phrases."""
    if voice.chance("possessive", depth):
        noun.after.append(noun_phrase(voice, "nmod:poss", "Gen", depth + 2))
    if voice.chance("nominal", depth):
        noun.after.append(prepositional(voice, "nmod", depth + 1))


def noun_phrase(voice: Voice, relation: str, case: str, depth: int = 0) -> Node:
    """A full noun phrase or a name, at times coordinated or with an apposition."""
    if voice.chance("name"):
        node = name(voice, relation, case)
    else:
        node = bare_noun(voice, relation, case)
        add_modifiers(voice, node, depth)
        add_complements(voice, node, depth)
    if voice.chance("apposition", depth):
        node.after += apposition(voice, depth)
    if voice.chance("listing", depth):
        node.after += conjuncts(voice, case, depth)
    return node


def apposition(voice: Voice, depth: int) -> list[Node]:
    """An apposition in commas or in parentheses."""
    node = noun_phrase(voice, "appos", "Nom", depth + 2)
    if voice.chance("parentheses"):
        node.before.insert(0, punctuation("(", "right"))
        node.after.append(punctuation(")"))
    else:
        node.before.insert(0, punctuation(","))
        node.after.append(punctuation(","))
    return [node]


def conjuncts(voice: Voice, case: str, depth: int) -> list[Node]:
    """One or more further conjuncts, the last with a conjunction, those before it with commas."""
    count = 1 + int(voice.generator.random() < 0.25) + int(voice.generator.random() < 0.1)
    nodes = [noun_phrase(voice, "conj", case, depth + 2) for _ in range(count)]
    for node in nodes[:-1]:
        node.before.insert(0, punctuation(","))
    nodes[-1].before.insert(0, function_word(voice, voice.one_of("and", "and", "or"), "CCONJ", "cc"))
    return nodes


def prepositional(voice: Voice, relation: str, depth: int = 0) -> Node:
    """A noun phrase or pronoun with an adposition."""
    if voice.chance("pronoun", 2):
        node = pronoun(voice, relation, "Dat")
    else:
        node = noun_phrase(voice, relation, "Dat", depth + 1)
    node.before.insert(0, preposition(voice))
    return node
