"""Campaigns: every system on every test set, which test sets agree, wins and losses, false alarms, one pair."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom, kendalltau
from statsmodels.stats.meta_analysis import combine_effects

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.significance.comparison.notion import AS_IN_THE_PAPER, Notion
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.comparison.verdict import BETTER, SEEN_FROM_THE_LOSER, UNDECIDED
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.analyses import campaign
from nlpsig_core.studies.analyses.campaign import clustered
from nlpsig_core.studies.analyses.domains import kendall
from tests.apps import SEVERAL
from tests.significance.comparison.test_macro import PACKAGE, macro

RECIPE = Resampling(2_000)


@pytest.fixture(scope="module")
def orvan(counted_once, request) -> Selection:
    """Three test sets, in the last of which one output is invalid and one missing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLPSIG_CACHE", str(counted_once))
        return load_task(SEVERAL).select(metric="LAS", test_set=MACRO)


@pytest.fixture(scope="module")
def pairs(orvan) -> pd.DataFrame:
    return campaign.on_each(orvan, lambda _, one: one.bootstrap(RECIPE))


def test_cells_by_pencil():
    """Good has 100 on both, half 50 and 100; broken is invalid on two, of gone there is no file: ranks 1, 3, 1, 1."""
    table = campaign.cells(macro(PACKAGE)).set_index(["test_set", "system"])
    assert table.loc[MACRO, "score"].to_dict() == pytest.approx({"good": 100, "half": 75, "broken": 50, "gone": 50})
    assert table.loc["one", "rank"].to_dict() == {"good": 1, "half": 4, "broken": 1, "gone": 1}
    assert table.loc["two", "mark"].to_dict() == {"good": "", "half": "", "broken": "invalid", "gone": "missing"}
    assert table.loc[("two", "gone"), "note"] == "no output for the test set two"
    assert table.loc["two", "score"].dropna().to_dict() == {"good": 100, "half": 100}
    assert table.loc["two", "rank"].dropna().tolist() == [1, 1]


def test_a_system_that_is_left_out_has_no_average():
    table = campaign.cells(macro(PACKAGE, invalid="leave out")).set_index(["test_set", "system"])
    assert table.loc[MACRO, "mark"].to_dict() == {"good": "", "half": "", "broken": "left out", "gone": "left out"}
    assert table.loc[("one", "broken"), "score"] == 100


def test_tau_is_that_of_scipy_on_the_systems_with_both_scores():
    rng = np.random.default_rng(3)
    scores = np.round(rng.normal(size=(4, 12)), 1)
    scores[rng.random(scores.shape) < 0.2] = np.nan
    for (a, first), (b, second) in permutations(enumerate(scores), 2):
        both = ~np.isnan(first) & ~np.isnan(second)
        assert kendall(scores)[a, b] == pytest.approx(kendalltau(first[both], second[both]).statistic)


def test_test_sets_that_agree_are_neighbours():
    """Two groups of two that rank alike, given in turns, and one that ranks like nobody."""
    up, down = np.arange(8.0), -np.arange(8.0)
    up_too, down_too = up + np.eye(8)[3] * 1.5, down + np.eye(8)[5] * 1.5
    order = clustered(kendall(np.stack([up, down, up_too, down_too]))).tolist()
    assert abs(order.index(0) - order.index(2)) == abs(order.index(1) - order.index(3)) == 1
    places = np.array([1.9, 0.0, 3.2, 1.0, 4.6, 2.6])
    along_a_line = clustered(1 - np.abs(places[:, None] - places) / 4)
    assert places[along_a_line].tolist() in (sorted(places), sorted(places, reverse=True))
    assert clustered(np.eye(2)).tolist() == [0, 1]
    assert sorted(clustered(np.full((3, 3), np.nan))) == [0, 1, 2]


def test_agreement_of_a_sample(orvan):
    """Each pair of test sets, by scipy, on the systems with a valid output on both."""
    table = campaign.agreement(campaign.cells(orvan))
    assert len(table) == 3
    for row in table.itertuples():
        scores = campaign.cells(orvan).pivot(index="system", columns="test_set", values="score")
        known = scores[[row.domain_a, row.domain_b]].dropna()
        assert row.systems == len(known)
        assert row.tau == pytest.approx(kendalltau(*known.to_numpy().T).statistic)


def test_pairs_have_the_numbers_that_their_test_set_has_alone(orvan, pairs):
    for name, one in orvan.each.items():
        alone = load_task(SEVERAL).select(metric="LAS", test_set=name).bootstrap(RECIPE).pairs()
        alone = alone[alone["comparison"] != "invalid output"].reset_index(drop=True)
        mine = pairs[pairs["test_set"] == name].reset_index(drop=True)
        pd.testing.assert_frame_equal(mine[campaign.KEPT], alone[campaign.KEPT])
        assert set(mine["units"]) == {one.stats.n_units}


def test_wins_and_losses_by_a_plain_loop(orvan, pairs):
    table = campaign.outcomes(pairs).set_index(["test_set", "system"])
    for (name, system), row in table.iterrows():
        mine = pairs[(pairs["test_set"] == name) & ((pairs["system_a"] == system) | (pairs["system_b"] == system))]
        wins = sum(of.better and of.system_a == system for of in mine.itertuples())
        losses = sum(of.better and of.system_b == system for of in mine.itertuples())
        assert row.tolist() == [wins, losses, len(mine) - wins - losses]
    assert table["wins"].sum() == table["losses"].sum() == pairs["better"].sum() > 20
    assert len(table) == 10 + 10 + 8


def test_the_number_of_test_sets_of_each_pair_by_a_plain_loop(orvan, pairs):
    of_average = orvan.bootstrap(RECIPE).pairs()
    table = campaign.counted(pairs, of_average)
    assert table["gain"].tolist() == of_average["gain"].tolist()
    for row in table.itertuples():
        of_pair = pairs[
            [{a, b} == {row.system_a, row.system_b} for a, b in zip(pairs["system_a"], pairs["system_b"], strict=True)]
        ]
        assert row.won == (of_pair["better"] & (of_pair["system_a"] == row.system_a)).sum()
        assert row.lost == (of_pair["better"] & (of_pair["system_a"] == row.system_b)).sum()
        assert (row.test_sets, row.expected) == (len(of_pair), pytest.approx(0.05 * len(of_pair)))
        if len(of_pair):
            assert row.p_count == pytest.approx(binom.sf(row.won + row.lost - 1, len(of_pair), 0.05))
    assert table["test_sets"].min() >= 2
    assert campaign.counted(pairs, of_average, AS_IN_THE_PAPER)["expected"].max() == pytest.approx(0.3)


def test_expected_false_alarms():
    """Of 60 comparisons 3 two-sided, and twice as many one-sided, where the winner is chosen afterwards."""
    table = pd.DataFrame({"verdict": [BETTER] + 59 * [UNDECIDED]})
    for notion, expected in ((Notion(), 3), (AS_IN_THE_PAPER, 6)):
        assert campaign.beside_chance(table, notion).endswith(f"; if no two systems differed, about {expected} would")


def test_one_pair_and_its_average(orvan, pairs):
    """Turned round, all gains and intervals change their signs, better is worse, and nothing else changes."""
    of_average = orvan.bootstrap(RECIPE).pairs()
    a, b = of_average.loc[0, ["system_a", "system_b"]]
    table, turned = (campaign.one_pair(pairs, of_average, *two) for two in ((a, b), (b, a)))
    assert table["domain"].iloc[-1] == MACRO
    assert table["gain"].iloc[-1] == of_average.loc[0, "gain"]
    assert table["gain"].iloc[:-1].dropna().is_monotonic_decreasing
    by_set, back = (of.set_index("domain") for of in (table, turned))
    back = back.loc[by_set.index]
    ends = by_set[["gain", "gain_low", "gain_high"]]
    np.testing.assert_array_equal(ends, -back[["gain", "gain_high", "gain_low"]])
    np.testing.assert_array_equal(by_set[["score_a", "score_b", "p"]], back[["score_b", "score_a", "p"]])
    np.testing.assert_allclose(by_set["score_a"] - by_set["score_b"], by_set["gain"], atol=1e-9)
    seen = SEEN_FROM_THE_LOSER | {of: better for better, of in SEEN_FROM_THE_LOSER.items()}
    assert back["verdict"].tolist() == by_set["verdict"].replace(seen).tolist()
    assert (by_set["verdict"].isin(SEEN_FROM_THE_LOSER) <= (by_set["gain"] > 0)).all()
    with pytest.raises(ChoiceError, match="No system called 'x'"):
        campaign.one_pair(pairs, of_average, "x", "y")


def test_a_test_set_without_two_outputs_says_so(orvan, pairs):
    """The system whose file is missing on the last test set is compared on two of three."""
    cells = campaign.cells(orvan)
    gone = cells.loc[cells["mark"] == "missing", "system"].iloc[0]
    other = next(name for name in orvan.stats.names if name != gone)
    table = campaign.one_pair(pairs, orvan.bootstrap(RECIPE).pairs(), gone, other)
    assert table["reason"].tolist() == ["", "", "no two valid outputs", ""]


def test_heterogeneity_is_that_of_statsmodels():
    rng = np.random.default_rng(5)
    gains = pd.DataFrame({"gain": rng.normal(1, 1, 9), "standard_error": rng.uniform(0.3, 0.9, 9)})
    theirs = combine_effects(gains["gain"].to_numpy(), gains["standard_error"].to_numpy() ** 2)
    ours = campaign.heterogeneity(pd.concat([gains, pd.DataFrame({"gain": [0.0], "standard_error": [0.0]})]))
    assert ours is not None
    assert (ours.q, ours.freedom, ours.share) == (pytest.approx(theirs.q), 8, pytest.approx(theirs.i2))
    assert ours.p_value == pytest.approx(theirs.test_homogeneity().pvalue)
    assert campaign.heterogeneity(gains.head(1)) is None
