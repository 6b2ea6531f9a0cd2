"""One pair through other rules: unpaired draws, half-size resamples, and the other tests."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import scipy.stats

from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.resampling.gains import resampled_gains
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.lessons.rules import (
    BELOW_ZERO,
    HALF,
    PAPER,
    UNPAIRED,
    ByRule,
    by_rules,
    half_size_gains,
    unpaired_gains,
)
from tests.builders import ERROR_RATE, shares
from tests.studies.lessons.pairs import pair

RECIPE = Resampling(40_000, seed=2)


def test_half_size_by_all_resamples():
    """Four units, of which two are drawn: all 16 samples give the truth, 40,000 come within 5 standard errors."""
    stats = shares([[3, 1, 2, 3], [1, 2, 2, 1]], of=3)
    gains = half_size_gains(stats, RECIPE)
    every = [
        100 * (stats.values[0, x, 0].sum() - stats.values[1, x, 0].sum()) / 6
        for x in map(list, product(range(4), repeat=2))
    ]
    assert len(gains) == RECIPE.n_resamples
    assert set(gains.round(6)) == set(np.round(every, 6))
    for value in set(np.round(every, 6)):
        p = np.mean(np.isclose(every, value))
        assert abs(np.isclose(gains, value).mean() - p) < 5 * np.sqrt(p * (1 - p) / len(gains))


def test_half_size_resamples_spread_by_the_root_of_2():
    """Within 3%: the standard deviation of 40,000 has a standard error of 0.4%."""
    stats = pair(1, 300)
    ratio = half_size_gains(stats, RECIPE).std() / resampled_gains(stats, RECIPE).std()
    assert ratio == pytest.approx(np.sqrt(2), rel=0.03)


def test_an_odd_unit_is_left_out_of_half_and_one_is_always_drawn():
    for units in (1, 5):
        stats = shares([[1] * units, [0] * units])
        assert (half_size_gains(stats, Resampling(10)) == 100).all()


def test_unpaired_draws_have_the_variances_of_both():
    """And no correlation: var(a* - b'*) = var(a*) + var(b*) within 3% (Monte-Carlo error 0.7%)."""
    stats = pair(1, 300)
    own = [np.var(resampled_gains_of(stats, place)) for place in range(2)]
    gains = unpaired_gains(stats, RECIPE)
    assert gains.var() == pytest.approx(sum(own), rel=0.03)
    assert gains.var() > 1.2 * resampled_gains(stats, RECIPE).var()
    assert gains.mean() == pytest.approx(stats.scores[0] - stats.scores[1], abs=5 * gains.std() / 200)


def resampled_gains_of(stats, place: int) -> np.ndarray:
    """The resampled scores of one system, from plain draws."""
    rng = np.random.default_rng(place)
    values = stats.values[place]
    drawn = rng.integers(0, stats.n_units, (5_000, stats.n_units))
    return stats.metric.score(values[drawn].sum(axis=1))


def test_unpaired_draws_by_a_plain_loop():
    """As deep-significance counts: resamples of each system's own, delta* > 2 delta; 5 standard errors of both."""
    stats = pair(2, 40)
    delta = stats.scores[0] - stats.scores[1]
    a, b = (resampled_gains_of(stats, place) for place in range(2))
    naive = (a - b > 2 * delta).mean()
    found = by_rules(stats, resampled_gains(stats, RECIPE), RECIPE).set_index("rule").loc[UNPAIRED, "one_sided"]
    assert 0.02 < naive < 0.5
    assert abs(found - naive) < 5 * np.sqrt(naive * (1 - naive) * (1 / 5_000 + 1 / RECIPE.n_resamples))


@pytest.fixture(scope="module")
def table():
    """The rules for a pair on 60 units."""
    stats = pair(4, 60)
    return stats, by_rules(stats, resampled_gains(stats, RECIPE), RECIPE)


def test_the_papers_rows_are_those_of_its_resamples(table):
    stats, rules = table
    assert tuple(rules.columns) == ByRule._fields
    rows = rules.set_index("rule")
    p = TESTS["bootstrap"].run(stats, np.array([[0, 1]]), RECIPE)
    assert rows.loc[PAPER, "one_sided"] == p.one_sided[0]
    assert rows.loc[PAPER, "two_sided"] == pytest.approx(p.two_sided[0])
    assert rows.loc[BELOW_ZERO, "one_sided"] == pytest.approx(p.two_sided[0] - p.one_sided[0])
    assert rows.loc[HALF, "one_sided"] == (half_size_gains(stats, RECIPE) <= 1e-9).mean()
    assert (rows.loc[[PAPER, HALF], "n_resamples"] == RECIPE.n_resamples).all()
    assert np.isnan(rows.loc[BELOW_ZERO, "two_sided"])


def test_other_tests_are_scipys(table):
    stats, rules = table
    rows = rules.set_index("rule")
    a, b = stats.unit_scores
    wins, losses = int((a > b).sum()), int((a < b).sum())
    sign = scipy.stats.binomtest(wins, wins + losses)
    assert rows.loc["sign test", "two_sided"] == pytest.approx(sign.pvalue)
    assert rows.loc["paired t-test", "two_sided"] == pytest.approx(scipy.stats.ttest_rel(a, b).pvalue)
    greater = scipy.stats.ttest_rel(a, b, alternative="greater").pvalue
    assert rows.loc["paired t-test", "one_sided"] == pytest.approx(greater)
    assert rows.loc["sign test", "n_resamples"] == 0


def test_every_test_says_why_it_differs(table):
    """Those that can be used here; "unit" is the word of the statistics."""
    _, rules = table
    labels = [test.label for name, test in TESTS.items() if name != "bootstrap" and not test.applies(table[0])]
    assert rules["rule"].tolist() == [PAPER, BELOW_ZERO, UNPAIRED, HALF, *labels]
    assert "which system wins each sentence" in rules.set_index("rule").loc["sign test", "why"]
    assert not rules["why"].str.contains("{", regex=False).any()


def test_rules_where_lower_is_better():
    """Fewer errors are a gain: the same answers as wrong ones give the same p by every rule."""
    right = np.random.default_rng(3).integers(0, 4, (2, 50))
    right = right[np.argsort(-right.sum(axis=1))]
    higher, lower = shares(right, of=4), shares(4 - right, ERROR_RATE, of=4)
    for stats in (higher, lower):
        assert stats.metric.sign * (stats.scores[0] - stats.scores[1]) > 0
    found = [by_rules(stats, resampled_gains(stats, RECIPE), RECIPE) for stats in (higher, lower)]
    np.testing.assert_allclose(found[0]["one_sided"], found[1]["one_sided"], atol=1e-9)


def test_progress_tells_every_rule():
    calls = []
    stats, recipe = pair(4, 30), Resampling(2_000)
    by_rules(stats, resampled_gains(stats, recipe), recipe, lambda done, of: calls.append(done / of))
    assert calls == sorted(calls)
    assert calls[0] < 0.2
    assert 0.4 < calls[-1] <= 1
