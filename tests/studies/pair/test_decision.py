"""Worse, not worse or undecided: by pencil, by Holm's p, and with the numbers of the table of all pairs."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import norm

from nlpsig_core.significance.comparison.notion import ALONE, BOTH, Notion, holm
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.comparison.verdict import UNDECIDED, WORSE
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import MacroStats, Stats
from nlpsig_core.studies.pair.decision import (
    NOT_WORSE,
    Compared,
    combined,
    compared,
    decide,
    units_to_decide,
)
from tests.builders import ACCURACY, ERROR_RATE, shares

RECIPE = Resampling(20_000)


def units(lost: int, won: int, of: int = 400, metric=ACCURACY) -> Stats:
    """A baseline and a candidate that loses and wins so many of the units, and is right in all others as the former."""
    baseline, candidate = np.ones((2, of), dtype=int)
    candidate[:lost] = 0
    baseline[lost : lost + won] = 0
    both = np.stack([baseline, candidate])
    return replace(shares(both if metric is ACCURACY else 1 - both, metric), names=("old", "new"))


def pair_of(stats: Stats | MacroStats, within: float | None = None) -> Compared:
    return compared(stats, "old", "new", RECIPE, Notion(scope=ALONE, within=within))


def outcome(stats: Stats | MacroStats, within: float | None = None) -> str:
    (decision,) = decide([pair_of(stats, within)])
    return decision.outcome


@pytest.mark.parametrize("metric", [ACCURACY, ERROR_RATE], ids=["higher is better", "lower is better"])
@pytest.mark.parametrize(
    ("lost", "won", "within", "expected"),
    [
        (40, 10, None, WORSE),
        (10, 40, None, NOT_WORSE),
        (25, 25, None, UNDECIDED),
        (0, 0, None, NOT_WORSE),
        (25, 25, 5, NOT_WORSE),
        (25, 25, 2, UNDECIDED),
        (25, 20, 4.5, NOT_WORSE),
        (25, 20, 3, UNDECIDED),
        (40, 10, 5, WORSE),
        (40, 10, 12, NOT_WORSE),
        (0, 0, 0.001, NOT_WORSE),
        (0, 1, 50, UNDECIDED),
    ],
)
def test_outcomes_by_pencil(lost, won, within, expected, metric):
    """Of 400 units, a gain of (won - lost) / 4 points has the standard error sqrt(won + lost - gain^2 / 4) / 4.

    - 40 lost, 10 won: -7.5 points, error sqrt(50 - 2.25) / 4 = 1.73, 4.3 errors below 0; 95% above -7.5 - 1.65 * 1.73,
      about -10.4: worse, also by more than 5 points, and not worse if 12 points are nobody's worry.
    - 25 lost, 25 won: 0 points, error 1.77: above -2.9, so within 5, but not within 2.
    - 25 lost, 20 won: -1.25 points, error 1.68: above -4.0, so within 4.5, but not within 3.
    - One unit that differs says nothing of a margin, and none says that both are the same.
    """
    assert outcome(units(lost, won, metric=metric), within) == expected


def test_a_significant_loss_surely_below_the_margin_is_not_worse_and_rests_on_the_margin():
    """2 points lost of 4,000 units, error sqrt(80) / 40 = 0.22: significant, and above -2.4."""
    stats = units(80, 0, of=4_000)
    assert outcome(stats) == WORSE
    assert outcome(stats, 1) == WORSE
    assert pair_of(stats, 3).significant
    (decision,) = decide([pair_of(stats, 3)])
    assert (decision.outcome, decision.by_margin) == (NOT_WORSE, True)
    (better,) = decide([pair_of(units(0, 80, of=4_000), 3)])
    assert (better.outcome, better.by_margin) == (NOT_WORSE, False)


def test_the_gain_is_the_candidates():
    loser, winner, same = (pair_of(units(*flips)) for flips in ((3, 1), (1, 3), (2, 2)))
    assert (loser.gain, winner.gain, same.gain) == (-0.5, 0.5, 0.0)
    assert str(same.gain) == "0.0"
    assert (loser.ahead, winner.ahead) == (False, True)
    assert loser.signed(0.1, 0.9) == (-0.9, -0.1)
    assert winner.signed(0.1, 0.9) == (0.1, 0.9)
    assert tuple(-end for end in reversed(loser.bounds(0.2))) == pytest.approx(winner.bounds(0.2), abs=0.03)


class Stub(Compared):
    """A test whose two-sided p and whose p of gain <= -margin are given."""

    @classmethod
    def of(cls, p: float, p_margin: float, ahead: bool = False) -> Stub:
        verdict = "better" if p < 0.05 else "undecided"
        row = {"p": p, "p_bound": np.nan, "verdict": verdict, "differing": 9, "system_a": "new" if ahead else "old"}
        one = cls(candidate="new", notion=Notion(scope=ALONE, within=1), result=SimpleNamespace(), row=row)
        object.__setattr__(one, "p_margin", p_margin)
        return one

    def above_the_margin(self, level: float) -> bool:
        return self.p_margin <= level


P = (0.001, 0.012, 0.016, 0.02, 0.04, 0.2)


@pytest.mark.parametrize("p", [*product(P, repeat=3)])
def test_margins_are_corrected_by_holm(p):
    """The steps by intervals reject just what p <= 0.05 after Holm does."""
    found = [decision.outcome for decision in decide([Stub.of(0.5, each) for each in p])]
    expected = holm(np.array(p)) <= 0.05 + 1e-12
    assert found == [NOT_WORSE if rejected else UNDECIDED for rejected in expected]


def test_losses_are_corrected_by_holm():
    """Alone, 0.03 is below the level. Of two, 0.03 * 2 = 0.06 is not, but 0.01 * 2 is, and then 0.03 * 1."""
    assert decide([Stub.of(0.03, 1)])[0].outcome == WORSE
    assert [one.outcome for one in decide([Stub.of(0.03, 1), Stub.of(0.04, 1)])] == [UNDECIDED, UNDECIDED]
    two = decide([Stub.of(0.01, 1, ahead=True), Stub.of(0.03, 1)])
    assert [one.outcome for one in two] == [NOT_WORSE, WORSE]
    assert [one.p for one in two] == pytest.approx([0.02, 0.03])


def test_the_level_is_that_of_the_step_at_which_a_gain_was_compared():
    """0.01 is below 0.05 / 3; then 0.03 and 0.04 are compared with 0.05 / 2, and neither is below."""
    levels = [one.level for one in decide([Stub.of(0.5, p) for p in (0.03, 0.01, 0.04)])]
    assert levels == pytest.approx([0.025, 0.05 / 3, 0.025])


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ([NOT_WORSE, NOT_WORSE], NOT_WORSE),
        ([NOT_WORSE, UNDECIDED], UNDECIDED),
        ([UNDECIDED, WORSE, NOT_WORSE], WORSE),
        ([NOT_WORSE], NOT_WORSE),
    ],
)
def test_all_together_are_worse_if_one_is_and_not_worse_if_all_are(outcomes, expected):
    assert combined(outcomes) == expected


@pytest.mark.parametrize("test_set", ["brelda", "macro-average"])
@pytest.mark.parametrize("test", ["", "randomization"])
def test_the_numbers_are_those_of_the_table_of_all_pairs(test_set, test):
    """Whatever other systems there are: p, gain, intervals, verdict and the number of units needed."""
    selection = load_task("orvan-three-test-sets").select("LAS", test_set)
    recipe = Resampling(2_000)
    for within in (None, 1.0):
        notion = Notion(scope=ALONE, within=within, test=test)
        table = selection.bootstrap(recipe).pairs(notion).set_index(["system_a", "system_b"])
        for a, b in pairwise(("Vorquell-1", "Vorquell-3", "Feltrony-1", "Feltrony-2", "Plunaro-1")):
            row = table.loc[(a, b) if (a, b) in table.index else (b, a)]
            one = compared(selection.stats, a, b, recipe, notion)
            assert (one.row["system_a"], one.row["system_b"]) == row.name
            assert one.row["verdict"] == row["verdict"]
            numbers = ["p", "gain", "gain_low", "gain_high", "inside_low", "inside_high", "standard_error"]
            np.testing.assert_allclose(one.row[numbers].astype(float), row[numbers].astype(float), rtol=1e-9)
            if within is not None:
                ends = one.row["inside_low"], one.row["inside_high"]
                assert one.bounds(0.05) == one.signed(*ends)
            elif row["verdict"] == "undecided":
                assert units_to_decide(one, selection.stats.n_units) == pytest.approx(row["needed"], nan_ok=True)


def test_what_pair_calls_equivalent_is_not_worse_and_what_it_calls_better_is_worse_or_within_the_margin():
    """Of a third of the 45 pairs of a sample, in both directions."""
    selection, recipe = load_task("orvan-three-test-sets").select("LAS", "brelda"), Resampling(2_000)
    seen = set()
    for within in (None, 0.5, 3.0):
        notion = Notion(scope=BOTH, within=within)
        for _, row in selection.bootstrap(recipe).pairs(notion).iloc[::3].iterrows():
            for old, new in ((row["system_a"], row["system_b"]), (row["system_b"], row["system_a"])):
                one = compared(selection.stats, old, new, recipe, replace(notion, scope=ALONE))
                (decision,) = decide([one])
                seen.add((row["verdict"], decision.outcome))
                if decision.outcome == WORSE:
                    assert row["verdict"].startswith("better")
                    assert old == row["system_a"]
                if row["verdict"] == "equivalent":
                    assert decision.outcome == NOT_WORSE
                if row["verdict"].startswith("better") and decision.outcome == UNDECIDED:
                    pytest.fail("a significant pair is decided")
    assert {("equivalent", NOT_WORSE), ("better", WORSE), ("better", NOT_WORSE), ("undecided", UNDECIDED)} <= seen


def errors_above(within: float, gain: float, error: float, n: int, level: float, power: float = 0.8) -> float:
    """The number of units with which a true gain is above -within with this power: n ((z + z) error / distance)^2."""
    return float(np.ceil(n * ((norm.ppf(1 - level) + norm.ppf(power)) * error / (within + gain)) ** 2))


def test_units_to_decide_with_a_margin_by_the_formula():
    """For 25 lost and 25 won of 400: as if there were no gain. For 25 lost and 20 won: the fewer of two numbers."""
    same, behind = pair_of(units(25, 25), 2), pair_of(units(25, 20), 3)
    error = float(same.row["standard_error"])
    assert units_to_decide(same, 400) == errors_above(2, 0, error, 400, 0.05)
    assert units_to_decide(same, 400, of=2) == errors_above(2, 0, error, 400, 0.025)
    error = float(behind.row["standard_error"])
    above = errors_above(3, -1.25, error, 400, 0.05)
    significant = errors_above(0, 1.25, error, 400, 0.025)
    assert units_to_decide(behind, 400) == min(above, significant) == above
    ahead = pair_of(units(20, 25), 2)
    error = float(ahead.row["standard_error"])
    assert units_to_decide(ahead, 400) == errors_above(2, 0, error, 400, 0.05), "an observed gain may be luck"


def test_no_number_of_units_is_named_where_none_would_do_or_too_few_differ():
    """Without a margin a gain of 0 stays 0. By the error of one unit of 400, fewer units would seem enough."""
    assert np.isnan(units_to_decide(pair_of(units(25, 25)), 400))
    assert np.isnan(units_to_decide(pair_of(units(0, 1), 50), 400))
    always = pair_of(units(0, 4, of=4))
    assert always.row["verdict"] == UNDECIDED
    assert np.isnan([always.row["needed"], units_to_decide(always, 4)]).all(), "no resample changes the gain"


def test_test_sets_are_pooled():
    """7.5 points lost on one test set and won on the other: on average nothing is lost, and 1.2 points is the error."""
    both = MacroStats((units(40, 10), units(10, 40)))
    assert outcome(both) == UNDECIDED
    assert outcome(both, 3) == NOT_WORSE
    assert [one.outcome for one in decide([pair_of(part, 3) for part in both.test_sets])] == [WORSE, NOT_WORSE]
