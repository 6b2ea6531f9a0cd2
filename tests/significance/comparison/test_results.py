"""Results: one bootstrap as tables that agree with each other."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core import Rule, load_task
from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.significance.comparison import selection as module
from nlpsig_core.significance.comparison.notion import SCOPES, Notion
from nlpsig_core.significance.comparison.selection import Results
from nlpsig_core.significance.comparison.signature import signature_line
from nlpsig_core.significance.paired_tests import p_by
from nlpsig_core.significance.resampling.recipe import Resampling
from tests.builders import sample

BY_MAX_T = Notion(adjust="max-t", scope="corrected")


def bootstrapped() -> Results:
    return sample("brelda-parsing", "LAS").bootstrap(Resampling(500))


def test_max_t_is_computed_once_for_pairs_and_ranking(monkeypatch):
    passes = []
    p = np.zeros(len(bootstrapped().bootstrap.gain))
    monkeypatch.setattr(module, "max_t", lambda *_, **__: passes.append(1) or p)
    results = bootstrapped()
    results.pairs(), results.ranking()
    assert not passes
    results.pairs(BY_MAX_T), results.ranking(BY_MAX_T)
    assert len(passes) == 1


def test_max_t_that_is_given_decides_pairs_and_ranking():
    """p = 1 for every pair: nothing is significant, so all systems share rank 1 to n."""
    computed = bootstrapped()
    none = Results(computed.selection, computed.bootstrap, np.ones(len(computed.bootstrap.gain)))
    assert computed.pairs(BY_MAX_T)["significant"].any()
    assert not none.pairs(BY_MAX_T)["significant"].any()
    ranking = none.ranking(BY_MAX_T)
    assert ranking["rank_low"].tolist() == [1] * len(ranking)
    assert ranking["rank_high"].tolist() == [len(ranking)] * len(ranking)


def test_p_by_another_test_is_computed_once_and_in_the_order_of_the_pairs(monkeypatch):
    results, runs = bootstrapped(), []
    monkeypatch.setattr(module, "p_by", lambda test, *of: runs.append(test) or p_by(test, *of))
    by_sign = Notion(test="sign")
    table = results.pairs(by_sign)
    results.ranking(by_sign)
    p = results.p_by("sign")
    assert runs == ["sign"]
    assert table["p"].tolist() == table["p_two_sided"].tolist() == p.two_sided.tolist()
    assert not table["p"].equals(results.pairs()["p"])


def test_a_verdict_on_a_row_without_a_column_is_refused():
    results = bootstrapped()
    row = results.pairs().iloc[0].drop("gain_low")
    with pytest.raises(ChoiceError, match="The row of the pair has no column 'gain_low'; it has system_a, "):
        results.verdict(row, Notion())


def test_ranks_follow_the_scope():
    """Ties are of pairs that do not differ among all, or with the scope "alone" on their own."""
    results = bootstrapped()
    spread = {}
    for scope in SCOPES:
        ranking = results.ranking(Notion(scope=scope))
        spread[scope] = int((ranking["rank_high"] - ranking["rank_low"]).sum())
    assert spread["alone"] < spread["both"] == spread["corrected"]


def test_a_verdict_is_that_of_its_row():
    results = bootstrapped()
    notion = Notion(test="sign")
    row = results.pairs(notion).iloc[3]
    verdict = results.verdict(row, notion)
    assert (verdict.answer.name, verdict.test, verdict.n_pairs) == (
        row["verdict"],
        "sign",
        results.selection.stats.n_pairs,
    )
    assert "by the sign test" in verdict.line


def test_a_signature_is_one_line_whatever_names_contain():
    assert signature_line({"task": "a\nb|c\u2028d"}).startswith("task:a b/c d|version:")


def test_the_signature_names_the_test_of_the_tables():
    """That of the usual notion: of few speakers, approximate randomization, as on the command line."""
    results = sample("mirvel-transcripts", "WER").bootstrap(Resampling(500))
    assert "|test:randomization|" in results.signature
    by_swaps = results.p_by("randomization")
    assert results.pairs()["p_value"].tolist() == by_swaps.one_sided.tolist()
    assert by_swaps.one_sided.tolist() != results.p_by("bootstrap").one_sided.tolist()


def test_a_notebook_shows_one_line():
    results = bootstrapped()
    assert repr(results.selection.task) == "<Task brelda-parsing: 28 outputs of sentences, 1 test set>"
    assert repr(results.selection) == "<Selection of brelda-parsing: LAS>"
    assert repr(results) == f"<Results: {results.signature}>"
    several = load_task("orvan-three-test-sets").select(metric="LAS", test_set="macro-average")
    assert repr(several) == "<Selection of orvan-three-test-sets: LAS on brelda, llethir, shumak>"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda results: results.pairs(0.05), "notion is 0.05; it has to be a Notion"),
        (lambda results: results.ranking(Rule()), r"notion is Rule\(.*\); it has to be a Notion"),
        (lambda results: results.thresholds(Notion()), r"rule is Notion\(.*\); it has to be a Rule"),
        (lambda results: results.selection.bootstrap(2000), "recipe is 2000; it has to be a Resampling"),
        (lambda results: results.selection.bootstrap(workers=4), "workers is 4; it has to be a Workers"),
        (lambda results: load_task("brelda-parsing", correction={}), "correction is {}; it has to be a Correction"),
        (lambda results: results.selection.check("x"), "systems is 'x'; choose a whole number"),
        (lambda results: results.selection.bootstrap(resamples="x"), "^resamples is 'x'; choose a whole number"),
        (lambda results: load_task(3), "The task is 3; give its path"),
        (lambda results: load_task(""), "The task is ''; give its path"),
        (lambda results: load_task("brelda-parsing", gold=""), "The gold is ''; give its path"),
    ],
)
def test_an_argument_of_another_kind_is_refused_with_what_it_has_to_be(wrong, message):
    with pytest.raises(ChoiceError, match=message):
        wrong(bootstrapped())
