"""Confidences of a graph parser's own edges, against all trees of short sentences."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.laboratory.confidence import PARSER, methods_of
from nlpsig_core.laboratory.confidence.parser_methods import (
    TIE_BREAKING,
    ParserPrediction,
    delta,
    k_best_shares,
    kd_fix,
    kd_fix_delta,
    marginal,
    mixed,
    votes,
)
from nlpsig_core.laboratory.parsers import encode
from nlpsig_core.laboratory.parsers.graph import train_graph
from nlpsig_core.laboratory.parsers.treebank import ParsedSentence
from tests.laboratory.parsers.test_decoding import trees
from tests.laboratory.parsers.toy import toy

ALONE = ParsedSentence(forms=("Yes",), tags=("INTJ",), heads=(0,), relations=("root",))


@pytest.fixture(scope="module", params=[False, True], ids=["crossing", "projective"])
def prediction(request) -> ParserPrediction:
    """A parser of few sentences, so that it is unsure, and its trees of eight others and of a single word."""
    parser = train_graph(encode(toy(6)), rounds=1, projective=request.param)
    short = [sentence for sentence in toy(40, seed=5) if len(sentence.forms) <= 5][:8]
    return ParserPrediction(parser=parser, treebank=encode([*short, ALONE]))


def scored_trees(prediction: ParserPrediction) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """For each sentence its predicted heads, all its trees (trees, words), and their scores, best first."""
    result = []
    for index, sentence in enumerate(prediction.treebank.sentences):
        scores = prediction.parser.scores(sentence).astype(np.float64)
        every = np.array(trees(len(sentence.forms), prediction.parser.decoder))
        totals = scores[every, np.arange(1, every.shape[1] + 1)].sum(axis=1)
        order = np.argsort(-totals, kind="stable")
        result.append((prediction.head[prediction.sentence == index], every[order], totals[order]))
    return result


def test_delta_is_the_loss_of_the_best_tree_without_the_edge(prediction):
    """Of all trees; where each tree has the edge, as in a sentence of one word, it is infinite."""
    expected = []
    for heads, every, totals in scored_trees(prediction):
        for word, head in enumerate(heads):
            without = totals[every[:, word] != head]
            expected.append(totals[0] - without.max() if len(without) else np.inf)
    np.testing.assert_allclose(delta(prediction), expected, atol=1e-4)
    assert np.isinf(expected[-1])


@pytest.mark.parametrize("k", [1, 3, 20])
def test_shares_of_the_k_best_trees_are_weighted_by_their_scores(prediction, k):
    """Trees with a score of 0 or less are left out; the word alone has only such a tree, which then counts."""
    expected = []
    for heads, every, totals in scored_trees(prediction):
        weights = np.maximum(totals[:k], 0) if totals[0] > 0 else np.eye(len(totals[:k]))[0]
        expected += ((weights[:, None] * (every[:k] == heads)).sum(axis=0) / weights.sum()).tolist()
    np.testing.assert_allclose(k_best_shares(prediction, k)[-1], expected, atol=1e-4)


@pytest.mark.parametrize("temperature", [0.05, 1.0])
def test_marginals_are_shares_of_all_trees(prediction, temperature):
    expected = []
    for heads, every, totals in scored_trees(prediction):
        odds = np.exp((totals - totals[0]) / temperature)
        expected += ((odds[:, None] * (every == heads)).sum(axis=0) / odds.sum()).tolist()
    result = marginal(prediction, temperature)
    np.testing.assert_allclose(result, expected, atol=1e-4)


def test_kd_fix_counts_trees_in_50ths_and_knows_no_noise(prediction):
    """Without noise each draw gives the predicted tree; the share of 50 trees is a multiple of 0.02."""
    assert (kd_fix(prediction, 0.0) == 1).all()
    unsure = kd_fix(prediction, 0.05)
    np.testing.assert_allclose(unsure * 50, np.rint(unsure * 50), atol=1e-9)
    assert 0 < unsure.min() < 1 == unsure.max()
    assert (prediction.shares([0.0, 0.05])[1] == unsure).all()
    assert votes(prediction, [0.05], 4).mean(axis=1)[0, 0] in (0, 0.25, 0.5, 0.75, 1)


def test_a_mixture_near_one_only_breaks_ties():
    """KD-Fix 0.9, 0.9, 0.92 and Delta 3, 1, 0: the second below the first, and both below the third."""
    shares, margins = np.array([0.9, 0.9, 0.92]), np.array([3.0, 1.0, 0.0])
    assert mixed(shares, margins, TIE_BREAKING).argsort().tolist() == [1, 0, 2]
    assert mixed(shares, margins, 0.5).argsort().tolist() == [2, 1, 0]
    assert mixed(shares, np.array([3.0, np.inf, 1.0]), 0.5).argmax() == 1


def test_delta_only_breaks_the_ties_of_kd_fix(prediction):
    """Sorted by KD-Fix, then by Delta; only the deviation of the noise is tuned."""
    mixture = methods_of(PARSER)["kd-fix+delta"]
    assert list(mixture.tune(prediction)) == ["s"]
    expected = np.lexsort((delta(prediction), kd_fix(prediction, 0.05)))
    assert kd_fix_delta(prediction, 0.05).argsort(kind="stable").tolist() == expected.tolist()


@pytest.mark.parametrize("method", methods_of(PARSER).values(), ids=methods_of(PARSER))
def test_every_method_of_a_parser_keeps_to_what_it_says(prediction, method):
    """Tuned on the trees themselves: a confidence for every word; probabilities are between 0 and 1."""
    settings = method.tune(prediction) if method.tune else {}
    confidence = method.run(prediction, **settings)
    assert confidence.shape == prediction.wrong.shape == prediction.sentence.shape
    assert not np.isnan(confidence).any()
    assert not method.probability or ((confidence >= 0) & (confidence <= 1)).all()
