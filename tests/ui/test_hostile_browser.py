"""Texts of files are texts: a task full of markup and formulas goes through every page, hover, drawing and export."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.browsing import appears, centre, drop, insist, settle
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


def nothing_hit(page) -> None:
    """No text of the task was read as markup in any frame of the page, and none ran."""
    settle(page)
    for frame in page.frames:
        assert frame.evaluate(hostile.FOUND, hostile.WORDS) == [], page.url


def hover(page) -> None:
    """Point at a dot of the first figure, and read what appears."""
    label = page.locator(".hoverlayer .hovertext").first
    insist(lambda: page.mouse.move(*centre(page.locator(".scatterlayer .point").first)), label)
    nothing_hit(page)


def save(page, panel: str, *names: str) -> dict[str, bytes]:
    """What the buttons of a panel save, by the names of the files."""
    settle(page)
    page.get_by_role("button", name=panel).last.click()
    saved = {}
    for name in names:
        with page.expect_download() as got:
            page.get_by_role("button", name=re.compile(name)).last.click()
        saved[got.value.suggested_filename] = Path(got.value.path()).read_bytes()
    nothing_hit(page)
    page.keyboard.press("Escape")
    return saved


def opened(page, folder: Path, pages: dict[str, bytes]) -> None:
    """Saved pages open as files without a hit; the reader of one may have allowed its scripts."""
    for name, content in pages.items():
        path = folder / name
        path.write_bytes(content)
        page.goto(path.as_uri())
        page.locator(".js-plotly-plot .main-svg").first.wait_for(state="attached")
        for frame in page.frames:
            assert frame.evaluate(hostile.FOUND, hostile.WORDS) == [], name


def test_no_text_of_a_task_becomes_markup_or_a_formula(server, page, tmp_path):
    """Every page, hovers, the drawings of Pair and Confidence, saved tables and figures, and the report."""
    page.goto(f"{server}/?b=10k")
    appears(page.get_by_text("Best systems"))
    drop(page, f"<img src=x onerror={hostile.RUN}>.zip", zipped(hostile.files()))
    appears(page.get_by_text("is open:"))
    nothing_hit(page)
    pages: dict[str, bytes] = {}
    for entry in PAGES[1:]:
        page.get_by_test_id("stSidebar").get_by_role("link", name=re.compile(rf"\b{entry.title}$")).click()
        appears(page.get_by_role("heading", name=entry.title, exact=True, level=1))
        nothing_hit(page)
        if entry.title in ("Scores", "Pairs"):
            hover(page)
            tables = save(page, "Save table", "^CSV", "^Excel", "^LaTeX")
            for name, content in tables.items():
                assert hostile.formulas_in(name, content) == [], name
            pages |= save(page, "Save figure", "^HTML")
        if entry.title == "Scores":
            pages |= save(page, "Report", "^HTML")
    assert len(pages) == 3
    opened(page, tmp_path, pages)
