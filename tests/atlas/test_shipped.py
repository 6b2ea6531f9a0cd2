"""The atlas that comes with the package: what it rests on, and numbers that can be recomputed."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.atlas import store
from nlpsig_core.atlas.ask import Question, ask
from nlpsig_core.atlas.check import THRESHOLD
from nlpsig_core.atlas.rows import REALS, WHOLE, Part, pair_rows
from nlpsig_core.comparison.needed_gain import needed_gain
from nlpsig_core.comparison.select import load_task
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.stats.counts import LEAVE_OUT

ATLAS = store.shipped()


def test_it_rests_on_hundreds_of_thousands_of_pairs_at_a_million_resamples():
    assert len(ATLAS.tables["rows"]) > 230_000
    assert len(ATLAS.parts[["task", "test_set"]].drop_duplicates()) == 76
    assert "|b:1000000|" in ATLAS.recipe
    assert store.SHIPPED.stat().st_size < 5_000_000


@pytest.mark.parametrize(("task", "test_set", "metric"), [("hansards-alignment", None, "AER"),
                                                          ("conll-2018-campaign", "gl_treegal", "LAS")])  # fmt: skip
def test_its_rows_are_those_of_the_bootstrap(task, test_set, metric):
    """Every pair of a test set, tested again at a million resamples: the same numbers, to their 13 bits."""
    part = Part.of(load_task(task).select(metric, test_set, invalid=LEAVE_OUT))
    made = store.compact(pair_rows(part, Resampling()))
    rows, about = ATLAS.rows, part.about
    own = rows[(rows["task"] == task) & (rows["test_set"] == about["test_set"]) & (rows["metric"] == metric)]
    for name in (*REALS, *WHOLE[1:]):
        assert np.array_equal(own[name].to_numpy(), made[name].to_numpy()), name


def test_its_thresholds_are_those_of_the_command():
    """The model threshold of CoNLL 2017 Chinese, different groups, which the page Pairs shows."""
    pairs = load_task("conll-2017-chinese").select("LAS", invalid=LEAVE_OUT).bootstrap().pairs()
    usable = pairs[(pairs["gain"] > 0) & (pairs["comparison"] == "different groups")]
    known = ATLAS.thresholds
    own = known[(known["task"] == "conll-2017-chinese") & (known["metric"] == "LAS")].set_index("comparison")
    expected = needed_gain(usable, 1.959964).threshold
    assert own.loc["different groups", "threshold"] == pytest.approx(expected, rel=2e-3)


@pytest.mark.parametrize("by_level", [False, True])
def test_intervals_hold_the_thresholds_of_test_sets_left_out(by_level):
    """What the page claims: 90% intervals held 85 to 95% of thresholds, over all metrics and for those with many."""
    of = ATLAS.tables["coverage"]
    of = of[(of["of"] == THRESHOLD) & (of["by_level"] == by_level)].set_index("metric")
    assert 0.85 <= of["held"].sum() / of["predictions"].sum() <= 0.95
    often = of[of["predictions"] >= 50]
    assert len(often) >= 9
    assert (often["held"] / often["predictions"]).between(0.84, 0.96).all()


def test_shares_are_foretold_within_a_tenth():
    bins = ATLAS.tables["shares"]
    assert len(bins) == 10
    assert ((bins["predicted"] - bins["seen"]).abs() < 0.1).all()


@pytest.mark.parametrize("metric", ["LAS", "UAS", "UPOS", "CLAS", "BLEU", "chrF", "ROUGE-1", "AER", "F1-entities"])
def test_it_answers_for_the_metrics_of_the_field(metric):
    answer = ask(ATLAS, Question(metric=metric, n=1_000, gain=1.0))
    assert 0 <= answer.low <= answer.share <= answer.high <= 1
    assert 0 < answer.threshold_low < answer.threshold < answer.threshold_high
    assert answer.units > 0
