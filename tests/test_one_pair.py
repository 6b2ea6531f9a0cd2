"""One pair: its resampled gains are those of the bootstrap of all pairs."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.bootstrap import bootstrap
from nlpsig_core.one_pair import TEST_COLUMNS, all_tests, gain_histogram, histogram, resampled_gains
from nlpsig_core.paired_tests import TESTS
from nlpsig_core.resampling import Resampling
from nlpsig_core.stats import MacroStats
from tests.builders import ERROR_RATE, random_stats, shares


def test_gain_of_every_resample_of_two_units():
    """A is right in both of two units, B in one: a resample's gain is 0, 50 or 100 as B's unit is drawn 2, 1, 0 times.

    Chance of the three: 1/4, 1/2, 1/4; with 10,000 resamples their shares lie within 5 standard errors of 0.005
    but in one run of a million.
    """
    gains = resampled_gains(shares([[1, 1], [1, 0]]), Resampling(10_000, seed=1))
    values, counts = np.unique(gains, return_counts=True)
    assert values.tolist() == [0.0, 50.0, 100.0]
    np.testing.assert_allclose(counts / 10_000, [0.25, 0.5, 0.25], atol=0.025)


def test_counting_them_gives_the_p_of_the_table():
    stats, recipe = random_stats(3, 6, 40), Resampling(5_000, seed=2)
    result = bootstrap(stats, recipe)
    for k, pair in enumerate(result.pairs):
        gains = resampled_gains(stats.of(pair), recipe)
        assert (gains > 2 * result.gain[k] + result.tie[k]).sum() == result.hits_above[k]
        assert (gains < -result.tie[k]).sum() == result.hits_below[k]


def test_where_lower_is_better_the_gain_is_the_reduction():
    gains = resampled_gains(shares([[0, 0, 1], [1, 1, 1]], ERROR_RATE), Resampling(500))
    assert gains.min() >= 0
    assert gains.mean() > 50


def test_a_pair_is_two_systems():
    with pytest.raises(ValueError, match="statistics of 3 systems; a pair is two"):
        resampled_gains(random_stats(0, 3, 5), Resampling(10))


def test_histogram_counts_every_resample_once_and_has_edges_at_0_and_at_2_delta():
    gains = np.random.default_rng(0).normal(0.4, 1, 3_000)
    bins = histogram(gains, 0.4, 0.0, 40)
    edges = bins["gain"] - bins["width"] / 2
    assert np.abs(edges - 0.8).min() < 1e-9
    assert bins["resamples"].sum() == 3_000
    assert np.abs(edges).min() < 1e-9
    below = bins.loc[bins["gain"] < 0, "resamples"].sum()
    assert below == (gains < 0).sum()


def test_histogram_of_gains_that_never_vary():
    assert histogram(np.zeros(7), 0.0, 0.0)["resamples"].sum() == 7


def test_what_lies_on_an_edge_is_in_the_histogram_but_not_counted():
    """A gain of 1: of -1, 0, 1, 2, 2 and rounding's traces beside them one is beyond 2 and one below 0: 3 and -1."""
    gains = np.array([-1, 0, -1e-15, 1, 2, 2, 2 + 1e-15, 3])
    bins = histogram(gains, 1.0, 1e-11, 4)
    assert bins["resamples"].sum() == 8
    assert bins["above"].tolist() == [0] * (len(bins) - 1) + [1]
    assert bins["below"].tolist() == [1] + [0] * (len(bins) - 1)
    assert bins.loc[bins["gain"] > 2, "resamples"].sum() >= 3


def test_a_very_small_gain_asks_for_no_more_bins():
    """Counted are still those beyond twice the gain, though no edge stands there."""
    gains = np.linspace(-1, 1, 1_001)
    bins = histogram(gains, 1e-7, 0.0, 40)
    assert len(bins) == 40
    assert (bins["above"].sum(), bins["below"].sum()) == (500, 500)


def test_what_rounding_puts_beyond_the_last_edge_is_in_the_histogram():
    """Six times 0.33 is 1.98, and the next float is a resample, too."""
    bins = histogram(np.array([0.0, np.nextafter(1.98, 2)]), 0.33, 1e-11, 12)
    assert bins["resamples"].sum() == 2
    assert bins["above"].sum() == 1


@pytest.mark.parametrize("metric", [None, ERROR_RATE], ids=["higher is better", "lower is better"])
def test_the_histogram_counts_what_p_counts(metric):
    """Twelve sentences right or wrong: many a resample has just 2 delta or just 0, which p does not count."""
    right = [[1] * 8 + [0] * 4, [1] * 6 + [0] * 5 + [1]]
    stats = shares(right) if metric is None else shares(1 - np.array(right), metric)
    recipe = Resampling(3_000, seed=4)
    result, bins = bootstrap(stats, recipe), gain_histogram(stats, recipe)
    assert result.pairs.tolist() == [[0, 1]]
    assert (bins["above"].sum(), bins["below"].sum()) == (result.hits_above[0], result.hits_below[0])
    assert bins.loc[bins["gain"] > 2 * result.gain[0], "resamples"].sum() > result.hits_above[0] + 100
    assert bins["resamples"].sum() == 3_000


def test_all_tests_of_a_pair():
    """A row a test, with the p that it gives; what cannot be used says why."""
    stats, recipe, told = random_stats(3, 2, 40), Resampling(2_000), []
    table = all_tests(stats, recipe, lambda done, of: told.append((done, of)))
    assert tuple(table.columns) == TEST_COLUMNS
    assert table["test"].tolist() == [test.label for test in TESTS.values()]
    assert table["statistic"].tolist() == [test.statistic for test in TESTS.values()]
    pairs = bootstrap(stats, recipe).pairs
    for row, test in zip(table.itertuples(), TESTS.values(), strict=True):
        if test.applies(stats):
            assert np.isnan([row.p_value, row.p_two_sided, row.p_error]).all()
            assert row.note == f"cannot be used: {test.applies(stats)}"
        else:
            p = test.run(stats, pairs, recipe)
            assert (row.p_value, row.p_two_sided, row.p_error) == (p.one_sided[0], p.two_sided[0], p.error[0])
    assert told[-1] == (3 * 2_000, 3 * 2_000)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_all_tests_say_what_they_counted():
    """A wins four units, B one, and three are tied; the mean gain of a unit is 3/8 of 100."""
    notes = all_tests(shares([[0, 0, 0, 0, 1, 0, 1, 1], [1, 1, 1, 1, 0, 0, 1, 1]]), Resampling(10)).set_index("test")[
        "note"
    ]
    assert notes["sign test"] == notes["McNemar's test"] == "wins 4, losses 1, ties 3"
    assert notes["paired t-test"] == "mean 37.5, t 1.426"
    assert notes["paired bootstrap"] == ""


def test_all_tests_of_a_macro_average():
    table = all_tests(MacroStats((random_stats(1, 2, 20), random_stats(2, 2, 30))), Resampling(100))
    assert table["p_value"].notna().tolist() == [True, True, False, False, False, False, False]
    with pytest.raises(ValueError, match="statistics of 3 systems; a pair is two"):
        all_tests(random_stats(0, 3, 5), Resampling(10))
