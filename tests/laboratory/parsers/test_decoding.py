"""Best trees, k best trees and probabilities of arcs, against the enumeration of all trees of up to 5 words."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpsig_core.laboratory.parsers.decoding.best_trees import (
    Decoder,
    fill_constrained_tree,
    fill_tree,
    k_best_trees,
)
from nlpsig_core.laboratory.parsers.decoding.marginals import fill_marginals
from tests.laboratory.parsers.test_treebank import all_trees, crosses

# The root would take both words at 9 and 8; 1 and 2 like each other best (10 each way).
CYCLE = np.array([[0, 9, 8], [0, 0, 10], [0, 10, 0]])
DECODERS = st.builds(Decoder, st.booleans(), st.booleans())
SETTINGS = {"size": st.integers(1, 5), "decoder": DECODERS, "seed": st.integers(0, 2**32 - 1)}


@cache
def trees(size: int, decoder: Decoder) -> tuple[tuple[int, ...], ...]:
    every = all_trees(size, one_root=decoder.single)
    return tuple(tree for tree in every if not (decoder.projective and crosses(tree)))


def drawn(size: int, seed: int) -> np.ndarray:
    """Whole numbers, so that sums are exact and ties are common."""
    return np.random.default_rng(seed).integers(-9, 10, (size + 1, size + 1)).astype(float)


def total(scores: np.ndarray, heads) -> float:
    return sum(scores[head, number] for number, head in enumerate(heads, start=1))


def best_tree(scores: np.ndarray, decoder: Decoder = Decoder()) -> np.ndarray:
    heads = np.empty(len(scores), np.int64)
    # The type that the parser has.
    fill_tree(scores.astype(np.float32), decoder, heads)
    return heads


def marginals(scores: np.ndarray, decoder: Decoder = Decoder(), temperature: float = 1.0) -> np.ndarray:
    result = np.zeros(scores.shape)
    fill_marginals(scores.astype(np.float64), decoder, float(temperature), result)
    return result


def test_a_cycle_is_broken_where_it_costs_least():
    """1 and 2 in a cycle get 20, but no root. Root 1 then 2: 9 + 10 = 19. Root 2 then 1: 8 + 10 = 18. Two roots: 17."""
    assert best_tree(CYCLE).tolist() == [-1, 0, 1]
    best, scores = k_best_trees(CYCLE, 5, Decoder(single=False))
    assert best.tolist() == [[-1, 0, 1], [-1, 2, 0], [-1, 0, 0]]
    assert scores.tolist() == [19, 18, 17]


def test_probabilities_of_two_words():
    """Odds of 1 for all arcs: three trees of several roots, of which 1 is below the root in two; two of one root.

    No arcs of two words cross.
    """
    equal = np.zeros((3, 3))
    for projective in (False, True):
        assert marginals(equal, Decoder(False, projective))[:, 1] == pytest.approx([2 / 3, 0, 1 / 3])
        assert marginals(equal, Decoder(True, projective))[:, 1] == pytest.approx([1 / 2, 0, 1 / 2])


def test_arcs_that_cross_cost_a_tree_its_probability():
    """The root has 2, 2 has 3, and 1 likes 3, across 2's arc from the root: 5 with that arc, 4 at best without."""
    scores = np.full((4, 4), -99.0)
    scores[0, 2], scores[2, 3], scores[3, 1], scores[2, 1] = 2, 2, 1, 0
    assert best_tree(scores).tolist() == [-1, 3, 0, 2]
    assert best_tree(scores, Decoder(projective=True)).tolist() == [-1, 2, 0, 2]
    assert marginals(scores)[3, 1] == pytest.approx(np.e / (1 + np.e))
    assert marginals(scores, Decoder(projective=True))[3, 1] == pytest.approx(0)


def test_a_temperature_divides_the_scores():
    """Root 1 against root 2 is 19 to 18: odds of e at temperature 1, of the root of e at 2."""
    assert marginals(CYCLE)[0, 1] == pytest.approx(np.e / (1 + np.e))
    assert marginals(CYCLE, temperature=2)[0, 1] == pytest.approx(1 / (1 + np.exp(-0.5)))


@settings(max_examples=150)
@given(**SETTINGS)
def test_the_best_tree_is_the_best_of_all(size, decoder, seed):
    scores = drawn(size, seed)
    best = max(total(scores, tree) for tree in trees(size, decoder))
    heads = best_tree(scores, decoder)
    assert tuple(heads[1:]) in trees(size, decoder)
    assert (heads[0], total(scores, heads[1:])) == (-1, best)


@settings(max_examples=150)
@given(**SETTINGS)
def test_trees_of_allowed_arcs(size, decoder, seed):
    """Up to two words have one allowed head, and up to four arcs are banned; the answer is no if no tree is left."""
    scores, rng = drawn(size, seed), np.random.default_rng([seed, 1])
    allowed, heads = np.ones(scores.shape, dtype=bool), np.empty(size + 1, np.int64)
    for word in rng.permutation(np.arange(1, size + 1))[: rng.integers(0, 3)]:
        allowed[np.arange(size + 1) != rng.choice([h for h in range(size + 1) if h != word]), word] = False
    for _ in range(rng.integers(0, 5)):
        allowed[rng.integers(0, size + 1), rng.integers(1, size + 1)] = False
    left = [tree for tree in trees(size, decoder) if allowed[list(tree), np.arange(1, size + 1)].all()]
    assert fill_constrained_tree(scores, decoder, allowed, heads) == bool(left)
    if left:
        assert tuple(heads[1:]) in left
        assert total(scores, heads[1:]) == max(total(scores, tree) for tree in left)


@settings(max_examples=60)
@given(k=st.integers(1, 40), **SETTINGS)
def test_the_k_best_trees_are_the_best_of_all(k, size, decoder, seed):
    scores = drawn(size, seed)
    best, sums = k_best_trees(scores, k, decoder)
    every = sorted((total(scores, tree) for tree in trees(size, decoder)), reverse=True)
    assert sums.tolist() == every[:k]
    assert len({tuple(heads) for heads in best.tolist()}) == len(best) == min(k, len(every))
    assert {tuple(heads[1:]) for heads in best.tolist()} <= set(trees(size, decoder))


# Scores differ by 18 at most, which is 24 of the lowest temperature: none is so low that it is raised.
@settings(max_examples=100)
@given(temperature=st.sampled_from([0.75, 1.0, 3.0]), **SETTINGS)
def test_probabilities_are_shares_of_all_trees(temperature, size, decoder, seed):
    scores = drawn(size, seed)
    sums = np.array([total(scores, tree) for tree in trees(size, decoder)]) / temperature
    odds, expected = np.exp(sums - sums.max()), np.zeros_like(scores)
    for tree, share in zip(trees(size, decoder), odds / odds.sum(), strict=True):
        expected[list(tree), np.arange(1, size + 1)] += share
    result = marginals(scores, decoder, temperature)
    assert result == pytest.approx(expected, abs=1e-6)
    assert result[:, 1:].sum(axis=0) == pytest.approx(np.ones(size), abs=1e-6)
