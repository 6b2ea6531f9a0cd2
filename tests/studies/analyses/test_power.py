"""Power: the units that a gain needs, by pencil and by simulation."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.comparison.detectable import Aim, detectable_gain
from nlpsig_core.significance.comparison.pair_table import pair_table
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.studies.analyses.power import (
    Errors,
    cautious_gain,
    detectable_by_class,
    detectable_gains,
    errors_of_class,
    errors_of_pair,
    gain_to_plan_with,
    needed_by_pair,
    needed_units,
    power_by_class,
    power_curve,
    with_freedom,
)
from tests.builders import random_stats, shares

Z95, Z80, Z975 = (NormalDist().inv_cdf(share) for share in (0.95, 0.8, 0.975))
DIFFERENT, SAME = "different groups", "same group"


def pairs(errors, comparison: str = DIFFERENT, gain: float = 0.1) -> pd.DataFrame:
    """Rows of pairs with these standard errors, and one gain."""
    names = {"system_a": [f"a{i}" for i in range(len(errors))], "system_b": [f"b{i}" for i in range(len(errors))]}
    numbers = {"gain": gain, "p_value": 0.3, "standard_error": np.array(errors, dtype=float)}
    numbers |= {"freedom": np.inf, "effective": 1e9, "units": 1_000}
    return pd.DataFrame(names | {"comparison": comparison} | numbers)


def only(table: pd.DataFrame) -> pd.Series:
    assert len(table) == 1
    return table.iloc[0]


def one_sided(gain: float, level: float = 0.05, power: float = 0.8) -> Aim:
    return Aim(gain, level=level, power=power, sides="one")


def exactly(error: float) -> Errors:
    """A standard error without noise."""
    return Errors(error, error, error)


def test_needed_units_by_pencil():
    """z(0.95) = 1.645 and z(0.8) = 0.842 make 2.486, squared 6.183.

    A standard error of 0.5 on 1,000 units and a gain of 1: 1,000 * 6.183 / 4 = 1,546 units. Errors of
    0.3, 0.4, 0.5, 0.6, 0.7 need 557, 990, 1,546, 2,226 and 3,030: for two of five the 1,000 are enough.

    The range: logarithms of the errors have the mean -0.7362 and the variance 0.1121. Ten systems make 5 independent
    pairs, so that it reaches t(0.9, 5) = 1.476 times sqrt(0.1121 * 1.2) = 0.3668 to either side: errors of 0.2788
    and 0.8227, which need 481 and 4,185 units.
    """
    row = only(needed_units(pairs([0.3, 0.4, 0.5, 0.6, 0.7]), 1_000, one_sided(1.0)))
    assert row["units"] == 1_546
    assert (row["units_low"], row["units_high"]) == (481, 4_185)
    assert row["share_enough"] == pytest.approx(2 / 5)
    assert (row["pairs"], row["extrapolated"], row["reason"]) == (5, True, "")


def test_the_noise_of_standard_errors_widens_the_range():
    """Equal errors with 50 degrees of freedom each: exp(-+ 1.476 sqrt(1 / 100)) = 0.863 and 1.159 times 0.5."""
    low, middle, high = errors_of_class(pairs([0.5] * 5).assign(freedom=50.0))
    assert middle == 0.5
    assert (low, high) == pytest.approx((0.5 * 0.8628, 0.5 * 1.1591), rel=1e-3)


def test_a_whole_number_is_not_rounded_up():
    """A gain of a seventh of what 100 units need takes 4,900, though floats make it 4,900.000000000002."""
    for error in (0.5, 1.0, 1.7):
        aim = one_sided((Z95 + Z80) * error / 7)
        assert aim.needed(100, np.array([error])).tolist() == [4_900]


def test_only_pairs_of_similar_score_count():
    """A gain of at most twice 1.960 standard errors, or twice 1.645 by the one-sided p."""
    for sides, z in (("two", Z975), ("one", Z95)):
        near = pairs([0.5] * 5, gain=2 * z * 0.5 - 1e-6)
        far = pairs([0.9] * 5, gain=2 * z * 0.9 + 1e-6)
        row = only(needed_units(pd.concat([near, far]), 1_000, Aim(1.0, sides=sides)))
        assert row["pairs"] == 5
        assert row["units_low"] == row["units"] == row["units_high"]


def test_needed_units_equal_a_plain_loop():
    stats = random_stats(2, 10, 80)
    classes, groups = np.array([DIFFERENT, SAME])[np.arange(45) % 2], np.array(stats.names)
    table = with_freedom(pair_table(bootstrap(stats, Resampling(2_000)), stats, classes, groups), stats)
    found = needed_units(table, 80, one_sided(0.8, power=0.9)).set_index("comparison")
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
        low, middle, high = found.loc[comparison, ["units_low", "units", "units_high"]]
        assert low < middle < high
        if len(needed) % 2:
            assert found.loc[comparison, "units"] == np.median(needed)


def test_few_pairs_give_a_reason_and_no_number():
    table = pd.concat([pairs([0.5] * 6), pairs([0.5], SAME), pairs([0.5] * 9, "invalid output"), pairs([1], gain=0)])
    found = needed_units(table, 100, Aim(1.0)).set_index("comparison")
    assert list(found.index) == [DIFFERENT, SAME]
    assert found.loc[DIFFERENT, "pairs"] == 6
    assert found.loc[SAME, "reason"] == "1 pair of similar score; 5 are needed"
    assert found.loc[SAME, ["units", "units_low", "units_high", "share_enough"]].isna().all()
    assert not found.loc[SAME, "extrapolated"]
    assert needed_units(pairs([0.5] * 3), 9, Aim(1.0))["reason"].tolist() == ["3 pairs of similar score; 5 are needed"]
    assert needed_units(table.head(0), 100, Aim(1.0)).empty


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"gain": 0.0}, "A gain of 0 cannot be found by any number of units; choose one above 0"),
        ({"gain": -1.0}, "A gain of -1 cannot be found"),
        ({"gain": 1e-300}, "A gain of 1e-300 is too small to be found; choose one from 1e-12 on"),
        ({"gain": "x"}, "gain is 'x'; choose a number"),
        ({"gain": math.nan}, "A gain of nan cannot be found"),
        ({"gain": math.inf}, "A gain of inf cannot be found"),
        ({"power": 1.0}, r"A power of 1 at the level 0\.05; choose a level above 0 and a power between it and 1"),
        ({"power": 0.05}, r"A power of 0\.05 at the level 0\.05"),
        ({"level": 0.0}, r"A power of 0\.8 at the level 0;"),
        ({"level": 0.9}, r"A power of 0\.8 at the level 0\.9"),
        ({"sides": "both"}, "No side called 'both'. Available: one, two"),
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
            power_curve(100, exactly(1.0), Aim(1.0), sizes)


def test_power_by_pencil():
    """A gain of 1.645 standard errors is what p = 0.05 takes: the chance to see as much again is a half.

    On four times the units the standard error is half as large: Phi(2 * 1.645 - 1.645) = 0.95. On a quarter
    it is Phi(1.645 / 2 - 1.645) = Phi(-0.822) = 0.205.
    """
    curve = power_curve(100, exactly(2.0), one_sided(2 * Z95), [25, 100, 400])
    assert curve["power"].tolist() == pytest.approx([0.2054, 0.5, 0.95], abs=1e-4)
    assert curve["extrapolated"].tolist() == [False, False, True]
    assert curve["enough"].tolist() == [False, False, True]
    assert (curve["low"] == curve["power"]).all()
    assert (curve["high"] == curve["power"]).all()


def test_a_curve_has_the_present_size_and_the_first_that_is_enough():
    """6.183 / 1.645^2 = 2.285: where p = 0.05, power 80% takes 2.285 times as many units."""
    curve = power_curve(1_000, exactly(0.4), one_sided(0.4 * Z95))
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
    sides=st.sampled_from(["one", "two"]),
)
def test_needed_units_are_the_first_with_the_power(n, error, ratio, level, power, sides):
    """With them the power is as wanted, with one less it is not; a curve marks what is enough accordingly."""
    aim = Aim(ratio * error, level=level, power=power, sides=sides)
    needed = float(aim.needed(n, np.array(error)))
    curve = power_curve(n, exactly(error), aim, [needed, needed + 1] if needed == 2 else [needed - 1, needed])
    assert curve["enough"].tolist() == ([True, True] if needed == 2 else [False, True])
    assert curve["power"].iloc[curve["enough"].argmax()] >= power - 1e-9
    if needed > 2:
        assert curve["power"].iloc[0] < power + 1e-9


def test_power_by_class_is_that_of_its_median_pair():
    table = pd.concat([pairs([0.3, 0.4, 0.5, 0.6, 0.7]), pairs([0.2] * 5, SAME), pairs([0.5], "system combination")])
    aim = Aim(1.0)
    found = power_by_class(table, 1_000, aim)
    assert found["comparison"].unique().tolist() == [DIFFERENT, SAME]
    rows = found[found["comparison"] == DIFFERENT].reset_index(drop=True).drop(columns="comparison")
    errors = errors_of_class(table[table["comparison"] == DIFFERENT])
    pd.testing.assert_frame_equal(rows, power_curve(1_000, errors, aim))
    for column, error in (("low", errors.high), ("high", errors.low), ("power", 0.5)):
        np.testing.assert_allclose(rows[column], aim.chance(1_000, error, rows["units"].to_numpy()))
    needed = needed_units(table, 1_000, aim).set_index("comparison")["units"]
    for comparison, of_class in found.groupby("comparison"):
        assert of_class.loc[of_class["enough"], "units"].min() == needed[comparison]
    given_sizes = power_by_class(table, 1_000, aim, sizes=[100, 5_000])
    assert given_sizes["units"].tolist() == [100, 5_000] * 2
    assert list(power_by_class(table.head(0), 1_000, aim).columns) == list(found.columns)


def test_what_one_pair_needs_and_its_range():
    """Twice the standard error needs four times the units."""
    aim = one_sided(1.0)
    assert needed_by_pair(1_000, Errors(0.25, 0.5, 1.0), aim) == (387, 1_546, 6_183)
    with pytest.raises(ChoiceError, match="Standard errors on 1 units"):
        needed_by_pair(1, exactly(1.0), aim)


@given(error=st.floats(0.01, 100), level=st.sampled_from([0.001, 0.05]), sides=st.sampled_from(["one", "two"]))
def test_the_minimal_detectable_gain_is_the_one_that_the_units_are_enough_for(error, level, sides):
    gain = float(detectable_gain(error, level, sides, 0.9))
    aim = Aim(gain, level=level, power=0.9, sides=sides)
    assert aim.needed(500, np.array(error)) == 500
    assert aim.chance(500, error, np.array(500.0)) == pytest.approx(0.9)


def test_detectable_gains_of_pairs():
    """Errors of 0.1 and 1 need 0.28 and 2.80: an observed gain of 0.5 is above the first alone."""
    table = pd.concat(
        [pairs([1.0, 0.1], gain=0.5), pairs([0.1], "invalid output"), pairs([0.0], gain=0.0)], ignore_index=True
    )
    found = detectable_gains(table, 0.05, "two")
    assert found["detectable"].tolist() == pytest.approx([0.28016, 2.8016], rel=1e-4)
    assert found["above"].tolist() == [True, False]
    assert found.index.tolist() == [1, 0]
    row = only(detectable_by_class(table, 0.05, "two"))
    assert (row["comparison"], row["pairs"], row["above"]) == (DIFFERENT, 2, 1)
    assert math.isnan(row["median"])


def test_the_median_pair_of_similar_score_makes_the_detectable_gain_of_a_class():
    """Errors 0.3 to 0.7 with a small gain, and one pair so far apart that it does not count: 2.8016 * 0.5."""
    near, far = pairs([0.3, 0.4, 0.5, 0.6, 0.7]), pairs([2.0], gain=9.0)
    row = only(detectable_by_class(pd.concat([near, far], ignore_index=True), 0.05, "two"))
    assert (row["pairs"], row["above"]) == (6, 1)
    assert row["median"] == pytest.approx(2.8016 * 0.5, rel=1e-4)
    few = pairs([0.3, 0.4, 0.5, 0.6, 0.7]).assign(effective=11.0)
    by_t = (scipy.stats.t.ppf(0.975, 10) + scipy.stats.t.ppf(0.8, 10)) * math.sqrt(11 / 10)
    assert only(detectable_by_class(few, 0.05, "two"))["median"] == pytest.approx(by_t * 0.5)
    assert detectable_gains(few.assign(effective=1.0), 0.05, "two").empty
    assert detectable_gains(few.assign(units=5), 0.05, "two").empty
    identical = pairs([0.0] * 3, gain=0.0)
    assert detectable_by_class(identical, 0.05, "two").empty


def observed(low: float) -> pd.Series:
    return pd.Series({"system_a": "A", "system_b": "B", "gain": 1.0, "gain_low": low})


def test_what_is_planned_with_is_the_lower_end_of_the_interval():
    assert cautious_gain(observed(0.3)) == 0.3
    for low in (0.0, -0.2):
        with pytest.raises(ChoiceError, match="do not exclude that A has no gain over B at all: the 95% interval of"):
            cautious_gain(observed(low))


@pytest.mark.parametrize(("verdict", "low", "planned"), [
    ("better", 0.3, 0.3), ("better on its own", 0.3, 0.3), ("undecided", 0.3, 1.0), ("undecided", -0.2, 1.0),
    ("better", -0.2, 1.0),
])  # fmt: skip
def test_an_undecided_pair_is_planned_with_its_observed_gain(verdict, low, planned):
    """Its interval may exclude 0 where another p than the bootstrap's decides. A gain to ignore comes first."""
    pair = pd.concat([observed(low), pd.Series({"verdict": verdict})])
    assert gain_to_plan_with(pair) == planned
    assert gain_to_plan_with(pair, within=0.5) == 0.5


def means(values: np.ndarray, names: list[str]) -> Stats:
    """Statistics of unit scores (systems, units)."""
    return Stats(tuple(names), np.stack([values, np.ones_like(values)], axis=2), METRICS["mean"])


def test_degrees_of_freedom_by_pencil():
    """A wins 2 of 8 units and B none, all else ties: influences on the mean are 2 of 1, 6 of 0, but for a factor.

    Centred 3/4 twice and -1/4 six times: the mean square is 3/16, the mean fourth power (2 * 81 + 6) / 8 / 256 =
    21/256, the kurtosis 21/256 * 256/9 = 7/3. So 16 / (7/3 - 5/7) = 16 * 21 / 34 degrees of freedom.
    """
    stats = shares([[1, 1, 0, 0, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1, 1, 1]])
    table = pd.DataFrame(
        {"system_a": ["system0", "system1"], "system_b": ["system1", "system2"], "standard_error": 1.0}
    )
    assert with_freedom(table, stats)["freedom"].tolist() == pytest.approx([16 * 21 / 34, math.inf])


def test_standard_errors_to_plan_with_leave_out_the_variance_of_runs():
    """Each unit is worth 0 or 100 in all runs but those of unit 0: a mean's variance over n units is var / n.

    Runs of A have 8 and 16 of 32 units right: their mean varies by 100^2 * (1/4)^2 / 2 / 2 = 156.25, far more than
    resampling units does.
    """
    right = np.arange(32)
    outputs = 100.0 * np.array([right < 8, right < 16, right % 4 == 0])
    stats = Stats(("A", "B"), means(outputs, list("abc")).values, METRICS["mean"], runs=(2, 1))
    table = pair_table(bootstrap(stats, Resampling(200_000)), stats, np.array([DIFFERENT]), np.array(["g", "h"]))
    gains = outputs[:2].mean(axis=0) - outputs[2]
    error, drawn = with_freedom(table, stats)["standard_error"][0], table["standard_error"][0]
    assert error == pytest.approx(math.sqrt(gains.var() / 32), rel=0.01)
    assert drawn**2 == pytest.approx(error**2 + 156.25, rel=0.01)


def test_range_of_a_standard_error_is_that_of_scipy():
    from scipy.stats import chi2

    low, middle, high = errors_of_pair(2.0, 30)
    assert (low, middle, high) == pytest.approx(
        (2 * math.sqrt(30 / chi2.ppf(0.9, 30)), 2.0, 2 * math.sqrt(30 / chi2.ppf(0.1, 30)))
    )
    assert errors_of_pair(2.0, math.inf) == (2.0, 2.0, 2.0)


@pytest.mark.parametrize("lacking", ["gain", "standard_error", "freedom"])
def test_a_table_without_a_column_is_refused_with_its_name(lacking):
    table = pairs([1.0] * 20).drop(columns=lacking)
    for run in (needed_units, power_by_class):
        with pytest.raises(ChoiceError, match=f"The table of pairs has no column {lacking!r}; it has "):
            run(table, 100, Aim(1.0))
