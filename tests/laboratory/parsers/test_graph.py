"""The graph parser: scores by hand, MIRA's update by hand, the same bytes always, and a real treebank."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from nlpsig_core.base.errors import ChoiceError, TaskError
from nlpsig_core.laboratory.parsers import PARSERS, encode, read_trees, train
from nlpsig_core.laboratory.parsers.decoding.best_trees import Decoder
from nlpsig_core.laboratory.parsers.features import ROWS, arc_rows, most_rows, parts_of, slot_of
from nlpsig_core.laboratory.parsers.graph import LIMIT, difference, learn_heads, train_graph
from nlpsig_core.laboratory.parsers.treebank import ParsedSentence
from tests.laboratory.parsers.toy import parses, toy


def rows(parts, head: int, dependent: int) -> list[int]:
    buffer = np.empty(most_rows(parts, parts.head.shape[1]), np.uint32)
    return buffer[: arc_rows(parts, head, dependent, buffer)].tolist()


def learned(sentences, order) -> np.ndarray:
    bank, weights = encode(sentences), np.zeros(ROWS, np.float32)
    learn_heads(parts_of(bank), bank.heads, bank.first, np.asarray(order), Decoder(), weights, np.zeros_like(weights))
    return weights


def test_direction_and_distance():
    """1 to 5 words each on their own, 6 to 10, and more: 7 steps on either side."""
    assert [int(slot_of(0, d)) for d in (1, 2, 5, 6, 10, 11, 40)] == [1, 2, 5, 6, 6, 7, 7]
    assert [int(slot_of(d, 0)) for d in (1, 5, 10, 11)] == [8, 12, 13, 14]


def test_scores_are_sums_of_the_weights_of_an_arcs_features():
    """Random weights; each score against the sum over the rows that updates would change."""
    weights = np.random.default_rng(0).normal(size=ROWS).astype(np.float32)
    (sentence,) = toy(1, seed=3)
    parts = parts_of(encode([sentence]))
    parser = replace(train_graph(encode(toy(5)), rounds=1), weights=weights)
    scores = parser.scores(sentence)
    for dependent in range(1, len(scores)):
        for head in set(range(len(scores))) - {dependent}:
            assert scores[head, dependent] == pytest.approx(weights[rows(parts, head, dependent)].sum(), abs=1e-4)


def two_words() -> ParsedSentence:
    return ParsedSentence(forms=("a", "b"), tags=("A", "B"), heads=(2, 0), relations=("x", "root"))


def test_the_updates_of_two_words():
    """Gold: the root has 2, and 2 has 1. With all scores 0 but costs, every other head adds 1; the tree found first has
    1 below the root and 2 below 1: two wrong heads. If the trees differ by a vector of squared length q, the smallest
    change that makes gold better by 2 is 2/q times the vector, which is above the limit: only a second step gets there.
    The weights are the average over the steps; a third step changes nothing."""
    parts, gold = parts_of(encode([two_words()])), np.array([-1, 2, 0])
    expected = np.zeros(ROWS)
    for head, dependent in ((2, 1), (0, 2)):
        np.add.at(expected, rows(parts, head, dependent), 1)
    for head, dependent in ((0, 1), (1, 2)):
        np.add.at(expected, rows(parts, head, dependent), -1)
    buffer, values = np.empty(2000, np.uint32), np.empty(2000, np.float32)
    n = difference(parts, gold, np.array([-1, 0, 1]), np.zeros(ROWS, np.int16), buffer, values)
    assert np.array_equal(values[:n], expected[buffer[:n]])
    assert np.count_nonzero(expected) == n
    full = 2 / (expected**2).sum()
    assert full > LIMIT
    for steps in ([LIMIT], [LIMIT, full], [LIMIT, full, full]):
        weights = learned([two_words()], [0] * len(steps))
        assert np.allclose(weights, expected * np.mean(steps), atol=1e-7)


@pytest.mark.parametrize("options", [{}, {"projective": True}])
def test_a_grammar_without_doubt_is_learned(options):
    """Trained on 100 sentences, all heads and relations of 200 others are right."""
    asked = toy(200, seed=1)
    assert train("graph", encode(toy(100)), **options).parse(encode(asked)) == parses(asked)


def test_crossing_arcs_are_learned_and_dev_decides():
    """a b c d with a below c and b below d: c and d are the head of each other's neighbours, across."""
    crossing = [
        ParsedSentence(forms=(a, "b", c, "d"), tags=tuple("ABCD"), heads=(3, 4, 4, 0), relations=tuple("wxyz"))
        for a in "aeiou"
        for c in "ktp"
    ]
    bank = encode(crossing)
    parser = train_graph(bank, bank)
    assert not parser.decoder.projective
    assert parser.parse(bank) == parses(crossing)


def test_an_empty_treebank_is_refused():
    with pytest.raises(TaskError, match="at least one sentence"):
        encode([])


def test_missing_columns_are_filled_from_others():
    """A lemma that is missing is the form in lower case, a fine tag the coarse one; whole columns may be missing."""
    blank = ParsedSentence(forms=("Old", "men"), tags=("A", "N"), heads=(2, 0), relations=("mod", "root"))
    filled = blank._replace(lemmas=("old", "men"), fine_tags=("A", "N"), features=("_", "_"))
    part = blank._replace(lemmas=("_", "men"), fine_tags=("A", "_"))
    assert np.array_equal(encode([blank]).codes, encode([filled]).codes)
    assert np.array_equal(encode([part]).codes, encode([filled]).codes)


def test_an_unknown_kind_is_refused():
    like = r"No parser called 'grapf'; did you mean graph\?"
    with pytest.raises(ChoiceError, match=f"{like} Available: ensemble, graph, transition"):
        train("grapf", encode(toy(3)))


@pytest.mark.parametrize("kind", PARSERS)
def test_the_same_bytes_from_every_run(kind):
    """Two at once on two threads, and one alone."""
    bank, asked = encode(toy(40)), encode(toy(30, seed=1))
    with ThreadPoolExecutor(2) as pool:
        pair = list(pool.map(lambda _: train(kind, bank, seed=3, rounds=2), range(2)))
    for parser in (*pair, train(kind, bank, seed=3, rounds=2)):
        arrays = parser.arrays()
        assert {name: a.tobytes() for name, a in arrays.items()} == {
            name: a.tobytes() for name, a in pair[0].arrays().items()
        }
        assert parser.parse(asked) == pair[0].parse(asked)


@pytest.mark.parametrize("kind", PARSERS)
def test_the_answer_depends_on_the_words_alone(kind):
    asked = toy(20, seed=1)
    blank = [s._replace(heads=(0, *[1] * (len(s.heads) - 1)), relations=("x",) * len(s.heads)) for s in asked]
    parser = train(kind, encode(toy(30)), rounds=2)
    assert parser.parse(encode(asked)) == parser.parse(encode(blank))


def test_a_real_treebank(real_data):
    """Trained on 500 Bulgarian sentences for 3 rounds, UAS on the first 200 of the test set is above 75."""
    folder = real_data / "lab.treebanks" / "bg"
    banks = []
    for name, number in (("train", 500), ("test", 200)):
        text = (folder / f"{name}.conllu").read_text(encoding="utf-8")
        banks.append(encode(read_trees(io.StringIO(text), name)[:number]))
    parser = train("graph", banks[0], rounds=3)
    heads = parser.heads(banks[1])
    words = banks[1].is_word
    assert 100 * np.mean(heads[words] == banks[1].heads[words]) > 75
