"""Statistics of scores of the weighted sample: units, documents, influences and contributions."""

import numpy as np
import pytest

from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.significance.stats.influence import gain_variance
from tests.weighted import NAMES, WEIGHTED, values_of, weighted_stats


def test_the_items_of_a_document_are_side_by_side():
    """Items 0 and 2 are one document, 1 and 3 to 4 another; the values are those of the items, in that order."""
    values = values_of("spearman", 0, 2, 5)
    stats = Stats(("a", "b"), values, WEIGHTED["spearman"]).group_by(["x", "y", "x", "y", "y"], "document")
    assert (stats.values == values[:, [0, 2, 1, 3, 4]]).all()
    assert (stats.n_units, stats.sizes.tolist(), stats.unit) == (2, [2, 3], "document")
    twice = stats.take(np.array([1, 0, 1]))
    assert (twice.values == values[:, [1, 3, 4, 0, 2, 1, 3, 4]]).all()
    assert twice.sizes.tolist() == [3, 2, 3]
    assert (stats.take(np.array([False, True])).values == values[:, [1, 3, 4]]).all()
    assert stats.group_by(["z", "z"], "part").sizes.tolist() == [5]


def test_a_digest_tells_documents_apart():
    stats = weighted_stats("spearman", n=6)
    grouped = [stats.group_by(list(labels), "document") for labels in ("aabbcc", "aaabbc")]
    assert len({stats.digest, *(of.digest for of in grouped)}) == 3
    assert grouped[0].select([1, 0]).digest != grouped[0].digest
    assert grouped[0].keep(np.array([True, False, True, True])).names == ("system0", "system2", "system3")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("labels", [None, "aabbbccccdefgghhhijklmnop"])
def test_influences_are_what_a_little_more_of_a_unit_does(name, labels):
    """Central differences of the score, a unit at a time; for two runs their mean."""
    stats = Stats(("a", "b"), values_of(name, 3, 3, 25), WEIGHTED[name], runs=(2, 1))
    stats = stats if labels is None else stats.group_by(list(labels), "document")
    step = 1e-4 * stats.entries.spread(np.eye(stats.n_units))
    score = stats.metric.sample(stats.values)
    slopes = stats.over_runs(score(1 + step) - score(1 - step)) / 2e-4
    np.testing.assert_allclose(stats.influences(), stats.n_units * slopes, rtol=0, atol=1e-4 * np.abs(slopes).max())
    assert stats.influences().mean(axis=1) == pytest.approx(np.zeros(2), abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_contributions_average_to_the_corpus_score(name):
    stats = weighted_stats(name)
    assert stats.unit_scores.mean(axis=1) == pytest.approx(stats.scores)


@pytest.mark.parametrize("name", NAMES)
def test_the_jackknife_agrees_with_leaving_out_a_unit(name):
    """The variance by leaving out each of 400 units, (n - 1) / n times the sum of squared deviations: within 5%."""
    stats, n = weighted_stats(name, n=400), 400
    without = stats.metric.sample(stats.values)(1 - np.eye(n))
    gain = without[0] - without[1]
    variance = (n - 1) / n * ((gain - gain.mean()) ** 2).sum()
    assert gain_variance(stats, np.array([[0, 1]])) == pytest.approx([variance], rel=0.05)
