"""The numbers of the film: by pencil, by the engine that all pages use, and by what theory promises."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.resampling.kernels import draw
from nlpsig_core.significance.resampling.recipe import BLOCK, Resampling
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.studies.lessons.equal_systems import PAIRS, false_alarms
from nlpsig_core.studies.lessons.film import (
    DRAWN,
    RESAMPLES,
    SETS,
    SHOWN,
    SIZES,
    WORDS,
    Film,
    drawn_units,
    film,
    pairs_on,
    taggers,
)
from nlpsig_core.studies.lessons.rules import PAPER
from tests.builders import ERROR_RATE, shares
from tests.studies.lessons.pairs import pair


@pytest.fixture(scope="module")
def made_up() -> Film:
    return film()


def test_the_gain_by_pencil(made_up):
    """A has 364 and B 352 of 400 words right: 91.00, 88.00, and 12 words or 3.00 points; a word is a quarter."""
    assert made_up.stats.values.sum(axis=1).tolist() == [[364, 400], [352, 400]]
    assert made_up.stats.scores.tolist() == [91, 88]
    assert (made_up.gain, made_up.step) == (12, 0.25)
    assert (made_up.bar, made_up.lattice) == (1, pytest.approx(1))


def test_the_two_rules_disagree(made_up):
    """The scene of the two sides rests on it: one-sided below 0.05, two-sided not."""
    assert (made_up.above_twice, made_up.below_zero) == (303, 273)


def errors() -> Stats:
    """Make two systems with few errors, for which lower is better."""
    wrong = np.random.default_rng(3).integers(0, 4, (2, 50))
    return shares(wrong[np.argsort(wrong.sum(axis=1))], ERROR_RATE, of=4)


@pytest.mark.parametrize("stats", [None, errors(), pair(4, 60)], ids=["words", "errors", "LAS"])
def test_whole_steps_count_what_the_tests_count(stats):
    """p by the film's steps is p of the paired bootstrap and of the randomization test, to the last hit."""
    numbers, recipe = film(stats, seed=2), Resampling(RESAMPLES, seed=2)
    b, pairs = RESAMPLES, np.array([[0, 1]])
    p = TESTS["bootstrap"].run(numbers.stats, pairs, recipe)
    assert numbers.above_twice / b == p.one_sided[0]
    assert (numbers.above_twice + numbers.below_zero) / b == pytest.approx(p.two_sided[0])
    swaps = TESTS["randomization"].run(numbers.stats, pairs, recipe)
    assert (numbers.swaps_won + 1) / (b + 1) == pytest.approx(swaps.one_sided[0])
    assert (numbers.swaps_won + numbers.swaps_lost + 1) / (b + 1) == pytest.approx(swaps.two_sided[0])
    rules = numbers.rules.set_index("rule")["one_sided"]
    assert rules[PAPER] == p.one_sided[0]
    assert rules["approximate randomization"] == swaps.one_sided[0]
    assert numbers.gain * numbers.step == pytest.approx(abs(np.diff(numbers.stats.scores)[0]))
    assert abs(numbers.gains.mean() - numbers.gain) < 5 * numbers.gains.std() / np.sqrt(b)


@pytest.mark.parametrize(("seed", "resample"), [(0, 0), (5, 999), (5, BLOCK), (5, 2 * BLOCK + 7)])
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


def test_drawn_sentences_have_the_gain_of_their_resample(made_up):
    right = made_up.stats.values[..., 0].astype(int)
    gains = (right[0] - right[1])[made_up.drawn].sum(axis=1)
    assert gains.tolist() == made_up.gains[:DRAWN].tolist() == (made_up.times @ (right[0] - right[1])).tolist()


def test_of_many_units_the_first_draws_are_kept():
    stats = pair(1, SHOWN + 50)
    numbers = film(stats)
    assert numbers.drawn.shape == (DRAWN, SHOWN)
    assert numbers.times.sum(axis=1).tolist() == [SHOWN + 50] * DRAWN


def test_two_systems_that_differ_alike_everywhere_have_one_gain():
    """Every resample has the gain itself, which is the only step; swaps have others."""
    numbers = film(shares([[2, 2, 2], [1, 1, 1]], of=2))
    assert (numbers.gain, set(numbers.gains.tolist())) == (1, {1})
    assert numbers.above_twice == numbers.below_zero == 0
    assert numbers.swaps_won > 0


def test_worlds_have_the_promised_false_alarms(made_up):
    """Two-sided in a twentieth of 1,000 worlds, one-sided in a tenth, half of them won by either system; within a
    third, or 5 standard errors."""
    one, two = (made_up.worlds[column] < 0.05 for column in ("p_value", "p_two_sided"))
    assert abs(two.mean() - 0.05) < 0.05 / 3
    assert abs(one.mean() - 0.1) < 0.1 / 3
    assert abs((made_up.worlds.loc[one, "gain"] > 0).mean() - 0.5) < 5 * 0.5 / np.sqrt(one.sum())


def test_equal_systems_have_false_alarms_and_hardly_any_after_holm(made_up):
    alarms = false_alarms(made_up.sets, 0.05)
    assert len(made_up.sets) == SETS * PAIRS
    assert 0.04 < alarms["p_two_sided"].mean() / PAIRS < 0.08
    assert (alarms["p_two_sided"] > 0).mean() > 0.9
    assert (alarms["p_holm"] > 0).mean() < 0.1


def test_four_times_the_sentences_halve_the_threshold(made_up):
    small, middle, large = (made_up.sizes[size] for size in SIZES)
    assert [4 * size for size in SIZES[:-1]] == list(SIZES[1:])
    assert middle.threshold / small.threshold == pytest.approx(0.5, abs=0.07)
    assert large.threshold / middle.threshold == pytest.approx(0.5, abs=0.07)
    for size in (small, middle, large):
        assert size.pairs.loc[size.pairs["gain"] > size.threshold, "significant"].mean() > 0.95


def test_smaller_test_sets_are_the_beginning_of_the_largest():
    """The first 40 sentences of a longer test set: what is shown is one test set that grows."""
    crowd = taggers(max(SIZES))
    assert (crowd.values[..., 1] == WORDS).all()
    small = pairs_on(crowd.take(np.arange(SIZES[0])))
    gains = np.abs(np.subtract.outer(*[crowd.values[:, : SIZES[0], 0].sum(axis=1)] * 2)) / (SIZES[0] * WORDS) * 100
    assert sorted(small.pairs["gain"]) == pytest.approx(sorted(gains[np.triu_indices(len(gains), 1)]))
