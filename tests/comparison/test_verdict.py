"""The verdict in one line, word for word and by pencil."""

from __future__ import annotations

import pandas as pd
import pytest

from nlpsig_core.comparison.notion import AS_IN_THE_PAPER, Notion
from nlpsig_core.comparison.verdict import ANSWERS, Bounds, Verdict
from nlpsig_core.resampling.bootstrap import bootstrap
from nlpsig_core.resampling.recipe import Resampling
from tests.builders import shares

STATS = shares([[1, 1, 1, 0], [1, 0, 0, 0]])
ROW = pd.Series(
    {
        "system_a": "B", "system_b": "A", "gain": 0.95, "significant": True, "p_value": 0.005, "p_two_sided": 0.01,
        "p_unadjusted": 0.0102, "p_decided": 0.0102, "p_holm": 0.024,
    }
)  # fmt: skip
IN, BEYOND = (Bounds(within=0.5, low=-0.1, high=high, level=0.9) for high in (0.4, 0.6))


def verdict(notion: Notion = Notion(), **changed) -> Verdict:
    settings = {name: changed.pop(name) for name in ("bounds", "carried", "n_pairs") if name in changed}
    row = pd.concat([ROW.drop(list(changed)), pd.Series(changed, dtype=object)])
    return Verdict(row=row, notion=notion, stats=STATS, **settings)


def test_a_significant_gain_word_for_word():
    assert verdict(n_pairs=2080, carried=1).line == (
        "Yes: B beats A by 0.95 accuracy; two-sided p = 0.0102 < 0.05, after Holm over 2,080 pairs p = 0.0240; "
        "rests on 1 of 4 sentences."
    )
    assert verdict(n_pairs=2080).line.endswith("p = 0.0240.")
    assert verdict().line == "Yes: B beats A by 0.95 accuracy; two-sided p = 0.0102 < 0.05."


@pytest.mark.parametrize(
    ("notion", "changed", "text"),
    [
        (
            Notion(adjust="Holm"),
            {"p_decided": 0.024},
            "two-sided p = 0.0102, after Holm over 3 pairs p = 0.0240 < 0.05",
        ),
        (
            Notion(adjust="max-t"),
            {"p_decided": 0.07, "significant": False},
            "two-sided p = 0.0102, after max-t over 3 pairs p = 0.0700, not below 0.05",
        ),
        (Notion(adjust="none", level=0.1), {}, "accuracy; two-sided p = 0.0102 < 0.1."),
        (AS_IN_THE_PAPER, {"p_unadjusted": 0.0, "p_decided": 0.0}, "winner's one-sided p < 1e-300, below 0.05."),
        (AS_IN_THE_PAPER, {"p_unadjusted": 0.005}, "accuracy; winner's one-sided p = 0.0050 < 0.05."),
    ],
)
def test_the_p_that_decides_is_beside_the_level(notion, changed, text):
    assert text in verdict(notion, n_pairs=3, **changed).line


def test_equivalent_and_undecided_depend_on_the_bounds():
    not_significant = {"significant": False, "gain": 0.1, "p_unadjusted": 0.31}
    assert verdict(bounds=IN, **not_significant).line == (
        "Equivalent within 0.50 accuracy: B is ahead of A by 0.10 accuracy; two-sided p = 0.3100, not below 0.05; the "
        "90% interval of the gain, -0.10 to 0.40, is inside ±0.50 accuracy."
    )
    undecided = verdict(bounds=BEYOND, **not_significant)
    assert (undecided.word, undecided.answer) == ("Undecided", ANSWERS["undecided"])
    assert undecided.line.endswith("-0.10 to 0.60, extends beyond ±0.50 accuracy.")
    assert verdict(**not_significant).word == "Undecided"
    assert "yet equivalent within 0.50 accuracy" in verdict(bounds=IN).line
    assert "equivalent" not in verdict(bounds=BEYOND).line


def test_a_test_may_favour_the_system_with_the_lower_score():
    other = verdict(p_value=0.99, p_two_sided=0.02, carried=3)
    assert other.word == "Undecided"
    assert "< 0.05 in favour of A by the test's own statistic" in other.line
    assert "rests" not in other.line


def test_without_a_gain_nobody_is_ahead():
    assert verdict(gain=0.0, significant=False).reason.startswith("B and A have the same score; ")


def test_bounds_are_those_of_the_bootstrap():
    """At level 0.05 the interval is that of 90%."""
    result = bootstrap(shares([[1, 1, 0] * 40, [1, 0, 1] * 40]), Resampling(2_000))
    bounds = Bounds.of(result, 0, 100.0, 0.05)
    assert (bounds.low, bounds.high) == tuple(result.gain_intervals(0.9)[0])
    assert bounds.inside
    assert not Bounds.of(result, 0, bounds.high, 0.05).inside
