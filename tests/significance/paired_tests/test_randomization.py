"""Approximate randomization: against every swap there is, against the plain loop, scipy and sacrebleu."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from operator import mul

import numpy as np
import pytest
import scipy.stats

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.base import Ratio, f1
from nlpsig_core.data.task.samples import sample_path
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.paired_tests import randomization
from nlpsig_core.significance.paired_tests.randomization import (
    SwappedPairs,
    SwappedRatios,
    draw_swaps,
    run,
    swap_stream,
    swapped_by,
)
from nlpsig_core.significance.resampling.bootstrap import all_pairs
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import MacroStats, Stats
from tests.builders import random_stats, shares

RATIOS = {name: metric for name, metric in METRICS.items() if isinstance(metric.score, Ratio)}


def pairs_of(stats) -> np.ndarray:
    return all_pairs(stats.metric.sign * stats.scores)


def hits_of(stats, swaps: list[np.ndarray]) -> np.ndarray:
    return swapped_by(stats)(stats, pairs_of(stats)).hits(swaps)


def every_swap(units: int) -> np.ndarray:
    """All 2^n ways to swap, (2^n, units)."""
    return np.array(list(product((0, 1), repeat=units)), dtype=np.float32)


def exact(score: Ratio, statistics: np.ndarray) -> Fraction:
    """The score of summed whole statistics (units, k) without rounding."""
    totals = statistics.sum(axis=0).tolist()
    part, whole = (sum(map(mul, weights, totals)) for weights in (score.part, score.whole))
    return Fraction(score.offset) + Fraction(score.scale) * part / max(whole, 1)


def loop(stats: Stats, a: int, b: int, swaps: np.ndarray) -> tuple[int, int]:
    """Hits of delta* >= delta and of delta* <= -delta, one swap at a time, in exact fractions."""
    sign, score = (1 if stats.metric.higher_is_better else -1), stats.metric.score
    ours, theirs = stats.values[a], stats.values[b]
    observed = sign * (exact(score, ours) - exact(score, theirs))
    hits = [0, 0]
    for row in swaps.astype(bool)[..., None]:
        gain = sign * (exact(score, np.where(row, theirs, ours)) - exact(score, np.where(row, ours, theirs)))
        hits[0] += gain >= observed
        hits[1] += gain <= -observed
    return hits[0], hits[1]


def test_two_systems_by_pencil():
    """A is right on three units that B misses, and both are right on a fourth: delta = 75.

    Of the 16 swaps those of no unit of the three (the fourth or not: 2) give 75, those of all three (2) -75.
    """
    stats = shares([[0, 0, 0, 1], [1, 1, 1, 1]])
    assert pairs_of(stats).tolist() == [[1, 0]]
    assert hits_of(stats, [every_swap(4)]).tolist() == [[2], [2]]
    p, b = run(stats, pairs_of(stats), Resampling(50_000)), 50_000
    assert abs(p.one_sided[0] - 2 / 16) < 5 * np.sqrt(2 * 14 / 16**2 / b)
    assert abs(p.two_sided[0] - 4 / 16) < 5 * np.sqrt(4 * 12 / 16**2 / b)


def test_what_was_observed_is_one_of_the_swaps():
    """A wins all of 60 units: no swap of 1,000 is like it, and p is (0 + 1) / (1,000 + 1)."""
    p = run(shares(np.repeat([[1], [0]], 60, axis=1)), np.array([[0, 1]]), Resampling(1_000))
    assert p.one_sided.tolist() == p.two_sided.tolist() == [1 / 1_001]


@pytest.mark.parametrize("metric", RATIOS.values(), ids=RATIOS)
def test_every_swap_there_is(metric):
    """All 2^7 swaps, ratios in exact fractions, of metrics that are ratios: no hit more, none less.

    Many totals are 0. Of the last two systems everything is right, and all statistics are the same but one.
    """
    values = np.random.default_rng(3).integers(0, 3, (6, 7, len(metric.score.part)))
    values[-2:] = values[-1]
    values[-1, 0, np.flatnonzero(metric.score.part)[0]] += 1
    stats, swaps = Stats(tuple("abcdef"), values, metric), every_swap(7)
    expected = [loop(stats, a, b, swaps) for a, b in pairs_of(stats)]
    assert hits_of(stats, [swaps]).T.tolist() == list(map(list, expected))


@pytest.mark.parametrize("metric", RATIOS.values(), ids=RATIOS)
def test_ratios_are_those_of_swapped_totals(metric):
    """The loop of ratios counts what the scores of swapped totals give, on two test sets, one of real numbers.

    Systems without any part or whole on the units that are not swapped have a whole of 0.
    """
    rng = np.random.default_rng(1)
    whole = rng.integers(0, 4, (6, 30, len(metric.score.part))) * (rng.random((6, 30, 1)) < 0.1)
    real = rng.random((6, 20, whole.shape[2]))
    stats = MacroStats(tuple(Stats(tuple("abcdef"), values, metric) for values in (whole, real)))
    swaps = [rng.integers(0, 2, (500, units)).astype(np.float64) for units in (30, 20)]
    assert swapped_by(stats) is SwappedRatios
    assert hits_of(stats, swaps).tolist() == SwappedPairs(stats, pairs_of(stats)).hits(swaps).tolist()


def test_real_numbers_and_ties():
    """Means of tenths, which are no floats: many swaps give the same gain, and none is lost to rounding."""
    values = np.array([[0.1, 0.2, 0.3, 0.7, 0.1, 0.6], [0.3, 0.3, 0.1, 0.1, 0.2, 0.1], [0.2, 0.1, 0.3, 0.7, 0.1, 0.3]])
    stats = Stats(("a", "b", "c"), np.stack([values, np.ones_like(values)], axis=2), METRICS["mean"])
    tenths = shares(np.rint(10 * values).astype(int), of=1)
    swaps = every_swap(6).astype(np.float64)
    found = hits_of(stats, [swaps])
    assert found.tolist() == hits_of(tenths, [every_swap(6)]).tolist()
    assert found.T.tolist() == [list(loop(tenths, a, b, swaps)) for a, b in pairs_of(tenths)]


def test_several_test_sets_are_swapped_each_within_itself():
    """All 8 swaps of one test set with all 4 of another; the gain is the mean of both."""
    parts = random_stats(1, 3, 3), random_stats(2, 3, 2)
    stats = MacroStats(parts)
    rows = list(product(every_swap(3), every_swap(2)))
    swaps = [np.array([row[part] for row in rows]) for part in range(2)]
    pairs = pairs_of(stats)
    by_first, by_second = hits_of(stats, swaps)
    for (a, b), first, second in zip(pairs, by_first, by_second, strict=True):
        gains = []
        for row in rows:
            gain = Fraction(0)
            for part, swap in zip(parts, row, strict=True):
                ours, theirs, swapped = part.values[a], part.values[b], swap.astype(bool)[:, None]
                gain += exact(f1, np.where(swapped, theirs, ours)) - exact(f1, np.where(swapped, ours, theirs))
            gains.append(gain)
        assert first == sum(gain >= gains[0] for gain in gains)
        assert second == sum(gain <= -gains[0] for gain in gains)
    p = run(stats, pairs, Resampling(20_000))
    assert (np.abs(p.one_sided - by_first / 32) < 5 * np.sqrt(0.25 / 20_000)).all()


def permutation_test(stats: Stats, a: int, b: int, alternative: str) -> float:
    """p by scipy, which is given places of units and swaps them: exact, for it tries all 2^n."""
    rows, n = np.vstack([stats.values[a], stats.values[b]]), stats.n_units

    def gain(ours, theirs, axis):
        scores = [stats.metric.score(rows[np.moveaxis(of, axis, -1)].sum(axis=-2)) for of in (ours, theirs)]
        return np.round(scores[0] - scores[1], 9)

    places = np.arange(n), np.arange(n, 2 * n)
    return scipy.stats.permutation_test(
        places, gain, permutation_type="samples", alternative=alternative, n_resamples=np.inf, vectorized=True
    ).pvalue


@pytest.mark.parametrize("seed", range(3))
def test_equal_to_scipy(seed):
    """scipy.stats.permutation_test over all 2^10 swaps; 100,000 of ours come within 5 standard errors.

    A wrong alarm in 10^6 of 18 comparisons.
    """
    stats, b = random_stats(seed, 3, 10), 100_000
    pairs = pairs_of(stats)
    all_of_them = hits_of(stats, [every_swap(10)])
    p = run(stats, pairs, Resampling(b, seed))
    for place, (first, second) in enumerate(pairs):
        for of_test, hits, alternative in (
            (p.one_sided, all_of_them[0, place], "greater"),
            (p.two_sided, all_of_them[:, place].sum(), "two-sided"),
        ):
            truth = permutation_test(stats, first, second, alternative)
            assert min(hits / 1024, 1) == pytest.approx(truth, abs=1e-12)
            assert abs(of_test[place] - truth) <= 5 * np.sqrt(truth * (1 - truth) / b)


def test_hit_for_hit_equal_to_the_plain_loop():
    """The very swaps of a recipe, one at a time."""
    stats, recipe = random_stats(5, 3, 70), Resampling(1_300, seed=4)
    swaps = np.vstack(
        [draw_swaps(swap_stream(recipe, block), np.empty((70, 1)), recipe.rows(block)) for block in (0, 1)]
    )
    pairs = pairs_of(stats)
    p = run(stats, pairs, recipe)
    by_first, by_second = np.array([loop(stats, a, b, swaps) for a, b in pairs]).T
    assert np.rint(p.one_sided * 1_301 - 1).tolist() == by_first.tolist()
    assert np.rint(p.two_sided * 1_301 - 1).tolist() == (by_first + by_second).tolist()
    assert 0 < by_first.min() < by_second.max() < 1_300


def test_near_to_sacrebleus_approximate_randomization():
    """sacrebleu's PairedTest(test_type="ar") of BLEU, 1,000 swaps against our 20,000, within 5 standard errors.

    It adds 1 to hits and swaps as well. A wrong alarm in 10^6 of 3 comparisons.
    """
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import PairedTest

    test_set, metric = load_task(sample_path("shumak-translation")).test_set(), METRICS["BLEU-13a"]
    outputs = [(path, test_set.read(path, file.load())) for path, file in list(test_set.outputs.items())[:4]]
    values = np.array([metric.family.count(test_set.gold, output) for _, output in outputs])
    stats = Stats(tuple(path for path, _ in outputs), values, metric)
    named, references = [(path, list(output.lines)) for path, output in outputs], list(map(list, test_set.gold.lines))
    theirs = PairedTest(named, {"BLEU": BLEU(force=True)}, references, test_type="ar", n_samples=1_000)()[1]["BLEU"]
    for other, result in enumerate(theirs[1:], start=1):
        pair = np.array([[0, other]] if stats.scores[0] >= stats.scores[other] else [[other, 0]])
        p = run(stats, pair, Resampling(20_000)).two_sided[0]
        error = np.sqrt(p * (1 - p) * (1 / 1_000 + 1 / 20_000))
        assert abs(p - result.p_value) <= 5 * error + 1 / 1_000


def test_the_first_swaps_of_seed_0():
    """These literals hold on every machine, or all published p-values change."""
    assert draw_swaps(swap_stream(Resampling(seed=0), 0), np.empty((12, 1), dtype=int), 2).tolist() == [
        [0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 0],
        [0, 1, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1],
    ]


def test_a_row_takes_as_many_words_as_it_needs():
    """Of 64 units one, low bits first; of 65 two."""
    words = [f"{word:064b}"[::-1] for word in swap_stream(Resampling(seed=0), 0).random_raw(3).tolist()]
    of_64, of_65 = (draw_swaps(swap_stream(Resampling(seed=0), 0), np.empty((n, 1), dtype=int), 2) for n in (64, 65))
    assert ["".join(map(str, row)) for row in of_64.tolist()] == words[:2]
    assert "".join(map(str, of_65[0].tolist())) == words[0] + words[1][0]
    assert "".join(map(str, of_65[1, :64].tolist())) == words[2]


def test_a_swap_is_as_likely_as_none():
    """Of 200 units each in half of 20,000 rows: within 5 standard errors, a wrong alarm in 10^4 seeds; so are pairs
    of neighbouring units in a quarter."""
    drawn = draw_swaps(swap_stream(Resampling(seed=3), 0), np.empty((200, 1)), 20_000)
    assert set(np.unique(drawn)) == {0, 1}
    assert (np.abs(drawn.mean(axis=0) - 0.5) < 5 * np.sqrt(0.25 / 20_000)).all()
    both = (drawn[:, 1:] * drawn[:, :-1]).mean(axis=0)
    assert (np.abs(both - 0.25) < 5 * np.sqrt(3 / 16 / 20_000)).all()


def test_how_many_pairs_are_worked_on_at_a_time_does_not_matter(monkeypatch):
    """Of a score that is no ratio."""
    metric = replace(METRICS["LAS"], score=lambda totals: np.sqrt(f1(totals)))
    parts = [replace(random_stats(seed, 6, units), metric=metric) for seed, units in ((1, 40), (3, 30), (4, 45))]
    for stats in (parts[0], MacroStats(tuple(parts[1:]))):
        together = run(stats, pairs_of(stats), Resampling(2_000))
        monkeypatch.setattr(randomization, "TOTALS_AT_A_TIME", 4 * 2 * 3 * 1_000)
        apart = run(stats, pairs_of(stats), Resampling(2_000))
        assert (together.one_sided == apart.one_sided).all()
        assert (together.two_sided == apart.two_sided).all()
        monkeypatch.undo()


def test_large_sums_are_exact():
    """Sums beyond 2^24 leave single precision: 2^24 + 1 and 2^24 right ones are told apart, and swapped."""
    stats = shares([[2**24 + 1, 0, 1], [2**24, 0, 1]], of=2**25)
    assert hits_of(stats, [every_swap(3)]).tolist() == [[4], [4]]


def test_test_sets_of_other_editions_have_their_own_columns(monkeypatch):
    """BLEU's nine statistics on one, F1's three on the other, whichever comes first."""
    monkeypatch.setattr(randomization, "TOTALS_AT_A_TIME", 1)
    rng = np.random.default_rng(0)
    correct = rng.integers(1, 9, (2, 12, 4))
    bleu = np.concatenate([correct, correct + rng.integers(1, 5, (2, 12, 4)), rng.integers(8, 12, (2, 12, 1))], axis=2)
    one, other = Stats(("system0", "system1"), bleu, METRICS["BLEU-13a"]), random_stats(2, 2, 12)
    for stats in (MacroStats((one, other)), MacroStats((other, one))):
        found = hits_of(stats, [every_swap(12), every_swap(12)])
        assert found.tolist() == expected_of_macro(stats, every_swap(12))


def expected_of_macro(stats: MacroStats, swaps: np.ndarray) -> list[list[int]]:
    (a, b), gains = pairs_of(stats)[0], 0
    for part in stats.test_sets:
        scores = []
        for one, two in ((a, b), (b, a)):
            mixed = np.where(swaps[..., None] == 1, part.values[two], part.values[one]).sum(axis=1)
            scores.append(part.metric.score(mixed))
        gains = gains + (scores[0] - scores[1]) / 2
    return [[int((gains >= gains[0] - 1e-9).sum())], [int((gains <= -gains[0] + 1e-9).sum())]]
