"""The report of two systems: its numbers by pencil and by other ways, and its text word for word."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

from nlpsig_core.comparison.notion import AS_IN_THE_PAPER
from nlpsig_core.comparison.pair_table import p_values, pair_table
from nlpsig_core.pair.effect import Estimate
from nlpsig_core.pair.text_report import Difference, PairReport, Side, report, report_text
from nlpsig_core.paired_tests import TESTS
from nlpsig_core.resampling.bootstrap import bootstrap
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.stats.array import MacroStats, Stats
from tests.builders import ERROR_RATE, random_stats, shares

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
        gain=0.0918, gain_low=-0.2371, gain_high=0.4249, p=0.5002, notion="two-sided p < 0.05", differing=384,
        detectable=0.4721, size=Estimate(0.0151, -0.039, 0.069), won=Estimate(0.557, 0.507, 0.606), within=0.5,
        low=-0.1848, high=0.3712, verdict="equivalent", line="",
    ),
    left_out="",
)  # fmt: skip


def test_numbers_by_pencil():
    """Of eight units A has seven, B four: better on 4 and 1, tied on 3; 2 * (1 + 5) / 2^5 = 0.375."""
    stats = shares([[1, 1, 1, 1, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1, 1, 1]])
    found = report(stats, RECIPE)
    assert (found.metric, found.unit, found.units) == ("accuracy", "sentence", (8,))
    sides = [(side.system, side.score, side.better) for side in found.sides]
    assert sides == [("system0", 87.5, 4), ("system1", 50, 1)]
    assert (found.tied, found.winner, found.identical, found.left_out) == (3, "system0", False, "")
    assert found.p_sign == pytest.approx(0.375, rel=1e-14)


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_numbers_are_those_of_the_tests(order):
    """In the order asked for, whoever wins; intervals and p of the bootstrap with the same recipe."""
    stats = random_stats(3, 2, 40).of(order)
    found, result = report(stats, RECIPE), bootstrap(stats, RECIPE)
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


def test_where_lower_is_better_the_better_has_less():
    found = report(shares([[1, 1, 1, 0, 0], [0, 0, 0, 1, 0]], ERROR_RATE), RECIPE)
    assert [side.better for side in found.sides] == [1, 3]
    assert found.winner == "system1"


def test_text_word_for_word():
    assert report_text(FOUND).splitlines() == [
        "sentences in the test set:                           1,345",
        "LAS of max-ent:                                      90.37  (bootstrap 95% interval 89.77 to 90.96)",
        "LAS of av. perceptron:                               90.28  (bootstrap 95% interval 89.68 to 90.87)",
        "max-ent better on:                                   214 sentences  (15.9%)",
        "av. perceptron better on:                            170 sentences  (12.6%)",
        "tied on:                                             961 sentences  (71.4%)",
        "sign test on the sentences won, two-sided p:         0.02808",
        "approximate randomization, two-sided p:              0.5823",
        "paired bootstrap, two-sided p:                       0.5",
        "paired bootstrap, one-sided p in favour of max-ent:  < 0.0001",
        "gain in LAS:                                         0.092  (bootstrap 95% interval -0.24 to 0.42)",
        "sentences in which they differ:                      384",
        "small-sample two-sided p:                            0.5002",
        "gain in standard deviations of a sentence's gain:    0.015  (95% interval -0.039 to 0.069)",
        "share won of the sentences not tied:                 55.7%  (95% interval 50.7% to 60.6%)",
        "detectable gain (80% power):                         0.47",
        "interval for equivalence within 0.5:                 -0.18 to 0.37",
        "verdict:                                             equivalent  "
        "(better requires two-sided p < 0.05; equivalent requires the interval within ±0.5)",
    ]
    assert (
        report_text(FOUND, decimals=4).splitlines()[2].endswith("90.2782  (bootstrap 95% interval 89.6832 to 90.8707)")
    )
    assert report_text(FOUND).endswith("\n")


def test_identical_systems_cannot_be_tested():
    stats = random_stats(1, 1, 20)
    found = report(Stats(("a", "b"), np.repeat(stats.values, 2, axis=0), stats.metric), RECIPE)
    assert (found.identical, found.winner, found.tied) == (True, "", 20)
    assert found.p_randomization == found.p_sign == found.p_value == found.p_two_sided == 1
    *lines, last = report_text(found).splitlines()
    assert [line.partition(":")[0] for line in lines] == ["sentences in the test set", "LAS of a", "LAS of b"]
    assert last == "Nothing can be tested: both systems have the same statistics in every sentence, and p is 1."


def test_equal_scores_of_different_outputs():
    """Nobody wins: the units are compared, and there is no p that somebody is better."""
    found = report(shares([[1, 1, 0, 0], [0, 0, 1, 1]]), RECIPE)
    assert (found.winner, found.identical) == ("", False)
    *lines, last = report_text(found).splitlines()
    assert last == "Both systems have the same score: the bootstrap has no difference to test, and its p is 1."
    assert not [line for line in lines if line.startswith("paired bootstrap")]
    assert lines[-1].endswith("undecided  (better requires two-sided p < 0.05)")


def test_a_macro_average_says_what_it_leaves_out():
    found = report(MacroStats((random_stats(1, 2, 20), random_stats(2, 2, 30))), RECIPE)
    assert (found.units, found.tied, found.p_sign) == ((20, 30), None, None)
    assert [side.better for side in found.sides] == [None, None]
    lines = report_text(found).splitlines()
    assert lines[0].split(":")[0] == "sentences in the test sets"
    assert lines[1].startswith("macro-average of LAS of system0:")
    assert lines[0].endswith(" 20 + 30")
    assert not [line for line in lines if "better on" in line or "tied" in line]
    assert lines[-1] == (
        "Omitted: sentences won, sign test; unit scores are of one test set, and a macro-average is of several."
    )
    words = ["approximate", "paired", "paired", "gain", "sentences", "small-sample", "detectable", "verdict:"]
    assert [line.partition(" ")[0] for line in lines[3:-1]] == words
    same = report(MacroStats((shares([[1, 0], [1, 0]]), shares([[0, 1], [1, 1]]))), RECIPE)
    assert not same.identical


def test_progress_counts_both_tests():
    calls = []
    report(random_stats(3, 2, 40), RECIPE, lambda done, of: calls.append((done, of)))
    assert calls[-1] == (4_000, 4_000)
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)


def test_a_report_is_of_two_systems():
    with pytest.raises(ValueError, match="statistics of 3 systems; a pair is two"):
        report(random_stats(0, 3, 5), RECIPE)


def test_p_of_0_is_less_than_one_resample():
    """Of the bootstrap, which adds nothing to its hits; an exact p is what it is."""
    lines = report_text(replace(FOUND, p_sign=0.0, p_value=1e-4)).splitlines()
    assert lines[6].endswith("  0")
    assert lines[9].endswith("  0.0001")


def test_the_difference_is_that_of_the_table_of_pairs():
    """Gain, differing units, small-sample p and detectable gain as in ``pair_table``; verdicts by both notions."""
    stats = random_stats(3, 2, 40)
    result = bootstrap(stats, RECIPE)
    row = pair_table(result, stats, np.array(["x"]), np.array(["a", "b"])).iloc[0]
    found = report(stats, RECIPE).difference
    assert (found.gain, found.differing, found.p, found.detectable) == (
        row["gain"], row["differing"], row["p_small_two_sided"], row["detectable_gain"],
    )  # fmt: skip
    assert (found.verdict, found.within) == ("better" if row["significant"] else "undecided", None)
    one_sided = report(stats, RECIPE, notion=AS_IN_THE_PAPER).difference
    assert (one_sided.p, one_sided.notion) == (row["p_value"], "winner's one-sided p < 0.05")
    equal = report(shares([[1, 0] * 200, [0, 1] * 200]), RECIPE, within=20.0).difference
    assert equal.verdict == "equivalent"
    assert -20 < equal.low < 0 < equal.high < 20
