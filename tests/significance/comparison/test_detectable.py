"""The minimal detectable gain and the units that a true gain needs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, t

from nlpsig_core.significance.comparison.detectable import Aim, detectable_gain, detectable_of_pairs


def test_the_usual_detectable_gain_is_2_80_standard_errors():
    """z(0.975) + z(0.8) = 1.960 + 0.842; by the winner's one-sided p z(0.95) = 1.645 takes the place of 1.960."""
    assert detectable_gain(2.0) == pytest.approx(2 * (1.959964 + 0.841621), abs=1e-5)
    assert detectable_gain(2.0, sides="one") == pytest.approx(2 * (1.644854 + 0.841621), abs=1e-5)


def test_level_and_power_can_be_chosen():
    """z(0.995) + z(0.9) = 2.576 + 1.282."""
    assert detectable_gain(1.0, level=0.01, power=0.9) == pytest.approx(2.575829 + 1.281552, abs=1e-5)


def test_with_degrees_of_freedom_the_quantiles_are_students():
    expected = t.ppf(0.975, 4) + t.ppf(0.8, 4)
    assert detectable_gain(1.0, freedom=4) == pytest.approx(expected)


def test_two_sided_the_gain_of_a_pair_depends_on_its_differing_units():
    """D = 5: sqrt(5 / 4) times the standard error, with 4 degrees of freedom; with D below 2 it is not known."""
    found = detectable_of_pairs(np.ones(3), np.array([5.0, 2.0, 1.9]), 100, 0.05, "two")
    expected = [np.sqrt(d / (d - 1)) * (t.ppf(0.975, d - 1) + t.ppf(0.8, d - 1)) for d in (5, 2)]
    np.testing.assert_allclose(found, [*expected, np.nan])
    one_sided = detectable_of_pairs(np.array([1.0, 1.0]), np.array([5.0, 1.9]), 100, 0.05, "one")
    np.testing.assert_allclose(one_sided, norm.ppf(0.95) + norm.ppf(0.8))


def test_on_too_few_units_no_gain_can_be_found():
    """Two-sided, 2 / 2^5 is above 0.05 and 2 / 2^7 above 0.01: the chance of p below the level is 0, as power says."""
    for level, fewest in ((0.05, 6), (0.01, 8)):
        n = np.array([fewest - 1, fewest])
        found = detectable_of_pairs(np.ones(2), n.astype(float), n, level, "two")
        assert np.isnan(found).tolist() == [True, False]
        assert (Aim(9.0, level=level).chance(100, 1.0, n) == 0).tolist() == [True, False]


def test_a_standard_error_of_0_does_not_say_that_any_gain_could_be_found():
    """Gains of 1 in both of 2 units: no resample changes it, and yet p = 0.26 by the small-sample p."""
    for sides in ("two", "one"):
        assert np.isnan(detectable_of_pairs(np.zeros(2), np.array([2.0, 30.0]), 100, 0.05, sides)).all()


def test_the_usual_aim_is_a_two_sided_p_below_0_05_in_four_of_five_test_sets():
    """A gain of 1 standard error of 100 units needs 100 (1.960 + 0.842)^2 = 784.9 units, so 785."""
    aim = Aim(1.0)
    assert (aim.level, aim.power, aim.sides) == (0.05, 0.8, "two")
    assert aim.z == pytest.approx(1.959964)
    assert aim.needed(100, np.array([1.0])).tolist() == [785]
    assert aim.chance(100, 1.0, np.array([785.0]))[0] == pytest.approx(0.8, abs=1e-3)


def test_twice_the_gain_needs_a_quarter_of_the_units():
    """And is found on these with the same chance; of a pair without a standard error it is found for certain."""
    assert Aim(2.0).needed(100, np.array([1.0, 2.0])).tolist() == [197, 785]
    chances = Aim(2.0).chance(100, 2.0, np.array([100.0, 785.0]))
    np.testing.assert_allclose(chances, norm.cdf([1 - norm.ppf(0.975), np.sqrt(7.85) - norm.ppf(0.975)]))
    assert Aim(2.0).chance(100, 0.0, np.array([100.0])).tolist() == [1.0]


@pytest.mark.parametrize(
    ("level", "sides"), [(0.05, "two"), (0.05, "one"), (0.0625, "two"), (0.001, "two"), (0.4, "one")]
)
def test_no_fewer_units_are_planned_than_can_decide(level, sides):
    """Of 2^m ways to swap m outputs, one is as good as if one system wins everywhere, or two in both directions."""
    aim = Aim(100.0, level=level, sides=sides, power=0.9)
    ways = {"one": 1, "two": 2}[sides]
    fewest = next(m for m in range(2, 99) if ways / 2**m < level)
    assert aim.needed(50, np.array([0.1])).tolist() == [fewest]
    chances = aim.chance(50, 0.1, np.array([fewest - 1, fewest]))
    assert (chances[0], chances[1] > 0.99) == (0, True)
