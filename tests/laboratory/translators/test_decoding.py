"""The decoders against all translations that the rules allow, and what pruning does."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

from nlpsig_core.laboratory.translators import Translator
from nlpsig_core.laboratory.translators.rules import LANGUAGE, N_FEATURES, ORDER
from tests.laboratory.translators.toy import Rule, log_of, random_bitext, scored_rules, trained

WIDE = {"phrase-based": {"beam": 4000, "options": 50}, "hierarchical": {"beam": 2000, "pops": 20_000, "options": 50}}
SENTENCES = [["s0"], ["s1", "s0"], ["s2", "s1", "s0", "s1"], ["s0", "s2", "new", "s1"], ["s1", "s1", "s2", "s0", "s0"]]


def phrase_translations(words, rules: dict[Rule, float], limit: int) -> Iterator[tuple[tuple, float, int]]:
    """All target sentences, scores of their phrases and sums of jumps, phrase by phrase in any order in the limit."""
    by_source = defaultdict(list)
    for (source, target), score in rules.items():
        by_source[source].append((target, score))

    def extended(done: frozenset, end: int, target: tuple, score: float, jumps: int):
        if len(done) == len(words):
            yield target, score, jumps
            return
        front = min(set(range(len(words))) - done)
        for begin, after in combinations(range(len(words) + 1), 2):
            own = frozenset(range(begin, after))
            if done & own or abs(begin - end) > limit or (begin > front and after - front > limit):
                continue
            for more, value in by_source[tuple(words[begin:after])]:
                yield from extended(done | own, after, target + more, score + value, jumps + abs(begin - end))

    yield from extended(frozenset(), 0, (), 0.0, 0)


def matched(source, words, begin, end) -> Iterator[list[tuple[int, int]]]:
    """The spans of the gaps, for each way in which a pattern is the words from begin to end."""
    if not source:
        if begin == end:
            yield []
    elif source[0] is not None:
        if begin < end and words[begin] == source[0]:
            yield from matched(source[1:], words, begin + 1, end)
    else:
        for after in range(begin + 1, end + 1):
            yield from ([(begin, after), *rest] for rest in matched(source[1:], words, after, end))


def derivations(words, rules: dict[Rule, float], glue: float) -> Iterator[tuple[tuple, float]]:
    """All target sentences of all derivations and the scores of their rules."""
    spans: dict[tuple[int, int], set] = {}
    for begin, end in sorted(combinations(range(len(words) + 1), 2), key=lambda span: span[1] - span[0]):
        found = set()
        for (source, target), score in rules.items():
            for gaps in matched(source, words, begin, end):
                choices = [((), score)]
                for symbol in target:
                    parts = spans[gaps[symbol]] if isinstance(symbol, int) else {((symbol,), 0.0)}
                    choices = [(text + part, total + value) for text, total in choices for part, value in parts]
                found.update(choices)
        # What is equal in text is best in one of its ways.
        best: dict[tuple, float] = {}
        for text, score in found:
            best[text] = max(score, best.get(text, -np.inf))
        spans[begin, end] = set(best.items())
    prefixes = {0: {((), 0.0)}}
    for end in range(1, len(words) + 1):
        prefixes[end] = {
            (text + more, score + value + glue)
            for begin in range(end)
            for text, score in prefixes[begin]
            for more, value in spans[begin, end]
        }
    yield from prefixes[len(words)]


def best_of_all(translator: Translator, kind: str, words) -> tuple[float, tuple]:
    prepared = translator.prepare([words])
    rules, weights = scored_rules(translator, prepared), translator.weights
    if kind == "phrase-based":
        found = phrase_translations(words, rules, translator.distortion)
        scored = {(text, score - weights[ORDER] * jumps) for text, score, jumps in found}
    else:
        scored = set(derivations(words, rules, -weights[ORDER]))
    return max((score + weights[LANGUAGE] * log_of(translator, prepared, text), text) for text, score in scored)


def found(translator: Translator, words) -> tuple[float, tuple]:
    (translation,) = translator.search(translator.prepare([words]), translator.weights)
    return float(translation.features @ translator.weights), tuple(translation.words)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", WIDE)
def test_the_best_of_all_translations_is_found(kind, seed):
    """Without pruning; features and weights give its score again."""
    bitext, links = random_bitext(seed, n_pairs=6, longest=5, n_words=3)
    translator = trained(kind, bitext, links, **WIDE[kind])
    for words in SENTENCES:
        expected, got = best_of_all(translator, kind, words), found(translator, words)
        assert got[0] == pytest.approx(expected[0], abs=1e-9), words
        assert got[1] == expected[1], words


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_no_jump_is_longer_than_the_limit(limit):
    bitext, links = random_bitext(5, n_pairs=6, longest=5, n_words=3)
    translator = trained("phrase-based", bitext, links, distortion=limit, **WIDE["phrase-based"])
    for words in SENTENCES:
        assert found(translator, words)[0] == pytest.approx(best_of_all(translator, "phrase-based", words)[0], abs=1e-9)


def test_without_jumps_the_order_costs_nothing():
    bitext, links = random_bitext(5)
    translator = trained("phrase-based", bitext, links, distortion=0)
    (translation,) = translator.search(translator.prepare([SENTENCES[-1]]), translator.weights)
    assert translation.features[ORDER] == 0


@pytest.mark.parametrize("kind", WIDE)
def test_pruning_loses_score_only(kind):
    """A narrow search is never better than a wide one, and somewhere worse."""
    lost = []
    narrow = {"beam": 1} | ({"pops": 1} if kind == "hierarchical" else {})
    for seed in range(12):
        bitext, links = random_bitext(seed, n_words=4)
        wide, tight = (trained(kind, bitext, links, **o) for o in ({"options": 50}, {"options": 50, **narrow}))
        words = [f"s{i}" for i in np.random.default_rng(seed).integers(0, 4, 9)]
        lost.append(found(wide, words)[0] - found(tight, words)[0])
    assert min(lost) > -1e-9
    assert max(lost) > 0.01


@pytest.mark.parametrize("kind", WIDE)
def test_a_long_sentence_with_unknown_words(kind):
    """More words than a span of rules or the bits of a number; what is unknown is copied."""
    bitext, links = random_bitext(1)
    translator = trained(kind, bitext, links)
    words = ["s1", "s2", "new", "s0"] * 30
    (translation,) = translator.search(translator.prepare([words]), translator.weights)
    assert translation.words.count("new") == 30
    assert translation.features.shape == (N_FEATURES,)
