"""All systems against a baseline: signs, the number of comparisons, and verdicts by pencil."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.comparison.baseline import against, against_by_metrics
from nlpsig_core.comparison.notion import Notion
from nlpsig_core.errors import ChoiceError
from nlpsig_core.metrics import METRICS
from tests.apps import MAIN
from tests.builders import sample

BASE = "Krestluvo-3"


@pytest.fixture(scope="module")
def results():
    return sample(MAIN, "LAS").bootstrap(resamples=5_000)


def test_gains_are_those_over_the_baseline(results):
    table = against(results, BASE).set_index("system")
    scores = dict(zip(results.selection.stats.names, results.selection.stats.scores, strict=True))
    others = table.drop(index=BASE)
    assert others["gain"].to_numpy() == pytest.approx([scores[name] - scores[BASE] for name in others.index])
    assert ((others["gain_low"] <= others["gain"]) & (others["gain"] <= others["gain_high"])).all()
    assert (table.loc[BASE, "verdict"], np.isnan(table.loc[BASE, "gain"])) == ("baseline", True)
    decided = others[others["p_decided"] < 0.05]
    assert (decided["verdict"] == np.where(decided["gain"] > 0, "better", "worse")).all()
    assert {"better", "worse", "undecided"} <= set(others["verdict"])


def test_holm_counts_the_pairs_with_the_baseline_alone(results):
    """28 systems have 27 pairs with the baseline: the smallest p is 27 times as large, not 378 times."""
    plain, usual = (against(results, BASE, notion)["p_decided"].min() for notion in (Notion(adjust="none"), Notion()))
    assert usual == pytest.approx(27 * plain)


def test_equivalent_within_a_gain(results):
    assert "equivalent" not in set(against(results, BASE)["verdict"])
    assert "undecided" not in set(against(results, BASE, within=90.0)["verdict"])


def test_by_several_metrics_each_is_that_of_its_own_selection():
    selection = sample(MAIN, "LAS")
    metrics = {name: METRICS[name] for name in ("LAS", "UAS")}
    table = against_by_metrics(selection, metrics, BASE, lambda one: one.bootstrap(resamples=500))
    alone = sample(MAIN, "UAS").bootstrap(resamples=500)
    by_uas = table[table["metric"] == "UAS"].reset_index(drop=True)
    assert by_uas[against(alone, BASE).columns].equals(against(alone, BASE))
    assert by_uas["score"].tolist() == alone.selection.stats.scores.tolist()
    with pytest.raises(ChoiceError, match="BLEU needs other counts than LAS; choose one test set"):
        against_by_metrics(selection, {"BLEU": METRICS["BLEU-13a"]}, BASE, lambda one: one.bootstrap(resamples=500))


def test_an_unknown_baseline_is_refused(results):
    with pytest.raises(ChoiceError, match="No system called 'nobody'"):
        against(results, "nobody")
