"""Three newcomers in a real Chromium, with their actions counted; none of them may need to scroll."""

from __future__ import annotations

import re

import pytest

from tests.apps import ROOT
from tests.browsing import appears, centre, drop, settle

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

pytestmark = pytest.mark.browser

LAPTOP = {"width": 1280, "height": 800}
# A lecture hall's 1920 x 1080 at 150%.
HALL = {"width": 1280, "height": 720}
FILES = (ROOT / "sample_data" / "brelda-parsing.zip").read_bytes()
SCROLLED = "[...document.querySelectorAll('[data-testid=stMain], html')].some(one => one.scrollTop > 0)"


class Walk:
    """What a person does in a window: every action is counted, and must be possible without a scroll."""

    def __init__(self, page, size: dict[str, int]) -> None:
        page.set_viewport_size(size)
        self.page, self.actions = page, 0

    def opens(self, address: str, seen: str) -> None:
        """The first page of the walk."""
        self.page.goto(address)
        appears(self.page.get_by_text(seen))

    def drops(self, name: str, content: bytes, seen: str) -> None:
        """An upload."""
        self.actions += 1
        drop(self.page, name, content)
        appears(self.page.get_by_text(seen))

    def clicks(self, locator, seen) -> None:
        """A click on something in the window."""
        self.sees(locator)
        self.actions += 1
        locator.click()
        appears(seen)

    def sees(self, locator) -> None:
        """The whole of something is in the window, which was not scrolled."""
        settle(self.page)
        box, size = locator.first.bounding_box(), self.page.viewport_size
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= size["height"], f"{box} is below the window"
        assert not self.page.evaluate(SCROLLED)


def test_a_student_gets_from_an_upload_to_the_sentence_of_the_paper(server, page):
    """Upload, every pair, look closer: the verdict and the sentence, which says the same, are in the window."""
    walk = Walk(page, LAPTOP)
    walk.opens(f"{server}/?b=10k", "Best systems")
    walk.drops("outputs.zip", FILES, "is open:")
    walk.sees(page.get_by_text("is open:"))
    closer = page.get_by_role("link", name="Look closer")
    walk.clicks(page.get_by_role("link", name="Next: test every pair"), closer)
    walk.clicks(closer, page.get_by_text("What if they are left out?"))
    verdict = page.get_by_text("Yes on its own, not among all 378 pairs: Quennaro-joint beats Oskblit-joint")
    walk.sees(verdict)
    assert "p = 0.013; corrected 1.0" in verdict.inner_text()
    sentence = page.get_by_text(re.compile("^On outputs"))
    page.get_by_text("For a paper").click()
    appears(sentence)
    assert "two-sided p = 0.013 by Student's t" in sentence.inner_text()
    assert "not significant after Holm's correction" in sentence.inner_text()
    assert walk.actions <= 4


def test_an_organiser_gets_from_an_upload_to_the_report(server, page):
    """Upload, ranking, report: whether the winner has won stands before the figure."""
    walk = Walk(page, LAPTOP)
    walk.opens(f"{server}/?b=10k", "Best systems")
    walk.drops("outputs.zip", FILES, "is open:")
    walk.sees(page.get_by_text("is open:"))
    walk.clicks(page.get_by_role("link", name="Next: the ranking of its systems"), page.get_by_text("All metrics"))
    verdict = page.get_by_text("Yes on its own, not among all 378 pairs: Quennaro-joint beats Oskblit-joint")
    walk.sees(verdict)
    assert "p = 0.013; corrected 1.0" in verdict.inner_text()
    report = page.get_by_role("button", name=re.compile(r"HTML, .* works offline"))
    walk.clicks(page.get_by_role("button", name="Report"), report)
    walk.sees(report)
    with page.expect_download() as got:
        walk.actions += 1
        report.click()
    assert got.value.suggested_filename == "outputs-report.html"
    assert walk.actions <= 4


def test_a_lecturer_shows_the_figure_and_the_film(server, page):
    """The figure of all pairs is in the window of a lecture hall at once; the film takes two actions to begin."""
    walk = Walk(page, HALL)
    walk.opens(f"{server}/pairs?b=10k", "Look closer")
    figure = page.locator(".js-plotly-plot").first
    figure.locator(".scatterlayer .point").first.wait_for(state="attached")
    settle(page)
    top, height = figure.bounding_box()["y"], page.viewport_size["height"]
    assert top < 0.3 * height
    assert centre(page.locator(".xtitle").first)[1] < height
    walk.clicks(page.get_by_role("link", name="Learn"), page.get_by_role("button", name="Start the film"))
    walk.clicks(page.get_by_role("button", name="Start the film"), page.get_by_role("dialog"))
    walk.sees(page.locator("dialog svg, dialog canvas"))
    walk.sees(page.get_by_role("button", name="Show the answer"))
    assert walk.actions <= 2
