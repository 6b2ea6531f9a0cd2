"""The Atlas page: what is asked is answered, the link restores it, and the open task finds its place."""

from __future__ import annotations

import pytest

from nlpsig_core.atlas.ask import Question, ask
from nlpsig_core.atlas.store import shipped
from tests.apps import app, charts, metric, texts, values
from ui.app.text import plain

PAGE = "pages/atlas.py"
ASKED = {"task": "realsumm", "atlas_metric": "BLEU", "atlas_units": 1000, "atlas_gain": 0.6}


@pytest.fixture(scope="module")
def page():
    """The page with a question about BLEU."""
    return app(PAGE, **ASKED)


def test_the_answer_is_that_of_the_command(page):
    """The sentence and the numbers below it."""
    answer = ask(shipped(), Question(metric="BLEU", n=1000, gain=0.6))
    assert page.info[0].value == f"**{plain(answer.sentence)}.**"
    assert metric(page, "Usually significant above") == f"{answer.threshold:.2f}"
    assert metric(page, "On a new test set (90%)") == f"{answer.threshold_low:.2f} – {answer.threshold_high:.2f}"
    assert metric(page, "Segments to detect 0.6") == f"{answer.units:,}"


def test_the_cloud_has_the_gain_in_it_and_the_strip_every_test_set(page):
    cloud, strip = charts(page)[:2]
    assert values(cloud["data"][-1]["x"]).tolist() == [0.6]
    assert len(values(strip["data"][0]["x"])) == 11


def test_the_link_has_what_differs_from_the_defaults(page):
    """Another metric, size and gain than those of the open task; the class is the usual one."""
    link = dict(page.query_params)
    assert (link["atlas_metric"], link["atlas_units"], link["atlas_gain"]) == ("BLEU", "1000", "0.6")
    assert "atlas_class" not in link


def test_the_open_task_is_placed_where_the_atlas_has_its_metric(page):
    """REALSumm by ROUGE-1, which the atlas has of this task alone."""
    assert "The threshold of different groups" in texts(page)
    assert r"in ROUGE\-1" in texts(page)


def test_a_metric_that_the_atlas_lacks_is_named():
    test = app(PAGE, task="varnil-scores", edition="higher")
    assert any("No metric in the atlas called" in info.value for info in test.info)


def test_another_level_moves_the_threshold(page):
    """A threshold is z standard errors: 2.576 / 1.960 of that at 5% is that at 1%."""
    strict = app(PAGE, **ASKED, alpha=0.01)
    at_5, at_1 = (float(metric(of, "Usually significant above")) for of in (page, strict))
    assert at_1 / at_5 == pytest.approx(2.5758 / 1.9600, rel=0.01)


def test_few_test_sets_are_owned_up_to():
    test = app(PAGE, task="realsumm", atlas_metric="AER", atlas_units=447)
    assert "the atlas has 1 test set with AER" in texts(test)
    assert "No threshold of AER can be predicted without its own test set" in texts(test)
