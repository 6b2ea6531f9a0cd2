"""Probabilities of words under tags, for words that a treebank has and for unknown ones."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

# Words that occur at most this often teach the tags of unknown words, and may have tags that they were not seen with.
RARE = 1
LONGEST_ENDING = 3
# Begins what an annotated label adds to the label.
MARK = "^"


# Tags of punctuation, whose words EVALB deletes.
PUNCTUATION = frozenset((",", ":", "``", "''", "."))
# Unknown words of nothing but these are punctuation.
MARKS = frozenset(".,;:!?…-–—`'\"“”‘’")


class Lexicon:
    """Counts of the (tag, word) pairs of sentences: by ``words``, ``tags``, and ``endings`` of rare words.

    ``once`` counts equal sentences once, and words are rare by these counts: a resampled treebank repeats sentences,
    but teaches no more about their words. Without rare words, all words teach endings.
    """

    def __init__(self, sentences: Iterable[Sequence[tuple[str, str]]]) -> None:
        tagged = list(map(tuple, sentences))
        self.words, self.once = (_by_word(part) for part in (tagged, dict.fromkeys(tagged)))
        self.tags: Counter[str] = sum(self.words.values(), Counter())
        marks = {tag: number for tag, number in self.tags.items() if bare(tag) in PUNCTUATION}
        self.punctuation = {tag: number / sum(marks.values()) for tag, number in marks.items()}
        self.endings = dict[tuple[str, ...], Counter[str]]()
        rare = {word: tags for word, tags in self.once.items() if tags.total() <= RARE} or self.once
        for word, tags in rare.items():
            for ending in endings(word):
                self.endings.setdefault(ending, Counter()).update(tags)

    def log_probabilities(self, word: str, first: bool = False, smooth: bool = False) -> dict[str, float]:
        """Return the log of P(word | tag) for each tag that the word can have; ``first`` if it begins the sentence.

        P(word | tag) = P(tag | word) c(word) / c(tag). An unknown word counts like a word seen once: c(word) = 1.
        """
        number = max(self.words.get(self.known(word, first), Counter()).total(), 1)
        shares = self.shares(word, first, smooth)
        return {tag: math.log(share * number / self.tags[tag]) for tag, share in shares.items()}

    def shares(self, word: str, first: bool = False, smooth: bool = False) -> dict[str, float]:
        """Return P(tag | word) for each tag that the word can have, but for those not ``permitted``.

        For a word that is not rare, it is the relative frequency; for a rare one (c(tag, word) + P(tag | ending)) /
        (c(word) + 1). For an unknown one it is P(tag | ending). ``smooth`` treats all words as rare. The first word is
        looked up in lower case if it is unknown otherwise.
        """
        word = self.known(word, first)
        if word not in self.words and MARKS.issuperset(word) and self.punctuation:
            return self.punctuation
        seen, once = self.words.get(word, Counter()), self.once.get(word, Counter())
        if once.total() > RARE and not smooth:
            shares = {tag: count / seen.total() for tag, count in seen.items()}
        else:
            by_ending = dict.fromkeys(once, 0.0) | self.by_ending(word)
            shares = {tag: (once[tag] + share) / (once.total() + 1) for tag, share in by_ending.items()}
        permitted = self.permitted(word, shares)
        return {tag: share for tag, share in shares.items() if tag in permitted}

    def known(self, word: str, first: bool) -> str:
        """Return the word, in lower case if it begins the sentence and is known only so."""
        return word.lower() if first and word not in self.words and word.lower() in self.words else word

    def permitted(self, word: str, tags: Iterable[str]) -> list[str]:
        """Return those of the tags that the word may have; all of them if it may have none.

        EVALB deletes punctuation by tag, and gives up on a sentence if the words left differ from the gold's. So a word
        with a letter or digit is no punctuation, nor is a known one that was never seen as punctuation; one that was
        has only the tags that it was seen with. ``shares`` makes unknown words of MARKS punctuation.
        """
        tags, seen = list(tags), self.words.get(word, Counter())
        if any(map(str.isalnum, word)) or PUNCTUATION.isdisjoint(map(bare, seen)):
            return [tag for tag in tags if bare(tag) not in PUNCTUATION] or tags
        return [tag for tag in tags if tag in seen]

    def by_ending(self, word: str) -> dict[str, float]:
        """Return P(tag | ending) for an unknown or rare word, from the rare words of the treebank.

        Each longer ending adds its counts to the estimate of the shorter one, which counts as one word:
        P = (c(tag, ending) + P(tag | shorter ending)) / (c(ending) + 1). The shortest "ending" is any rare word, the
        next its shape: with a digit, with a capital, or neither.
        """
        everywhere = self.endings[()]
        shares = {tag: count / everywhere.total() for tag, count in everywhere.items()}
        for ending in endings(word)[1:]:
            counts = self.endings.get(ending)
            if counts is None:
                break
            total = counts.total() + 1
            shares = {tag: (counts[tag] + share) / total for tag, share in shares.items()}
        return shares


def endings(word: str) -> list[tuple[str, ...]]:
    """Return nothing, the shape of a word, and its shape with each of its endings, the shortest first."""
    digit, capital = any(map(str.isdigit, word)), word[:1].isupper()
    shape = "digit" if digit else "capital" if capital else "other"
    lengths = range(1, min(LONGEST_ENDING, len(word)) + 1)
    return [(), (shape,), *((shape, word[-length:].lower()) for length in lengths)]


def _by_word(sentences: Iterable[Sequence[tuple[str, str]]]) -> defaultdict[str, Counter[str]]:
    counts = defaultdict[str, Counter[str]](Counter)
    for sentence in sentences:
        for tag, word in sentence:
            counts[word][tag] += 1
    return counts


def bare(label: str) -> str:
    """Return a label without its annotation."""
    return label.split(MARK, maxsplit=1)[0]
