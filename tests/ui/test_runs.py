"""The pages on systems of several runs, and on logs of evaluations: what is averaged, drawn, and cannot be shown."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from tests.apps import app, charts, copyable, drawings, frame_with, metric, mounted, texts
from ui.app import components
from ui.studies.analyses import answers

TASK, LOGS = "dorvel-runs", "orlun-evaluation"


def test_the_first_page_counts_systems_and_outputs():
    test = app(task=TASK)
    assert (metric(test, "Systems"), metric(test, "Outputs"), metric(test, "Pairs")) == ("4", "20", "6")


@pytest.mark.parametrize("page", ["sizes", "domains", "calibration"])
def test_pages_of_analyses_open(page):
    test = app(f"pages/{page}.py", task=TASK)
    assert charts(test)
    assert "runs:5|" in texts(test)


def test_more_units_are_not_said_to_make_runs_alike():
    planned = texts(app("pages/sizes.py", task=TASK, pair="Krestquell-base over Yustrony-base", b="100k"))
    assert "If runs did not vary, about 3,200 sentences would settle a true gain of 1.07 LAS (you have 150)." in planned
    assert "More units do not reduce the variation between runs" in planned


def test_the_bootstrap_is_the_only_test():
    """Two tests cannot be set against each other; the others say why they cannot be used."""
    test = app("pages/pairs.py", task=TASK, view="two tests")
    assert test.selectbox(key="test").options == ["usual (paired bootstrap)", "paired bootstrap"]
    assert "Each resample draws runs as well as sentences" in texts(test)
    assert "The paired bootstrap is the only test that applies here." in texts(test)


def test_evidence_is_of_means_and_drawings_of_the_first_run():
    said = texts(app("pages/pair.py", task=TASK))
    assert "Every score is the mean over a system's runs." in said
    assert "Only the first run of each system is drawn." in said
    assert "means over 5 runs of each system" in said


def test_the_film_is_of_the_first_run():
    test = app("pages/learn.py", task=TASK, film="systems of this task")
    assert "The film uses one output per system: the first run of each." in texts(test)
    assert mounted(test, "film")
    assert "runs:" not in copyable(test)[0]


def test_the_pair_page_shows_question_target_and_all_answers():
    """Each model's two answers, with the line of the log and the score by the chosen metric."""
    test = app("pages/pair.py", task=LOGS, test_set="sums", metric="match")
    assert test.selectbox(key="metric").options == ["main score", "match", "choice"]
    drawn = "".join(drawings(test))
    a, b = test.selectbox(key="pair").value.split(" over ")
    assert all(f"{name}, run {run}" in drawn for name in (a, b) for run in (1, 2))
    assert drawn.count("I think that the answer is: ") == 4
    assert all(part in drawn for part in ("How much is ", ">target<", "match 1 · line "))


def test_test_size_says_what_more_answers_bring(monkeypatch):
    """Nothing is resampled for this table, and its signature names no resamples."""
    signatures = []

    def table_of(frame, key, signature, *names, **options):
        signatures.append(signature)
        return components.table(frame, key, signature, *names, **options)

    monkeypatch.setattr(answers, "components", SimpleNamespace(table=table_of, fold=components.fold))
    test = app("pages/sizes.py", ("answers_open",), task=LOGS, test_set="sums")
    table = frame_with(test, "share_of_answers")
    assert len(table) == 15
    assert (table["error_any"] < table["error_8"]).all()
    assert "The variance of a gain has two parts" in texts(test)
    assert "|level:0.05|sides:two|answers:1-2-4-8|power:0.8|" in signatures[0]
    assert not re.search(r"[:|](test|b|seed|adjust):", signatures[0])
