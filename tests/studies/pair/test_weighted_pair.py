"""A pair by a score of the weighted sample: pulls, the gain without some units, and worlds without a better system."""

import numpy as np
import pytest
from scipy.stats import rankdata

from nlpsig_core.significance.paired_tests.randomization import draw_swaps, swap_stream
from nlpsig_core.significance.resampling.gains import gain_step
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.studies.lessons.equal_systems import equal_systems, pairs_of_sets
from nlpsig_core.studies.lessons.film import film
from nlpsig_core.studies.lessons.null_world import p_in_worlds, swapped_gains
from nlpsig_core.studies.pair import units
from nlpsig_core.studies.pair.units import share_won, unit_gains, wins_losses_ties
from nlpsig_core.studies.pair.without import gain_without
from tests.weighted import NAMES, WEIGHTED, values_of, weighted_stats


def pair_of(name, n=25, documents=None):
    """Two systems, the better one first."""
    stats = weighted_stats(name, 3, 2, n)
    stats = stats.select(np.argsort(-stats.scores))
    return stats if documents is None else stats.group_by(documents, "document")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("documents", [None, [str(item // 3) for item in range(25)]])
def test_a_pull_is_the_gain_minus_the_gain_without_the_unit(name, documents, monkeypatch):
    stats = pair_of(name, documents=documents)
    pulls = unit_gains(stats)["pull"].to_numpy()
    gain = stats.scores[0] - stats.scores[1]
    without = [np.subtract(*stats.take(np.arange(stats.n_units) != unit).scores) for unit in range(stats.n_units)]
    np.testing.assert_allclose(pulls, gain - without, atol=1e-12)
    monkeypatch.setattr(units, "MOST_WEIGHTS", 0)
    assert np.corrcoef(unit_gains(stats)["pull"], pulls)[0, 1] > 0.95


@pytest.mark.parametrize("name", NAMES)
def test_the_gain_without_the_units_that_pull_most(name):
    stats = pair_of(name, 150)
    table, order = gain_without(stats), np.argsort(-unit_gains(stats)["pull"], kind="stable").to_numpy()
    expected = [np.subtract(*stats.take(order[k:]).scores) for k in table["k"]]
    np.testing.assert_allclose(table["gain"], expected, atol=1e-12)
    assert table["k"].tolist() == list(range(len(table)))
    assert (table["gain"].to_numpy() <= 0).tolist() == [False] * (len(table) - 1) + [True]


def test_units_in_which_both_agree_are_ties():
    """The second system gives 3 of 20 items another number: they alone are won or lost; the share is not known."""
    values = values_of("roc_auc", 1, 1, 20).repeat(2, axis=0)
    values[1, :3, 1] += 0.7
    stats = Stats(("a", "b"), values, WEIGHTED["roc_auc"])
    assert wins_losses_ties(stats)["ties"] == 17
    assert np.isnan(share_won(stats)).all()


@pytest.mark.parametrize("name", NAMES)
def test_swapped_gains_are_those_of_the_swapped_outputs(name):
    stats, recipe = pair_of(name, documents=[str(item // 3) for item in range(25)]), Resampling(50)
    swaps = stats.entries.spread(draw_swaps(swap_stream(recipe, 0), np.empty((stats.n_units, 1)), 50)).astype(bool)
    ours, theirs = (np.stack([of[:, 0], rankdata(of[:, 1])], axis=-1) for of in stats.values)
    first, second = (np.where(swaps[..., None], *of) for of in ((theirs, ours), (ours, theirs)))
    score = [stats.metric.sample(values)(np.ones((1, 25)))[:, 0] for values in (first, second)]
    np.testing.assert_allclose(swapped_gains(stats, recipe), score[0] - score[1], atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_lessons_show_a_pair(name):
    """Worlds without a better system: their gains are symmetric around 0. The film has all its numbers."""
    stats = pair_of(name, documents=[str(item // 2) for item in range(25)])
    worlds = p_in_worlds(stats, 400, Resampling(200))
    assert abs((worlds["gain_of_first"] > 0).mean() - 0.5) < 5 * 0.5 / np.sqrt(400)
    assert equal_systems(stats, 1).sizes.tolist() == stats.sizes.tolist()
    assert len(pairs_of_sets(stats, Resampling(100), 2)) == 2 * 190
    assert gain_step(stats) == 0


def test_the_film_of_a_pair():
    shown = film(pair_of("spearman", 40))
    assert shown.gains.shape == shown.swapped.shape == (10_000,)
    assert 0 < shown.above_twice < 10_000
    assert "sign test" not in " ".join(shown.rules["rule"])
