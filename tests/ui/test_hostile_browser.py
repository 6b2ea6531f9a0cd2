"""Texts of files are texts: a task full of markup and formulas goes through every page, hover, drawing and export."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.browsing import appears, centre, drop, insist, menu_link, settle
from tests.builders import zipped
from tests.ui import hostile
from ui.app.pages import PAGES

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

pytestmark = pytest.mark.browser


@pytest.fixture
def page(window, server):
    """A page in which the server's headers forbid nothing; in the end nothing ran and nothing was asked elsewhere."""
    page = window(viewport={"width": 1280, "height": 1400}, accept_downloads=True, bypass_csp=True)
    faults: list[str] = []
    page.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))
    own = (server, server.replace("http", "ws"), "data:", "blob:", "file:")
    page.on("request", lambda asked: None if asked.url.startswith(own) else faults.append(asked.url))
    yield page
    assert faults == []


def nothing_hit(page, calm: bool = True) -> None:
    """Assert that no text of the task was read as markup in any frame of the page, and none ran."""
    if calm:
        settle(page)
    for frame in page.frames:
        assert frame.evaluate(hostile.FOUND, hostile.WORDS) == [], page.url


def save(page, panel: str) -> bytes:
    """Return the page that the button of a panel saves."""
    settle(page)
    page.get_by_role("button", name=panel).last.click()
    with page.expect_download() as got:
        page.get_by_role("button", name=re.compile("^HTML")).last.click()
    nothing_hit(page)
    page.keyboard.press("Escape")
    return Path(got.value.path()).read_bytes()


def hover(page) -> None:
    """Point at a dot of the first figure, and read what appears."""
    label = page.locator(".hoverlayer .hovertext").first
    insist(lambda: page.mouse.move(*centre(page.locator(".scatterlayer .point").first)), label)
    nothing_hit(page)


def test_no_text_of_a_task_becomes_markup(server, page, tmp_path):
    """Every page that the task feeds, hovers, the drawings of Pair and Confidence, a saved figure, and the report."""
    page.goto(f"{server}/?b=10k")
    appears(page.get_by_text("Best systems"))
    drop(page, f"<img src=x onerror={hostile.RUN}>.zip", zipped(hostile.files()))
    appears(page.get_by_text("is open:"))
    nothing_hit(page)
    for entry in PAGES[1:]:
        link, dimmed = menu_link(page, entry.title)
        if dimmed:
            continue
        link.click()
        appears(page.get_by_role("heading", name=entry.title, exact=True, level=1))
        nothing_hit(page)
        if entry.title in ("Scores", "Pairs"):
            hover(page)
        if entry.title == "Scores":
            pages = {panel: save(page, panel) for panel in ("Save figure", "Report")}
    for name, content in pages.items():  # as files: the reader of one may have allowed its scripts
        path = tmp_path / f"{name}.html"
        path.write_bytes(content)
        page.goto(path.as_uri())
        page.locator(".js-plotly-plot .main-svg").first.wait_for(state="attached")
        nothing_hit(page, calm=False)
