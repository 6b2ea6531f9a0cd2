"""The notion of significance, and adjustments for many comparisons."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import false_discovery_control

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.significance.comparison.notion import (
    AS_IN_THE_PAPER,
    Notion,
    benjamini_hochberg,
    benjamini_yekutieli,
    fewest_resamples,
    holm,
)
from nlpsig_core.significance.comparison.thresholds import Rule

P = arrays(np.float64, st.integers(0, 30), elements=st.floats(0, 1))


def test_the_usual_notion_is_two_sided_alone_and_after_holm():
    usual = Notion()
    assert (usual.level, usual.sides, usual.scope, usual.adjust, usual.within) == (0.05, "two", "both", "Holm", None)
    assert usual.words(2080) == "two-sided p < 0.05"
    assert usual.words(2080, ranking=True) == "two-sided p < 0.05 after Holm over 2,080 pairs"


def test_the_scope_says_which_p_the_words_name():
    """Alone names no correction, corrected always does; pairs without a number are not counted."""
    alone, corrected = (Notion(scope=scope, adjust="max-t", level=0.01) for scope in ("alone", "corrected"))
    assert alone.words(3, ranking=True) == "two-sided p < 0.01"
    assert corrected.words(3) == "two-sided p < 0.01 after max-t over 3 pairs"
    assert corrected.words() == "two-sided p < 0.01 after max-t"
    assert corrected.words(1) == "two-sided p < 0.01"
    assert (alone.by_max_t, corrected.by_max_t) == (False, True)


def test_a_signature_names_a_correction_only_where_p_is_corrected():
    assert Notion(scope="alone", adjust="BH").signed == {"level": "0.05", "sides": "two", "scope": "alone"}
    signed = Notion(scope="corrected", adjust="BH", within=0.5).signed
    assert signed == {"level": "0.05", "sides": "two", "scope": "corrected", "adjust": "BH", "within": "0.5"}


def test_where_the_line_of_a_notion_is():
    """Two-sided 0.05 is reached at the paper's confidence of 0.975, 1.96 standard errors; one-sided at 0.95, 1.645."""
    assert Notion().confidence() == 0.975
    assert Notion().z() == pytest.approx(1.959964)
    assert AS_IN_THE_PAPER.confidence() == 0.95
    assert AS_IN_THE_PAPER.z() == pytest.approx(1.644854)
    assert Notion().confidence(0.001) == 0.9995
    assert AS_IN_THE_PAPER.words() == "winner's one-sided p < 0.05"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"level": 0.0}, "The level 0 is not between 0 and 0.5"),
        ({"level": 0.5}, "The level 0.5 is not between 0 and 0.5"),
        ({"sides": "one", "adjust": "max-t"}, "max-t counts both directions of a pair; choose two sides"),
        ({"sides": "both"}, "No side called 'both'. Available: one, two"),
        ({"adjust": "Sidak"}, "No correction called 'Sidak'. Available: BH, BY, Holm, max-t"),
        ({"scope": "none"}, "No scope called 'none'. Available: alone, both, corrected"),
        ({"test": "z"}, "No test called 'z'. Available: McNemar"),
        ({"test": "sign", "adjust": "max-t"}, "max-t is available for the paired bootstrap only; choose Holm for sign"),
        ({"level": "0.05"}, "level is '0.05'; choose a number"),
        ({"sides": 2}, "No side called 2. Available: one, two"),
        ({"scope": None}, "No scope called None. Available: alone, both, corrected"),
        ({"adjust": ["Holm"]}, r"No correction called \['Holm'\]. Available"),
        ({"within": "1"}, "within is '1'; choose a number"),
        ({"within": 0.0}, "Systems cannot be equivalent within 0; choose a gain above 0"),
        ({"within": float("nan")}, "Systems cannot be equivalent within nan; choose a gain above 0"),
    ],
)
def test_a_notion_that_makes_no_sense_is_refused(wrong, message):
    with pytest.raises(ChoiceError, match=message):
        Notion(**wrong)


def test_the_level_needs_no_name():
    assert (Notion(0.01), Rule(0.01)) == (Notion(level=0.01), Rule(level=0.01))


def test_fewest_resamples():
    """65 systems: 2,080 / (b + 1) < 0.05 from b = 41,600 on."""
    needed = fewest_resamples(Notion(), 2080)
    assert needed == 41_600
    assert 2080 / (needed + 1) < 0.05 <= 2080 / needed
    assert [fewest_resamples(Notion(adjust=of), 2080) for of in ("max-t", "BH", "BY")] == [20, 0, 0]
    assert fewest_resamples(Notion(scope="alone"), 2080) == 0
    # 10 / 334 < 0.03 <= 10 / 333: a limit that is no whole number.
    assert fewest_resamples(Notion(level=0.03), 10) == 333


def test_holm_by_pencil():
    """0.01, 0.04, 0.03, 0.005 in order: 4 * 0.005 = 0.02, 3 * 0.01 = 0.03, 2 * 0.03 = 0.06, then 0.04 -> 0.06."""
    assert holm(np.array([0.01, 0.04, 0.03, 0.005])) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_benjamini_hochberg_by_pencil():
    """The same: 4/1 * 0.005 = 0.02, 4/2 * 0.01 = 0.02, 4/3 * 0.03 = 0.04, 4/4 * 0.04 = 0.04."""
    assert benjamini_hochberg(np.array([0.01, 0.04, 0.03, 0.005])) == pytest.approx([0.02, 0.04, 0.04, 0.02])


def test_adjusted_p_stop_at_1_and_nothing_is_nothing():
    assert holm(np.array([0.9, 0.8])).tolist() == [1, 1]
    assert benjamini_hochberg(np.array([1.0, 1.0])).tolist() == [1, 1]
    assert holm(np.array([])).tolist() == benjamini_hochberg(np.array([])).tolist() == []


@given(P)
def test_benjamini_yekutieli_is_the_harmonic_number_times_benjamini_hochberg(p):
    """1 + 1/2 + ... + 1/m times as large, where that is not above 1."""
    scaled = false_discovery_control(p) * (1 / np.arange(1, len(p) + 1)).sum() if len(p) else p
    assert np.minimum(benjamini_yekutieli(p), 1) == pytest.approx(np.minimum(scaled, 1), abs=1e-9)


@given(P)
def test_adjusted_p_are_larger_and_keep_the_order(p):
    """Each is at least p and at most Bonferroni's; Holm is never below Benjamini and Hochberg."""
    adjusted = holm(p)
    assert (adjusted >= p).all()
    assert (adjusted <= np.minimum(len(p) * p, 1) + 1e-15).all()
    assert (adjusted >= benjamini_hochberg(p) - 1e-15).all()
    assert (np.diff(adjusted[np.argsort(p, kind="stable")]) >= 0).all()


@given(P, st.randoms(use_true_random=False))
def test_adjusted_p_do_not_depend_on_the_order_of_rows(p, random):
    order = random.sample(range(len(p)), len(p))
    for adjust in (holm, benjamini_hochberg):
        assert adjust(p[order]).tolist() == adjust(p)[order].tolist()
