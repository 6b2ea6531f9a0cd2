"""The app in a real Chromium, as a person uses it."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

import pytest

from nlpsig_core.data.task import SAMPLES
from tests.browsing import appears, edit_cell, settle
from tests.builders import conllu

SEVERAL = "orvan-three-test-sets"
# Seeds of runs that no test has started before, also when it is run again.
SEEDS = itertools.count(77)
pytestmark = pytest.mark.browser


def test_a_newcomer_walks_from_the_sample_to_a_pair(server, page):
    """Nothing is asked of another server on the way."""
    asked: set[str] = set()
    page.on("request", lambda request: asked.add(request.url.split("/")[2]) if "://" in request.url else None)
    page.goto(server)
    appears(page.get_by_text("Best systems"))
    page.get_by_role("link", name="Every pair of systems").click()
    appears(page.get_by_text("Above this gain, pairs usually differ"))
    page.locator(".scatterlayer .point").first.wait_for(state="attached")
    some = page.locator(".scatterlayer .point").count()
    page.get_by_role("radio", name="all", exact=True).click()
    page.wait_for_function("document.querySelectorAll('.scatterlayer .point').length === 377")
    assert 100 < some < 377
    assert page.locator("[data-testid=stException]").count() == 0
    assert asked == {server.removeprefix("http://")}


def test_a_row_of_the_units_opens_its_sentence(server, page):
    page.goto(f"{server}/pair?b=10k")
    opened = page.get_by_role("spinbutton", name="Sentence to open")
    appears(opened)
    before, drawn = opened.input_value(), page.locator(".unit-drawing").first.text_content()
    table = page.locator("[data-testid=stDataFrame]").nth(1)
    table.scroll_into_view_if_needed()
    table.locator("canvas td").first.wait_for(state="attached")
    # The box in front of the third row.
    table.click(position={"x": 18, "y": 35 * 3 + 17})
    page.wait_for_function(
        "before => document.querySelector('[aria-label=\"Sentence to open\"]').value !== before", arg=before
    )
    page.wait_for_function("drawn => document.querySelector('.unit-drawing').textContent !== drawn", arg=drawn)


def test_tables_and_figures_can_be_taken_away(server, page, window, tmp_path):
    page.goto(f"{server}/pairs?b=10k&reach=all")
    page.get_by_role("heading", name="All pairs").wait_for()
    appears(page.get_by_text("metric:LAS|test:bootstrap"))
    page.locator(".scatterlayer .point").first.wait_for(state="attached")
    page.get_by_role("button", name="Save table").last.click()
    with page.expect_download() as got:
        page.get_by_role("button", name="CSV", exact=True).dispatch_event("click")
    lines = Path(got.value.path()).read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# metric:LAS|test:bootstrap|b:10000|seed:0|unit:sentence|n:")
    assert len(lines) == 2 + 378
    page.get_by_role("button", name="Save figure").first.click()
    with page.expect_download() as got:
        page.get_by_role("button", name="HTML, interactive").dispatch_event("click")
    saved = tmp_path / "figure.html"
    shutil.copy(got.value.path(), saved)
    offline = window(offline=True)
    offline.goto(saved.as_uri())
    offline.locator(".scatterlayer .point").first.wait_for(state="attached")
    assert offline.locator(".scatterlayer .point").count() == 377


GOLD = conllu("a/0/root b/1/obj c/1/obl", "d/0/root e/1/obj")
SYSTEM = conllu("a/0/root b/1/obj c/2/obl", "d/0/root e/1/obj")


def test_an_edited_group_is_shown_and_changes_the_classes(server, page):
    """The second sample has six groups; the one of the first system is gone when it joins another one's."""
    page.set_viewport_size({"width": 1280, "height": 1600})
    page.goto(f"{server}/?b=10k&task={SEVERAL}")
    appears(page.get_by_text("Cells are editable"))
    edit_cell(page, page.locator("[data-testid=stDataFrame]").last, 150, 52, "Feltrony")
    read = "document.querySelectorAll('[data-testid=stMetricValue]')[1]?.innerText === '5'"
    page.wait_for_function(read)
    settle(page)
    page.get_by_role("link", name="Pairs").click()
    appears(page.get_by_role("heading", name="All pairs"))
    page.get_by_role("link", name="Shared task").click()
    appears(page.get_by_text("Best systems"))
    page.wait_for_function(read)


def test_a_folder_is_uploaded_as_it_lies(server, page, tmp_path):
    package = tmp_path / "package"
    for path, text in {"00-gold-standard/en.conllu": GOLD, "A/en.conllu": GOLD, "B/en.conllu": SYSTEM}.items():
        (package / path).parent.mkdir(parents=True, exist_ok=True)
        (package / path).write_text(text, encoding="utf-8")
    page.goto(f"{server}/?b=10k")
    appears(page.get_by_text("Best systems"))
    page.get_by_role("tab", name="Folder", exact=True).click()
    page.locator("section[aria-label=Folder] input").set_input_files(package)
    appears(page.get_by_role("heading", name="package (uploaded)"))


@pytest.mark.parametrize(
    ("script", "last"),
    [("", "Best systems"), ("scores", "All metrics"), ("pairs", "All pairs"), ("atlas", "The paper's thresholds")],
)
def test_pages_fit_a_phone_and_are_quiet(server, tab, script, last):
    """In both themes."""
    page = tab(390, 844)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{server}/{script}?b=10k")
    appears(page.get_by_text(last))
    main = "document.querySelector('[data-testid=stMain]')"
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        settle(page)
        assert page.evaluate(f"{main}.scrollWidth - {main}.clientWidth") <= 1
    assert faults == []


def test_noise_is_set_on_a_phone(server, tab):
    """The figure is wider than the phone and scrolls; the page does not. The slider changes the text and the link."""
    page = tab(390, 844)
    page.goto(f"{server}/confidence?b=10k")
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
    page.goto(f"{server}/scores?b=10k000&seed={next(SEEDS)}")
    stop.click()
    appears(page.get_by_text("Stopped at"))
    page.get_by_role("button", name="Run again").click()
    stop.click()
    stop.wait_for(state="detached")
    appears(page.get_by_text("Stopped at"))


def test_samples_are_small():
    assert sum(path.stat().st_size for path in SAMPLES.glob("*.zip")) < 5_000_000
