"""Measures of rankings: by pencil, against ir_measures on random runs, and in both editions."""

from __future__ import annotations

import ast
import io
from importlib.metadata import version
from math import log2

import ir_measures
import numpy as np
import pytest

from nlpsig_core.base.errors import ChoiceError, FileError
from nlpsig_core.data.metrics import METRICS, family_named, rankings
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.metrics.rankings import FAMILY, USUAL, count_missing, count_rankings, own_metric, remarks
from nlpsig_core.data.readers.rankings.judgements import Judgements, read_judgements
from nlpsig_core.data.readers.rankings.runs import Run, read_run
from tests.builders import task

GOLD = "1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 d 1\n"
BASE = "1 Q0 b 1 9 BASE\n1 Q0 c 2 8 BASE\n1 Q0 x 3 7 BASE\n1 Q0 a 4 6 BASE\n3 Q0 z 1 1 BASE\n"
TASK = {"gold.qrels": GOLD, "systems/BASE.run": BASE, "systems/BEST.run": "1 Q0 a 1 2 BEST\n2 Q0 d 1 1 BEST\n"}


def judged(text: str = GOLD) -> Judgements:
    return read_judgements([(io.StringIO(text), "gold.qrels")])


def run(text: str = BASE) -> Run:
    return read_run(io.StringIO(text), "systems/BASE.run")


def test_measures_by_pencil():
    """Topic 1 has gains 0, 1, 0, 2 at ranks 1 to 4: DCG = 1 / log2(3) + 2 / log2(5); the best order has 2 and 1.

    The first relevant document is second: RR = 1/2. AP = (1/2 + 2/4) / 2. P@10 = 2/10; both are found: R@100 = 1.
    Topic 2 is not in the run, and topic 3 is not judged.
    """
    ndcg = (1 / log2(3) + 2 / log2(5)) / (2 + 1 / log2(3))
    counts = count_rankings(judged(), run())
    np.testing.assert_allclose(counts, [[ndcg, 0.5, 0.5, 0.2, 1, 1, 1], [0, 0, 0, 0, 0, 1, 0]], atol=1e-15)
    assert FAMILY.columns == (*USUAL, "topics", "retrieved")
    assert remarks(judged(), run()) == [
        "1 topic of 2 not in the run (first: 2)",
        "1 topic without judgements is not counted (first: 3)",
    ]


def test_all_topics_or_those_retrieved():
    """RR of the two topics is 1/2 and 0, since the second is missing: 1/4 over all, 1/2 over the one that is there."""
    totals = count_rankings(judged(), run()).sum(axis=0)
    of_all, of_retrieved = (METRICS[name] for name in ("RR", "RR-retrieved"))
    assert of_all.score(totals[of_all.places(FAMILY.columns)]) == 0.25
    assert of_retrieved.score(totals[of_retrieved.places(FAMILY.columns)]) == 0.5


def test_a_run_without_a_judged_topic_is_refused():
    with pytest.raises(FileError, match="no topic of the judgements; the first is '7', that of the gold '1'"):
        count_rankings(judged(), run("7 Q0 a 1 1 t\n"))


def test_ties_are_those_of_trec_eval_with_every_measure():
    """a and b tie, and b comes first; RR@1 has an order of ties of its own, which the run's order overrules."""
    tied = run("1 Q0 a 1 5 t\n1 Q0 b 2 5 t\n")
    gold = judged("1 0 b 1\n")
    counts = count_rankings(gold, tied, ("RR", "RR@1", "P@1"))
    assert counts[0, :3].tolist() == [1, 1, 1]


@pytest.mark.parametrize("seed", range(3))
def test_random_runs_against_ir_measures(seed):
    """Grades from -1 to 3, topics that one of both lacks, unjudged documents, and many ties."""
    rng = np.random.default_rng(seed)
    qrels = {str(t): {f"d{d}": int(rng.integers(-1, 4)) for d in rng.choice(40, 15, replace=False)} for t in range(12)}
    scores = {
        str(t): {f"d{d}": float(rng.integers(0, 6)) for d in rng.choice(40, 20, replace=False)} for t in range(2, 15)
    }
    gold = judged("".join(f"{t} 0 {d} {g}\n" for t, of in qrels.items() for d, g in of.items()))
    read = run("".join(f"{t} Q0 {d} 0 {s} tag\n" for t, of in scores.items() for d, s in of.items()))
    measures = (*USUAL, "nDCG", "Rprec", "Bpref", "P(rel=2)@5", "Success@3", "IPrec@0.5", "SetF")
    parsed = [ir_measures.parse_measure(measure) for measure in measures]
    counts = count_rankings(gold, read, measures)
    for found in ir_measures.iter_calc(parsed, qrels, scores):
        if found.query_id in qrels:
            unit, column = gold.topics.index(found.query_id), measures.index(str(found.measure))
            assert counts[unit, column] == found.value
    wanted = ir_measures.calc_aggregate(parsed, qrels, scores)
    means = counts[:, : len(measures)].mean(axis=0)
    np.testing.assert_allclose(means, [wanted[measure] for measure in parsed], rtol=1e-12)


def test_no_relevant_document_in_a_topic_counts_as_in_trec_eval_c():
    """Of two topics, one has nothing to find: RR is 1/2."""
    gold = judged("1 0 a 1\n2 0 b 0\n")
    found = count_rankings(gold, run("1 Q0 a 1 1 t\n2 Q0 b 1 1 t\n"), ("RR",))
    wanted = ir_measures.calc_aggregate([ir_measures.RR], {"1": {"a": 1}, "2": {"b": 0}}, {"1": {"a": 1.0}})
    assert found[:, 0].mean() == wanted[ir_measures.RR] == 0.5


def test_a_missing_run_has_all_topics_and_nothing_else():
    assert count_missing(judged(), ("RR",)).tolist() == [[0, 1, 0], [0, 1, 0]]


def test_further_measures_by_their_notation():
    """Judged@3 of BASE: a, b and c of the first three are judged but x, so 2/3 of topic 1; topic 2 has nothing."""
    offer = Offer(task(TASK).test_set(""))
    metric = offer.metric("Judged@3")
    assert (metric.name, metric.label, metric.columns) == ("Judged@3", "Judged@3", ("Judged@3", "topics"))
    assert metric.family.count(judged(), run())[:, 0].tolist() == [2 / 3, 0]
    assert "Judged@3" not in offer.metrics
    assert family_named(metric.family.name).columns == metric.family.columns
    assert offer.metric("MRR").family is FAMILY
    assert offer.metric("NDCG@20").label == "nDCG@20"


def test_further_measures_follow_the_edition():
    test_set = task(TASK).test_set("")
    retrieved = Offer(test_set, "retrieved only").metric("nDCG@20")
    assert (retrieved.name, retrieved.label, retrieved.columns[1]) == ("nDCG@20-retrieved", "nDCG@20", "retrieved")
    assert Offer(test_set).metric("nDCG@20-retrieved") is retrieved
    assert Offer(test_set).metric("nDCG@20").columns[1] == "topics"


@pytest.mark.parametrize("name", ["nDCG@20-retrieved", "nDCG@10-retrieved"])
def test_a_name_of_another_edition_is_refused(name):
    """Not where several metrics stand side by side, whose names alone tell them apart."""
    offer = Offer(task(TASK).test_set(""), "all")
    with pytest.raises(ChoiceError, match=f"{name} is a metric of the edition 'retrieved only', but 'all' is chosen"):
        offer.metric(name)
    assert offer.metric(name, any_edition=True).name == name


@pytest.mark.parametrize("name", ["P@0", "P@9999999", "Judged@0", "P(rel=0)@5", "NumRet", "RBP(p=0.8)", "Accuracy"])
def test_measures_that_cannot_be_used(name):
    """The library ends the process on P@0."""
    with pytest.raises(ChoiceError, match=r"cannot be used here(: ir_measures does not .*)?; choose a measure"):
        own_metric(name, None)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("RBP", "RBP cannot be used here: ir_measures does not compute it with these parameters; choose"),
        ("RBP(rel=1)", r"cannot be used here without cwl_eval \(pip install ir-measures\[cwl_eval\]\); choose"),
        ("alpha_nDCG@10", r"cannot be used here without pyndeval \(pip install ir-measures\[pyndeval\]\); choose"),
        ("ERR@10", r"cannot be used here(: gdeval computes it only for topics that are numbers| without gdeval .*);"),
    ],
)
def test_what_is_lacking_for_a_measure_is_named(name, reason, capfd):
    """Nothing is run that would complain on the terminal."""
    with pytest.raises(ChoiceError, match=reason):
        own_metric(name, None)
    assert capfd.readouterr() == ("", "")


def test_ndcg_gains_are_the_grades_unless_others_are_given():
    """Grades 1 and 2 at ranks 1 and 2 have 1 + 2 / log2(3) of 2 + 1 / log2(3); with 2^grade - 1, 3 in place of 2."""
    gold, read = judged("1 0 a 2\n1 0 c 1\n"), run("1 Q0 c 1 2 t\n1 Q0 a 2 1 t\n")
    given = own_metric("nDCG(gains={1:1,2:3})@10", None).label
    # Each alone: ir_measures 0.4.3 may give both the same gains in one call.
    linear, exponential = (count_rankings(gold, read, (measure,))[0, 0] for measure in ("nDCG@10", given))
    assert linear == pytest.approx((1 + 2 / log2(3)) / (2 + 1 / log2(3)))
    assert exponential == pytest.approx((1 + 3 / log2(3)) / (3 + 1 / log2(3)))


def test_signatures_name_the_packages_that_can_decide_a_number(monkeypatch):
    """The usual measures come from pytrec_eval; others may come from what is installed beside it."""
    monkeypatch.setattr(rankings, "version", lambda package: {"ranx": "9"}.get(package) or version(package))
    rankings._libraries.cache_clear()
    assert list(METRICS["RR"].details) == ["ir-measures", "pytrec-eval-terrier"]
    assert rankings._libraries(usual=False) == METRICS["RR"].details | {"ranx": "9"}
    rankings._libraries.cache_clear()


@pytest.mark.parametrize("name", ["", "nonsense", "P@", "P@-1", "1+1", "__import__('os')", "(" * 70, "P@10" * 100])
def test_names_of_no_measure(name):
    assert own_metric(name, None) is None


@pytest.mark.parametrize("name", ["nDCG(cutoff=None)", "nDCG(gains={1:'x'})@5", "ERR@10"])
def test_measures_that_fail_on_some_topics_are_refused_in_words(name):
    """ERR goes through a program that takes only topics that are numbers."""
    with pytest.raises(ChoiceError, match="cannot be used here"):
        own_metric(name, None)


def test_notation_is_read_by_a_python_without_the_old_classes_of_ast(monkeypatch):
    """Python 3.14 has no ast.Num, which ir_measures asks for: no measure would have a cutoff."""
    for name in ("Num", "Str", "NameConstant"):
        monkeypatch.delitem(vars(ast), name, raising=False)
    rankings._measure.cache_clear()
    assert [own_metric(name, None).name for name in ("nDCG@7", "RR(rel=2)")] == ["nDCG@7", "RR(rel=2)"]
    assert own_metric("P(rel=...)@3", None) is None
