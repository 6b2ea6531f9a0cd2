"""The numbers of the film: by pencil, by the engine that all pages use, and by what theory promises."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.studies.lessons.equal_systems import HOLM, SYSTEMS, TWO_SIDED, false_alarms
from nlpsig_core.studies.lessons.film import DRAWN, RECIPE, SETS, SIZES, WORDS, Film, film, pairs_on, taggers
from nlpsig_core.studies.lessons.null_world import is_as_expected
from nlpsig_core.studies.lessons.sample import gain_on


@pytest.fixture(scope="module")
def of() -> Film:
    return film()


def test_the_gain_by_pencil(of):
    """A has 364 and B 352 of 400 words right: 91.00, 88.00, and a gain of 12 words or 3.00 points."""
    assert of.stats.values.sum(axis=1).tolist() == [[364, 400], [352, 400]]
    assert of.stats.scores.tolist() == [91, 88]
    assert of.gain == 12
    assert of.points(of.gain) == 3


def test_p_is_that_of_the_paired_bootstrap(of):
    p = TESTS["bootstrap"].run(of.stats, np.array([[0, 1]]), RECIPE)
    assert of.above_twice / len(of.gains) == p.one_sided[0]
    assert (of.above_twice + of.below_zero) / len(of.gains) == pytest.approx(p.two_sided[0])
    assert len(of.gains) == RECIPE.n_resamples


def test_the_two_rules_disagree(of):
    """Scene 5 rests on it: one-sided below 0.05, two-sided not."""
    assert of.above_twice / len(of.gains) < 0.05 < (of.above_twice + of.below_zero) / len(of.gains)


def test_drawn_sentences_have_the_gain_of_their_resample(of):
    assert of.drawn.shape == (DRAWN, of.stats.n_units)
    on_drawn = [round(gain_on(of.stats, units) / of.points(1), 6) for units in of.drawn]
    assert on_drawn == of.gains[:DRAWN].tolist()


def test_gains_are_whole_words(of):
    """12 words of 400 are 3 points, so a word is a quarter of a point."""
    assert of.points(1) == 0.25
    assert of.gains.dtype == of.world_gains.dtype == np.int64
    assert abs(of.gains.mean() - of.gain) < 5 * of.gains.std() / np.sqrt(len(of.gains))


def test_worlds_have_the_promised_false_alarms(of):
    """Two-sided in about a twentieth of 1,000 worlds, one-sided in about a tenth, half of them won by either system."""
    assert (np.abs(of.world_gains) == np.rint(of.worlds["gain"] / of.points(1))).all()
    one, two = (of.worlds[column] < 0.05 for column in ("p_value", "p_two_sided"))
    assert is_as_expected(int(two.sum()), len(two), 0.05)
    assert is_as_expected(int(one.sum()), len(one), 0.10)
    assert abs((of.world_gains[one] > 0).mean() - 0.5) < 5 * 0.5 / np.sqrt(one.sum())


def test_equal_systems_have_false_alarms_and_hardly_any_after_holm(of):
    alarms = false_alarms(of.sets, 0.05)
    pairs = SYSTEMS * (SYSTEMS - 1) // 2
    assert len(of.sets) == SETS * pairs
    assert 0.04 < alarms[TWO_SIDED].mean() / pairs < 0.08
    assert (alarms[TWO_SIDED] > 0).mean() > 0.9
    assert (alarms[HOLM] > 0).mean() < 0.1


def test_four_times_the_sentences_halve_the_threshold(of):
    small, middle, large = (of.sizes[size] for size in SIZES)
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
