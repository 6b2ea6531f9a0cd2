"""The paired bootstrap: against the paper's own loop, against every resample there is, against theory."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import scipy.stats

from nlpsig_core.base.errors import TaskError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.resampling.bootstrap import Bootstrap, all_pairs, bootstrap, expanded_tail
from nlpsig_core.significance.resampling.kernels import draw
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.tallies import BINNED_RESAMPLES
from nlpsig_core.significance.stats.array import Stats
from tests.builders import ACCURACY, ERROR_RATE, p_values, random_stats, shares


def counts_of(recipe: Resampling, units: int) -> np.ndarray:
    """How often each unit is drawn in each resample of the recipe, (resamples, units)."""
    parts = []
    for run in recipe.chunks():
        for block in run:
            parts.append(np.empty((recipe.rows(block), units)))
            draw(recipe.stream(block), parts[-1])
    return np.vstack(parts).astype(np.int64)


def of_units(number: float, result: Bootstrap) -> np.ndarray:
    """So many differing units for every pair."""
    return np.full(len(result.pairs), float(number))


def exact_f1(statistics: np.ndarray) -> Fraction:
    correct, predicted, gold = map(int, statistics.sum(axis=0))
    return Fraction(200 * correct, predicted + gold)


def exact_share(statistics: np.ndarray) -> Fraction:
    right, of = map(int, statistics.sum(axis=0))
    return Fraction(100 * right, of)


def figure_1(stats: Stats, a: int, b: int, samples, score) -> tuple[int, int]:
    """Figure 1 of Berg-Kirkpatrick et al. (2012), word for word: s, and that of footnote 2, in exact fractions."""
    sign = 1 if stats.metric.higher_is_better else -1

    def delta(units):
        return sign * (score(stats.values[a][units]) - score(stats.values[b][units]))

    observed = delta(np.arange(stats.n_units))
    s = s_below = 0
    for x in samples:
        s += delta(x) > 2 * observed
        s_below += delta(x) < 0
    return s, s_below


def test_two_systems_by_pencil():
    """Four units; A is right on all, B on three: delta = 25.

    delta* is 25 k where the unit that B misses is drawn k times, so delta* > 50 means three or four
    times: 4 * 3 + 1 = 13 of the 4^4 = 256 resamples; delta* < 0 never happens.
    """
    result = bootstrap(shares([[1, 1, 1, 0], [1, 1, 1, 1]]), Resampling(200_000, seed=1))
    assert result.pairs.tolist() == [[1, 0]]
    assert result.gain.tolist() == [25]
    p = 13 / 256
    assert abs(result.hits_above[0] / 200_000 - p) < 5 * np.sqrt(p * (1 - p) / 200_000)
    assert result.hits_below.tolist() == [0]


@pytest.mark.parametrize("metric", [METRICS["LAS"], ACCURACY, ERROR_RATE], ids=lambda m: m.name)
def test_hit_for_hit_equal_to_the_papers_loop(metric):
    """The same counts of the same resamples, the ratios in exact fractions: no hit more, none less."""
    recipe = Resampling(1_200, seed=8)
    if metric is METRICS["LAS"]:
        stats, score = random_stats(5, 4, 12), exact_f1
    else:
        stats, score = shares(np.random.default_rng(3).integers(0, 4, (4, 8)), metric, of=3), exact_share
    samples = [np.repeat(np.arange(stats.n_units), row) for row in counts_of(recipe, stats.n_units)]
    result = bootstrap(stats, recipe)
    expected = [figure_1(stats, a, b, samples, score) for a, b in result.pairs]
    assert list(zip(result.hits_above.tolist(), result.hits_below.tolist(), strict=True)) == expected
    assert result.hits_above.sum() > 0
    assert result.hits_below.sum() > 0


@pytest.mark.parametrize(("units", "seed"), [(3, 0), (4, 1), (5, 2)])
def test_p_is_that_of_all_resamples_there_are(units, seed):
    """All n^n resamples of n units, each equally likely, give the truth; 200,000 come within 5 standard
    errors (one wrong alarm in 10^6 comparisons)."""
    stats, b = random_stats(seed, 4, units), 200_000
    samples = [np.array(x) for x in product(range(units), repeat=units)]
    result = bootstrap(stats, Resampling(b, seed=seed))
    for (first, second), above, below in zip(result.pairs, result.hits_above, result.hits_below, strict=True):
        for hits, truth in zip((above, below), figure_1(stats, first, second, samples, exact_f1), strict=True):
            p = truth / len(samples)
            assert abs(hits / b - p) <= 5 * np.sqrt(p * (1 - p) / b)


def test_a_tie_is_no_hit():
    """delta* = 2 delta is not more than it, delta* = 0 is not less than nothing.

    A is right on one unit of two, B on none: delta = 50; delta* is 0, 50 or 100 with 1:2:1, never above 100.
    """
    result = bootstrap(shares([[1, 0], [0, 0]]), Resampling(10_000))
    assert (result.hits_above[0], result.hits_below[0]) == (0, 0)


def test_ties_of_ratios_are_decided_in_fractions():
    """Thirds and sevenths are no floats: with 3 units of 7 there are many ties, none may be taken for a hit."""
    stats, recipe = shares([[3, 1, 2], [2, 1, 2], [1, 1, 3]], of=7), Resampling(2_000, seed=2)
    samples = [np.repeat(np.arange(3), row) for row in counts_of(recipe, 3)]
    result = bootstrap(stats, recipe)
    above = [figure_1(stats, a, b, samples, exact_share)[0] for a, b in result.pairs]
    assert result.hits_above.tolist() == above
    first = [exact_share(stats.values[0][x]) - exact_share(stats.values[1][x]) for x in samples]
    assert Fraction(200, 21) in first, "the example has no tie; choose another"


def test_duplicates_cannot_be_tested():
    """Equal outputs: delta = 0, no resample differs, and p is 1 and not the 0 of the strict rule."""
    stats = random_stats(4, 1, 30)
    doubled = Stats(("a", "b"), np.repeat(stats.values, 2, axis=0), stats.metric)
    result = bootstrap(doubled, Resampling(1_000))
    one_sided, two_sided = p_values(result)
    assert (result.gain[0], result.hits_above[0], result.hits_below[0]) == (0, 0, 0)
    assert (one_sided.tolist(), two_sided.tolist()) == ([1], [1])
    assert result.standard_error.tolist() == [0]
    assert result.correlation.tolist() == [1]
    assert result.gain_intervals(0.95, np.zeros(1))[0] == pytest.approx([0, 0], abs=1e-6)


@pytest.mark.parametrize(("systems", "seed"), [(13, 1), (33, 0), (100, 2)])
def test_duplicates_among_many_systems_have_no_standard_error(systems, seed):
    """None at all, whatever rounding the matrix product leaves at their places; the others keep theirs."""
    stats = random_stats(seed, systems, 80)
    values, order = stats.values.copy(), np.random.default_rng(seed).permutation(systems)
    values[order[1::2]] = values[order[: systems // 2 * 2 : 2]]
    result = bootstrap(Stats(stats.names, values, stats.metric), Resampling(20_000))
    same = np.array([(values[a] == values[b]).all() for a, b in result.pairs])
    assert same.sum() == systems // 2
    assert (result.standard_error[same] == 0).all()
    assert (result.correlation[same] == 1).all()
    assert (result.standard_error[~same] > 0.1).all()


def test_pairs_have_the_winner_first_in_the_order_of_the_systems():
    assert all_pairs(np.array([10, 30, 20])).tolist() == [[1, 0], [2, 0], [1, 2]]
    assert all_pairs(np.array([5, 5])).tolist() == [[0, 1]]
    assert all_pairs(np.array([5])).shape == (0, 2)


def test_spread_and_intervals_equal_numpy_on_stored_resamples():
    """Standard errors and correlations to 10 digits, percentiles to a bin, which is 1/20 standard error."""
    stats, recipe = random_stats(6, 5, 40), Resampling(20_000, seed=3)
    result = bootstrap(stats, recipe)
    totals = np.einsum("ru,suk->srk", counts_of(recipe, 40), stats.values.astype(np.int64))
    scores = stats.metric.score(totals)
    a, b = result.pairs.T
    gains = scores[a] - scores[b]
    assert result.standard_error == pytest.approx(gains.std(axis=1, ddof=1), rel=1e-9)
    assert result.covariance == pytest.approx(np.cov(scores), rel=1e-9)
    assert result.correlation == pytest.approx(np.corrcoef(scores)[a, b], rel=1e-9)
    for level in (0.8, 0.95):
        tail = 100 * expanded_tail(level, 40)
        ends = [tail, 100 - tail]
        error = np.abs(result.gain_intervals(level, of_units(40, result)) - np.percentile(gains, ends, axis=1).T)
        assert (error < 0.05 * result.standard_error[:, None]).all()
        error = np.abs(result.score_intervals(level) - np.percentile(scores, ends, axis=1).T)
        assert (error < 0.05 * scores.std(axis=1)[:, None]).all()


def test_histograms_hold_the_first_resamples():
    result = bootstrap(random_stats(6, 3, 10), Resampling(BINNED_RESAMPLES + 50_000, seed=3))
    assert (result.bins.sum(axis=1) == BINNED_RESAMPLES).all()


def test_standard_error_and_interval_agree_with_scipy():
    """scipy.stats.bootstrap(paired=True) draws other resamples: within 3% of the standard error, and ends
    of the interval within a tenth of it (20,000 resamples leave 0.5% and a fiftieth)."""
    stats, b = random_stats(9, 2, 80), 20_000
    result = bootstrap(stats, Resampling(b, seed=1))
    first, second = (stats.values[i].astype(float) for i in result.pairs[0])

    def gain(*columns, axis=-1):
        totals = np.stack([column.sum(axis=axis) for column in columns], axis=-1)
        return stats.metric.score(totals[..., :3]) - stats.metric.score(totals[..., 3:])

    common = {"data": (*first.T, *second.T), "statistic": gain, "paired": True, "vectorized": True}
    common |= {"method": "percentile"}
    theirs = scipy.stats.bootstrap(**common, n_resamples=b, rng=np.random.default_rng(0), batch=1_000)
    assert result.standard_error[0] == pytest.approx(theirs.standard_error, rel=0.03)
    reach = 0.1 * theirs.standard_error
    level = 1 - 2 * scipy.stats.norm.cdf(scipy.stats.t.ppf(0.025, 79) * np.sqrt(80 / 79))
    wider = scipy.stats.bootstrap(**common, bootstrap_result=theirs, n_resamples=0, confidence_level=level)
    assert result.gain_intervals(0.95, of_units(80, result))[0] == pytest.approx(
        list(wider.confidence_interval), abs=reach
    )
    np.testing.assert_array_equal(result.score_intervals(), result.score_intervals(0.95))


def test_lower_is_better():
    """Errors 1 of 4 and 2 of 4: the first wins by 25; the intervals are of the gain and of the error itself."""
    wrong = [[1, 0, 0, 0] * 25, [1, 1, 0, 0] * 25]
    result = bootstrap(shares(wrong, ERROR_RATE), Resampling(20_000))
    right = bootstrap(shares(1 - np.array(wrong)), Resampling(20_000))
    assert result.pairs.tolist() == [[0, 1]]
    assert result.scores.tolist() == [25, 50]
    assert result.gain.tolist() == [25]
    assert result.hits_above.tolist() == right.hits_above.tolist()
    assert result.hits_below.tolist() == right.hits_below.tolist()
    low, high = result.gain_intervals(0.95, of_units(100, result))[0]
    assert 0 < low < 25 < high
    assert (low, high) == pytest.approx(right.gain_intervals(0.95, of_units(100, right))[0], abs=0.3)
    for score, (low, high) in zip(result.scores, result.score_intervals(), strict=True):
        assert 0 < low < score < high
    assert result.score_intervals() == pytest.approx(100 - right.score_intervals()[:, ::-1], abs=0.3)


def test_no_error_at_all_is_0_and_not_a_negative_0():
    result = bootstrap(shares([[0, 0, 0], [0, 0, 0]], ERROR_RATE), Resampling(100))
    assert result.score_intervals().tolist() == [[0, 0], [0, 0]]
    assert not np.signbit(result.score_intervals()).any()


def test_pairs_that_memory_has_no_room_for_are_refused(monkeypatch):
    """4,950 pairs and 100 systems have 256 bins of 12 bytes each, in one thread and in the sum: 31,027,200 bytes."""
    stats = random_stats(1, 100, 3)
    monkeypatch.setenv("NLPSIG_MAX_MEMORY", "31")
    with pytest.raises(TaskError, match=r"100 systems have 4,950 pairs, .* 31 MB; NLPSIG_MAX_MEMORY \(in MB, now 31\)"):
        bootstrap(stats, Resampling(10), threads=1)
    monkeypatch.setenv("NLPSIG_MAX_MEMORY", "32")
    assert len(bootstrap(stats, Resampling(10), threads=1).gain) == 4_950


def test_one_resample_is_enough_to_run():
    result = bootstrap(random_stats(7, 3, 20), Resampling(1))
    assert ((result.hits_above + result.hits_below) <= 1).all()
    assert np.isfinite(result.gain_intervals(0.95, of_units(20, result))).all()
    assert np.isfinite(result.correlation).all()


def test_a_system_that_scores_0_everywhere():
    """An invalid output: its score never varies, and its correlation with the others is none."""
    result = bootstrap(shares([[1, 0, 1, 1], [0, 0, 0, 0]]), Resampling(2_000))
    assert result.correlation.tolist() == [0]
    assert result.hits_below.tolist() == [0]
    assert result.score_intervals()[1] == pytest.approx([0, 0], abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_intervals_stay_within_what_resamples_had(seed):
    """Scores lie between 0 and 100, and a gain that is never negative has no negative end."""
    result = bootstrap(shares([[1, 1, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]]), Resampling(3_000, seed))
    scores, gains = result.score_intervals(), result.gain_intervals(0.95, of_units(3, result))
    assert scores.min() >= 0
    assert scores.max() <= 100
    assert (scores[[0, 2, 3]] == [[100, 100], [0, 0], [100, 100]]).all()
    assert gains.min() >= 0
    same = (result.pairs == [0, 3]).all(axis=1)
    assert (gains[same] == 0).all()


def test_expanded_tail_by_scipy():
    """At n = 10 the 2.5% tail becomes Phi(sqrt(10/9) * -2.262) = 0.0086; with many units it stays 2.5%."""
    for n in (2, 10, 50, 500):
        t = scipy.stats.t.ppf(0.025, n - 1)
        assert expanded_tail(0.95, n) == pytest.approx(scipy.stats.norm.cdf(np.sqrt(n / (n - 1)) * t))
    assert expanded_tail(0.95, 10) == pytest.approx(0.0086, abs=1e-4)
    assert expanded_tail(0.95, 10**6) == pytest.approx(0.025, abs=1e-6)


def test_ends_of_intervals_are_gains_that_resamples_had():
    """Three wins and no loss in 1,000 units: gains come in steps of 0.1, and the interval is [0, 0.7] exactly.

    The number of wins drawn is binomial(1000, 0.003): P(0) = 0.0496 is above the tail of 2.5%, so the lower end is 0;
    P(more than 6) = 0.033 is above it, P(more than 7) = 0.012 is not, so the upper end is 7 wins. By the three
    differing units, the tail Phi(sqrt(3/2) t_2) is 7e-8: the ends are the smallest and the largest resampled gain.
    """
    result = bootstrap(shares([[1] * 3 + [0] * 997, [0] * 1000]), Resampling(50_000), keep=True)
    low, high = result.gain_intervals(0.95, of_units(1_000, result))[0]
    assert (low, high) == (0, pytest.approx(0.7, abs=1e-12))
    gains = result.resampled[0] - result.resampled[1]
    assert result.gain_intervals(0.95, of_units(3, result))[0].tolist() == pytest.approx([0, gains.max()], abs=1e-6)
    assert gains.max() > 1


@pytest.mark.slow
def test_coverage_of_the_interval_of_ten_units():
    """Normal differences, n = 10: 95% intervals hold the mean in 94% of 600 worlds; 91 to 97% is 3 errors."""
    rng, held = np.random.default_rng(10), []
    for _ in range(60):
        values = np.stack([rng.normal(size=(10, 10)), np.ones((10, 10))], axis=-1)
        low, high = (
            bootstrap(Stats(tuple("abcdefghij"), values, METRICS["mean"]), Resampling(2_000)).score_intervals().T
        )
        held += ((low < 0) & (high > 0)).tolist()
    assert 0.91 < np.mean(held) < 0.97
