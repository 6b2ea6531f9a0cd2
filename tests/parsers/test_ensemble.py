"""Votes reparsed."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.parsers import encode, train
from nlpsig_core.parsers.ensemble import reparsed, weights_on
from tests.parsers.test_small import parses, toy

ONE = np.array([0, 4])


def test_the_majority_of_three():
    """Heads 0 and 1 of words 1 and 2 have two votes each; of the three heads of word 3, the second vote weighs most."""
    votes = np.array([[-1, 0, 1, 2], [-1, 0, 1, 1], [-1, 2, 3, 0]])
    heads = reparsed(votes, np.array([1.0, 1.1, 1.0]), ONE, True)
    assert heads.tolist() == [-1, 0, 1, 1]


def test_a_majority_for_a_cycle_is_no_tree():
    """Two of three say 2 has 1, two say 1 has 2. Heads 0, 1, 1: 1.1 + 2.1 + 2.1 = 5.3; heads 2, 0, 1: 2 + 1 + 2.1."""
    votes = np.array([[-1, 2, 1, 0], [-1, 2, 0, 1], [-1, 0, 1, 1]])
    assert reparsed(votes, np.array([1, 1, 1.1]), ONE, True).tolist() == [-1, 0, 1, 1]


def test_a_heavy_vote_wins():
    votes = np.array([[-1, 0, 1, 2], [-1, 0, 1, 2], [-1, 2, 3, 0]])
    assert reparsed(votes, np.array([1.0, 1.0, 3.0]), ONE, True).tolist() == votes[2].tolist()


def test_weights_learn_whom_to_trust():
    """The second member is always right, the other two agree on being wrong: it has to outweigh them both."""
    bank = encode(toy(10))
    wrong = np.concatenate([[-1, 0, *range(1, size - 1)] for size in np.diff(bank.first).tolist()])
    votes = np.stack([wrong, bank.heads, wrong])
    weights = weights_on(bank, votes)
    assert np.array_equal(reparsed(votes, weights, bank.first, True), bank.heads)
    assert weights[1] > weights[0] + weights[2]


@pytest.mark.parametrize("dev", [None, encode(toy(10, seed=2))])
def test_a_grammar_without_doubt_is_learned(dev):
    """Trained on 100 sentences, all heads and relations of 100 others are right."""
    asked = toy(100, seed=1)
    assert train("ensemble", encode(toy(100)), dev, rounds=5).parse(encode(asked)) == parses(asked)
