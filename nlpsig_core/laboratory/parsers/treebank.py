"""Treebanks encoded as arrays for the compiled loops of the parsers."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from nlpsig_core.base.errors import TaskError
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.laboratory.parsers.trees import Parse, ParsedSentence

# Columns of the codes. A column that a treebank leaves out has the code of an underscore.
COLUMNS = ("form", "lemma", "fine", "coarse", "feats")
FORM, LEMMA, FINE, COARSE, FEATS = range(5)
# The code of the root in all columns; no word has it, and none has 0, which stands for nothing.
ROOT = 1


@dataclass(frozen=True, eq=False, kw_only=True)
class Treebank:
    """Sentences as arrays over nodes: the root of each sentence, then its words.

    ``codes`` (nodes, 5) uint32 are hashes of COLUMNS; ``heads`` (nodes,) are numbers within the sentence, 0 for
    dependents of the root and -1 for the root itself; ``first`` (sentences + 1,) has the root of each sentence, then
    the number of nodes.
    """

    sentences: tuple[ParsedSentence, ...]
    codes: np.ndarray
    heads: np.ndarray
    first: np.ndarray

    @property
    def n_sentences(self) -> int:
        """Number of sentences."""
        return len(self.first) - 1

    @property
    def is_word(self) -> np.ndarray:
        """Whether each node is a word and not a root."""
        return np.asarray(self.heads >= 0)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The relations that occur, sorted."""
        return tuple(sorted({relation for sentence in self.sentences for relation in sentence.relations}))

    @cached_property
    def single_root(self) -> bool:
        """Whether every sentence has exactly one dependent of the root."""
        return all(sentence.heads.count(0) == 1 for sentence in self.sentences)

    def relations(self, labels: Sequence[str]) -> np.ndarray:
        """The index of each node's relation in ``labels``, (nodes,); 0 for roots."""
        place = {label: i for i, label in enumerate(labels)}
        return np.array([i for s in self.sentences for i in (0, *(place[r] for r in s.relations))], dtype=np.int64)

    def take(self, indices: Sequence[int] | np.ndarray) -> Treebank:
        """The treebank of these sentences, which may repeat."""
        return encode([self.sentences[i] for i in indices])

    def parses(self, heads: np.ndarray, relations: Sequence[str]) -> list[Parse]:
        """Heads and relations (nodes,) as a parse for each sentence."""
        ends = zip((self.first[:-1] + 1).tolist(), self.first[1:].tolist(), strict=True)
        return [Parse(heads[a:b].tolist(), list(relations[a:b])) for a, b in ends]


def encode(trees: Sequence[ParsedSentence]) -> Treebank:
    """The trees encoded as arrays, identical on every machine; TaskError where there are none."""
    if not trees:
        raise TaskError("A treebank needs at least one sentence; this one is empty")
    lengths = np.array([len(tree.forms) for tree in trees])
    first = np.concatenate([[0], np.cumsum(lengths + 1)])
    words = np.delete(np.arange(first[-1]), first[:-1])
    codes = np.full((first[-1], len(COLUMNS)), ROOT, np.uint32)
    for place, column in enumerate(("forms", "lemmas", "fine_tags", "tags", "features")):
        codes[words, place] = _coded([text for tree in trees for text in _column(tree, column)])
    heads = np.full(first[-1], -1, np.int64)
    heads[words] = list(chain.from_iterable(tree.heads for tree in trees))
    return Treebank(sentences=tuple(trees), codes=codes, heads=heads, first=first)


def _column(tree: ParsedSentence, name: str) -> Sequence[str]:
    """A column of a sentence; forms in lower case stand for missing lemmas, coarse tags for missing fine ones."""
    given: Sequence[str] = getattr(tree, name) or ("_",) * len(tree.forms)
    substitutes = {"lemmas": [form.lower() for form in tree.forms], "fine_tags": tree.tags}.get(name, given)
    return [other if text == "_" else text for text, other in zip(given, substitutes, strict=True)]


def _coded(texts: list[str]) -> list[int]:
    codes = {text: max(zlib.crc32(text.encode()), ROOT + 1) for text in set(texts)}
    return [codes[text] for text in texts]
