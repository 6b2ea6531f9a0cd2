"""The picture of every pair on the first page, and its slider."""

from __future__ import annotations

import numpy as np

from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.comparison.verdict import how_many_differ
from nlpsig_core.significance.resampling.recipe import Resampling
from tests.apps import MAIN, app, texts
from ui.significance import overview


def test_the_slider_shows_every_pair_on_the_first_units_only(monkeypatch):
    """The counts on 50 and on all 650 sentences are those of a selection of these sentences."""
    monkeypatch.setattr(overview, "comes_with_package", lambda stats, recipe: True)
    test = app()
    selection = load_task(MAIN).select("LAS")
    for size in (650, 50):
        test.select_slider(key="landing_size").set_value(size).run()
        assert not test.exception
        pairs = selection.on(np.arange(size)).bootstrap(Resampling(10_000)).pairs()
        assert f": {how_many_differ(pairs['verdict'], Notion())}." in texts(test)


def test_without_shipped_results_there_is_no_picture():
    assert not app().select_slider
