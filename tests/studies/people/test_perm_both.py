"""PERM-BOTH: by pencil, and every fast way against swaps that are written out."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.agreement.table import standardised
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.metrics.people import MEASURES, count
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.people import perm_both as module
from nlpsig_core.studies.people import perm_orders
from nlpsig_core.studies.people.perm_both import WAYS, perm_both
from nlpsig_core.studies.people.perm_sums import Gains
from tests.data.metrics.test_people import odd_scores, scores


def counted(people: np.ndarray, *metrics: np.ndarray) -> np.ndarray:
    gold = scores(people)
    return np.stack([count(gold, gold.scores_of(scores(of))) for of in metrics])


def written_out(values: np.ndarray, pairs: np.ndarray, measure: Metric) -> Gains:
    """The gains of any measure, swap by swap."""

    def scores_of(swapped: np.ndarray) -> np.ndarray:
        assert measure.expand is not None
        statistics = measure.expand(swapped)
        if measure.sample is not None:
            return measure.sample(statistics)(np.ones((1, values.shape[1])))[:, 0]
        return measure.score(statistics.sum(axis=1))

    def gains(swaps: np.ndarray) -> np.ndarray:
        result = np.empty((len(swaps), len(pairs)))
        for row, cells in enumerate(swaps.reshape(len(swaps), values.shape[1], -1)):
            swap = np.pad(cells, ((0, 0), (0, 1)))[:, None]
            for column, pair in enumerate(pairs):
                a, b = values[pair].reshape(2, len(cells), 3, -1)
                both = np.stack([np.where(swap, b, a), np.where(swap, a, b)])
                result[row, column] = -np.diff(scores_of(both.reshape(2, len(cells), -1)))[0]
        return result

    return gains


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


@pytest.mark.parametrize("name", [measure.name for measure in MEASURES])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_fast_way_has_the_hits_of_swaps_written_out(name, seed, monkeypatch):
    """With ties, gaps that differ from metric to metric, and segments with one system."""
    people, metric = odd_scores(seed, segments=8, systems=4)
    others = [odd_scores(seed + more, segments=8, systems=4)[1] for more in (10, 20)]
    values = counted(people, metric, metric, *others)
    pairs = np.array([[0, 1], [0, 2], [3, 2], [1, 3]])
    fast = perm_both(values, pairs, METRICS[name], Resampling(150, seed))
    monkeypatch.setitem(WAYS, name, written_out)
    slow = perm_both(values, pairs, METRICS[name], Resampling(150, seed))
    assert fast.one_sided.tolist() == slow.one_sided.tolist()
    assert fast.two_sided.tolist() == slow.two_sided.tolist()
    assert fast.two_sided[0] == 1, "equal metrics"


def test_shares_without_a_small_common_denominator_have_the_same_hits(monkeypatch):
    people, metric = odd_scores(5, segments=8, systems=4)
    values = counted(people, metric, odd_scores(6, segments=8, systems=4)[1])
    pairs, measure = np.array([[0, 1]]), METRICS["seg-accuracy-calibrated-item"]
    in_16_bits = perm_both(values, pairs, measure, Resampling(200))
    monkeypatch.setattr(perm_orders, "FEWEST_TOGETHER", 1_000_000)
    assert perm_both(values, pairs, measure, Resampling(200)).one_sided.tolist() == in_16_bits.one_sided.tolist()


def test_counts_that_exceed_16_bits(monkeypatch):
    """Of 33,000 cells."""
    rng = np.random.default_rng(7)
    people = rng.integers(5, size=(2_750, 12)).astype(float)
    values = counted(people, *(people + rng.normal(size=(2, *people.shape)).round(1) * 4))
    pairs, measure = np.array([[0, 1]]), METRICS["seg-Kendall"]
    gains, plain = (way(standardised(values), pairs, measure) for way in (WAYS["seg-Kendall"], written_out))
    swaps = rng.integers(2, size=(3, people.size), dtype=np.int8)
    np.testing.assert_allclose(gains(swaps), plain(swaps), atol=1e-12)


def test_parts_of_pairs_share_the_permutations(monkeypatch):
    """Two blocks of permutations, for all pairs together and for each alone; progress counts those of all parts."""
    people, metric = odd_scores(1, segments=8, systems=4)
    values = counted(people, metric, *(odd_scores(seed, segments=8, systems=4)[1] for seed in (2, 3)))
    pairs, told = np.array([[0, 1], [0, 2], [2, 1]]), []
    together = perm_both(values, pairs, METRICS["sys-Kendall"], Resampling(1_200))
    monkeypatch.setattr(module, "PAIRS", 1)
    alone = perm_both(values, pairs, METRICS["sys-Kendall"], Resampling(1_200), lambda *done: told.append(done))
    assert alone.one_sided.tolist() == together.one_sided.tolist()
    assert told[-1][0] == told[-1][1] >= 3_600


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_metrics_that_have_scored_no_system_in_common_are_equal(measure):
    people = np.arange(6.0).reshape(3, 2)
    first, second = (np.where([keep, not keep], people, np.nan) for keep in (True, False))
    assert perm_both(counted(people, first, second), np.array([[0, 1]]), measure, Resampling(20)).two_sided[0] == 1


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_a_metric_on_another_scale_is_the_same_metric(measure):
    people, metric = odd_scores(3, segments=8, systems=4)
    values = counted(people, metric, 4 * metric - 2)
    assert perm_both(values, np.array([[0, 1]]), measure, Resampling(20)).two_sided[0] == 1
