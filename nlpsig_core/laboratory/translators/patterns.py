"""Patterns of a sentence: its words in a row, some of them replaced by a gap, as nodes of a trie."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlpsig_core.base.compiled import compiled
from nlpsig_core.laboratory.translators.index import Index, Ints, find, insert

# The symbol of a gap in source patterns, and the trie's first node; the number of a pair of node and symbol is that of
# the node below, minus 1.
GAP, ROOT = 0, 0
# What a walk does with the trie: finds nodes, inserts them, or takes no notice of it.
FIND, INSERT, IGNORE = 0, 1, 2
# Columns of a match: its node, its ends, and the ends of its gaps (-1 where there is none).
NODE, BEGIN, FIRST_GAP, SECOND_GAP, COLUMNS = 0, 1, 3, 5, 7


class Limits(NamedTuple):
    """The most words that a pattern covers, symbols and gaps it has; ``loose`` phrases end with unlinked words too."""

    span: int
    symbols: int
    gaps: int
    loose: bool


@compiled()
def below(trie: Index, node: int, symbol: int, mode: int) -> int:
    """Return the node below another one, ROOT if there is none; an inserting caller has made room in the trie."""
    if mode == INSERT:
        return insert(trie, node, symbol) + 1
    return find(trie, node, symbol) + 1


@compiled()
def most_patterns(n_words: int, limits: Limits) -> int:
    """Return a bound on the patterns of a sentence."""
    # Without gaps one for each length; with two, those with five symbols are fewer than 50 for each word of a span.
    return n_words * limits.span * (1 if limits.gaps == 0 else 50 * limits.symbols)


@compiled()
def walk(words: Ints, open_gaps: Ints, trie: Index, mode: int, limits: Limits, matches: Ints) -> int:
    """Fill in the matches (rows, COLUMNS) of all patterns with at least one word; return their number.

    ``open_gaps`` (words, span + 1) is at least 0 where a gap may begin at a position and have some length. Gaps are not
    neighbours (Chiang 2007, section 3.2).
    """
    n_words, n_matches = len(words), 0
    # Patterns to extend: those of a match, the number of symbols and gaps, and whether the last symbol is a gap.
    stack = np.empty(((limits.symbols + 1) * (limits.span + 2), COLUMNS + 3), np.int32)
    for begin in range(n_words):
        stack[0] = -1
        stack[0, NODE], stack[0, BEGIN], stack[0, BEGIN + 1], stack[0, COLUMNS:] = ROOT, begin, begin, 0
        height = 1
        while height > 0:
            height -= 1
            row = stack[height].copy()
            node, end, n_symbols, n_gaps = row[NODE], row[BEGIN + 1], row[COLUMNS], row[COLUMNS + 1]
            if n_symbols > n_gaps:
                matches[n_matches] = row[:COLUMNS]
                n_matches += 1
            if n_symbols == limits.symbols or end == min(begin + limits.span, n_words):
                continue
            if n_gaps < limits.gaps and row[COLUMNS + 2] == 0:
                child = ROOT if mode == IGNORE else below(trie, node, GAP, mode)
                if mode == IGNORE or child != ROOT:
                    for after in range(end + 1, min(begin + limits.span, n_words) + 1):
                        if open_gaps[end, after - end] >= 0:
                            top = stack[height]
                            top[:] = row
                            top[NODE], top[BEGIN + 1], top[COLUMNS], top[COLUMNS + 1] = child, after, n_symbols + 1, n_gaps + 1
                            top[FIRST_GAP + 2 * n_gaps], top[FIRST_GAP + 2 * n_gaps + 1] = end, after
                            top[COLUMNS + 2] = 1
                            height += 1
            child = ROOT if mode == IGNORE else below(trie, node, words[end], mode)
            if mode == IGNORE or child != ROOT:
                top = stack[height]
                top[:] = row
                top[NODE], top[BEGIN + 1], top[COLUMNS], top[COLUMNS + 2] = child, end + 1, n_symbols + 1, 0
                height += 1
    return n_matches
