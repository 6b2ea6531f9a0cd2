"""Few differing units: their number, what they are worth, and a p that knows it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import scipy.stats

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.comparison.pair_table import small_sample
from nlpsig_core.significance.paired_tests.small_sample import (
    Differences,
    differences,
    effective_units,
    small_sample_p,
)
from nlpsig_core.significance.resampling.bootstrap import all_pairs, bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import MacroStats, Stats
from nlpsig_core.significance.stats.influence import document_ratio
from tests.builders import random_stats, shares

PAIR = np.array([[0, 1]])


def of_number(*differing: float) -> Differences:
    """So many differing units of one size, a pair for each."""
    number = np.array(differing)
    return Differences(number.astype(int), number, number)


def test_units_differ_in_any_of_their_statistics():
    """Unit 1 differs in what is right, unit 3 in what was predicted alone, units 2 and 4 in nothing: D = 2."""
    values = np.array([[[1, 2, 2], [1, 1, 1], [2, 3, 3], [0, 1, 1]], [[0, 2, 2], [1, 1, 1], [2, 4, 3], [0, 1, 1]]])
    assert differences(Stats(("a", "b"), values, METRICS["LAS"]), PAIR).number.tolist() == [2]


def test_differing_units_of_all_pairs_equal_a_plain_loop(monkeypatch):
    monkeypatch.setattr("nlpsig_core.significance.paired_tests.small_sample.COMPARED_AT_A_TIME", 100)
    stats = random_stats(3, 6, 40)
    pairs = all_pairs(stats.scores)
    expected = [sum((stats.values[a, u] != stats.values[b, u]).any() for u in range(40)) for a, b in pairs]
    assert differences(stats, pairs).number.tolist() == expected
    assert differences(stats, pairs).effective.tolist() == expected


def test_documents_are_worth_their_number_where_they_are_of_one_size():
    """Documents of 1, 1 and 4 sentences: 6^2 / (1 + 1 + 16) = 2; those that differ, of 1 and 4: 25 / 17."""
    stats = shares([[1, 0, 1, 1, 1, 1], [0, 0, 1, 0, 1, 1]]).group_by(list("abcccc"), "document")
    assert stats.sizes.tolist() == [1, 1, 4]
    assert effective_units(stats) == 2
    assert differences(stats, PAIR).number.tolist() == [2]
    assert differences(stats, PAIR).effective.tolist() == [25 / 17]
    assert effective_units(shares([[1, 0, 1]])) == 3


def test_parts_of_documents_keep_their_sizes():
    stats = shares([[1, 0, 1, 1, 1, 1]]).group_by(list("abcccc"), "document")
    assert stats.take(np.array([2, 0])).sizes.tolist() == [4, 1]
    assert stats.select([0]).sizes.tolist() == [1, 1, 4]


def test_several_test_sets_have_the_freedom_of_welch_and_satterthwaite():
    """Against scipy's Welch test of two samples: a mean of two means has the degrees of freedom of their difference."""
    rng = np.random.default_rng(0)
    gains = [rng.normal(0, spread, n) for n, spread in ((8, 1.0), (30, 3.0))]
    parts = []
    for of_set in gains:
        values = np.stack([np.stack([of_set, np.zeros_like(of_set)]), np.ones((2, len(of_set)))], axis=2)
        parts.append(Stats(("a", "b"), values, METRICS["mean"]))
    # The jackknife's variance is that of all units, not of a sample: both are the same but for n / (n - 1).
    variance = [of_set.var() / len(of_set) for of_set in gains]
    freedom = sum(variance) ** 2 / sum(v**2 / (len(g) - 1) for v, g in zip(variance, gains, strict=True))
    stats = MacroStats(tuple(parts))
    assert differences(stats, PAIR).effective[0] == pytest.approx(1 + freedom)
    assert freedom == pytest.approx(scipy.stats.ttest_ind(*gains, equal_var=False).df, rel=0.1)
    assert differences(stats, PAIR).number.tolist() == [38]
    assert differences(stats, PAIR).fewest.tolist() == [8]


def test_a_test_set_without_difference_takes_no_freedom():
    same, other = shares([[1, 1, 0], [1, 1, 0]]), shares([[1, 1, 0, 1], [0, 1, 1, 0]])
    stats = MacroStats((same, other))
    assert differences(stats, PAIR).effective[0] == pytest.approx(3)
    assert differences(stats, PAIR).fewest.tolist() == [3]
    assert differences(MacroStats((same, same)), PAIR).effective.tolist() == [1]


def test_a_test_set_with_a_single_difference_leaves_the_others_their_say():
    """Beside 210 units that speak for a system, one unit of another set does not make p 1, nor take their freedom."""
    values = np.stack([np.r_[np.ones(180), np.zeros(30), np.ones(90)], np.r_[np.zeros(180), np.ones(30), np.ones(90)]])
    large, single = shares(values), shares([[1, *[1] * 99], [0, *[1] * 99]])
    both = MacroStats((large, single))
    found = small_sample(both, bootstrap(both, Resampling(20_000)))
    assert found.differences.effective[0] > 100
    assert found.two_sided[0] < 0.001
    assert found.differences.fewest.tolist() == [1]


def test_small_sample_p_by_hand():
    """D = 5 and p = 0.025: T with 4 degrees of freedom at sqrt(4/5) * -1.96 = -1.753 is 0.0772."""
    assert small_sample_p(np.array([0.025]), of_number(5.0))[0] == pytest.approx(0.0772, abs=5e-5)
    assert small_sample_p(np.array([0.025]), of_number(1e9))[0] == pytest.approx(0.025)
    assert small_sample_p(np.array([1e-6, 1e-6]), of_number(1.0, 0.0)).tolist() == [1, 1]


def test_it_is_at_least_the_smallest_p_of_an_exact_test():
    """Of normal gains, D = 4 and p = 1e-6 are T with 3 degrees of freedom at -4.12, 0.013: below 1 / 2^4.

    D = 15 are T with 14 at -4.59, 0.0002: above 1 / 2^15.
    """
    found = small_sample_p(np.full(6, 1e-6), of_number(2.0, 3.0, 4.0, 5.0, 8.0, 15.0))
    assert found[:5].tolist() == [1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 256]
    assert found[5] == pytest.approx(0.0002, abs=5e-5)


def test_of_normal_units_it_is_the_paired_t_test():
    """The bootstrap's p of a mean is that of a normal curve with variance (n - 1) / n: T makes it Student's again."""
    rng = np.random.default_rng(5)
    gains = rng.normal(0.8, 1, 12)
    values = np.stack([np.stack([gains, np.zeros(12)]), np.ones((2, 12))], axis=2)
    stats = Stats(("a", "b"), values, METRICS["mean"])
    found = small_sample(stats, bootstrap(stats, Resampling(200_000))).two_sided[0]
    assert found == pytest.approx(scipy.stats.ttest_1samp(gains, 0).pvalue, rel=0.25)


def test_five_differing_units_cannot_be_significant():
    """Five wins of 200 units and no loss: the bootstrap's p is below 0.05, every exact two-sided one 2 / 2^5."""
    stats = shares([[1] * 5 + [0] * 195, [0] * 200])
    result = bootstrap(stats, Resampling(20_000))
    assert result.hits_below[0] == 0
    assert (result.hits_above[0]) / 20_000 < 0.05
    small = small_sample(stats, result)
    assert small.differences.number.tolist() == [5]
    assert small.two_sided[0] > (result.hits_above[0]) / 20_000


@pytest.mark.parametrize("n_differing", [3, 6, 12])
def test_equal_systems_are_found_different_as_often_as_the_level_says(n_differing):
    """All 2^D ways to share D differing units out: two-sided p < 0.05 in at most 6% of them, where the
    bootstrap's own p is below in more."""
    signs = np.array(list(product((0, 1), repeat=n_differing)))
    signs = signs[np.random.default_rng(1).permutation(len(signs))[:300]]
    own, small = [], []
    for sign in signs:
        stats = shares([np.append(sign, [1] * 60), np.append(1 - sign, [1] * 60)])
        result = bootstrap(stats, Resampling(2_000))
        p = small_sample(stats, result)
        small.append(p.two_sided[0] < 0.05)
        own.append(result.gain[0] > 0 and (result.hits_above[0] + result.hits_below[0]) / 2_000 < 0.05)
    assert np.mean(small) <= 0.06
    assert np.mean(own) >= np.mean(small)


def test_documents_whose_sentences_are_alike_have_larger_errors():
    """Two sentences a document that always win or lose together: sqrt(2) times the error; one each: the same."""
    wins = np.repeat(np.random.default_rng(0).integers(0, 2, 200), 2)
    stats = shares([wins, 1 - wins])
    labels = np.repeat(np.arange(200), 2).astype(str)
    assert document_ratio(stats, labels) == pytest.approx(np.sqrt(2), rel=1e-6)
    assert document_ratio(stats, np.arange(400).astype(str)) == pytest.approx(1)
    far = shares([[1] * 100, [0] * 99 + [1]])
    assert document_ratio(far, np.arange(100).astype(str)) == 0
