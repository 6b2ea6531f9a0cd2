"""Warnings of values for which promises were measured to break."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.comparison.advice import cautions
from nlpsig_core.significance.stats.array import Stats


def test_a_class_with_few_items_is_warned_of():
    """19 items of the first class and 1 of the second; without the second class, all have enough."""
    codes = np.zeros((2, 20, 2), dtype=np.int32)
    codes[:, 0, 0] = 1
    metric = METRICS["macro-F1"]
    rare = Stats(("A", "B"), metric.expand(codes), metric, unit="item")
    assert cautions(rare, few=False)[0].startswith("A class has 1 item: with fewer than 10, 95% intervals of scores")
    assert not cautions(rare.take(np.arange(1, 20)), few=False)
    assert not cautions(replace(rare, metric=METRICS["accuracy-labels"]), few=False)


def test_skewed_numbers_are_warned_of_where_a_correlation_depends_on_them():
    """One number far from 99 others has a skewness of about 9.9."""
    values = np.zeros((2, 100, 2))
    values[:, 0] = 1
    metric = METRICS["Pearson"]
    far = Stats(("A", "B"), metric.expand(values), metric, unit="item")
    assert cautions(far, few=False)[0].startswith("Numbers are skewed (9.8): with a skewness of 6")
    even = metric.expand(np.repeat(np.linspace(-1, 1, 100), 4).reshape(100, 2, 2).swapaxes(0, 1))
    assert not cautions(replace(far, values=even), few=False)
