"""Hierarchical phrase-based translation: rules with gaps, learned from the same phrases (Chiang 2007).

A chart is filled by cube pruning with the language model's states (sections 5.1 and 5.3).
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from nlpsig_core.base.compiled import Floats, Ints, compiled
from nlpsig_core.laboratory.translators.index import Index
from nlpsig_core.laboratory.translators.language_model import (
    END,
    FIRST_WORD,
    NONE,
    START,
    LanguageModel,
    log_probability,
)
from nlpsig_core.laboratory.translators.patterns import (
    BEGIN,
    FIND,
    FIRST_GAP,
    NODE,
    SECOND_GAP,
    Limits,
    walk,
)
from nlpsig_core.laboratory.translators.rules import LANGUAGE, ORDER, Rules
from nlpsig_core.laboratory.translators.translator import Prepared, Translator

# Columns of an item: its first and last two target words (-1 where it has fewer), which decide what its neighbours
# cost; then its rule and the items in its gaps.
LEFT, RIGHT, STATE, RULE, BELOW, N_COLUMNS = 0, 2, 4, 4, 5, 7
# Columns of its scores: with and without the estimate for its first two words, and the log probability of the others.
TOTAL, SCORE, LOG, N_SCORES = 0, 1, 2, 3
# Items that every chart has: what is in a gap that a rule does not have, and the start of the sentence.
NOTHING, BEFORE_ALL = 0, 1
# Columns of an edge: its first rule and the end of its rules, then first item and end for each gap.
EDGE_COLUMNS = 6
WITHIN = False


@dataclass(frozen=True, eq=False, kw_only=True)
class Hierarchical(Translator):
    """A translator with rules of up to two gaps; ``pops`` is how many combinations are tried for each span."""

    options: int = 20
    beam: int = 30
    pops: int = 100

    kind: ClassVar[str] = "hierarchical"
    limits: ClassVar[Limits] = Limits(span=10, symbols=5, gaps=2, loose=False)
    tuned: ClassVar[tuple[float, ...]] = (0.597, 0.431, 0.063, 0.129, 0.56, 0.62, -0.169, 0.099)

    def rules(self, prepared: Prepared, weights: np.ndarray) -> Rules:
        """Return the rules for prepared sentences with their scores by these weights, the last one the glue."""
        return with_glue(super().rules(prepared, weights), -weights[ORDER])

    def decode(self, words: Ints, trie: Index, rules: Rules, weights: Floats) -> tuple[Ints, Ints, float, float]:
        """Return the target words and the rules of the best translation, and its values of LANGUAGE and ORDER."""
        chart = fill_chart(words, trie, rules, self.model, weights[LANGUAGE], self.limits, self.pops, self.beam)
        codes, used = read_off(chart, rules)
        plain = used < len(rules.features)
        return codes, used[plain], chart.scores[chart.prefixes[-1, 0], LOG], -float(np.count_nonzero(~plain))


def with_glue(rules: Rules, score: float) -> Rules:
    """Return rules with one more, the last, whose two gaps follow each other."""
    n_rules, longest = rules.symbols.shape
    symbols = np.full((n_rules + 1, max(longest, 2)), -1, np.int32)
    symbols[:n_rules, :longest] = rules.symbols
    symbols[n_rules, :2] = 0, 1
    return rules._replace(
        symbols=symbols, score=np.append(rules.score, score), estimate=np.append(rules.estimate, score)
    )


class Chart(NamedTuple):
    """Items in a row, those of a cell together and the best first.

    ``spans`` and ``prefixes`` have the first item of a cell and the end of its items: (words, span + 1, 2) by begin
    and length, and (words + 1, 2) by end for what begins with the sentence.
    """

    rows: Ints
    scores: Floats
    spans: Ints
    prefixes: Ints


@compiled()
def joined(symbols: Ints, chart: Chart, below: Ints, model: LanguageModel, row: Ints) -> float:
    """Fill in the first and last words of what a rule makes of items; return the log probability of its words.

    The first two words are left out: what is before them is not known yet.
    """
    row[:STATE] = -1
    before, last, n_words, log = -1, -1, 0, 0.0
    for symbol in symbols:
        if symbol < 0:
            break
        gap = symbol < FIRST_WORD
        item = chart.rows[below[symbol] if gap else NOTHING]
        log += chart.scores[below[symbol], LOG] if gap else 0.0
        for at in range(2 if gap else 1):
            word = item[LEFT + at] if gap else symbol
            if word < 0:
                break
            if n_words < 2:
                row[LEFT + n_words] = word
            else:
                log += log_probability(model, before, last, word)
            before, last, n_words = last, word, n_words + 1
        if gap and item[LEFT + 1] >= 0:
            before, last = item[RIGHT], item[RIGHT + 1]
    row[RIGHT], row[RIGHT + 1] = before, last
    return log


@compiled()
def first_words_log(row: Ints, model: LanguageModel) -> float:
    """Return an estimate of the log probability of an item's first two words; 0 at the start of the sentence."""
    if row[LEFT] == START:
        return 0.0
    log = log_probability(model, NONE, NONE, row[LEFT])
    return log + log_probability(model, NONE, row[LEFT], row[LEFT + 1]) if row[LEFT + 1] >= 0 else log


@compiled()
def fill_cell(
    chart: Chart,
    size: int,
    edges: Ints,
    rules: Rules,
    model: LanguageModel,
    weight: float,
    ends: bool,
    pops: int,
    beam: int,
) -> int:
    """Add the best items that edges (edges, EDGE_COLUMNS) make to the ``size`` items of a chart; return their number.

    ``pops`` combinations of a rule and items are tried, in the order of the sums of their scores, and ``beam`` items
    kept. ``weight`` is that of the language model; ``ends`` tells that the sentence ends after the cell.
    """
    # Combinations by minus the sum of scores, then by time: edge, rule and items.
    heap, time = [(0.0, 0, 0, 0, 0, 0) for _ in range(0)], 0
    for number in range(len(edges)):
        edge = edges[number]
        heap.append((-sum_of(chart, rules, edge[0], edge[2], edge[4]), time, number, edge[0], edge[2], edge[4]))
        time += 1
    heapq.heapify(heap)
    rows, scores, n_found = np.empty((pops, N_COLUMNS), np.int64), np.empty((pops, N_SCORES)), 0
    row = np.empty(N_COLUMNS, np.int64)
    for _ in range(pops):
        if not heap:
            break
        _, _, number, rule, first, second = heapq.heappop(heap)
        edge = edges[number]
        # Every combination follows one other: items move on only while those after them are at their best.
        later = [(rule, first, second + 1)]
        if second == edge[4]:
            later.append((rule, first + 1, second))
            if first == edge[2]:
                later.append((rule + 1, first, second))
        for rule_, first_, second_ in later:
            if rule_ < edge[1] and first_ < edge[3] and second_ < edge[5]:
                cost = -sum_of(chart, rules, rule_, first_, second_)
                heapq.heappush(heap, (cost, time, number, rule_, first_, second_))
                time += 1
        row[RULE], row[BELOW], row[BELOW + 1] = rule, first, second
        log = joined(rules.symbols[rule], chart, row[BELOW:], model, row)
        if ends:
            log += log_probability(model, row[RIGHT], row[RIGHT + 1], END)
        inside = log - chart.scores[first, LOG] - chart.scores[second, LOG]
        score = rules.score[rule] + chart.scores[first, SCORE] + chart.scores[second, SCORE] + weight * inside
        total, slot = score + weight * first_words_log(row, model), 0
        while slot < n_found and not np.array_equal(rows[slot, :STATE], row[:STATE]):
            slot += 1
        if slot == n_found or total > scores[slot, TOTAL]:
            rows[slot] = row
            scores[slot, TOTAL], scores[slot, SCORE], scores[slot, LOG] = total, score, log
            n_found = max(n_found, slot + 1)
    order = np.argsort(-scores[:n_found, TOTAL], kind="mergesort")[:beam]
    for place, item in enumerate(order):
        chart.rows[size + place], chart.scores[size + place] = rows[item], scores[item]
    return len(order)


@compiled()
def sum_of(chart: Chart, rules: Rules, rule: int, first: int, second: int) -> float:
    """Return the sum of the scores of a rule and of the items in its gaps."""
    return float(rules.estimate[rule] + chart.scores[first, TOTAL] + chart.scores[second, TOTAL])


@compiled()
def edges_of(matches: Ints, rules: Rules, chart: Chart) -> Ints:
    """Return the edges (edges, EDGE_COLUMNS) of the matches of a span, those whose gaps can be filled."""
    edges, n_edges = np.empty((len(matches), EDGE_COLUMNS), np.int64), 0
    for match in matches:
        edge = edges[n_edges]
        edge[0], edge[1] = rules.first[match[NODE]], rules.first[match[NODE] + 1]
        filled = True
        for gap, column in ((FIRST_GAP, 2), (SECOND_GAP, 4)):
            begin, end = match[gap], match[gap + 1]
            edge[column], edge[column + 1] = NOTHING, NOTHING + 1
            if begin >= 0:
                edge[column : column + 2] = chart.spans[begin, end - begin]
                filled = filled and edge[column] < edge[column + 1]
        n_edges += filled
    return edges[:n_edges]


@compiled()
def glue_edges(chart: Chart, end: int, glue: int) -> Ints:
    """Return the edges that put a span after what begins with the sentence, all of them up to ``end``."""
    longest = min(chart.spans.shape[1] - 1, end)
    edges, n_edges = np.empty((longest, EDGE_COLUMNS), np.int64), 0
    for length in range(1, longest + 1):
        edge = edges[n_edges]
        edge[0], edge[1] = glue, glue + 1
        edge[2:4], edge[4:6] = chart.prefixes[end - length], chart.spans[end - length, length]
        n_edges += edge[4] < edge[5]
    return edges[:n_edges]


@compiled()
def fill_chart(
    words: Ints, trie: Index, rules: Rules, model: LanguageModel, weight: float, limits: Limits, pops: int, beam: int
) -> Chart:
    """Return the chart of a sentence; the last of the rules is the glue, with the prefix and the span as its gaps."""
    n_words, span = len(words), limits.span
    matches, _ = walk(words, np.zeros((n_words, span + 1), np.int64), trie, FIND, limits)
    matches = matches[rules.first[matches[:, NODE]] < rules.first[matches[:, NODE] + 1]]
    # Short spans first, so that those in gaps are complete.
    cells = (matches[:, BEGIN + 1] - matches[:, BEGIN]).astype(np.int64) * n_words + matches[:, BEGIN]
    # As floats, by which items are sorted as well: one sort to compile.
    order = np.argsort(cells.astype(np.float64), kind="mergesort")
    matches, cells = matches[order], cells[order]
    room, prefixes = BEFORE_ALL + 1 + beam * n_words * (span + 1), np.zeros((n_words + 1, 2), np.int64)
    rows, scores = np.full((room, N_COLUMNS), -1, np.int64), np.zeros((room, N_SCORES))
    rows[BEFORE_ALL, :STATE], rows[: BEFORE_ALL + 1, BELOW:] = START, NOTHING
    prefixes[0] = BEFORE_ALL, BEFORE_ALL + 1
    chart, size = Chart(rows, scores, np.zeros((n_words, span + 1, 2), np.int64), prefixes), BEFORE_ALL + 1
    for length in range(1, min(span, n_words) + 1):
        for begin in range(n_words - length + 1):
            cell = length * n_words + begin
            own = matches[np.searchsorted(cells, cell) : np.searchsorted(cells, cell + 1)]
            n_items = fill_cell(chart, size, edges_of(own, rules, chart), rules, model, weight, WITHIN, pops, beam)
            chart.spans[begin, length] = size, size + n_items
            size += n_items
    glue = len(rules.score) - 1
    for end in range(1, n_words + 1):
        ends = end == n_words
        n_items = fill_cell(chart, size, glue_edges(chart, end, glue), rules, model, weight, ends, pops, beam)
        chart.prefixes[end] = size, size + n_items
        size += n_items
    return chart


@compiled()
def read_off(chart: Chart, rules: Rules) -> tuple[Ints, Ints]:
    """Return the target words and the rules, with the glue, of the best item for the whole sentence."""
    words, used = [0 for _ in range(0)], [0 for _ in range(0)]
    # What is still to be read, the next one last: words, and items as -1 and below.
    ahead = [-1 - chart.prefixes[-1, 0]]
    while len(ahead):
        symbol = ahead.pop()
        if symbol >= 0:
            words.append(symbol)
        elif symbol != -1 - BEFORE_ALL:
            row = chart.rows[-1 - symbol]
            used.append(row[RULE])
            for part in rules.symbols[row[RULE]][::-1]:
                if part >= FIRST_WORD:
                    ahead.append(np.int64(part))
                elif part >= 0:
                    ahead.append(-1 - row[BELOW + part])
    return np.array(words), np.array(used)
