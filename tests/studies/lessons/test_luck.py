"""Worlds without difference and systems that are equal by construction: p-values are as flat as they claim."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.lessons.equal_systems import SYSTEMS, equal_systems, false_alarms, pairs_of_sets
from nlpsig_core.studies.lessons.null_world import p_in_worlds, swapped, swapped_gains, swaps, winners_first
from tests.builders import ACCURACY, ERROR_RATE, p_values, random_stats, shares
from tests.studies.lessons.pairs import pair


def test_a_world_by_pencil():
    """A is right on units 1 and 2 of three, B on none. Swapped on unit 2 alone, A keeps 1 and B gets 2."""
    worlds = swapped(shares([[1, 1, 0], [0, 0, 0]]), np.array([[False, True, False], [True, True, True]]))
    assert worlds.values[:, :, 0].tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0], [1, 1, 0]]
    assert worlds.scores.tolist() == pytest.approx([100 / 3, 100 / 3, 0, 200 / 3])
    assert winners_first(worlds).tolist() == [[0, 1], [3, 2]]


def test_winners_are_first_where_lower_is_better():
    two = swapped(shares([[1, 1], [0, 1]], ERROR_RATE), np.array([[False, False], [True, True]]))
    assert winners_first(two).tolist() == [[1, 0], [2, 3]]


def test_a_swap_changes_nothing_in_all():
    """Both together keep their statistics in every unit, and the statistics of the pair are left as they were."""
    stats = random_stats(1, 2, 30)
    before = stats.values.copy()
    worlds = swapped(stats, swaps(30, 7, seed=4))
    assert (worlds.values.reshape(7, 2, 30, 3).sum(axis=1) == before.sum(axis=0)).all()
    assert (stats.values == before).all()


def test_worlds_are_the_same_however_many_there_are():
    """A hundred more leave the first as they were; another seed makes others."""
    many = swaps(40, 230, seed=3)
    assert many.shape == (230, 40)
    assert (swaps(40, 7, seed=3) == many[:7]).all()
    assert (many[:100] != many[100:200]).any()
    assert (swaps(40, 7, seed=4) != many[:7]).any()


def test_the_coin_is_fair():
    """200,000 tosses: a half heads within 5 standard errors (a false alarm in 10^6)."""
    assert abs(swaps(400, 500, seed=1).mean() - 0.5) < 5 * 0.5 / np.sqrt(200_000)


@pytest.mark.parametrize("metric", [ACCURACY, ERROR_RATE], ids=lambda m: m.name)
def test_p_of_each_world_is_that_of_its_bootstrap(metric):
    """112 worlds, in two portions, one after the other by ``bootstrap``: to the last hit."""
    stats = shares(np.random.default_rng(2).integers(0, 6, (2, 25)), metric, of=5)
    recipe = Resampling(400, seed=6)
    found = p_in_worlds(stats, 112, recipe)
    for world, swap in enumerate(swaps(25, 112, seed=6)):
        result = bootstrap(swapped(stats, swap[None]), recipe)
        one_sided, two_sided = p_values(result)
        assert found["p_value"][world] == one_sided[0]
        assert found["p_two_sided"][world] == two_sided[0]
        assert abs(found["gain_of_first"][world]) == pytest.approx(result.gain[0])


def test_progress_tells_all_worlds_and_may_end_them():
    calls = []
    p_in_worlds(random_stats(1, 2, 20), 250, Resampling(50), progress=lambda done, of: calls.append((done, of)))
    assert calls[-1] == (150, 150)
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)

    def stop(done: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        p_in_worlds(random_stats(1, 2, 20), 250, Resampling(50), progress=stop)


@pytest.fixture(scope="module")
def worlds() -> pd.DataFrame:
    """2,000 worlds of a pair on 300 units."""
    return p_in_worlds(pair(5, 300), 2_000, Resampling(1_000, seed=1))


@pytest.mark.parametrize(("column", "flat_to"), [("p_two_sided", 1.0), ("p_value", 0.5)])
def test_p_is_flat(worlds, column, flat_to):
    """Two-sided p flat on 0 to 1, the winner's one-sided on 0 to 0.5, by the shares below four levels (5 standard
    errors each, a false alarm in 4 * 10^5) and by Kolmogorov and Smirnov's test (one in 10^6)."""
    p = worlds[column].to_numpy()
    for level in (0.01, 0.05, 0.1, 0.25):
        share = level / flat_to
        assert abs((p < level).mean() - share) < 5 * np.sqrt(share * (1 - share) / len(p))
    assert scipy.stats.kstest(p, scipy.stats.uniform(0, flat_to).cdf).pvalue > 1e-6


@pytest.mark.parametrize("metric", [ACCURACY, ERROR_RATE], ids=lambda m: m.name)
def test_swaps_are_those_of_the_randomization_test(metric):
    """The gain or more in favour of either system is a hit, as in the test's p, (hits + 1) / (b + 1)."""
    right = np.random.default_rng(2).integers(0, 6, (2, 25))
    stats = shares(right[np.argsort(metric.sign * -right.sum(axis=1))], metric, of=5)
    recipe = Resampling(1_500, seed=6)
    gains, gain = swapped_gains(stats, recipe), metric.sign * (stats.scores[0] - stats.scores[1])
    p = TESTS["randomization"].run(stats, np.array([[0, 1]]), recipe)
    first, second = (gains >= gain - 1e-9).sum(), (gains <= -gain + 1e-9).sum()
    assert p.one_sided[0] == pytest.approx((first + 1) / 1_501)
    assert p.two_sided[0] == pytest.approx((first + second + 1) / 1_501)


def test_equal_systems_take_each_unit_from_one_of_two():
    """Twenty of 2 * 200 answers: each unit is A's or B's, a half of each within 5 standard errors (one in 10^6)."""
    stats = random_stats(1, 2, 200)
    systems = equal_systems(stats, seed=2)
    assert systems.n_systems == SYSTEMS
    from_a = (systems.values == stats.values[0]).all(axis=2)
    from_b = (systems.values == stats.values[1]).all(axis=2)
    assert (from_a | from_b).all()
    differ = (stats.values[0] != stats.values[1]).any(axis=1)
    assert abs(from_a[:, differ].mean() - 0.5) < 5 * 0.5 / np.sqrt(SYSTEMS * differ.sum())
    assert (equal_systems(stats, seed=2).values == systems.values).all()
    assert (equal_systems(stats, seed=2, draw=1).values != systems.values).any()
    assert (equal_systems(stats, seed=3).values != systems.values).any()


def test_sets_are_tested_as_the_bootstrap_does():
    """Seven sets in two portions: p of each set's pairs is that of its own bootstrap, and Holm's by its definition.

    As on pages, the observed gain counts as one more resample.
    """
    stats, recipe = pair(3, 30), Resampling(500, seed=1)
    tables = pairs_of_sets(stats, recipe, draws=7)
    assert sorted(set(tables["draw"])) == list(range(7))
    for draw, table in tables.groupby("draw"):
        result = bootstrap(equal_systems(stats, 1, int(draw)), recipe)
        rows = zip(result.pairs + 1, p_values(result)[1], strict=True)
        columns = table[["system_a", "system_b", "p_two_sided"]]
        assert {(a, b): p for a, b, p in columns.itertuples(index=False)} == {(a, b): p for (a, b), p in rows}
        p = table["p_two_sided"].to_numpy()
        assert (np.diff(p) >= 0).all()
        above_0 = np.minimum((500 * p + 1) / 501, 1)
        holm = np.maximum.accumulate(np.minimum(above_0 * np.arange(len(p), 0, -1), 1))
        np.testing.assert_allclose(table["p_holm"], holm)


def test_false_alarms_by_pencil():
    columns = {"p_two_sided": [0.02, 0.06, 0.4, 0.08], "p_holm": [0.03, 0.2, 0.4, 0.2]}
    alarms = false_alarms(pd.DataFrame({"draw": [0, 0, 1, 1], **columns}), 0.07)
    assert alarms.to_numpy().tolist() == [[2, 1], [0, 0]]
