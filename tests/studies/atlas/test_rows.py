"""Rows of the atlas, by pencil."""

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.means import log_metric
from nlpsig_core.significance.comparison.classes import COMPARISONS, DIFFERENT, SAME
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.atlas.rows import Part, Z, out_of_reach, pair_rows, thresholds_of, title
from tests.builders import shares


def part(counts):
    stats = shares(counts)
    names = list(stats.names)
    systems = pd.DataFrame({"file": names, "system": names, "group": ["x", "y", "x"][: len(names)], "kind": ""})
    return Part(about={"task": "t", "test_set": "s", "n": 4}, stats=stats, systems=systems, invalid_files=frozenset())


def test_a_row_by_pencil():
    """3 and 1 of 4 right: a gain of 50, a level of 50; they differ in 2 units, each of which is 1 : 0.

    The mean of 4 draws of the differences 1, 1, 0, 0 has the standard error sqrt(1/4 / 4) = 25 points; that of 20,000
    resamples is within 1 point, five times its own standard error of 25 / sqrt(2 x 20,000) = 0.13 and more. p is the
    share with at least 4 ones of 4, of which delta* > 100 has none and ties count none: delta* > 2 delta never happens.
    """
    (row,) = pair_rows(part([[1, 1, 1, 0], [1, 0, 0, 0]]), Resampling(20_000)).to_dict("records")
    assert (row["system_a"], row["system_b"], row["group_a"], row["group_b"]) == (0, 1, 0, 1)
    assert COMPARISONS[row["comparison"]] == DIFFERENT
    assert (row["gain"], row["level"], row["differing"], row["p_value"]) == (50, 50, 2, 0)
    assert row["standard_error"] == pytest.approx(25, abs=1)


def test_the_winner_comes_first_and_groups_make_the_class():
    rows = pair_rows(part([[0, 0, 0, 1], [1, 1, 0, 0], [1, 1, 1, 1]]), Resampling(1_000))
    assert (rows["gain"] >= 0).all()
    same = rows[rows["comparison"] == COMPARISONS.index(SAME)]
    assert same[["system_a", "system_b", "group_a", "group_b"]].to_numpy().tolist() == [[2, 0, 0, 0]]


def test_the_key_is_of_content():
    """Other statistics, names of groups, facts or recipes are other parts."""
    one, recipe = part([[1, 1, 1, 0], [1, 0, 0, 0]]), Resampling(1_000)
    same, other = part([[1, 1, 1, 0], [1, 0, 0, 0]]), part([[1, 1, 0, 0], [1, 0, 0, 0]])
    regrouped = Part(about=one.about, stats=one.stats, systems=one.systems.assign(group="x"), invalid_files=frozenset())
    assert one.key(recipe) == same.key(recipe)
    keys = {one.key(recipe), other.key(recipe), regrouped.key(recipe), one.key(Resampling(1_000, 1))}
    assert len(keys) == 4


def test_thresholds_are_rough_where_a_metric_has_no_close_pairs():
    """Four systems far apart: at 32 times the gain it needs, a pair's error is 32**0.05 = 1.19 times as large."""
    gains = np.array([32.0, 33, 34, 35, 36, 37])
    rows = pd.DataFrame({"part": 0, "comparison": COMPARISONS.index(DIFFERENT), "gain": gains})
    rows = rows.assign(standard_error=gains**0.05 / Z, level=10.0, correlation=0.5)
    rows = rows.assign(**{f"{kind}_{side}": [*"aaabbc"] for kind in ("system", "group") for side in "ab"})
    rows = rows.assign(system_b=[*"bcdcdd"], group_b=[*"bcdcdd"])
    parts = pd.DataFrame({"metric": ["WER"], "n": [100]})
    (row,) = thresholds_of(parts, rows).to_dict("records")
    assert row["threshold"] == pytest.approx(1, abs=1e-6)
    assert row["rough"]
    near = rows.assign(gain=1.5 * Z * rows["standard_error"], part=1)
    other = pd.concat([rows, *[near] * 2])
    known = thresholds_of(parts.loc[[0, 0]].reset_index(), other)
    assert known[["part", "rough"]].to_numpy().tolist() == [[1, False]]


def test_pairs_with_more_than_four_times_the_gain_they_need_are_out_of_reach():
    """They need 1.96; 4 times that is 7.84. Pairs without a gain or without an error are no such pairs."""
    rows = pd.DataFrame({"gain": [0.0, 7.8, 7.9, 7.9], "standard_error": [1.0, 1.0, 1.0, 0.0]})
    assert out_of_reach(rows).index.tolist() == [2]


def test_metrics_are_pooled_under_labels_that_formats_do_not_share():
    pooled = {name: title(METRICS[name]) for name in ("BLEU-13a", "BLEU-zh", "LAS", "LAS-2007", "CLAS-2017", "AER")}
    assert list(pooled.values()) == ["BLEU", "BLEU", "LAS", "LAS", "CLAS", "AER"]
    assert title(METRICS["F1-entities"]) == "F1-entities"
    assert np.unique([title(METRICS[name]) for name in ("F1-entities", "F1-links")]).size == 2


def test_shares_of_right_units_are_one_metric_of_an_atlas():
    assert [title(METRICS[name]) for name in ("accuracy-labels", "accuracy")] == ["accuracy", "accuracy of tags"]
    assert title(METRICS["AP"]) != title(METRICS["AP-rankings"])
    assert title(METRICS["normalised-WER"]) == title(METRICS["WER"]) == "WER"
    assert title(log_metric("solved", True, percent=True)) == "accuracy"


def test_metrics_of_logs_are_not_those_of_the_same_name():
    """What logs call accuracy is from 0 to 1, and their BLEU a mean over questions."""
    titles = {name: title(log_metric(name, True)) for name in ("accuracy", "BLEU", "choice", "solved")}
    assert list(titles.values()) == ["accuracy of logs", "BLEU of logs", "choice", "solved"]
    assert title(METRICS["main-score"]) == "main score"
