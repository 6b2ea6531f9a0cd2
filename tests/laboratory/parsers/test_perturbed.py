"""Many draws of the weights at once, against one parser for each draw."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from nlpsig_core.laboratory.parsers import GraphParser, encode, perturbed_heads, perturbed_scores, train
from nlpsig_core.laboratory.parsers.perturbed import STEPS, _drawn
from tests.laboratory.parsers.toy import toy

DRAWS, SCALE = 3, 0.02


@pytest.fixture(scope="module")
def parser() -> GraphParser:
    trained = train("graph", encode(toy(30)), rounds=2)
    assert isinstance(trained, GraphParser)
    return trained


def generator() -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(5)))


def off_diagonal(scores: np.ndarray) -> np.ndarray:
    return scores[~np.eye(len(scores), dtype=bool) & (np.arange(len(scores)) > 0)]


def test_without_noise_the_scores_are_the_parsers(parser):
    asked = encode(toy(8, seed=1))
    for sentence, scores in zip(
        asked.sentences, perturbed_scores(parser, asked, 2, 0.0, generator()), strict=True
    ):  # fmt: skip
        for draw in scores:
            assert off_diagonal(draw) == pytest.approx(off_diagonal(parser.scores(sentence)), abs=1e-5)
    assert (perturbed_heads(parser, asked, 2, 0.0, generator()) == parser.heads(asked)).all()


def test_several_scales_share_the_draws(parser):
    asked = encode(toy(8, seed=1))
    together = perturbed_heads(parser, asked, DRAWS, [0.0, SCALE], generator())
    alone = [perturbed_heads(parser, asked, DRAWS, scale, generator()) for scale in (0.0, SCALE)]
    assert together.shape == (2, DRAWS, len(asked.heads))
    assert np.array_equal(together, alone)


def test_the_first_draws_do_not_depend_on_how_many_follow(parser):
    """Of 25 draws, made ten at a time: the first 12 are those of 12 draws."""
    asked = encode(toy(8, seed=1))
    long, short = (_drawn(parser, asked, draws, generator())[2] for draws in (25, 12))
    assert np.array_equal(long[:, :12], short[:, :12])
    assert not np.array_equal(long[:, 10:20], long[:, :10])


def test_each_draw_is_a_parser_of_its_own(parser):
    """The same noise put on the weights of three parsers gives the same scores and heads."""
    asked = encode(toy(8, seed=1))
    _, places, table = _drawn(parser, asked, DRAWS, generator())
    sentences = list(perturbed_scores(parser, asked, DRAWS, SCALE, generator()))
    heads = perturbed_heads(parser, asked, DRAWS, SCALE, generator())
    for draw in range(DRAWS):
        noise = SCALE / STEPS * table[places, draw]
        alone = replace(parser, weights=(parser.weights + noise).astype(np.float32))
        assert np.array_equal(heads[draw], alone.heads(asked))
        for sentence, scores in zip(asked.sentences, sentences, strict=True):
            assert off_diagonal(scores[draw]) == pytest.approx(off_diagonal(alone.scores(sentence)), abs=1e-4)
    assert not np.array_equal(sentences[0][0], sentences[0][1])


def test_noise_is_on_weights_that_are_not_0(parser):
    _, places, table = _drawn(parser, encode(toy(8, seed=1)), DRAWS, generator())
    assert (parser.weights[places > 0] != 0).all()
    assert (table[0] == 0).all()
    noise = table[1:, :DRAWS] / STEPS
    # The standard deviation and the mean are within 5 standard errors (of over 5,000 numbers), which fails less than
    # once in 10^6 runs. Rounding adds 1/12 of a squared step to the variance, far less.
    assert noise.size > 5_000
    assert noise.std() == pytest.approx(1, rel=0.05)
    assert noise.mean() == pytest.approx(0, abs=0.07)
