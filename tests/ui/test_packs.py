"""Packs in the app: real tasks on every page, what needs text, and the page that a newcomer sees first."""

from __future__ import annotations

import re
from base64 import b64decode

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpsig_core.data.task.samples import real_names
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.comparison.verdict import pairs_that_differ
from nlpsig_core.significance.stats.packing import pack
from tests.apps import MAIN, app, copyable, drop_files, metric, texts
from ui.app.pages import PAGES
from ui.significance import overview

OPENING, CAMPAIGN = "conll-2017-chinese", "conll-2018-campaign"
OF_TASK = [page.script for page in PAGES if page.title not in ("Laboratory", "Reranking", "Learn", "Glossary")]
NO_TEXT = "This task contains scores only"


@pytest.mark.parametrize("page", OF_TASK)
@pytest.mark.parametrize("task", [name for name in real_names() if name != CAMPAIGN])
def test_every_page_opens_every_real_task_of_the_package(page, task):
    test = app(page, task=task)
    assert test.selectbox(key="task").value == task
    assert not test.error
    assert (NO_TEXT in texts(test)) == (
        page == "pages/pair.py" or (page == "pages/confidence.py" and task[:5] in ("conll", "semev"))
    )


def pictures(test: AppTest) -> list[str]:
    """The images of a page."""
    return [of.proto.body for of in test.get("html") if "<img" in of.proto.body]


def test_the_first_screen_is_a_real_task_with_all_its_pairs(monkeypatch):
    """65 systems make 65 * 64 / 2 = 2,080 pairs, at a million resamples; two pairs have no gain and no dot."""
    monkeypatch.delenv("NLPSIG_TASK")
    test = app(b="1M")
    assert test.selectbox(key="task").value == OPENING
    assert (metric(test, "Systems"), metric(test, "Groups"), metric(test, "Pairs")) == ("65", "32", "2,080")
    finding = "1,794 of 2,080 pairs differ on their own (1,550 after correcting)"
    assert f"**conll-2017-chinese**: {finding}." in texts(test)
    (image,) = pictures(test)
    assert f'alt="{finding}' in image
    picture = b64decode(re.search('base64,([^"]+)', image)[1]).decode()
    assert "different groups (2,006)" in picture
    assert "same group (72)" in picture
    assert picture.count("h0") > 600


def test_the_campaign_has_its_macro_average_at_a_million_resamples_at_once():
    """59 test sets and 26 systems; the results come with the package."""
    test = app("pages/scores.py", task=CAMPAIGN, test_set="macro-average", b="1M")
    assert "▲ **Yes**: HIT-SCIR-18 beats LATTICE-18 by " in texts(test)
    assert "56,410 units to resample" in texts(test), "the documents of two test sets, the sentences of 57"


def test_the_first_page_says_what_a_pack_is():
    test = app(task="wmt-2024-en-de")
    (told,) = [of.label for of in test.expander if "pack" in of.label]
    assert told == "A pack of Translations: statistics of 26 outputs, without texts"
    assert "source: wmt-conference/wmt24-news-systems" in texts(test)
    assert "references/A.txt, references/B.txt" in texts(test)


def test_a_pack_is_uploaded_like_a_zip():
    test = drop_files(app(), {"mine.nlpsig": pack(load_task("dorvel-runs"), ("LAS",))})
    assert test.selectbox(key="task").value == "mine (uploaded)"
    assert metric(test, "Systems") == "4"
    drop_files(test, {"broken.nlpsig": b"PK nothing"})
    assert test.error[0].value == "broken was not opened."
    assert "broken.nlpsig is a damaged pack; get it again" in texts(test)


def test_a_pack_in_a_folder_can_be_the_first_task(tmp_path, monkeypatch):
    """Opened in place from the machine, like a zip; such a task has no results that come with the package."""
    path = tmp_path / "mine.nlpsig"
    path.write_bytes(pack(load_task("dorvel-runs"), ("LAS",)))
    monkeypatch.setenv("NLPSIG_FOLDERS", str(tmp_path))
    assert metric(app(task=path), "Systems") == "4"
    monkeypatch.setenv("NLPSIG_TASK", str(path))
    test = app()
    assert metric(test, "Systems") == "4"
    assert not pictures(test)
    assert not test.select_slider


def test_the_slider_shows_every_pair_on_the_first_units_only(monkeypatch):
    """The counts on 50 and on all 650 sentences are those of a selection of these sentences."""
    monkeypatch.setattr(overview, "comes_with_package", lambda stats, recipe: True)
    test = app()
    selection = load_task(MAIN).select("LAS")
    for size in (650, 50):
        test.select_slider(key="landing_size").set_value(size).run()
        assert not test.exception
        pairs = selection.on(np.arange(size)).bootstrap(resamples=10_000).pairs()
        assert f": {pairs_that_differ(pairs, Notion())}." in texts(test)


def test_only_metrics_of_the_pack_are_offered():
    test = app(task="wmt-2024-en-de")
    assert test.selectbox(key="metric").options == ["BLEU", "chrF"]
    test.selectbox(key="metric").set_value("chrF").run()
    assert not test.exception
    assert "metric:chrF" in copyable(test)[-1]
