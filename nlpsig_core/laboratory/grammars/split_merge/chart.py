"""Inside and outside probabilities of split symbols over the spans of a sentence, and its max-rule tree.

Each span has two values of a symbol: *below* a rule with one child, and *above* it; without such a rule they are equal.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.compiled import Flags, Floats, Ints, compiled
from nlpsig_core.laboratory.grammars.markovised.chart import cell_of


class Split(NamedTuple):
    """A grammar with split symbols; rules are ordered by left child, those with one child first.

    The subsymbols of a symbol are those from ``first`` (symbols + 1,) on. ``right`` is -1 for one child. The
    probabilities of a rule, from ``block`` (rules + 1,) on, are (subsymbols of the parent, of the left, of the right
    child). Rules of a left child are those from ``of_left`` (symbols + 1,) on, with two children from ``binary`` on.
    """

    first: Ints
    parent: Ints
    left: Ints
    right: Ints
    block: Ints
    of_left: Ints
    binary: Ints
    probability: Floats


class Chart(NamedTuple):
    """Values of all spans, (spans, subsymbols), divided by exp(``scale``), (spans,)."""

    below: Floats
    above: Floats
    scale: Floats


@compiled()
def total(inner: Floats, outer: Floats, first: Ints, symbol: int) -> float:
    """Return the sum of inside times outside values of a symbol."""
    result = 0.0
    for x in range(first[symbol], first[symbol + 1]):
        result += inner[x] * outer[x]
    return result


@compiled()
def probable(inner: Floats, outer: Floats, first: Ints, least: float) -> Flags:
    """Return which symbols have a sum of inside times outside values above ``least``, (symbols,)."""
    flags = np.zeros(first.shape[0] - 1, np.bool_)
    for symbol in range(first.shape[0] - 1):
        flags[symbol] = total(inner, outer, first, symbol) > least
    return flags


@compiled()
def add_inside(grammar: Split, rule: int, factor: float, lefts: Floats, rights: Floats, row: Floats) -> None:
    """Add to the inside values of the parent what a rule makes of those of its children."""
    first, place = grammar.first, grammar.block[rule]
    parent, left, right = grammar.parent[rule], grammar.left[rule], grammar.right[rule]
    if right >= 0 and grammar.block[rule + 1] == place + 1:
        row[first[parent]] += grammar.probability[place] * lefts[first[left]] * rights[first[right]] * factor
        return
    for x in range(first[parent], first[parent + 1]):
        total = 0.0
        for y in range(first[left], first[left + 1]):
            if right < 0:
                total += grammar.probability[place] * lefts[y]
                place += 1
            else:
                for z in range(first[right], first[right + 1]):
                    total += grammar.probability[place] * lefts[y] * rights[z]
                    place += 1
        row[x] += total * factor


@compiled()
def inside(grammar: Split, words: Floats, allowed: Flags) -> Chart:
    """Return the inside probabilities of a sentence.

    ``words`` (words, subsymbols) are P(word | tag); only symbols in ``allowed`` (spans, symbols) get a value.
    """
    n_words, n_symbols = words.shape[0], grammar.first.shape[0] - 1
    n_cells = n_words * (n_words + 1) // 2
    below, above = np.zeros((n_cells, words.shape[1])), np.zeros((n_cells, words.shape[1]))
    ones = np.ones(words.shape[1])
    scale, has = np.full(n_cells, -np.inf), np.zeros((n_cells, n_symbols), np.bool_)
    for end in range(1, n_words + 1):
        for start in range(end - 1, -1, -1):
            cell, base = cell_of(start, end), -np.inf
            if end - start == 1:
                base = 0.0
                below[cell] = words[start]
            for middle in range(start + 1, end):
                base = max(base, scale[cell_of(start, middle)] + scale[cell_of(middle, end)])
            if base == -np.inf:
                continue
            for middle in range(start + 1, end):
                a, b = cell_of(start, middle), cell_of(middle, end)
                factor = math.exp(scale[a] + scale[b] - base)
                lefts, rights, row = above[a], above[b], below[cell]
                for left in range(n_symbols):
                    if has[a, left] and factor > 0:
                        for rule in range(grammar.binary[left], grammar.of_left[left + 1]):
                            if has[b, grammar.right[rule]] and allowed[cell, grammar.parent[rule]]:
                                add_inside(grammar, rule, factor, lefts, rights, row)
            above[cell] = below[cell]
            for child in range(n_symbols):
                for rule in range(grammar.of_left[child], grammar.binary[child]):
                    if allowed[cell, grammar.parent[rule]]:
                        add_inside(grammar, rule, 1.0, below[cell], below[cell], above[cell])
            highest = above[cell].max()
            if highest > 0:
                above[cell] /= highest
                below[cell] /= highest
                scale[cell] = base + math.log(highest)
                has[cell] = probable(above[cell], ones, grammar.first, 0.0)
    return Chart(below, above, scale)


@compiled()
def add_outside(
    grammar: Split,
    rule: int,
    factor: float,
    outer: Floats,
    lefts: Floats,
    rights: Floats,
    left_out: Floats,
    right_out: Floats,
) -> None:
    """Add to the outside values of the children what a rule makes of those of its parent."""
    first, place = grammar.first, grammar.block[rule]
    parent, left, right = grammar.parent[rule], grammar.left[rule], grammar.right[rule]
    for x in range(first[parent], first[parent + 1]):
        value = outer[x] * factor
        for y in range(first[left], first[left + 1]):
            if right < 0:
                left_out[y] += value * grammar.probability[place]
                place += 1
            else:
                total = 0.0
                for z in range(first[right], first[right + 1]):
                    weight = value * grammar.probability[place]
                    total += weight * rights[z]
                    right_out[z] += weight * lefts[y]
                    place += 1
                left_out[y] += total


@compiled()
def outside(grammar: Split, chart: Chart, top: int, least: float) -> Chart:
    """Return the outside values: times the inside ones, they are the probabilities of subsymbols given the sentence.

    ``top`` is the symbol of the whole sentence, which is not split. Symbols whose probability over a span is not above
    ``least`` hand nothing down to smaller spans.
    """
    first, scale = grammar.first, chart.scale
    n_symbols, n_words = first.shape[0] - 1, length_of(chart)
    below, above = np.zeros(chart.below.shape), np.zeros(chart.above.shape)
    has, ones = np.zeros((scale.shape[0], n_symbols), np.bool_), np.ones(chart.below.shape[1])
    for cell in range(scale.shape[0]):
        has[cell] = probable(chart.above[cell], ones, first, 0.0)
    above[cell_of(0, n_words), first[top]] = 1 / chart.above[cell_of(0, n_words), first[top]]
    for length in range(n_words, 0, -1):
        for start in range(n_words - length + 1):
            end = start + length
            cell = cell_of(start, end)
            wanted = probable(chart.above[cell], above[cell], first, least)
            below[cell] = above[cell]
            for child in range(n_symbols):
                for rule in range(grammar.of_left[child], grammar.binary[child]):
                    if wanted[grammar.parent[rule]]:
                        add_outside(grammar, rule, 1.0, above[cell], above[cell], above[cell], below[cell], below[cell])
            wanted = probable(chart.below[cell], below[cell], first, least)
            for middle in range(start + 1, end if wanted.any() else 0):
                a, b = cell_of(start, middle), cell_of(middle, end)
                factor, row = ratio(scale, a, b, cell), below[cell]
                lefts, rights, left_out, right_out = chart.above[a], chart.above[b], above[a], above[b]
                for left in range(n_symbols):
                    if has[a, left] and factor > 0:
                        for rule in range(grammar.binary[left], grammar.of_left[left + 1]):
                            if wanted[grammar.parent[rule]] and has[b, grammar.right[rule]]:
                                add_outside(grammar, rule, factor, row, lefts, rights, left_out, right_out)
    return Chart(below, above, scale)


@compiled()
def length_of(chart: Chart) -> int:
    """Return the number of words of a chart's sentence."""
    return int((math.sqrt(8 * chart.scale.shape[0] + 1) - 1) / 2 + 0.5)


@compiled()
def ratio(scale: Floats, left: int, right: int, cell: int) -> float:
    """Return the factor between the values of two spans and those of the span that they form."""
    if scale[cell] == -np.inf:
        return 0.0
    return math.exp(scale[left] + scale[right] - scale[cell])


@compiled()
def likely(grammar: Split, chart: Chart, outer: Chart, threshold: float) -> Flags:
    """Return the symbols whose probability over a span is above a threshold, (spans, symbols)."""
    first = grammar.first
    flags = np.zeros((chart.scale.shape[0], first.shape[0] - 1), np.bool_)
    for cell in range(flags.shape[0]):
        for symbol in range(flags.shape[1]):
            below = total(chart.below[cell], outer.below[cell], first, symbol)
            above = total(chart.above[cell], outer.above[cell], first, symbol)
            flags[cell, symbol] = max(below, above) > threshold
    return flags


@compiled()
def weight_of(grammar: Split, rule: int, outer: Floats, lefts: Floats, rights: Floats) -> float:
    """Return the probability of a rule given the sentence, up to the scale of its spans."""
    first, place, result = grammar.first, grammar.block[rule], 0.0
    parent, left, right = grammar.parent[rule], grammar.left[rule], grammar.right[rule]
    for x in range(first[parent], first[parent + 1]):
        for y in range(first[left], first[left + 1]):
            value = outer[x] * lefts[y]
            if right < 0:
                result += value * grammar.probability[place]
                place += 1
            else:
                for z in range(first[right], first[right + 1]):
                    result += value * grammar.probability[place] * rights[z]
                    place += 1
    return result


@compiled()
def max_rule(grammar: Split, chart: Chart, outer: Chart) -> tuple[Ints, Ints, Ints]:
    """Return the tree whose rules have the highest product of probabilities given the sentence.

    Petrov and Klein (2007), max-rule-product: the rule with two children over each span and symbol, its middle, and the
    rule with one child; -1 where there is none. Each is (spans, symbols).
    """
    first, scale = grammar.first, chart.scale
    shape = (scale.shape[0], first.shape[0] - 1)
    low, high = np.full(shape, -np.inf), np.full(shape, -np.inf)
    rules, middles, singles = np.full(shape, -1, np.int32), np.full(shape, -1, np.int32), np.full(shape, -1, np.int32)
    for end in range(1, length_of(chart) + 1):
        for start in range(end - 1, -1, -1):
            cell = cell_of(start, end)
            wanted = probable(chart.below[cell], outer.below[cell], first, 0.0)
            for symbol in range(shape[1]):
                if end - start == 1:
                    low[cell, symbol] = math.log(
                        max(total(chart.below[cell], outer.below[cell], first, symbol), 1e-300)
                    )
                    if not chart.below[cell, first[symbol] : first[symbol + 1]].any():
                        low[cell, symbol] = -np.inf
            for middle in range(start + 1, end):
                a, b = cell_of(start, middle), cell_of(middle, end)
                row, lefts, rights = outer.below[cell], chart.above[a], chart.above[b]
                for left in range(shape[1]):
                    if high[a, left] == -np.inf:
                        continue
                    for rule in range(grammar.binary[left], grammar.of_left[left + 1]):
                        parent, right = grammar.parent[rule], grammar.right[rule]
                        # No probability is above 1, so most rules cannot win.
                        if wanted[parent] and high[a, left] + high[b, right] > low[cell, parent]:
                            weight = weight_of(grammar, rule, row, lefts, rights)
                            log = math.log(max(weight, 1e-300)) + scale[a] + scale[b] - scale[cell]
                            log += high[a, left] + high[b, right]
                            if log > low[cell, parent]:
                                low[cell, parent] = log
                                rules[cell, parent], middles[cell, parent] = rule, middle
            for symbol in range(shape[1]):
                weight = total(chart.below[cell], outer.above[cell], first, symbol)
                high[cell, symbol] = low[cell, symbol] + math.log(max(weight, 1e-300))
            for child in range(shape[1]):
                for rule in range(grammar.of_left[child], grammar.binary[child]):
                    weight = weight_of(grammar, rule, outer.above[cell], chart.below[cell], chart.below[cell])
                    log = math.log(max(weight, 1e-300)) + low[cell, child]
                    if log > high[cell, grammar.parent[rule]]:
                        high[cell, grammar.parent[rule]], singles[cell, grammar.parent[rule]] = log, rule
    return rules, middles, singles
