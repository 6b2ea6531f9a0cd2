"""Effect sizes: by pencil, by scipy, and how often their intervals hold the truth."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.studies.pair.units import effect_size, share_won
from tests.builders import ERROR_RATE, shares


def of_gains(gains: np.ndarray) -> Stats:
    """Two systems whose scores differ by these gains in each unit."""
    values = np.stack([np.stack([gains, np.zeros(len(gains))]), np.ones((2, len(gains)))], axis=2)
    return Stats(("a", "b"), values, METRICS["mean"])


def test_the_gain_in_standard_deviations_by_pencil():
    """Gains 1, 2, 3, 6: mean 3, deviation sqrt((4 + 1 + 0 + 9) / 3) = 2.160, so d = 1.389."""
    found = effect_size(of_gains(np.array([1.0, 2, 3, 6])))
    assert found.value == pytest.approx(3 / np.sqrt(14 / 3))
    assert found.low < found.value < found.high


def test_the_share_of_units_won_is_of_those_that_differ():
    """Three won, one lost, two tied: 3/4, with Wilson's interval as scipy has it."""
    found = share_won(shares([[1, 1, 1, 0, 1, 0], [0, 0, 0, 1, 1, 0]]))
    theirs = binomtest(3, 4).proportion_ci(method="wilson")
    assert found == pytest.approx((0.75, theirs.low, theirs.high), abs=1e-6)


def test_lower_is_better():
    assert share_won(shares([[0, 0, 1], [1, 1, 0]], ERROR_RATE)).value == pytest.approx(2 / 3)
    assert effect_size(shares([[0, 0, 1, 0], [1, 1, 0, 1]], ERROR_RATE)).value > 0


def test_systems_that_never_differ_have_no_effect_size():
    same = shares([[1, 0, 1], [1, 0, 1]])
    assert np.isnan(effect_size(same)).all()
    assert np.isnan(share_won(same)).all()


def test_a_gain_that_is_the_same_in_every_unit_has_no_effect_size():
    """0.1 + 0.2 - 0.2 is not 0.1 but for rounding: what spreads by that alone does not spread."""
    base = np.random.default_rng(0).random(50)
    values = np.stack([np.stack([base + 0.1, base]), np.ones((2, 50))], axis=2)
    assert np.isnan(effect_size(Stats(("a", "b"), values, METRICS["mean"]))).all()
