"""PERM-BOTH: by pencil, and every fast way against swaps that are written out."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.people import MEASURES, count
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.people import perm_both as module
from nlpsig_core.studies.people.perm_both import perm_both
from tests.data.metrics.test_people import odd_scores, scores

FAST = ("SPA", "sys-accuracy", "sys-Pearson", "sys-Spearman", "sys-Kendall", "seg-accuracy-item", "seg-Pearson")


def counted(people: np.ndarray, *metrics: np.ndarray) -> np.ndarray:
    gold = scores(people)
    return np.stack([count(gold, gold.scores_of(scores(of))) for of in metrics])


def test_by_pencil():
    """One segment, two systems: a orders them as people do, b does not.

    Of four ways to swap, none and both systems' swaps keep both scores of a metric together. With one swap, both have
    a tie of standardised scores, and are equally wrong. A gain of 1 is there without swaps alone: p is about 1/4.
    """
    people = np.array([[1.0, 0]])
    values = counted(people, people, -people)
    p = perm_both(values, np.array([[0, 1]]), METRICS["seg-accuracy-item"], Resampling(4_000))
    assert p.one_sided[0] == pytest.approx(1 / 4, abs=0.03)
    assert p.two_sided[0] == pytest.approx(1 / 2, abs=0.035)


@pytest.mark.parametrize("name", FAST)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_fast_way_has_the_hits_of_swaps_written_out(name, seed, monkeypatch):
    """With ties, gaps that differ from metric to metric, and segments with one system."""
    people, metric = odd_scores(seed, segments=8, systems=4)
    others = [odd_scores(seed + more, segments=8, systems=4)[1] for more in (10, 20)]
    values = counted(people, metric, metric, *others)
    pairs = np.array([[0, 1], [0, 2], [3, 2], [1, 3]])
    fast = perm_both(values, pairs, METRICS[name], Resampling(150, seed))
    monkeypatch.setattr(module, "_gains_of", lambda measure: module.written_out)
    slow = perm_both(values, pairs, METRICS[name], Resampling(150, seed))
    assert fast.one_sided.tolist() == slow.one_sided.tolist()
    assert fast.two_sided.tolist() == slow.two_sided.tolist()
    assert fast.two_sided[0] == 1, "equal metrics"


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_a_metric_on_another_scale_is_the_same_metric(measure):
    people, metric = odd_scores(3, segments=8, systems=4)
    values = counted(people, metric, 4 * metric - 2)
    assert perm_both(values, np.array([[0, 1]]), measure, Resampling(20)).two_sided[0] == 1
