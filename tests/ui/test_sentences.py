"""Sentences on screen: each is true for the numbers beside it."""

from __future__ import annotations

import re

from tests.apps import app, texts, tooltips

RANK = re.compile(r"(\S+) is between (\d+)\w\w and (\d+)\w\w: (\w+) clearly better, (\w+) clearly worse\.")


def test_the_example_of_a_rank_range_is_a_row_of_the_table():
    """Ranks 3 to 18 of 28: 2 systems are better, 10 worse."""
    test = app("pages/scores.py")
    name, low, high, better, worse = RANK.search(texts(test)).groups()
    table = next(table.value for table in test.dataframe if "ranks" in table.value).set_index("system")
    assert table.loc[name.replace("\\", ""), "ranks"] == f"{low}–{high}"
    assert (0 if better == "none" else int(better)) == int(low) - 1
    assert (0 if worse == "none" else int(worse)) == len(table) - int(high)
    assert low != high


def test_the_tests_keep_the_capitals_of_their_names():
    """Tagged items are right or wrong, so McNemar's test applies."""
    shown = texts(app("pages/pair.py"))
    assert "**McNemar's test**" in shown
    assert "Mcnemar" not in shown


def test_two_tests_with_statistics_of_their_own_name_both():
    shown = tooltips(app("pages/pairs.py", view="two tests", against="sign"))
    assert "The paired bootstrap uses the corpus score, the sign test the units won." in shown
