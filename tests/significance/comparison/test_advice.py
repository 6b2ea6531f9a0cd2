"""Warnings of values for which promises were measured to break."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.comparison.advice import cautions
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.stats.array import Stats

# Few units are not warned of.
SWAPPED = Notion(test="randomization")


def test_few_units_name_the_other_test_where_it_can_be_used():
    """Randomization cannot swap the runs of two systems."""
    values = np.tile(np.arange(20.0), (4, 1))[..., None]
    one = Stats(("A", "B", "C", "D"), values, METRICS["mean"], unit="question")
    few = "20 questions are few to resample: the bootstrap's p comes out too small"
    assert cautions(one, Notion()) == [f"{few}; approximate randomization's does not"]
    assert cautions(replace(one, names=("A", "B"), runs=(2, 2)), Notion()) == [few]
    assert cautions(one, SWAPPED) == []


def test_a_class_with_few_items_is_warned_of():
    """19 items of the first class and 1 of the second; without the second class, all have enough."""
    codes = np.zeros((2, 20, 2), dtype=np.int32)
    codes[:, 0, 0] = 1
    metric = METRICS["macro-F1"]
    rare = Stats(("A", "B"), metric.expand(codes), metric, unit="item")
    assert cautions(rare, SWAPPED)[0].startswith("A class has 1 item: with fewer than 10, 95% intervals of scores")
    assert not cautions(rare.take(np.arange(1, 20)), SWAPPED)
    assert not cautions(replace(rare, metric=METRICS["accuracy-labels"]), SWAPPED)


def test_skewed_numbers_are_warned_of_where_a_correlation_depends_on_them():
    """One number far from 99 others has a skewness of about 9.9."""
    values = np.zeros((2, 100, 2))
    values[:, 0] = 1
    metric = METRICS["Pearson"]
    far = Stats(("A", "B"), metric.expand(values), metric, unit="item")
    assert cautions(far, SWAPPED)[0].startswith("Numbers are skewed (9.8): with a skewness of 6")
    even = metric.expand(np.repeat(np.linspace(-1, 1, 100), 4).reshape(100, 2, 2).swapaxes(0, 1))
    assert not cautions(replace(far, values=even), SWAPPED)


def test_systems_that_gain_by_skipping_topics_are_named():
    """Of three topics the first system has all, the second one, the third two; the last is invalid and has none."""
    retrieved = np.array([[1, 1, 1], [1, 0, 0], [0, 1, 1], [0, 0, 0]])
    stats = Stats(("A", "B", "C", "D"), np.stack([retrieved, retrieved], axis=2), METRICS["RR-retrieved"])
    assert cautions(stats, SWAPPED) == [
        "Means leave out the topics that a run lacks: B 2 topics, C 1 topic; a system gains by skipping hard topics"
    ]
    assert not cautions(replace(stats, metric=METRICS["RR"]), SWAPPED)
    assert not cautions(stats.take(np.array([1, 2])).select([0, 3]), SWAPPED)
    many = Stats(tuple("ABCDEFG"), np.repeat(stats.values[1:2], 7, axis=0), METRICS["RR-retrieved"])
    assert "E 2 topics and 2 more systems;" in cautions(many, SWAPPED)[0]
