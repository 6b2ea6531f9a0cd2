"""Counts: which outputs and units each treatment of invalid outputs keeps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.stats.counts import Counts

MEAN = METRICS["mean"]
NAMES = {"a": "A", "b": "B", "c": "C"}
LACKS = {"b": "no score for unit 2", "c": "empty"}


@pytest.fixture
def counts() -> Counts:
    """A has scores of three units, B of two, and C of none."""
    values = np.ones((3, 3, len(MEAN.columns)))
    values[1, 1], values[2] = np.nan, np.nan
    return Counts(files=tuple(NAMES), values=values, family=MEAN.family, unit="unit", problems=LACKS)


@pytest.mark.parametrize(("treatment", "kept", "units"), [("", "a", 3), ("leave out", "a", 3), ("drop units", "ab", 2)])
def test_what_a_treatment_keeps(counts, treatment, kept, units):
    assert counts.kept(NAMES, treatment) == tuple(kept)
    assert counts.invalid(treatment) == set(NAMES) - set(kept)
    assert counts.complete(NAMES, treatment).sum() == units
    assert counts.stats(MEAN, NAMES, treatment).values.shape[:2] == (len(kept), units)


def test_the_way_to_keep_an_incomplete_output_is_named_until_it_is_taken(counts):
    advice = "; choose 'drop units' for invalid outputs to keep it on the 2 units that all have"
    assert counts.reasons() == {"b": LACKS["b"] + advice, "c": "empty"}
    assert counts.reasons("drop units") == LACKS


def test_a_treatment_that_would_leave_no_unit_is_not_named(counts):
    values = counts.values.copy()
    values[0, [0, 2]] = np.nan
    assert replace(counts, values=values).reasons() == LACKS


def test_statistics_are_made_of_all_values_before_units_are_chosen(counts):
    """Of a value x come the statistics (x, n x), for n = 3 units in all: A's two units have 1 and 3 each."""

    def with_size(values):
        return np.concatenate([values[..., :1], values.shape[1] * values[..., :1]], axis=-1).astype(np.int8)

    metric = replace(MEAN, expand=with_size)
    stats = counts.stats(metric, NAMES, "leave out", np.array([0, 2]))
    assert stats.values.tolist() == [[[1, 3], [1, 3]]]
    assert (stats.values.dtype, stats.totals.dtype) == (np.int8, np.int64)
    assert stats.totals.tolist() == [[2, 6]]
