"""Equivalence within a gain, and the answers to each pair."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.stats

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.pair_table import pair_table
from nlpsig_core.significance.comparison.verdict import answers, speaks_against
from nlpsig_core.significance.paired_tests.bootstrap import equivalent
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats
from tests.builders import shares


def test_answers():
    """Significant is better, be it equivalent or not; what is neither is undecided."""
    alone, nobody = np.array([True, True, False, False]), np.zeros(4, dtype=bool)
    same = np.array([False, True, True, False])
    assert answers(alone, None, nobody, same).tolist() == ["better", "better", "equivalent", "undecided"]


def test_alone_and_among_all():
    """A gain that the correction takes away is one on its own; a correction alone makes nothing significant."""
    alone, corrected = np.array([True, True, False]), np.array([True, False, True])
    found = answers(alone, corrected, np.zeros(3, dtype=bool), same=True)
    assert found.tolist() == ["better", "better on its own", "equivalent"]


def test_a_test_that_favours_the_other_system_makes_no_winner_better():
    alone = np.array([True, True])
    against = speaks_against(np.array([0.99, 0.01]), np.array([0.02, 0.02]))
    assert answers(alone, alone, against).tolist() == ["undecided", "better"]


def test_nothing_is_equivalent_until_a_gain_is_named():
    """Two systems with the same statistics in every unit: undecided, and equivalent within any gain that is named."""
    stats = shares([[1, 0, 1, 1], [1, 0, 1, 1]])
    result = bootstrap(stats, Resampling(100))
    tables = [
        pair_table(result, stats, np.array(["x"]), np.array(["g", "g"]), notion=Notion(within=within))
        for within in (None, 1e-6)
    ]
    assert [table["verdict"][0] for table in tables] == ["undecided", "equivalent"]
    assert [table["inside_low"].isna()[0] for table in tables] == [True, False]


def test_the_bounds_are_those_of_the_90_percent_interval():
    stats = shares([[1, 1, 0] * 40, [1, 0, 1] * 40])
    result = bootstrap(stats, Resampling(10_000))
    reach = np.abs(result.gain_intervals(0.9)).max()
    assert equivalent(result, reach + 1e-9).tolist() == [True]
    assert equivalent(result, reach - 1e-9).tolist() == [False]
    assert (np.abs(result.gain_intervals(0.95)) > reach).any()


def test_the_usual_level_is_that_of_the_usual_notion():
    """Bounds between the ends of the 90% and the 88% interval: not equivalent at 0.05, equivalent at 0.06."""
    result = bootstrap(shares([[1, 1, 0] * 40, [1, 0, 1] * 40], of=7), Resampling(10_000))
    at_5, at_6 = (np.abs(result.gain_intervals(1 - 2 * level)).max() for level in (Notion().level, 0.06))
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
            p = max(scipy.stats.ttest_1samp(gains, side * within, alternative=alternative).pvalue
                    for side, alternative in ((-1, "greater"), (1, "less")))  # fmt: skip
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
    result = SimpleNamespace(gain_intervals=lambda share: np.array([[low, high]]))
    assert equivalent(result, 0.5).tolist() == [same]
