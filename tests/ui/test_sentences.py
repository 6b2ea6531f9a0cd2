"""Sentences on screen: each is true for the numbers beside it."""

from __future__ import annotations

import re

from tests.apps import app, texts

RANK = re.compile(
    r"Rank (\d+)–(\d+), that of (.+?): (\w+) systems? (?:is|are) significantly better; (\d+) systems, itself"
)


def test_the_example_of_a_rank_range_is_a_row_of_the_table():
    test = app("pages/scores.py")
    low, high, name, better, rest = RANK.search(texts(test)).groups()
    table = next(table.value for table in test.dataframe if "rank_low" in table.value).set_index("system")
    row = table.loc[name.replace("\\", "")]
    assert (int(low), int(high), int(rest)) == (row["rank_low"], row["rank_high"], row["rank_high"])
    assert (0 if better == "no" else int(better)) == row["rank_low"] - 1
    assert low != high


def test_the_tests_keep_the_capitals_of_their_names():
    """Tagged items are right or wrong, so McNemar's test applies."""
    shown = texts(app("pages/pair.py"))
    assert "**McNemar's test**" in shown
    assert "Mcnemar" not in shown


def test_two_tests_with_statistics_of_their_own_name_both():
    shown = texts(app("pages/pairs.py", view="two tests", against="sign"))
    assert "The paired bootstrap uses the corpus score, the sign test the units won." in shown
