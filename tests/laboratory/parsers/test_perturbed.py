"""Many draws of the weights at once, against one parser for each draw."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from nlpsig_core.laboratory.parsers import encode
from nlpsig_core.laboratory.parsers.features import parts_of
from nlpsig_core.laboratory.parsers.graph import GraphParser, train_graph
from nlpsig_core.laboratory.parsers.perturbed import STEPS, drawn_noise, perturbed_heads
from tests.laboratory.parsers.toy import toy

DRAWS, SCALE = 3, 0.1


@pytest.fixture(scope="module")
def parser() -> GraphParser:
    return train_graph(encode(toy(30)), rounds=2)


def generator() -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(5)))


def table(parser, treebank, draws: int):
    return drawn_noise(parser, parts_of(treebank), treebank.first, draws, generator())


def test_several_scales_share_the_draws(parser):
    """Without noise the heads are the parser's own."""
    asked = encode(toy(8, seed=1))
    together = perturbed_heads(parser, asked, DRAWS, [0.0, SCALE], generator())
    assert np.array_equal(together[1:], perturbed_heads(parser, asked, DRAWS, [SCALE], generator()))
    assert np.array_equal(together[0], [parser.heads(asked)] * DRAWS)


def test_the_first_draws_do_not_depend_on_how_many_follow(parser):
    """Of 25 draws, made ten at a time: the first 12 are those of 12 draws."""
    long, short = (table(parser, encode(toy(8, seed=1)), draws).table for draws in (25, 12))
    assert np.array_equal(long[:, :12], short[:, :12])
    assert not np.array_equal(long[:, 10:20], long[:, :10])


def test_each_draw_is_a_parser_of_its_own(parser):
    """The same noise put on the weights of three parsers gives the same heads, which differ."""
    asked = encode(toy(8, seed=1))
    noise = table(parser, asked, DRAWS)
    (heads,) = perturbed_heads(parser, asked, DRAWS, [SCALE], generator())
    for draw in range(DRAWS):
        weights = parser.weights + SCALE / STEPS * noise.table[noise.places, draw]
        assert np.array_equal(heads[draw], replace(parser, weights=weights.astype(np.float32)).heads(asked))
    assert len(np.unique(heads, axis=0)) > 1


def test_noise_is_on_weights_that_are_not_0(parser):
    places, noisy = table(parser, encode(toy(8, seed=1)), DRAWS)
    assert (parser.weights[places > 0] != 0).all()
    assert (noisy[0] == 0).all()
    noise = noisy[1:, :DRAWS] / STEPS
    # The standard deviation and the mean are within 5 standard errors (of over 5,000 numbers), which fails less than
    # once in 10^6 runs. Rounding adds 1/12 of a squared step to the variance, far less.
    assert noise.size > 5_000
    assert noise.std() == pytest.approx(1, rel=0.05)
    assert noise.mean() == pytest.approx(0, abs=0.07)
