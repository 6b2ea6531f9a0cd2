"""Phrase-based translation: target words from left to right, source phrases in any order within a limit.

Koehn, Och and Marcu (2003); the decoder is that of section 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from nlpsig_core.base.compiled import Floats, Ints, compiled
from nlpsig_core.laboratory.translators.index import Index
from nlpsig_core.laboratory.translators.language_model import END, START, LanguageModel, log_probability
from nlpsig_core.laboratory.translators.patterns import FIND, ROOT, Limits, below
from nlpsig_core.laboratory.translators.rules import LANGUAGE, ORDER, Rules
from nlpsig_core.laboratory.translators.translator import Translator

# Columns of a hypothesis: the first source word that is not translated, those translated after it (bits), the end of
# the last phrase, and the last two target words; these decide what can follow. Then its parent and its rule.
FRONT, COVERED, LAST_END, BEFORE, LAST, SAME, PARENT, RULE, STACK, N_COLUMNS = 0, 1, 2, 3, 4, 5, 5, 6, 7, 8
# Columns of its scores: with and without what the rest will add, of the language model, and minus the jumps.
TOTAL, SCORE, LOG, JUMPS, N_SCORES = 0, 1, 2, 3, 4


@dataclass(frozen=True, eq=False, kw_only=True)
class PhraseBased(Translator):
    """A translator with phrases of up to five words; ``distortion`` is the longest jump between two of them."""

    options: int = 20
    beam: int = 40
    distortion: int = 4

    kind: ClassVar[str] = "phrase-based"
    limits: ClassVar[Limits] = Limits(span=5, symbols=5, gaps=0, loose=True)
    tuned: ClassVar[tuple[float, ...]] = (0.359, 0.395, 0.047, 0.144, 0.632, 0.647, 0.002, 0.455)

    def decode(self, words: Ints, trie: Index, rules: Rules, weights: Floats) -> tuple[Ints, Ints, float, float]:
        """Return the target words and the rules of the best translation, and its values of LANGUAGE and ORDER."""
        nodes = phrase_nodes(words, trie, self.limits.span)
        used, log, jumps = decode_phrases(nodes, rules, self.model, weights, self.beam, self.distortion)
        symbols = rules.symbols[used].ravel()
        return symbols[symbols >= 0], used, log, jumps


class Stacks(NamedTuple):
    """Hypotheses by their number of translated words: rows, scores, numbers of rows, and what a new one must exceed."""

    rows: Ints
    scores: Floats
    sizes: Ints
    floors: Floats


@compiled()
def phrase_nodes(words: Ints, trie: Index, span: int) -> Ints:
    """Return the source node (words, span + 1) of each phrase by begin and length; ROOT for none."""
    nodes = np.full((len(words), span + 1), ROOT, np.int64)
    for begin in range(len(words)):
        node = ROOT
        for end in range(begin + 1, min(begin + span, len(words)) + 1):
            node = below(trie, node, words[end - 1], FIND)
            if node == ROOT:
                break
            nodes[begin, end - begin] = node
    return nodes


@compiled()
def outlooks(nodes: Ints, rules: Rules) -> Floats:
    """Return the best sum of estimates for each span, (words + 1, words + 1) by begin and end."""
    n_words, longest = nodes.shape[0], nodes.shape[1] - 1
    best = np.full((n_words + 1, n_words + 1), -np.inf)
    for length in range(1, n_words + 1):
        for begin in range(n_words - length + 1):
            end = begin + length
            if length <= longest and nodes[begin, length] != ROOT:
                rule = rules.first[nodes[begin, length]]
                if rule < rules.first[nodes[begin, length] + 1]:
                    best[begin, end] = rules.estimate[rule]
            for middle in range(begin + 1, end):
                best[begin, end] = max(best[begin, end], best[begin, middle] + best[middle, end])
    return best


@compiled()
def outlook(best: Floats, front: int, covered: int) -> float:
    """Return the best sum of estimates of all words that are not translated."""
    total, end = 0.0, best.shape[0] - 1
    while covered:
        after = front + 1
        while not covered & 1:
            covered >>= 1
            after += 1
        total += best[front, after]
        while covered & 1:
            covered >>= 1
            after += 1
        covered >>= 1
        front = after
    return total + best[front, end] if front < end else total


@compiled()
def prune(stacks: Stacks, number: int, beam: int) -> None:
    """Keep the best hypotheses of a stack, the best first; of equals the earlier."""
    size = stacks.sizes[number]
    order = np.argsort(-stacks.scores[number, :size, TOTAL], kind="mergesort")[:beam]
    rows, scores = stacks.rows[number], stacks.scores[number]
    rows[: len(order)], scores[: len(order)] = rows[order], scores[order]
    stacks.sizes[number] = len(order)
    if len(order) == beam:
        stacks.floors[number] = scores[beam - 1, TOTAL]


@compiled()
def add(stacks: Stacks, number: int, row: Ints, scores: Floats, beam: int) -> None:
    """Add a hypothesis to a stack, unless it is no better than one that the same can follow, or than the worst kept."""
    if scores[TOTAL] <= stacks.floors[number]:
        return
    rows = stacks.rows[number]
    for slot in range(stacks.sizes[number]):
        other, same = rows[slot], True
        for column in range(SAME):
            if other[column] != row[column]:
                same = False
                break
        if same:
            if scores[TOTAL] > stacks.scores[number, slot, TOTAL]:
                rows[slot], stacks.scores[number, slot] = row, scores
            return
    slot = stacks.sizes[number]
    rows[slot], stacks.scores[number, slot] = row, scores
    stacks.sizes[number] += 1
    if slot + 1 == len(rows):
        prune(stacks, number, beam)


@compiled()
def extend(
    stacks: Stacks,
    number: int,
    slot: int,
    nodes: Ints,
    best: Floats,
    rules: Rules,
    model: LanguageModel,
    weights: Floats,
    beam: int,
    limit: int,
) -> None:
    """Add what one more phrase makes of a hypothesis."""
    n_words, longest = nodes.shape[0], nodes.shape[1] - 1
    parent, before = stacks.rows[number, slot].copy(), stacks.scores[number, slot].copy()
    row, scores = np.empty(N_COLUMNS, np.int64), np.empty(N_SCORES)
    front, covered = parent[FRONT], parent[COVERED] << 1
    for begin in range(front, min(front + max(limit, 1), n_words)):
        jump = abs(begin - parent[LAST_END])
        if begin > front and jump > limit:
            continue
        # Every jump back to the first word that is not translated must be within the limit.
        farthest = n_words if begin == front else front + limit
        for end in range(begin + 1, min(begin + longest, farthest, n_words) + 1):
            if covered >> (end - 1 - front) & 1:
                break
            node = nodes[begin, end - begin]
            if node == ROOT or rules.first[node] == rules.first[node + 1]:
                continue
            now, next_front = covered | ((1 << (end - begin)) - 1) << (begin - front), front
            while now & 1:
                now >>= 1
                next_front += 1
            row[FRONT], row[COVERED], row[LAST_END] = next_front, now >> 1, end
            rest = outlook(best, next_front, row[COVERED])
            above, stack = before[SCORE] - weights[ORDER] * jump, number + end - begin
            for rule in range(rules.first[node], rules.first[node + 1]):
                if above + rules.estimate[rule] + rest <= stacks.floors[stack]:
                    break
                u, v, log = parent[BEFORE], parent[LAST], 0.0
                for symbol in rules.symbols[rule]:
                    if symbol < 0:
                        break
                    log += log_probability(model, u, v, symbol)
                    u, v = v, symbol
                if stack == n_words:
                    log += log_probability(model, u, v, END)
                row[BEFORE], row[LAST], row[PARENT], row[RULE], row[STACK] = u, v, slot, rule, number
                scores[SCORE] = above + rules.score[rule] + weights[LANGUAGE] * log
                scores[TOTAL] = scores[SCORE] + rest
                scores[LOG], scores[JUMPS] = before[LOG] + log, before[JUMPS] - jump
                add(stacks, stack, row, scores, beam)


@compiled()
def decode_phrases(
    nodes: Ints, rules: Rules, model: LanguageModel, weights: Floats, beam: int, limit: int
) -> tuple[Ints, float, float]:
    """Return the rules of the best translation from left to right, the log of its probability, and minus its jumps.

    ``nodes`` are those of ``phrase_nodes``; ``weights`` (N_FEATURES,) are those of the features; ``beam`` hypotheses of
    each number of words are extended, and no jump is longer than ``limit``.
    """
    n_words, best = nodes.shape[0], outlooks(nodes, rules)
    rows, scores = np.zeros((n_words + 1, 4 * beam, N_COLUMNS), np.int64), np.zeros((n_words + 1, 4 * beam, N_SCORES))
    stacks = Stacks(rows, scores, np.zeros(n_words + 1, np.int64), np.full(n_words + 1, -np.inf))
    # The hypothesis that has translated nothing.
    rows[0, 0, BEFORE : LAST + 1], stacks.sizes[0] = START, 1
    for number in range(n_words):
        prune(stacks, number, beam)
        for slot in range(stacks.sizes[number]):
            extend(stacks, number, slot, nodes, best, rules, model, weights, beam, limit)
    prune(stacks, n_words, beam)
    backwards, n_used, number, slot = np.empty(n_words, np.int64), 0, n_words, 0
    while number > 0:
        row = rows[number, slot]
        backwards[n_used] = row[RULE]
        n_used, number, slot = n_used + 1, row[STACK], row[PARENT]
    return backwards[:n_used][::-1], scores[n_words, 0, LOG], scores[n_words, 0, JUMPS]
