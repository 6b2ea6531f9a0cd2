"""An invented language: its sounds, words and inflection."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np


class Flavour(NamedTuple):
    """The features that distinguish languages: sounds (separated by spaces), word order and endings.

    ``order`` is SVO, SOV or VSO; ``no_coda`` is the share of open syllables.
    """

    onsets: str
    vowels: str
    codas: str
    no_coda: float
    order: str
    adjective_first: bool
    endings: dict[str, str]


FLAVOURS = (
    Flavour(
        onsets="p t k b d g m n s v l r f z pr tr kl st br gr", vowels="a e i o u", codas="n r l s",
        no_coda=0.7, order="SVO", adjective_first=False,
        endings={
            "Plur": "i", "Acc": "n", "Gen": "os", "Dat": "um", "Inf": "are", "Past": "iv", "Fut": "est",
            "Part": "uta", "Imp": "e", "1Sing": "o", "2Sing": "es", "3Sing": "a", "1Plur": "om", "2Plur": "et",
            "3Plur": "an", "Cmp": "ior", "Adv": "ek",
        },
    ),
    Flavour(
        onsets="h y w sh j m n k t r b d g z ts", vowels="a i u e o aa", codas="n k sh m",
        no_coda=0.8, order="SOV", adjective_first=True,
        endings={
            "Plur": "tar", "Acc": "wo", "Gen": "no", "Dat": "ni", "Inf": "uk", "Past": "ash", "Fut": "oy",
            "Part": "en", "Imp": "ro", "1Sing": "im", "2Sing": "is", "3Sing": "u", "1Plur": "imiz",
            "2Plur": "isiz", "3Plur": "ular", "Cmp": "rek", "Adv": "ka",
        },
    ),
    Flavour(
        onsets="c d f g ll m n p r rh s t th b gw br", vowels="a e i o u ae ia", codas="n r l dd s t",
        no_coda=0.5, order="VSO", adjective_first=False,
        endings={
            "Plur": "au", "Acc": "ed", "Gen": "on", "Dat": "ir", "Inf": "io", "Past": "odd", "Fut": "eth",
            "Part": "ud", "Imp": "a", "1Sing": "af", "2Sing": "it", "3Sing": "o", "1Plur": "un", "2Plur": "och",
            "3Plur": "ant", "Cmp": "ach", "Adv": "in",
        },
    ),
)  # fmt: skip

OPEN_CLASSES = {"NOUN": 420, "VERB": 200, "ADJ": 140, "ADV": 50, "PROPN": 120}

GLOSSES = (
    "the", "a", "this", "that", "in", "on", "to", "from", "with", "by", "beside", "of", "and", "or", "but",
    "whether", "if", "because", "when", "who", "not", "be", "have", "get", "will", "I", "you", "she", "we",
    "ye", "they", "very", "too", "only", "oh", "well", "yes", "two", "three", "four", "five", "six", "seven",
    "ten",
)  # fmt: skip


class Language(NamedTuple):
    """A language: ``stems`` by open class, frequent ones first, and ``closed``, function words by gloss."""

    flavour: Flavour
    stems: dict[str, list[str]]
    closed: dict[str, str]


def pick(options: Sequence[str], generator: np.random.Generator) -> str:
    """One of the options, all equally likely."""
    return options[int(len(options) * generator.random())]


def pick_frequent(options: Sequence[str], generator: np.random.Generator) -> str:
    """One of the options, the first ones far more often, like words in texts."""
    share = generator.random()
    return options[int(len(options) * share * share)]


def syllable(flavour: Flavour, generator: np.random.Generator, *, closed: bool = False) -> str:
    """Onset, vowel and coda; unless ``closed``, the coda is sometimes missing."""
    onset = pick(flavour.onsets.split(), generator)
    vowel = pick(flavour.vowels.split(), generator)
    coda = pick(flavour.codas.split(), generator)
    return onset + vowel + coda * (closed or generator.random() >= flavour.no_coda)


def stem(flavour: Flavour, generator: np.random.Generator) -> str:
    """One to three syllables; the last is closed, so that endings attach cleanly."""
    start = [syllable(flavour, generator) for _ in range(int(3 * generator.random()))]
    return "".join(start) + syllable(flavour, generator, closed=True)


def make_language(flavour: Flavour, generator: np.random.Generator) -> Language:
    """A language of this flavour; no two uninflected words share a form."""
    taken: set[str] = set()

    def fresh(make: Callable[[Flavour, np.random.Generator], str]) -> str:
        while (form := make(flavour, generator)) in taken:
            pass
        taken.add(form)
        return form

    closed = {gloss: fresh(syllable) for gloss in GLOSSES}
    stems = {upos: [fresh(stem) for _ in range(size)] for upos, size in OPEN_CLASSES.items()}
    stems["PROPN"] = [name.capitalize() for name in stems["PROPN"]]
    return Language(flavour, stems, closed)


def is_vowel(letter: str) -> bool:
    """Whether the letter is a vowel (the same letters in every flavour)."""
    return letter in "aeiou"


def attach(base: str, ending: str) -> str:
    """Base and ending; of two adjacent vowels the first is dropped, and an e separates consonants."""
    if not ending:
        return base
    if is_vowel(base[-1]) and is_vowel(ending[0]):
        return base[:-1] + ending
    if not is_vowel(base[-1]) and not is_vowel(ending[0]):
        return base + "e" + ending
    return base + ending


def nominal(language: Language, base: str, number: str, case: str) -> str:
    """A noun, name or pronoun in this number and case."""
    endings = language.flavour.endings
    plural = attach(base, endings["Plur"]) if number == "Plur" else base
    return attach(plural, endings.get(case, ""))


def finite(language: Language, base: str, tense: str, person: str, number: str) -> str:
    """A verb in this tense that agrees with its subject."""
    endings = language.flavour.endings
    return attach(attach(base, endings.get(tense, "")), endings[person + number])


def contracted(preposition: str, article: str) -> str:
    """The contraction of both: the preposition loses its rhyme, the article its onset."""
    start = next(i for i, letter in enumerate(preposition) if is_vowel(letter))
    rhyme = next(i for i, letter in enumerate(article) if is_vowel(letter))
    return (preposition[:start] or preposition) + article[rhyme:]


def clitic(verb: str, pronoun: str) -> str:
    """A verb with a clitic object pronoun, which loses its onset."""
    rhyme = next(i for i, letter in enumerate(pronoun) if is_vowel(letter))
    return (verb[:-1] if is_vowel(verb[-1]) else verb) + pronoun[rhyme:]
