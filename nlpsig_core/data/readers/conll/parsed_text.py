"""The contents of a CoNLL-U file: words, tokens, characters and trees as arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nlpsig_core.base.runtime import cached_property
from nlpsig_core.data.readers.conll.kernels import Distinct, find_codes


class Fields:
    """The columns of words by name, kept as bytes until somebody asks for strings.

    ``starts`` (words, columns + 1) is where each column and the next line start in ``data``, which is UTF-8.
    """

    def __init__(self, data: bytes, starts: np.ndarray, columns: Mapping[str, int]) -> None:
        self.data, self.starts, self.columns = data, starts, columns
        self._distinct: dict[str, Distinct] = {}
        self._coded: dict[str, tuple[list[str], np.ndarray]] = {}
        self._values: dict[str, list[str]] = {}

    def __getitem__(self, name: str) -> list[str]:
        """Return a column's value for each word."""
        if name not in self._values:
            distinct, codes = self.coded(name)
            self._values[name] = [distinct[code] for code in codes.tolist()]
        return self._values[name]

    def coded(self, name: str, like: Fields | None = None) -> tuple[list[str], np.ndarray]:
        """Return the distinct values of a column and the index of each word's value among them.

        The values of ``like`` come first, in its order, whether they occur here or not.
        """
        if like is not None and like is not self:
            known, _ = like.coded(name)
            codes, rows, _ = self._code(name, like._distinct[name])
            return known + self.values_at(name, rows[len(known) :]), codes
        if name not in self._coded:
            none = Distinct(self.text, self.starts, np.empty(0, dtype=np.int32), np.empty(0, dtype=np.uint64))
            codes, rows, hashes = self._code(name, none)
            self._distinct[name] = Distinct(self.text, self.starts, rows.copy(), hashes.copy())
            self._coded[name] = self.values_at(name, rows), codes
        return self._coded[name]

    def codes(self, name: str, like: Fields | None = None) -> np.ndarray:
        """Return the index of each word's value as ``coded`` does, without making strings."""
        if like is None or like is self:
            return self.coded(name)[1]
        like.coded(name)
        return self._code(name, like._distinct[name])[0]

    def _code(self, name: str, known: Distinct) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the index of each word's value, and the rows and hashes of distinct values, known ones first."""
        n_words = len(self.starts)
        most = len(known.rows) + n_words
        rows, hashes = np.empty(most, dtype=np.int32), np.empty(most, dtype=np.uint64)
        codes = np.empty(n_words, dtype=np.int32)
        n = find_codes(self.columns[name], known, Distinct(self.text, self.starts, rows, hashes), codes)
        return codes, rows[:n], hashes[:n]

    def values_at(self, name: str, words: Sequence[int] | np.ndarray) -> list[str]:
        """Return the values of some words."""
        column = self.columns[name]
        spans = zip(self.starts[words, column].tolist(), self.starts[words, column + 1].tolist(), strict=True)
        return [self.string(begin, end - 1) for begin, end in spans]

    def string(self, begin: int, end: int) -> str:
        """Return the text from one byte to another."""
        return self.data[begin:end].decode("utf-8", "surrogatepass")

    @property
    def text(self) -> np.ndarray:
        """The bytes, (bytes,)."""
        return np.frombuffer(self.data, dtype=np.uint8)


@dataclass(frozen=True, eq=False, kw_only=True)
class ParsedText:
    """The trees of one file; every array covers the words, tokens or sentences of the whole file.

    A *token* is a surface token with a span of characters, not counting white space; a *word* is a node of the tree;
    the words of a multiword token share its span. ``head`` holds word indices within the file, -1 for a root. Line
    numbers start at 1.
    """

    name: str
    characters: str
    token_start: np.ndarray
    token_end: np.ndarray
    token_line: np.ndarray
    word_token: np.ndarray
    word_line: np.ndarray
    is_multiword: np.ndarray
    head: np.ndarray
    first_word: np.ndarray
    fields: Fields
    comment_spans: np.ndarray
    notes: tuple[str, ...] = ()

    @property
    def n_units(self) -> int:
        """Number of sentences."""
        return len(self.first_word)

    @property
    def n_words(self) -> int:
        """Number of syntactic words."""
        return len(self.head)

    @property
    def lengths(self) -> np.ndarray:
        """Words of each sentence, (sentences,)."""
        return np.diff(np.append(self.first_word, self.n_words))

    def words_of(self, sentence: int) -> tuple[int, int]:
        """Return the first word of a sentence and the word after its last."""
        begin, end = np.append(self.first_word, self.n_words)[sentence : sentence + 2].tolist()
        return begin, end

    @property
    def unit_names(self) -> tuple[str, ...]:
        """The sent_id of each sentence, "" if it has none."""
        return self._names[0]

    @cached_property
    def unit_texts(self) -> tuple[str, ...]:
        """The text of each sentence, without white space."""
        return tuple(self.characters[a:b] for a, b in zip(self.sentence_start, self.sentence_end, strict=True))

    @property
    def documents(self) -> tuple[str, ...]:
        """The document of each sentence, from the comments ``newdoc``; empty if there are none."""
        return self._names[1]

    @cached_property
    def _names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        from conllu.parser import parse_comment_line

        metadata: list[dict[str, str | None]] = [{} for _ in range(self.n_units)]
        for begin, end, sentence in self.comment_spans.tolist():
            line = self.fields.data[begin:end]
            if b"sent_id" in line or b"newdoc" in line:
                metadata[sentence].update(parse_comment_line(self.fields.string(begin, end)))
        documents, document, number = [], "before the first", 0
        for comments in metadata:
            if "newdoc id" in comments or "newdoc" in comments:
                number += 1
                document = comments.get("newdoc id") or f"document {number}"
            documents.append(document)
        return tuple(comments.get("sent_id") or "" for comments in metadata), tuple(documents) if number else ()

    @cached_property
    def word_sentence(self) -> np.ndarray:
        """Sentence of each word."""
        return np.repeat(np.arange(self.n_units), self.lengths)

    @property
    def word_start(self) -> np.ndarray:
        """First character of each word's token."""
        starts: np.ndarray = self.token_start[self.word_token]
        return starts

    @property
    def word_end(self) -> np.ndarray:
        """Character after the last one of each word's token."""
        ends: np.ndarray = self.token_end[self.word_token]
        return ends

    @cached_property
    def sentence_start(self) -> np.ndarray:
        """First character of each sentence."""
        starts: np.ndarray = self.word_start[self.first_word]
        return starts

    @cached_property
    def sentence_end(self) -> np.ndarray:
        """Character after the last one of each sentence."""
        ends: np.ndarray = np.append(self.sentence_start[1:], len(self.characters))
        return ends

    @cached_property
    def character_sentence(self) -> np.ndarray:
        """Sentence of each character."""
        return np.repeat(np.arange(self.n_units, dtype=np.int32), self.sentence_end - self.sentence_start)

    @cached_property
    def has_no_lemma(self) -> np.ndarray:
        """Whether the lemma of each word is unknown."""
        lemmas, codes = self.fields.coded("lemma")
        unknown: np.ndarray = np.array([lemma == "_" for lemma in lemmas])[codes]
        return unknown

    @cached_property
    def comments(self) -> tuple[tuple[str, ...], ...]:
        """The comments of each sentence."""
        comments: list[list[str]] = [[] for _ in range(self.n_units)]
        for begin, end, sentence in self.comment_spans.tolist():
            comments[sentence].append(self.fields.string(begin, end))
        return tuple(map(tuple, comments))
