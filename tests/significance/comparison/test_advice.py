"""Warnings of values for which promises were measured to break."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.comparison.advice import cautions
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.pair_table import small_sample
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
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


def test_few_items_of_one_value_are_warned_of():
    """3 of 20 items are positive, 4 are enough, 3 for AP; without any, as in a domain, AUC is 0 for all."""
    metric, values = METRICS["AUC"], np.zeros((2, 20, 2))
    values[:, :3, 0] = 1
    three = Stats(("A", "B"), metric.expand(values), metric, unit="item")
    assert cautions(three, SWAPPED)[0] == (
        "One value of the gold has 3 items, so p is too small: with 3 of 100 items, 10% of simulated pairs of equal "
        "systems differed significantly, not 5%"
    )
    of_ap = replace(three, metric=METRICS["AP"])
    assert (
        "has 2 items, so p is too small: with 2 of 100 items, 9% of"
        in cautions(of_ap.take(np.arange(1, 20)), SWAPPED)[0]
    )
    assert not cautions(of_ap, SWAPPED)
    assert cautions(three.take(np.arange(3, 20)), SWAPPED)[0].startswith("All items of the gold have the same value")
    values[:, 3, 0] = 1
    assert not cautions(replace(three, values=metric.expand(values)), SWAPPED)


def test_one_positive_item_makes_equal_systems_differ_by_auc():
    """The 66% of the warning; a share below 0.4 in 60 worlds has a chance of 0.00003."""
    rng, metric, alarms = np.random.default_rng(0), METRICS["AUC"], 0
    for world in range(60):
        gold = np.arange(100) == 0
        base = 0.7 * rng.normal(size=100) + 1.2 * gold
        outputs = [np.stack([gold, base + 0.7 * rng.normal(size=100)], axis=1) for _ in range(2)]
        stats = Stats(("A", "B"), metric.expand(np.stack(outputs)), metric, unit="item")
        alarms += small_sample(stats, bootstrap(stats, Resampling(300, world), threads=1)).two_sided[0] < 0.05
    assert alarms / 60 > 0.4


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
