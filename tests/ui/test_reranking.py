"""The Reranking page: a reranker of a made-up language, what a click changes, and an open task of rerankers."""

from __future__ import annotations

import pytest

from nlpsig_core.base.words import capital
from nlpsig_core.laboratory.reranking.estimators import ESTIMATORS
from nlpsig_core.laboratory.reranking.features import CLASSES
from nlpsig_core.laboratory.reranking.small import SMALL_CLASSES
from nlpsig_core.output.commands.cli import main
from nlpsig_core.significance.comparison.verdict import BETTER
from tests.apps import app as page
from tests.apps import charts, copyable, drawings, texts, values
from tests.builders import conllu, sentence
from tests.conftest import in_one_process
from tests.laboratory.reranking.toys import toy_files
from ui.laboratory.reranking.folds import FOLDED

PAGE = "pages/reranking.py"
L2 = ESTIMATORS["l2"].label
ORACLE, RANKS, LADDER = 0, 1, 2
# The tables in the order of the page.
STEPS, WEIGHTS, PULLS = 0, 1, 2


def app(**link: object):
    """Open the page with all its folds."""
    return page(PAGE, tuple(f"reranking: {title}" for title in FOLDED), **link)


@pytest.fixture(scope="module")
def opened():
    return app()


def test_the_headline_has_the_figures_of_the_last_step(opened):
    """Added one by one, the last class completes the reranker of the headline."""
    last = opened.dataframe[STEPS].value.iloc[-1]
    said = texts(opened)
    assert f"It has F1 **{last['f1_test']:.2f}** on " in said
    assert f"Estimator: **{L2}**, with 13 classes of features" in said
    (line,) = charts(opened)[ORACLE]["data"]
    assert f"the first parse {values(line['y'])[0]:.2f}" in said
    assert f"The best parse of each list would give {values(line['y'])[-1]:.2f}" in said


def test_a_reranker_that_loses_makes_no_share_of_the_gain(opened):
    """Trained on few sentences it is behind the first parse: it said that -24% of the gain was made."""
    (line,) = charts(opened)[ORACLE]["data"]
    assert opened.dataframe[STEPS].value.iloc[-1]["f1_test"] < values(line["y"])[0]
    assert "of that gain" not in texts(opened)


def test_the_ladder_has_the_rows_of_its_table(opened):
    table = opened.dataframe[STEPS].value
    assert table["name"].tolist() == [CLASSES[name].label or name for name in SMALL_CLASSES[1:]]
    drawn = {}
    for trace in charts(opened)[LADDER]["data"]:
        drawn |= {int(row): trace["name"] for row in values(trace["customdata"])}
    assert [drawn[row] for row in range(len(table))] == table["verdict"].tolist()
    assert f"of 12 steps, **{(table['verdict'] == BETTER).sum()}**" in texts(opened)


@pytest.mark.parametrize(
    ("steps", "against", "sentence"),
    [
        ("without", "all classes", "Leaving out one class: of 12 steps"),
        ("all classes", L2, f"Other estimators in place of {L2}: of 3 steps"),
    ],
)
def test_other_steps_are_against_another_reranker(opened, steps, against, sentence):
    test = app(rerank_steps=steps)
    assert charts(test)[LADDER]["layout"]["annotations"][0]["text"] == against
    assert sentence in texts(test)
    others = [capital(ESTIMATORS[name].label) for name in ESTIMATORS if name != "l2"]
    assert steps == "without" or test.dataframe[STEPS].value["name"].tolist() == others
    assert charts(test)[:LADDER] == charts(opened)[:LADDER]
    assert test.query_params["rerank_steps"] == steps


def test_a_class_that_is_left_out_is_gone_from_weights_and_steps(opened):
    test = app(rerank_without="Rule")
    assert "Rule" in set(opened.dataframe[WEIGHTS].value["class"])
    assert "Rule" not in set(test.dataframe[WEIGHTS].value["class"])
    assert "Rule" not in set(test.dataframe[STEPS].value["name"])
    assert "with 12 classes of features" in texts(test)


def test_without_any_class_there_is_nothing_to_rerank(opened):
    test = app()
    test.multiselect(key="rerank_without").set_value(list(SMALL_CLASSES[1:])).run()
    assert "the reranker chooses the first parse of every list" in texts(test)
    assert not test.dataframe


def test_another_estimator_learns_other_weights(opened):
    test = app(rerank_by="perceptron")
    assert f"Estimator: **{ESTIMATORS['perceptron'].label}**, with 13 classes" in texts(test)
    before, after = (one.dataframe[WEIGHTS].value for one in (opened, test))
    assert before["weight"].tolist() != after["weight"].tolist()
    assert "estimator:perceptron" in copyable(test)[0]


def test_the_level_of_the_sidebar_decides_verdicts(opened):
    """At the level 0.4 the p of every significant step is below 0.4; one side of a step has half of the p of two."""
    for sides, half in (("two", 1), ("one", 2)):
        test = app(alpha=0.4, sides=sides)
        table = test.dataframe[STEPS].value
        assert (table["p"] * half).tolist() == table["p_permutation"].tolist()
        assert ((table["p"] < 0.4) & (table["gain"] != 0)).tolist() == (table["verdict"] != "undecided").tolist()
        assert len(set(table["verdict"])) > 1
        name = "two-sided" if half == 1 else "winner's one-sided"
        assert f"its {name} p < 0.4 by the permutation test" in texts(test)


def test_the_page_trains_no_steps_before_they_are_opened():
    test = page(PAGE)
    assert len(charts(test)) == 2
    assert not test.dataframe


def test_another_sentence_is_drawn_with_its_own_pulls(opened):
    options = opened.selectbox(key="rerank_sentence").options
    assert len(options) > 1
    test = app()
    sentence = test.selectbox(key="rerank_sentence")
    sentence.select_index((sentence.index + 1) % len(options)).run()
    assert drawings(test) != drawings(opened)
    assert not test.dataframe[PULLS].value.equals(opened.dataframe[PULLS].value)
    assert charts(test) == charts(opened)


def test_the_drawing_has_three_trees_and_pulls_sum_to_the_sentence_above_them(opened):
    (drawing,) = drawings(opened)
    assert all(name in drawing for name in (">gold<", "first parse", "reranked, rank "))
    pulls = opened.dataframe[PULLS].value
    assert f"scores {pulls['pull'].sum():.2f} more than the first" in texts(opened)
    listed = pulls.dropna()
    assert (listed["pull"] - listed["weight"] * listed["difference"]).abs().max() < 1e-9


@pytest.fixture(scope="module")
def task(tmp_path_factory):
    """The shared task of a trial of toy lists with one class."""
    folder = tmp_path_factory.mktemp("trial")
    command = ["rerank", str(toy_files(folder)), "--trial", "--folds", "3", "--resamples", "200"]
    with in_one_process():
        assert main([*command, "--classes", "Rule", "Word", "-o", str(folder / "task")]) == 0
    return folder / "task"


def test_a_task_of_rerankers_is_shown_as_it_is(task, monkeypatch):
    """Its tables are read and nothing is trained: 60 toy sentences, and the estimator of the trial."""
    monkeypatch.setenv("NLPSIG_FOLDERS", str(task.parent))
    test = app(task=task)
    assert "The open task has the rerankers of 60 n-best lists" in texts(test)
    assert f"Estimator: **{ESTIMATORS['perceptron'].label}**, with 3 classes of features" in texts(test)
    assert [one.key for one in test.selectbox if one.key == "rerank_by"] == []
    assert set(test.dataframe[STEPS].value["name"]) == {"Rule", "Word"}
    assert len(drawings(test)) == 1
    assert copyable(test)[0].startswith("metric:F1-brackets|test:randomization+sign|b:200|seed:0|lists:toy.nbest")
    test.segmented_control(key="rerank_steps").set_value("alone").run()
    assert charts(test)[LADDER]["layout"]["annotations"][0]["text"] == "first parse"
    assert "Each class alone beside the log probability: of 2 steps" in texts(test)


def test_a_task_of_dependency_trees_is_shown_with_its_own_metric(tmp_path, monkeypatch, one_process):
    """A base parser that gets one word of three right in its first parse, and all in its second."""
    right, wrong = "it/2/nsubj/PRON runs/0/root/VERB on/2/advmod/ADV", "it/3/nsubj/PRON runs/3/obj/VERB on/0/root/ADV"
    parses = [sentence(text, [f"# rank = {rank}", f"# score = -{rank}"]) for rank, text in ((1, wrong), (2, right))]
    (tmp_path / "a.k-best.conllu").write_text("".join(f"{one}\n" for one in parses * 30), encoding="utf-8")
    (tmp_path / "a.gold.conllu").write_text(conllu(*[right] * 30), encoding="utf-8")
    task = tmp_path / "task"
    assert main(["rerank", str(tmp_path), "--folds", "3", "--resamples", "200", "-o", str(task)]) == 0
    monkeypatch.setenv("NLPSIG_FOLDERS", str(tmp_path))
    test = app(task=task)
    assert "has UAS **100.00** on 30 test sentences, the first parse 0.00" in texts(test)
    (drawing,) = drawings(test)
    assert "reranked, rank 2" in drawing
    assert "No classes were tried" in "".join(element.value for element in test.info)
