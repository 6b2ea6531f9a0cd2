"""From hits to p-values: p, adjusted p, intervals and the table of pairs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import false_discovery_control

from nlpsig_core.bootstrap import bootstrap
from nlpsig_core.errors import ChoiceError
from nlpsig_core.paired_tests import PValues
from nlpsig_core.resampling import Resampling
from nlpsig_core.significance import (
    PAIR_COLUMNS,
    benjamini_hochberg,
    gain_interval,
    holm,
    p_matrix,
    p_values,
    pair_table,
    score_interval,
)
from nlpsig_core.stats import Stats
from tests.builders import random_stats, shares

P = arrays(np.float64, st.integers(0, 30), elements=st.floats(0, 1))


def test_holm_by_pencil():
    """0.01, 0.04, 0.03, 0.005 in order: 4 * 0.005 = 0.02, 3 * 0.01 = 0.03, 2 * 0.03 = 0.06, then 0.04 -> 0.06."""
    assert holm(np.array([0.01, 0.04, 0.03, 0.005])) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_benjamini_hochberg_by_pencil():
    """The same: 4/1 * 0.005 = 0.02, 4/2 * 0.01 = 0.02, 4/3 * 0.03 = 0.04, 4/4 * 0.04 = 0.04."""
    assert benjamini_hochberg(np.array([0.01, 0.04, 0.03, 0.005])) == pytest.approx([0.02, 0.04, 0.04, 0.02])


def test_adjusted_p_stop_at_1_and_nothing_is_nothing():
    assert holm(np.array([0.9, 0.8])).tolist() == [1, 1]
    assert benjamini_hochberg(np.array([1.0, 1.0])).tolist() == [1, 1]
    assert holm(np.array([])).tolist() == benjamini_hochberg(np.array([])).tolist() == []


@given(P)
def test_benjamini_hochberg_equals_scipy(p):
    assert benjamini_hochberg(p) == pytest.approx(false_discovery_control(p) if len(p) else p)


@given(P)
def test_adjusted_p_are_larger_and_keep_the_order(p):
    """Each is at least p and at most Bonferroni's; Holm is never below Benjamini and Hochberg."""
    adjusted = holm(p)
    assert (adjusted >= p).all()
    assert (adjusted <= np.minimum(len(p) * p, 1) + 1e-15).all()
    assert (adjusted >= benjamini_hochberg(p) - 1e-15).all()
    assert (np.diff(adjusted[np.argsort(p, kind="stable")]) >= 0).all()


@given(P, st.randoms(use_true_random=False))
def test_adjusted_p_do_not_depend_on_the_order_of_rows(p, random):
    order = random.sample(range(len(p)), len(p))
    for adjust in (holm, benjamini_hochberg):
        assert adjust(p[order]).tolist() == adjust(p)[order].tolist()


@pytest.fixture(scope="module")
def result():
    return bootstrap(random_stats(1, 5, 30), Resampling(5_000))


def test_p_is_the_share_of_hits(result):
    """hits / b, not (hits + 1) / (b + 1): section 2.1, figure 1; both tails together are the two-sided p."""
    one_sided, two_sided = p_values(result)
    assert (one_sided == result.hits_above / 5_000).all()
    assert (two_sided == (result.hits_above + result.hits_below) / 5_000).all()
    assert 0 < two_sided.min() < two_sided.max() < 1


def test_no_gain_is_p_1_whatever_the_hits(result):
    """A gain within the tolerance of ties cannot be tested, even where one of many resamples differs."""
    level = replace(result, gain=np.where(np.arange(10) == 3, result.tie, result.gain))
    assert p_values(level)[0][3] == p_values(level)[1][3] == 1
    assert (p_values(level)[0][:3] == p_values(result)[0][:3]).all()


def test_two_sided_p_is_never_above_1(result):
    many = replace(result, hits_above=result.hits_above + 4_000, hits_below=result.hits_below + 4_000)
    assert p_values(many)[1].max() == 1


def test_table_of_pairs(result):
    """Ten pairs of five systems, the winner first; p_error is sqrt(p (1 - p) / b)."""
    names = ["a", "b", "c", "d", "e"]
    table = pair_table(result, names, np.array(["different groups"] * 10))
    assert tuple(table.columns)[: len(PAIR_COLUMNS)] == PAIR_COLUMNS
    assert len(table) == 10
    assert not table.isna().to_numpy().any()
    assert table["gain"].to_numpy() == pytest.approx((table["score_a"] - table["score_b"]).to_numpy())
    assert (table["gain"] >= 0).all()
    assert {frozenset(pair) for pair in zip(table["system_a"], table["system_b"], strict=True)} == {
        frozenset((x, y)) for x in names for y in names if x < y
    }
    p = table["p_value"].to_numpy()
    assert table["p_error"].to_numpy() == pytest.approx(np.sqrt(p * (1 - p) / 5_000))
    assert table["p_holm"].tolist() == holm(table["p_two_sided"].to_numpy()).tolist()
    assert table["p_bh"].tolist() == benjamini_hochberg(table["p_two_sided"].to_numpy()).tolist()
    assert (table["gain_low"] < table["gain"]).all()
    assert (table["gain"] < table["gain_high"]).all()


def test_table_of_pairs_by_another_test(result):
    """p, adjusted p and its error are of the test; the gains and their intervals stay those of the bootstrap."""
    names, classes = ["a", "b", "c", "d", "e"], np.array(["x"] * 10)
    own = pair_table(result, names, classes)
    half = np.linspace(0.01, 0.5, 10)
    table = pair_table(result, names, classes, p=PValues(half, 2 * half, 100))
    assert table["p_value"].tolist() == half.tolist()
    assert table["p_two_sided"].tolist() == (2 * half).tolist()
    assert table["p_holm"].tolist() == holm(2 * half).tolist()
    assert table["p_bh"].tolist() == benjamini_hochberg(2 * half).tolist()
    assert table["p_error"].to_numpy() == pytest.approx(np.sqrt(half * (1 - half) / 100))
    assert (pair_table(result, names, classes, p=PValues(half, 2 * half))["p_error"] == 0).all()
    others = [column for column in PAIR_COLUMNS if not column.startswith("p_")]
    assert table[others].equals(own[others])


def test_the_order_of_the_systems_does_not_matter():
    """The same pairs have the same numbers, since resamples are of units, not of systems."""
    stats = random_stats(1, 4, 30)
    turned = stats.of([2, 0, 3, 1])
    tables = []
    for one in (stats, turned):
        table = pair_table(bootstrap(one, Resampling(2_000)), list(one.names), np.array(["x"] * 6))
        tables.append(table.sort_values(["system_a", "system_b"], ignore_index=True))
    exact = ["system_a", "system_b", "gain", "p_value", "p_two_sided", "p_holm", "p_bh"]
    assert tables[0][exact].equals(tables[1][exact])
    for column in ("correlation", "standard_error", "gain_low", "gain_high"):
        assert tables[0][column].to_numpy() == pytest.approx(tables[1][column].to_numpy(), rel=1e-6)


def test_no_pairs_is_an_empty_table():
    stats = random_stats(1, 1, 30)
    table = pair_table(bootstrap(stats, Resampling(100)), ["only"], np.array([], dtype=str))
    assert tuple(table.columns)[: len(PAIR_COLUMNS)] == PAIR_COLUMNS
    assert table.empty


def test_normal_interval(result):
    """Gain -+ 1.96 standard errors (1.2816 at the level 0.8)."""
    middle, reach = result.gain, 1.959964 * result.standard_error
    low, high = gain_interval(result, "normal").T
    assert low == pytest.approx(middle - reach, rel=1e-6)
    assert high == pytest.approx(middle + reach, rel=1e-6)
    narrow = gain_interval(result, "normal", 0.8)
    assert (narrow[:, 1] - middle) == pytest.approx(1.2815516 * result.standard_error, rel=1e-6)
    percentile = gain_interval(result)
    assert percentile == pytest.approx(gain_interval(result, "normal"), abs=0.25 * result.standard_error.max())
    assert (percentile == result.gain_intervals()).all()


def test_intervals_of_scores(result):
    """Score -+ 1.96 times the spread of the resampled scores, or their percentiles."""
    reach = 1.959964 * np.sqrt(np.diag(result.covariance))
    low, high = score_interval(result, "normal").T
    assert low == pytest.approx(result.scores - reach, rel=1e-6)
    assert high == pytest.approx(result.scores + reach, rel=1e-6)
    assert (score_interval(result) == result.score_intervals()).all()


def test_unknown_interval(result):
    for interval_of in (gain_interval, score_interval):
        with pytest.raises(ChoiceError, match=r"No interval called 'exact'. Available: normal, percentile"):
            interval_of(result, "exact")


def test_matrix_of_p():
    """a beats b: its p stands in a's row and b's column, and nothing in b's row."""
    stats = shares([[1, 1, 1, 0], [1, 0, 0, 0]])
    named = Stats(("a", "b"), stats.values, stats.metric)
    table = pair_table(bootstrap(named, Resampling(500)), ["a", "b"], np.array(["x"]))
    matrix = p_matrix(table, ["b", "a"])
    assert matrix.index.tolist() == matrix.columns.tolist() == ["b", "a"]
    assert matrix.loc["a", "b"] == table["p_two_sided"][0]
    assert matrix.isna().to_numpy().sum() == 3


def test_the_matrix_has_a_p_that_speaks_against_the_winner_in_the_others_row():
    """A wins by corpus score; a test with one-sided p = 0.99 and two-sided 0.02 favours B, one with 0.8 nobody."""
    pairs = pd.DataFrame({"system_a": ["a", "a"], "system_b": ["b", "c"], "p_value": [0.99, 0.8]})
    matrix = p_matrix(pairs.assign(p_two_sided=[0.02, 0.6]), ["a", "b", "c"])
    assert matrix.loc["b", "a"] == 0.02
    assert matrix.loc["a", "c"] == 0.6
    assert matrix.notna().to_numpy().sum() == 2
