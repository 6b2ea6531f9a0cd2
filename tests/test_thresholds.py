"""Thresholds: the percentile, its window, its interval, and when there is none."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from nlpsig_core.errors import ChoiceError
from nlpsig_core.thresholds import PUBLISHED, Rule, how_good, threshold_table, what_if, wilson

Z = NormalDist().inv_cdf(0.95)


def pairs(rows, comparison: str = "different groups", system_a=None) -> pd.DataFrame:
    """Rows of (gain, p), each with the standard error that a normal gain of that p would have."""
    gains, p = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    errors = [g / NormalDist().inv_cdf(1 - min(max(q, 1e-6), 0.49)) for g, q in zip(gains, p, strict=True)]
    return pd.DataFrame(
        {
            "system_a": system_a or [f"a{i}" for i in range(len(gains))],
            "system_b": [f"b{i}" for i in range(len(gains))],
            "comparison": comparison,
            "gain": gains,
            "p_value": p,
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
    row = only(threshold_table(table))
    assert row["threshold"] == pytest.approx(1.38)
    assert (row["pairs_in_window"], row["pairs"]) == (5, 7)
    assert row["precision"] == pytest.approx(1 / 2)
    assert row["recall"] == pytest.approx(1 / 5)
    assert row["reason"] == ""
    assert row["low"] <= row["threshold"] <= row["high"] <= 1.4


def test_both_edges_belong_to_the_window():
    table = pairs([(1, 0.04), (2, 0.06), (3, 0.0399), (4, 0.0601)])
    assert only(threshold_table(table, Rule(fewest=1)))["pairs_in_window"] == 2
    wide = only(threshold_table(table, Rule(fewest=1, window=(0.0, 1.0))))
    assert wide["pairs_in_window"] == 4


def test_level_window_and_percentile_can_be_chosen():
    table = pairs([(g, 0.01) for g in (1, 2, 3, 4, 5)] + [(9, 0.05)])
    row = only(threshold_table(table, Rule(level=0.02, window=(0.005, 0.015), percentile=50)))
    assert row["threshold"] == 3
    assert (row["precision"], row["recall"]) == (pytest.approx(2 / 3), pytest.approx(2 / 5))


def test_too_few_pairs_give_a_reason_and_no_number():
    row = only(threshold_table(pairs([(1, 0.05), (2, 0.3)])))
    assert row["reason"] == "1 pair with p in 0.04 to 0.06; 5 are needed"
    assert all(math.isnan(row[c]) for c in ("threshold", "low", "high", "precision", "recall"))
    assert only(threshold_table(pairs([(1, 0.3)] * 3)))["reason"] == "0 pairs with p in 0.04 to 0.06; 5 are needed"
    assert only(threshold_table(pairs([(1, 0.05)] * 5)))["reason"] == ""


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
    found = threshold_table(table)
    assert found["comparison"].tolist() == ["different groups", "same group", "system combination"]
    assert found["threshold"].tolist() == [2, 1, 3]
    assert found["pairs"].tolist() == [5, 5, 5]


def test_columns_begin_as_the_command_line_shows_them():
    first = ["comparison", "threshold", "low", "high", "pairs_in_window", "pairs", "precision", "recall"]
    assert list(threshold_table(pairs([(1, 0.05)])).columns[:8]) == first
    empty = threshold_table(pairs([(1, 0.05)]).head(0))
    assert list(empty.columns[:8]) == first
    assert empty.empty


def test_estimate_from_standard_errors_by_pencil():
    """A pair of standard error s reaches p = 0.05 at the gain 1.645 s. Five pairs need 1, 2, 3, 4, 5.

    The one that needs 1 has a gain of 10, more than twice that, and is left out: of 2, 3, 4, 5 the 50th
    percentile is 3.5. With reach infinity it is 3.
    """
    table = pairs([(1, 0.3)] * 5).assign(standard_error=np.array([1, 2, 3, 4, 5]) / Z, gain=[10, 2, 2, 2, 2])
    row = only(threshold_table(table, Rule(percentile=50, fewest=4)))
    assert (row["se_threshold"], row["se_pairs"]) == (pytest.approx(3.5), 4)
    row = only(threshold_table(table, Rule(percentile=50, reach=math.inf)))
    assert (row["se_threshold"], row["se_pairs"]) == (pytest.approx(3), 5)


def test_both_estimates_agree_where_gains_are_normal():
    """2,000 pairs whose p follows from gain and standard error: both must find nearly the same gain."""
    rng = np.random.default_rng(1)
    errors = rng.uniform(0.3, 0.5, 2_000)
    gains = np.abs(rng.normal(0, 1, 2_000)) * errors * 2
    p = np.array([1 - NormalDist().cdf(g / s) for g, s in zip(gains, errors, strict=True)])
    table = pairs(list(zip(gains, p, strict=True))).assign(standard_error=errors)
    row = only(threshold_table(table))
    assert row["threshold"] == pytest.approx(row["se_threshold"], rel=0.05)


def test_interval_is_wide_where_one_system_decides():
    """Four pairs of s0 have the gain 3, six pairs of the others 1: the 90th percentile hangs on s0.

    Of five systems drawn from five, s0 is missing in (4/5)^5 = 33 % of the draws, so the interval goes
    down to 1; ten pairs drawn from ten would miss all four in 0.6 %, and it would be 3 to 3.
    """
    complete = [(f"s{i}", f"s{j}") for i in range(5) for j in range(i)]
    rows = [(3.0 if b == "s0" else 1.0, 0.05) for _, b in complete]
    table = pairs(rows).assign(system_a=[a for a, _ in complete], system_b=[b for _, b in complete])
    row = only(threshold_table(table, Rule(percentile=90)))
    assert (row["low"], row["threshold"], row["high"]) == (1, 3, 3)


def test_interval_is_the_same_every_time():
    table = pairs([(1 + i / 10, 0.05) for i in range(20)])
    assert threshold_table(table).equals(threshold_table(table))
    assert not threshold_table(table).equals(threshold_table(table, Rule(seed=1)))


def test_the_order_of_pairs_does_not_matter():
    table = pairs([(1 + i / 10, 0.04 + i / 1000) for i in range(20)])
    assert threshold_table(table.sample(frac=1, random_state=1)).equals(threshold_table(table))


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"level": 0.0}, "level 0.0 and window"),
        ({"level": 1.0}, "must be rising shares between 0 and 1"),
        ({"window": (0.06, 0.04)}, r"window \(0.06, 0.04\) must be rising"),
        ({"window": (-0.1, 0.04)}, "must be rising"),
        ({"percentile": 0.0}, "the percentile 0.0 is not between 0 and 100"),
        ({"percentile": 101}, "the percentile 101 is not between"),
        ({"fewest": 0}, "a threshold cannot rest on 0 pairs; choose 1 or more"),
    ],
)
def test_rules_that_make_no_sense(wrong, reason):
    with pytest.raises(ChoiceError, match=reason):
        Rule(**wrong)


def test_how_good_without_any_above_or_significant():
    """Nothing above: precision is of nothing; nothing significant: recall is."""
    found = how_good(pairs([(1, 0.01)]), 2, 0.05)
    assert math.isnan(found["precision"])
    assert found["recall"] == 0
    found = how_good(pairs([(1, 0.3)]), 0.5, 0.05)
    assert found["precision"] == 0
    assert math.isnan(found["recall"])


def test_what_if_by_pencil():
    """About 1.0 within a fifth: 0.8 to 1.2 are three pairs, two of them significant. 0.79 and 1.3 are not."""
    table = pairs([(0.79, 0.01), (0.8, 0.3), (1.0, 0.04), (1.2, 0.01), (1.3, 0.01)])
    row = only(what_if(table, 1.0))
    assert (row["comparison"], row["pairs"], row["significant"]) == ("different groups", 3, 2)
    assert row["share"] == pytest.approx(2 / 3)
    assert (row["low"], row["high"]) == pytest.approx(wilson(2, 3))


def test_what_if_nothing_is_near():
    table = pd.concat([pairs([(1, 0.01)]), pairs([(5, 0.01)], "same group"), pairs([(1, 1)], "invalid output")])
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
