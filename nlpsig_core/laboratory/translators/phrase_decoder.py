"""Stack decoding with phrases: target words from left to right, source phrases in any order within a limit.

Koehn, Och and Marcu (2003), section 2.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlpsig_core.base.compiled import Floats, Ints, compiled
from nlpsig_core.laboratory.translators.index import Index
from nlpsig_core.laboratory.translators.language_model import END, START, LanguageModel, log_probability
from nlpsig_core.laboratory.translators.patterns import FIND, ROOT, below
from nlpsig_core.laboratory.translators.rules import LANGUAGE, ORDER, Rules

# Columns of a hypothesis: the first source word that is not translated, those translated after it (bits), the end of
# the last phrase, and the last two target words; these decide what can follow. Then its parent and its rule.
FRONT, COVERED, LAST_END, BEFORE, LAST, SAME, PARENT, RULE, STACK, N_COLUMNS = 0, 1, 2, 3, 4, 5, 5, 6, 7, 8
# Columns of its scores: with and without what the rest will add, of the language model, and minus the jumps.
TOTAL, SCORE, LOG, JUMPS, N_SCORES = 0, 1, 2, 3, 4


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
    kept_rows, kept_scores = rows[order], scores[order]
    rows[: len(order)], scores[: len(order)] = kept_rows, kept_scores
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
    words: Ints, trie: Index, rules: Rules, model: LanguageModel, weights: Floats, span: int, beam: int, limit: int
) -> tuple[Ints, float, float]:
    """Return the rules of the best translation from left to right, the log of its probability, and minus its jumps.

    ``weights`` (N_FEATURES,) are those of the features; ``beam`` hypotheses of each number of words are extended, and
    no jump is longer than ``limit``.
    """
    nodes = phrase_nodes(words, trie, span)
    best, stacks = outlooks(nodes, rules), empty_stacks(len(words), beam)
    for number in range(len(words)):
        prune(stacks, number, beam)
        for slot in range(stacks.sizes[number]):
            extend(stacks, number, slot, nodes, best, rules, model, weights, beam, limit)
    prune(stacks, len(words), beam)
    scores = stacks.scores[len(words), 0]
    return rules_used(stacks.rows), scores[LOG], scores[JUMPS]


@compiled()
def empty_stacks(n_words: int, beam: int) -> Stacks:
    """Return stacks with the one hypothesis that has translated nothing."""
    rows = np.zeros((n_words + 1, 4 * beam, N_COLUMNS), np.int64)
    rows[0, 0, BEFORE : LAST + 1] = START
    sizes = np.zeros(n_words + 1, np.int64)
    sizes[0] = 1
    return Stacks(rows, np.zeros((n_words + 1, 4 * beam, N_SCORES)), sizes, np.full(n_words + 1, -np.inf))


@compiled()
def rules_used(rows: Ints) -> Ints:
    """Return the rules of the best hypothesis of the last stack, from left to right."""
    backwards, n_used = np.empty(len(rows), np.int64), 0
    stack, slot = len(rows) - 1, 0
    while stack > 0:
        row = rows[stack, slot]
        backwards[n_used] = row[RULE]
        n_used += 1
        stack, slot = row[STACK], row[PARENT]
    return backwards[:n_used][::-1]
