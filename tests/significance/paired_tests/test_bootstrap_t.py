"""The bootstrap-t: against a plain loop over the same resamples, every resample there is, and theory."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import scipy.stats

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.paired_tests import bootstrap_t
from nlpsig_core.significance.paired_tests.bootstrap_t import run
from nlpsig_core.significance.resampling.bootstrap import all_pairs
from nlpsig_core.significance.resampling.kernels import draw
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats
from tests.builders import ERROR_RATE, random_stats, shares


def pairs_of(stats: Stats) -> np.ndarray:
    return all_pairs(stats.metric.sign * stats.scores)


def loop(differences: np.ndarray, gain: float, samples) -> int:
    """Hits of |t*| >= t for pseudo-values (units,) around the gain, one resample at a time."""
    n = len(differences)
    t = gain / (differences.std() / np.sqrt(n))
    hits = 0
    for sample in samples:
        drawn = differences[sample]
        shift, error = drawn.mean() - gain, drawn.std() / np.sqrt(n)
        if error < 1e-9 * abs(gain):
            star = 0.0 if abs(shift) < 1e-9 * gain else np.sign(shift) * np.inf
        else:
            star = shift / error
        hits += abs(star) >= t - 1e-9
    return hits


def test_two_systems_by_pencil():
    """A is right on three units, B on two: delta = 100/3, d = 0, 0, 100, of variance 20000/9, so t^2 n = 1/2 n.

    Drawn 0, 1, 2, 3 times (8, 12, 6, 1 of 27 resamples) the third unit gives shifts of -1, 0, 1, 2 thirds of 100 with
    variances 0, 20000/9, 20000/9, 0: t* is -infinite, 0, t itself and infinite. Two-sided 15/27, one-sided half.
    """
    stats, b = shares([[1, 1, 1], [1, 1, 0]]), 50_000
    p = run(stats, pairs_of(stats), Resampling(b))
    assert p.one_sided[0] == p.two_sided[0] / 2
    assert abs(p.two_sided[0] - 15 / 27) < 5 * np.sqrt(15 * 12 / 27**2 / b)
    assert loop(np.array([0, 0, 100]), 100 / 3, map(list, product(range(3), repeat=3))) == 15


def test_influences_of_a_mean_are_exact():
    """Right on one unit of four, 25 on average: it pulls by 75, the others by -25 each."""
    assert shares([[1, 0, 0, 0]]).influences() == pytest.approx(np.array([[75, -25, -25, -25]]), abs=1e-8)
    rng = np.random.default_rng(0)
    values = np.stack([rng.normal(-3, 1, (2, 50)), np.ones((2, 50))], axis=2)
    found = Stats(("a", "b"), values, METRICS["mean"]).influences()
    assert found == pytest.approx(values[..., 0] - values[..., 0].mean(axis=1, keepdims=True), abs=1e-9)


def test_influences_on_f1_by_the_quotient_rule():
    """F = 200 c / (p + g): dF = 200 dc / (p + g) - F (dp + dg) / (p + g), times the number of units."""
    stats = random_stats(1, 3, 25)
    correct, predicted, gold = np.moveaxis(stats.values, -1, 0)
    size = stats.totals[:, 1:].sum(axis=1)[:, None]
    expected = 25 * (200 * correct - stats.scores[:, None] * (predicted + gold)) / size
    assert stats.influences() == pytest.approx(expected, abs=1e-5)
    assert stats.influences().mean(axis=1) == pytest.approx(np.zeros(3), abs=1e-9)


@pytest.mark.parametrize("name", ["BLEU-13a", "AER", "chrF", "TER", "LAS", "ROUGE-1", "F1-links"])
def test_influences_are_what_a_little_more_of_a_unit_does(name):
    """The score with unit i counting 1 + 0.001 times, in place of the gradient; within a hundredth of the spread."""
    stats = made_up(METRICS[name])
    totals, values = stats.totals[:, None].astype(float), stats.values * 1e-3
    moved = stats.metric.score(totals + values) - stats.metric.score(totals - values)
    expected = stats.n_units * moved / 2e-3
    expected -= expected.mean(axis=1, keepdims=True)
    assert np.abs(stats.influences() - expected).max() < 0.01 * expected.std()


def made_up(metric) -> Stats:
    """Statistics that a metric can have, of two systems on 30 units."""
    rng, k = np.random.default_rng(2), len(metric.columns)
    many = rng.integers(5, 20, (2, 30, k))
    right = rng.integers(1, 5, (2, 30, k))
    if metric.label == "BLEU":
        many[..., :4], many[..., 8] = right[..., :4], many[..., 4] + 1
    elif metric.name == "chrF":
        many[..., 2::3] = right[..., 2::3]
    elif metric.name in ("AER", "F1-links"):
        many[..., 2:] = right[..., 2:]
    else:
        many[..., 0] = right[..., 0]
    return Stats(("a", "b"), many, metric)


def test_hit_for_hit_equal_to_the_plain_loop():
    """The bootstrap's own resamples, one at a time, on pseudo-values whose mean is the gain."""
    stats, recipe = random_stats(5, 4, 30), Resampling(1_200, seed=8)
    drawn = [np.empty((recipe.rows(block), 30)) for block in (0, 1)]
    for block, counts in enumerate(drawn):
        draw(recipe.stream(block), counts)
    samples = [np.repeat(np.arange(30), row) for row in np.vstack(drawn).astype(int)]
    pairs, pull = pairs_of(stats), stats.influences()
    gain = stats.scores[pairs[:, 0]] - stats.scores[pairs[:, 1]]
    p = run(stats, pairs, recipe)
    for place, (a, b) in enumerate(pairs):
        expected = loop(gain[place] + pull[a] - pull[b], gain[place], samples)
        assert round(p.two_sided[place] * 1_201 - 1) == expected
        assert p.one_sided[place] == p.two_sided[place] / 2
    assert 1 / 1_201 < p.two_sided.min() < p.two_sided.max() < 1


@pytest.mark.parametrize("metric", [METRICS["LAS"], ERROR_RATE], ids=lambda m: m.name)
def test_p_is_that_of_all_resamples_there_are(metric):
    """All 5^5 resamples of 5 units; 100,000 come within 5 standard errors (a wrong alarm in 10^6 of 12)."""
    b, n = 100_000, 5
    stats = (
        random_stats(2, 3, n)
        if metric is not ERROR_RATE
        else shares([[1, 0, 2, 0, 1], [1, 2, 3, 1, 1], [3] * 5], metric, of=4)
    )
    samples = [np.array(x) for x in product(range(n), repeat=n)]
    pairs, pull = pairs_of(stats), metric.sign * stats.influences()
    p, gain = run(stats, pairs, Resampling(b)), metric.sign * -np.diff(stats.scores[pairs], axis=1)[:, 0]
    for place, (first, second) in enumerate(pairs):
        truth = loop(gain[place] + pull[first] - pull[second], gain[place], samples) / len(samples)
        assert abs(p.two_sided[place] - truth) <= 5 * np.sqrt(truth * (1 - truth) / b) + 2 / b


def test_with_many_units_it_is_near_to_the_paired_t_test():
    """A mean of 2,000 normal differences: t* is nearly t distributed. Within 5 standard errors and 0.003 of p."""
    rng = np.random.default_rng(4)
    values = np.stack([rng.normal(0, 1, (4, 2_000)), np.ones((4, 2_000))], axis=2)
    stats, b = Stats(tuple("abcd"), values, METRICS["mean"]), 20_000
    pairs = pairs_of(stats)
    p = run(stats, pairs, Resampling(b))
    theirs = scipy.stats.ttest_rel(values[pairs[:, 0], :, 0], values[pairs[:, 1], :, 0], axis=1).pvalue
    assert (np.abs(p.two_sided - theirs) < 5 * np.sqrt(theirs * (1 - theirs) / b) + 0.003).all()


def test_how_many_pairs_are_worked_on_at_a_time_does_not_matter(monkeypatch):
    stats, recipe, calls = random_stats(1, 7, 40), Resampling(3_000), []
    together = run(stats, pairs_of(stats), recipe)
    monkeypatch.setattr(bootstrap_t, "SQUARES_AT_A_TIME", 40 * 6)
    monkeypatch.setattr(bootstrap_t, "MEANS_AT_A_TIME", 4_000)
    apart = run(stats, pairs_of(stats), recipe, lambda done, of: calls.append((done, of)))
    assert (together.one_sided == apart.one_sided).all()
    assert (together.two_sided == apart.two_sided).all()
    assert calls[-1] == (4 * 3_000, 4 * 3_000)
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)


def test_a_system_with_nothing_right_has_a_gradient():
    """BLEU without any correct n-gram, F1 with none: finite, and better outputs are still better."""
    bleu = made_up(METRICS["BLEU-13a"])
    values = bleu.values.copy()
    values[1, :, :4] = 0
    las = shares([[1, 1, 1, 0, 1] * 6, [0] * 30])
    for stats in (Stats(bleu.names, values, bleu.metric), las):
        assert np.isfinite(stats.influences()).all()
        assert run(stats, pairs_of(stats), Resampling(1_000)).two_sided[0] < 0.01
