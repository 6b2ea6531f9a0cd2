"""Split-merge training: symbols are split in two, learned by EM, and half of the splits are taken back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.compiled import Floats, Ints, compiled
from nlpsig_core.laboratory.grammars.split_merge.chart import Split, add_inside, add_outside
from nlpsig_core.laboratory.grammars.split_merge.derivations import TAG, TOP, Derivations, Forest

# The share of the mean over subsymbols in the probabilities of rules and of words (Petrov et al. 2006, section 2.4).
SMOOTH_RULES, SMOOTH_WORDS = 0.01, 0.1
# How much the probabilities of the two halves of a symbol differ at first.
NOISE = 0.01


class Model(NamedTuple):
    """A split grammar with P(word | tag): of each pair, from ``pair`` (pairs + 1,) on, by subsymbol of its tag.

    ``tag`` (pairs,) is the symbol of the tag.
    """

    grammar: Split
    tag: Ints
    pair: Ints
    emission: Floats


class Expected(NamedTuple):
    """Expected counts of rules and words, the log likelihood, and what merging each subsymbol with the next loses."""

    rules: Floats
    words: Floats
    log: float
    losses: Floats


@compiled()
def expected(model: Model, forest: Forest, shares: Floats) -> Expected:
    """Return expected counts over the derivations of a treebank.

    ``shares`` (subsymbols,) are the shares of subsymbols in their symbol. A loss is the log of the likelihood's ratio
    if a subsymbol and the next one were merged everywhere (Petrov et al. 2006, section 2.3).
    """
    grammar, first = model.grammar, model.grammar.first
    rules, words, losses = np.zeros_like(grammar.probability), np.zeros_like(model.emission), np.zeros_like(shares)
    longest, log = (forest.first[1:] - forest.first[:-1]).max(), 0.0
    inner, outer, norm = np.zeros((longest, shares.shape[0])), np.zeros((longest, shares.shape[0])), np.ones(longest)
    for tree in range(forest.first.shape[0] - 1):
        begin, end = forest.first[tree], forest.first[tree + 1]
        for node in range(begin, end):
            symbol, rule, row = forest.symbol[node], forest.rule[node], inner[node - begin]
            low, high = first[symbol], first[symbol + 1]
            row[low:high], outer[node - begin, low:high] = 0.0, 0.0
            if rule < 0:
                place = model.pair[forest.pair[node]]
                row[low:high] = model.emission[place : place + high - low]
            else:
                left, right = inner[forest.left[node] - begin], inner[max(forest.right[node] - begin, 0)]
                add_inside(grammar, rule, 1.0, left, right, row)
            norm[node - begin] = row[low:high].max()
            row[low:high] /= norm[node - begin]
            log += math.log(norm[node - begin])
        outer[end - 1 - begin, first[forest.symbol[end - 1]]] = 1.0
        for node in range(end - 1, begin - 1, -1):
            symbol, rule, row, out = forest.symbol[node], forest.rule[node], inner[node - begin], outer[node - begin]
            low, high = first[symbol], first[symbol + 1]
            for sub in range(low, high - 1):
                apart = row[sub] * out[sub] + row[sub + 1] * out[sub + 1]
                both = shares[sub] + shares[sub + 1]
                if both > 0:
                    inside = (row[sub] * shares[sub] + row[sub + 1] * shares[sub + 1]) / both
                    losses[sub] += math.log(max(1.0 - apart + inside * (out[sub] + out[sub + 1]), 1e-300))
            if rule < 0:
                place = model.pair[forest.pair[node]]
                words[place : place + high - low] += row[low:high] * out[low:high]
            else:
                a, b = forest.left[node] - begin, max(forest.right[node] - begin, 0)
                factor = 1 / norm[node - begin]
                count_rule(grammar, rule, factor, out, inner[a], inner[b], rules)
                add_outside(grammar, rule, factor, out, inner[a], inner[b], outer[a], outer[b])
    return Expected(rules, words, log, losses)


@compiled()
def count_rule(
    grammar: Split, rule: int, factor: float, outer: Floats, lefts: Floats, rights: Floats, counts: Floats
) -> None:
    """Add the expected counts of a rule at one place."""
    first, place = grammar.first, grammar.block[rule]
    parent, left, right = grammar.parent[rule], grammar.left[rule], grammar.right[rule]
    for x in range(first[parent], first[parent + 1]):
        for y in range(first[left], first[left + 1]):
            value = outer[x] * lefts[y] * factor
            if right < 0:
                counts[place] += value * grammar.probability[place]
                place += 1
            else:
                for z in range(first[right], first[right + 1]):
                    counts[place] += value * grammar.probability[place] * rights[z]
                    place += 1


def unsplit(derivations: Derivations) -> Model:
    """Return the grammar of relative frequencies, each symbol with one subsymbol."""
    forest, symbols = derivations.forest, derivations.symbols
    number = {symbol: i for i, symbol in enumerate(symbols)}
    rows = [[number[step.parent], *(number[child] for child in step.children), -1][:3] for step in derivations.steps]
    parent, left, right = np.array(rows, np.int32).reshape(-1, 3).T.copy()
    of_left = np.searchsorted(left, np.arange(len(symbols) + 1))
    grammar = Split(
        first=np.arange(len(symbols) + 1),
        parent=parent,
        left=left,
        right=right,
        block=np.arange(len(rows) + 1),
        of_left=of_left,
        binary=of_left[:-1] + np.bincount(left[right < 0], minlength=len(symbols)),
        probability=np.bincount(forest.rule[forest.rule >= 0], minlength=len(rows)).astype(float),
    )
    tag = np.array([number[TAG, tag] for tag, _ in derivations.pairs], np.int32)
    counts = np.bincount(forest.pair[forest.pair >= 0], minlength=len(tag)).astype(float)
    model = Model(grammar, tag, np.arange(len(tag) + 1), counts)
    return maximised(model, grammar.probability, counts, smooth=False)


@compiled()
def normalised(first: Ints, owners: Ints, places: Ints, counts: Floats, totals: Floats, share: float) -> Floats:
    """Return counts as probabilities given the subsymbol of their owner, with a share of the mean over subsymbols."""
    result = np.zeros_like(counts)
    for i in range(owners.shape[0]):
        low, n_subs = first[owners[i]], first[owners[i] + 1] - first[owners[i]]
        width = (places[i + 1] - places[i]) // n_subs
        for column in range(places[i], places[i] + width):
            mean = 0.0
            for x in range(n_subs):
                if totals[low + x] > 0:
                    result[column + x * width] = counts[column + x * width] / totals[low + x]
                mean += result[column + x * width] / n_subs
            for x in range(n_subs):
                result[column + x * width] += share * (mean - result[column + x * width])
    return result


@compiled()
def add_totals(first: Ints, owners: Ints, places: Ints, counts: Floats, totals: Floats) -> None:
    """Add counts to the totals (subsymbols,) of their owner's subsymbols."""
    for i in range(owners.shape[0]):
        low, n_subs = first[owners[i]], first[owners[i] + 1] - first[owners[i]]
        width = (places[i + 1] - places[i]) // n_subs
        for place in range(places[i], places[i + 1]):
            totals[low + (place - places[i]) // width] += counts[place]


def totals_of(model: Model, rules: Floats, words: Floats) -> Floats:
    """Return the expected count of each subsymbol."""
    grammar, totals = model.grammar, np.zeros(model.grammar.first[-1])
    add_totals(grammar.first, grammar.parent, grammar.block, rules, totals)
    add_totals(grammar.first, model.tag, model.pair, words, totals)
    return totals


def maximised(model: Model, rules: Floats, words: Floats, smooth: bool = True) -> Model:
    """Return the model of expected counts; the mean over subsymbols is smoothed in."""
    grammar, totals = model.grammar, totals_of(model, rules, words)
    of_rules, of_words = (SMOOTH_RULES, SMOOTH_WORDS) if smooth else (0.0, 0.0)
    probability = normalised(grammar.first, grammar.parent, grammar.block, rules, totals, of_rules)
    emission = normalised(grammar.first, model.tag, model.pair, words, totals, of_words)
    return model._replace(grammar=grammar._replace(probability=probability), emission=emission)


def regrouped(model: Model, rules: Floats, words: Floats, maps: Sequence[Floats]) -> tuple[Model, Floats, Floats]:
    """Return a model with other subsymbols, and its counts: each map (new, old) is that of a symbol's subsymbols."""
    grammar, sizes = model.grammar, np.array([len(of_symbol) for of_symbol in maps])
    of_rules, of_words = list[Floats](), list[Floats]()
    one = np.ones((1, 1))
    for rule, (parent, left, right) in enumerate(zip(grammar.parent, grammar.left, grammar.right, strict=True)):
        a, b, c = maps[parent], maps[left], maps[right] if right >= 0 else one
        block = rules[grammar.block[rule] : grammar.block[rule + 1]].reshape(a.shape[1], b.shape[1], c.shape[1])
        of_rules.append((a @ (b @ block @ c.T).reshape(a.shape[1], -1)).ravel())
    for pair, tag in enumerate(model.tag):
        of_words.append(maps[tag] @ words[model.pair[pair] : model.pair[pair + 1]])
    blocks, pairs = (np.cumsum([0, *map(len, parts)]) for parts in (of_rules, of_words))
    grammar = grammar._replace(first=np.cumsum([0, *sizes]), block=blocks)
    return model._replace(grammar=grammar, pair=pairs), np.concatenate(of_rules), np.concatenate(of_words)


def learned(model: Model, forest: Forest, iterations: int, smooth: bool = True) -> tuple[Model, Expected]:
    """Return the model after some iterations of EM, and the expected counts of the last one."""
    counts = expected(model, forest, np.ones(model.grammar.first[-1]))
    for _ in range(iterations):
        model = maximised(model, counts.rules, counts.words, smooth)
        counts = expected(model, forest, totals_of(model, counts.rules, counts.words))
    return model, counts


def split(model: Model, counts: Expected, top: int, generator: np.random.Generator) -> Model:
    """Return the model with every subsymbol in two halves, but for the top's, which differ by a little noise."""
    sizes = np.diff(model.grammar.first)
    maps = [np.eye(n) if i == top else np.repeat(np.eye(n), 2, axis=0) / 2 for i, n in enumerate(sizes.tolist())]
    model, rules, words = regrouped(model, counts.rules, counts.words, maps)
    noisy_rules, noisy_words = (part * (1 + NOISE * generator.uniform(-1, 1, part.shape)) for part in (rules, words))
    return maximised(model, noisy_rules, noisy_words, smooth=False)


def merged(model: Model, counts: Expected, top: int) -> Model:
    """Return the model without the half of the splits that lose the least likelihood when they are taken back."""
    first = model.grammar.first
    places = np.array([sub for i in range(len(first) - 1) if i != top for sub in range(first[i], first[i + 1], 2)])
    order = places[np.argsort(-counts.losses[places], kind="stable")]
    taken_back = set(order[: len(order) // 2].tolist())
    maps = []
    for begin, end in zip(first[:-1].tolist(), first[1:].tolist(), strict=True):
        # The new subsymbol of each old one: the second half goes where the first went.
        new = np.cumsum([sub - 1 not in taken_back for sub in range(begin, end)]) - 1
        maps.append((np.arange(new[-1] + 1)[:, None] == new).astype(float))
    model, rules, words = regrouped(model, counts.rules, counts.words, maps)
    return maximised(model, rules, words)


def split_merge(
    derivations: Derivations, cycles: int, seed: int, iterations: tuple[int, int]
) -> tuple[Model, Expected]:
    """Return the model of some cycles, and its expected counts; ``iterations`` of EM follow a split, and a merge."""
    top, model = derivations.symbols.index(TOP), unsplit(derivations)
    model, counts = learned(model, derivations.forest, 0)
    for cycle in range(cycles):
        generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(cycle,)))
        model, counts = learned(split(model, counts, top, generator), derivations.forest, iterations[0])
        model, counts = learned(merged(model, counts, top), derivations.forest, iterations[1])
    return model, counts
