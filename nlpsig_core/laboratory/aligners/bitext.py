"""Bitexts: sentence pairs read from files and encoded for the aligners' loops, with alignments made by hand."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.compiled import Ints
from nlpsig_core.base.errors import FileError, TaskError
from nlpsig_core.base.texts import TextFile, text_file

LINK = re.compile(r"([0-9]{1,6})([-p])([0-9]{1,6})")
# How much of a word or a link an error shows.
SHOWN = 40


class HandLink(NamedTuple):
    """A link made by hand between two positions (from 0): sure, or only possible."""

    source: int
    target: int
    sure: bool


@dataclass(frozen=True, eq=False, kw_only=True)
class Side:
    """The sentences of one language: ``codes`` (words,) int32 are indices of ``vocabulary``.

    Sentence k has the words from ``first[k]`` to ``first[k + 1]``; ``first`` is (sentences + 1,).
    """

    vocabulary: tuple[str, ...]
    codes: Ints
    first: Ints

    @property
    def lengths(self) -> Ints:
        """Number of words of each sentence, (sentences,)."""
        return np.diff(self.first)

    def take(self, indices: Ints) -> Side:
        """Return the sentences with these indices, in the same vocabulary."""
        lengths = self.lengths[indices]
        first = np.concatenate([[0], np.cumsum(lengths)])
        places = np.arange(first[-1]) + np.repeat(self.first[indices] - first[:-1], lengths)
        return replace(self, codes=self.codes[places], first=first)

    def codes_in(self, vocabulary: tuple[str, ...]) -> Ints:
        """Return the words as indices of another vocabulary, (words,) int32; -1 for words that it lacks."""
        if vocabulary is self.vocabulary:
            return self.codes
        number = {word: i for i, word in enumerate(vocabulary)}
        known = np.array([number.get(word, -1) for word in self.vocabulary], np.int32)
        return known[self.codes]

    def sentences(self) -> Iterator[list[str]]:
        """Yield the words of each sentence."""
        for start, end in zip(self.first[:-1], self.first[1:], strict=True):
            yield [self.vocabulary[code] for code in self.codes[start:end]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Bitext:
    """Sentence pairs; ``hand`` has the links made by hand of each pair, if there are any."""

    source: Side
    target: Side
    hand: tuple[tuple[HandLink, ...], ...] | None = None

    def __len__(self) -> int:
        return len(self.source.first) - 1

    def take(self, indices: Sequence[int] | Ints) -> Bitext:
        """Return the pairs with these indices, which may repeat; words keep their codes. TaskError if none is left."""
        if not len(indices):
            raise TaskError("A bitext needs at least one sentence pair; no index is given")
        chosen = np.arange(len(self))[np.asarray(indices)]
        hand = None if self.hand is None else tuple(self.hand[i] for i in chosen.tolist())
        return Bitext(source=self.source.take(chosen), target=self.target.take(chosen), hand=hand)


def encode(
    source: Sequence[Sequence[str]], target: Sequence[Sequence[str]], hand: Sequence[Iterable[HandLink]] | None = None
) -> Bitext:
    """Encode sentences, given as their words, and the hand's links of each pair.

    Raises TaskError if there are no sentences, an empty one, or unequal numbers of them, and for links outside them.
    """
    numbers = [len(part) for part in (source, target, hand) if part is not None]
    if len(set(numbers)) > 1:
        raise TaskError(f"A bitext needs a target sentence, and links if any, for each source: {numbers} are given")
    if not source or not all(source) or not all(target):
        raise TaskError("A bitext needs at least one sentence pair, and words on both sides of each")
    links = None if hand is None else tuple(tuple(HandLink(*link) for link in own) for own in hand)
    for k, own in enumerate(links or ()):
        for i, j, _ in own:
            if not (0 <= i < len(source[k]) and 0 <= j < len(target[k])):
                raise TaskError(f"The link {i}-{j} is outside sentence pair {k + 1}")
    return Bitext(source=_side(source), target=_side(target), hand=links)


def _side(sentences: Sequence[Sequence[str]]) -> Side:
    words = [word for sentence in sentences for word in sentence]
    vocabulary = tuple(sorted(set(words)))
    number = {word: i for i, word in enumerate(vocabulary)}
    lengths = [len(sentence) for sentence in sentences]
    codes = np.fromiter(map(number.__getitem__, words), np.int32, len(words))
    return Side(vocabulary=vocabulary, codes=codes, first=np.concatenate([[0], np.cumsum(lengths)]))


def read_bitext(source: Path | str, target: Path | str, hand: Path | str | None = None) -> Bitext:
    """Read a bitext from two files in UTF-8, plain or gzipped, and maybe its alignments; errors as ``bitext_of``."""
    return bitext_of(*(text_file(path) for path in (source, target, hand) if path is not None))


def bitext_of(source: TextFile, target: TextFile, hand: TextFile | None = None) -> Bitext:
    """Return the bitext in two files: one sentence a line, spaces between words.

    ``hand`` has the alignment of each pair in a line: ``i-j`` is a sure link, ``ipj`` a possible one, from 0. Raises
    FileError with file and line if numbers of lines differ, a sentence is empty, a word has an unusual space or a
    control character, or a link cannot be read or is outside its sentences.
    """
    files = [file for file in (source, target, hand) if file is not None]
    lines = [file.lines for file in files]
    for file, own in zip(files[1:], lines[1:], strict=True):
        if len(own) != len(lines[0]):
            number = min(len(own), len(lines[0])) + 1
            raise FileError(file.name, number, f"{len(own)} lines, but {source.name} has {len(lines[0])}")
    sides = [[_words(files[side].name, i, line) for i, line in enumerate(lines[side], 1)] for side in (0, 1)]
    if hand is None:
        return encode(sides[0], sides[1])
    lengths = zip(map(len, sides[0]), map(len, sides[1]), strict=True)
    rows = enumerate(zip(lines[2], lengths, strict=True), start=1)
    return encode(sides[0], sides[1], [_links(hand.name, i, line, sizes) for i, (line, sizes) in rows])


def _words(name: str, number: int, line: str) -> list[str]:
    words = [word for word in line.split(" ") if word]
    if not words:
        raise FileError(name, number, "an empty sentence; leave out pairs with an empty side in both files")
    if not line.isprintable():
        for word in words:
            # Format characters (Cf) such as joiners are parts of words.
            if any(unicodedata.category(sign) in ("Cc", "Zs", "Zl", "Zp") for sign in word):
                raise FileError(name, number, f"an unusual space or a control character in the word {word[:SHOWN]!r}")
    return words


def _links(name: str, number: int, line: str, lengths: tuple[int, int]) -> list[HandLink]:
    links = []
    for text in line.split():
        link = LINK.fullmatch(text)
        if link is None:
            raise FileError(name, number, f"cannot read the link {text[:SHOWN]!r}; write 3-4 (sure) or 3p4 (possible)")
        places = int(link[1]), int(link[3])
        if places[0] >= lengths[0] or places[1] >= lengths[1]:
            sizes = f"{lengths[0]} and {lengths[1]} words, counted from 0"
            raise FileError(name, number, f"link {text} is outside the sentences of {sizes}")
        links.append(HandLink(*places, link[2] == "-"))
    return links
