"""Treebanks encoded as arrays for the compiled loops of the parsers."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlpsig_core.parsers.trees import ParsedSentence, projective

# Columns of the codes.
FORM, ENDING, TAG = 0, 1, 2
# Codes of the root and of positions outside the sentence; no word has these codes.
ROOT, OUTSIDE = 1 << 32, 2 << 32
# The length of an ending in characters.
LETTERS = 2


@dataclass(frozen=True, eq=False, kw_only=True)
class EncodedTreebank:
    """Sentences as arrays over nodes: the root of each sentence, then its words.

    ``codes`` (nodes, 3) uint64 encode form, ending and tag; ``heads`` (nodes,) are numbers within the sentence, 0 for
    dependents of the root, of trees made projective; ``relations`` (nodes,) are indices into ``labels``; ``first``
    (sentences + 1,) has the root of each sentence, then the number of nodes.
    """

    codes: np.ndarray
    heads: np.ndarray
    relations: np.ndarray
    first: np.ndarray
    labels: tuple[str, ...]

    @property
    def n_sentences(self) -> int:
        """Number of sentences."""
        return len(self.first) - 1


def encode(trees: Sequence[ParsedSentence]) -> EncodedTreebank:
    """The trees encoded as arrays, identical on every machine."""
    known: dict[str, int] = {}
    labels = tuple(sorted({relation for tree in trees for relation in tree.relations}))
    place = {label: i for i, label in enumerate(labels)}
    codes, heads, relations, first = [], [], [], [0]
    for tree in trees:
        codes.append((ROOT, ROOT, ROOT))
        for form, tag in zip(map(str.lower, tree.forms), tree.tags, strict=True):
            codes.append((_code(known, form), _code(known, form[-LETTERS:]), _code(known, tag)))
        heads += [-1, *projective(tree.heads)]
        relations += [0, *(place[relation] for relation in tree.relations)]
        first.append(len(codes))
    return EncodedTreebank(
        codes=np.array(codes, dtype=np.uint64).reshape(-1, 3),
        heads=np.array(heads, dtype=np.int64),
        relations=np.array(relations, dtype=np.int64),
        first=np.array(first, dtype=np.int64),
        labels=labels,
    )


def _code(known: dict[str, int], text: str) -> int:
    if text not in known:
        known[text] = zlib.crc32(text.encode())
    return known[text]
