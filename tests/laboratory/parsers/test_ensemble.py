"""Votes reparsed."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.laboratory.parsers import encode, train
from nlpsig_core.laboratory.parsers.ensemble import log_odds, reparsed
from tests.laboratory.parsers.toy import parses, toy

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


def test_the_weight_of_a_member():
    """One of n heads is wrong: (n - 1 + 1) / (1 + 1) to one. With none right the vote is as good as no vote."""
    bank = encode(toy(2))
    size = int(bank.is_word.sum())
    heads = bank.heads.copy()
    heads[np.flatnonzero(bank.is_word)[0]] += 1
    assert log_odds(bank, heads) == pytest.approx(np.log(size / 2))
    assert log_odds(bank, bank.heads + 1) == 0.01


@pytest.mark.parametrize("dev", [None, encode(toy(10, seed=2))])
def test_a_grammar_without_doubt_is_learned(dev):
    """Trained on 100 sentences, all heads and relations of 100 others are right."""
    asked = toy(100, seed=1)
    assert train("ensemble", encode(toy(100)), dev, rounds=5).parse(encode(asked)) == parses(asked)
