"""The grammar of the invented languages as tables, and trees that grow from them.

A tree has neither order nor endings yet, so the same tree gives sentences of the same meaning in every language.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from nlpsig_core.laboratory.synthesis.language.lexicon import CLOSED_CLASSES, OPEN_CLASSES, pick

DEPTH = 0.42  # how much rarer a construction is inside another one
EXTRAPOSED = 0.3  # share of relative clauses that move to the clause around them, so that arcs may cross
FRONTED = {"advcl": 0.4, "obl": 0.15}  # how often these come first in their clause


class Slot(NamedTuple):
    """A dependent that a phrase may have.

    ``habit`` says how often it has it. ``intro`` is the relation and class of a function word that introduces the
    dependent, ``marks`` are the punctuation marks before and after it.
    """

    habit: str
    relation: str
    phrase: str
    features: str = ""
    intro: str = ""
    marks: tuple[str, str] = ("", "")


SUBJECT = Slot("always", "nsubj", "thing", "Case=Nom")
OBJECTS = (Slot("object", "obj", "thing", "Case=Acc"), Slot("recipient", "iobj", "PRON", "Case=Dat"))
ADJUNCTS = (
    Slot("negation", "advmod:neg", "PART"),
    Slot("oblique", "obl", "thing", "Case=Dat", "case ADP"),
    Slot("oblique", "obl", "thing", "Case=Dat", "case ADP"),
    Slot("adverb", "advmod", "adverb"),
    Slot("adverbial", "advcl", "clause", "", "mark SCONJ"),
    Slot("coordinate", "conj", "clause", "", "cc CCONJ", (",", "")),
)
COMPLEMENTS = (
    Slot("complement", "ccomp", "clause", "", "mark SCONJ", (",", "")),
    Slot("open", "xcomp", "infinitive"),
)
NOMINAL = (
    Slot("nominal", "nmod", "thing", "Case=Dat", "case ADP"),
    Slot("relative", "acl:relcl", "relative", marks=(",", ",")),
    Slot("apposition", "appos", "entity", "Case=Nom", marks=(",", ",")),
    Slot("parenthesis", "appos", "entity", "Case=Nom", marks=("(", ")")),
    Slot("listing", "conj", "entity", "Case=Nom", "cc CCONJ"),
)
FRAME = (  # of whole sentences
    Slot("discourse", "discourse", "INTJ", marks=("", ",")),
    Slot("vocative", "vocative", "name", "Case=Nom", marks=("", ",")),
    Slot("parataxis", "parataxis", "clause", marks=(";", "")),
    Slot("quote", "parataxis", "clause", marks=(":«", "»")),
)
# The class, features and dependents of each phrase
PHRASES: dict[str, tuple[str, str, Sequence[Slot]]] = {
    "simple": ("VERB", "VerbForm=Fin", (SUBJECT, *OBJECTS, *COMPLEMENTS, *ADJUNCTS)),
    "modal": ("VERB", "VerbForm=Inf", (Slot("always", "aux", "AUX will"), SUBJECT, *OBJECTS, *ADJUNCTS)),
    "perfect": ("VERB", "VerbForm=Part", (Slot("always", "aux", "AUX have"), SUBJECT, *OBJECTS, *ADJUNCTS)),
    "passive": ("VERB", "VerbForm=Part", (Slot("always", "aux:pass", "AUX get"), SUBJECT, *ADJUNCTS)),
    "copular": ("ADJ", "", (Slot("always", "cop", "AUX be"), SUBJECT, *ADJUNCTS)),
    "infinitive": ("VERB", "VerbForm=Inf", (*OBJECTS, ADJUNCTS[1])),
    "subject relative": ("VERB", "VerbForm=Fin", (Slot("always", "nsubj", "PRON that"), *OBJECTS, *ADJUNCTS[:3])),
    "object relative": ("VERB", "VerbForm=Fin", (Slot("always", "obj", "PRON that"), SUBJECT, *ADJUNCTS[:3])),
    "noun": (
        "NOUN",
        "",
        (
            Slot("determiner", "det", "DET"),
            Slot("number", "nummod", "NUM"),
            Slot("adjective", "amod", "adjective"),
            Slot("adjective", "amod", "adjective"),
            Slot("possessive", "nmod:poss", "thing", "Case=Gen"),
            *NOMINAL,
        ),
    ),
    "name": ("PROPN", "", (Slot("surname", "flat", "last name"), *NOMINAL[2:])),
    "last name": ("PROPN", "", ()),
    "adjective": ("ADJ", "", (Slot("degree", "advmod", "adverb"),)),
    "adverb": ("ADV", "", ()),
}
# Habits that choose one of several phrases, and the phrase that is left
CHOICES: dict[str, tuple[Mapping[str, str], str]] = {
    "thing": ({"pronoun": "PRON", "name": "name"}, "noun"),
    "entity": ({"name": "name"}, "noun"),
    "clause": ({"copula": "copular", "passive": "passive", "perfect": "perfect", "modal": "modal"}, "simple"),
    "relative": ({"past": "subject relative"}, "object relative"),
}
RECURSIVE = ("thing", "entity", "clause", "relative", "infinitive")

BASE = {
    "adjective": 0.2, "adverb": 0.2, "adverbial": 0.07, "apposition": 0.015, "complement": 0.08, "coordinate": 0.1,
    "copula": 0.18, "degree": 0.1, "determiner": 0.5, "digits": 0.3, "discourse": 0.0, "exclaim": 0.02,
    "fragment": 0.03, "infinitive": 0.0, "listing": 0.08, "modal": 0.1, "name": 0.12, "negation": 0.07, "nominal": 0.16,
    "number": 0.06, "object": 0.65, "oblique": 0.28, "open": 0.1, "parataxis": 0.04, "parenthesis": 0.01,
    "passive": 0.06, "past": 0.5, "perfect": 0.15, "possessive": 0.15, "pronoun": 0.32, "question": 0.04,
    "quote": 0.0, "recipient": 0.06, "relative": 0.12, "surname": 0.4, "vocative": 0.0,
}  # fmt: skip
DOMAINS = {
    "news": BASE | {
        "adjective": 0.28, "apposition": 0.06, "name": 0.28, "nominal": 0.25, "oblique": 0.4, "passive": 0.15,
        "past": 0.7, "pronoun": 0.15, "relative": 0.16,
    },
    "speech": BASE | {
        "discourse": 0.25, "exclaim": 0.1, "fragment": 0.2, "infinitive": 0.1, "oblique": 0.2, "parataxis": 0.1,
        "pronoun": 0.6, "question": 0.16, "relative": 0.06, "vocative": 0.08,
    },
    "letters": BASE | {"adverb": 0.3, "adverbial": 0.12, "coordinate": 0.16, "pronoun": 0.5, "vocative": 0.1},
    "law": BASE | {
        "adverbial": 0.15, "digits": 0.8, "listing": 0.16, "modal": 0.35, "name": 0.04, "nominal": 0.3, "number": 0.14,
        "oblique": 0.42, "parenthesis": 0.06, "passive": 0.35, "past": 0.1, "pronoun": 0.05, "question": 0.0,
        "relative": 0.22,
    },
    "fables": BASE | {"adjective": 0.32, "coordinate": 0.2, "determiner": 0.65, "past": 0.85, "quote": 0.14},
}  # fmt: skip
DOMAIN_SHARES = ("news", "news", "news", "speech", "speech", "letters", "letters", "law", "fables", "fables")


def domain_of(document: int) -> str:
    """Return the domain of a document by its number: every ten have the same mixture, in mixed order."""
    return DOMAIN_SHARES[3 * document % len(DOMAIN_SHARES)]


@dataclass(eq=False, kw_only=True)
class Node:
    """A word of a growing tree with its dependents, in no order.

    ``word`` is the number of its stem, or a gloss, number or mark; ``marks`` are written before and after its phrase.
    ``governor`` is its head if it is placed in another phrase than its head's. A ``fronted`` node comes first.
    """

    upos: str
    relation: str
    word: int | str
    features: dict[str, str] = field(default_factory=dict)
    children: list["Node"] = field(default_factory=list)
    marks: tuple[str, str] = ("", "")
    governor: "Node | None" = None
    fronted: bool = False


class Voice(NamedTuple):
    """A speaker: the habits of a domain, a random generator, and numbers of the stems to use by class (all if none)."""

    habits: Mapping[str, float]
    generator: np.random.Generator
    topic: Mapping[str, Sequence[int]] = {}

    def chance(self, habit: str, depth: int = 0) -> bool:
        """Draw whether a construction is used; every level of depth makes it rarer."""
        return habit == "always" or bool(self.generator.random() < self.habits[habit] * DEPTH**depth)

    def stem(self, upos: str) -> int:
        """Draw the number of a stem of an open class; the first are far more frequent, like words in texts."""
        numbers = self.topic.get(upos) or range(OPEN_CLASSES[upos])
        share = self.generator.random()
        return numbers[int(len(numbers) * share * share)]


def grow(voice: Voice, phrase: str, relation: str, features: str = "", depth: int = 0) -> Node:
    """Grow a phrase with all its dependents."""
    options, rest = CHOICES.get(phrase, ({}, phrase))
    phrase = next((option for habit, option in options.items() if voice.chance(habit)), rest)
    if phrase not in PHRASES:
        return function_word(voice, phrase, relation, features)
    upos, own, slots = PHRASES[phrase]
    node = Node(upos=upos, relation=relation, word=voice.stem(upos), features=inflection(voice, upos, own, features))
    for slot in slots:
        if voice.chance(slot.habit, depth * (slot.phrase in RECURSIVE)):
            deeper = slot.phrase in RECURSIVE and (upos in ("NOUN", "PROPN") or slot.phrase != "thing")
            node.children.append(dependent(voice, slot, depth + deeper))
    extrapose(voice, node)
    return node


def inflection(voice: Voice, upos: str, *given: str) -> dict[str, str]:
    """Return the features of a word: those that are given, and a drawn number, tense or degree."""
    features = dict(pair.split("=") for pair in given if pair)
    if upos == "NOUN":
        return {"Number": "Plur" if voice.generator.random() < 0.3 else "Sing", **features}
    if upos == "ADJ":
        return {"Degree": "Cmp" if voice.generator.random() < 0.15 else "Pos"}
    if features.get("VerbForm") == "Fin":
        features["Tense"] = "Past" if voice.chance("past") else pick(("Pres", "Pres", "Fut"), voice.generator)
    return features if upos in ("PRON", "PROPN", "VERB", "AUX") else {}


def function_word(voice: Voice, phrase: str, relation: str, features: str) -> Node:
    """Return a word of a closed class, called by its class and, unless any may be drawn, its gloss."""
    upos, _, word = phrase.partition(" ")
    words = CLOSED_CLASSES[upos].split()
    word = word or words[int(len(words) * voice.generator.random() ** 2)]
    own = {"AUX": "VerbForm=Fin", "PRON": "PronType=Rel" if word == "that" else "PronType=Prs"}.get(upos, "")
    node = Node(upos=upos, relation=relation, word=word, features=inflection(voice, upos, own, features))
    if upos == "DET":
        node.features["PronType"] = "Art" if word in ("the", "a") else "Dem"
    if upos == "NUM":
        node.features["NumType"] = "Card"
        node.word = str(2 + int(2000 * voice.generator.random() ** 3)) if voice.chance("digits") else word
    return node


def dependent(voice: Voice, slot: Slot, depth: int) -> Node:
    """Grow a dependent with the word that introduces it, its marks, and at times its place at the front."""
    node = grow(voice, slot.phrase, slot.relation, slot.features, depth)
    node.marks = slot.marks
    if slot.intro:
        relation, upos = slot.intro.split()
        node.children.insert(0, function_word(voice, upos, relation, ""))
    if depth < 2 and voice.generator.random() < FRONTED.get(slot.relation, 0.0):
        node.fronted, node.marks = True, ("", "," * (slot.relation == "advcl"))
    return node


def extrapose(voice: Voice, clause: Node) -> None:
    """Move some relative clauses from the arguments of a clause to the clause itself."""
    for child in list(clause.children) if clause.upos == "VERB" else ():
        for node in [below for below in child.children if below.relation == "acl:relcl"]:
            if voice.generator.random() < EXTRAPOSED:
                child.children.remove(node)
                node.governor = child
                clause.children.append(node)


def utterance(voice: Voice) -> Node:
    """Grow the tree of a whole sentence with its final mark."""
    if voice.chance("fragment"):
        head = grow(voice, pick(("thing", "INTJ"), voice.generator), "root", "Case=Nom", 1)
    elif voice.chance("infinitive"):
        head = grow(voice, "infinitive", "root")
    else:
        head = grow(voice, "clause", "root")
        head.children += [dependent(voice, slot, 1) for slot in FRAME if voice.chance(slot.habit)]
    head.marks = ("", "?" if voice.chance("question") else "!" if voice.chance("exclaim") else ".")
    return head
