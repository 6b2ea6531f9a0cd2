"""An open task among the test sets of an invented world."""

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.drawings import lengths_on
from nlpsig_core.significance.comparison.classes import DIFFERENT
from nlpsig_core.significance.comparison.needed_gain import within_reach
from nlpsig_core.significance.comparison.notion import AS_IN_THE_PAPER
from nlpsig_core.studies.atlas.placing import WHY, _why, placed
from nlpsig_core.studies.atlas.rows import Z
from nlpsig_core.studies.atlas.store import Atlas
from tests.builders import sample
from tests.studies.atlas.worlds import unchecked as world


@pytest.fixture(scope="module")
def selection():
    return sample("brelda-parsing", "LAS")


@pytest.fixture(scope="module")
def pairs(selection):
    return selection.bootstrap(resamples=2_000, seed=0).pairs()


def test_its_thresholds_stand_beside_those_of_other_test_sets(selection, pairs):
    """The model threshold is that of ``threshold``; factors are against the world's correlation of 0.8."""
    table, sentence = placed(pairs, selection, world())
    row = table.set_index("comparison").loc[DIFFERENT]
    own = selection.bootstrap(resamples=2_000, seed=0).thresholds().set_index("comparison").loc[DIFFERENT]
    assert row["threshold"] == pytest.approx(own["model_threshold"])
    assert row["low"] < row["expected"] < row["high"]
    assert (row["n"], row["test_sets"]) == (selection.stats.n_units, 60)
    assert 0 <= row["below"] <= 1
    assert sentence.startswith(
        f"The threshold of different groups, {row['threshold']:.2f} in LAS (two-sided p < 0.05), is "
    )
    assert " of 60 other test sets at " in sentence


@pytest.mark.parametrize("known_by", ["digest", "name"])
def test_its_own_test_set_is_no_other(selection, pairs, known_by):
    """An atlas that has the open task, under another name or with other statistics: 59 of 60 are others."""
    own = {"digest": selection.first.stats.digest[:16], "task": selection.task.name, "test_set": selection.task.name}
    columns = ["digest"] if known_by == "digest" else ["task", "test_set"]
    parts = world().parts.copy()
    parts.loc[parts["metric"].eq("LAS") & parts["test_set"].eq("set0"), columns] = [own[name] for name in columns]
    table, sentence = placed(pairs, selection, Atlas({**world().tables, "parts": parts}, ""))
    assert table["test_sets"].iloc[0] == 59
    assert "of 59 other test sets" in sentence
    assert "; the atlas has this test set too)" in sentence
    assert "the atlas has this test set too" not in placed(pairs, selection, world()).sentence


def test_another_notion_scales_all_thresholds(selection, pairs):
    """One-sided 5% are 1.645 standard errors instead of 1.960; the place among other test sets is the same."""
    usual = placed(pairs, selection, world()).table
    found = placed(pairs, selection, world(), AS_IN_THE_PAPER)
    for name in ("threshold", "expected", "low", "high"):
        assert (found.table[name] / usual[name]).to_numpy() == pytest.approx(1.6449 / 1.96, rel=1e-4)
    assert found.table["below"].equals(usual["below"])
    assert "in LAS (winner's one-sided p < 0.05)" in found.sentence


def test_systems_of_equal_scores_say_nothing_of_correlation(selection, pairs):
    """A median correlation of 1 has no ratio; the rest of the difference is put down to the units."""
    tables = world().tables
    same = Atlas({**tables, "thresholds": tables["thresholds"].assign(correlation=1.0)}, "")
    row = placed(pairs, selection, same).table.iloc[0]
    assert np.isnan(row["by_correlation"])
    assert 0 < row["by_units"] < np.inf


def test_what_makes_it_differ(selection, pairs):
    """With half the independence, (1 - 0.6) / (1 - 0.8) = 2, systems are less alike: sqrt(2) times the error."""
    larger = {name: 2 * pairs[name] for name in ("standard_error", "gain")}
    table, sentence = placed(pairs.assign(correlation=0.6, **larger), selection, world())
    assert table["by_correlation"].iloc[0] == pytest.approx(2**0.5, rel=0.01)
    assert "its systems are less alike than usual" in sentence


@pytest.mark.parametrize(
    ("factors", "reasons"),
    [
        ((1.5, 1.0, 0.8, 1.0), ": its systems are less alike than usual"),
        ((0.6, 1.0, 1.2, 1.0), ": its systems are more alike than usual"),
        ((1.2, 1.3, 1.0, np.nan), ": its systems are less alike than usual and its scores are nearer to 50"),
        ((1.25, 1.0, 0.8, 1.0), ""),
        ((1.05, 1.05, 1.05, 1.05), ""),
    ],
)
def test_only_factors_that_work_in_the_direction_of_the_errors_are_reasons(factors, reasons):
    """Longer units (0.8) make errors smaller, so they are no reason for errors of 1.2 times."""
    row = pd.Series(dict(zip(WHY, factors, strict=True)))
    errors = f"Standard errors are {np.nanprod(factors):.2f} times those of other test sets"
    assert _why(row) == errors + reasons


def test_the_factors_multiply_to_the_ratio_of_errors(selection, pairs):
    """By correlation, score, length and units together: what the medians of s sqrt(n) differ by."""
    row = placed(pairs, selection, world()).table.set_index("comparison").loc[DIFFERENT]
    near = within_reach(pairs[(pairs["gain"] > 0) & (pairs["comparison"] == DIFFERENT)], Z)
    known = world().thresholds
    usual = known["error"][known["metric"] == "LAS"].median()
    factors = row[["by_correlation", "by_level", "by_length", "by_units"]].prod()
    assert factors == pytest.approx(near["standard_error"].median() * row["n"] ** 0.5 / usual, rel=0.02)


def test_shorter_units_have_larger_errors(selection, pairs):
    """Units of the world have 20 words, so units of m words have sqrt(20 / m) times the error."""
    words = lengths_on(selection.first.test_set).mean()
    assert placed(pairs, selection, world()).table["by_length"].iloc[0] == pytest.approx((20 / words) ** 0.5)


def test_a_class_that_the_atlas_lacks_and_too_few_pairs_are_named(selection, pairs):
    few = placed(pairs.iloc[:5], selection, world())
    assert few.table.empty
    assert few.sentence == "No class has enough pairs for a threshold"
    same = placed(pairs.assign(comparison="same group"), selection, world())
    assert "has no other test set of this class to compare with" in same.sentence


def test_a_metric_that_the_atlas_lacks_is_named(pairs):
    with pytest.raises(ChoiceError, match="No metric in the atlas called 'CLAS'"):
        placed(pairs, sample("brelda-parsing", "CLAS"), world())
