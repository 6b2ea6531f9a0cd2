"""Tests of scores of the weighted sample: every swap there is, formulas by influences, and tests that do not apply."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import rankdata

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.significance.paired_tests import TESTS, randomization, run_test
from nlpsig_core.significance.paired_tests.randomization import SwappedSamples, draw_swaps, run, swap_stream
from nlpsig_core.significance.paired_tests.small_sample import differences
from nlpsig_core.significance.resampling.bootstrap import all_pairs
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import MacroStats, Stats
from tests.weighted import NAMES, WEIGHTED, values_of, weighted_stats, written_out


def every_swap(units: int) -> np.ndarray:
    """All 2^n ways to swap, (2^n, units)."""
    return np.array(list(product((0, 1), repeat=units)), dtype=np.float32)


def loop(stats: Stats, a: int, b: int, swaps: np.ndarray) -> np.ndarray:
    """The gain of a over b after each swap of ranks, one at a time, by scipy and definitions."""
    gold, gains = stats.values[0, :, 0], []
    ours, theirs = (rankdata(stats.values[system, :, 1]) for system in (a, b))
    for swap in stats.entries.spread(swaps).astype(bool):
        both = np.where(swap, theirs, ours), np.where(swap, ours, theirs)
        gains.append(np.subtract(*(written_out(stats.metric.name, gold, predicted) for predicted in both)))
    return np.array(gains)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("documents", [None, list("aabcccddee")])
def test_every_swap_there_is(name, documents):
    """All swaps of 10 items, or of 5 documents."""
    stats = weighted_stats(name, 1, systems=3, n=10)
    stats = stats if documents is None else stats.group_by(documents, "document")
    swaps, pairs = every_swap(stats.n_units), all_pairs(stats.scores)
    hits = SwappedSamples(stats, pairs).hits([swaps])
    for pair, (a, b) in enumerate(pairs):
        gains = loop(stats, a, b, swaps)
        assert hits[:, pair].tolist() == [(of >= gains[0] - 1e-10).sum() for of in (gains, -gains)]


@pytest.mark.parametrize("name", NAMES)
def test_p_by_the_loop_for_any_number_of_pairs_at_a_time(name, monkeypatch):
    stats, recipe = weighted_stats(name, 2, systems=3, n=30), Resampling(200, seed=1)
    pairs = all_pairs(stats.scores)
    p = run(stats, pairs, recipe)
    swaps = draw_swaps(swap_stream(recipe, 0), np.empty((30, 1)), 200)
    for index, (a, b) in enumerate(pairs):
        gains, delta = loop(stats, a, b, swaps), stats.scores[a] - stats.scores[b]
        assert p.one_sided[index] == ((gains >= delta - 1e-10).sum() + 1) / 201
        assert p.two_sided[index] == ((np.abs(gains) >= delta - 1e-10).sum() + 1) / 201
    monkeypatch.setattr(randomization, "VALUES_AT_A_TIME", 60)
    assert (run(stats, pairs, recipe).two_sided == p.two_sided).all()


def test_several_test_sets_are_swapped_each_within_itself():
    """All 8 swaps of one test set with all 16 of another; the gain is the mean of both."""
    parts = weighted_stats("spearman", 1, 2, 3), weighted_stats("spearman", 2, 2, 4)
    rows = list(product(range(8), range(16)))
    swaps = [every_swap(3)[[row[0] for row in rows]], every_swap(4)[[row[1] for row in rows]]]
    pair = all_pairs(MacroStats(parts).scores)
    gains = sum(loop(part, *pair[0], swap) for part, swap in zip(parts, swaps, strict=True)) / 2
    found = SwappedSamples(MacroStats(parts), pair).hits(swaps)
    assert found[:, 0].tolist() == [(of >= gains[0] - 1e-10).sum() for of in (gains, -gains)]


@pytest.mark.parametrize("test", ["bootstrap-t", "robust-t"])
@pytest.mark.parametrize("name", NAMES)
def test_tests_by_influences_agree_with_the_bootstrap(test, name):
    """On 400 units, p by the standard error of influences is within 0.04 of that of resamples."""
    stats, recipe = weighted_stats(name, 3, n=400), Resampling(4_000)
    p, by_bootstrap = run_test(test, stats, recipe), run_test("bootstrap", stats, recipe)
    np.testing.assert_allclose(p.two_sided, by_bootstrap.two_sided, rtol=0, atol=0.04)


@pytest.mark.parametrize("test", [name for name, test in TESTS.items() if test.by_unit])
def test_tests_of_unit_scores_say_why_they_cannot_be_used(test):
    stats = weighted_stats("spearman", unit="item")
    with pytest.raises(ChoiceError, match="cannot be used here: spearman has no score of a single item"):
        run_test(test, stats, Resampling(10))


def test_documents_differ_if_any_of_their_items_does():
    """The second system differs in items 1 and 4 of 6: by item 2 units, by document the two of 2 and 3 items."""
    values = values_of("spearman", 0, 1, 6).repeat(2, axis=0)
    values[1, [1, 4], 1] += 1
    stats, pair = Stats(("a", "b"), values, WEIGHTED["spearman"]), np.array([[0, 1]])
    assert differences(stats, pair).number.tolist() == [2]
    by_document = differences(stats.group_by(list("aabccc"), "document"), pair)
    assert (by_document.number.tolist(), by_document.effective.tolist()) == ([2], [25 / 13])


@pytest.mark.parametrize("name", NAMES)
def test_swaps_do_not_depend_on_the_scale_of_outputs(name):
    """An output on another scale has the same ranks, and the same p."""
    stats, recipe = weighted_stats(name, 4, systems=2), Resampling(300)
    scaled = stats.values.copy()
    scaled[1, :, 1] = 100 * np.exp(scaled[1, :, 1])
    p, other = (run(of, np.array([[0, 1]]), recipe) for of in (stats, Stats(stats.names, scaled, stats.metric)))
    assert (p.two_sided == other.two_sided).all()
