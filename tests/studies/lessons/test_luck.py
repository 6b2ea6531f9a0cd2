"""Worlds without difference and systems that are equal by construction: p-values are as flat as they claim."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.lessons.equal_systems import (
    BH,
    HOLM,
    ONE_SIDED,
    READINGS,
    TWO_SIDED,
    alarms_by_system,
    equal_systems,
    false_alarms,
    limits,
    pairs_of_sets,
    spread_of_counts,
)
from nlpsig_core.studies.lessons.null_world import (
    differing,
    flatness,
    is_as_expected,
    p_histogram,
    p_in_worlds,
    swapped,
    swaps,
    winners_first,
)
from tests.builders import ACCURACY, ERROR_RATE, p_values, random_stats, shares
from tests.studies.lessons.test_lessons import pair


def test_a_world_by_pencil():
    """A is right on units 1 and 2 of three, B on none. Swapped on unit 2 alone, A keeps 1 and B gets 2."""
    stats = shares([[1, 1, 0], [0, 0, 0]])
    world = swapped(stats, np.array([False, True, False]))
    assert world.values[:, :, 0].tolist() == [[1, 0, 0], [0, 1, 0]]
    assert world.scores.tolist() == pytest.approx([100 / 3, 100 / 3])
    two = swapped(stats, np.array([[False, False, False], [True, True, True]]))
    assert two.values[:, :, 0].tolist() == [[1, 1, 0], [0, 0, 0], [0, 0, 0], [1, 1, 0]]
    assert winners_first(two).tolist() == [[0, 1], [3, 2]]


def test_winners_are_first_where_lower_is_better():
    two = swapped(shares([[1, 1], [0, 1]], ERROR_RATE), np.array([[False, False], [True, True]]))
    assert winners_first(two).tolist() == [[1, 0], [2, 3]]


def test_a_swap_changes_nothing_in_all():
    """Both together keep their statistics in every unit, and the statistics of the pair are left as they were."""
    stats = random_stats(1, 2, 30)
    before = stats.values.copy()
    worlds = swapped(stats, swaps(30, 7, seed=4))
    assert (worlds.values.reshape(7, 2, 30, 3).sum(axis=1) == before.sum(axis=0)).all()
    assert (stats.values == before).all()


def test_worlds_are_the_same_however_many_there_are():
    """A hundred more leave the first as they were; another seed or shuffle makes others."""
    many = swaps(40, 230, seed=3)
    assert many.shape == (230, 40)
    assert (swaps(40, 7, seed=3) == many[:7]).all()
    assert (many[:100] != many[100:200]).any()
    assert (swaps(40, 7, seed=3, shuffle=1) != many[:7]).any()
    assert (swaps(40, 7, seed=4) != many[:7]).any()


def test_the_coin_is_fair():
    """200,000 tosses: a half heads within 5 standard errors (a false alarm in 10^6)."""
    assert abs(swaps(400, 500, seed=1).mean() - 0.5) < 5 * 0.5 / np.sqrt(200_000)


def test_the_first_world_is_one_like_any_other():
    """Of 400 pairs, each with its own seed, the first world swaps about half of the units in which the two differ (5
    standard errors of 10,000 tosses or so, a false alarm in 10^6), and its gain is as often above the median of those
    of 40 other worlds as below (5 standard errors of 400 tosses). Never is it a world without any swap or with all.
    """
    tossed, heads, above = 0, 0, 0.0
    for seed in range(400):
        stats = random_stats(seed, 2, 30)
        differ = differing(stats)
        swap = swaps(30, 41, seed)
        tossed, heads = tossed + int(differ.sum()), heads + int(swap[0][differ].sum())
        assert 0 < swap[0][differ].sum() < differ.sum()
        gains = np.abs(np.diff(swapped(stats, swap).scores.reshape(-1, 2), axis=1)[:, 0])
        above += np.mean([gains[0] > np.median(gains[1:]), gains[0] >= np.median(gains[1:])])
    assert abs(heads - tossed / 2) < 5 * np.sqrt(tossed) / 2
    assert abs(above - 200) < 5 * np.sqrt(400) / 2


@pytest.mark.parametrize("units", [1, 3])
def test_the_first_world_has_the_real_gain_as_often_as_chance_says(units):
    """Units of which A has 1, 2 or 4 more than B: only no swap and all swaps give the real gain, 2 of 2^units.

    Of 300 seeds 300 for one unit; 75 for three, give or take 5 standard errors of 7.5.
    """
    stats = shares([[5, 6, 8][:units], [4, 4, 4][:units]], of=8)
    real = abs(np.diff(stats.scores)[0])
    worlds = (swapped(stats, swaps(units, 1, seed)[0]) for seed in range(300))
    same = sum(bool(np.isclose(abs(np.diff(world.scores)[0]), real)) for world in worlds)
    share = 2 / 2**units
    assert abs(same - 300 * share) <= 5 * np.sqrt(300 * share * (1 - share))


@pytest.mark.parametrize("metric", [ACCURACY, ERROR_RATE], ids=lambda m: m.name)
def test_p_of_each_world_is_that_of_its_bootstrap(metric):
    """112 worlds, in two portions, one after the other by ``bootstrap``: to the last hit."""
    stats = shares(np.random.default_rng(2).integers(0, 6, (2, 25)), metric, of=5)
    recipe = Resampling(400, seed=6)
    found = p_in_worlds(stats, 112, recipe, shuffle=2)
    for world, swap in enumerate(swaps(25, 112, seed=6, shuffle=2)):
        result = bootstrap(swapped(stats, swap), recipe)
        one_sided, two_sided = p_values(result)
        assert found["p_value"][world] == one_sided[0]
        assert found["p_two_sided"][world] == two_sided[0]
        assert found["gain"][world] == pytest.approx(result.gain[0])


def test_progress_tells_all_worlds_and_may_end_them():
    calls = []
    p_in_worlds(random_stats(1, 2, 20), 250, Resampling(50), progress=lambda done, of: calls.append((done, of)))
    assert calls[-1] == (150, 150)
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)

    def stop(done: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        p_in_worlds(random_stats(1, 2, 20), 250, Resampling(50), progress=stop)


@pytest.fixture(scope="module")
def worlds() -> pd.DataFrame:
    """2,000 worlds of a pair on 300 units."""
    return p_in_worlds(pair(5, 300), 2_000, Resampling(1_000, seed=1))


@pytest.mark.parametrize(("column", "flat_to"), [("p_two_sided", 1.0), ("p_value", 0.5)])
def test_p_is_flat(worlds, column, flat_to):
    """Two-sided p flat on 0 to 1, the winner's one-sided on 0 to 0.5, by the shares below four levels (5 standard
    errors each, a false alarm in 4 * 10^5) and by Kolmogorov and Smirnov's test (one in 10^6)."""
    p = worlds[column].to_numpy()
    for level in (0.01, 0.05, 0.1, 0.25):
        share = level / flat_to
        assert abs((p < level).mean() - share) < 5 * np.sqrt(share * (1 - share) / len(p))
    assert scipy.stats.kstest(p, scipy.stats.uniform(0, flat_to).cdf).pvalue > 1e-6


def test_the_winners_p_is_not_flat_on_0_to_1(worlds):
    """What makes the winner's p special: it is below 0.05 twice as often as 0.05 says, and never far above 0.5."""
    p = worlds["p_value"].to_numpy()
    assert (p < 0.05).mean() > 0.05 + 5 * np.sqrt(0.05 * 0.95 / len(p))
    assert p.max() < 0.6


def test_histogram_by_pencil():
    """Ten p-values in two bins; flat on 0 to 1 each expects 5, flat on 0 to 0.5 the first expects all 10."""
    p = np.array([0.0, 0.01, 0.05, 0.2, 0.499, 0.5, 0.7, 0.9, 1.0, 1.0])
    table = p_histogram(p, level=0.05, n_bins=2)
    assert table[["low", "high"]].to_numpy().tolist() == [[0, 0.5], [0.5, 1]]
    assert table["worlds"].tolist() == [5, 5]
    assert table["below"].tolist() == [2, 0]
    assert table["flat"].tolist() == [5, 5]
    half = p_histogram(p, level=0.05, flat_to=0.5, n_bins=2)
    assert half["flat"].tolist() == [10, 0]
    assert half[["flat_low", "flat_high"]].to_numpy().tolist() == [[10, 10], [0, 0]]


@pytest.mark.parametrize(("worlds_", "flat_to"), [(100, 1.0), (1_000, 0.5)])
def test_the_band_holds_95_percent(worlds_, flat_to):
    """By the binomial distribution in plain sums: no more than 2.5% lie below the band, none more above, and a
    narrower one would leave more."""
    table = p_histogram(np.full(worlds_, 0.3), level=0.05, flat_to=flat_to)
    share = 0.05 / flat_to
    chances = scipy.stats.binom(worlds_, share).pmf(np.arange(worlds_ + 1))
    low, high = int(table["flat_low"][0]), int(table["flat_high"][0])
    assert chances[:low].sum() <= 0.025 < chances[: low + 1].sum()
    assert chances[high + 1 :].sum() <= 0.025 < chances[high:].sum()
    assert (table["worlds"].sum(), table["flat"].sum()) == (worlds_, pytest.approx(worlds_))


def test_flat_histograms_stay_in_the_band(worlds):
    """Of 20 bars at most 8 leave it: with a chance of 0.05 each more do so once in 10^6."""
    table = p_histogram(worlds["p_two_sided"].to_numpy(), 0.05)
    assert (~table["worlds"].between(table["flat_low"], table["flat_high"])).sum() <= 8


def test_flatness_by_pencil():
    """6 and 4 where 5 each are expected: chi-square 0.2 + 0.2 of one degree of freedom; and the same in the first half
    of 0 to 1 where only that would be flat, whatever the second half has.
    """
    found = flatness(p_histogram(np.repeat([0.2, 0.8], [6, 4]), 0.05, n_bins=2))
    assert found.p_value == pytest.approx(scipy.stats.chi2(1).sf(0.4))
    assert (found.bars, found.outside, found.is_flat) == (2, 0, True)
    peak = flatness(p_histogram(np.repeat([0.2, 0.8], [60, 20]), 0.05, n_bins=2))
    assert (peak.outside, peak.is_flat) == (2, False)
    half = flatness(p_histogram(np.repeat([0.1, 0.3, 0.9], [6, 4, 50]), 0.05, 0.5, n_bins=4))
    assert half.p_value == pytest.approx(scipy.stats.chi2(1).sf(0.4))
    assert half.bars == 2
    assert not flatness(p_histogram(np.full(5, 0.9), 0.05, 0.5)).is_flat


def test_what_is_flat_is_called_flat():
    """Of 400 histograms of uniform numbers 4 are not, by the level; more than 14 come once in 10^4. What comes in 18
    lumps is never flat, however fair its shares below a level are.
    """
    rng = np.random.default_rng(1)
    assert sum(not flatness(p_histogram(rng.random(1_000), 0.05)).is_flat for _ in range(400)) <= 14
    lumps = (np.floor(18 * rng.random((20, 1_000))) + 0.5) / 18
    assert not any(flatness(p_histogram(p, 0.05)).is_flat for p in lumps)


def test_p_of_a_gain_in_steps_is_not_flat():
    """A is right alone in 12 of 200 units, B in 10: 22 units that differ leave few different gains."""
    right = [[1] * 12 + [0] * 188, [0] * 12 + [1] * 10 + [0] * 178]
    found = p_in_worlds(shares(right), 1_000, Resampling(1_000, seed=1))
    assert differing(shares(right)).sum() == 22
    assert found["gain"].round(9).nunique() <= 12
    assert not flatness(p_histogram(found["p_two_sided"].to_numpy(), 0.05)).is_flat


def test_equal_systems_take_each_unit_from_one_of_two():
    """Twenty of 2 * 200 answers: each unit is A's or B's, a half of each within 5 standard errors (one in 10^6)."""
    stats = random_stats(1, 2, 200)
    found = equal_systems(stats, seed=2)
    assert found.n_systems == 20
    assert found.names[0] == "1"
    from_a = (found.values == stats.values[0]).all(axis=2)
    from_b = (found.values == stats.values[1]).all(axis=2)
    assert (from_a | from_b).all()
    differ = (stats.values[0] != stats.values[1]).any(axis=1)
    assert abs(from_a[:, differ].mean() - 0.5) < 5 * 0.5 / np.sqrt(20 * differ.sum())
    assert (equal_systems(stats, seed=2).values == found.values).all()
    assert (equal_systems(stats, seed=2, draw=1).values != found.values).any()
    assert (equal_systems(stats, seed=3).values != found.values).any()


def test_sets_are_tested_as_the_bootstrap_does():
    """Seven sets of four systems, in two portions: p of each set's six pairs is that of its own bootstrap."""
    stats, recipe = pair(3, 30), Resampling(500, seed=1)
    found = pairs_of_sets(stats, recipe, draws=7, first_draw=2, systems=4)
    assert sorted(set(found["draw"])) == list(range(2, 9))
    for draw, table in found.groupby("draw"):
        result = bootstrap(equal_systems(stats, 1, int(draw), systems=4), recipe)
        rows = zip(result.pairs + 1, *p_values(result), strict=True)
        expected = {(a, b): (one, two) for (a, b), one, two in rows}
        columns = table[["system_a", "system_b", "p_value", "p_two_sided"]]
        assert {(a, b): (one, two) for a, b, one, two in columns.itertuples(index=False)} == expected
        assert table["p_two_sided"].is_monotonic_increasing
        p = table["p_two_sided"].to_numpy()
        np.testing.assert_allclose(table["p_bh"], scipy.stats.false_discovery_control(p))
        np.testing.assert_allclose(table["p_holm"], np.maximum.accumulate(np.minimum(p * [6, 5, 4, 3, 2, 1], 1)))


def test_false_alarms_by_pencil():
    table = pd.DataFrame(
        {
            "draw": [0, 0, 0, 1, 1, 1],
            "p_value": [0.01, 0.02, 0.2, 0.04, 0.3, 0.05],
            "p_two_sided": [0.02, 0.06, 0.4, 0.08, 0.6, 0.1],
            "p_holm": [0.06, 0.2, 0.4, 0.2, 0.6, 0.2],
            "p_bh": [0.04, 0.2, 0.4, 0.2, 0.6, 0.2],
        }
    )
    found = false_alarms(table, 0.05)
    assert found["draw"].tolist() == [0, 1]
    assert found[list(READINGS)].to_numpy().tolist() == [[2, 1, 0, 1], [1, 0, 0, 0]]


def test_alarms_by_system_by_pencil():
    """Set 0: 3 beats 1 and 2, 4 beats 1; only those are alarms. 3 and 1 have a part in two each, 2 and 4 in one."""
    table = pd.DataFrame(
        [(0, 3, 1, 0.01), (0, 3, 2, 0.04), (0, 4, 1, 0.02), (0, 2, 1, 0.5), (1, 1, 2, 0.03), (1, 3, 4, 0.06)],
        columns=["draw", "system_a", "system_b", "p_two_sided"],
    )
    found = alarms_by_system(table, 0.05)
    assert found.to_numpy().tolist() == [
        [0, 1, 0, 2],
        [0, 3, 2, 0],
        [0, 2, 0, 1],
        [0, 4, 1, 0],
        [1, 1, 1, 0],
        [1, 2, 0, 1],
    ]
    assert alarms_by_system(table, 0.001).empty


def test_the_spread_of_counts_by_pencil():
    """2, 4 and 6 of 10 pairs: deviation 2; ten coins with 4 heads on average have sqrt(10 * 0.4 * 0.6)."""
    spread, independent = spread_of_counts(np.array([2, 4, 6]), 10)
    assert spread == pytest.approx(2)
    assert independent == pytest.approx(np.sqrt(2.4))


def test_limits_by_pencil():
    """Four pairs at 0.05: Holm 0.05 by 4, 3, 2, 1; Benjamini and Hochberg 0.05 times 1, 2, 3, 4 quarters."""
    table = limits(4, 0.05)
    assert table["rank"].tolist() == [1, 2, 3, 4]
    assert table["expected"].tolist() == pytest.approx([float(Fraction(rank, 5)) for rank in (1, 2, 3, 4)])
    assert set(table["alpha"]) == {0.05}
    assert table[HOLM].tolist() == pytest.approx([0.0125, 0.05 / 3, 0.025, 0.05])
    assert table[BH].tolist() == pytest.approx([0.0125, 0.025, 0.0375, 0.05])


def test_limits_count_what_adjusted_p_count():
    """Sorted p below the lines, read as the docstring says, are the pairs whose adjusted p is below alpha."""
    rng = np.random.default_rng(4)
    for _ in range(50):
        p = np.sort(rng.uniform(0, 1, 12) ** 4)
        table = limits(12, 0.1)
        above = np.flatnonzero(p >= table[HOLM].to_numpy())
        by_holm = above[0] if len(above) else 12
        below = np.flatnonzero(p < table[BH].to_numpy())
        by_bh = below[-1] + 1 if len(below) else 0
        assert by_holm == (np.maximum.accumulate(p * np.arange(12, 0, -1)) < 0.1).sum()
        assert by_bh == (scipy.stats.false_discovery_control(p) < 0.1).sum()


@pytest.fixture(scope="module")
def sets() -> pd.DataFrame:
    """60 sets of eight systems, 28 pairs each."""
    return pairs_of_sets(pair(7, 150), Resampling(2_000, seed=3), draws=60, systems=8)


def test_alarms_come_as_often_as_theory_says(sets):
    """One-sided a tenth of the pairs, two-sided a twentieth, within 5 standard errors between sets (one in 10^6);
    after Holm some in at most 11 of the sets, more than which come once in 10^4 where each has a chance of 0.05."""
    alarms = false_alarms(sets, 0.05)
    for reading, share in ((ONE_SIDED, 0.1), (TWO_SIDED, 0.05)):
        error = alarms[reading].std() / np.sqrt(60)
        assert abs(alarms[reading].mean() - 28 * share) < 5 * error
    assert (alarms[HOLM] > 0).sum() <= 11
    assert scipy.stats.binom(60, 0.05).sf(11) < 1e-4
    assert (alarms[HOLM] <= alarms[BH]).all()
    assert (alarms[BH] <= alarms[TWO_SIDED]).all()


def test_alarms_come_in_bunches_as_pairs_share_systems(sets):
    """Eight normal scores, all pairs further apart than 1.96 root 2: how far the count spreads by theory. That of 60
    sets is within 45% of it (5 standard errors of a heavy-tailed deviation), and above that of independent pairs.
    """
    scores = np.random.default_rng(0).normal(size=(20_000, 8))
    first, second = np.triu_indices(8, 1)
    theory = (np.abs(scores[:, first] - scores[:, second]) > 1.96 * np.sqrt(2)).sum(axis=1)
    spread, independent = spread_of_counts(false_alarms(sets, 0.05)[TWO_SIDED].to_numpy(), 28)
    assert theory.std() > 1.5 * np.sqrt(28 * 0.05 * 0.95)
    assert spread == pytest.approx(theory.std(), rel=0.45)
    assert spread > independent


def test_what_is_as_expected():
    """Of 5,000 worlds 5% are 250, give or take a third; of 100 they are 5, where chance alone gives 0 to 11."""
    assert is_as_expected(310, 5_000, 0.05)
    assert not is_as_expected(640, 5_000, 0.05)
    assert not is_as_expected(0, 5_000, 0.05)
    assert is_as_expected(0, 100, 0.05)
    assert not is_as_expected(13, 100, 0.05)
