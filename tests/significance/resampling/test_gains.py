"""Steps of gains, and ties of scores."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.significance.resampling.bootstrap import ties
from nlpsig_core.significance.resampling.gains import common_step, gain_step
from tests.builders import shares


@pytest.mark.parametrize(
    ("values", "step"),
    [([6, 10, 15], 1), ([-6, 0, 9], 3), ([0.5, 0.75], 0.25), ([7], 7), ([100 / 24, 100 / 36], 100 / 72)],
)
def test_the_common_step_is_the_greatest_common_divisor(values, step):
    assert common_step(np.array(values, dtype=float), 1e-6) == pytest.approx(step)


@pytest.mark.parametrize("values", [[], [0.0], [1.0, np.sqrt(2)], [1.0, 1e-7]])
def test_values_without_a_common_step_above_the_finest(values):
    assert common_step(np.array(values), 1e-6) == 0.0


def test_ties_are_relative_to_the_larger_score():
    """1e-11 of 100 is 1e-9, of 0.1 it is 1e-12; the sign of a score does not matter."""
    np.testing.assert_allclose(ties(np.array([100.0, 0.05, -100.0]), np.array([50.0, 0.1, 2.0])), [1e-9, 1e-12, 1e-9])


def test_a_right_answer_of_four_is_a_step_of_25():
    assert gain_step(shares([[1, 0, 1, 1], [0, 1, 1, 1]])) == pytest.approx(25)
    assert gain_step(shares([[1, 0], [1, 0]])) == 0.0
