"""Evaluation logs in the app: a question with both models' answers, and the metrics of the logs."""

from __future__ import annotations

from tests.apps import app, drawings, frame_with, texts

SAMPLE = "orlun-evaluation"


def test_the_pair_page_shows_question_target_and_all_answers():
    """Each model's two answers, with the line of the log and the score by the chosen metric."""
    test = app("pages/pair.py", task=SAMPLE, test_set="sums", metric="match")
    assert test.selectbox(key="metric").options == ["main score", "match", "choice"]
    drawn = "".join(drawings(test))
    a, b = test.selectbox(key="pair").value.split(" over ")
    assert all(f"{name}, run {run}" in drawn for name in (a, b) for run in (1, 2))
    assert drawn.count("I think that the answer is: ") == 4
    assert all(part in drawn for part in ("How much is ", ">target<", "match 1 · line "))


def test_test_size_says_what_more_answers_bring():
    test = app("pages/sizes.py", ("answers_open",), task=SAMPLE, test_set="sums")
    table = frame_with(test, "share_of_answers")
    assert len(table) == 15
    assert (table["error_any"] < table["error_8"]).all()
    assert "The variance of a gain has two parts" in texts(test)
