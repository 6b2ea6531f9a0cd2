"""Thresholds: the percentile, its window, the model beside it, and when there is none; what if."""

from __future__ import annotations

import math
from functools import partial
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.significance.comparison.needed_gain import needed_gain
from nlpsig_core.significance.comparison.thresholds import (
    COLUMNS,
    PUBLISHED,
    Rule,
    how_good,
    those_first,
    threshold_table,
    what_if,
    wilson,
)


def pairs(rows, comparison: str = "different groups", level: float = 0.05) -> pd.DataFrame:
    """Rows of (gain, p), each of two groups of its own, with the standard error that makes a normal gain's p."""
    gains, p = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    errors = [g / NormalDist().inv_cdf(1 - min(max(q, 1e-6), 0.98) / 2) for g, q in zip(gains, p, strict=True)]
    first, second = ([f"{side}{i}" for i in range(len(gains))] for side in "ab")
    return pd.DataFrame(
        {
            "system_a": first,
            "system_b": second,
            "group_a": first,
            "group_b": second,
            "comparison": comparison,
            "units": 500,
            "gain": gains,
            "p_alone": p,
            "p": p,
            "significant": p < level,
            "standard_error": errors,
        }
    )


def only(table: pd.DataFrame) -> pd.Series:
    assert len(table) == 1
    return table.iloc[0]


def test_threshold_by_pencil():
    """Gains in the window 1.0, 1.1, 1.2, 1.3, 1.4: the 95th percentile is 1.3 + 0.8 * 0.1 = 1.38.

    Above it: 1.4 (p = 0.05, not below) and 3 (p = 0.001): precision 1/2. Significant: p < 0.05 are the
    four of 0.04 to 0.045 and the one of 0.001, of which one is above: recall 1/5.
    """
    table = pairs([(1.0, 0.04), (1.1, 0.041), (1.2, 0.044), (1.3, 0.045), (1.4, 0.05), (0.2, 0.4), (3, 0.001)])
    row = only(threshold_table(table, Rule(fewest=5)))
    assert row["threshold"] == pytest.approx(1.38)
    assert (row["pairs_in_window"], row["pairs"]) == (5, 7)
    assert row["precision"] == pytest.approx(1 / 2)
    assert row["recall"] == pytest.approx(1 / 5)
    assert row["reason"] == ""


def test_what_is_significant_is_decided_elsewhere():
    """The window is of the unadjusted p, precision and recall are of what another p decides: here two of six."""
    table = pairs([(1, 0.05)] * 5 + [(2, 0.01)]).assign(significant=[True, *[False] * 4, True])
    row = only(threshold_table(table, Rule(fewest=5)))
    assert (row["pairs_in_window"], row["threshold"]) == (5, 1)
    assert (row["precision"], row["recall"]) == (1, 1 / 2)


def test_both_edges_belong_to_the_window():
    table = pairs([(1, 0.04), (2, 0.06), (3, 0.0399), (4, 0.0601)])
    assert only(threshold_table(table, Rule(fewest=1)))["pairs_in_window"] == 2
    wide = only(threshold_table(table, Rule(fewest=1, window=(0.0, 1.0))))
    assert wide["pairs_in_window"] == 4


@pytest.mark.parametrize("window", [[0.04, 0.06], np.array([0.04, 0.06])])
def test_rules_with_equal_windows_are_equal(window):
    assert Rule(window=window) == Rule(window=(0.04, 0.06))
    assert hash(Rule(window=window)) == hash(Rule(window=(0.04, 0.06)))


@pytest.mark.parametrize("fewest", [2.5, float("nan"), "many"])
def test_a_number_of_pairs_is_whole(fewest):
    with pytest.raises(ChoiceError, match=r"fewest is .*; choose a whole number"):
        Rule(fewest=fewest)


def test_the_window_follows_the_level_until_it_is_chosen():
    """At 0.05 it is the paper's; at 0.01 the pairs with p near 0.05 say nothing, and have no part."""
    assert Rule().borders == (0.04, 0.06)
    assert Rule(level=0.01).borders == (0.008, 0.012)
    assert Rule(level=0.9).borders == (0.72, 1.0)
    assert Rule(level=0.01, window=(0.04, 0.06)).borders == (0.04, 0.06)
    table = pairs([(1, 0.05)] * 30 + [(2, 0.01)] * 20)
    assert only(threshold_table(table, Rule(level=0.01)))["threshold"] == 2


def test_standard_errors_at_the_level():
    """1.960 by the two-sided p, 1.645 by the one-sided."""
    assert Rule().z == pytest.approx(1.959964)
    assert Rule(sides="one").z == pytest.approx(1.644854)
    assert Rule(level=0.1).z == pytest.approx(1.644854)


def test_level_window_and_percentile_can_be_chosen():
    table = pairs([(g, 0.01) for g in (1, 2, 3, 4, 5)] + [(9, 0.05)], level=0.02)
    row = only(threshold_table(table, Rule(level=0.02, window=(0.005, 0.015), percentile=50, fewest=5)))
    assert row["threshold"] == 3
    assert (row["precision"], row["recall"]) == (pytest.approx(2 / 3), pytest.approx(2 / 5))


def test_too_few_pairs_give_a_reason_and_no_number():
    row = only(threshold_table(pairs([(1, 0.05), (2, 0.3)])))
    assert row["reason"] == "1 pair with p in 0.04 to 0.06; 20 are needed"
    assert row["model_reason"] == "2 pairs with a difference up to 4 times what they need; 10 are needed"
    numbers = ("threshold", "precision", "recall")
    assert all(math.isnan(row[c]) for c in (*numbers, *(f"model_{c}" for c in (*numbers, "low", "high"))))
    few = only(threshold_table(pairs([(1, 0.05)] * 19)))
    assert few["reason"] == "19 pairs with p in 0.04 to 0.06; 20 are needed"
    assert only(threshold_table(pairs([(1, 0.05)] * 20)))["reason"] == ""


def test_pairs_on_few_units_give_no_threshold():
    """They are left out; where all pairs are, each class has the reason in place of its numbers."""
    few, enough = pairs([(9, 0.05)] * 5).assign(units=19), pairs([(1, 0.05)] * 5).assign(units=20)
    row = only(threshold_table(pd.concat([few, enough]), Rule(fewest=5)))
    assert row[["threshold", "pairs", "pairs_in_window", "reason"]].tolist() == [1, 5, 5, ""]
    row = only(threshold_table(few, Rule(fewest=5)))
    assert row["reason"] == row["model_reason"] == "19 units; 20 are needed"
    assert math.isnan(row["threshold"])


def test_each_comparison_has_its_own_row():
    """In one order; pairs with an invalid output and pairs without gain take no part."""
    table = pd.concat(
        [
            pairs([(1, 0.05)] * 5, "same group"),
            pairs([(2, 0.05)] * 5),
            pairs([(3, 0.05)] * 5, "system combination"),
            pairs([(9, 0.05)] * 5, "invalid output"),
            pairs([(0, 0.05)] * 5),
        ]
    )
    found = threshold_table(table, Rule(fewest=5))
    assert found["comparison"].tolist() == ["different groups", "same group", "system combination"]
    assert found["threshold"].tolist() == [2, 1, 3]
    assert found["pairs"].tolist() == [5, 5, 5]


def test_the_columns_of_the_estimate_that_is_shown_come_first():
    columns = ["size", *COLUMNS]
    assert those_first(columns, "window") == columns
    by_model = those_first(columns, "model")
    assert by_model[:3] == ["size", "comparison", "model_threshold"]
    assert by_model[-1] == "reason"
    assert sorted(by_model) == sorted(columns)


def test_columns_are_the_same_without_any_pair():
    assert tuple(threshold_table(pairs([(1, 0.05)])).columns) == COLUMNS
    empty = threshold_table(pairs([(1, 0.05)]).head(0))
    assert tuple(empty.columns) == COLUMNS
    assert empty.empty


def test_the_model_is_that_of_needed_gains():
    """For each class by itself, at the rule's number of standard errors and percentile, without pairs far apart."""
    rows = [(1 + i / 20, 0.02 + 0.01 * i) for i in range(30)]
    table = pd.concat(
        [
            pairs(rows),
            pairs([(2 * g, p) for g, p in rows], "same group"),
            pairs([(90, 1e-6)] * 3).assign(standard_error=0.1),
        ]
    )
    rule = Rule(level=0.1, sides="one", percentile=80)
    found = threshold_table(table, rule).set_index("comparison")
    for comparison, of_class in table.groupby("comparison"):
        expected = needed_gain(of_class, rule.z, 80)
        row = found.loc[comparison]
        names = ["model_threshold", "model_low", "model_high", "model_pairs"]
        assert row[names].tolist() == [expected.threshold, expected.low, expected.high, 30]
        above = of_class["gain"] > expected.threshold
        assert row["model_precision"] == pytest.approx(of_class.loc[above, "significant"].mean())


def test_both_estimates_agree_where_gains_are_normal():
    """600 pairs whose p follows from gain and standard error: both must find nearly the same gain."""
    rng = np.random.default_rng(1)
    errors = rng.normal(0.63, 0.04, 600) ** 2
    gains = np.abs(rng.normal(0, 1, 600)) * errors * 2
    p = np.array([2 - 2 * NormalDist().cdf(g / s) for g, s in zip(gains, errors, strict=True)])
    table = pairs(list(zip(gains, p, strict=True))).assign(standard_error=errors)
    row = only(threshold_table(table))
    assert row["threshold"] == pytest.approx(row["model_threshold"], rel=0.05)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"level": 0.0}, "the level 0.0 is not between 0 and 1"),
        ({"level": 2}, "the level 2 is not between 0 and 1"),
        ({"level": "0.05"}, "level is '0.05'; choose a number"),
        ({"window": 0.05}, "the window 0.05 has to be two shares"),
        ({"window": ("a", "b")}, "low is 'a'; choose a number"),
        ({"window": (0.06, 0.04)}, r"window \(0.06, 0.04\) must be rising"),
        ({"window": (-0.1, 0.04)}, "must be rising"),
        ({"percentile": 0.0}, "the percentile 0.0 is not between 0 and 100"),
        ({"percentile": 101}, "the percentile 101 is not between"),
        ({"fewest": 0}, "a threshold cannot rest on 0 pairs; choose 1 or more"),
        ({"sides": "both"}, "number of sides"),
        ({"seed": -1}, "The seed -1 is negative; choose 0 or more"),
        ({"seed": None}, "seed is None; choose a whole number"),
    ],
)
def test_rules_that_make_no_sense(wrong, reason):
    with pytest.raises(ChoiceError, match=reason):
        Rule(**wrong)


def test_how_good_without_any_above_or_significant():
    """Nothing above: precision is of nothing; nothing significant: recall is; no threshold: both."""
    found = how_good(pairs([(1, 0.01)]), 2)
    assert math.isnan(found["precision"])
    assert found["recall"] == 0
    found = how_good(pairs([(1, 0.3)]), 0.5)
    assert found["precision"] == 0
    assert math.isnan(found["recall"])
    assert all(math.isnan(value) for value in how_good(pairs([(1, 0.3)]), math.nan).values())


def test_what_if_by_pencil():
    """About 1.0 within a fifth: 0.8 to 1.2 are three pairs, four times each, two of them significant.

    0.79 and 1.3 are not near. Six groups are too few to say how far it holds for others.
    """
    near = [(0.8, 0.3), (1.0, 0.04), (1.2, 0.01)] * 4
    groups = ["a", "b", "c"] * 4 + ["d", "e"]
    table = pairs([*near, (0.79, 0.01), (1.3, 0.01)]).assign(group_a=groups, group_b=groups)
    row = only(what_if(table, 1.0))
    assert (row["comparison"], row["pairs"], row["significant"]) == ("different groups", 12, 8)
    assert row["share"] == pytest.approx(2 / 3)
    assert math.isnan(row["low"])
    assert math.isnan(row["high"])


@pytest.mark.parametrize(("n", "known"), [(9, False), (10, True)])
def test_fewer_than_ten_pairs_have_no_share(n, known):
    row = only(what_if(pairs([(1.0, 0.01)] * n), 1.0))
    assert (row["pairs"], row["significant"], row["share"] == 1) == (n, n, known)


def test_near_is_a_share_of_the_gain():
    """A fifth of 5 is 1, so 4 and 6 are near, 3.9 and 6.1 are not; within a tenth, neither is."""
    table = pairs([(3.9, 0.01), (4.0, 0.01), (6.0, 0.3), (6.1, 0.01)])
    assert only(what_if(table, 5.0))["pairs"] == 2
    assert only(what_if(table, 5.0, nearness=0.1))["pairs"] == 0


def test_what_if_of_independent_pairs_is_no_surer_than_wilson():
    """60 pairs of 120 groups, half of them significant. A pair counts as often as both its groups are drawn, which
    varies three times as much as being drawn itself (1 * 2 * 2 - 1 = 3 of two Poisson numbers): up to sqrt(3) wider."""
    row = only(what_if(pairs([(1, 0.01), (1, 0.3)] * 30), 1.0))
    low, high = wilson(30, 60)
    assert high - low <= row["high"] - row["low"] <= 1.75 * (high - low)


def test_what_if_is_less_sure_where_pairs_share_groups():
    """All 45 pairs of ten groups; the 9 of one group are not significant. Without it the share is 1, not 4/5."""
    complete = [(f"g{i}", f"g{j}") for i in range(10) for j in range(i)]
    rows = [(1.0, 0.3 if "g0" in both else 0.01) for both in complete]
    table = pairs(rows).assign(group_a=[a for a, _ in complete], group_b=[b for _, b in complete])
    row = only(what_if(table, 1.0))
    low, high = wilson(36, 45)
    assert row["share"] == pytest.approx(4 / 5)
    assert row["high"] - row["low"] > 1.5 * (high - low)
    alike = only(what_if(table.assign(significant=True), 1.0))
    assert (alike["low"], alike["high"]) == pytest.approx(wilson(5, 5))


def test_what_if_of_pairs_within_groups_counts_groups():
    """40 groups with three pairs each, of which all are significant or none: as sure as 40 pairs, not 120."""
    table = pairs([(1, 0.01 if place % 6 < 3 else 0.3) for place in range(120)], "same group")
    groups = [f"g{place // 3}" for place in range(120)]
    row = only(what_if(table.assign(group_a=groups, group_b=groups), 1.0))
    low, high = wilson(20, 40)
    assert (row["low"], row["high"]) == pytest.approx((low, high), rel=0.05)


def test_what_if_of_groups_that_all_agree_counts_each_once():
    """Twelve groups with two pairs each, all significant: as sure as twelve of twelve, not six or 24."""
    table = pairs([(1, 0.01)] * 24, "same group")
    groups = [f"g{place // 2}" for place in range(24)]
    row = only(what_if(table.assign(group_a=groups, group_b=groups), 1.0))
    assert (row["low"], row["high"]) == pytest.approx(wilson(12, 12))


def test_what_if_nothing_is_near():
    near = pairs([(5, 0.01)] * 10, "same group")
    table = pd.concat([pairs([(1, 0.01)]), near, pairs([(1, 1)], "invalid output")])
    found = what_if(table, 5.0).set_index("comparison")
    assert list(found.index) == ["different groups", "same group"]
    assert found.loc["different groups", "pairs"] == 0
    assert math.isnan(found.loc["different groups", "share"])
    assert math.isnan(found.loc["different groups", "low"])
    assert found.loc["same group", "share"] == 1


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_equals_scipy(hits_of):
    hits, n = hits_of
    theirs = binomtest(hits, n).proportion_ci(method="wilson")
    assert wilson(hits, n) == pytest.approx((theirs.low, theirs.high), abs=1e-6)


def test_published_thresholds():
    """Read off the paper: 3.1.1 (ROUGE), 3.2.2 (UAS), 3.2.3 (BLEU), 3.2.4 (AER), 3.2.5 and 4.1 (bracket F1)."""
    read_off = [1.10, 1.20, 1.51, 0.28, 0.37, 0.50, 1.12, 0.47, 0.57, 0.22, 3.00]
    assert PUBLISHED["threshold"].tolist() == read_off
    same = PUBLISHED[PUBLISHED["comparison"] == "same model type"]["threshold"].to_numpy()
    different = PUBLISHED[PUBLISHED["comparison"] == "different model types"]["threshold"].to_numpy()
    assert (same < different).all()


@pytest.mark.parametrize("lacking", ["gain", "significant", "group_b"])
def test_a_table_without_a_column_is_refused_with_its_name(lacking):
    table = pairs([(1, 0.05)] * 20).drop(columns=lacking)
    for run in (threshold_table, partial(what_if, gain=1.0)):
        with pytest.raises(ChoiceError, match=f"The table of pairs has no column {lacking!r}; it has system_a, "):
            run(table)
