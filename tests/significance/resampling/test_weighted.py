"""Resampled scores of the weighted sample: against each resample written out."""

import numpy as np
import pytest

from nlpsig_core.significance.paired_tests.bootstrap import p_of_result
from nlpsig_core.significance.resampling import columns
from nlpsig_core.significance.resampling.blocks import resampled_scores
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.kernels import draw
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import MacroStats, Stats
from nlpsig_core.significance.stats.strata import strata_of
from tests.weighted import NAMES, WEIGHTED, scores_written_out, values_of, weighted_stats

RECIPE = Resampling(300, seed=2)


def counts_of(units: int, *key: int, recipe: Resampling = RECIPE) -> np.ndarray:
    """How often each unit is drawn in each resample, (resamples, units)."""
    counts = np.empty((recipe.n_resamples, units))
    draw(recipe.stream(0, *key), counts)
    return counts


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", [3, 25])
def test_every_score_of_a_bootstrap(name, n):
    """With ties, a constant output, an output twice, and with 3 units resamples of one class or one unit."""
    values = values_of(name, 1, 5, n)
    values[3, :, 1], values[4] = 0, values[0]
    stats = Stats(tuple("abcde"), values, WEIGHTED[name])
    scores = resampled_scores(stats, RECIPE)
    close(scores, scores_written_out(stats, counts_of(n)))
    assert (scores[4] == scores[0]).all()
    close(stats.scores, scores_written_out(stats, np.ones((1, n)))[:, 0])


@pytest.mark.parametrize("name", NAMES)
def test_documents_are_drawn_with_all_their_items(name):
    """Documents of 1 to 5 items, which are not side by side in the test set."""
    documents = np.random.default_rng(3).integers(0, 9, 27)
    stats = weighted_stats(name, 2, n=27).group_by(documents, "document")
    assert (stats.n_units, stats.sizes.sum(), stats.values.shape[1]) == (len(set(documents)), 27, 27)
    close(resampled_scores(stats, RECIPE), scores_written_out(stats, counts_of(stats.n_units)))
    close(stats.scores, weighted_stats(name, 2, n=27).scores)


@pytest.mark.parametrize("name", NAMES)
def test_p_of_each_pair_by_the_loop(name):
    """The paper's loop over resamples: the same hits."""
    stats = weighted_stats(name, 4)
    result = bootstrap(stats, RECIPE)
    scores = scores_written_out(stats, np.vstack([np.ones((1, stats.n_units)), counts_of(stats.n_units)]))
    gains = scores[result.pairs[:, 0]] - scores[result.pairs[:, 1]]
    delta, gains = gains[:, :1], gains[:, 1:]
    assert (delta > 0).all()
    above, below = ((of > 1e-10).sum(axis=1) for of in (gains - 2 * delta, -gains))
    assert result.hits_above.tolist() == above.tolist()
    assert result.hits_below.tolist() == below.tolist()
    assert p_of_result(result).one_sided.tolist() == (above / RECIPE.n_resamples).tolist()


@pytest.mark.parametrize("name", NAMES)
def test_results_depend_on_neither_threads_nor_pieces(name, monkeypatch):
    documents = [str(unit % 11) for unit in range(25)]
    stats, recipe = weighted_stats(name, 5).group_by(documents, "document"), Resampling(2_300)
    one, three = (resampled_scores(stats, recipe, threads=threads) for threads in (1, 3))
    monkeypatch.setattr(columns, "COUNT_BYTES", 7_000)
    in_pieces = resampled_scores(stats, recipe)
    assert (one == three).all()
    assert (one == in_pieces).all()


@pytest.mark.parametrize("name", NAMES)
def test_macro_average_of_test_sets_that_share_units(name):
    """Units 5 to 14 of the first test set are units 0 to 9 of the second, in another order, and drawn together."""
    parts = weighted_stats(name, 6, n=15), weighted_stats(name, 7, n=20)
    shared = [f"unit {number}" for number in range(10)]
    units = [[None] * 5 + shared, shared[::-1] + [None] * 10]
    stats = MacroStats(parts, strata_of(units), weights=(1.0, 3.0))
    apart, together, other = counts_of(5), counts_of(10, 0, 1), counts_of(10, 1)
    first, second = np.hstack([apart, together]), np.hstack([together[:, ::-1], other])
    expected = (scores_written_out(parts[0], first) + 3 * scores_written_out(parts[1], second)) / 4
    close(resampled_scores(stats, RECIPE), expected)


@pytest.mark.parametrize("name", NAMES)
def test_the_score_of_runs_is_their_mean_and_they_are_drawn(name):
    """Of b's two runs one is drawn, so half the difference of their scores is added to the mean, or subtracted."""
    values = values_of(name, 8, 5, 25)
    runs = Stats(("a", "b"), values, WEIGHTED[name], runs=(3, 2))
    alone = Stats(tuple("12345"), values, WEIGHTED[name])
    assert runs.scores == pytest.approx([alone.scores[:3].mean(), alone.scores[3:].mean()])
    resampled = scores_written_out(alone, counts_of(25))
    added = resampled_scores(runs, RECIPE)[1] - resampled[3:].mean(axis=0)
    half = (alone.scores[3] - alone.scores[4]) / 2
    assert set(added.round(9)) == {round(half, 9), round(-half, 9)}
