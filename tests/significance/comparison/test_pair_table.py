"""From hits to p-values: p, adjusted p, intervals and the table of pairs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.output.report.export import p_texts
from nlpsig_core.significance.comparison.notion import (
    AS_IN_THE_PAPER,
    BY_P,
    CORRECTIONS,
    SCOPES,
    Notion,
    benjamini_hochberg,
    benjamini_yekutieli,
    cutoff,
    cutoff_for,
    holm,
)
from nlpsig_core.significance.comparison.pair_table import (
    PAIR_COLUMNS,
    at_level,
    bound_of,
    corrected_bound,
    decide,
    pair_table,
)
from nlpsig_core.significance.comparison.verdict import UNDECIDED, shown_p
from nlpsig_core.significance.paired_tests import PValues
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats
from tests.builders import p_values, random_stats

STATS = random_stats(1, 5, 30)
GROUPS = np.array(["g"] * 5, dtype=object)
# As if every pair differed in all units.
ALL = np.full(10, 30.0)


@pytest.fixture(scope="module")
def result():
    return bootstrap(STATS, Resampling(5_000))


def table_of(result, stats=STATS, **more) -> pd.DataFrame:
    """The table of pairs, all of one class and group."""
    classes, groups = np.array(["x"] * len(result.pairs)), np.array(["g"] * stats.n_systems, dtype=object)
    return pair_table(result, stats, classes, groups, **more)


def test_p_is_the_share_of_hits(result):
    """hits / b, not (hits + 1) / (b + 1): section 2.1, figure 1; both tails together are the two-sided p."""
    one_sided, two_sided = p_values(result)
    assert (one_sided == result.hits_above / 5_000).all()
    assert (two_sided == (result.hits_above + result.hits_below) / 5_000).all()
    assert 0 < two_sided.min() < two_sided.max() < 1


def test_no_gain_is_p_1_whatever_the_hits(result):
    """A gain within the tolerance of ties cannot be tested, even where one of many resamples differs."""
    level = replace(result, gain=np.where(np.arange(10) == 3, result.tie, result.gain))
    assert p_values(level)[0][3] == p_values(level)[1][3] == 1
    assert (p_values(level)[0][:3] == p_values(result)[0][:3]).all()


def test_two_sided_p_is_never_above_1(result):
    many = replace(result, hits_above=result.hits_above + 4_000, hits_below=result.hits_below + 4_000)
    assert p_values(many)[1].max() == 1


def test_table_of_pairs(result):
    """Ten pairs of five systems, the winner first; p_error is sqrt(p (1 - p) / b), or 3 / b without a hit."""
    table = table_of(result)
    names = STATS.names
    assert tuple(table.columns) == PAIR_COLUMNS
    assert len(table) == 10
    unknown = {"needed", "inside_low", "inside_high"} | {name for name in table if name.endswith("_bound")}
    assert not table.drop(columns=list(unknown)).isna().to_numpy().any()
    assert table["gain"].to_numpy() == pytest.approx((table["score_a"] - table["score_b"]).to_numpy())
    assert (table["gain"] >= 0).all()
    assert {frozenset(pair) for pair in zip(table["system_a"], table["system_b"], strict=True)} == {
        frozenset((x, y)) for x in names for y in names if x < y
    }
    p = table["p_value"].to_numpy()
    assert table["p_error"].to_numpy() == pytest.approx(np.where(p > 0, np.sqrt(p * (1 - p) / 5_000), 3 / 5_000))
    small = table["p_small_two_sided"].to_numpy()
    assert table["p_holm"].tolist() == holm(small).tolist()
    assert table["p_bh"].tolist() == benjamini_hochberg(small).tolist()
    assert table["p_by"].tolist() == benjamini_yekutieli(small).tolist()
    assert table["p"].tolist() == table["p_alone"].tolist() == small.tolist()
    assert table["p_corrected"].tolist() == table["p_holm"].tolist()
    assert table["hits"].tolist() == result.hits_above.tolist()
    assert table["hits_two_sided"].tolist() == (result.hits_above + result.hits_below).tolist()
    assert (table["resamples"] == 5_000).all()
    assert table["significant"].tolist() == (small < 0.05).tolist()
    assert (table["gain_low"] < table["gain"]).all()
    assert (table["gain"] < table["gain_high"]).all()


def test_small_sample_p_rest_on_hits_plus_one(result):
    """T with D - 1 degrees of freedom at sqrt((D - 1) / D) times the quantile of (hits + 1) / (b + 1), by scipy."""
    table = table_of(result)
    d = table["differing"].to_numpy()
    values = STATS.values
    assert d.tolist() == [int((values[a] != values[b]).any(axis=1).sum()) for a, b in result.pairs]
    for column, hits, tails in (
        ("p_small_one_sided", result.hits_above, 1),
        ("p_small_two_sided", result.hits_above + result.hits_below, 2),
    ):
        quantile = scipy.stats.norm.ppf((hits + 1) / 5_001 / tails)
        expected = tails * scipy.stats.t.cdf(np.sqrt((d - 1) / d) * quantile, d - 1)
        assert table[column].to_numpy() == pytest.approx(expected)


def test_table_of_pairs_by_another_test(result):
    """p, adjusted p and its error are of the test; the gains and their intervals stay those of the bootstrap."""
    own = table_of(result)
    half = np.linspace(0.01, 0.5, 10)
    table = table_of(result, p=PValues(one_sided=half, two_sided=2 * half, n_resamples=100))
    assert table["p_value"].tolist() == half.tolist()
    assert table["p_two_sided"].tolist() == table["p"].tolist() == (2 * half).tolist()
    assert table["p_holm"].tolist() == holm(2 * half).tolist()
    assert table["p_bh"].tolist() == benjamini_hochberg(2 * half).tolist()
    errors = np.where(half > 1.5 / 101, np.sqrt(half * (1 - half) / 100), 3 / 100)
    assert table["p_error"].to_numpy() == pytest.approx(errors)
    assert table["p_small_two_sided"].isna().all()
    by_formula = table_of(result, p=PValues(one_sided=half, two_sided=2 * half))
    assert (by_formula[["p_error", "hits", "hits_two_sided", "resamples"]] == 0).all(axis=None)
    of_p = {"p", "verdict", "needed", "hits", "hits_two_sided", "resamples", "significant"}
    others = [column for column in PAIR_COLUMNS if not column.startswith("p_") and column not in of_p]
    assert table[others].equals(own[others])


NOTIONS = {
    "two-sided": (Notion(scope="alone"), "p_small_two_sided", lambda p: p),
    "both": (Notion(), "p_small_two_sided", lambda p: p),
    "Holm": (Notion(scope="corrected"), "p_small_two_sided", holm),
    "BH": (Notion(scope="corrected", adjust="BH"), "p_small_two_sided", benjamini_hochberg),
    "BY": (Notion(scope="corrected", adjust="BY", level=0.2), "p_small_two_sided", benjamini_yekutieli),
    "as in the paper": (AS_IN_THE_PAPER, "p_value", lambda p: p),
    "one-sided Holm": (Notion(sides="one", scope="corrected"), "p_small_one_sided", holm),
}


@pytest.mark.parametrize(("notion", "column", "adjust"), NOTIONS.values(), ids=NOTIONS)
def test_a_notion_decides_by_one_p(result, notion, column, adjust):
    """The p that is compared with the level, and the pairs that are below it."""
    table = table_of(result, notion=notion)
    expected = adjust(table[column].to_numpy())
    assert table["p"].tolist() == expected.tolist()
    assert table["significant"].tolist() == (expected < notion.level).tolist()
    assert table["p_corrected"].isna().all() == (notion.scope == "alone")
    better = table["verdict"].isin(["better", "better on its own"])
    assert better.tolist() == table["significant"].tolist()


def test_the_scope_both_tells_pairs_that_the_correction_takes_away(result):
    """By pencil of p: below the level before and after Holm is better, before it alone better on its own."""
    table = table_of(result, notion=Notion(level=0.3))
    alone, among_all = table["p_small_two_sided"] < 0.3, table["p_holm"] < 0.3
    expected = np.select([alone & among_all, alone], ["better", "better on its own"], "undecided")
    assert table["verdict"].tolist() == expected.tolist()
    assert set(expected) == {"better", "better on its own", "undecided"}


def test_undecided_pairs_have_the_units_that_would_decide_them(result):
    """Of n = 30 units, with z = 1.96 at the level and 0.84 at 80 %: n' = 30 (2.80 error / gain)^2, rounded up."""
    table = table_of(result, notion=Notion(scope="alone"))
    undecided = table["verdict"] == "undecided"
    assert table["needed"].isna().tolist() == (~undecided).tolist()
    z = scipy.stats.norm.ppf(0.975) + scipy.stats.norm.ppf(0.8)
    rows = table[undecided]
    expected = 30 * (z * rows["standard_error"] / rows["gain"]) ** 2
    assert rows["needed"].to_numpy() == pytest.approx(expected.to_numpy(), rel=0.05, abs=4)
    named = table_of(result, notion=Notion(scope="alone", within=0.001))
    assert (named.loc[undecided, "needed"] > rows["needed"]).all()


def test_no_pair_needs_fewer_units_than_it_has(result):
    """Pairs with a small standard error are undecided by another test: of 30 units, fewer are no answer."""
    half = np.full(10, 0.25)
    notion, p = Notion(scope="alone"), PValues(one_sided=half, two_sided=2 * half, n_resamples=100)
    needed = table_of(result, notion=notion, p=p)["needed"]
    assert needed.isna().any()
    assert (needed.dropna() > 30).all()
    small = table_of(result, notion=Notion(scope="alone", within=1e6), p=p)["needed"].dropna()
    assert (small <= 30).all()


def test_what_p_is_below_without_a_hit(result):
    """No resample of 5,000 reverses the sign: p is below 1 / 5,000; a pair with hits has no bound."""
    far = replace(result, hits_above=result.hits_above * 0, hits_below=result.hits_below * 0)
    assert table_of(far, notion=AS_IN_THE_PAPER)["p_bound"].tolist() == [1 / 5_000] * 10
    assert table_of(result, notion=AS_IN_THE_PAPER)["p_bound"].isna().all()
    assert (table_of(far)["p_bound"] >= table_of(far)["p"]).all()


def test_a_corrected_p_is_a_bound_where_no_resample_was_a_hit(result):
    """Ten pairs without a hit of 5,000: Holm's smallest is ten times their p. Max-t knows its own hits."""
    far = replace(result, hits_above=result.hits_above * 0, hits_below=result.hits_below * 0)
    table = table_of(far)
    assert table["p_corrected_bound"].tolist() == table["p_corrected"].tolist()
    assert table["p_corrected"].min() == pytest.approx(10 * table["p_alone"].min())
    assert table_of(result)["p_corrected_bound"].isna().all()
    assert table_of(far, notion=Notion(scope="alone"))["p_corrected_bound"].isna().all()
    for scope in ("both", "corrected"):
        by_max_t = np.where(np.arange(10) < 5, 1 / 5_001, 40 / 5_001)
        table = table_of(far, notion=Notion(adjust="max-t", scope=scope), by_max_t=by_max_t)
        known = table["p_corrected"] == 40 / 5_001
        assert known.tolist() == table["p_corrected_bound"].isna().tolist() == [False] * 5 + [True] * 5
        assert (table["p_bound"].isna() == (known & (scope == "corrected"))).all()
        assert table["p_alone_bound"].notna().all()


def test_a_corrected_p_that_follows_from_a_bound_is_one():
    """Holm over four: 4 x 0.01 holds for the second as well, since 3 x 0.012 is less; 2 x 0.2 is known.

    BH takes the smallest from below: 4/2 x 0.012 = 0.024 for the first two. A corrected p of 1 is no bound.
    """
    p, hits = np.array([0.01, 0.012, 0.2, 0.3]), np.array([0, 9, 9, 9])
    bound = bound_of(p, hits, 1_000)
    of = {name: corrected_bound(adjust, p, bound) for name, adjust in BY_P.items()}
    assert np.array_equal(of["Holm"], [0.04, 0.04, np.nan, np.nan], equal_nan=True)
    assert np.array_equal(of["BH"], [0.024, np.nan, np.nan, np.nan], equal_nan=True)
    assert np.isnan(corrected_bound(holm, p, bound_of(p, hits, 0))).all(), "a formula has no hits"
    large = np.full(4, 0.3)
    assert np.isnan(corrected_bound(holm, large, bound_of(large, hits * 0, 3))).all()


def test_p_for_few_units_is_its_own_bound():
    """Without a hit of 1,000 p is below 1/1,000, but Student's t may make it 0.0015; with a hit it is known."""
    p, hits = np.array([1 / 1001, 0.0015, 0.0015]), np.array([0, 0, 1])
    assert np.array_equal(bound_of(p, hits, 1_000), [0.001, 0.0015, np.nan], equal_nan=True)
    assert np.isnan(bound_of(p, hits, 0)).all()


def constant(n_units: int) -> Stats:
    """Two systems, of which the first is better by 1 to 1.5 in each unit."""
    values = np.stack([np.stack([1 + np.linspace(0, 0.5, n_units), np.zeros(n_units)]), np.ones((2, n_units))], axis=2)
    return Stats(("a", "b"), values, METRICS["mean"])


def test_p_that_cannot_be_smaller_is_known_without_a_hit():
    """Five units that one system wins: no resample is a hit, and p is 2 / 2^5, not below it. 40 leave p unknown."""
    row = table_of(bootstrap(constant(5), Resampling(1_000)), constant(5)).iloc[0]
    assert row["hits_two_sided"] == 0
    assert row["p"] == row["p_holm"] == row["p_corrected"] == 2 / 2**5
    assert row[["p_bound", "p_alone_bound", "p_corrected_bound", "p_holm_bound"]].isna().all()
    assert shown_p(row, 0.05) == "0.062"
    assert p_texts(row.to_frame().T.infer_objects())["p_small_two_sided"] == ["0.062"]
    paper = table_of(bootstrap(constant(5), Resampling(1_000)), constant(5), notion=AS_IN_THE_PAPER).iloc[0]
    assert shown_p(paper, 0.05) == "< 0.001"
    unknown = table_of(bootstrap(constant(40), Resampling(1_000)), constant(40)).iloc[0]
    assert unknown["p_bound"] == unknown["p"] > 1 / 1_000
    assert table_of(bootstrap(constant(2_000), Resampling(200)), constant(2_000)).iloc[0]["p_bound"] > 0


@pytest.mark.parametrize("interval", ["percentile", "normal"])
@pytest.mark.parametrize(("n_units", "level", "clear"), [(5, 0.95, False), (6, 0.95, True), (5, 0.9, True)])
def test_an_interval_excludes_0_only_where_a_test_could(n_units, level, clear, interval):
    """With five units the smallest two-sided p of an exact test is 0.0625, with six 0.031; all gains are above 1."""
    stats = constant(n_units)
    row = table_of(bootstrap(stats, Resampling(1_000)), stats, level=level, interval=interval).iloc[0]
    assert (row["gain_low"] > 0) == clear
    assert row["gain_low"] == 0 or clear
    assert row["gain_high"] > row["gain"]
    if level == 0.95:
        assert (row["verdict"] == UNDECIDED) == (not clear)


@pytest.mark.parametrize(("notion", "column", "adjust"), NOTIONS.values(), ids=NOTIONS)
def test_below_the_cutoff_pairs_are_significant(result, notion, column, adjust):
    """The p of a pair on its own at which a corrected one reaches the level; of no pairs, the level."""
    table = table_of(result, notion=notion)
    assert table["p_alone"].tolist() == table[column].tolist()
    assert ((table["p_alone"] < cutoff(table, notion)) == table["significant"]).all()
    assert cutoff(table.head(0), notion) == notion.level


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("adjust", CORRECTIONS)
@pytest.mark.parametrize("level", [0.01, 0.2])
def test_a_table_at_another_level_is_that_made_at_it(result, level, adjust, scope):
    """All but the answers and what follows from them."""
    given, usual = np.linspace(0, 1, len(result.pairs)), Notion(adjust=adjust, scope=scope)
    other = replace(usual, level=level)
    table = table_of(result, notion=usual, by_max_t=given)
    expected = table_of(result, notion=other, by_max_t=given).drop(columns="verdict")
    of_answers = ["needed", "p_bound"]
    pd.testing.assert_frame_equal(at_level(table, other).drop(columns=of_answers), expected.drop(columns=of_answers))
    assert not table[expected.columns].equals(expected)


def test_at_another_level_a_test_for_the_loser_is_not_significant(result):
    """All tests are significant, the first one for the system with the lower corpus score: as in the table itself."""
    one_sided = np.full(len(result.pairs), 0.001)
    one_sided[0] = 0.999
    p = PValues(one_sided=one_sided, two_sided=np.full(len(one_sided), 0.002))
    notion = Notion(scope="alone", test="sign")
    table = table_of(result, p=p, notion=notion)
    again = at_level(table, replace(notion, level=0.01))["significant"]
    assert table["significant"].tolist() == again.tolist() == [False] + [True] * (len(one_sided) - 1)


def test_max_t_is_never_below_a_pairs_own_p(result):
    by_max_t = np.linspace(0, 1, 10)
    table = table_of(result, notion=Notion(adjust="max-t", scope="corrected"), by_max_t=by_max_t)
    assert table["p"].tolist() == np.maximum(by_max_t, table["p_small_two_sided"]).tolist()
    with pytest.raises(ChoiceError, match="max-t is available for the paired bootstrap only; choose Holm"):
        table_of(
            result, notion=Notion(adjust="max-t"), p=PValues(one_sided=np.full(10, 0.2), two_sided=np.full(10, 0.4))
        )


def test_the_order_of_the_systems_does_not_matter():
    """The same pairs have the same numbers, since resamples are of units, not of systems."""
    stats = random_stats(1, 4, 30)
    turned = stats.select([2, 0, 3, 1])
    tables = []
    for one in (stats, turned):
        table = table_of(bootstrap(one, Resampling(2_000)), one)
        tables.append(table.sort_values(["system_a", "system_b"], ignore_index=True))
    exact = ["system_a", "system_b", "gain", "p_value", "p_two_sided", "p_holm", "p_bh"]
    assert tables[0][exact].equals(tables[1][exact])
    for column in ("correlation", "standard_error", "gain_low", "gain_high"):
        assert tables[0][column].to_numpy() == pytest.approx(tables[1][column].to_numpy(), rel=1e-6)


def test_no_pairs_is_an_empty_table():
    stats = random_stats(1, 1, 30)
    table = table_of(bootstrap(stats, Resampling(100)), stats)
    assert tuple(table.columns) == PAIR_COLUMNS
    assert table.empty


def t_of(share: float) -> float:
    return np.sqrt(30 / 29) * scipy.stats.t.ppf(share, 29)


def test_normal_intervals(result):
    """Gain or score -+ sqrt(30/29) * 2.045 = 2.080 standard errors of 30 units, by Student's t."""
    of_scores = np.sqrt(np.diag(result.covariance))
    for level, share in ((0.95, 0.975), (0.8, 0.9)):
        low, high = result.gain_intervals(level, ALL, "normal").T
        assert low == pytest.approx(result.gain - t_of(share) * result.standard_error, rel=1e-6)
        assert high == pytest.approx(result.gain + t_of(share) * result.standard_error, rel=1e-6)
        low, high = result.score_intervals(level, "normal").T
        assert low == pytest.approx(result.scores - t_of(share) * of_scores, rel=1e-6)
        assert high == pytest.approx(result.scores + t_of(share) * of_scores, rel=1e-6)
    near = pytest.approx(result.gain_intervals(0.95, ALL, "normal"), abs=0.25 * result.standard_error.max())
    assert result.gain_intervals(0.95, ALL) == near


@pytest.mark.parametrize("interval", ["percentile", "normal"])
def test_the_intervals_of_the_table_are_95_percent_unless_another_level_is_chosen(result, interval):
    for level, chosen in ((0.95, {}), (0.8, {"level": 0.8})):
        table = table_of(result, interval=interval, **chosen)
        ends = result.gain_intervals(level, table["effective"].to_numpy(), interval)
        np.testing.assert_allclose(table[["gain_low", "gain_high"]], ends)
        assert (table["effective"] < 30).any()


def test_unknown_interval(result):
    for intervals in (partial(result.gain_intervals, effective=ALL), result.score_intervals):
        with pytest.raises(ChoiceError, match=r"No interval called 'exact'. Available: normal, percentile"):
            intervals(level=0.95, interval="exact")


@pytest.mark.parametrize("significant", [[], [False] * 4])
def test_the_cutoff_of_max_t_without_a_significant_pair_is_bonferronis(significant):
    """0.04 / 4 pairs = 0.01; of no pairs, the level itself."""
    pairs = pd.DataFrame({"significant": significant, "p_alone": [0.5] * len(significant)})
    assert cutoff(pairs, Notion(level=0.04, adjust="max-t", scope="corrected")) == pytest.approx(
        0.01 if significant else 0.04
    )


def test_a_pair_has_a_cutoff_that_agrees_with_its_row_where_max_t_orders_pairs_otherwise_than_p():
    """One cutoff, of whatever size, would have the second or the third pair on the wrong side."""
    pairs = pd.DataFrame({"significant": [True, False, True, False], "p_alone": [0.001, 0.004, 0.006, 0.2]})
    notion = Notion(adjust="max-t", scope="corrected")
    below = [row["p_alone"] < cutoff_for(row, pairs, notion) for _, row in pairs.iterrows()]
    assert below == pairs["significant"].tolist()
    assert cutoff_for(pairs.iloc[0], pairs, notion) == cutoff(pairs, notion)
    assert cutoff_for(pairs.iloc[1], pairs, Notion()) == 0.05


@pytest.mark.parametrize(
    ("p", "level", "answer"),
    [
        (0.01, 0.01, "undecided"),
        (0.01, 0.011, "better on its own"),
        (0.01, 0.02, "better on its own"),
        (0.01, 0.03, "better"),
    ],
)
def test_significant_is_below_the_level_not_at_it(p, level, answer):
    """Two pairs by a formula, the second with p = 1: p of the first is 0.01 on its own, and 2 * 0.01 by Holm."""
    one_sided, two_sided = np.array([p / 2, 1.0]), np.array([p, 1.0])
    decision = decide(PValues(one_sided=one_sided, two_sided=two_sided), None, Notion(level=level))
    assert decision.answer.tolist() == [answer, "undecided"]
    assert decision.significant.tolist() == [p < level, False]
