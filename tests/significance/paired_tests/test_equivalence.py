"""Equivalence within a gain, by the percentile interval of resampled gains."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.stats

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.paired_tests.bootstrap import equivalent
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats
from tests.builders import shares


def test_the_bounds_are_those_of_the_90_percent_interval():
    stats = shares([[1, 1, 0] * 40, [1, 0, 1] * 40])
    result = bootstrap(stats, Resampling(10_000))
    reach = np.abs(result.gain_intervals(0.9)).max()
    assert equivalent(result, reach + 1e-9).tolist() == [True]
    assert equivalent(result, reach - 1e-9).tolist() == [False]
    assert (np.abs(result.gain_intervals(0.95)) > reach).any()


def test_the_usual_level_is_5_percent():
    """Bounds between the ends of the 90% and the 88% interval: not equivalent at 0.05, equivalent at 0.06."""
    result = bootstrap(shares([[1, 1, 0] * 40, [1, 0, 1] * 40], of=7), Resampling(10_000))
    at_5, at_6 = (np.abs(result.gain_intervals(1 - 2 * level)).max() for level in (0.05, 0.06))
    within = (at_5 + at_6) / 2
    assert equivalent(result, within).tolist() == [False]
    assert equivalent(result, within, 0.06).tolist() == [True]


def test_two_one_sided_t_tests_agree():
    """A mean of 60 normal differences: both one-sided t-tests at 0.05 reject just where the interval is inside."""
    rng = np.random.default_rng(8)
    for shift in (0.0, 0.15, 0.3):
        gains = rng.normal(shift, 1, 60)
        values = np.stack([np.stack([gains, np.zeros(60)]), np.ones((2, 60))], axis=2)
        result = bootstrap(Stats(("a", "b"), values, METRICS["mean"]), Resampling(20_000))
        for within in (0.1, 0.2, 0.3, 0.5, 0.8):
            above = scipy.stats.ttest_1samp(gains, -within, alternative="greater").pvalue
            p = max(above, scipy.stats.ttest_1samp(gains, within, alternative="less").pvalue)
            if abs(np.log(p / 0.05)) > 0.5:
                assert equivalent(result, within)[0] == (p < 0.05)


@pytest.mark.parametrize("within", [0, -1, float("nan")])
def test_systems_cannot_be_the_same_within_nothing(within):
    result = bootstrap(shares([[1, 0], [0, 1]]), Resampling(10))
    with pytest.raises(ChoiceError, match="choose a gain above 0"):
        equivalent(result, within)
    with pytest.raises(ChoiceError, match=r"choose a level between 0 and 0\.5"):
        equivalent(result, 1, 0.5)


@pytest.mark.parametrize(("low", "high", "same"), [(-0.4, 0.4, True), (-0.6, 0.4, False), (-0.4, 0.6, False)])
def test_both_ends_of_the_interval_must_be_inside(low, high, same):
    result = SimpleNamespace(gain_intervals=lambda level: np.array([[low, high]]))
    assert equivalent(result, 0.5).tolist() == [same]
