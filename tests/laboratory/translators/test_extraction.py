"""Phrases and rules: one pair by hand, and the definitions written out on random links."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import log

import numpy as np
import pytest

from nlpsig_core.laboratory.aligners import Bitext, encode
from nlpsig_core.laboratory.translators import Links
from tests.laboratory.translators.toy import Rule, random_bitext, rules_of, trained


def extracted(kind: str, bitext: Bitext, links: Links) -> dict[Rule, np.ndarray]:
    """The features of all rules of a bitext: those that can translate its own source sentences."""
    translator = trained(kind, bitext, links)
    prepared = translator.prepare(list(bitext.source.sentences()))
    nodes, symbols, features = prepared.candidates
    own = features[:, 0] > -10  # not the copies
    return dict(zip(rules_of(translator, prepared, nodes[own], symbols[own]), features[own], strict=True))


def phrase_pairs(n_source: int, n_target: int, links, longest: int):
    """The spans of consistent phrases: a link inside, and none from inside to outside."""
    for begin, end in combinations(range(n_source + 1), 2):
        for low, high in combinations(range(n_target + 1), 2):
            if max(end - begin, high - low) <= longest:
                inside = [(begin <= i < end, low <= j < high) for i, j in links]
                if all(a == b for a, b in inside) and any(a for a, _ in inside):
                    yield begin, end, low, high


def tight(pair, links) -> bool:
    begin, end = pair[:2]
    sources, targets = zip(*((i, j) for i, j in links if begin <= i < end), strict=True)
    return (min(sources), max(sources) + 1, min(targets), max(targets) + 1) == pair


def rules_of_pair(source, target, links):
    """Chiang (2007), section 3.2: phrases are taken out of phrases."""
    phrases = [p for p in phrase_pairs(len(source), len(target), links, 10) if tight(p, links)]
    for begin, end, low, high in phrases:
        inner = [p for p in phrases if begin <= p[0] and p[1] <= end and low <= p[2] and p[3] <= high]
        for gaps in ((), *((p,) for p in inner), *combinations(sorted(inner), 2)):
            if len(gaps) == 2 and (
                gaps[0][1] >= gaps[1][0] or not (gaps[0][3] <= gaps[1][2] or gaps[1][3] <= gaps[0][2])
            ):
                continue
            left = [i for i in range(begin, end) if not any(a <= i < b for a, b, _, _ in gaps)]
            if len(left) + len(gaps) > 5 or not any(i in left for i, _ in links):
                continue
            sides: list[list] = [[], []]
            for side, (words, first, last) in enumerate(((source, begin, end), (target, low, high))):
                at = first
                while at < last:
                    gap = next((g for g, p in enumerate(gaps) if p[2 * side] == at), None)
                    sides[side].append(words[at] if gap is None else None if side == 0 else gap)
                    at = at + 1 if gap is None else gaps[gap][2 * side + 1]
            yield tuple(sides[0]), tuple(sides[1])


def phrases_of_pair(source, target, links):
    for begin, end, low, high in phrase_pairs(len(source), len(target), links, 5):
        yield tuple(source[begin:end]), tuple(target[low:high])


def test_one_pair_by_hand():
    """ "nicht mehr da" and "there no longer": da is there, nicht is no, mehr is longer."""
    bitext = encode([["nicht", "mehr", "da"]], [["there", "no", "longer"]])
    links = [[(0, 1), (1, 2), (2, 0)]]
    assert set(extracted("phrase-based", bitext, links)) == {
        (("nicht",), ("no",)),
        (("mehr",), ("longer",)),
        (("da",), ("there",)),
        (("nicht", "mehr"), ("no", "longer")),
        (("nicht", "mehr", "da"), ("there", "no", "longer")),
    }
    assert set(extracted("hierarchical", bitext, links)) - set(extracted("phrase-based", bitext, links)) == {
        (("nicht", None), ("no", 0)),
        ((None, "mehr"), (0, "longer")),
        (("nicht", "mehr", None), (0, "no", "longer")),
        (("nicht", None, "da"), ("there", "no", 0)),
        ((None, "mehr", "da"), ("there", 0, "longer")),
        ((None, "mehr", None), (1, 0, "longer")),
        ((None, "da"), ("there", 0)),
    }


def test_features_by_hand():
    """ "haus" is "house" twice and "home" once, "heim" is "home" once; the article of one pair is not linked.

    P(house | haus) = 2/3, P(haus | home) = 1/2. "the" is not linked in one pair: P(the | nothing) = 1, so "haus"
    with "the house" has the lexical weights 2/3 * 1 and 1.
    """
    bitext = encode([["haus"], ["haus"], ["haus"], ["heim"]], [["house"], ["the", "house"], ["home"], ["home"]])
    found = extracted("phrase-based", bitext, [[(0, 0)], [(0, 1)], [(0, 0)], [(0, 0)]])
    np.testing.assert_allclose(found[("haus",), ("house",)], np.log([2 / 4, 1, 2 / 3, 1]))
    np.testing.assert_allclose(found[("haus",), ("the", "house")], np.log([1 / 4, 1, 2 / 3, 1]))
    np.testing.assert_allclose(found[("haus",), ("home",)], np.log([1 / 4, 1 / 2, 1 / 3, 1 / 2]))


@pytest.mark.parametrize(("kind", "definition"), [("phrase-based", phrases_of_pair), ("hierarchical", rules_of_pair)])
@pytest.mark.parametrize("seed", range(8))
def test_the_definition_written_out(kind, definition, seed):
    """Rules and relative frequencies in both directions, on pairs that repeat."""
    bitext, links = random_bitext(seed, n_words=3)
    chosen = [0, 0, *range(len(bitext))]
    bitext, links = bitext.take(chosen), [links[i] for i in chosen]
    counts = Counter[Rule]()
    for source, target, own in zip(bitext.source.sentences(), bitext.target.sentences(), links, strict=True):
        counts.update(definition(source, target, own))
    found = extracted(kind, bitext, links)
    assert set(found) == set(counts)
    sources, targets = Counter[tuple](), Counter[tuple]()
    for (source, target), count in counts.items():
        sources[source] += count
        targets[target] += count
    for (source, target), count in counts.items():
        expected = log(count / sources[source]), log(count / targets[target])
        assert found[source, target][:2] == pytest.approx(expected)


def test_only_what_the_sentences_can_use():
    """Fewer source patterns, but the same features: totals are those of the whole bitext."""
    bitext, links = random_bitext(3, n_words=3)
    everything = extracted("hierarchical", bitext, links)
    translator = trained("hierarchical", bitext, links)
    prepared = translator.prepare([["s0", "s1", "s2"]])
    nodes, symbols, features = prepared.candidates
    some = dict(zip(rules_of(translator, prepared, nodes, symbols), features, strict=True))
    assert 3 < len(some) < len(everything)
    assert {source for source, _ in some} <= {
        ("s0",), ("s1",), ("s2",), ("s0", "s1"), ("s1", "s2"), ("s0", "s1", "s2"),
        (None, "s1"), (None, "s2"), (None, "s1", "s2"), ("s0", None), ("s1", None), ("s0", "s1", None),
        ("s0", None, "s2"), (None, "s1", None),
    }  # fmt: skip
    for rule, own in some.items():
        if own[0] > -10:
            np.testing.assert_array_equal(own, everything[rule])
