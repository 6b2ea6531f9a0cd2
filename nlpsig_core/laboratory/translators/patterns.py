"""Patterns of a sentence: its words in a row, some of them replaced by a gap, as nodes of a trie."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlpsig_core.base.compiled import Ints, compiled
from nlpsig_core.laboratory.translators.index import Index, find, grown, insert

# The symbol of a gap in source patterns, and the trie's first node; the number of a pair of node and symbol is that of
# the node below, minus 1.
GAP, ROOT = 0, 0
# What a walk does with the trie: finds nodes, inserts them, or takes no notice of it.
FIND, INSERT, IGNORE = 0, 1, 2
# Columns of a match: its node, its ends, and the ends of its gaps (-1 where there is none).
NODE, BEGIN, FIRST_GAP, SECOND_GAP, COLUMNS = 0, 1, 3, 5, 7
# Further columns of a pattern that can be extended: its symbols and gaps, and whether the last symbol is a gap.
N_SYMBOLS, N_GAPS, IN_GAP = 7, 8, 9
# The most nodes that a symbol adds: its own and that of a gap before it.
NEW_NODES = 2


class Limits(NamedTuple):
    """The most words that a pattern covers, symbols and gaps it has; ``loose`` phrases end with unlinked words too."""

    span: int
    symbols: int
    gaps: int
    loose: bool


@compiled()
def below(trie: Index, node: int, symbol: int, mode: int) -> int:
    """Return the node below another one, ROOT if there is none; an inserting caller has made room in the trie."""
    if mode == IGNORE:
        return node + 1
    return (insert(trie, node, symbol) if mode == INSERT else find(trie, node, symbol)) + 1


@compiled()
def walk(words: Ints, phrases: Ints, trie: Index, mode: int, limits: Limits) -> tuple[Ints, Index]:
    """Return the matches (rows, COLUMNS) of all patterns with at least one word, and the trie, which may have grown.

    ``phrases`` (words, span + 1) is at least 0 where a pattern or a gap may begin at a position and have some length.
    Gaps are not neighbours (Chiang 2007, section 3.2).
    """
    matches, n_matches = np.empty((64 * len(words), COLUMNS), np.int32), 0
    stack = np.full(((limits.symbols + 1) * (limits.span + 2), COLUMNS + 3), -1, np.int32)
    row = np.empty(COLUMNS + 3, np.int32)
    for begin in range(len(words)):
        last, height = min(begin + limits.span, len(words)), 1
        while last > begin and phrases[begin, last - begin] < 0:
            last -= 1
        stack[0, NODE], stack[0, BEGIN], stack[0, BEGIN + 1], stack[0, COLUMNS:] = ROOT, begin, begin, 0
        stack[0, FIRST_GAP:COLUMNS] = -1
        while height > 0:
            height -= 1
            row[:] = stack[height]
            node, end, n_symbols, n_gaps = row[NODE], row[BEGIN + 1], row[N_SYMBOLS], row[N_GAPS]
            if n_symbols > n_gaps and phrases[begin, end - begin] >= 0:
                if n_matches == len(matches):
                    matches = np.concatenate((matches, np.empty_like(matches)))
                matches[n_matches] = row[:COLUMNS]
                n_matches += 1
            if n_symbols == limits.symbols or end >= last:
                continue
            trie = grown(trie, NEW_NODES) if mode == INSERT else trie
            row[N_SYMBOLS] += 1
            if n_gaps < limits.gaps and not row[IN_GAP]:
                height = open_gap(row, last, below(trie, node, GAP, mode), phrases, stack, height)
            row[NODE], row[BEGIN + 1], row[IN_GAP] = below(trie, node, words[end], mode), end + 1, 0
            if row[NODE] != ROOT:
                stack[height] = row
                height += 1
    return matches[:n_matches], trie


@compiled()
def open_gap(row: Ints, last: int, node: int, phrases: Ints, stack: Ints, height: int) -> int:
    """Add a pattern with one more gap to the stack for each end that the gap may have; return the stack's height."""
    begin = row[BEGIN + 1]
    if node != ROOT:
        for end in range(begin + 1, last + 1):
            if phrases[begin, end - begin] >= 0:
                top, gap = stack[height], FIRST_GAP + 2 * row[N_GAPS]
                top[:] = row
                top[NODE], top[BEGIN + 1], top[gap], top[gap + 1] = node, end, begin, end
                top[N_GAPS], top[IN_GAP] = row[N_GAPS] + 1, 1
                height += 1
    return height
