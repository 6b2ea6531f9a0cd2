"""Tests of unit scores: by pencil, and equal to scipy for every pair."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.paired_tests import by_unit
from nlpsig_core.significance.paired_tests.by_unit import (
    mcnemar,
    needs_one_test_set,
    right_or_wrong,
    sign_test,
    t_test,
    units_won,
    wilcoxon,
)
from nlpsig_core.significance.resampling.bootstrap import all_pairs
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import MacroStats, Stats
from tests.builders import ERROR_RATE, random_stats, shares

NONE = Resampling(1)
ONE = np.array([[0, 1]])


def pairs_of(stats: Stats) -> np.ndarray:
    return all_pairs(stats.metric.sign * stats.scores)


def means(*systems) -> Stats:
    """Statistics of real-valued unit scores."""
    values = np.array(systems, dtype=float)
    names = tuple(f"system{i}" for i in range(len(values)))
    return Stats(names, np.stack([values, np.ones_like(values)], axis=2), METRICS["mean"])


EXAMPLES = [
    random_stats(1, 6, 80),
    shares(np.random.default_rng(1).integers(0, 4, (6, 50)), of=3),
    shares(np.random.default_rng(2).integers(0, 2, (6, 30)), ERROR_RATE),
    means(*np.random.default_rng(3).normal(0, 1, (5, 25))),
]


@pytest.fixture(params=EXAMPLES, ids=["F1", "thirds", "right or wrong", "real"])
def stats(request) -> Stats:
    return request.param


def differences(stats: Stats) -> np.ndarray:
    """Gains of the first of each pair in each unit, (pairs, units), without rounding's traces."""
    scores = stats.metric.sign * stats.unit_scores
    a, b = pairs_of(stats).T
    return np.round(scores[a] - scores[b], 9)


def test_wins_losses_and_ties_by_pencil():
    """A has 2, 0, 1, 1 of 2, B 1, 1, 1, 0: A wins two units, B one, one is tied; by errors it is B that wins two."""
    stats = shares([[2, 0, 1, 1], [1, 1, 1, 0]], of=2)
    assert units_won(stats, np.array([[0, 1], [1, 0]])).tolist() == [[2, 1], [1, 2], [1, 1]]
    wrong = shares([[2, 0, 1, 1], [1, 1, 1, 0]], ERROR_RATE, of=2)
    assert units_won(wrong, np.array([[0, 1]])).tolist() == [[1], [2], [1]]


def test_sign_test_by_pencil():
    """Four wins and one loss of five: 1/32 + 5/32 = 6/32 one-sided, 12/32 two-sided; three ties do not count."""
    p = sign_test(shares([[1, 1, 1, 1, 0, 0, 1, 1], [0, 0, 0, 0, 1, 0, 1, 1]]), np.array([[0, 1]]), NONE)
    assert p.one_sided[0] == pytest.approx(6 / 32, rel=1e-14)
    assert p.two_sided[0] == pytest.approx(12 / 32, rel=1e-14)
    assert {name: count.tolist() for name, count in p.details.items()} == {"wins": [4], "losses": [1], "ties": [3]}


def test_sign_test_equals_scipy(stats):
    p = sign_test(stats, pairs_of(stats), NONE)
    for place, row in enumerate(differences(stats)):
        wins, decided = int((row > 0).sum()), int((row != 0).sum())
        for found, alternative in ((p.one_sided, "greater"), (p.two_sided, "two-sided")):
            theirs = scipy.stats.binomtest(wins, decided, alternative=alternative).pvalue
            assert found[place] == pytest.approx(theirs, rel=1e-10)


def test_mcnemar_by_pencil():
    """15 units that A alone has right, 5 that B alone: chi-squared = (10 - 1)^2 / 20 = 4.05, p = 0.04417.

    One-sided it is half of that; and for B, the loser of units, more than a half.
    """
    right = np.zeros((2, 40), dtype=int)
    right[0, :15] = right[1, 15:20] = right[:, 30:] = 1
    p = mcnemar(shares(right), np.array([[0, 1], [1, 0]]), NONE)
    assert p.two_sided == pytest.approx([0.0441711] * 2, rel=1e-5)
    assert p.one_sided[0] == pytest.approx(0.0441711 / 2, rel=1e-5)
    assert p.one_sided[1] > 0.975


def test_mcnemar_equals_chi_squared_and_is_near_to_the_sign_test():
    """scipy's chi-squared of Edwards' statistic; the exact p of some 40 units that differ is within 0.02."""
    stats = shares(np.random.default_rng(0).integers(0, 2, (6, 80)))
    pairs = pairs_of(stats)
    p, exact = mcnemar(stats, pairs, NONE), sign_test(stats, pairs, NONE)
    wins, losses = p.details["wins"], p.details["losses"]
    statistic = np.maximum(np.abs(wins - losses) - 1, 0) ** 2 / (wins + losses)
    assert p.two_sided == pytest.approx(scipy.stats.chi2.sf(statistic, 1), rel=1e-12)
    assert np.abs(p.two_sided - exact.two_sided).max() < 0.02
    assert np.abs(p.one_sided - exact.one_sided).max() < 0.02


def test_t_test_by_pencil():
    """Differences 1, 2, 3: mean 2, standard deviation 1, t = 2 sqrt(3) = 3.4641 with 2 degrees of freedom.

    P(T > t) = 1/2 - t / (2 sqrt(2 + t^2)) = 1/2 - sqrt(12/14) / 2 = 0.03709.
    """
    p = t_test(means([2, 4, 6], [1, 2, 3]), np.array([[0, 1], [1, 0]]), NONE)
    assert p.details["mean"].tolist() == [2, -2]
    assert p.details["t"] == pytest.approx([np.sqrt(12), -np.sqrt(12)])
    assert p.one_sided == pytest.approx([0.5 - np.sqrt(12 / 14) / 2, 0.5 + np.sqrt(12 / 14) / 2], rel=1e-12)
    assert p.two_sided == pytest.approx([1 - np.sqrt(12 / 14)] * 2, rel=1e-12)


def test_t_test_equals_scipy(stats):
    scores = stats.metric.sign * stats.unit_scores
    a, b = pairs_of(stats).T
    p = t_test(stats, pairs_of(stats), NONE)
    for found, alternative in ((p.one_sided, "greater"), (p.two_sided, "two-sided")):
        theirs = scipy.stats.ttest_rel(scores[a], scores[b], axis=1, alternative=alternative)
        assert found == pytest.approx(theirs.pvalue, rel=1e-9)
        assert p.details["t"] == pytest.approx(theirs.statistic, rel=1e-9)


def test_the_winner_of_the_corpus_may_lose_by_the_mean_of_units():
    """Long unit: A 90 of 100, B 80; two short ones: A 0 of 1, B 1 of 1. A leads by 90 to 82, B by the mean: p > 0.5."""
    values = np.array([[[90, 100], [0, 1], [0, 1]], [[80, 100], [1, 1], [1, 1]]])
    stats = Stats(("A", "B"), values, shares([[1]]).metric)
    assert pairs_of(stats).tolist() == [[0, 1]]
    for test in (t_test, sign_test, wilcoxon):
        assert test(stats, pairs_of(stats), NONE).one_sided[0] > 0.5


def test_wilcoxon_by_pencil():
    """Differences 1, -2, 3, 4, 0: the zero is dropped, ranks 1 to 4, those of wins 1 + 3 + 4 = 8.

    Of the 16 choices of signs 3 give 8 or more: 1 + 3 + 4, 2 + 3 + 4, and all; 3/16 one-sided, twice that two-sided.
    """
    p = wilcoxon(means([1, 0, 3, 4, 5], [0, 2, 0, 0, 5]), np.array([[0, 1]]), NONE)
    assert p.details["rank_sum"].tolist() == [8]
    assert p.details["differing"].tolist() == [4]
    assert (p.one_sided[0], p.two_sided[0]) == (3 / 16, 6 / 16)


def test_wilcoxon_of_few_units_is_as_good_as_signs_can_be():
    """Four won of four that differ: 1 of 16 choices of signs, 0.0625, twice that two-sided; the loser's is 1."""
    p = wilcoxon(shares([[1, 1, 1, 1, 0, 1], [0, 0, 0, 0, 0, 1]]), np.array([[0, 1], [1, 0], [0, 0]]), NONE)
    assert p.one_sided.tolist() == [1 / 16, 1, 1]
    assert p.two_sided.tolist() == [1 / 8, 1 / 8, 1]
    assert p.details["differing"].tolist() == [4, 4, 0]


def test_wilcoxon_equals_all_choices_of_signs():
    """Up to eleven units with many equal differences: the share of 2^n sums of ranks as far out as the one seen."""
    stats = means(*np.random.default_rng(5).integers(0, 4, (8, 11)))
    p = wilcoxon(stats, pairs_of(stats), NONE)
    for place, row in enumerate(differences(stats)):
        row = row[row != 0]
        ranks = scipy.stats.rankdata(np.abs(row))
        sums = (np.arange(2 ** len(row))[:, None] >> np.arange(len(row)) & 1) @ ranks
        own, middle = ranks[row > 0].sum(), ranks.sum() / 2
        assert p.one_sided[place] == (sums >= own).mean()
        assert p.two_sided[place] == (np.abs(sums - middle) >= abs(own - middle)).mean()


def test_wilcoxon_is_exact_up_to_50_units_and_the_two_ways_meet_there():
    """50 and 51 units: p is exact, then by the normal curve, which is within 0.01 of the exact p."""
    rng = np.random.default_rng(8)
    gains = rng.integers(1, 9, 51) * rng.choice([-1, 1, 1], 51)
    for n in (50, 51):
        p = wilcoxon(means(gains[:n], np.zeros(n)), ONE, NONE)
        exact = by_unit._exact(scipy.stats.rankdata(np.abs(gains[:n])), p.details["rank_sum"][0])
        assert (p.one_sided[0] == exact[0]) == (n == 50)
        assert (p.one_sided[0], p.two_sided[0]) == pytest.approx(exact, abs=0.01)


def test_equal_ranks_depend_on_the_two_systems_alone():
    """Differences 0.001, 0.002 and 0.003 are of different ranks, however large the scores of a third system are."""
    stats = means([0.001, 0.002, -0.003], [0, 0, 0], [1e12] * 3)
    p = wilcoxon(stats, ONE, NONE)
    assert (p.details["rank_sum"].tolist(), p.details["differing"].tolist()) == ([3], [3])
    assert p.one_sided[0] == 5 / 8


def test_wilcoxon_with_equal_ranks_by_pencil(monkeypatch):
    """Differences 1, 1, -1, 2: ranks 2, 2, 2, 4, of wins 8. Without one of the three 2s there are 8, and 10 with all.

    So exactly 4 of 16; by the normal curve the variance is 7.5 - (27 - 3) / 48 = 7, and z = 3 / sqrt(7).
    """
    p = wilcoxon(means([1, 1, 0, 2], [0, 0, 1, 0]), ONE, NONE)
    assert p.details["rank_sum"].tolist() == [8]
    assert (p.one_sided[0], p.two_sided[0]) == (4 / 16, 8 / 16)
    monkeypatch.setattr(by_unit, "EXACT_UNITS", 0)
    p = wilcoxon(means([1, 1, 0, 2], [0, 0, 1, 0]), ONE, NONE)
    assert p.two_sided[0] == pytest.approx(2 * scipy.stats.norm.sf(3 / np.sqrt(7)), rel=1e-12)


def test_wilcoxon_by_the_normal_curve_equals_scipy(stats, monkeypatch):
    """zero_method="wilcox" drops units without a difference; by the normal curve, without a continuity correction."""
    monkeypatch.setattr(by_unit, "EXACT_UNITS", 0)
    p = wilcoxon(stats, pairs_of(stats), NONE)
    for place, row in enumerate(differences(stats)):
        for found, alternative in ((p.one_sided, "greater"), (p.two_sided, "two-sided")):
            theirs = scipy.stats.wilcoxon(
                row, zero_method="wilcox", correction=False, method="asymptotic", alternative=alternative
            )
            assert found[place] == pytest.approx(theirs.pvalue, rel=1e-9)
        assert min(p.details["rank_sum"][place], np.inf) == pytest.approx(
            scipy.stats.wilcoxon(row, method="asymptotic", alternative="greater").statistic
        )


def test_rounding_makes_no_difference_and_no_rank():
    """1/3 of 100 to 0, 2/3 to 1/3 and 1 to 2/3 are the same differences, though not the same floats."""
    stats = shares([[1, 2, 3, 2], [0, 1, 2, 3]], of=3)
    gains = stats.unit_scores[0] - stats.unit_scores[1]
    assert len(set(np.abs(gains))) > 1
    p = wilcoxon(stats, np.array([[0, 1]]), NONE)
    assert p.details["rank_sum"].tolist() == [7.5]
    nearly = means([0.1 + 0.2, 1.0], [0.3, 0.0])
    assert units_won(nearly, np.array([[0, 1]])).tolist() == [[1], [0], [1]]


@pytest.mark.parametrize("test", [sign_test, mcnemar, t_test, wilcoxon])
def test_how_many_pairs_are_worked_on_at_a_time_does_not_matter(test, monkeypatch):
    stats = shares(np.random.default_rng(2).integers(0, 2, (7, 30)))
    together = test(stats, pairs_of(stats), NONE)
    monkeypatch.setattr(by_unit, "DIFFERENCES_AT_A_TIME", 4 * 30)
    calls = []
    apart = test(stats, pairs_of(stats), NONE, lambda done, of: calls.append((done, of)))
    assert calls == [(4, 21), (8, 21), (12, 21), (16, 21), (20, 21), (21, 21)]
    assert (together.one_sided == apart.one_sided).all()
    for name, values in together.details.items():
        assert (values == apart.details[name]).all()


def test_a_mean_without_any_spread_is_beyond_every_t():
    """The same gain in each of four units: t is infinite, p 0 for the better and 1 for the worse."""
    stats = means([2, 3, 4, 5], [1, 2, 3, 4])
    p = t_test(stats, np.array([[0, 1], [1, 0]]), NONE)
    assert p.one_sided.tolist() == [0, 1]
    assert p.two_sided.tolist() == [0, 0]


def test_what_units_must_be():
    """McNemar's test wants units right or wrong; all want the units of one test set."""
    assert right_or_wrong(shares([[1, 0], [1, 1]])) == ""
    assert right_or_wrong(shares([[0, 0], [0, 0]])) == ""
    assert right_or_wrong(means([0, 1, 1], [1, 0, 0])) == ""
    assert right_or_wrong(shares([[1, 0, 2]], of=2)) == "each sentence must be right or wrong, and one scores 50 of 100"
    assert right_or_wrong(means([-1, 1])) == "each sentence must be right or wrong, and one scores -1 of 1"
    several = MacroStats((shares([[1, 0]]), shares([[1, 1]])))
    for applies in (right_or_wrong, needs_one_test_set):
        assert applies(several) == "unit scores are of one test set, and a macro-average is of several"
    assert needs_one_test_set(shares([[1, 0]])) == ""
