"""All systems against a baseline: the guess, signs, and the verdicts that the pairs have everywhere."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.comparison.notion import SCOPES, Notion
from nlpsig_core.significance.comparison.scores import AGAINST, against, against_by_metrics, guessed_baseline
from tests.apps import MAIN
from tests.builders import sample

BASE = "Krestluvo-3"


@pytest.fixture(scope="module")
def results():
    return sample(MAIN, "LAS").bootstrap(resamples=20_000)


def table_of(results, notion: Notion = Notion()) -> pd.DataFrame:
    return against(results.pairs(notion), BASE, results.selection.stats.names)


def test_gains_are_those_over_the_baseline(results):
    table = table_of(results).set_index("system")
    scores = dict(zip(results.selection.stats.names, results.selection.stats.scores, strict=True))
    others = table.drop(index=BASE)
    assert others["gain"].to_numpy() == pytest.approx([scores[name] - scores[BASE] for name in others.index])
    assert ((others["gain_low"] <= others["gain"]) & (others["gain"] <= others["gain_high"])).all()
    assert (table.loc[BASE, "verdict"], np.isnan(table.loc[BASE, "gain"])) == ("baseline", True)
    decided = others[others["p_corrected"] < 0.05]
    assert (decided["verdict"] == np.where(decided["gain"] > 0, "better", "worse")).all()
    assert {"better", "worse", "better on its own", "undecided"} <= set(others["verdict"])


@pytest.mark.parametrize("scope", SCOPES)
def test_a_pair_has_the_p_and_the_verdict_that_it_has_among_all_pairs(results, scope):
    """Word for word, but that "better" is "worse" seen from the loser."""
    pairs = results.pairs(Notion(scope=scope))
    for row in table_of(results, Notion(scope=scope)).to_dict("records"):
        if row["system"] != BASE:
            both = pairs[
                [{row["system"], BASE} == {a, b} for a, b in zip(pairs["system_a"], pairs["system_b"], strict=True)]
            ]
            pair = both.iloc[0]
            assert row["verdict"].replace("worse", "better") == pair["verdict"]
            assert ("worse" in row["verdict"]) <= (row["gain"] < 0)
            for column in ("p", "p_corrected"):
                assert np.array_equal(row[column], pair[column], equal_nan=True)


def test_equivalent_within_a_gain(results):
    assert "equivalent" not in set(table_of(results)["verdict"])
    assert "undecided" not in set(table_of(results, Notion(within=90.0))["verdict"])


def test_by_several_metrics_each_is_that_of_its_own_selection():
    selection = sample(MAIN, "LAS")
    metrics = {name: METRICS[name] for name in ("LAS", "UAS")}
    table = against_by_metrics(selection, metrics, BASE, lambda one: one.bootstrap(resamples=500))
    alone = sample(MAIN, "UAS").bootstrap(resamples=500)
    by_uas = table[table["metric"] == "UAS"].reset_index(drop=True)
    assert by_uas[AGAINST].equals(table_of(alone))
    assert by_uas["score"].tolist() == alone.selection.stats.scores.tolist()
    with pytest.raises(ChoiceError, match="BLEU needs other counts than LAS; choose one test set"):
        against_by_metrics(selection, {"BLEU": METRICS["BLEU-13a"]}, BASE, lambda one: one.bootstrap(resamples=500))


def test_an_unknown_baseline_is_refused(results):
    with pytest.raises(ChoiceError, match="No system called 'nobody'"):
        against(results.pairs(), "nobody", results.selection.stats.names)


GUESSES = {
    "baseline": ["ours-small", "baseline", "ours-large"],
    "Baseline_BM25": ["Baseline_BM25", "base-en", "previous"],
    "organisers-2": ["organisers-2", "base"],
    "Organizer": ["Organizer", "x"],
    "base": ["roberta-base", "base", "x"],
    "previous-best": ["previous-best", "x"],
}


@pytest.mark.parametrize(("expected", "names"), GUESSES.items(), ids=GUESSES)
def test_a_baseline_is_guessed_from_names(expected, names):
    """The surest word first: what is called a baseline goes before the organisers' and the previous system."""
    assert guessed_baseline(pd.DataFrame({"system": names, "group": ""})) == expected


@pytest.mark.parametrize(
    "names", [["a", "b"], ["roberta-base", "bert-base"], ["baseline-1", "baseline-2"], ["database", "baselined"]]
)
def test_nothing_is_guessed_from_other_names_nor_if_several_are_as_good(names):
    assert guessed_baseline(pd.DataFrame({"system": names, "group": ""})) == ""


def test_a_baseline_is_guessed_from_its_group_and_from_its_runs():
    table = pd.DataFrame({"system": ["x", "x", "y"], "group": ["organizers", "organizers", "z"]})
    assert guessed_baseline(table) == "x"
