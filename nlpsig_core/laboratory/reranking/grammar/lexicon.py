"""Probabilities of words under tags, for words of the treebank and for others."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

# Words that occur at most this often teach the tags of unknown words, and may have tags that they were not seen with.
RARE = 1
LONGEST_ENDING = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class Lexicon:
    """Counts of a treebank: the tags of each word, of all words, and of rare words by shape and ending."""

    words: Mapping[str, Counter[str]]
    tags: Counter[str]
    endings: Mapping[tuple[str, ...], Counter[str]]

    def log_probabilities(self, word: str, first: bool = False) -> dict[str, float]:
        """The log of P(word | tag) for each tag that the word can have; ``first`` says that it begins the sentence.

        P(word | tag) = P(tag | word) c(word) / c(tag). For a word that is not rare, P(tag | word) is the relative
        frequency; for a rare one it is (c(tag, word) + P(tag | ending)) / (c(word) + 1). An unknown word counts like a
        word seen once, whose tag is unknown: P(tag | word) = P(tag | ending) and c(word) = 1. The first word is looked
        up in lower case if it is unknown otherwise.
        """
        if first and word not in self.words and word.lower() in self.words:
            word = word.lower()
        seen = self.words.get(word, Counter())
        number = seen.total()
        if number > RARE:
            return {tag: math.log(count / self.tags[tag]) for tag, count in seen.items()}
        by_ending = self.by_ending(word)
        return {
            tag: math.log((seen[tag] + share) / (number + 1) * max(number, 1) / self.tags[tag])
            for tag, share in by_ending.items()
        }

    def by_ending(self, word: str) -> dict[str, float]:
        """P(tag | ending) for an unknown or rare word, from the rare words of the treebank.

        Each longer ending adds its counts to the estimate of the shorter one, which counts as one word:
        P = (c(tag, ending) + P(tag | shorter ending)) / (c(ending) + 1). The shortest "ending" is any rare word, the
        next its shape: with a digit, with a capital, or neither.
        """
        everywhere = self.endings[()]
        shares = {tag: count / everywhere.total() for tag, count in everywhere.items()}
        for ending in _endings(word)[1:]:
            counts = self.endings.get(ending)
            if counts is None:
                break
            total = counts.total() + 1
            shares = {tag: (counts[tag] + share) / total for tag, share in shares.items()}
        return shares


def learn_lexicon(tagged: Iterable[tuple[str, str]]) -> Lexicon:
    """The lexicon of (tag, word) pairs, in the order of the treebank; without rare words, all words teach endings."""
    words: dict[str, Counter[str]] = {}
    for tag, word in tagged:
        words.setdefault(word, Counter())[tag] += 1
    rare = {word: tags for word, tags in words.items() if tags.total() <= RARE} or words
    endings: dict[tuple[str, ...], Counter[str]] = {}
    for word, tags in rare.items():
        for ending in _endings(word):
            endings.setdefault(ending, Counter()).update(tags)
    return Lexicon(words=words, tags=sum(words.values(), Counter()), endings=endings)


def _endings(word: str) -> list[tuple[str, ...]]:
    """Nothing, the shape of a word, and its shape with each of its endings, the shortest first."""
    digit, capital = any(map(str.isdigit, word)), word[:1].isupper()
    shape = "digit" if digit else "capital" if capital else "other"
    lengths = range(1, min(LONGEST_ENDING, len(word)) + 1)
    return [(), (shape,), *((shape, word[-length:].lower()) for length in lengths)]
