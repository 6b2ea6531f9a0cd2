"""Estimators: gradients by differences, optima by their conditions, and a plain loop beside each fast version."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.laboratory.reranking.candidates import Part, whole
from nlpsig_core.laboratory.reranking.estimators import ESTIMATORS, estimator_named
from nlpsig_core.laboratory.reranking.estimators.conditional import (
    expected_loss,
    minimise_with_sizes,
    probabilities,
    surprise,
    with_squares,
)
from nlpsig_core.laboratory.reranking.estimators.perceptron import PASSES, beginning, variances
from tests.laboratory.reranking.worlds import lists, world

RNG = np.random.default_rng(0)
SETTINGS = {"l2": 0.03, "l1": 0.03, "expected": 0.03, "perceptron": 1.0}


def fit(name, candidates, c):
    """The weights of all features for one setting."""
    return ESTIMATORS[name].path(whole(candidates), np.arange(candidates.n_features), [c], None)[0]


def slope_by_differences(objective, weights, step=1e-6):
    steps = step * np.eye(len(weights))
    return np.array([(objective(weights + one)[0] - objective(weights - one)[0]) / (2 * step) for one in steps])


@pytest.mark.parametrize(
    "objective",
    [surprise, expected_loss, lambda candidates: with_squares(surprise(candidates), np.linspace(0, 2, 6))],
    ids=["surprise", "expected", "squares"],
)
def test_gradients_are_those_of_differences(objective):
    candidates = world(9, seed=5)
    weights = RNG.normal(size=candidates.n_features) / 3
    loss = objective(candidates)
    assert loss(weights)[1] == pytest.approx(slope_by_differences(loss, weights), rel=1e-4, abs=1e-4)


def surprise_by_loop(candidates, weights):
    value, gradient = 0.0, np.zeros(len(weights))
    rows = candidates.matrix.toarray()
    for start, end in pairwise(candidates.first.tolist()):
        shares = [np.exp(rows[i] @ weights) for i in range(start, end)]
        near = [share if candidates.closest[start + i] else 0.0 for i, share in enumerate(shares)]
        value -= np.log(sum(near) / sum(shares))
        for i, (share, close) in enumerate(zip(shares, near, strict=True)):
            gradient += rows[start + i] * (share / sum(shares) - close / sum(near))
    return value / candidates.n_sentences, gradient / candidates.n_sentences


def test_the_surprise_is_that_of_a_loop():
    """Two candidates of one sentence with scores 0 and log 3, the second the closest: -log 3/4."""
    pencil = lists([((0, 1, 1), [0.0]), ((1, 1, 1), [1.0])])
    assert surprise(pencil)(np.array([np.log(3)]))[0] == pytest.approx(-np.log(0.75))
    candidates = world(20, seed=6)
    weights = RNG.normal(size=candidates.n_features) / 3
    value, gradient = surprise(candidates)(weights)
    expected = surprise_by_loop(candidates, weights)
    assert value == pytest.approx(expected[0], rel=1e-12)
    assert gradient == pytest.approx(expected[1], rel=1e-9)


def test_hopeless_closest_parses_give_numbers():
    """A closest parse 2,000 nats behind has probability 0 in floats, but its surprise is 2,000."""
    candidates = lists([((0, 1, 1), [2000.0]), ((1, 1, 1), [0.0])])
    value, gradient = surprise(candidates)(np.array([1.0]))
    assert (value, gradient.tolist()) == (2000.0, [2000.0])


def test_l1_meets_the_conditions_of_its_optimum():
    """At a weight of 0 the gradient is at most c; elsewhere it is c against the weight's sign."""
    candidates, c = world(40, features=20, seed=8), np.linspace(1.0, 3.0, 20) / 40
    weights = minimise_with_sizes(surprise(candidates), c, np.zeros(20), 1e-7)
    gradient = surprise(candidates)(weights)[1]
    zero = weights == 0
    assert 3 < zero.sum() < 17
    assert (np.abs(gradient[zero]) <= c[zero] + 1e-5).all()
    assert gradient[~zero] == pytest.approx(-c[~zero] * np.sign(weights[~zero]), abs=1e-4)


@pytest.mark.parametrize(("c", "owl_qn"), [(0.05, 0.566939223), (0.02, 0.333111260), (0.01, 0.211255782)])
def test_l1_is_as_low_as_an_algorithm_made_for_it(c, owl_qn):
    """The objectives that OWL-QN (Andrew and Gao 2007) reached from weights of 0 at the usual precision."""
    candidates = world(40, features=20, seed=8)
    weights = fit("l1", candidates, c)
    assert surprise(candidates)(weights)[0] + c * np.abs(weights).sum() <= owl_qn


def test_the_expected_score_is_that_of_all_choices():
    """Expected totals over all ways to choose a candidate of each sentence, each with its probability."""
    candidates = world(4, seed=9)
    weights = RNG.normal(size=candidates.n_features) / 3
    shares = probabilities(candidates, candidates.matrix @ weights)
    totals, summed = np.zeros(3), 0.0
    for choice in product(*(range(start, end) for start, end in pairwise(candidates.first.tolist()))):
        share = shares[list(choice)].prod()
        totals += share * candidates.statistics[list(choice)].sum(axis=0)
        summed += share
    assert summed == pytest.approx(1)
    value, _ = expected_loss(candidates)(weights)
    assert value == pytest.approx(-200 * totals[0] / (totals[1] + totals[2]), rel=1e-12)


def perceptron_by_loop(candidates, passes=PASSES):
    weights = np.zeros(candidates.n_features)
    after_each, rows = [], candidates.matrix.toarray()
    for _ in range(passes):
        for start, end in pairwise(candidates.first.tolist()):
            scores = [rows[i] @ weights for i in range(start, end)]
            best = start + int(np.argmax(scores))
            if not candidates.closest[best]:
                near = [i for i in range(start, end) if candidates.closest[i]]
                nearest = max(near, key=lambda i: (scores[i - start], -i))
                weights = weights + rows[nearest] - rows[best]
            after_each.append(weights)
    return np.mean(after_each, axis=0)


def test_the_perceptron_is_that_of_a_loop():
    """Features of whole numbers, so that sums are exact and no tie is broken by rounding."""
    candidates = world(20, seed=10)
    counts = candidates.with_columns(np.arange(1, candidates.n_features))
    assert fit("perceptron", counts, 3.0) == pytest.approx(perceptron_by_loop(counts), rel=1e-12)


@pytest.mark.parametrize("columns", [[0, 1, 2], [0, 3, 4, 9], range(1, 120), range(0, 120, 2), [5]])
@pytest.mark.parametrize("settings", [[0.5], [0.64, 0.32, 0.16, 0.08], [0.1, 0.2, 0.3, 0.4, 0.5]])
def test_the_perceptron_in_some_columns_is_that_of_a_copy_of_them_to_the_last_bit(columns, settings):
    """Few runs of columns, more than are told apart, and none with the log probability; of 15 of 20 sentences."""
    candidates, chosen = world(20, features=120, seed=12), np.array(columns)
    part = Part(candidates, np.random.default_rng(3).permutation(20)[:15])
    path = ESTIMATORS["perceptron"].path
    copied = path(whole(part.copy.with_columns(chosen)), np.arange(len(chosen)), settings, None)
    assert np.array_equal(path(part, chosen, settings, None), copied)


def test_the_perceptron_begins_with_the_log_probability():
    """Values -1, -2.5 and -3, -6 lie 0.75 and 1.5 from their means: 0.75^2 / 2 + 1.5^2 / 2 = 45/32.

    The closest parses lead by 0.75 and 1.5, 1.125 on average.
    """
    candidates = lists(
        [((2, 2, 2), [-1.0, 0]), ((1, 2, 2), [-2.5, 1])], [((2, 2, 2), [-3.0, 1]), ((1, 2, 2), [-6.0, 0])]
    )
    assert variances(candidates).tolist() == [45 / 32, 0.25]
    (first, of_counts), sizes = beginning(whole(candidates))
    assert (of_counts, sizes.tolist()) == (0.0, [32 / 45, 1.0])
    assert first == pytest.approx(2 * 1.125 * 32 / 45)


def test_the_unit_of_the_log_probability_changes_no_choice():
    """Multiplying it by 100 divides its weight by 100; counts are left as they are."""
    candidates = world(40, seed=11)
    larger = replace(candidates, matrix=csr_matrix(candidates.matrix @ np.diag([100.0, 1, 1, 1, 1, 1])))
    expected = fit("perceptron", candidates, 2.0)
    assert fit("perceptron", larger, 2.0) * [100, 1, 1, 1, 1, 1] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_estimator_finds_the_best_parses_of_a_world_without_noise(name):
    """A feature that is 1 for the best parses alone, and two of noise: the choice is the oracle's."""
    noisy = world(25, features=3, seed=12)
    dense = noisy.matrix.toarray()
    dense[:, 0] = noisy.closest
    candidates = replace(noisy, matrix=csr_matrix(dense))
    weights = fit(name, candidates, 0.0004)
    assert candidates.closest[candidates.chosen(weights)].all()


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_estimator_leaves_its_input_alone_and_repeats_itself(name):
    candidates = world(20, seed=13)
    before = candidates.matrix.toarray().copy()
    first, second = (fit(name, candidates, SETTINGS[name]) for _ in range(2))
    assert first.tolist() == second.tolist()
    assert candidates.matrix.toarray().tolist() == before.tolist()


@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_constant_of_a_sentence_changes_no_weight(name):
    """Johnson (2005), slide 11: a feature less a constant in all candidates of a sentence."""
    candidates = world(20, seed=15)
    shifts = np.random.default_rng(0).integers(0, 4, (candidates.n_sentences, candidates.n_features))
    moved = replace(candidates, matrix=csr_matrix(candidates.matrix.toarray() - shifts[candidates.sentence]))
    weights = fit(name, candidates, SETTINGS[name])
    assert fit(name, moved, SETTINGS[name]) == pytest.approx(weights, abs=1e-4)
    assert np.abs(weights).max() > 0.1


@pytest.mark.parametrize("name", ESTIMATORS)
def test_c_may_differ_by_feature(name):
    """The same c for each feature is that c; a very large one silences a feature of a penalty."""
    candidates = world(20, seed=14)
    one, each = fit(name, candidates, SETTINGS[name]), fit(name, candidates, np.full(6, SETTINGS[name]))
    assert each == pytest.approx(one, rel=1e-9)
    if name != "perceptron":
        silenced = fit(name, candidates, np.array([1e9, 0.03, 0.03, 0.03, 0.03, 0.03]))
        assert abs(silenced[0]) < 1e-3 < np.abs(one).max()


def test_an_unknown_estimator():
    with pytest.raises(ChoiceError, match=r"No estimator called 'svm'. Available: expected, l1, l2, perceptron"):
        estimator_named("svm")
