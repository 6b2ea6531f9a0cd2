"""The split-merge grammar: by pencil, and against the enumeration of all derivations on tiny grammars."""

import math
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from nlpsig_core.laboratory.grammars import read_trees
from nlpsig_core.laboratory.grammars.markovised.chart import cell_of
from nlpsig_core.laboratory.grammars.split_merge.chart import inside, max_rule, outside
from nlpsig_core.laboratory.grammars.split_merge.derivations import TAG, TOP, Derivations
from nlpsig_core.laboratory.grammars.split_merge.training import (
    expected,
    learned,
    merged,
    split,
    split_merge,
    totals_of,
    unsplit,
)

TREES = """(S1 (S (NP (D the) (N cat)) (VP (V saw) (NP (D a) (N dog)))))
(S1 (S (NP (N cats)) (VP (V sleep))))
(S1 (S (NP (NP (D the) (N cat)) (PP (P in) (NP (N hats)))) (VP (V saw) (NP (N dogs)) (PP (P in) (NP (N hats))))))
(S1 (NP (D the) (N dog) (N cat)))"""


def small(cycles=1, seed=0):
    derivations = Derivations(read_trees(TREES).trees)
    return derivations, split_merge(derivations, cycles, seed, (4, 2))[0]


class Enumeration:
    """Every derivation of a sentence by a split grammar: its rules with spans, and its probability."""

    def __init__(self, derivations, model, words):
        self.grammar, self.words, self.model, self.derivations = model.grammar, words, model, derivations
        self.below, self.above = cache(self.below), cache(self.above)
        self.pairs = {pair: i for i, pair in enumerate(derivations.pairs)}

    def block(self, rule):
        begin, end = self.grammar.block[rule : rule + 2]
        shape = [self.size(s) for s in (self.grammar.parent[rule], self.grammar.left[rule], self.grammar.right[rule])]
        return self.grammar.probability[begin:end].reshape(shape)

    def size(self, symbol):
        return 1 if symbol < 0 else int(self.grammar.first[symbol + 1] - self.grammar.first[symbol])

    def below(self, symbol, start, end):
        """(rules, values by subsymbol) of each derivation without a rule with one child at its top."""
        kind, label = self.derivations.symbols[symbol]
        if kind == TAG:
            pair = self.pairs.get((label, self.words[start]), -1) if end - start == 1 else -1
            return [] if pair < 0 else [((), self.model.emission[self.model.pair[pair] : self.model.pair[pair + 1]])]
        return [
            (((rule, start, middle, end), *a, *b), np.einsum("xyz,y,z->x", self.block(rule), of_a, of_b))
            for rule in np.flatnonzero((self.grammar.parent == symbol) & (self.grammar.right >= 0)).tolist()
            for middle in range(start + 1, end)
            for a, of_a in self.above(int(self.grammar.left[rule]), start, middle)
            for b, of_b in self.above(int(self.grammar.right[rule]), middle, end)
        ]

    def above(self, symbol, start, end):
        singles = np.flatnonzero((self.grammar.parent == symbol) & (self.grammar.right < 0)).tolist()
        return self.below(symbol, start, end) + [
            (((rule, start, end, end), *a), self.block(rule)[:, :, 0] @ of_a)
            for rule in singles
            for a, of_a in self.below(int(self.grammar.left[rule]), start, end)
        ]


def emissions(derivations, model, words):
    table = np.zeros((len(words), model.grammar.first[-1]))
    for (tag, word), begin, end in zip(derivations.pairs, model.pair[:-1], model.pair[1:], strict=True):
        symbol = derivations.symbols.index((TAG, tag))
        table[[w == word for w in words], model.grammar.first[symbol] : model.grammar.first[symbol + 1]] = (
            model.emission[begin:end]
        )
    return table


SENTENCES = ["the cat saw dogs in hats", "cats sleep", "the dog cat", "cats saw a dog in hats in hats"]


def charts_of(derivations, model, words):
    top = derivations.symbols.index(TOP)
    shape = len(words) * (len(words) + 1) // 2, len(derivations.symbols)
    chart = inside(model.grammar, emissions(derivations, model, words), np.ones(shape, np.bool_))
    return top, chart, outside(model.grammar, chart, top, 0.0)


def test_relative_frequencies_by_pencil():
    """Of 7 NPs, D N is 2, N alone 3 (cats, hats, hats, dogs are 4), NP PP 1, and D N N 1: 8 in all."""
    derivations = Derivations(read_trees(TREES).trees)
    model = unsplit(derivations)
    shares = {
        step.children: model.grammar.probability[i]
        for i, step in enumerate(derivations.steps)
        if step.parent == ("phrase", "NP")
    }
    assert shares == {
        (("tag", "N"),): pytest.approx(4 / 9),
        (("tag", "D"), ("tag", "N")): pytest.approx(3 / 9),
        (("phrase", "NP"), ("phrase", "PP")): pytest.approx(1 / 9),
        (("part", "NP"), ("tag", "N")): pytest.approx(1 / 9),
    }


@pytest.mark.parametrize("cycles", [0, 1, 2])
@pytest.mark.parametrize("text", SENTENCES)
def test_inside_and_outside_against_all_derivations(cycles, text):
    """The sum over derivations; and of each rule's probability given the sentence, the part that its span has."""
    words = text.split()
    derivations, model = small(cycles)
    top, chart, outer = charts_of(derivations, model, words)
    every = Enumeration(derivations, model, words).above(top, 0, len(words))
    total = sum(value[0] for _, value in every)
    root = cell_of(0, len(words))
    assert math.log(chart.above[root, model.grammar.first[top]]) + chart.scale[root] == pytest.approx(math.log(total))
    posteriors = chart.below * outer.below
    for symbol in range(len(derivations.symbols)):
        subs = slice(model.grammar.first[symbol], model.grammar.first[symbol + 1])
        for start in range(len(words)):
            for end in range(start + 2, len(words) + 1):
                using = [
                    value[0]
                    for rules, value in every
                    for rule, a, middle, b in rules
                    if (a, b) == (start, end) and middle < b and model.grammar.parent[rule] == symbol
                ]
                assert posteriors[cell_of(start, end), subs].sum() == pytest.approx(sum(using) / total, abs=1e-12)


@pytest.mark.parametrize("text", SENTENCES)
def test_max_rule_against_all_derivations(text):
    """The product of what each rule, each span without a rule with one child, and each tag has given the sentence."""
    words = text.split()
    derivations, model = small(1)
    top, chart, outer = charts_of(derivations, model, words)
    grammar, n = model.grammar, len(words)
    every = Enumeration(derivations, model, words).above(top, 0, n)
    total = sum(value[0] for _, value in every)

    def parts(rules):
        """Rules; ("plain", symbol, span) where there is none with one child; tags."""
        singles = {(int(grammar.parent[r]), a, b): int(grammar.left[r]) for r, a, middle, b in rules if middle == b}
        binary = {(int(grammar.parent[r]), a, b): (r, a, m, b) for r, a, m, b in rules if m < b}
        found, todo = [], [(top, 0, n)]
        while todo:
            symbol, a, b = todo.pop()
            if (symbol, a, b) in singles and ("single", symbol, a, b) not in found:
                found.append(("single", symbol, a, b, singles[symbol, a, b]))
                symbol = singles[symbol, a, b]
            else:
                found.append(("plain", symbol, a, b))
            if derivations.symbols[symbol][0] == TAG:
                found.append(("tag", symbol, a, b))
            else:
                rule, a, middle, b = binary[symbol, a, b]
                found.append((rule, a, middle, b))
                todo += [(int(grammar.left[rule]), a, middle), (int(grammar.right[rule]), middle, b)]
        return found

    weights = {}
    for rules, value in every:
        for part in parts(rules):
            weights[part] = weights.get(part, 0.0) + value[0] / total
    scores = [math.prod(weights[part] for part in parts(rules)) for rules, _ in every]
    best = set(every[int(np.argmax(scores))][0])
    binary, middles, singles = max_rule(grammar, chart, outer)
    chosen, todo = set(), [(top, 0, n)]
    while todo:
        symbol, a, b = todo.pop()
        cell = cell_of(a, b)
        if singles[cell, symbol] >= 0:
            chosen.add((int(singles[cell, symbol]), a, b, b))
            symbol = int(grammar.left[singles[cell, symbol]])
        if derivations.symbols[symbol][0] != TAG:
            rule, middle = int(binary[cell, symbol]), int(middles[cell, symbol])
            chosen.add((rule, a, middle, b))
            todo += [(int(grammar.left[rule]), a, middle), (int(grammar.right[rule]), middle, b)]
    assert chosen == best


def test_em_never_lowers_the_likelihood():
    derivations = Derivations(read_trees(TREES).trees)
    model, counts = learned(unsplit(derivations), derivations.forest, 0)
    model = split(model, counts, derivations.symbols.index(TOP), np.random.default_rng(0))
    logs = []
    for _ in range(15):
        model, counts = learned(model, derivations.forest, 1, smooth=False)
        logs.append(counts.log)
    assert all(after >= before - 1e-9 for before, after in pairwise(logs))
    assert logs[-1] > logs[0]


def test_the_likelihood_of_an_unsplit_grammar_is_the_sum_of_the_logs_of_its_rules():
    derivations = Derivations(read_trees(TREES).trees)
    model = unsplit(derivations)
    forest = derivations.forest
    logs = np.log(model.grammar.probability)[forest.rule[forest.rule >= 0]].sum()
    logs += np.log(model.emission)[forest.pair[forest.pair >= 0]].sum()
    assert expected(model, forest, np.ones(len(derivations.symbols))).log == pytest.approx(logs)


def test_counts_and_probabilities_keep_their_sums():
    """Expected counts of subsymbols add up to the counts of symbols; half of the splits are taken back."""
    derivations = Derivations(read_trees(TREES).trees)
    top = derivations.symbols.index(TOP)
    model, counts = learned(unsplit(derivations), derivations.forest, 0)
    unsplit_totals = totals_of(model, counts.rules, counts.words)
    model, counts = learned(split(model, counts, top, np.random.default_rng(0)), derivations.forest, 3)
    totals = totals_of(model, counts.rules, counts.words)
    assert np.add.reduceat(totals, model.grammar.first[:-1]) == pytest.approx(unsplit_totals)
    n_split = len(derivations.symbols) - 1
    assert model.grammar.first[-1] == 2 * n_split + 1
    small_model = merged(model, counts, top)
    assert small_model.grammar.first[-1] == 2 * n_split + 1 - n_split // 2
    assert totals_of(small_model, small_model.grammar.probability, small_model.emission) == pytest.approx(1.0)


def test_merging_the_halves_of_a_fresh_split_loses_nothing():
    derivations = Derivations(read_trees(TREES).trees)
    model, counts = learned(unsplit(derivations), derivations.forest, 0)
    halves = split(model, counts, derivations.symbols.index(TOP), np.random.default_rng(0))
    _, after = learned(halves, derivations.forest, 0)
    assert after.losses == pytest.approx(0.0, abs=0.01)
    assert after.log == pytest.approx(counts.log, abs=0.1)


def test_a_chain_left_out_is_restored():
    """S over VP over V: the derivation has S over V, and the VP comes back."""
    text = "(S1 (S (VP (V go))))"
    derivations = Derivations(read_trees(text).trees)
    assert [step.children for step in derivations.steps] == [(("tag", "V"),)]
    assert list(derivations.chains.values()) == [("S", "VP")]
