"""The Laboratory page: each experiment shows the numbers of `nlpsig atlas compare`, and its systems open as a task."""

from __future__ import annotations

import pytest

from nlpsig_core.studies import synthetic
from nlpsig_core.studies.synthetic import FIGURES, NATURAL, SYNTHETIC
from tests.apps import app, charts, frame_with, texts

PAGE = "pages/laboratory.py"


@pytest.mark.parametrize("name", FIGURES)
def test_an_experiment_shows_its_thresholds_beside_the_papers(name):
    test, of = app(PAGE, experiment=name), FIGURES[name]
    chosen = synthetic.selections(of, synthetic.load_pack(of))
    table = synthetic.thresholds(of, {kind: synthetic.compared(selection) for kind, selection in chosen.items()})
    shown = frame_with(test, "published")
    assert shown["model_threshold"].tolist() == pytest.approx(table["model_threshold"].tolist(), nan_ok=True)
    for row in table[table["systems"] == SYNTHETIC].itertuples():
        assert f"{row.model_threshold:.2f} {of.metric}" in texts(test)
        assert f"paper: {row.published:.2f}" in texts(test)
    (figure,) = charts(test)
    names = [trace["name"] for trace in figure["data"]]
    assert (
        sum(of.natural != "" and name.startswith(of.natural) for name in names) == (table["systems"] == NATURAL).sum()
    )


def test_other_units_of_real_systems_are_named():
    """Of the figures, only that of translation has them."""
    other = "tested on 1,000 segments, the real ones on 171 documents"
    assert [name for name in FIGURES if other in texts(app(PAGE, experiment=name))] == ["translation"]


def test_its_systems_open_as_a_task():
    test = app(PAGE)
    test.button(key="open_experiment").click().run()
    assert test.session_state["task"] == FIGURES["parsing"].pack
