"""Charts of a sentence: for each span and symbol, its best derivation (Cocke, Kasami and Younger)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlpsig_core.base.compiled import Floats, Ints, compiled


class Rules(NamedTuple):
    """Rules by their left child, those without a right one first; symbols are numbers.

    ``right`` is -1 for a rule with one child. Rules of a left child are those from ``first`` (symbols + 1,) on, the
    ones with two children those from ``first_binary`` (symbols,) on. ``by_parent`` orders rules by parent, where those
    of a parent are the ones from ``of_parent`` (symbols + 1,) on.
    """

    parent: Ints
    left: Ints
    right: Ints
    log: Floats
    first: Ints
    first_binary: Ints
    by_parent: Ints
    of_parent: Ints


@compiled()
def cell_of(start: int, end: int) -> int:
    """Return the row of the chart that holds the words from ``start`` up to, but not including, ``end``."""
    return end * (end - 1) // 2 + start


@compiled()
def chart_of(rules: Rules, tags: Ints, logs: Floats, first_tag: Ints) -> Floats:
    """Return the chart (spans, symbols) float64: the log probability of the best derivation.

    Rows are those of ``cell_of``; ``tags`` and ``logs`` are those of the words, each word's from ``first_tag`` on. A
    rule with one child is never above another of its kind, so one pass over them closes a span.
    """
    n_words, n_symbols = first_tag.shape[0] - 1, rules.of_parent.shape[0] - 1
    n_spans = n_words * (n_words + 1) // 2
    chart = np.full((n_spans, n_symbols), -np.inf)
    # The symbols of each span that are the left child of some rule, and their number.
    present, number = np.empty((n_spans, n_symbols), np.int32), np.zeros(n_spans, np.int64)
    for end in range(1, n_words + 1):
        for start in range(end - 1, -1, -1):
            cell = cell_of(start, end)
            row = chart[cell]
            if end - start == 1:
                for i in range(first_tag[start], first_tag[end]):
                    row[tags[i]] = logs[i]
            # What two neighbouring spans make together.
            for middle in range(start + 1, end):
                left_cell, rights = cell_of(start, middle), chart[cell_of(middle, end)]
                lefts = chart[left_cell]
                for left in present[left_cell, : number[left_cell]]:
                    for rule in range(rules.first_binary[left], rules.first[left + 1]):
                        log = rights[rules.right[rule]] + (lefts[left] + rules.log[rule])
                        row[rules.parent[rule]] = max(row[rules.parent[rule]], log)
            # The parents of single children.
            for child in range(n_symbols):
                if row[child] > -np.inf:
                    for rule in range(rules.first[child], rules.first_binary[child]):
                        row[rules.parent[rule]] = max(row[rules.parent[rule]], row[child] + rules.log[rule])
            for symbol in range(n_symbols):
                if row[symbol] > -np.inf and rules.first_binary[symbol] < rules.first[symbol + 1]:
                    present[cell, number[cell]] = symbol
                    number[cell] += 1
    return chart


@compiled()
def best_steps(rules: Rules, chart: Floats, start: int, end: int, symbol: int, k: int) -> tuple[Floats, Ints, Ints]:
    """Return the log probabilities, rules and middles of the best ways to make a symbol over a span, at most ``k``.

    Best first; of equals the one with the earlier middle, then the earlier rule.
    """
    choices = rules.by_parent[rules.of_parent[symbol] : rules.of_parent[symbol + 1]]
    room = len(choices) * max(end - start - 1, 1)
    logs, used, middles = np.empty(room), np.empty(room, np.int32), np.empty(room, np.int32)
    n_steps = 0
    for rule in choices:
        if rules.right[rule] < 0:
            logs[n_steps], used[n_steps], middles[n_steps] = chart[cell_of(start, end), rules.left[rule]], rule, end
            logs[n_steps] += rules.log[rule]
            n_steps += logs[n_steps] > -np.inf
    for middle in range(start + 1, end):
        lefts, rights = chart[cell_of(start, middle)], chart[cell_of(middle, end)]
        for rule in choices:
            if rules.right[rule] >= 0:
                logs[n_steps] = lefts[rules.left[rule]] + rights[rules.right[rule]] + rules.log[rule]
                used[n_steps], middles[n_steps] = rule, middle
                n_steps += logs[n_steps] > -np.inf
    order = np.argsort(-logs[:n_steps], kind="mergesort")[:k]
    return logs[order], used[order], middles[order]
