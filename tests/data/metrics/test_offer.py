"""What test sets of labels, label sets and numbers offer: it follows from their classes, also where a pack has them."""

from __future__ import annotations

import pytest

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.task.shared_task import Correction
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.stats.packing import differences, pack
from tests.builders import write

STANCE = {"gold.txt": "1\tpro\n2\tcon\n3\tno\n4\tpro\n", "systems/a.txt": "1\tpro\n2\tpro\n3\tno\n4\twhat\n"}
STANCE |= {"systems/b.txt": "1\tpro\n3\tno\n4\tpro\n"}


def task_of(tmp_path, files, kind="Labels"):
    return load_task(write(tmp_path / "task", files), correction=Correction(format=kind))


def numbered(labels: str) -> str:
    return "".join(f"{number}\t{label}\n" for number, label in enumerate(labels.split(), start=1))


def test_labels_offer_their_classes(tmp_path):
    offer = Offer(task_of(tmp_path, STANCE).test_set())
    of_classes = [name for name in offer.metrics if "[" in name]
    assert of_classes == ["F1[con]", "F1[no]", "F1[pro]", "F1[all but con]", "F1[all but no]", "F1[all but pro]"]
    assert offer.metric() is METRICS["macro-F1"]
    assert offer.metric("accuracy") is offer.metric("accuracy-labels") is METRICS["accuracy-labels"]
    assert offer.metric("F1[con+pro]").name == "F1[con+pro]"
    assert {"linear-kappa", "MAE"}.isdisjoint(offer.metrics)
    like = r"No metric called 'F1\[x\]'; did you mean F1\[no\]\?"
    with pytest.raises(ChoiceError, match=rf"{like} Available: F1\[all but con\]"):
        offer.metric("F1[x]")


def test_ordered_labels_offer_weighted_kappas_and_mae(tmp_path):
    files = {"gold.txt": numbered("1 2 3 1 2"), "systems/a.txt": numbered("1 2 2 1 1")}
    offer = Offer(task_of(tmp_path, files).test_set())
    assert {"linear-kappa", "quadratic-kappa", "MAE", "F1[2]"} <= offer.metrics.keys()
    assert offer.metric("MAE").name == "MAE-labels"


def test_a_gold_of_two_numbers_offers_auc_first(tmp_path):
    files = {"gold.txt": numbered("0 1 0 1 1"), "systems/a.txt": numbered("0.25 0.5 0.125 0.75 0.375")}
    offer = Offer(task_of(tmp_path, files, "Numbers").test_set())
    assert offer.metric() is METRICS["AUC"]
    assert offer.metric("F1@0.7").name == "F1@0.7"
    more = {"gold.txt": numbered("0.1 1.5 0 1 1"), "systems/a.txt": files["systems/a.txt"]}
    offer = Offer(task_of(tmp_path / "more", more, "Numbers").test_set())
    assert offer.metric() is METRICS["Pearson"]
    assert "AUC" not in offer.metrics
    with pytest.raises(ChoiceError, match=r"No metric called 'F1@0\.7'"):
        offer.metric("F1@0.7")


@pytest.mark.parametrize("metric", ["macro-F1", "macro-F1-union", "MCC", "F1[pro]", "F1[all but no]", "accuracy"])
def test_a_pack_offers_and_scores_the_same(tmp_path, metric):
    task = task_of(tmp_path, STANCE)
    (tmp_path / "x.nlpsig").write_bytes(pack(task))
    packed = load_task(tmp_path / "x.nlpsig")
    assert packed.test_set().classes == task.test_set().classes == ("con", "no", "pro")
    assert list(Offer(packed.test_set()).metrics) == list(Offer(task.test_set()).metrics)
    ours, theirs = (of.select(metric).stats for of in (task, packed))
    assert ours.digest == theirs.digest
    assert differences(task, packed) == []


def test_sets_are_packed_by_class(tmp_path):
    """Gold {a}, {a b}; predicted {a c}, {a}: of a 2 of 2, of b 0; macro-F1 50, exact match 0."""
    files = {
        "gold.jsonl": '{"id": 1, "labels": ["a"]}\n{"id": 2, "labels": ["a", "b"]}\n',
        "systems/x.jsonl": '{"id": 1, "labels": ["a", "c"]}\n{"id": 2, "labels": ["a"]}\n',
    }
    task = task_of(tmp_path, files, "Label sets")
    (tmp_path / "x.nlpsig").write_bytes(pack(task))
    for of in (task, load_task(tmp_path / "x.nlpsig")):
        assert of.select("macro-F1").stats.scores.tolist() == [50]
        assert of.select("exact-match").stats.scores.tolist() == [0]
        assert of.select("F1[b]").stats.scores.tolist() == [0]


def test_a_macro_average_leaves_out_test_sets_without_the_class(tmp_path):
    """Each test set has its own codes: x is the second class of one, and the first of the other."""
    golds, answers = {"one": "a x x a", "two": "x y y x", "three": "b c b c"}, {"three": "b b b b"}
    files = {f"gold/{name}.txt": numbered(gold) for name, gold in golds.items()}
    files |= {f"systems/s/{name}.txt": numbered(answers.get(name, "x x x x")) for name in golds}
    task = task_of(tmp_path, files)
    selection = task.select("F1[x]", "macro-average")
    assert list(selection.test_sets) == ["one", "two"]
    assert selection.stats.scores == pytest.approx([200 / 3])
    assert list(task.select("macro-F1", "macro-average").test_sets) == list(task.test_sets)
    first, third = task.test_set("one"), task.test_set("three")
    metric = Offer(first).metric("F1[x]")
    assert Offer(third).lacks(Offer(third).counterpart(metric, first))
    assert not Offer(first).lacks(METRICS["macro-F1"])
    assert Offer(first).lacks(METRICS["linear-kappa"])
    with pytest.raises(ChoiceError, match=r"No metric called 'F1\[z\]'"):
        task.select("F1[z]", "macro-average")
