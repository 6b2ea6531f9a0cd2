"""One pair: its resampled gains are those of the bootstrap of all pairs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.output.report.export import p_texts
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.resampling.bootstrap import bootstrap, observed_gains
from nlpsig_core.significance.resampling.gains import gain_step, resampled_gains
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import MacroStats, Stats
from nlpsig_core.studies.pair.resampled import TEST_COLUMNS, all_tests, drawn, gain_histogram, histogram
from tests.builders import ACCURACY, ERROR_RATE, random_stats, shares


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
        gains = resampled_gains(stats.select(pair), recipe)
        assert (gains > 2 * result.gain[k] + result.tie[k]).sum() == result.hits_above[k]
        assert (gains < -result.tie[k]).sum() == result.hits_below[k]


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


def test_what_rounding_puts_beyond_the_last_edge_is_in_the_histogram():
    """Six times 0.33 is 1.98, and the next float is a resample, too."""
    bins = histogram(np.array([0.0, np.nextafter(1.98, 2)]), 0.33, 1e-11, 12)
    assert bins["resamples"].sum() == 2
    assert bins["above"].sum() == 1


def right_or_wrong(both: int, only_a: int, only_b: int, neither: int) -> Stats:
    """Two systems, and on how many units both, one or none of them is right."""
    return shares(
        [[1] * (both + only_a) + [0] * (only_b + neither), [1] * both + [0] * only_a + [1] * only_b + [0] * neither]
    )


def histogram_of(stats: Stats, n_bins: int) -> pd.DataFrame:
    """The histogram of 100,000 resampled gains in about so many bins."""
    gain, tie = observed_gains(stats, np.array([[0, 1]]))
    gains = resampled_gains(stats, Resampling(100_000, seed=3))
    return histogram(gains, float(gain[0]), float(tie[0]), n_bins, gain_step(stats))


def test_a_bar_below_0_is_all_counted_where_gains_come_in_steps():
    """An edge is half a step below 0: what ties has no bar in common with what p counts below 0."""
    bins = histogram_of(right_or_wrong(10, 8, 6, 16), 12)
    edges = bins["gain"] - bins["width"] / 2
    assert np.abs(edges + 1.25).min() < 1e-9
    left = bins["gain"] < -1.25
    assert (bins.loc[left, "below"] == bins.loc[left, "resamples"]).all()
    assert bins.loc[~left, "below"].sum() == 0 < bins["below"].sum()


def test_the_step_by_pencil():
    """One right answer of 40 is 2.5; out of 5 answers in each of 8 units, and differences of 2 and 4, it is two of 40.

    Where the answers of units are 3, 5 and 8, one of the 16 is 6.25. Scores that are real numbers have no step, and
    neither have systems that never differ. The mean of two test sets, each counted half, of 4 and 6 units: 25 / 2 and
    (100 / 6) / 2 have 1/24 of 100 in common.
    """
    assert gain_step(right_or_wrong(10, 8, 6, 16)) == pytest.approx(2.5)
    assert gain_step(shares([[5, 4, 3, 5, 1, 2, 0, 1], [1, 2, 5, 5, 1, 4, 4, 1]], of=5)) == pytest.approx(5.0)
    values = np.array([[[3, 3], [4, 5], [6, 8]], [[2, 3], [5, 5], [8, 8]]])
    assert gain_step(Stats(("a", "b"), values, ACCURACY)) == pytest.approx(6.25)
    assert gain_step(real_scores(1)) == 0
    assert gain_step(shares([[1, 0, 1], [1, 0, 1]])) == 0
    parts = shares([[1, 0, 1, 1], [0, 0, 1, 1]]), shares([[1, 0, 1, 1, 0, 0], [1, 0, 1, 1, 0, 1]])
    assert gain_step(MacroStats(parts)) == pytest.approx(100 / 24)


def real_scores(seed: int) -> Stats:
    """Two systems with a real number in each of 50 units, the better one first."""
    values = np.random.default_rng(seed).normal(0.3, 1, (2, 50))
    stats = Stats(("a", "b"), np.stack([values, np.ones((2, 50))], axis=2), ACCURACY)
    return stats.select(np.argsort(-stats.scores))


def test_gains_without_steps_keep_their_edges():
    """Real scores: the histogram has edges at 0 and at twice the gain, whether it is asked for steps or not."""
    stats = real_scores(3)
    bins = gain_histogram(stats, drawn(stats, Resampling(3_000)))
    edges = bins["gain"] - bins["width"] / 2
    for at in (0, 2 * (stats.scores[0] - stats.scores[1])):
        assert np.abs(edges - at).min() < 1e-9


@pytest.mark.parametrize("metric", [None, ERROR_RATE], ids=["higher is better", "lower is better"])
def test_the_histogram_counts_what_p_counts(metric):
    """Twelve sentences right or wrong: many a resample has just 2 delta or just 0, which p does not count.

    Each step has a bar of its own: that at 2 delta is not counted at all.
    """
    right = [[1] * 8 + [0] * 4, [1] * 6 + [0] * 5 + [1]]
    stats = shares(right) if metric is None else shares(1 - np.array(right), metric)
    recipe = Resampling(3_000, seed=4)
    result, bins = bootstrap(stats, recipe), gain_histogram(stats, drawn(stats, recipe))
    assert result.pairs.tolist() == [[0, 1]]
    assert (bins["above"].sum(), bins["below"].sum()) == (result.hits_above[0], result.hits_below[0])
    at_twice = bins[(bins["gain"] - 2 * result.gain[0]).abs() < 1e-9].iloc[0]
    assert at_twice["resamples"] > 100
    assert at_twice["above"] == 0
    assert bins.loc[bins["gain"] > at_twice["gain"], "resamples"].sum() == result.hits_above[0]
    assert bins["resamples"].sum() == 3_000


def test_all_tests_of_a_pair():
    """A row a test, with the p that it gives; what cannot be used says why."""
    stats, recipe, calls = random_stats(3, 2, 40), Resampling(2_000), []
    table = all_tests(stats, drawn(stats, recipe), lambda done, of: calls.append((done, of)))
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
    assert calls[-1] == (2 * 2_000, 2 * 2_000)
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)


def test_all_tests_say_what_they_counted():
    """A wins four units, B one, and three are tied; the mean gain of a unit is 3/8 of 100."""
    stats = shares([[0, 0, 0, 0, 1, 0, 1, 1], [1, 1, 1, 1, 0, 0, 1, 1]])
    notes = all_tests(stats, drawn(stats, Resampling(10))).set_index("test")["note"]
    assert notes["sign test"] == notes["McNemar's test"] == "wins 4, losses 1, ties 3"
    assert notes["paired t-test"] == "mean 37.5, t 1.426"
    assert notes["paired bootstrap"] == ""


def test_all_tests_without_a_hit_are_shown_as_bounds():
    """One system wins all of 60 units: no resample and no swap of 2,000 is a hit; the sign test has 2 / 2^60."""
    stats = shares([[1] * 60, [0] * 60])
    table = all_tests(stats, drawn(stats, Resampling(2_000))).set_index("test")
    shown = dict(zip(table.index, p_texts(table)["p_two_sided"], strict=True))
    assert shown["paired bootstrap"] == shown["approximate randomization"] == "< 0.0005"
    assert shown["sign test"] == "1.7e-18"


def test_all_tests_of_a_macro_average():
    macro = MacroStats((random_stats(1, 2, 20), random_stats(2, 2, 30)))
    table = all_tests(macro, drawn(macro, Resampling(100)))
    assert table["p_value"].notna().tolist() == [True, True, False, False, False, False, False, False]
    with pytest.raises(ValueError, match="statistics of 3 systems; a pair is two"):
        drawn(random_stats(0, 3, 5), Resampling(10))
