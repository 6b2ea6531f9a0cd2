"""What a gain is worth to people, by pencil."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.studies.people.worth import AGREED, fewest_pairs, worth

COLUMNS = ["system_a", "system_b", "gain", "gain_people", "verdict_people"]


def table(*answers: tuple[float, int, str]) -> pd.DataFrame:
    """Pairs with their gain, which system people prefer (1, 0, -1) and their verdict, all of the same systems."""
    return pd.DataFrame([("a", "b", *answer) for answer in answers], columns=COLUMNS)


def of_systems(n: int, agree: bool = True) -> pd.DataFrame:
    """All pairs of systems of which people think as the metric does, or the opposite; a gain is a distance."""
    rows = [(f"s{a}", f"s{b}", float(b - a), 1 if agree else -1, "better") for b in range(n) for a in range(b)]
    return pd.DataFrame(rows, columns=COLUMNS)


def test_the_curve_never_falls():
    """Answers 0, 1, 0, 1, 1 by gain: the second falls to the third, so both are 1/2."""
    pairs = table((1, -1, "worse"), (2, 1, "undecided"), (3, -1, "undecided"), (4, 1, "better"), (5, 1, "undecided"))
    curve = worth(pairs).curve
    assert curve["gain"].tolist() == [1, 2, 3, 4, 5]
    assert curve["pairs"].tolist() == [5, 4, 3, 2, 1]
    assert curve["prefer"].tolist() == [0, 0.5, 0.5, 1, 1]
    assert curve["prefer_significantly"].tolist() == [0, 0, 0, 0.5, 0.5]


def test_equal_gains_share_a_place_equal_pairs_count_half_and_ties_of_the_metric_are_left_out():
    """At the gain 1 people prefer one winner and have no preference for the other: 3/4."""
    pairs = table((0, 1, "better"), (1, 1, "better on its own"), (1, 0, "undecided"), (2, 1, "better"))
    curve = worth(pairs).curve
    assert curve["prefer"].tolist() == [0.75, 1]
    assert curve["prefer_significantly"].tolist() == [0.5, 1]
    assert curve["pairs"].tolist() == [3, 1]


def test_a_threshold_is_the_smallest_gain_that_reaches_the_share():
    """People agree from the gain 7 on, but for the gain 15: of 7 to 15 they agree in 8/9, of the others in all."""
    answers = [(gain, 1 if gain > 6 and gain != 15 else -1, "better") for gain in range(1, 36)]
    rows = worth(table(*answers)).thresholds
    assert rows["share"].tolist() == list(AGREED)
    assert rows["gain"].tolist() == [7, 16]
    assert rows["pairs"].tolist() == [29, 20]


def test_no_threshold_where_the_data_end():
    """Nine pairs above are too few; people who never agree give none at all, nor do pairs without a gain."""
    few = worth(table(*((gain, 1 if gain > 5 else -1, "better") for gain in range(1, 15)))).thresholds.iloc[0]
    assert np.isnan(few["gain"])
    assert few["reason"] == "only 9 pairs have a gain of 6.00 or more; 10 are needed, since pairs share systems"
    never = worth(of_systems(6, agree=False)).thresholds.iloc[1]
    assert (np.isnan(never["gain"]), never["reason"]) == (True, "at the largest gains the share is 0%")
    assert worth(table((0, 1, "better"))).thresholds["reason"].tolist() == ["no pair has a gain"] * 2


def test_a_high_share_takes_more_pairs_of_more_systems():
    """All 171 pairs of 9 * 19 that agree and 19 that agree by half: 180.5 / 190 = 0.95. For 0.8: 1.5 * 19 = 28.5."""
    assert fewest_pairs(0.95, 20) == 171
    assert fewest_pairs(0.8, 20) == 29
    assert fewest_pairs(0.8, 3) == 10


@pytest.mark.parametrize("n", [7, 8])
def test_an_interval_needs_eight_systems(n):
    """Where people always agree, drawing systems changes nothing but the gains that are there."""
    found = worth(of_systems(n), draws=50)
    known = found.curve["prefer_low"].notna()
    assert known.all() == (n == 8)
    assert (found.curve.loc[known, "prefer_low"] == 1).all()
    first = found.thresholds.iloc[0]
    assert first["gain"] == 1
    assert (first["low"] == 1) == (n == 8)
    assert first["reason"] == ("" if n == 8 else "no interval: it needs 8 rated systems")


def test_pairs_of_a_system_are_drawn_together():
    """Without s0, which people dislike, all agree, and some draws lack it: the interval ends at 1."""
    pairs = of_systems(9)
    pairs["gain_people"] = np.where(pairs["system_a"] == "s0", -1, 1)
    one, two = (worth(pairs, draws=200, seed=3).curve for _ in range(2))
    pd.testing.assert_frame_equal(one, two)
    assert (one["prefer_high"] == 1).all()
    assert (one["prefer_low"] < one["prefer"]).all()
