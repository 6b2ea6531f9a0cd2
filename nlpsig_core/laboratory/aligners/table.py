"""The pairs of words that occur in some sentence pair, and the grids of cells that refer to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.compiled import Ints, compiled
from nlpsig_core.laboratory.aligners.bitext import Bitext


class View(NamedTuple):
    """The cells of a bitext as one direction sees them, which generates the words of one side from those of the other.

    Cell (given i, generated j) of sentence pair k is ``first[k] + i * given_step[k] + j * generated_step[k]``, and
    ``pair`` (cells,) has its index in the table or -1. ``words`` are the generated words, those of pair k from
    ``first_word[k]`` on; lengths and steps are (pairs of sentences,).
    """

    n_given: Ints
    n_generated: Ints
    given_step: Ints
    generated_step: Ints
    first: Ints
    pair: Ints
    words: Ints
    first_word: Ints


class Grid(NamedTuple):
    """The cells of a bitext: a matrix (source words, target words) for each sentence pair, all in a row.

    ``forward`` generates target words from source words, ``backward`` source words from target words.
    """

    forward: View
    backward: View


@dataclass(frozen=True, eq=False, kw_only=True)
class PairTable:
    """The word pairs of a bitext, by source word: ``target[first[s]:first[s + 1]]`` are the partners of s, sorted."""

    source_vocabulary: tuple[str, ...]
    target_vocabulary: tuple[str, ...]
    first: Ints
    target: Ints

    @property
    def source(self) -> Ints:
        """The source word of each pair, (pairs,)."""
        return np.repeat(np.arange(len(self.first) - 1, dtype=np.int32), np.diff(self.first))

    def grid(self, bitext: Bitext) -> Grid:
        """Return the cells of a bitext, whose words and pairs may be unknown to the table."""
        source = bitext.source.codes_in(self.source_vocabulary)
        target = bitext.target.codes_in(self.target_vocabulary)
        first = first_cells(bitext)
        pair = np.empty(first[-1], np.int32)
        fill_pairs(source, bitext.source.first, target, bitext.target.first, self.first, self.target, pair)
        n, m = bitext.source.lengths, bitext.target.lengths
        ones = np.ones_like(n)
        return Grid(
            forward=View(n, m, m, ones, first, pair, target, bitext.target.first),
            backward=View(m, n, ones, m, first, pair, source, bitext.source.first),
        )


def first_cells(bitext: Bitext) -> Ints:
    """Return the first cell of each sentence pair, then the number of cells, (pairs + 1,)."""
    return np.concatenate([[0], np.cumsum(bitext.source.lengths * bitext.target.lengths)])


def pair_table(bitext: Bitext) -> PairTable:
    """Return the table of all word pairs of a bitext."""
    source, target = bitext.source, bitext.target
    sentence = np.repeat(np.arange(len(bitext)), source.lengths)
    order = np.argsort(source.codes, kind="stable")
    found = np.empty(first_cells(bitext)[-1], np.int32)
    first = np.zeros(len(source.vocabulary) + 1, np.int64)
    n_pairs = collect_pairs(
        source.codes[order], sentence[order], target.codes, target.first, len(target.vocabulary), found, first
    )
    return PairTable(
        source_vocabulary=source.vocabulary,
        target_vocabulary=target.vocabulary,
        first=first,
        target=found[:n_pairs].copy(),
    )


@compiled()
def collect_pairs(
    words: Ints, sentence: Ints, target: Ints, first_target: Ints, n_targets: int, found: Ints, first: Ints
) -> int:
    """Fill ``found`` and ``first`` with the partners of each source word and return the number of pairs.

    ``words`` are the source words in order of their codes, each in its ``sentence``.
    """
    owner = np.full(n_targets, -1, np.int64)
    n_pairs = 0
    for i in range(len(words)):
        word = words[i]
        for j in range(first_target[sentence[i]], first_target[sentence[i] + 1]):
            if owner[target[j]] != word:
                owner[target[j]] = word
                found[n_pairs] = target[j]
                n_pairs += 1
        first[word + 1] = n_pairs
    for word in range(len(first) - 1):
        first[word + 1] = max(first[word + 1], first[word])  # words of the vocabulary that do not occur
        found[first[word] : first[word + 1]].sort()
    return n_pairs


@compiled()
def fill_pairs(
    source: Ints, first_source: Ints, target: Ints, first_target: Ints, first: Ints, partners: Ints, pair: Ints
) -> None:
    """Fill ``pair`` (cells,) with the indices of the pairs of words in the table, -1 for those it lacks."""
    cell = 0
    for k in range(len(first_source) - 1):
        for i in range(first_source[k], first_source[k + 1]):
            start, end = (first[source[i]], first[source[i] + 1]) if source[i] >= 0 else (0, 0)
            for j in range(first_target[k], first_target[k + 1]):
                at = start + np.searchsorted(partners[start:end], target[j])
                pair[cell] = at if at < end and partners[at] == target[j] else -1
                cell += 1
