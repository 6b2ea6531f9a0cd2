"""What a CoNLL-U file holds: words, tokens, characters and trees as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nlpsig_core.runtime import cached_property


@dataclass(frozen=True, eq=False)
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
    fields: dict[str, list[str]]
    comments: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    @property
    def n_sentences(self) -> int:
        """Number of sentences."""
        return len(self.first_word)

    @property
    def n_units(self) -> int:
        """Number of units: the sentences."""
        return self.n_sentences

    @property
    def n_words(self) -> int:
        """Number of syntactic words."""
        return len(self.head)

    @cached_property
    def unit_names(self) -> tuple[str, ...]:
        """The sent_id of each sentence, "" if it has none."""
        return tuple(comments.get("sent_id") or "" for comments in self.metadata)

    @cached_property
    def unit_texts(self) -> tuple[str, ...]:
        """The text of each sentence, without white space."""
        return tuple(self.characters[a:b] for a, b in zip(self.sentence_start, self.sentence_end, strict=True))

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """The document of each sentence, from the comments ``newdoc``; empty if there are none."""
        documents, document, number = [], "before the first", 0
        for comments in self.metadata:
            if "newdoc id" in comments or "newdoc" in comments:
                number += 1
                document = comments.get("newdoc id") or f"document {number}"
            documents.append(document)
        return tuple(documents) if number else ()

    @cached_property
    def word_sentence(self) -> np.ndarray:
        """Sentence of each word."""
        return np.repeat(np.arange(self.n_sentences), np.diff(np.append(self.first_word, self.n_words)))

    @cached_property
    def coded(self) -> dict[str, tuple[list[str], np.ndarray]]:
        """Each field of the words as its distinct values and the index of each word's value among them."""
        return {field: _coded(values) for field, values in self.fields.items()}

    @cached_property
    def sentence_start(self) -> np.ndarray:
        """First character of each sentence."""
        starts: np.ndarray = self.token_start[self.word_token[self.first_word]]
        return starts

    @cached_property
    def sentence_end(self) -> np.ndarray:
        """Character after the last one of each sentence."""
        ends: np.ndarray = np.append(self.sentence_start[1:], len(self.characters))
        return ends

    @cached_property
    def metadata(self) -> list[dict[str, str | None]]:
        """The comments of each sentence as parsed by ``conllu`` (sent_id, text, newdoc id, ...)."""
        from conllu.parser import parse_comment_line

        return [
            {key: value for line in comments for key, value in parse_comment_line(line)} for comments in self.comments
        ]


def _coded(values: list[str]) -> tuple[list[str], np.ndarray]:
    distinct = list(dict.fromkeys(values))
    index = {value: i for i, value in enumerate(distinct)}
    return distinct, np.fromiter(map(index.__getitem__, values), dtype=np.int64, count=len(values))
