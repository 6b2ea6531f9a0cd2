"""The app in a real Chromium, as a person uses it."""

from __future__ import annotations

import itertools

import pytest

from tests.browsing import appears, opens
from tests.builders import GOLD, OTHER, write

# Seeds of runs that no test has started before, also when it is run again.
SEEDS = itertools.count(77)
pytestmark = pytest.mark.browser


def test_a_newcomer_walks_from_the_sample_to_a_pair(server, page):
    opens(page, server, "/")
    appears(page.get_by_text("Best systems"))
    page.get_by_role("link", name="Every pair of systems").click()
    appears(page.get_by_text("Above this gain, pairs usually differ"))
    page.locator(".scatterlayer .point").first.wait_for(state="attached")
    some = page.locator(".scatterlayer .point").count()
    page.get_by_role("radio", name="all", exact=True).click()
    page.wait_for_function("document.querySelectorAll('.scatterlayer .point').length === 376")
    assert 100 < some < 376
    assert page.locator("[data-testid=stException]").count() == 0


def test_a_measure_of_rankings_may_be_typed(server, page):
    opens(page, server, "/scores?task=sorvan-rankings&b=10k")
    appears(page.get_by_text("metric:nDCG@10|").first)
    box = page.get_by_role("combobox", name="Metric")
    box.fill("Rprec")
    box.press("Enter")
    appears(page.get_by_text("metric:Rprec|").first)
    page.wait_for_url("**metric=Rprec**")
    box.fill("nonsense")
    box.press("Enter")
    appears(page.get_by_text("nonsense is no measure"))
    appears(page.get_by_text("metric:nDCG@10|").first)


def test_a_row_of_the_units_opens_its_sentence(server, page):
    opens(page, server, "/pair?b=10k")
    opened = page.get_by_role("spinbutton", name="Sentence to open")
    appears(opened)
    before, drawn = opened.input_value(), page.locator(".unit-drawing").first.text_content()
    table = page.locator("[data-testid=stDataFrame]").first
    table.scroll_into_view_if_needed()
    table.locator("canvas td").first.wait_for(state="attached")
    # The box in front of the third row.
    table.click(position={"x": 18, "y": 35 * 3 + 17})
    page.wait_for_function(
        "before => document.querySelector('[aria-label=\"Sentence to open\"]').value !== before", arg=before
    )
    page.wait_for_function("drawn => document.querySelector('.unit-drawing').textContent !== drawn", arg=drawn)


def test_a_folder_is_uploaded_as_it_lies(server, page, tmp_path):
    files = {"00-gold-standard/en.conllu": GOLD, "A/en.conllu": GOLD, "B/en.conllu": OTHER}
    package = write(tmp_path / "package", files)
    opens(page, server, "/?b=10k")
    appears(page.get_by_text("Best systems"))
    page.get_by_role("tab", name="Folder", exact=True).click()
    page.locator("section[aria-label=Folder] input").set_input_files(package)
    appears(page.get_by_role("heading", name="package (uploaded)"))


def test_noise_is_set_on_a_phone(server, page):
    """The figure is wider than the phone and scrolls; the page does not. The slider changes the text and the link."""
    page.set_viewport_size({"width": 390, "height": 844})
    opens(page, server, "/confidence?b=10k")
    appears(page.get_by_role("button", name="Save figure"))
    page.get_by_text("See KD-Fix at work").click()
    page.locator(".st-key-votes_figure .scatterlayer").first.wait_for(state="attached")
    wider = "e => e.scrollWidth - e.clientWidth"
    assert page.locator(".st-key-votes_figure").evaluate(wider) > 200
    assert page.locator("[data-testid=stMain]").evaluate(wider) <= 1
    slider = page.locator("[data-testid=stSlider] input, [data-testid=stSlider] [role=slider]").last
    slider.focus()
    slider.press("Home")
    page.get_by_text("All 50 trees are the parser's own tree").wait_for()
    page.wait_for_url("**votes_noise=0.0**")


def test_the_work_can_be_stopped_and_run_again(server, page):
    stop = page.get_by_role("button", name="Stop", exact=True)
    opens(page, server, f"/scores?b=10M&seed={next(SEEDS)}")
    stop.click()
    appears(page.get_by_text("Stopped at"))
    page.get_by_role("button", name="Run again").click()
    stop.click()
    stop.wait_for(state="detached")
    appears(page.get_by_text("Stopped at"))
