"""Sentences that figures carry: their numbers are those that other means give, too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.output import plots
from nlpsig_core.significance.comparison.detectable import Aim
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.pair_table import pair_table
from nlpsig_core.significance.comparison.thresholds import Rule, threshold_table
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.pair.units import histogram, unit_gains
from nlpsig_core.studies.pair.without import gain_without
from tests.builders import random_stats, shares

LAS = METRICS["LAS"]
SIGNED = {"signature": "s"}
COMMON = SIGNED | {"metric": LAS}
# Columns that figures draw and sentences do not mention.
DRAWN = {
    "system_a": "a", "system_b": "b", "comparison": "same group", "gain": 1.0, "p_value": 0.01, "p": 0.01,
    "verdict": "better", "p_bound": np.nan, "p_corrected": 0.5, "p_corrected_bound": np.nan, "needed": np.nan,
    "gain_low": 0.0, "gain_high": 2.0,
}  # fmt: skip


@pytest.fixture(scope="module")
def pairs() -> pd.DataFrame:
    """All 66 pairs of twelve systems, in two classes."""
    stats = replace(random_stats(1, 12, 120), names=tuple(f"s{i}" for i in range(12)))
    classes = np.array(["different groups", "same group"])[np.arange(66) % 2]
    return pair_table(bootstrap(stats, Resampling(2_000)), stats, classes, np.array(stats.names))


def frame(**columns: object) -> pd.DataFrame:
    """Return a frame of these columns."""
    return pd.DataFrame(columns)


def alt(figure: go.Figure) -> str:
    """Return the sentence that a figure carries."""
    return figure.layout.meta["alt"]


def test_pairs_significant_the_largest_gain_that_is_not_and_the_thresholds(pairs):
    thresholds = threshold_table(pairs, Rule(window=(0.0, 0.5), fewest=2))
    text = alt(plots.pair_figure(pairs, thresholds, unit="unit", **COMMON))
    significant = [row.p < 0.05 for row in pairs.itertuples()]
    corrected = sum(row.p_holm < 0.05 for row in pairs.itertuples())
    largest = max(row.gain for row, s in zip(pairs.itertuples(), significant, strict=True) if not s)
    assert text.startswith(f"{sum(significant)} of 66 pairs differ on their own ({corrected} after correcting); ")
    assert f"the largest gain in LAS of the others is {largest:.2f}; 12 systems;" in text
    for row in thresholds.itertuples():
        assert f"{row.threshold:.2f} for {row.comparison}" in text


def test_without_thresholds_and_with_pairs_over_them(pairs):
    none = threshold_table(pairs, Rule(fewest=60)).assign(model_threshold=np.nan)
    over = plots.Overlay("natural comparisons", pairs[:7], none)
    text = alt(plots.pair_figure(pairs, none, unit="unit", over=over, **COMMON))
    assert text.endswith("; no threshold; over them 7 pairs, natural comparisons.")


def test_matrix_counts_each_pair_once(pairs):
    alone = int((pairs["p_alone"] < 0.05).sum())
    order = [f"s{i}" for i in range(12)]
    text = alt(plots.matrix_figure(pairs, order, notion=Notion(), **SIGNED))
    assert text.startswith(f"Matrix of 12 systems in order of rank: {alone} of 66 pairs differ on their own (")


def test_ranking_names_both_ends_and_the_first_tied_group():
    ranking = frame(
        system=["a", "b", "c", "broken"],
        score=[80.126, 79.0, 60.0, 0.0],
        low=[78.0] * 4,
        high=[82.0] * 4,
        tied_group=[1, 1, 2, 3],
        valid=[True, True, True, False],
    ).assign(group="g", rank_low=1, rank_high=2, status="")
    assert alt(plots.ranking_figure(ranking, **COMMON)) == (
        "4 systems by LAS: a is first with 80.13 (95% interval 78.00 to 82.00); c is last with 60.00; the first tied "
        "group has 2 systems."
    )


def test_two_tests_has_its_four_corners():
    table = frame(
        gain=[1, 1, 1, 1, 0],
        p_x=[0.01, 0.01, 0.2, 0.2, 1.0],
        p_y=[0.01, 0.2, 0.01, 0.2, 1.0],
        opposed=[True, False, False, False, False],
        bound_x=np.nan,
        bound_y=np.nan,
    ).assign(**{column: DRAWN[column] for column in ("system_a", "system_b", "comparison")})
    figure = plots.two_tests_figure(table, name_x="x test", name_y="y test", n_resamples=(0, 0), **COMMON)
    assert alt(figure) == (
        "4 pairs: two-sided p is below 0.05 by both tests for 1, only by x test for 1, only by y test for 1, by "
        "neither for 1; for 1 pair the tests favour different systems."
    )


def test_one_pair():
    """a has 1, 1, 1, 0 and b 0, 0, 1, 1 right: 2 units won, 1 lost, 1 tie; a gain of a quarter, 25 points."""
    stats = shares([[1, 1, 1, 0], [0, 0, 1, 1]])
    bins = histogram(unit_gains(stats))
    of_units = COMMON | {"unit": "unit"}
    assert alt(plots.unit_gains_figure(bins, a="a", b="b", **of_units)) == (
        "a is better on 2 of 4 units (50%), b on 1 of 4 units (25%); 1 of 4 units (25%) are ties."
    )
    curve = gain_without(stats)
    assert alt(plots.without_figure(curve, k=0, carried=1, decimals=0, **of_units)) == (
        "The gain in LAS is 25 with all units and 0 without the 1 unit of the largest pull; it is not significant "
        "without 1 unit."
    )
    none = plots.without_figure(curve, k=0, carried=0, **of_units)
    assert alt(none).endswith("not significant with all of them.")
    bins = frame(gain=[0, 1, 2], width=1.0, resamples=[3, 4, 3], above=[0, 0, 2], below=[1, 0, 0])
    assert alt(plots.gain_figure(bins, a="x", b="y", gain=1.234, interval=(0.1, 2.0), **COMMON)) == (
        "x over y in 10 resamples: resampled gains around the observed gain in LAS of 1.23, 95% interval 0.10 to 2.00; "
        "2 are above twice the gain and 1 below 0."
    )
    drawn = {"score_a": 2.0, "score_b": 1.0, "gain_low": 0.0, "gain_high": 2.0, "units": 9, "note": ""}
    parts = frame(part=["short", "long", "none"], gain=[1.5, -0.25, np.nan], **drawn)
    assert alt(plots.by_part_figure(parts, part="length", title="length (words)", a="x", b="y", **of_units)) == (
        "x over y in 3 parts by length: gain in LAS -0.25 (long) to 1.50 (short)."
    )


def test_sizes_and_their_thresholds():
    """1 of 4 pairs is significant on 100 units, 3 of 4 on 400."""
    pairs = frame(size=[100] * 4 + [400] * 4, significant=[True] + [False] * 3 + [True] * 3 + [False])
    options = COMMON | {"unit": "sentence"}
    assert alt(plots.sizes_figure(pairs.assign(draw=1, **DRAWN), **options)) == (
        "2 sizes of the test set: 25% of pairs are significant on 100 sentences; 75% of pairs are significant on 400 "
        "sentences."
    )
    at = {"size": [100, 400], "comparison": "same group"}
    spread = frame(**at, estimate="model", median=[2.0, 1.0], found=1, draws=1, low=np.nan, high=np.nan)
    thresholds = frame(**at, draw=1, threshold=np.nan, model_threshold=[2.0, 1.0], model_low=1.0, model_high=2.0)
    fit = frame(comparison=["same group"], estimate=["model"], c=[20.0])
    model, window = (
        alt(plots.threshold_curve_figure(thresholds, fit, spread, estimate=estimate, **options))
        for estimate in ("model", "window")
    )
    assert model == (
        "Thresholds as gain in LAS at 2 sizes: same group 2.00 at 100 sentences, 1.00 at 400 sentences, fitted by "
        "20 / √n."
    )
    assert window.endswith("at 2 sizes: none.")


def test_power_names_the_first_sufficient_size_or_says_that_there_is_none():
    aim = Aim(0.5)
    curve = frame(units=[100.0, 399.6, 1_600.0], power=[0.3, 0.8, 0.99], enough=[False, True, True])
    curve = curve.assign(low=0.2, high=1.0, extrapolated=[False, True, True])
    options = COMMON | {"n_units": 100, "aim": aim, "unit": "sentence"}
    assert alt(plots.power_figure(curve, **options)) == (
        "A power of 80% for a true gain in LAS of 0.50 requires 400 sentences for this pair; the test set has 100."
    )
    never = curve.assign(enough=False, comparison="same group")
    assert "requires more than 1,600 sentences for same group" in alt(plots.power_figure(never, **options))
    table = frame(gain=[1.0, 0.2, 0.0], detectable=[0.5, 0.7, 9.0], above=[True, False, False])
    table = table.assign(system_a="a", system_b="b", comparison="same group")
    assert alt(plots.detectable_figure(table, aim=aim, **COMMON)) == (
        "The observed gain in LAS exceeds the detectable gain (80% power) in 1 of 2 pairs (50%); detectable gains are "
        "0.50 to 0.70."
    )


def test_domains():
    pairs = frame(domain=["law", "law", "news", "news"], significant=[True, False, True, True])
    thresholds = frame(comparison=["same group"] * 2, domain=["law", "news"], model_threshold=[2.0, np.nan])
    assert alt(plots.domains_figure(pairs.assign(**DRAWN), thresholds, unit="unit", **COMMON)) == (
        "2 domains: significant pairs 50% (law) to 100% (news); thresholds (model) for same group as gain in LAS 2.00 "
        "(law)."
    )
    tau = frame(domain_a=["a", "a", "b"], domain_b=["b", "c", "c"], tau=[0.5, -0.2, np.nan], systems=5)
    assert alt(plots.agreement_figure(tau, **SIGNED)) == (
        "Kendall's tau between the rankings of 3 domains: -0.20 (a and c) to 0.50 (a and b)."
    )
    table = frame(domain=["a", "b", "c"], gain=[1.0, 2.0, np.nan], significant=[True, False, None], reason="few")
    table = table.assign(gain_low=0.0, gain_high=3.0, score_a=2.0, score_b=1.0, units=9)
    table = table.assign(p=0.01, p_bound=np.nan, p_corrected=0.1, p_corrected_bound=np.nan, verdict="undecided")
    assert alt(plots.pair_by_domain_figure(table, a="x", b="y", **COMMON)) == (
        "x over y: gain in LAS 1.00 (a) to 2.00 (b); significant in 1 of 2 domains (50%)."
    )


def test_calibration_adds_up_the_series_of_a_bin():
    """In the first bin 9 of 10 winners and 10 of 10 agree: 95% of 20 pairs."""
    shares_of = frame(
        other=["b", "b", "c"],
        p_low=[0.0, 0.1, 0.0],
        p_high=[0.1, 0.2, 0.1],
        pairs=[10, 0, 10],
        agree=[9.0, 0.0, 10.0],
        nominal=[0.95, 0.85, 0.95],
        share=[0.9, np.nan, 1.0],
        low=0.5,
        high=1.0,
    )
    assert alt(plots.calibration_figure(shares_of, first="a", **SIGNED)) == (
        "Winners on a that win elsewhere: with p from 0 to 0.1, 95% of 20 pairs, where 1 − p is 95%."
    )
    none = shares_of.rename(columns={"pairs": "tests"}).assign(tests=0)
    assert (
        alt(plots.population_figure(none, **SIGNED)) == "Winners that win in the population: 0 tests in the bins of p."
    )


def test_confidence_of_predictions():
    found = frame(name=["s"] * 3, inspected=[0.0, 0.05, 1.0], found=[0.0, 0.31, 1.0])
    figure = plots.errors_found_figure(found, marked=0.05, **SIGNED)
    assert alt(figure) == "Errors found in the 5% least sure: s 31%."
    curve = frame(name=["s"] * 2, recall=[0.02, 0.5], precision=[1, 0.6], low=[1, 0.5], high=[1, 0.7])
    assert alt(plots.precision_recall_figure(curve, **SIGNED)) == (
        "Precision where 50% of the errors are found: s 60% (95% interval 50% to 70%)."
    )
    bins = frame(name=["s"] * 3, centre=[0.025, 0.475, 0.975], edges=[0, 4, 1_000], right=[np.nan, 0.25, 0.99])
    assert alt(plots.reliability_figure(bins.assign(confidence=bins["centre"]), **SIGNED)) == (
        "Predictions that are right, by confidence in 3 bins: s 25% of 4 at a confidence around 47.5% and 99% of "
        "1,000 around 97.5%."
    )


def test_reranking():
    oracle = frame(size=[1, 10], score=[88.0, 95.0])
    assert alt(plots.oracle_figure(oracle, {"reranked": 90.0}, **COMMON)) == (
        "LAS of the best parse among the first 1 to 10 of each list: 88.00 to 95.00; reranked 90.00."
    )
    ranks = frame(rank=[1, 2], best=[0.6, 0.4], kept=[0.75, 0.25])
    assert "the first holds the best parse in 60.0% of the lists and the reranker's choice in 75.0%" in (
        alt(plots.ranks_figure(ranks, **SIGNED))
    )
    ladder = frame(name=["Rule", "Word"], verdict=["better", "undecided"], gain=[2, -1])
    tested = {"p_shown": "0.10", "better": 3, "worse": 1, "tied": 6, "against": "first", "gain_low": -2, "gain_high": 3}
    assert alt(plots.ladder_figure(ladder.assign(**tested), zero="step before", **COMMON)) == (
        "2 steps against step before: 1 better, 0 worse, 1 undecided; gain in LAS -1.00 (Word) to +2.00 (Rule)."
    )


def test_votes():
    edges = frame(
        word=[2, 1, 1], head=[0, 2, 0], votes=[50, 40, 10], predicted=[True, True, False], right=[True, False, True]
    )
    assert alt(plots.votes_figure(edges, ("big", "dogs"), trees=50, **SIGNED)) == (
        "Votes of 50 trees on the edges of the parser's tree: “big” from “dogs” 40 (wrong), “dogs” from the root 50."
    )
