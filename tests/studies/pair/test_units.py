"""Where a pair's difference comes from: pencil and paper, loops over units, and what leaving units out must do."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, kurtosis, skew
from scipy.stats import t as student

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.comparison.notion import AS_IN_THE_PAPER, Notion
from nlpsig_core.significance.paired_tests import TESTS, run_test
from nlpsig_core.significance.resampling.bootstrap import bootstrap, expanded_tail
from nlpsig_core.significance.resampling.gains import resampled_gains
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.studies.analyses.domain_pair import seen_from
from nlpsig_core.studies.pair import without
from nlpsig_core.studies.pair.resampled import pair_alone
from nlpsig_core.studies.pair.units import (
    PART_COLUMNS,
    by_length,
    by_part,
    effect_size,
    histogram,
    share_won,
    unit_gains,
    wins_losses_ties,
)
from nlpsig_core.studies.pair.without import carried_by, gain_without, what_if_without, without_top
from tests.builders import ACCURACY, ERROR_RATE, p_values, random_stats, shares

FEW = Resampling(2_000)


def pair(seed: int = 1, units: int = 60, metric=METRICS["LAS"]) -> Stats:
    """Two random systems, the better one first."""
    stats = random_stats(seed, 2, units, metric)
    better = int(np.argmax(stats.metric.sign * stats.scores))
    return stats.select([better, 1 - better])


def lower_is_better(stats: Stats) -> Stats:
    """The same counts, of wrong ones instead of right ones: the second system is the better one and comes first."""
    return Stats(stats.names[::-1], stats.values[::-1].copy(), ERROR_RATE)


@pytest.fixture
def counted() -> Stats:
    """Right of 10 in four units: A 10, 8, 5, 5 and B 4, 8, 6, 5."""
    return shares([[10, 8, 5, 5], [4, 8, 6, 5]], of=10)


def test_units_by_pencil(counted):
    """A has 28 of 40, B 23: a gain of 12.5. The units' gains are 60, 0, -10 and 0.

    Without the first unit A has 18 of 30 and B 19: -10/3, so it pulls 12.5 + 10/3; without the second 20 - 15 of
    30: 50/3; without the third 23 - 17: 20; without the fourth 23 - 18: 50/3.
    """
    table = unit_gains(counted)
    assert table["unit"].tolist() == [0, 1, 2, 3]
    assert table["score_a"].tolist() == [100, 80, 50, 50]
    assert table["score_b"].tolist() == [40, 80, 60, 50]
    assert table["gain"].tolist() == [60, 0, -10, 0]
    assert table["pull"].tolist() == pytest.approx([12.5 + 10 / 3, 12.5 - 50 / 3, 12.5 - 20, 12.5 - 50 / 3])
    assert wins_losses_ties(counted) == {"wins": 1, "losses": 1, "ties": 2}


def test_where_lower_is_better_gains_are_reductions(counted):
    """The same counts as errors: B makes 23 of 40, A 28: B comes first and all gains are those of A above."""
    errors, columns = lower_is_better(counted), ["gain", "pull"]
    pd.testing.assert_frame_equal(unit_gains(errors)[columns], unit_gains(counted)[columns])
    assert wins_losses_ties(errors) == wins_losses_ties(counted)


@pytest.mark.parametrize("name", ["LAS", "AER", "BLEU-13a", "mean"])
def test_pull_is_that_of_scoring_without_the_unit(name):
    """Each unit left out in turn, for an F1, a rate that falls, a geometric mean and a mean of real numbers."""
    metric, rng = METRICS[name], np.random.default_rng(5)
    values = rng.integers(3, 9, (2, 25, len(metric.columns))).astype(np.int32)
    if name == "mean":
        values = np.stack([rng.normal(size=(2, 25)), np.ones((2, 25))], axis=2)
    stats = Stats(("a", "b"), values, metric)
    a, b = stats.scores
    table = unit_gains(stats)
    for unit in range(25):
        left_a, left_b = stats.take(np.delete(np.arange(25), unit)).scores
        assert table["pull"][unit] == pytest.approx(metric.sign * ((a - b) - (left_a - left_b)), abs=1e-9)
    np.testing.assert_array_equal(table[["score_a", "score_b"]].to_numpy().T, stats.unit_scores)


def test_ratios_that_are_equal_but_for_rounding_are_ties():
    """0.1 + 0.2 is not 0.3 in floats; for a unit it is a tie."""
    values = np.array([[[0.1 + 0.2, 1.0], [1.0, 1.0]], [[0.3, 1.0], [0.5, 1.0]]])
    table = unit_gains(Stats(("a", "b"), values, METRICS["mean"]))
    assert table["gain"].tolist() == [0, 0.5]


def test_wins_losses_and_ties_are_those_of_the_sign_test():
    stats = pair(3, 80)
    found = TESTS["sign"].run(stats, np.array([[0, 1]]), FEW, None).details
    assert wins_losses_ties(stats) == {name: int(n[0]) for name, n in found.items()}


def test_histogram_by_pencil():
    """Gains -4, -0.5, 0, 0, 0.5, 3, 6: five bins of the 10 from -4 to 6 are 2 wide; 6 itself lies in the last one."""
    gains = pd.DataFrame({"gain": [-4, -0.5, 0, 0, 0.5, 3, 6]})
    table = histogram(gains, n_bins=5)
    assert table.to_numpy().tolist() == [
        ["losses", -4, -2, 1],
        ["losses", -2, 0, 1],
        ["ties", 0, 0, 2],
        ["wins", 0, 2, 1],
        ["wins", 2, 4, 1],
        ["wins", 4, 6, 1],
    ]


@pytest.mark.parametrize("gains", [[0.0, 0.0], [3.0, 1.0], [-0.007, -0.1], []])
def test_histogram_of_one_outcome_alone(gains):
    """Only ties, only wins, only losses, or nothing at all: every unit is counted once, where it belongs."""
    table = histogram(pd.DataFrame({"gain": gains}, dtype=float))
    assert table["units"].sum() == len(gains)
    counted = table.groupby("outcome")["units"].sum()
    assert counted["ties"] == gains.count(0.0)
    assert counted.get("wins", 0) == sum(gain > 0 for gain in gains)
    assert counted.get("losses", 0) == sum(gain < 0 for gain in gains)


def test_histogram_counts_wins_and_losses_alike():
    """Two systems change places: the histogram is seen in a mirror, also where gains are just on edges."""
    gains = pd.DataFrame({"gain": [-50, -5, 5, 7, 50, 100, 0.0]})
    table, mirrored = histogram(gains), histogram(-gains)
    assert table["units"].tolist() == mirrored["units"].tolist()[::-1]
    assert table["high"].tolist() == [0.0 if low == 0 else -low for low in mirrored["low"][::-1]]


def test_histogram_of_steps_has_as_many_in_each_bin():
    """Gains of every third from -30 to 30, a unit each, in 7 bins.

    60 / 7 is 8.6, 25.7 thirds, so a bin has 26 of them; round bins of 10 would hold 30. From 0 to 30 are 90 thirds:
    three bins of 26 units, and one of the 12 that are left. With 40 bins and steps of 3 each step has its own bin.
    """
    thirds = pd.DataFrame({"gain": np.arange(-90, 91) / 3})
    assert histogram(thirds, n_bins=7)["units"].tolist() == [12, 26, 26, 26, 1, 26, 26, 26, 12]
    coarse = pd.DataFrame({"gain": np.arange(-30, 31, 3)})
    assert set(histogram(coarse)["units"]) == {0, 1}


def test_lengths_by_pencil(counted):
    """Lengths 3, 4, 8, 20 in two bins: the median is 6, so 3 and 4 are one, 8 and 20 the other.

    A has 18 and 10 of 20, B 12 and 11: gains of 30 and -5.
    """
    table = by_length(counted, [3, 4, 8, 20], n_bins=2)
    assert list(table.columns) == list(PART_COLUMNS)
    assert table["part"].tolist() == ["3–5", "6–20"]
    assert table["units"].tolist() == [2, 2]
    assert table["score_a"].tolist() == [90, 50]
    assert table["score_b"].tolist() == [60, 55]
    assert table["gain"].tolist() == [30, -5]
    assert table["note"].tolist() == ["2 sentences are few: the interval is too narrow"] * 2


def test_bins_of_length_hold_about_as_many_units_with_bounds_to_read():
    """1,000 lengths from 1 to 2,000: five bins near 200 units each, their bounds whole numbers of two digits."""
    stats, rng = pair(2, 1_000), np.random.default_rng(0)
    lengths = rng.integers(1, 2_001, 1_000)
    table = by_length(stats, lengths, recipe=FEW)
    assert table["units"].sum() == 1_000
    assert table["units"].between(150, 250).all()
    starts = [int(part.split("–")[0].replace(",", "")) for part in table["part"]]
    assert all(start == float(f"{start:.1e}") for start in starts[1:])
    assert set(table["note"]) == {""}


def test_lengths_may_be_real_and_a_bin_may_have_one_unit():
    """Bins begin at the second and the third of five lengths in rising order, in two digits."""
    stats = shares(np.ones((2, 4)))
    table = by_length(stats, [0.5, 1, 2.25, 9], FEW, n_bins=3)
    assert table["part"].tolist() == ["0.5–1", "1–2.2", "2.2–9"]
    assert table["units"].tolist() == [1, 1, 2]
    assert table["note"][0] == "one sentence: no interval"
    assert np.isnan(table.loc[0, ["gain_low", "gain_high"]].to_numpy(dtype=float)).all()


def test_domains_are_scored_by_themselves_with_the_interval_of_their_bootstrap():
    """Each domain is what one gets by taking its units and resampling those."""
    stats, domains = pair(7, 90), np.array(["web", "news", "web"] * 30)
    parts = {name: stats.take(domains == name) for name in ("news", "web")}
    table = by_part(parts, FEW)
    assert table["part"].tolist() == ["news", "web"]
    for row in table.itertuples():
        part = parts[row.part]
        assert (row.score_a, row.score_b) == tuple(part.scores)
        assert row.gain == pytest.approx(part.scores[0] - part.scores[1])
        # As in the table of pairs, the units in which the two differ count.
        differ = int((part.values[0] != part.values[1]).any(axis=1).sum())
        assert 2 < differ < part.n_units
        tail = 100 * expanded_tail(0.95, differ)
        low, high = np.percentile(resampled_gains(part, FEW), [tail, 100 - tail])
        assert (row.gain_low, row.gain_high) == (low, high)


def test_the_interval_of_a_domain_is_that_of_its_pair_table():
    """Of 40 units 30 differ, and of 5 all, which one system wins: no exact test rejects 0, nor does the interval."""
    rng = np.random.default_rng(3)
    large = rng.integers(0, 8, (2, 40, 1))
    large[1, :10] = large[0, :10]
    small = np.stack([np.arange(3, 8), np.zeros(5, dtype=int)])[..., None]
    for values, clear in ((large, None), (small, False)):
        part = Stats(("a", "b"), np.concatenate([values, np.full_like(values, 10)], axis=2), METRICS["mean"])
        row = by_part({"x": part}, Resampling(20_000)).iloc[0]
        _, pairs = pair_alone(part, part.names, Resampling(20_000), Notion())
        ends = seen_from("a", "b", pairs).loc[0, ["gain_low", "gain_high"]].tolist()
        assert [row["gain_low"], row["gain_high"]] == pytest.approx(ends, abs=0.02)
        assert clear is None or (row["gain_low"] > 0) == clear


def test_bins_need_a_length_for_each_unit(counted):
    with pytest.raises(ValueError, match=r"lengths of shape \(2,\) for 4 units"):
        by_length(counted, [1, 2])


def test_leaving_out_by_pencil():
    """A wins the units 0, 2 and 3 of six by 3, 2 and 1 of 10, B wins the unit 5 by 2: a gain of 4 of 60.

    Without unit 0: 1 of 50. Without 0 and 2: -1 of 40, so it is gone.
    """
    stats = shares([[9, 5, 8, 7, 5, 4], [6, 5, 6, 6, 5, 6]], of=10)
    curve = gain_without(stats)
    assert curve["k"].tolist() == [0, 1, 2]
    assert curve["gain"].tolist() == pytest.approx([100 * 4 / 60, 100 * 1 / 50, 100 * -1 / 40])
    assert curve["share"].tolist() == pytest.approx([0, 1 / 6, 2 / 6])
    assert without_top(stats, 2).tolist() == [1, 3, 4, 5]
    left = what_if_without(stats, 2)
    assert (left.k, left.units, left.share) == (2, 4, 2 / 6)
    assert (left.score_a, left.score_b) == (52.5, 55)
    assert (left.gain, left.p, left.significant) == (-2.5, 1, False)


@pytest.mark.parametrize("metric", [METRICS["LAS"], ACCURACY, ERROR_RATE], ids=lambda m: m.name)
def test_the_curve_is_that_of_scoring_what_is_left(metric):
    stats = pair(11, 70) if metric is METRICS["LAS"] else shares(np.random.default_rng(8).integers(0, 9, (2, 70)), of=9)
    stats = Stats(stats.names, stats.values, metric)
    better = int(np.argmax(metric.sign * stats.scores))
    stats = stats.select([better, 1 - better])
    curve = gain_without(stats)
    assert len(curve) > 3
    for row in curve.itertuples():
        assert row.gain == pytest.approx(what_if_without(stats, row.k, FEW).gain, abs=1e-9)
        assert (row.gain > 0) == (row.k < curve["k"].iloc[-1])


def test_a_single_unit_is_left_where_the_gain_is_never_gone():
    """A wins every unit of three: the curve ends at two left out, and no number of units carries the result."""
    stats = shares([[5, 6, 7], [1, 1, 1]], of=10)
    curve = gain_without(stats)
    assert curve["k"].tolist() == [0, 1, 2]
    assert curve["gain"].min() > 0
    # The largest pull is left out first: units 2, then 1; unit 0 wins by 4 of 10.
    assert curve["gain"].iloc[-1] == 40
    always = shares([[9] * 40, [1] * 40], of=10)
    assert carried_by(always, FEW, AS_IN_THE_PAPER) is None
    # Two-sided, five units that differ are too few.
    assert carried_by(always, FEW).units == 5


def test_choices_that_leave_too_little_are_refused(counted):
    with pytest.raises(ChoiceError, match="3 sentences left out: there are 4; choose between 0 and 2"):
        without_top(counted, 3)
    with pytest.raises(ChoiceError, match="-1 sentences left out"):
        what_if_without(counted, -1)


def test_with_nothing_left_out_p_is_that_of_the_bootstrap():
    stats = pair(10, 60)
    one_sided, two_sided = p_values(bootstrap(stats, FEW))
    assert what_if_without(stats, 0, FEW, AS_IN_THE_PAPER).p == one_sided[0]
    assert two_sided[0] < what_if_without(stats, 0, FEW).p < 1


@pytest.mark.parametrize("test", ["randomization", "sign", "t"])
def test_p_is_by_the_test_that_decides(test):
    """With nothing left out it is that of the test; its own p says how few units carry the result."""
    stats, notion = pair(10, 60), Notion(test=test)
    assert what_if_without(stats, 0, FEW, notion).p == run_test(test, stats, FEW).two_sided[0]
    clear = shares([[9] * 12 + [5] * 28, [1] * 12 + [5] * 28], of=10)
    carried = carried_by(clear, FEW, Notion(test="sign"))
    assert carried is not None
    # Of 12 wins without a loss, 6 have p = 2 / 2^6 = 0.03, and 5 have 0.06.
    assert (carried.k, carried.p) == (7, 2 / 2**5)


@pytest.mark.parametrize("seed", range(6))
def test_the_units_that_carry_a_result_are_found_as_by_trying_all(seed):
    """The bisection against every k from 0 on, with a gain of about three standard errors."""
    rng = np.random.default_rng(seed)
    stats = shares(np.stack([rng.binomial(10, 0.62, 120), rng.binomial(10, 0.5, 120)]), of=10)
    calls: list[tuple[int, int]] = []
    found = carried_by(stats, FEW, Notion(), lambda done, of: calls.append((done, of)))
    first = next(k for k in range(118) if what_if_without(stats, k, FEW).p >= 0.05)
    assert found is not None
    assert (found.k, found.p, found.gain) == (first, (one := what_if_without(stats, first, FEW)).p, one.gain)
    assert found.k > 1
    assert what_if_without(stats, found.k - 1, FEW).p < 0.05
    assert all(0 < done <= of for done, of in calls)
    assert str(carried_by(stats, FEW)) == str(found)
    stricter, one_sided = carried_by(stats, FEW, Notion(level=0.01)), carried_by(stats, FEW, AS_IN_THE_PAPER)
    assert stricter is not None
    assert one_sided is not None
    assert stricter.k < found.k <= one_sided.k
    assert one_sided.p >= 0.05


def test_a_pair_is_carried_while_the_p_that_is_shown_is_below_the_level():
    """One-sided p is the paper's; the small-sample p, which a correction would take, is above the level here."""
    one_sided, differing = Notion(sides="one"), shares([[1] * 4 + [0] * 36, [0] * 40])
    shown = [what_if_without(differing, k, FEW, one_sided) for k in range(4)]
    assert [left.significant for left in shown] == [left.p < 0.05 for left in shown] == [True, True, True, False]
    assert carried_by(differing, FEW, one_sided).k == 3


@pytest.mark.parametrize("seed", range(4))
def test_on_all_units_the_p_of_the_pair_table_decides(seed, monkeypatch):
    """The search takes fewer resamples; a level between both p agrees with that of all resamples."""
    monkeypatch.setattr(without, "MOST_RESAMPLES", 1_000)
    rng = np.random.default_rng(seed)
    stats = shares(np.stack([rng.binomial(10, 0.62, 120), rng.binomial(10, 0.55, 120)]), of=10)
    many, fewer = Resampling(8_000, seed), Resampling(1_000, seed)
    shown, rough = (what_if_without(stats, 0, recipe).p for recipe in (many, fewer))
    assert shown != rough
    level = (shown + rough) / 2
    assert (carried_by(stats, many, Notion(level=level)).k == 0) == (shown >= level)


def test_nothing_carries_what_is_not_significant_on_all_units():
    found = carried_by(shares([[1, 0, 1, 0, 1], [0, 1, 0, 1, 0]]), FEW)
    assert found is not None
    assert (found.k, found.units) == (0, 5)
    tie = carried_by(shares([[1, 0], [0, 1]]))
    assert tie is not None
    assert (tie.k, tie.gain, tie.p) == (0, 0, 1)


def of_gains(gains: np.ndarray) -> Stats:
    """Two systems whose scores differ by these gains in each unit."""
    values = np.stack([np.stack([gains, np.zeros(len(gains))]), np.ones((2, len(gains)))], axis=2)
    return Stats(("a", "b"), values, METRICS["mean"])


def test_the_gain_in_standard_deviations_by_pencil():
    """Gains 1, 2, 3, 6: mean 3, deviation sqrt((4 + 1 + 0 + 9) / 3) = 2.160, so d = 1.389."""
    found = effect_size(of_gains(np.array([1.0, 2, 3, 6])))
    assert found.value == pytest.approx(3 / np.sqrt(14 / 3))
    assert found.low < found.value < found.high


def test_the_interval_of_the_effect_size_follows_skewness_and_kurtosis():
    """As scipy computes them, in the delta method's variance of a mean over its standard deviation."""
    gains = np.random.default_rng(2).exponential(size=40) ** 2
    found, n = effect_size(of_gains(gains)), len(gains)
    variance = 1 - skew(gains) * found.value + (kurtosis(gains, fisher=False) - 1) * found.value**2 / 4
    reach = student.ppf(0.975, n - 1) * np.sqrt(variance / n)
    assert found == pytest.approx((gains.mean() / gains.std(ddof=1), found.value - reach, found.value + reach))


def test_the_share_of_units_won_is_of_those_that_differ():
    """Three won, one lost, two tied: 3/4, with Wilson's interval as scipy has it."""
    found = share_won(shares([[1, 1, 1, 0, 1, 0], [0, 0, 0, 1, 1, 0]]))
    theirs = binomtest(3, 4).proportion_ci(method="wilson")
    assert found == pytest.approx((0.75, theirs.low, theirs.high), abs=1e-6)


def test_lower_is_better():
    assert share_won(shares([[0, 0, 1], [1, 1, 0]], ERROR_RATE)).value == pytest.approx(2 / 3)
    assert effect_size(shares([[0, 0, 1, 0], [1, 1, 0, 1]], ERROR_RATE)).value > 0


def test_systems_that_never_differ_have_no_effect_size():
    same = shares([[1, 0, 1], [1, 0, 1]])
    assert np.isnan(effect_size(same)).all()
    assert np.isnan(share_won(same)).all()


def test_a_gain_that_is_the_same_in_every_unit_has_no_effect_size():
    """0.1 + 0.2 - 0.2 is not 0.1 but for rounding: what spreads by that alone does not spread."""
    base = np.random.default_rng(0).random(50)
    values = np.stack([np.stack([base + 0.1, base]), np.ones((2, 50))], axis=2)
    assert np.isnan(effect_size(Stats(("a", "b"), values, METRICS["mean"]))).all()
