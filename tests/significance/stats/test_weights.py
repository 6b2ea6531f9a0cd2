"""Weights of the test sets in a macro-average: by pencil, and wherever a mean over test sets is taken."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.paired_tests.small_sample import differences
from nlpsig_core.significance.resampling.blocks import resampled_scores
from nlpsig_core.significance.resampling.bootstrap import all_pairs, bootstrap
from nlpsig_core.significance.resampling.gains import gain_step
from nlpsig_core.significance.resampling.recipe import BLOCK, Resampling
from nlpsig_core.significance.stats.array import MacroStats
from nlpsig_core.significance.stats.weights import BY_FAMILY, BY_SIZE, EQUAL, WEIGHTS, families_of, weights_of
from tests.builders import random_stats, shares

SIZES = {"en_ewt": 10, "de_gsd": 30, "fi_tdt": 20, "brelda": 40}


def mean(way: str, scores: list[float]) -> float:
    return float(np.average(scores, weights=weights_of(way, SIZES)))


def test_by_pencil():
    """Scores 80, 60, 40, 20: equal 200 / 4; by size (800 + 1800 + 800 + 800) / 100; families 70, 40 and 20."""
    scores = [80.0, 60.0, 40.0, 20.0]
    assert mean(EQUAL, scores) == 50
    assert mean(BY_SIZE, scores) == pytest.approx(42)
    assert mean(BY_FAMILY, scores) == pytest.approx((70 + 40 + 20) / 3)


def test_the_family_comes_from_the_name():
    """Naija is a creole for Universal Dependencies; Hindi and "history" are not the same, nor "en" and "en-de"."""
    families = families_of(["en_ewt", "zh", "pcm_nsc", "history_1", "en-de", "grc_perseus", "Finnish", ""])
    known = ["Indo-European", "Sino-Tibetan", "Creole", "history_1", "en-de", "Indo-European", "Finnish", ""]
    assert list(families.values()) == known


def test_another_way_is_refused_with_those_there_are():
    with pytest.raises(
        ChoiceError, match=r"No weights called 'by words'. Available: by language family, by size, equal"
    ):
        weights_of("by words", SIZES)
    assert all(len(weights_of(way, SIZES)) == len(SIZES) for way in WEIGHTS)


def test_a_test_set_without_weight_changes_nothing():
    """To the last bit, in every place that takes the mean over test sets."""
    one, other = random_stats(1, 4, 40), random_stats(2, 4, 25)
    both, recipe = MacroStats((one, other), weights=(1.0, 0.0)), Resampling(BLOCK + 5)
    assert (both.scores == one.scores).all()
    assert (both.run_scores == one.run_scores).all()
    pairs = all_pairs(one.scores)
    assert (bootstrap(both, recipe).hits_above == bootstrap(one, recipe).hits_above).all()
    for test in ("bootstrap", "randomization"):
        p, of_one = (TESTS[test].run(stats, pairs, recipe) for stats in (both, one))
        assert (p.two_sided == of_one.two_sided).all()
    np.testing.assert_allclose(differences(both, pairs).effective, differences(one, pairs).effective)


def test_the_step_of_a_gain_by_pencil():
    """A right answer is worth 25 of four and 50 of two: weighted 2 to 1, both are worth 50 / 3."""
    parts = shares([[1, 0, 1, 1], [0, 1, 1, 1]]), shares([[1, 0], [0, 1]])
    assert gain_step(MacroStats(parts)) == pytest.approx(12.5)
    assert gain_step(MacroStats(parts, weights=(2.0, 1.0))) == pytest.approx(50 / 3)


def test_resamples_are_weighted_means():
    """Of three test sets by 1, 2 and 5: the difference to equal weights is that of the means of the same resamples."""
    parts, recipe = tuple(random_stats(seed, 3, 20 + seed) for seed in range(3)), Resampling(50, seed=4)
    alone = [
        resampled_scores(MacroStats(parts, weights=tuple(float(i == j) for j in range(3))), recipe) for i in range(3)
    ]
    weighted = resampled_scores(MacroStats(parts, weights=(1.0, 2.0, 5.0)), recipe)
    np.testing.assert_allclose(weighted, (alone[0] + 2 * alone[1] + 5 * alone[2]) / 8)
    np.testing.assert_array_equal(resampled_scores(MacroStats(parts), recipe), sum(one / 3 for one in alone))


def test_the_digest_tells_weights_apart_unless_they_are_equal():
    parts = random_stats(1, 2, 10), random_stats(2, 2, 12)
    equal, twice, by_size = (MacroStats(parts, weights=w) for w in ((), (2.0, 2.0), (10.0, 12.0)))
    assert equal.digest == twice.digest == MacroStats(parts).digest
    assert by_size.digest != equal.digest
    assert by_size.select([1, 0]).weights == by_size.weights
