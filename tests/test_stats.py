"""Stats: the array of statistics and what can be done with it."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.stats import Stats
from tests.builders import ACCURACY, ERROR_RATE, random_stats, shares


def test_totals_and_scores_by_pencil():
    """System 0 has 1 + 0 + 1 of 3 right, system 1 has 1 + 1 + 1: 66.67 and 100."""
    stats = shares([[1, 0, 1], [1, 1, 1]])
    assert stats.totals.tolist() == [[2, 3], [3, 3]]
    assert stats.scores == pytest.approx([200 / 3, 100])
    assert (stats.n_systems, stats.n_units) == (2, 3)


def test_take_by_index_and_by_mask():
    stats = shares([[1, 0, 1], [1, 1, 0]])
    assert stats.take(np.array([0, 0, 2])).totals.tolist() == [[3, 3], [2, 3]]
    assert stats.take(np.array([True, False, True])).totals.tolist() == [[2, 2], [1, 2]]


def test_of_some_systems():
    stats = shares([[1, 0, 1], [1, 1, 0], [0, 0, 0]]).of([2, 0])
    assert stats.names == ("system2", "system0")
    assert stats.totals.tolist() == [[0, 3], [2, 3]]


def test_group_by_sums_inside_documents():
    """Documents y (units 0 and 2) and x (unit 1), in the order of first appearance; scores stay."""
    stats = shares([[1, 0, 1], [0, 1, 1]])
    grouped = stats.group_by(["y", "x", "y"], "document")
    assert grouped.values.tolist() == [[[2, 2], [0, 1]], [[1, 2], [1, 1]]]
    assert grouped.unit == "document"
    assert (grouped.scores == stats.scores).all()


def test_group_by_keeps_every_total():
    stats = random_stats(1, 4, 50)
    labels = np.random.default_rng(2).integers(0, 7, 50).astype(str)
    grouped = stats.group_by(labels, "document")
    assert (grouped.totals == stats.totals).all()
    assert grouped.n_units == len(set(labels))


def test_values_are_read_only():
    with pytest.raises(ValueError, match="read-only"):
        shares([[1, 0]]).values[0, 0, 0] = 5


def test_shapes_that_do_not_fit():
    with pytest.raises(ValueError, match=r"statistics of shape \(2, 3, 2\) for 1 systems"):
        Stats(("a",), np.zeros((2, 3, 2), dtype=np.int32), ACCURACY)


def test_digest_is_of_numbers_and_metric_not_of_names():
    values = [[1, 0, 1], [1, 1, 0]]
    stats = shares(values)
    assert stats.digest == shares(values).digest
    assert stats.digest == Stats(("x", "y"), stats.values, stats.metric).digest
    assert stats.digest != shares(values, ERROR_RATE).digest
    assert stats.digest != shares([[1, 0, 1], [1, 1, 1]]).digest
    assert stats.digest != shares([[1, 0], [1, 1]]).digest


def test_totals_do_not_overflow():
    """Four times 2^30 passes the range of the int32 that the values are kept in."""
    assert shares([[2**30] * 4]).totals[0, 0] == 2**32
