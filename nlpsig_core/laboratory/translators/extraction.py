"""Phrase pairs and rules of a bitext, counted: those whose source side occurs in the sentences to translate.

Koehn, Och and Marcu (2003), section 3; Chiang (2007), section 3.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlpsig_core.base.compiled import Floats, Ints, compiled
from nlpsig_core.laboratory.translators.corpus import Corpus
from nlpsig_core.laboratory.translators.index import Index, grown, insert, new_index
from nlpsig_core.laboratory.translators.patterns import (
    BEGIN,
    FIND,
    FIRST_GAP,
    IGNORE,
    INSERT,
    NODE,
    ROOT,
    SECOND_GAP,
    Limits,
    below,
    walk,
)

# Pairs and nodes of target sides for which there is room at first.
ROOM = 1 << 16


class Counts(NamedTuple):
    """Pairs of nodes of the source trie and the target trie, how often they were extracted, and lexical weights.

    ``numbers`` (pairs,) are counts, ``forward`` and ``backward`` the highest weights among the occurrences (Koehn, Och
    and Marcu 2003, section 4.4). ``totals`` (target nodes,) count all extracted pairs with this target side.
    """

    pairs: Index
    numbers: Ints
    forward: Floats
    backward: Floats
    targets: Index
    totals: Ints


@compiled()
def source_trie(words: Ints, first: Ints, limits: Limits) -> Index:
    """Return the trie of the patterns of sentences, whose words are those from ``first`` (sentences + 1,) on."""
    trie = new_index(len(words))
    for k in range(len(first) - 1):
        own = words[first[k] : first[k + 1]]
        _, trie = walk(own, np.zeros((len(own), limits.span + 1), np.int64), trie, INSERT, limits)
    return trie


@compiled()
def fill_phrases(corpus: Corpus, k: int, limits: Limits, lows: Ints, highs: Ints, linked: Ints) -> None:
    """Fill in the target span of each source span of pair ``k`` that is consistent with its links, -1 for others.

    ``lows`` and ``highs`` (source words, span + 1) are by begin and length, the smallest span that covers the words
    linked with it; it has links, and none of its words is linked outside. ``linked`` (target words,) tells whether
    words are linked. Phrases that are not loose begin and end with linked words.
    """
    begin, end = corpus.link_first[k], corpus.link_first[k + 1]
    i, j = corpus.linked_source[begin:end], corpus.linked_target[begin:end]
    n_source, n_target = len(lows), len(linked)
    first, last = np.full(n_source, n_target), np.full(n_source, -1)
    left, right = np.full(n_target, n_source), np.full(n_target, -1)
    for at in range(len(i)):
        first[i[at]], last[i[at]] = min(first[i[at]], j[at]), max(last[i[at]], j[at])
        left[j[at]], right[j[at]] = min(left[j[at]], i[at]), max(right[j[at]], i[at])
    linked[:] = right >= 0
    lows[:] = -1
    highs[:] = -1
    for begin in range(n_source):
        low, high = n_target, -1
        for end in range(begin + 1, min(begin + limits.span, n_source) + 1):
            low, high = min(low, first[end - 1]), max(high, last[end - 1])
            if high < 0 or high - low >= limits.span:
                continue
            if not limits.loose and (last[begin] < 0 or last[end - 1] < 0):
                continue
            if np.min(left[low : high + 1]) >= begin and np.max(right[low : high + 1]) < end:
                lows[begin, end - begin], highs[begin, end - begin] = low, high + 1


@compiled()
def fill_symbols(target: Ints, low: int, high: int, match: Ints, lows: Ints, highs: Ints, symbols: Ints) -> int:
    """Fill in the symbols of a target span with the gaps of a match, which are 0 and 1; return their number."""
    n_symbols, at = 0, low
    while at < high:
        symbol, after = target[at], at + 1
        for gap in range(2):
            begin, end = match[FIRST_GAP + 2 * gap], match[FIRST_GAP + 2 * gap + 1]
            if begin >= 0 and lows[begin, end - begin] == at:
                symbol, after = gap, highs[begin, end - begin]
        symbols[n_symbols] = symbol
        n_symbols, at = n_symbols + 1, after
    return n_symbols


@compiled()
def target_node(symbols: Ints, trie: Index, mode: int) -> int:
    """Return the node of a target side, ROOT if there is none."""
    node = ROOT
    for symbol in symbols:
        node = below(trie, node, symbol, mode)
        if node == ROOT:
            break
    return node


@compiled()
def weights_of(
    corpus: Corpus, k: int, low: int, high: int, match: Ints, lows: Ints, highs: Ints
) -> tuple[float, float]:
    """Return the sums of the logs of the target words and of the source words, without those in gaps."""
    source, target = corpus.source_first[k], corpus.target_first[k]
    forward = np.sum(corpus.forward[target + low : target + high])
    backward = np.sum(corpus.backward[source + match[BEGIN] : source + match[BEGIN + 1]])
    for gap in (FIRST_GAP, SECOND_GAP):
        begin, end = match[gap], match[gap + 1]
        if begin >= 0:
            low, high = lows[begin, end - begin], highs[begin, end - begin]
            forward -= np.sum(corpus.forward[target + low : target + high])
            backward -= np.sum(corpus.backward[source + begin : source + end])
    return float(forward), float(backward)


@compiled()
def is_linked(match: Ints, corpus: Corpus, k: int) -> bool:
    """Tell whether a match has a linked word outside of its gaps."""
    for at in range(corpus.link_first[k], corpus.link_first[k + 1]):
        i = corpus.linked_source[at]
        in_gap = match[FIRST_GAP] <= i < match[FIRST_GAP + 1] or match[SECOND_GAP] <= i < match[SECOND_GAP + 1]
        if match[BEGIN] <= i < match[BEGIN + 1] and not in_gap:
            return True
    return False


@compiled()
def occurrences(corpus: Corpus, k: int, trie: Index, mode: int, limits: Limits) -> tuple[Ints, Ints, Ints, Ints]:
    """Return the matches of pair ``k`` that are phrases, their target spans, and what ``fill_phrases`` fills in.

    A match occurs once for each of its target spans (rows, 2): loose ones may begin and end with unlinked words.
    """
    source = corpus.source[corpus.source_first[k] : corpus.source_first[k + 1]]
    n_target = corpus.target_first[k + 1] - corpus.target_first[k]
    lows = np.empty((len(source), limits.span + 1), np.int64)
    highs, linked = np.empty_like(lows), np.empty(n_target, np.bool_)
    fill_phrases(corpus, k, limits, lows, highs, linked)
    matches, _ = walk(source, lows, trie, mode, limits)
    matches = matches[np.array([is_linked(match, corpus, k) for match in matches], np.bool_)]
    room, n_spans = len(matches) * (limits.span**2 if limits.loose else 1), 0
    rows, spans = np.empty(room, np.int64), np.empty((room, 2), np.int64)
    for row in range(len(matches)):
        begin, end = matches[row, BEGIN], matches[row, BEGIN + 1]
        least, most = lows[begin, end - begin], highs[begin, end - begin]
        first, last = (max(0, most - limits.span), n_target) if limits.loose else (least, most)
        for low in range(least, first - 1, -1):
            if low < least and linked[low]:
                break
            for high in range(most, min(last, low + limits.span) + 1):
                if high > most and linked[high - 1]:
                    break
                rows[n_spans], n_spans = row, n_spans + 1
                spans[n_spans - 1] = low, high
    return matches[rows[:n_spans]], spans[:n_spans], lows, highs


@compiled()
def extract(corpus: Corpus, trie: Index, limits: Limits) -> Counts:
    """Return the pairs whose source pattern is in a trie, from all sentence pairs."""
    pairs, targets, symbols = new_index(ROOM), new_index(ROOM), np.empty(limits.span, np.int64)
    numbers = np.zeros(len(pairs.keys), np.int64)
    weights = np.full((len(pairs.keys), 2), -np.inf)
    for k in range(len(corpus.source_first) - 1):
        target = corpus.target[corpus.target_first[k] : corpus.target_first[k + 1]]
        matches, spans, lows, highs = occurrences(corpus, k, trie, FIND, limits)
        targets, pairs = grown(targets, len(matches) * limits.span), grown(pairs, len(matches))
        n_new = len(pairs.keys) - len(numbers)
        if n_new:
            numbers = np.concatenate((numbers, np.zeros(n_new, np.int64)))
            weights = np.concatenate((weights, np.full((n_new, 2), -np.inf)))
        for row in range(len(matches)):
            match, (low, high) = matches[row], spans[row]
            n_symbols = fill_symbols(target, low, high, match, lows, highs, symbols)
            pair = insert(pairs, match[NODE], target_node(symbols[:n_symbols], targets, INSERT))
            numbers[pair] += 1
            forward, backward = weights_of(corpus, k, low, high, match, lows, highs)
            weights[pair, 0] = max(weights[pair, 0], forward)
            weights[pair, 1] = max(weights[pair, 1], backward)
    n_pairs = pairs.size[0]
    totals = totals_of(corpus, targets, limits)
    return Counts(pairs, numbers[:n_pairs], weights[:n_pairs, 0], weights[:n_pairs, 1], targets, totals)


@compiled()
def totals_of(corpus: Corpus, targets: Index, limits: Limits) -> Ints:
    """Return how many pairs with any source pattern have each target side, by node of the trie."""
    totals, symbols = np.zeros(targets.size[0] + 1, np.int64), np.empty(limits.span, np.int64)
    for k in range(len(corpus.source_first) - 1):
        target = corpus.target[corpus.target_first[k] : corpus.target_first[k + 1]]
        matches, spans, lows, highs = occurrences(corpus, k, targets, IGNORE, limits)
        for row in range(len(matches)):
            match, (low, high) = matches[row], spans[row]
            n_symbols = fill_symbols(target, low, high, match, lows, highs, symbols)
            totals[target_node(symbols[:n_symbols], targets, FIND)] += 1
    return totals
