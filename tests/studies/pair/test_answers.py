"""What two systems confuse, gains by class, and their numbers against the gold: by pencil and by scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import rankdata
from sklearn.metrics import confusion_matrix, f1_score

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.comparison.select import load_task, select
from nlpsig_core.significance.resampling.bootstrap import expanded_tail
from nlpsig_core.significance.resampling.gains import resampled_gains
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.pair import answers
from tests.builders import sample, task

FEW = Resampling(500)


def selected(gold: str, a: str, b: str, metric: str):
    """What is analysed of a task of two systems, with an answer for each word of the texts."""
    files = {"gold.txt": gold, "systems/a.txt": a, "systems/b.txt": b}
    lines = {path: "\n".join(text.split()) + "\n" for path, text in files.items()}
    return select(task(lines), METRICS[metric]).first


def test_confusions_by_pencil():
    """a answers y for one of three x; b answers x once with z, which the gold does not have."""
    one = selected("x x x y y", "x x y y y", "x x z y y", "accuracy-labels")
    table = answers.confusion(one, ("a", "b")).set_index(["system", "gold", "answer"])
    assert dict(table["items"][table["items"] > 0]) == {
        ("a", "x", "x"): 2,
        ("a", "x", "y"): 1,
        ("a", "y", "y"): 2,
        ("b", "x", "x"): 2,
        ("b", "x", answers.FOREIGN): 1,
        ("b", "y", "y"): 2,
    }
    assert table["share"]["a", "x", "y"] == 1 / 3
    assert table.loc[("a", "x", answers.FOREIGN), "items"] == 0


def test_missing_answers_have_a_column_of_their_own():
    """The first system of the sample lacks three items."""
    one = sample("ilvet-stance", "macro-F1").first
    table = answers.confusion(one, one.stats.names[:2])
    assert table[table["answer"] == answers.NO_ANSWER]["items"].sum() == 3
    assert table.groupby("system")["items"].sum().tolist() == [400, 400]


def test_rare_labels_are_put_together():
    """Of 15 labels the three rarest are others: one answer among them is right, and yet no cell of a label."""
    words = [f"l{n:02d}" for n in range(15) for _ in range(20 - n)]
    one = selected(" ".join(words), " ".join(words), " ".join(words[::-1]), "accuracy-labels")
    table = answers.confusion(one, ("a", "b"))
    assert set(table["gold"]) == {f"l{n:02d}" for n in range(12)} | {answers.OTHER}
    assert table["items"].sum() == 2 * len(words)


def test_confusions_and_f1_are_those_of_scikit_learn():
    one = sample("ilvet-stance", "macro-F1").first
    names = one.stats.names[3:5]
    table, classes = answers.confusion(one, names), list(one.test_set.classes)
    gains = answers.gains_by_class(one, names, FEW).set_index("part")
    for column, system in zip(("score_a", "score_b"), names, strict=True):
        gold, predicted = answers.answers_of(one, system)[0].T
        wanted = confusion_matrix(gold, predicted, labels=range(4))
        counts = table[table["system"] == system].pivot(index="gold", columns="answer", values="items")
        assert np.array_equal(counts.loc[classes, classes], wanted)
        of_labels = 100 * f1_score(gold, predicted, labels=range(4), average=None)
        assert gains.loc[classes, column].to_numpy() == pytest.approx(of_labels)
    assert gains.loc[classes, "units"].tolist() == np.bincount(gold).tolist()
    assert gains["gain"].is_monotonic_decreasing


@pytest.mark.parametrize(("name", "label"), [("ilvet-stance", "mixed"), ("morand-topics", "sea")])
def test_intervals_are_those_of_the_metric_of_one_label(name, label):
    """The resamples are the same, so the ends are equal. Items count on which the label's F1 of the two differs."""
    selection = load_task(name).select(metric=f"F1[{label}]")
    stats = selection.first.stats
    row = answers.gains_by_class(selection.first, stats.names[:2], FEW).set_index("part").loc[label]
    alone = stats.select([0, 1])
    assert (row["score_a"], row["score_b"]) == pytest.approx(tuple(alone.scores))
    differ = int((alone.values[0] != alone.values[1]).any(axis=1).sum())
    assert 2 < differ < stats.n_units
    tail = 100 * expanded_tail(0.95, differ)
    low, high = np.percentile(resampled_gains(alone, FEW), [tail, 100 - tail])
    assert (row["gain_low"], row["gain_high"]) == pytest.approx((low, high))


def test_labels_with_few_items_have_a_note():
    one = selected("x " * 20 + "y " * 3, "x " * 23, "x " * 20 + "y " * 3, "macro-F1")
    notes = answers.gains_by_class(one, ("b", "a"), FEW).set_index("part")["note"]
    assert dict(notes) == {"x": "", "y": "3 in the gold are few"}


def test_numbers_are_those_of_the_files_and_ranks_those_of_scipy():
    selection = sample("kessim-ratings", "Spearman")
    pair = selection.stats.select([0, 1])
    plain, ranked = (answers.numbers(selection.first, pair, ranked=ranked) for ranked in (False, True))
    gold = selection.first.test_set.gold
    assert plain["gold"].tolist() == gold.answers.tolist()
    assert plain["text"].tolist() == list(gold.texts)
    assert ranked["a"].tolist() == rankdata(plain["a"]).tolist()
    assert plain["marked"].sum() == answers.MARKED
