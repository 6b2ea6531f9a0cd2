"""Invented languages: their sounds, words, endings and word order."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np


class Flavour(NamedTuple):
    """The features that distinguish languages: sounds, endings and word order.

    ``order`` lists the relations of dependents from left to right around their head, and ``open_syllables`` is the
    share of syllables without a coda.
    """

    onsets: str
    vowels: str
    codas: str
    open_syllables: float
    articles: bool
    order: str
    endings: Mapping[str, str]


CASE, NUMBER, TENSE = ("Acc", "Gen", "Dat"), ("Plur",), ("Pres", "Past", "Fut")
INFLECTIONS = {
    "NOUN": ("", *CASE, *NUMBER),
    "PROPN": ("", *CASE),
    "ADJ": ("", "Cmp"),
    "VERB": ("Inf", "Part", *TENSE),
}
ENDINGS = (*NUMBER, *CASE, *TENSE, "Inf", "Part", "Cmp", "ADV")


def endings(text: str) -> dict[str, str]:
    """Return the endings of a language from a text with one for each name in ENDINGS."""
    return dict(zip(ENDINGS, text.split(), strict=True))


FLAVOURS = (
    Flavour(
        onsets="p t k b d g m n s v l r f z pr tr kl st br gr",
        vowels="a e i o u",
        codas="n r l s",
        open_syllables=0.7,
        articles=True,
        order="discourse vocative cc mark case nummod det nsubj aux cop advmod:neg HEAD amod flat nmod:poss nmod "
        "iobj obj advmod obl appos acl xcomp ccomp advcl conj parataxis",
        endings=endings("i n os um a iv est are uta ior ek"),
    ),
    Flavour(
        onsets="h y w sh j m n k t r b d g z ts",
        vowels="a i u e o aa",
        codas="n k sh m",
        open_syllables=0.8,
        articles=False,
        order="discourse vocative cc mark case det nmod:poss nummod amod nsubj advmod obl iobj obj HEAD flat nmod "
        "advmod:neg cop aux appos acl xcomp ccomp advcl conj parataxis",
        endings=endings("tar wo no ni u ash oy uk en rek ka"),
    ),
    Flavour(
        onsets="c d f g ll m n p r rh s t th b gw br",
        vowels="a e i o u ae ia",
        codas="n r l dd s t",
        open_syllables=0.5,
        articles=True,
        order="discourse vocative cc mark case det advmod:neg aux cop HEAD nsubj iobj obj nummod flat amod "
        "nmod:poss nmod advmod obl appos acl xcomp ccomp advcl conj parataxis",
        endings=endings("au ed on ir o odd eth io ud ach in"),
    ),
)

OPEN_CLASSES = {"NOUN": 420, "VERB": 200, "ADJ": 140, "ADV": 50, "PROPN": 120}
CLOSED_CLASSES = {
    "DET": "the a this that",
    "ADP": "in on to from with by beside of",
    "CCONJ": "and or but",
    "SCONJ": "whether if because when",
    "PART": "not",
    "AUX": "be have get will",
    "PRON": "I you she we ye they who",
    "INTJ": "oh well yes",
    "NUM": "two three four five six seven ten",
}


class Language(NamedTuple):
    """A language: ``stems`` by open class, frequent ones first, and ``closed``, function words by gloss."""

    flavour: Flavour
    stems: dict[str, list[str]]
    closed: dict[str, str]


def pick(options: Sequence[str], generator: np.random.Generator) -> str:
    """Draw one of the options, all equally likely."""
    return options[int(len(options) * generator.random())]


def syllable(flavour: Flavour, generator: np.random.Generator, *, closed: bool = False) -> str:
    """Draw a syllable; unless ``closed``, it may lack a coda."""
    onset, vowel, coda = (pick(f.split(), generator) for f in (flavour.onsets, flavour.vowels, flavour.codas))
    return onset + vowel + coda * (closed or generator.random() >= flavour.open_syllables)


def stem(flavour: Flavour, generator: np.random.Generator) -> str:
    """Draw a stem of one to three syllables; the last one is closed, so that endings attach cleanly."""
    start = [syllable(flavour, generator) for _ in range(int(3 * generator.random()))]
    return "".join(start) + syllable(flavour, generator, closed=True)


def make_language(flavour: Flavour, generator: np.random.Generator) -> Language:
    """Make a language of this flavour, in which no two uninflected words have the same form."""
    taken: set[str] = set()

    def fresh(make: Callable[[Flavour, np.random.Generator], str]) -> str:
        while (form := make(flavour, generator)) in taken:
            pass
        taken.add(form)
        return form

    closed = {gloss: fresh(syllable) for glosses in CLOSED_CLASSES.values() for gloss in glosses.split()}
    stems = {upos: [fresh(stem) for _ in range(size)] for upos, size in OPEN_CLASSES.items()}
    stems["PROPN"] = [name.capitalize() for name in stems["PROPN"]]
    return Language(flavour, stems, closed)


def is_vowel(letter: str) -> bool:
    """Return whether the letter is a vowel (the same letters in every flavour)."""
    return letter in "aeiou"


def attach(base: str, ending: str) -> str:
    """Add an ending: the first of two adjacent vowels is dropped, and an e separates two consonants."""
    if not ending or is_vowel(base[-1]) != is_vowel(ending[0]):
        return base + ending
    return base[:-1] + ending if is_vowel(ending[0]) else base + "e" + ending


def fused(left: str, right: str) -> str:
    """Return the token that two words merge into: the first loses its last vowel, the second its onset."""
    onset = next(i for i, letter in enumerate(right) if is_vowel(letter))
    return (left[:-1] if is_vowel(left[-1]) and len(left) > 1 else left) + right[onset:]
