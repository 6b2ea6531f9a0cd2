"""The report of two systems: its numbers by pencil and by other ways, and its text word for word."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.comparison.notion import AS_IN_THE_PAPER, SCOPES, Notion
from nlpsig_core.significance.comparison.pair_table import pair_table
from nlpsig_core.significance.comparison.verdict import Verdict
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import MacroStats, Sample, Stats
from nlpsig_core.studies.pair.text_report import Difference, PairReport, Side, report, report_text
from nlpsig_core.studies.pair.units import Estimate
from tests.builders import p_values, random_stats, shares

RECIPE = Resampling(2_000)
FOUND = PairReport(
    metric="LAS",
    unit="sentence",
    units=(1345,),
    sides=(
        Side(system="max-ent", score=90.37, low=89.7672, high=90.96, better=214),
        Side(system="av. perceptron", score=90.2782, low=89.6832, high=90.8707, better=170),
    ),
    tied=961,
    winner="max-ent",
    identical=False,
    p_randomization=0.58234,
    p_sign=0.0280806,
    p_value=0.0,
    p_two_sided=0.5,
    resamples=10_000,
    difference=Difference(
        gain=0.0918, gain_low=-0.2371, gain_high=0.4249, p=0.5002, p_corrected=1.0, differing=384, detectable=0.4721,
        size=Estimate(0.0151, -0.039, 0.069), won=Estimate(0.557, 0.507, 0.606), verdict="equivalent", needed=None,
        line="",
    ),
    left_out="",
)  # fmt: skip
FOUND_ROW = pd.Series(
    {
        "p": 0.5002,
        "p_bound": float("nan"),
        "p_corrected": 1.0,
        "p_corrected_bound": float("nan"),
        "inside_low": -0.1848,
        "inside_high": 0.3712,
    }
)


def of_row(row: pd.Series, stats: Sample, notion: Notion = Notion(), n_pairs: int = 3, decimals: int = 2) -> Verdict:
    return Verdict(row=row, notion=notion, stats=stats, n_pairs=n_pairs, decimals=decimals)


def verdict_on(stats: Sample, notion: Notion = Notion()) -> Verdict:
    """The verdict on two systems by the table of their only pair."""
    result = bootstrap(stats, RECIPE)
    table = pair_table(result, stats, np.array(["x"]), np.array(["a", "b"]), notion=notion)
    return of_row(table.iloc[0], stats, notion, n_pairs=1)


def reported(stats: Sample, notion: Notion = Notion()) -> PairReport:
    return report(stats, verdict_on(stats, notion), RECIPE)


def found_text(notion: Notion = Notion(), decimals: int = 2, **changed) -> list[str]:
    verdict = of_row(FOUND_ROW, random_stats(3, 2, 40), notion, decimals=decimals)
    return report_text(replace(FOUND, **changed), verdict).splitlines()


def test_numbers_by_pencil():
    """Of eight units A has seven, B four: better on 4 and 1, tied on 3; 2 * (1 + 5) / 2^5 = 0.375."""
    stats = shares([[1, 1, 1, 1, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1, 1, 1]])
    found = reported(stats)
    assert (found.metric, found.unit, found.units) == ("accuracy", "sentence", (8,))
    sides = [(side.system, side.score, side.better) for side in found.sides]
    assert sides == [("system0", 87.5, 4), ("system1", 50, 1)]
    assert (found.tied, found.winner, found.identical, found.left_out) == (3, "system0", False, "")
    assert found.p_sign == pytest.approx(0.375, rel=1e-14)


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_numbers_are_those_of_the_tests(order):
    """In the order asked for, whoever wins; intervals and p of the bootstrap with the same recipe."""
    stats = random_stats(3, 2, 40).select(order)
    found, result = reported(stats), bootstrap(stats, RECIPE)
    assert tuple(side.system for side in found.sides) == stats.names
    assert [side.score for side in found.sides] == stats.scores.tolist()
    assert [(side.low, side.high) for side in found.sides] == list(map(tuple, result.score_intervals().tolist()))
    assert (found.p_value, found.p_two_sided) == tuple(float(p[0]) for p in p_values(result))
    assert found.p_randomization == TESTS["randomization"].run(stats, result.pairs, RECIPE).two_sided[0]
    gains = stats.unit_scores[0] - stats.unit_scores[1]
    better = int((gains > 1e-9).sum()), int((gains < -1e-9).sum())
    assert tuple(side.better for side in found.sides) == better
    assert found.tied == 40 - sum(better)
    assert found.p_sign == pytest.approx(scipy.stats.binomtest(better[0], sum(better)).pvalue)
    assert found.winner == stats.names[int(np.argmax(stats.scores))]


def test_text_word_for_word():
    """The p that decides once, with its correction; those of other tests by their names."""
    assert found_text(Notion(within=0.5)) == [
        "sentences in the test set:                             1,345",
        "LAS of max-ent:                                        90.37  (bootstrap 95% interval 89.77 to 90.96)",
        "LAS of av. perceptron:                                 90.28  (bootstrap 95% interval 89.68 to 90.87)",
        "max-ent better on:                                     214 sentences  (15.9%)",
        "av. perceptron better on:                              170 sentences  (12.6%)",
        "tied on:                                               961 sentences  (71.4%)",
        "gain in LAS:                                           0.09  (bootstrap 95% interval -0.24 to 0.42)",
        "sentences in which they differ:                        384",
        "gain in standard deviations of one sentence's gain:    0.015  (95% interval -0.039 to 0.069)",
        "share won of the sentences not tied:                   55.7%  (95% interval 50.7% to 60.6%)",
        "detectable gain (80% power):                           0.47",
        "interval for equivalence within 0.5:                   -0.18 to 0.37",
        "p:                                                     0.50",
        "p corrected for 3 pairs (Holm):                        1.0",
        "p by the paired bootstrap, one-sided as in the paper:  < 0.0001",
        "p by the paired bootstrap, two-sided:                  0.50",
        "p by approximate randomization:                        0.58",
        "p by the sign test on the sentences won:               0.028",
    ]
    assert found_text(decimals=4)[2].endswith("90.2782  (bootstrap 95% interval 89.6832 to 90.8707)")


def test_where_lower_is_better_a_gain_is_a_reduction():
    """The three lines on its size; the names of numbers in JSON are those of every metric."""
    stats = random_stats(3, 2, 60, replace(METRICS["LAS"], higher_is_better=False))
    text = report_text(reported(stats), verdict_on(stats))
    assert text.count("reduction") == 4
    assert "gain" not in text


def test_text_by_each_scope():
    """Alone names no correction, corrected no other p than the corrected one."""
    labels = {scope: [line.partition(":")[0] for line in found_text(Notion(scope=scope))] for scope in SCOPES}
    assert "p" in labels["alone"]
    assert not [label for label in labels["alone"] if "corrected" in label]
    assert "p, corrected for 3 pairs (Holm)" in labels["corrected"]
    assert "p" not in labels["corrected"]


def test_identical_systems_cannot_be_tested():
    one = random_stats(1, 1, 20)
    stats = Stats(("a", "b"), np.repeat(one.values, 2, axis=0), one.metric)
    found = reported(stats)
    assert (found.identical, found.winner, found.tied) == (True, "", 20)
    assert found.p_randomization == found.p_sign == found.p_value == found.p_two_sided == 1
    *lines, last = report_text(found, verdict_on(stats)).splitlines()
    assert [line.partition(":")[0] for line in lines] == ["sentences in the test set", "LAS of a", "LAS of b"]
    assert last == "Nothing can be tested: both systems have the same statistics in every sentence, and p is 1."


def test_equal_scores_of_different_outputs():
    """Nobody wins: the units are compared, and there is no p that somebody is better."""
    stats = shares([[1, 1, 0, 0], [0, 0, 1, 1]])
    found = reported(stats)
    assert (found.winner, found.identical) == ("", False)
    *lines, last = report_text(found, verdict_on(stats)).splitlines()
    assert last == "Both systems have the same score: the bootstrap has no difference to test, and its p is 1."
    assert not [line for line in lines if "paired bootstrap" in line]
    said = "Undecided: system0 and system1 have the same score, but the gain of system0 over system1 could be "
    assert found.difference.line.startswith(said)


def test_a_macro_average_says_what_it_leaves_out():
    stats = MacroStats((random_stats(1, 2, 20), random_stats(2, 2, 30)))
    found = reported(stats)
    assert (found.units, found.tied, found.p_sign) == ((20, 30), None, None)
    assert [side.better for side in found.sides] == [None, None]
    lines = report_text(found, verdict_on(stats)).splitlines()
    assert lines[0].split(":")[0] == "sentences in the test sets"
    assert lines[1].startswith("macro-average of LAS of system0:")
    assert lines[0].endswith(" 20 + 30")
    assert not [line for line in lines if "better on" in line or "tied" in line]
    assert lines[-1] == (
        "Omitted: sentences won, sign test; unit scores are of one test set, and a macro-average is of several."
    )
    labels = [line.partition(":")[0] for line in lines[3:-1]]
    assert labels == [
        "gain in macro-average of LAS",
        "sentences in which they differ",
        "detectable gain (80% power)",
        "p",
        "p by the paired bootstrap, one-sided as in the paper",
        "p by the paired bootstrap, two-sided",
        "p by approximate randomization",
    ]
    same = reported(MacroStats((shares([[1, 0], [1, 0]]), shares([[0, 1], [1, 1]]))))
    assert not same.identical


def test_progress_counts_both_tests():
    calls, stats = [], random_stats(3, 2, 40)
    report(stats, verdict_on(stats), RECIPE, lambda done, of: calls.append((done, of)))
    assert calls[-1] == (4_000, 4_000)
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)


def test_p_of_0_is_less_than_one_resample():
    """Of the bootstrap, which adds nothing to its hits, and of swaps, which add 1; an exact p is what it is."""
    lines = found_text(p_sign=1e-9, p_value=1e-4, p_randomization=1 / 10_001)
    assert lines[13].endswith("  0.00010")
    assert lines[-2].endswith("  < 0.0001")
    assert lines[-1].endswith("  1.0e-09")


def test_the_difference_is_that_of_the_table_of_pairs():
    """Gain, differing units, p and detectable gain as in ``pair_table``, by every notion."""
    stats = random_stats(3, 2, 40)
    for notion in (Notion(), Notion(scope="corrected"), AS_IN_THE_PAPER, Notion(within=90.0, level=1e-6)):
        row, found = verdict_on(stats, notion).row, reported(stats, notion).difference
        assert (found.gain, found.differing, found.p, found.detectable, found.verdict) == (
            row["gain"],
            row["differing"],
            row["p"],
            row["detectable_gain"],
            row["verdict"],
        )
        assert found.line == verdict_on(stats, notion).line
        assert (found.p_corrected is None) == (notion.scope == "alone")


def test_a_report_says_equivalent_and_what_would_decide_only_where_it_applies():
    stats = shares([[1, 0] * 200 + [1], [0, 1] * 200 + [0]])
    equal, undecided = (reported(stats, Notion(within=within)).difference for within in (20.0, None))
    assert (equal.verdict, equal.needed) == ("equivalent", None)
    assert undecided.verdict == "undecided"
    assert undecided.needed > 401


def test_two_differing_units_have_no_interval_for_equivalence():
    stats = shares([[1] * 40, [0, 0] + [1] * 38])
    notion = Notion(within=20)
    lines = report_text(reported(stats, notion), verdict_on(stats, notion)).splitlines()
    (line,) = [line for line in lines if line.startswith("interval for equivalence within 20:")]
    assert line.endswith("  none: they differ in too few sentences")
