"""Power: the units that a gain needs, by pencil and by simulation."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpsig_core.bootstrap import bootstrap
from nlpsig_core.errors import ChoiceError
from nlpsig_core.metrics import METRICS
from nlpsig_core.power import Aim, needed_units, power_by_class, power_curve
from nlpsig_core.resampling import Resampling
from nlpsig_core.significance import p_values, pair_table
from nlpsig_core.stats import Stats
from tests.builders import ERROR_RATE, random_stats

Z95, Z80 = NormalDist().inv_cdf(0.95), NormalDist().inv_cdf(0.8)
DIFFERENT, SAME = "different groups", "same group"


def pairs(errors, comparison: str = DIFFERENT, gain: float = 0.1) -> pd.DataFrame:
    """Rows of pairs with these standard errors, and one gain."""
    names = {"system_a": [f"a{i}" for i in range(len(errors))], "system_b": [f"b{i}" for i in range(len(errors))]}
    numbers = {"gain": gain, "p_value": 0.3, "standard_error": np.array(errors, dtype=float)}
    return pd.DataFrame(names | {"comparison": comparison} | numbers)


def only(table: pd.DataFrame) -> pd.Series:
    assert len(table) == 1
    return table.iloc[0]


def test_needed_units_by_pencil():
    """z(0.95) = 1.645 and z(0.8) = 0.842 make 2.486, squared 6.183.

    A standard error of 0.5 on 1,000 units and a gain of 1: 1,000 * 6.183 / 4 = 1,546 units. Errors of
    0.3, 0.4, 0.5, 0.6, 0.7 need 557, 990, 1,546, 2,226 and 3,030; the 10th and 90th percentiles of errors are
    0.34 and 0.66: 715 and 2,694. For two of five the 1,000 are enough.
    """
    row = only(needed_units(pairs([0.3, 0.4, 0.5, 0.6, 0.7]), 1_000, Aim(1.0)))
    assert (row["units"], row["low"], row["high"]) == (1_546, 715, 2_694)
    assert row["share_enough"] == pytest.approx(2 / 5)
    assert (row["pairs"], row["extrapolated"], row["reason"]) == (5, True, "")


def test_twice_the_gain_needs_a_quarter():
    """1,546 / 4 = 386.4: 387, and now all are within the data."""
    row = only(needed_units(pairs([0.5] * 5), 1_000, Aim(2.0)))
    assert (row["units"], row["low"], row["high"]) == (387, 387, 387)
    assert (row["share_enough"], row["extrapolated"]) == (1, False)


def test_two_sided_and_more_power_need_more():
    """(1.960 + 0.842)^2 = 7.849 and (1.645 + 1.282)^2 = 8.564, where 6.183 is the usual."""
    table = pairs([1.0] * 5)
    assert only(needed_units(table, 1_000, Aim(1.0, two_sided=True)))["units"] == 7_849
    assert only(needed_units(table, 1_000, Aim(1.0, power=0.9)))["units"] == 8_564
    level = only(needed_units(table, 1_000, Aim(1.0, level=0.01)))["units"]
    assert level == math.ceil(1_000 * (NormalDist().inv_cdf(0.99) + Z80) ** 2)


def test_a_whole_number_is_not_rounded_up():
    """A gain of a seventh of what 100 units need takes 4,900, though floats make it 4,900.000000000002."""
    for error in (0.5, 1.0, 1.7):
        aim = Aim((Z95 + Z80) * error / 7)
        assert aim.needed(100, np.array([error])).tolist() == [4_900]


def test_no_test_set_is_smaller_than_two_units():
    assert Aim(100.0).needed(1_000, np.array([0.01, 0.0])).tolist() == [2, 2]


def test_only_pairs_of_similar_score_count():
    """They are those of the threshold from standard errors: a gain of at most 2 * 1.645 standard errors."""
    near = pairs([0.5] * 5, gain=2 * Z95 * 0.5 - 1e-6)
    far = pairs([0.9] * 5, gain=2 * Z95 * 0.9 + 1e-6)
    both = pd.concat([near, far])
    row = only(needed_units(both, 1_000, Aim(1.0)))
    assert (row["pairs"], row["high"]) == (5, 1_546)


def test_needed_units_equal_a_plain_loop():
    result = bootstrap(random_stats(2, 10, 80), Resampling(2_000))
    table = pair_table(result, [f"s{i}" for i in range(10)], np.array([DIFFERENT, SAME])[np.arange(45) % 2])
    found = needed_units(table, 80, Aim(0.8, 0.05, 0.9)).set_index("comparison")
    for comparison in (DIFFERENT, SAME):
        needed = []
        for row in table.itertuples():
            if row.comparison == comparison and 0 < row.gain <= 2 * Z95 * row.standard_error:
                units = 2
                while row.standard_error * math.sqrt(80 / units) * (Z95 + NormalDist().inv_cdf(0.9)) > 0.8:
                    units += 1
                needed.append(units)
        assert found.loc[comparison, "pairs"] == len(needed) > 5
        assert found.loc[comparison, "share_enough"] == np.mean(np.array(needed) <= 80)
        assert min(needed) <= found.loc[comparison, "low"] <= found.loc[comparison, "units"]
        assert found.loc[comparison, "units"] <= found.loc[comparison, "high"] <= max(needed)
        if len(needed) % 2:
            assert found.loc[comparison, "units"] == np.median(needed)


def test_few_pairs_give_a_reason_and_no_number():
    table = pd.concat([pairs([0.5] * 6), pairs([0.5], SAME), pairs([0.5] * 9, "invalid output"), pairs([1], gain=0)])
    found = needed_units(table, 100, Aim(1.0)).set_index("comparison")
    assert list(found.index) == [DIFFERENT, SAME]
    assert found.loc[DIFFERENT, "pairs"] == 6
    assert found.loc[SAME, "reason"] == "1 pair of similar score; 5 are needed"
    assert found.loc[SAME, ["units", "low", "high", "share_enough"]].isna().all()
    assert not found.loc[SAME, "extrapolated"]
    assert needed_units(pairs([0.5] * 3), 9, Aim(1.0))["reason"].tolist() == ["3 pairs of similar score; 5 are needed"]
    assert needed_units(table.head(0), 100, Aim(1.0)).empty


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"gain": 0.0}, "A gain of 0 cannot be found by any number of units; choose one above 0"),
        ({"gain": -1.0}, "A gain of -1 cannot be found"),
        ({"gain": math.nan}, "A gain of nan cannot be found"),
        ({"gain": math.inf}, "A gain of inf cannot be found"),
        ({"power": 1.0}, r"A power of 1 at the level 0\.05; choose a level above 0 and a power between it and 1"),
        ({"power": 0.05}, r"A power of 0\.05 at the level 0\.05"),
        ({"level": 0.0}, r"A power of 0\.8 at the level 0;"),
        ({"level": 0.9}, r"A power of 0\.8 at the level 0\.9"),
    ],
)
def test_aims_that_make_no_sense(wrong, reason):
    with pytest.raises(ChoiceError, match=reason):
        Aim(**({"gain": 1.0} | wrong))


def test_test_sets_that_are_too_small():
    with pytest.raises(ChoiceError, match="Standard errors on 1 units; 2 are needed at least"):
        needed_units(pairs([1.0] * 5), 1, Aim(1.0))
    for sizes in ([1, 10], []):
        with pytest.raises(ChoiceError, match="A test set has 2 units at least; choose sizes from 2 on"):
            power_curve(100, 1.0, Aim(1.0), sizes)


def test_power_by_pencil():
    """A gain of 1.645 standard errors is what p = 0.05 takes: the chance to see as much again is a half.

    On four times the units the standard error is half as large: Phi(2 * 1.645 - 1.645) = 0.95. On a quarter
    it is Phi(1.645 / 2 - 1.645) = Phi(-0.822) = 0.205.
    """
    curve = power_curve(100, 2.0, Aim(2 * Z95), [25, 100, 400])
    assert curve["power"].tolist() == pytest.approx([0.2054, 0.5, 0.95], abs=1e-4)
    assert curve["extrapolated"].tolist() == [False, False, True]
    assert curve["enough"].tolist() == [False, False, True]


def test_a_curve_has_the_present_size_and_the_first_that_is_enough():
    """6.183 / 1.645^2 = 2.285: where p = 0.05, power 80 % takes 2.285 times as many units."""
    curve = power_curve(1_000, 0.4, Aim(0.4 * Z95))
    assert 1_000 in curve["units"].to_list()
    first = curve[curve["enough"]].iloc[0]
    assert first["units"] == math.ceil(1_000 * (Z95 + Z80) ** 2 / Z95**2) == 2_286
    assert 0.8 <= first["power"] < 0.8005
    assert (curve["units"] % 1 == 0).all()
    assert curve["units"].iloc[0] >= 2
    assert curve["units"].is_monotonic_increasing
    assert curve["power"].is_monotonic_increasing


@given(
    n=st.integers(2, 100_000),
    error=st.floats(1e-3, 1e3),
    ratio=st.floats(0.01, 30),
    level=st.sampled_from([0.001, 0.05, 0.2]),
    power=st.floats(0.3, 0.999),
    two_sided=st.booleans(),
)
def test_needed_units_are_the_first_with_the_power(n, error, ratio, level, power, two_sided):
    """With them the power is as wanted, with one less it is not; a curve marks what is enough accordingly."""
    aim = Aim(ratio * error, level, power, two_sided)
    needed = float(aim.needed(n, np.array(error)))
    curve = power_curve(n, error, aim, [needed, needed + 1] if needed == 2 else [needed - 1, needed])
    assert curve["enough"].tolist() == ([True, True] if needed == 2 else [False, True])
    assert curve["power"].iloc[curve["enough"].argmax()] >= power - 1e-9
    if needed > 2:
        assert curve["power"].iloc[0] < power + 1e-9


def test_systems_that_always_differ_by_the_same():
    """No standard error: two units are enough."""
    curve = power_curve(50, 0.0, Aim(1.0))
    assert (curve["power"] == 1).all()
    assert curve["enough"].all()


def test_power_by_class_is_that_of_its_median_pair():
    table = pd.concat([pairs([0.3, 0.4, 0.5, 0.6, 0.7]), pairs([0.2] * 5, SAME), pairs([0.5], "system combination")])
    aim = Aim(1.0)
    found = power_by_class(table, 1_000, aim)
    assert found["comparison"].unique().tolist() == [DIFFERENT, SAME]
    rows = found[found["comparison"] == DIFFERENT].reset_index(drop=True)
    columns = ["units", "power", "extrapolated", "enough"]
    pd.testing.assert_frame_equal(rows[columns], power_curve(1_000, 0.5, aim))
    for column, error in (("low", 0.66), ("high", 0.34)):
        expected = power_curve(1_000, error, aim, rows["units"])["power"]
        np.testing.assert_allclose(rows[column], expected)
    needed = needed_units(table, 1_000, aim).set_index("comparison")["units"]
    for comparison, of_class in found.groupby("comparison"):
        assert of_class.loc[of_class["enough"], "units"].min() == needed[comparison]
    given_sizes = power_by_class(table, 1_000, aim, sizes=[100, 5_000])
    assert given_sizes["units"].tolist() == [100, 5_000] * 2
    assert list(power_by_class(table.head(0), 1_000, aim).columns) == list(found.columns)


def population(metric, seed: int = 0) -> Stats:
    """200,000 units of two systems, the second better: in most of the words both are right or wrong together."""
    rng, n = np.random.default_rng(seed), 200_000
    words = rng.integers(5, 30, n)
    both = rng.binomial(words, 0.7)
    right = np.stack([both + rng.binomial(words - both, share) for share in (0.40, 0.43)])
    if metric is ERROR_RATE:
        right = words - right
    gold = np.broadcast_to(words, right.shape)
    columns = [right, gold] if metric is ERROR_RATE else [right, gold, gold]
    return Stats(("A", "B"), np.stack(columns, axis=2).astype(np.int32), metric)


def share_found(everyone: Stats, size: int, two_sided: bool, rng: np.random.Generator) -> float:
    """The share of 1,000 test sets drawn from the population where B beats A with p < 0.05.

    Twenty test sets stand side by side as twenty pairs of systems on as many units, and share their resamples.
    """
    found = 0
    for batch in range(50):
        units = rng.integers(0, everyone.n_units, (20, size))
        values = everyone.values[:, units].transpose(1, 0, 2, 3).reshape(40, size, -1)
        result = bootstrap(Stats(tuple(map(str, range(40))), values, everyone.metric), Resampling(1_000, batch))
        a, b = result.pairs.T
        found += int((p_values(result)[int(two_sided)][(a % 2 == 1) & (b == a - 1)] < 0.05).sum())
    return found / 1_000


@pytest.mark.parametrize(
    ("metric", "two_sided"),
    [(METRICS["LAS"], False), (ERROR_RATE, True)],
    ids=["LAS, one-sided", "error rate, two-sided"],
)
def test_power_by_simulation(metric, two_sided):
    """The share of 1,000 test sets of each size with p < 0.05, the better system ahead, is the power.

    The formula knows the true gain and the standard error on one test set of 40,000 units. The share has a
    standard error of 0.016 at most, of which 0.065 is four: a false alarm in one of 2,500 seeds for six shares.
    """
    everyone, rng = population(metric), np.random.default_rng(5)
    gain = float(np.abs(np.diff(everyone.scores))[0])
    present = bootstrap(everyone.take(rng.integers(0, everyone.n_units, 40_000)), Resampling(2_000))
    sizes = [100, 400, 1_000]
    curve = power_curve(40_000, float(present.standard_error[0]), Aim(gain, two_sided=two_sided), sizes)
    assert curve["power"].iloc[0] < 0.3
    assert curve["power"].iloc[2] > 0.8
    found = [share_found(everyone, size, two_sided, rng) for size in sizes]
    assert found == pytest.approx(curve["power"].tolist(), abs=0.065)


def test_the_standard_error_shrinks_with_the_square_root():
    """On 250 and 4,000 units of a population the ratio is 4; 250 units know a standard error to 5 %, and 0.2 is
    four of these."""
    everyone, rng = population(METRICS["LAS"]), np.random.default_rng(1)
    errors = [
        float(bootstrap(everyone.take(rng.integers(0, everyone.n_units, m)), Resampling(4_000)).standard_error[0])
        for m in (250, 4_000)
    ]
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.2)


def test_an_aim_is_frozen_and_says_how_many_errors_make_p():
    assert Aim(1.0).z == pytest.approx(1.644854)
    assert replace(Aim(1.0), two_sided=True).z == pytest.approx(1.959964)
