"""Trees of a parser with noise in its weights, voting on edges."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.laboratory.confidence.parser_methods import DRAWS, ParserPrediction
from nlpsig_core.laboratory.confidence.votes import EDGE_COLUMNS, Votes, predicted, sentences_with_errors, vote
from nlpsig_core.laboratory.parsers.perturbed import perturbed_heads
from nlpsig_core.laboratory.synthesis.language.documents import make_treebank
from nlpsig_core.laboratory.synthesis.language.treebank import trees
from nlpsig_core.output.film import votes as scene
from nlpsig_core.significance.resampling.streams import Purpose, generator
from ui.laboratory.confidence.votes import TEST_SENTENCES, TRAINING_SENTENCES


@cache
def prediction(seed: int = 0) -> ParserPrediction:
    """A parser of 40 sentences of the invented language, and its trees of 40 others."""
    made = trees(make_treebank(0, 0, 80))
    return predicted(made[:40], made[40:], seed)


@cache
def votes(deviation: float, seed: int = 0) -> Votes:
    return vote(prediction(seed), deviation)


def all_edges(of: Votes) -> pd.DataFrame:
    """The edges of all sentences, with their sentence."""
    n = of.prediction.treebank.n_sentences
    return pd.concat([of.edges(i).assign(sentence=i) for i in range(n)], ignore_index=True)


@pytest.mark.parametrize("deviation", [0, 1, 4, 16])
def test_every_tree_votes_for_one_head_of_each_word(deviation):
    edges = all_edges(votes(deviation))
    assert list(edges) == [*EDGE_COLUMNS, "sentence"]
    words = edges.groupby(["sentence", "word"])
    assert len(words) == len(prediction().wrong)
    assert (words["votes"].sum() == DRAWS).all()
    assert (words["predicted"].sum() == 1).all()
    assert (words["right"].sum() <= 1).all()
    assert not edges.duplicated(["sentence", "word", "head"]).any()


def test_without_noise_all_votes_are_for_the_parsers_own_trees():
    """All edges are tied, so their average precision is that of a random order."""
    still = votes(0)
    assert all_edges(still)["predicted"].all()
    assert (still.shares == 1).all()
    assert still.average_precision == still.average_precision_by_chance


def test_edges_without_votes_are_those_of_the_parser():
    """All trees are the gold: the parser's edges have 50 votes where they are right, else none."""
    of = prediction()
    by_gold = Votes(prediction=of, heads=np.tile(of.treebank.heads, (DRAWS, 1)))
    edges = all_edges(by_gold)
    assert (edges["votes"] == np.where(edges["right"], DRAWS, 0)).all()
    assert edges.loc[edges["votes"] == 0, "predicted"].all()
    assert (edges["votes"] == 0).sum() == of.wrong.sum() > 0
    assert by_gold.average_precision == 1


def test_votes_are_those_of_the_trees_with_noise():
    """Of deviation 2: noise of twice the root mean square of the weights that are not 0, counted edge by edge."""
    of, weights = prediction(), prediction().parser.weights.astype(np.float64)
    scale = 2 * np.sqrt(np.mean(weights[weights != 0] ** 2))
    (heads,) = perturbed_heads(of.parser, of.treebank, DRAWS, [scale], generator(0, Purpose.PERTURBED_WEIGHTS))
    for edge in all_edges(votes(2)).itertuples():
        node = of.treebank.first[edge.sentence] + edge.word
        assert edge.votes == np.count_nonzero(heads[:, node] == edge.head)
        assert edge.predicted == (of.heads[node] == edge.head)
        assert edge.right == (of.treebank.heads[node] == edge.head)
    own = all_edges(votes(2)).query("predicted")
    np.testing.assert_array_equal(votes(2).shares, own["votes"] / DRAWS)


def test_more_noise_means_less_agreement_and_votes_find_errors():
    agreement = [votes(deviation).shares.mean() for deviation in (0, 1, 4, 16)]
    assert agreement == sorted(agreement, reverse=True)
    assert agreement[-1] < 0.8
    assert votes(4).average_precision > 1.5 * votes(4).average_precision_by_chance


def test_the_same_seed_gives_the_same_votes_and_another_one_others():
    made = trees(make_treebank(0, 0, 80))
    again = vote(predicted(made[:40], made[40:]), 4)
    np.testing.assert_array_equal(again.heads, votes(4).heads)
    assert (votes(4, seed=1).heads != votes(4).heads).any()
    np.testing.assert_array_equal(prediction(1).heads, prediction().heads)


def test_the_first_short_sentences_with_errors():
    of = prediction()
    found = sentences_with_errors(of, 4, 9, 5)
    assert found == sorted(found)
    for index, sentence in enumerate(of.treebank.sentences[: found[-1] + 1]):
        wrong = of.wrong[of.sentence == index].any()
        assert (index in found) == (4 <= len(sentence.forms) <= 9 and wrong)
    assert sentences_with_errors(of, 4, 9, 1) == found[:1]


@pytest.mark.slow
def test_the_scene_of_the_film_shows_votes_of_the_small_parser():
    """Its numbers are those of the parser of the Confidence page, counted again."""
    of = predicted(*small_treebank())
    for noise, words in scene.VOTES.items():
        edges = vote(of, noise).edges(scene.SENTENCE)
        counted = edges[edges["votes"] > 0].groupby("word")
        assert [dict(zip(word["head"], word["votes"], strict=True)) for _, word in counted] == list(words)
    own = edges[edges["predicted"]]["head"].tolist()
    assert (tuple(own), scene.WORDS) == (scene.OWN, of.treebank.sentences[scene.SENTENCE].forms)
    begin, end = of.treebank.first[scene.SENTENCE : scene.SENTENCE + 2]
    assert tuple(of.treebank.heads[begin + 1 : end]) == scene.GOLD


def small_treebank():
    """The sentences that the small parser of the app learns from, and those that it parses."""
    made = trees(make_treebank(0, 0, TRAINING_SENTENCES + TEST_SENTENCES))
    return made[:TRAINING_SENTENCES], made[TRAINING_SENTENCES:]
