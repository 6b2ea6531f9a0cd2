"""The way in, in a real Chromium: from files to the next step, back again, and what a restart brings back."""

from __future__ import annotations

import pytest

from tests.browsing import WAIT, appears, drop, edit_cell, insist, opens, settle
from tests.builders import TASK, zipped
from tests.serving import serve

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

SCORES = "unit,A,B\n" + "".join(f"{i},0.{i % 7},0.{i % 5}\n" for i in range(40))
GROUPS = "document.querySelectorAll('[data-testid=stMetricValue]')[1]?.innerText"
pytestmark = pytest.mark.browser


def on_screen(page, text: str) -> bool:
    """Whether a text is inside the window, without scrolling."""
    box = page.get_by_text(text).bounding_box()
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= page.viewport_size["height"]


def test_an_upload_on_a_phone_leads_to_the_next_step_without_a_scroll(server, page):
    """One action after the drop: the line on what was read and the next step are in the window."""
    page.set_viewport_size({"width": 390, "height": 844})
    opens(page, server, "/?b=10k")
    appears(page.get_by_text("Best systems"))
    drop(page, "mine.zip", zipped(TASK))
    appears(page.get_by_text("is open: CoNLL-U, 2 systems."))
    assert on_screen(page, "is open: CoNLL-U, 2 systems.")
    assert on_screen(page, "Next: test every pair")
    page.get_by_role("link", name="Next: the ranking of its systems").click()
    appears(page.get_by_text("Undecided"))
    page.wait_for_url("**/scores?task=mine+%28uploaded%29&b=10k")


def test_a_wrong_file_and_then_a_score_table(server, page):
    """The old task is not below the reason; the score table's question is in the box, in the window."""
    page.set_viewport_size({"width": 1280, "height": 800})
    opens(page, server, "/?b=10k")
    appears(page.get_by_text("Best systems"))
    drop(page, "notes.txt", b"nothing")
    appears(page.get_by_text("These files were not recognised"))
    page.get_by_text("Best systems").wait_for(state="detached")
    assert on_screen(page, "These files were not recognised")
    page.get_by_role("button", name="Leave them and return to brelda-parsing").click()
    appears(page.get_by_text("Best systems"))
    page.goto(f"{server}/?b=10k")
    appears(page.get_by_text("Best systems"))
    drop(page, "comet.csv", SCORES.encode())
    appears(page.get_by_text("Is a higher or a lower score better?"))
    assert on_screen(page, "Is a higher or a lower score better?")
    page.locator(".st-key-opener").get_by_role("radio", name="lower").click()
    appears(page.get_by_text("metric:mean-lower|"))


def test_a_restart_brings_back_uploads_edits_and_names(window, tmp_path):
    """An upload is edited and renamed; another server with the same workspace has both, until the task is removed.

    A page that waits meanwhile goes on without being reloaded: its own address restores task and choices.
    """
    page = window(viewport={"width": 1280, "height": 1600})
    kept = {"NLPSIG_WORKSPACE": str(tmp_path / "workspace")}
    link = "?b=10k&task=parsers"
    with serve(tmp_path, **kept) as server:
        page.goto(f"{server}/?b=10k")
        appears(page.get_by_text("Best systems"))
        drop(page, "mine.zip", zipped(TASK))
        appears(page.get_by_text("is open:"))
        page.wait_for_function(f"{GROUPS} === '2'")
        edit_cell(page, page.locator("[data-testid=stDataFrame]").last, 150, 52, "South")
        page.wait_for_function(f"{GROUPS} === '1'")
        settle(page)
        page.get_by_role("button", name="Rename or remove").click()
        page.get_by_label("Name of the task").fill("parsers")
        page.get_by_role("button", name="Rename", exact=True).click()
        appears(page.get_by_role("heading", name="parsers", exact=True))
        page.reload()
        appears(page.get_by_role("heading", name="parsers", exact=True))
        page.wait_for_function(f"{GROUPS} === '1'")
        settle(page)
        page.evaluate("window.notReloaded = true")
    with serve(tmp_path, port=int(server.rpartition(":")[2]), **kept):
        # What is clicked before the page has connected again is lost.
        page.locator("[data-testid=stApp][data-test-connection-state=CONNECTED]").wait_for()
        settle(page)
        page.get_by_role("link", name="Scores", exact=True).click()
        appears(page.get_by_role("heading", name="Scores", exact=True))
        appears(page.get_by_text("task:parsers|"))
        appears(page.get_by_text("b:10000|"))
        assert page.evaluate("window.notReloaded")
        page.goto(f"{server}/{link}")
        appears(page.get_by_role("heading", name="parsers", exact=True))
        page.wait_for_function(f"{GROUPS} === '1'")
        page.get_by_role("button", name="Undo all edits").click()
        page.wait_for_function(f"{GROUPS} === '2'")
        settle(page)
        page.get_by_role("button", name="Rename or remove").click()
        page.get_by_role("button", name="Remove parsers").click()
        appears(page.get_by_text("parsers was removed."))
        page.goto(f"{server}/{link}")
        appears(page.get_by_text("There is no task called parsers"))
    assert list((tmp_path / "workspace" / "contents").iterdir()) == []


def shows(page, **chosen: str) -> None:
    """Wait until drop-down lists of the sidebar have these values and the page is complete."""
    for label, value in chosen.items():
        field = page.get_by_role("combobox", name=label)
        playwright.expect(field).to_have_value(value, timeout=WAIT)
    settle(page)


def choose(page, label: str, option: str) -> None:
    """Choose an option of a drop-down list, which a click opens only once the page is complete."""
    found = page.get_by_role("option", name=option, exact=True)
    settle(page)
    insist(page.get_by_role("combobox", name=label).click, found)
    found.click()


def test_back_undoes_the_last_choice_and_then_the_last_page(server, page):
    """Two choices and a page are three steps: each Back undoes one, and Forward does it again."""
    opens(page, server, "/scores?b=10k")
    appears(page.get_by_text("All metrics"))
    choose(page, "Metric", "UAS")
    page.wait_for_url("**/scores?metric=UAS&b=10k")
    appears(page.get_by_text("metric:UAS|"))
    choose(page, "Domain", "law")
    page.wait_for_url("**metric=UAS&domain=law&b=10k")
    appears(page.get_by_text("|domain:law|"))
    page.get_by_role("link", name="Pairs").click()
    appears(page.get_by_role("heading", name="All pairs"))
    page.wait_for_url("**/pairs?metric=UAS&domain=law&b=10k")
    settle(page)
    page.go_back()
    appears(page.get_by_text("|domain:law|"))
    shows(page, Metric="UAS", Domain="law")
    page.go_back()
    page.wait_for_url("**/scores?metric=UAS&b=10k")
    shows(page, Metric="UAS", Domain="all")
    page.go_back()
    page.wait_for_url("**/scores?b=10k")
    appears(page.get_by_text("metric:LAS|"))
    shows(page, Metric="LAS", Domain="all")
    page.go_forward()
    page.wait_for_url("**/scores?metric=UAS&b=10k")
    appears(page.get_by_text("metric:UAS|"))
    shows(page, Metric="UAS", Domain="all")
