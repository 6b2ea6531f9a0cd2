"""Equivalence within a gain, by the percentile interval of resampled gains."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.stats

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.paired_tests.bootstrap import equivalent
from nlpsig_core.significance.paired_tests.small_sample import differences
from nlpsig_core.significance.resampling.bootstrap import Bootstrap, bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats
from tests.builders import shares


def same(stats: Stats, result: Bootstrap, within: float, level: float = 0.05) -> bool:
    """Whether the only pair is equivalent."""
    return bool(equivalent(result, within, differences(stats, result.pairs).effective, level)[0])


def test_the_bounds_are_those_of_the_90_percent_interval_by_differing_units():
    """80 of 120 units differ, so the tails are those of 80 units: Phi(sqrt(80 / 79) t), with t of 79 degrees."""
    stats = shares([[1, 1, 0] * 40, [1, 0, 1] * 40])
    result = bootstrap(stats, Resampling(10_000), keep=True)
    tail = 100 * scipy.stats.norm.cdf(np.sqrt(80 / 79) * scipy.stats.t.ppf(0.05, 79))
    first, second = result.resampled
    reach = np.abs(np.percentile(first - second, [tail, 100 - tail])).max()
    assert same(stats, result, reach + 1e-9)
    assert not same(stats, result, reach - 1e-9)


def test_the_usual_level_is_5_percent():
    """Bounds between the ends of the 90% and the 88% interval: not equivalent at 0.05, equivalent at 0.06."""
    stats = shares([[1, 1, 0] * 40, [1, 0, 1] * 40], of=7)
    result = bootstrap(stats, Resampling(10_000))
    ends = (result.equivalence_intervals(1 - 2 * level, np.array([80.0])) for level in (0.05, 0.06))
    within = np.mean([np.abs(of_level).max() for of_level in ends])
    assert not same(stats, result, within)
    assert same(stats, result, within, 0.06)


@pytest.mark.parametrize(("differing", "known"), [(0, True), (1, False), (2, False), (3, True)])
def test_two_differing_units_say_nothing_and_identical_systems_are_the_same(differing, known):
    """With D = 2, the tail Phi(sqrt(2) t_1) = Phi(-8.9) holds no resample; with D = 3 it is Phi(-3.6) = 0.00017."""
    stats = shares([[1] * 50, [0] * differing + [1] * (50 - differing)])
    result = bootstrap(stats, Resampling(20_000))
    ends = result.equivalence_intervals(0.9, differences(stats, result.pairs).effective)
    assert np.isfinite(ends).all() == known
    assert same(stats, result, 1e-6) == (differing == 0)
    assert same(stats, result, 60) == known


@pytest.mark.slow
def test_few_differing_units_do_not_hide_a_loss_at_the_bound():
    """500 systems lose 0.3% and win 0.2% of 500 units, as many as the bound of 0.1% allows; 2.5 differ on average.

    At most 5% of the one-sided tests may say that the loss is smaller: 46 or more of 500 would be 4.3 standard errors
    above, by a chance of 1e-5. By all units in place of differing ones it is more. Identical outputs are left out:
    nothing is tested there.
    """
    outcome, within = np.random.default_rng(5).random((500, 500)), 0.1
    said = []
    for lost, won in zip(outcome < 0.003, outcome > 0.998, strict=True):
        stats = shares([1 - won, 1 - lost])
        result = bootstrap(stats, Resampling(500))
        effective = differences(stats, result.pairs).effective
        intervals = result.equivalence_intervals(0.9, effective)[0], result.gain_intervals(0.9, np.array([500.0]))[0]
        second_wins = result.pairs[0, 0] == 1
        lows = [low if second_wins else -high for low, high in intervals]
        said.append([low > -within and effective[0] > 0 for low in lows])
    by_differing, by_all = np.sum(said, axis=0)
    assert by_differing < 46 <= by_all


def test_two_one_sided_t_tests_agree():
    """A mean of 60 normal differences: both one-sided t-tests at 0.05 reject just where the interval is inside."""
    rng = np.random.default_rng(8)
    for shift in (0.0, 0.15, 0.3):
        gains = rng.normal(shift, 1, 60)
        values = np.stack([np.stack([gains, np.zeros(60)]), np.ones((2, 60))], axis=2)
        stats = Stats(("a", "b"), values, METRICS["mean"])
        result = bootstrap(stats, Resampling(20_000))
        for within in (0.1, 0.2, 0.3, 0.5, 0.8):
            above = scipy.stats.ttest_1samp(gains, -within, alternative="greater").pvalue
            p = max(above, scipy.stats.ttest_1samp(gains, within, alternative="less").pvalue)
            if abs(np.log(p / 0.05)) > 0.5:
                assert same(stats, result, within) == (p < 0.05)


@pytest.mark.parametrize("within", [0, -1, float("nan")])
def test_systems_cannot_be_the_same_within_nothing(within):
    stats = shares([[1, 0], [0, 1]])
    result = bootstrap(stats, Resampling(10))
    with pytest.raises(ChoiceError, match="choose a gain above 0"):
        same(stats, result, within)
    with pytest.raises(ChoiceError, match=r"choose a level between 0 and 0\.5"):
        same(stats, result, 1, 0.5)


@pytest.mark.parametrize(("low", "high", "alike"), [(-0.4, 0.4, True), (-0.6, 0.4, False), (-0.4, 0.6, False)])
def test_both_ends_of_the_interval_must_be_inside(low, high, alike):
    result = SimpleNamespace(equivalence_intervals=lambda level, effective: np.array([[low, high]]))
    assert equivalent(result, 0.5, np.array([9.0])).tolist() == [alike]
