"""The verdict in one line, word for word and by pencil."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.comparison.notion import AS_IN_THE_PAPER, Notion
from nlpsig_core.significance.comparison.pair_table import pair_table
from nlpsig_core.significance.comparison.verdict import (
    ANSWERS,
    Verdict,
    answers,
    finding,
    how_many_differ,
    pairs_that_differ,
    shown_p,
    speaks_against,
    with_symbols,
)
from nlpsig_core.significance.paired_tests import p_by
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from tests.builders import shares

STATS = shares([[1, 1, 1, 0], [1, 0, 0, 0]])
LARGE = shares(np.arange(200).reshape(2, 100) % 2)
NAN = float("nan")
GAIN = {"gain": 0.95, "gain_low": 0.11, "gain_high": 1.8, "inside_low": -0.1, "inside_high": 0.4, "needed": NAN}
P = {"p": 0.0102, "p_corrected": 0.024, "p_bound": NAN, "p_corrected_bound": NAN, "p_value": 0.005, "p_two_sided": 0.01}
ROW = pd.Series({"system_a": "B", "system_b": "A", "verdict": "better"} | GAIN | P)
BEHIND = {"verdict": "undecided", "gain": 0.1, "gain_low": -0.2, "gain_high": 0.4, "p": 0.31, "needed": 871.0}


def verdict(notion: Notion = Notion(), **changed) -> Verdict:
    settings = {"n_pairs": 3, "stats": STATS}
    settings |= {name: changed.pop(name) for name in ("carried", "n_pairs", "stats", "test") if name in changed}
    row = pd.concat([ROW.drop(list(changed), errors="ignore"), pd.Series(changed, dtype=object)])
    return Verdict(row=row, notion=notion, **settings)


def test_a_significant_gain_word_for_word():
    assert verdict(n_pairs=2080).line == "Yes: B beats A by 0.95 points; p = 0.010."
    assert verdict(p=0.0, p_bound=1e-6).line == "Yes: B beats A by 0.95 points; p < 0.000001."


def test_a_gain_over_an_invalid_output_says_nothing_of_its_system():
    line = verdict(comparison="invalid output").line
    assert line.endswith("; p = 0.010; one of the two outputs is invalid, so this says nothing of its system.")


def test_a_gain_that_the_correction_takes_away_word_for_word():
    own = verdict(n_pairs=2080, verdict="better on its own", p=0.012, p_corrected=1.0)
    assert own.line == (
        "Yes on its own, not among all 2,080 pairs: B beats A by 0.95 points; p = 0.012; corrected 1.0."
    )
    without_a_hit = {"p": 0.00012, "p_bound": 0.00012, "p_corrected": 0.2424, "p_corrected_bound": 0.2424}
    own = verdict(n_pairs=2080, verdict="better on its own", **without_a_hit)
    assert own.line.endswith("; p < 0.00012; corrected < 0.25.")
    assert own.is_better


def test_an_undecided_pair_says_what_the_gain_could_be_and_what_would_decide():
    """871 sentences are rounded up to two digits; after 1,000 times the test set no number is said."""
    assert verdict(**BEHIND).line == (
        "Undecided: B is ahead of A by 0.10 points, but the gain could be -0.20 to +0.40; p = 0.31. "
        "About 880 sentences would settle a gain of this size (you have 4)."
    )
    assert verdict(Notion(within=0.5), **BEHIND).needs.startswith(
        "About 880 sentences would settle a gain of 0.50 points"
    )
    far = verdict(**(BEHIND | {"needed": 4_001.0}))
    assert far.needs == "More than 4,000 sentences would be needed to settle a gain of this size (you have 4)."
    assert verdict(**(BEHIND | {"needed": NAN})).needs == ""


def test_where_lower_is_better_a_gain_is_a_reduction():
    """In what it could be, and in what would settle it."""
    line = verdict(stats=replace(STATS, metric=METRICS["WER"]), **BEHIND).line
    assert "but the reduction could be -0.20 to +0.40" in line
    assert "About 880 sentences would settle a reduction of this size" in line
    assert "gain" not in line


def test_equivalent_names_the_gain_that_nobody_would_mind():
    equivalent = verdict(Notion(within=0.5), **(BEHIND | {"verdict": "equivalent", "needed": NAN}))
    assert equivalent.line == (
        "Equivalent within 0.50 points: B is ahead of A by 0.10 points, and the gain is -0.10 to +0.40 "
        "(90% interval); p = 0.31."
    )
    assert verdict(Notion(within=0.0004), verdict="equivalent").word == "Equivalent within 0.0004 points"
    assert verdict(Notion(within=1e308), verdict="equivalent").word == "Equivalent within 1e+308 points"


@pytest.mark.parametrize(
    ("notion", "changed", "text"),
    [
        (Notion(scope="corrected"), {"p": 0.024}, "; p = 0.024, corrected for 3 pairs."),
        (Notion(scope="corrected"), {"n_pairs": 1}, "; p = 0.010."),
        (Notion(scope="alone"), {}, "; p = 0.010."),
        (AS_IN_THE_PAPER, {"p": 0.0, "p_bound": 1e-3}, "; one-sided p < 0.001."),
        (Notion(), {"test": "sign"}, "; p = 0.010 by the sign test."),
        (Notion(), {"test": "randomization"}, "; p = 0.010 by approximate randomization."),
    ],
)
def test_one_p_and_the_test_that_gave_it(notion, changed, text):
    assert verdict(notion, **changed).line.endswith(text)


def test_p_is_never_rounded_across_the_level():
    assert verdict(p=0.04997).p == "p = 0.04997"
    assert verdict(**(BEHIND | {"p": 0.0501})).p == "p = 0.050"
    assert shown_p(ROW) == "0.010"


def test_a_verdict_that_rests_on_few_units_says_so():
    """Up to a twentieth of the 100 sentences, of a pair that differs; their share shows how many that are."""
    few = "; without {} of 100 sentences ({}) it would not be significant."
    assert verdict(stats=LARGE, carried=5).line.endswith(few.format(5, "5%"))
    assert verdict(stats=LARGE, carried=1).line.endswith(few.format(1, "1%"))
    many = shares(np.zeros((2, 12_032)))
    assert verdict(stats=many, carried=563).line.endswith(
        "without 563 of 12,032 sentences (4.7%) it would not be significant."
    )
    for carried, changed in ((6, {}), (0, {}), (None, {}), (5, BEHIND)):
        assert "without" not in verdict(stats=LARGE, carried=carried, **changed).line


def test_a_test_may_favour_the_system_with_the_lower_score():
    other = verdict(**(BEHIND | {"p_value": 0.99, "p_two_sided": 0.02, "p": 0.02}), test="sign")
    assert other.word == "Undecided"
    assert "by the units won, A is ahead" in other.line


def test_without_a_gain_nobody_is_ahead():
    same = verdict(verdict="undecided", gain=0.0, gain_low=0.0, gain_high=0.0, p=1.0)
    assert same.line == "Undecided: B and A have the same score; p = 1.0."
    tie = BEHIND | {"gain": 0.0, "gain_low": -0.3, "gain_high": 0.2, "p": 1.0}
    assert verdict(**tie).reason == (
        "B and A have the same score, but the gain of B over A could be -0.30 to +0.20; p = 1.0."
    )
    equivalent = verdict(Notion(within=0.5), **(tie | {"verdict": "equivalent"})).reason
    assert "same score, and the gain of B over A is -0.10 to +0.40 (90% interval)" in equivalent


def test_pairs_with_an_invalid_output_do_not_count():
    verdicts, classes = ["better", "better", "undecided"], ["different groups", "invalid output", "same group"]
    pairs = pd.DataFrame({"verdict": verdicts, "comparison": classes, "gain": [3.0, 9.0, 1.0]})
    shown = "1 of 2 pairs of valid outputs differ on their own"
    assert finding(pairs, Notion(scope="alone"), METRICS["mean"]).startswith(f"{shown}; the largest ")
    assert pairs_that_differ(pairs[:2], Notion()) == "1 of 1 pair of valid outputs differs"
    assert pairs_that_differ(pairs[::2], Notion(scope="alone")) == "1 of 2 pairs differ on their own"


def test_how_many_differ_by_each_scope():
    found = pd.Series(["better", "better on its own", "better on its own", "undecided"])
    assert how_many_differ(found, Notion()) == "3 of 4 pairs differ on their own (1 after correcting)"
    assert how_many_differ(found, Notion(scope="alone")) == "3 of 4 pairs differ on their own"
    assert how_many_differ(found[[0, 3]], Notion(scope="corrected")) == "1 of 2 pairs differ after correcting"
    assert how_many_differ(found[:1], Notion(), "comparison") == ("1 of 1 comparison differs")


def test_the_finding_names_the_largest_gain_that_does_not_differ():
    verdicts = ["better", "undecided", "equivalent"]
    pairs = pd.DataFrame({"verdict": verdicts, "gain": [2.0, 1.69, 0.5], "comparison": "same group"})
    assert finding(pairs, Notion(scope="alone"), METRICS["LAS"]) == (
        "1 of 3 pairs differ on their own; the largest gain in LAS of the others is 1.69"
    )
    assert finding(pairs.assign(gain=0.0), Notion(scope="alone"), METRICS["LAS"]).endswith("on their own")


def test_each_answer_has_a_symbol_of_its_own():
    assert len({answer.symbol for answer in ANSWERS.values()}) == len(ANSWERS)
    assert with_symbols(["better", "baseline"]) == ["▲ better", "baseline"]


def test_answers():
    """Significant is better, be it equivalent or not; what is neither is undecided."""
    alone, nobody = np.array([True, True, False, False]), np.zeros(4, dtype=bool)
    same = np.array([False, True, True, False])
    assert answers(alone, None, nobody, same).tolist() == ["better", "better", "equivalent", "undecided"]


def test_alone_and_among_all():
    """A gain that the correction takes away is one on its own; a correction alone makes nothing significant."""
    alone, corrected = np.array([True, True, False]), np.array([True, False, True])
    found = answers(alone, corrected, np.zeros(3, dtype=bool), same=True)
    assert found.tolist() == ["better", "better on its own", "equivalent"]


def test_a_test_that_favours_the_other_system_makes_no_winner_better():
    alone = np.array([True, True])
    against = speaks_against(np.array([0.99, 0.01]), np.array([0.02, 0.02]))
    assert answers(alone, alone, against).tolist() == ["undecided", "better"]


def test_what_favours_the_other_system_is_not_significant_for_the_winner():
    """The sign test: A has more points in all, B wins 9 of 10 units."""
    stats = shares([[10, *[0] * 9], [0, *[1] * 9]])
    result = bootstrap(stats, Resampling(100))
    by_sign = pair_table(
        result, stats, np.array(["x"]), np.array(["g", "g"]), p=p_by("sign", stats, result), notion=Notion(test="sign")
    ).iloc[0]
    assert by_sign["gain"] > 0
    assert by_sign["p"] < 0.05
    assert (by_sign["verdict"], by_sign["significant"]) == ("undecided", False)


def test_nothing_is_equivalent_until_a_gain_is_named():
    """Two systems with the same statistics in every unit: undecided, and equivalent within any gain that is named."""
    stats = shares([[1, 0, 1, 1], [1, 0, 1, 1]])
    result = bootstrap(stats, Resampling(100))
    tables = [
        pair_table(result, stats, np.array(["x"]), np.array(["g", "g"]), notion=Notion(within=within))
        for within in (None, 1e-6)
    ]
    assert [table["verdict"][0] for table in tables] == ["undecided", "equivalent"]
    assert [table["inside_low"].isna()[0] for table in tables] == [True, False]
