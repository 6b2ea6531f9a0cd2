"""The pages on systems of several runs: what is averaged, what is drawn, and what they cannot show."""

from __future__ import annotations

import pytest

from tests.apps import app, charts, metric, texts

TASK = "dorvel-runs"


def test_the_first_page_counts_systems_and_outputs():
    test = app(task=TASK)
    assert (metric(test, "Systems"), metric(test, "Outputs"), metric(test, "Pairs")) == ("4", "20", "6")


@pytest.mark.parametrize("page", ["sizes", "domains", "calibration"])
def test_pages_of_analyses_open(page):
    test = app(f"pages/{page}.py", task=TASK)
    assert charts(test)
    assert "runs:5|" in texts(test)


def test_more_units_are_not_said_to_make_runs_alike():
    assert "More units do not reduce the variation between runs" in texts(app("pages/sizes.py", task=TASK))


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
    assert test.get("bidi_component")
