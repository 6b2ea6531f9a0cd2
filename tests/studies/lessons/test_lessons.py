"""The gain on parts of a test set, a resample drawn unit by unit, more and more resamples, and the normal curve."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, norm

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.gains import resampled_gains
from nlpsig_core.significance.resampling.kernels import draw
from nlpsig_core.significance.resampling.recipe import BLOCK, Resampling
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.studies.lessons.resampled import BELOW, EVENTS, ONCE, TWICE, resampled
from nlpsig_core.studies.lessons.sample import drawn_units, gain_on, running_gain
from nlpsig_core.studies.lessons.theory import confidence_curve, estimated_pairs, needed_gain, shown_gain, spread
from tests.builders import ACCURACY, ERROR_RATE, p_values, random_stats, shares


def pair(seed: int, units: int) -> Stats:
    """Two systems of about the same quality in LAS, the better one first; the same units are hard for both."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(2, 30, units)
    easy = rng.normal(0.7, 0.15, units) + rng.normal(0, 0.05, (2, units))
    correct = rng.binomial(gold, easy.clip(0, 1))
    values = np.stack([correct, np.tile(gold, (2, 1)), np.tile(gold, (2, 1))], axis=2).astype(np.int32)
    stats = Stats(("a", "b"), values, METRICS["LAS"])
    return stats.of(np.argsort(-stats.scores))


def test_running_gain_by_pencil():
    """Four units, one answer each; A is right on 1, 2 and 4, B on 2 and 3.

    Alone: A wins, tie, B wins, A wins. Of the first 1, 2, 3, 4, in percent: 100 - 0, 100 - 50, 67 - 67, 75 - 50.
    """
    table = running_gain(shares([[1, 1, 0, 1], [0, 1, 1, 0]]))
    assert table["unit"].tolist() == [1, 2, 3, 4]
    assert table["gain"].tolist() == [100, 0, -100, 100]
    assert table["outcome"].tolist() == ["wins", "ties", "losses", "wins"]
    assert table["running"].tolist() == pytest.approx([100, 50, 0, 25])


def test_a_running_gain_is_to_the_better_where_lower_is_better():
    table = running_gain(shares([[0, 1, 0, 1], [1, 1, 0, 1]], ERROR_RATE))
    assert table["gain"].tolist() == [100, 0, 0, 0]
    assert table["running"].tolist() == pytest.approx([100, 50, 100 / 3, 25])


def test_the_running_gain_is_that_of_the_first_units():
    stats = pair(3, 40)
    running = running_gain(stats)["running"]
    for upto in (1, 7, 40):
        part = stats.take(np.arange(upto))
        assert running[upto - 1] == pytest.approx(part.scores[0] - part.scores[1])
        assert gain_on(stats, np.arange(upto)) == pytest.approx(running[upto - 1])


@pytest.mark.parametrize(("seed", "resample"), [(0, 0), (0, 3), (5, 999), (5, BLOCK), (5, 2 * BLOCK + 7)])
def test_drawn_units_are_those_of_the_engine(seed, resample):
    """As often each as the kernel counts in that row of that block."""
    recipe, n = Resampling(seed=seed), 23
    counts = np.empty((BLOCK, n))
    draw(recipe.stream(resample // BLOCK), counts)
    units = drawn_units(recipe, n, resample)
    assert np.bincount(units, minlength=n).tolist() == counts[resample % BLOCK].tolist()
    assert drawn_units(recipe, n, resample).tolist() == units.tolist()


def test_units_are_drawn_in_any_order():
    """The first draw of 4,000 resamples falls on each of four units 1,000 times, give or take 6 standard errors of
    27 (a false alarm in 10^8), and not on the first of them."""
    first = [drawn_units(Resampling(seed=2), 4, resample)[0] for resample in range(4_000)]
    assert np.abs(np.bincount(first, minlength=4) - 1_000).max() < 6 * np.sqrt(4_000 * 0.25 * 0.75)


def test_the_gain_on_drawn_units_is_the_engines():
    stats, recipe = pair(4, 30), Resampling(20, seed=9)
    gains = resampled_gains(stats, recipe)
    for resample in (0, 7, 19):
        assert gain_on(stats, drawn_units(recipe, 30, resample)) == pytest.approx(gains[resample])
    assert gain_on(stats, np.array([], dtype=int)) == 0


@pytest.mark.parametrize("metric", [ACCURACY, ERROR_RATE], ids=lambda m: m.name)
def test_events_by_pencil(metric):
    """Four units of which one differs: delta = 25 k with k draws of it, and k is binomial (4, 1/4).

    More than delta: k >= 2, 67/256; more than twice: k >= 3, 13/256; below 0 never.
    """
    right, wrong = (1, 0) if metric is ACCURACY else (0, 1)
    found = resampled(shares([[right] * 4, [right] * 3 + [wrong]], metric), Resampling(200_000, seed=1))
    assert found.gain == 25
    for event, p in ((ONCE, 67 / 256), (TWICE, 13 / 256)):
        assert abs(found.share(event) - p) < 5 * np.sqrt(p * (1 - p) / 200_000)
    assert found.hits[BELOW] == 0
    assert found.two_sided == found.share(TWICE)


@pytest.mark.parametrize(("units", "b"), [(12, 10), (12, 1_000), (60, 30_000)])
def test_hits_are_those_of_the_bootstrap_and_of_plain_counting(units, b):
    stats, recipe = pair(6, units), Resampling(b, seed=3)
    found, gains, result = resampled(stats, recipe), resampled_gains(stats, recipe), bootstrap(stats, recipe)
    delta = found.gain
    assert found.hits[TWICE] == result.hits_above[0]
    assert found.hits[BELOW] == result.hits_below[0]
    assert (found.share(TWICE), found.two_sided) == pytest.approx(tuple(p[0] for p in p_values(result)))
    naive = {ONCE: 0, TWICE: 0, BELOW: 0}
    for gain in gains:
        naive[ONCE] += gain > delta + 1e-9
        naive[TWICE] += gain > 2 * delta + 1e-9
        naive[BELOW] += gain < -1e-9
    assert dict(found.hits) == naive
    assert min(naive.values()) > 0 or b == 10
    assert found.bins["resamples"].sum() == b
    for event in EVENTS:
        assert found.bins[event].sum() == found.hits[event]
        assert (found.bins[event] <= found.bins["resamples"]).all()


def scored(seed: int, units: int) -> Stats:
    """Two systems with real numbers for scores, the first one better by about 0.2."""
    rng = np.random.default_rng(seed)
    values = np.stack([rng.normal(0.2, 1, units), rng.normal(0, 1, units)])
    return Stats(("a", "b"), np.stack([values, np.ones((2, units))], axis=2), ACCURACY)


@pytest.mark.parametrize(("stats", "edges"), [(scored(6, 60), (0, 1, 2)), (pair(6, 60), ())], ids=["reals", "steps"])
def test_bins_hold_their_gains_and_have_edges_at_the_gain(stats, edges):
    """Edges at 0, delta and 2 delta where gains have no steps."""
    recipe = Resampling(5_000, seed=3)
    found, gains = resampled(stats, recipe), resampled_gains(stats, recipe)
    low, high = found.bins["gain"] - found.bins["width"] / 2, found.bins["gain"] + found.bins["width"] / 2
    for times in edges:
        assert np.abs(np.append(low, high.iloc[-1]) - times * found.gain).min() < 1e-9
    for place in (0, len(low) // 2, len(low) - 1):
        inside = ((gains >= low[place] - 1e-12) & (gains < high[place] - 1e-12)).sum()
        assert abs(inside - found.bins["resamples"][place]) <= 1
    assert found.error == pytest.approx(gains[:BLOCK].std(ddof=1))


def test_bins_of_a_gain_in_steps_have_no_spike():
    """B misses 3 of 40 answers that A has: the gain is 2.5 times a binomial number, and each number has its own bar."""
    found = resampled(shares([[1] * 40, [1] * 37 + [0] * 3]), Resampling(100_000, seed=1))
    numbers = binom(40, 3 / 40).pmf(np.arange(len(found.bins)))
    assert found.bins["gain"].tolist() == pytest.approx((2.5 * np.arange(len(found.bins))).tolist())
    np.testing.assert_allclose(found.bins["resamples"] / 100_000, numbers, atol=5 * np.sqrt(0.25 / 100_000))


def test_bins_stay_where_they_are_when_resamples_are_added():
    stats = pair(6, 60)
    few, many = (resampled(stats, Resampling(b, seed=3)) for b in (10, 20_000))
    assert (few.low, few.high, few.error) == (many.low, many.high, many.error)
    assert few.bins["width"][0] == pytest.approx(many.bins["width"][0])
    offset = (few.bins["gain"][0] - many.bins["gain"][0]) / many.bins["width"][0]
    assert offset == pytest.approx(round(offset))


def test_a_gain_too_small_for_the_bins_needs_no_memory():
    """A gain of a ten-millionth of its standard error: as many bins as for any other, and all resamples in them."""
    rng = np.random.default_rng(0)
    noise = np.concatenate([x := rng.normal(size=50), -x])
    values = np.stack([[noise + 1e-8, np.ones(100)], [np.zeros(100), np.ones(100)]]).transpose(0, 2, 1)
    found = resampled(Stats(("a", "b"), values, ACCURACY), Resampling(2_000))
    assert 0 < found.gain < 1e-5 * found.error
    assert len(found.bins) < 100
    assert found.bins["resamples"].sum() == 2_000


def test_systems_that_differ_alike_everywhere_have_one_bar():
    """A is right on both answers of each unit, B on one: every resample has the gain of 50."""
    found = resampled(shares([[2] * 8, [1] * 8], of=2), Resampling(500))
    assert found.error == 0
    assert found.bins.loc[found.bins["resamples"] > 0, "resamples"].tolist() == [500]
    assert {event: found.hits[event] for event in EVENTS} == {ONCE: 0, TWICE: 0, BELOW: 0}
    assert found.low < 0 < found.gain < found.high


def test_the_standard_error_by_pencil():
    """Deviations 3 and 4 with correlation 1/2: 9 + 16 - 12 = 13; on four times the units half of its root; with
    correlation 0 it is 5, with 1 it is 1."""
    stats = random_stats(1, 2, 50)
    result = bootstrap(stats, Resampling(2_000))
    covariance = np.array([[9.0, 6.0], [6.0, 16.0]])
    of = spread(type(result)(**(result.__dict__ | {"covariance": covariance})), 0, 1, 50)
    assert of.error() == pytest.approx(np.sqrt(13))
    assert of.error(200) == pytest.approx(np.sqrt(13) / 2)
    assert of.error(correlation=0.0) == pytest.approx(5)
    assert of.error(correlation=1.0) == pytest.approx(1)


def test_the_standard_error_is_the_bootstraps():
    stats = random_stats(2, 3, 80)
    result = bootstrap(stats, Resampling(4_000))
    for (a, b), error, correlation in zip(result.pairs, result.standard_error, result.correlation, strict=True):
        of = spread(result, a, b, 80)
        assert of.error() == pytest.approx(error)
        assert of.correlation == pytest.approx(correlation)


def test_the_curve_is_the_normal_distributions():
    table = confidence_curve(2.0, 6.0, 13)
    assert table["gain"].tolist() == pytest.approx([0.5 * place for place in range(13)])
    np.testing.assert_allclose(table["confidence"], norm.cdf(table["gain"] / 2.0))
    assert confidence_curve(0.0, 1.0, 3)["confidence"].tolist() == [0.5, 1, 1]
    assert needed_gain(2.0, 0.05) == pytest.approx(2 * norm.ppf(0.95))
    assert np.interp(needed_gain(2.0, 0.05), table["gain"], table["confidence"]) == pytest.approx(0.95, abs=0.01)


def test_the_curve_goes_through_a_real_pair():
    """On 400 units resampled gains are nearly normal: confidence by hits and by the curve within a hundredth
    (5 Monte-Carlo errors are 0.006)."""
    stats = pair(8, 400)
    found, result = resampled(stats, Resampling(100_000)), bootstrap(stats, Resampling(20_000))
    by_curve = norm.cdf(found.gain / spread(result, 0, 1, 400).error())
    assert 1 - found.share(TWICE) == pytest.approx(by_curve, abs=0.01)


def test_gains_are_shown_beyond_the_last_in_doubt():
    """The last with p >= 0.05 has 4 (the 9 is surely better, the 0 no gain): 4.6; or 3.2 times what is needed."""
    pairs = estimated_pairs(random_stats(1, 4, 40)).head(4).assign(gain=[9, 4, 2, 0], p_value=[0.01, 0.05, 0.2, 1.0])
    assert shown_gain(pairs, 0.05, 1.0) == pytest.approx(4.6)
    assert shown_gain(pairs, 0.05, 2.0) == pytest.approx(6.4)
    assert shown_gain(pairs.head(1), 0.05, 2.0) == pytest.approx(6.4)


def test_estimated_p_is_near_that_of_the_bootstrap():
    """For each of 15 pairs within 0.03 of p from 20,000 resamples; and in its order of pairs."""
    stats = random_stats(5, 6, 300)
    found = estimated_pairs(stats)
    result = bootstrap(stats, Resampling(20_000))
    names = np.array(stats.names)
    assert found["system_a"].tolist() == names[result.pairs[:, 0]].tolist()
    assert found["system_b"].tolist() == names[result.pairs[:, 1]].tolist()
    np.testing.assert_allclose(found["gain"], result.gain)
    np.testing.assert_allclose(found["p_value"], p_values(result)[0], atol=0.03)


def test_duplicates_have_an_estimated_p_of_1():
    values = shares([[1, 0, 1, 1], [1, 0, 1, 1], [0, 0, 1, 0]])
    found = estimated_pairs(values)
    assert found["p_value"].tolist()[0] == 1
    assert (found["p_value"][1:] < 0.5).all()
