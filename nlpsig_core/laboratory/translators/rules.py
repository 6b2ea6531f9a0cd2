"""Rules to translate sentences with: what source patterns become, and what each rule adds to the score."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlpsig_core.base.compiled import Floats, Ints, compiled
from nlpsig_core.laboratory.translators.extraction import Counts
from nlpsig_core.laboratory.translators.index import HALF, Index
from nlpsig_core.laboratory.translators.language_model import FIRST_WORD, LanguageModel, log_probability

# Positions of features: four of rules (log probabilities and lexical weights in both directions), those of the language
# model, of words, of rules, and of what is not monotone (jumps of phrases, or glue).
TRANSLATION, LANGUAGE, WORDS, RULES, ORDER, N_FEATURES = 4, 4, 5, 6, 7, 8
# The log of each of the four features of a rule that copies a word, because no other one translates it alone.
COPIED = -10.0


class Rules(NamedTuple):
    """Rules by source node, the best first: those of a node are the ones from ``first`` (nodes + 1,) on.

    ``symbols`` (rules, longest) are target words, gaps (0 and 1) and then -1. ``features`` are (rules, 4);
    ``score`` is their weighted sum with words and rule, and ``estimate`` adds that of the language model inside.
    """

    first: Ints
    symbols: Ints
    features: Floats
    score: Floats
    estimate: Floats


class Candidates(NamedTuple):
    """Rules without scores: source nodes, symbols and features as those of ``Rules``."""

    nodes: Ints
    symbols: Ints
    features: Floats


def candidates_of(counts: Counts) -> Candidates:
    """Return the rules that were counted, with their relative frequencies in both directions."""
    n_pairs = counts.pairs.size[0]
    keys = counts.pairs.keys[:n_pairs]
    sources, targets = keys >> HALF, keys & ((1 << HALF) - 1)
    of_source = np.bincount(sources, counts.numbers)
    features = np.empty((n_pairs, TRANSLATION))
    features[:, 0] = np.log(counts.numbers / of_source[sources])
    features[:, 1] = np.log(counts.numbers / counts.totals[targets])
    features[:, 2], features[:, 3] = counts.forward, counts.backward
    return Candidates(sources, _symbols(counts.targets, targets), features)


def _symbols(trie: Index, nodes: np.ndarray) -> np.ndarray:
    """Return the symbols on the way from the root to each node, (nodes, longest); -1 after the last."""
    keys = np.concatenate([[-1], trie.keys[: trie.size[0]]])
    backwards, ends = [], nodes.copy()
    while ends.any():
        backwards.append(np.where(ends > 0, keys[ends] & ((1 << HALF) - 1), -1))
        ends = np.where(ends > 0, keys[ends] >> HALF, 0)
    if not backwards:
        return np.empty((len(nodes), 0), np.int32)
    rows = np.stack(backwards[::-1], axis=1)
    # Shorter ones begin with -1: move them to the front.
    order = np.argsort(rows < 0, axis=1, kind="stable")
    return np.take_along_axis(rows, order, axis=1).astype(np.int32)


def with_copies(candidates: Candidates, nodes: np.ndarray, words: np.ndarray) -> Candidates:
    """Add rules that make a source node (of a word) the target word with this number, if it has no other rule."""
    lacking = ~np.isin(nodes, candidates.nodes)
    n_new, longest = np.count_nonzero(lacking), max(candidates.symbols.shape[1], 1)
    symbols = np.full((len(candidates.nodes) + n_new, longest), -1, np.int32)
    symbols[: len(candidates.nodes), : candidates.symbols.shape[1]] = candidates.symbols
    symbols[len(candidates.nodes) :, 0] = words[lacking]
    return Candidates(
        np.concatenate([candidates.nodes, nodes[lacking]]),
        symbols,
        np.concatenate([candidates.features, np.full((n_new, TRANSLATION), COPIED)]),
    )


def weighted(candidates: Candidates, weights: np.ndarray, model: LanguageModel, n_nodes: int, most: int) -> Rules:
    """Return the best rules of each source node by their estimates, at most ``most``; of equals the earlier."""
    n_words = np.count_nonzero(candidates.symbols >= FIRST_WORD, axis=1)
    score = candidates.features @ weights[:TRANSLATION] + weights[WORDS] * n_words + weights[RULES]
    estimate = score + weights[LANGUAGE] * inner_logs(candidates.symbols, model)
    order = np.lexsort([-estimate, candidates.nodes])
    nodes = candidates.nodes[order]
    ranks = np.arange(len(nodes)) - np.searchsorted(nodes, nodes)
    order = order[ranks < most]
    first = np.searchsorted(candidates.nodes[order], np.arange(n_nodes + 1))
    return Rules(first, candidates.symbols[order], candidates.features[order], score[order], estimate[order])


@compiled()
def inner_logs(symbols: Ints, model: LanguageModel) -> Floats:
    """Return the log probabilities (rules,) of the words of each rule, given those before them since the last gap."""
    logs = np.zeros(len(symbols))
    for rule in range(len(symbols)):
        before, last = -1, -1
        for symbol in symbols[rule]:
            if symbol < FIRST_WORD:
                before, last = -1, -1
                continue
            logs[rule] += log_probability(model, before, last, symbol)
            before, last = last, symbol
    return logs
