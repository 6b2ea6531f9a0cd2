"""The app in a real Chromium, as a person uses it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from nlpsig_core.task.loading import SAMPLES
from tests.builders import conllu, zipped

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

MAIN, SEVERAL = "brelda-parsing", "orvan-three-test-sets"
WAIT = 60_000
pytestmark = pytest.mark.browser


def test_a_newcomer_walks_from_the_sample_to_a_pair(server, page):
    page.goto(server)
    page.get_by_text("Best systems").wait_for()
    page.get_by_role("link", name="Every pair of systems").click()
    page.get_by_text("Above this gain, pairs are usually significant").wait_for()
    page.locator(".scatterlayer .point").first.wait_for(state="attached")
    some = page.locator(".scatterlayer .point").count()
    page.get_by_role("radio", name="all", exact=True).click()
    page.wait_for_function("document.querySelectorAll('.scatterlayer .point').length === 377")
    assert 100 < some < 377
    assert page.locator("[data-testid=stException]").count() == 0


# The pair that is chosen; "" while the elements of the page before are still there.
ONLY_PAIR = (
    "(fields => fields.length === 1 ? fields[0].value : '')"
    "(document.querySelectorAll('[aria-label*=\"Pair, winner\"]'))"
)


def test_a_click_on_a_dot_shows_its_pair_and_leads_to_its_page(server, page):
    page.goto(f"{server}/pairs?b=10k")
    page.get_by_role("heading", name="One pair").wait_for()
    chosen = page.get_by_role("combobox", name="Pair, winner first, by gain")
    before = chosen.input_value()
    page.locator(".scatterlayer .point").first.wait_for(state="attached")
    page.wait_for_timeout(1_000)
    points = page.locator(".scatterlayer .point")
    box = next(b for b in (points.nth(i).bounding_box() for i in range(0, 300, 7)) if b and 300 < b["y"] < 650)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.locator(".hoverlayer .hovertext").wait_for()
    hovered = page.locator(".hoverlayer .hovertext").text_content()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_function(f"before => {ONLY_PAIR} && {ONLY_PAIR} !== before", arg=before)
    winner, loser = page.evaluate(ONLY_PAIR).split(" over ")
    assert winner in hovered
    assert loser in hovered
    page.get_by_role("link", name="Look closer").click()
    page.get_by_role("heading", name="Where does it come from?").wait_for()
    page.wait_for_function(f"chosen => {ONLY_PAIR} === chosen", arg=f"{winner} over {loser}")
    page.locator(".unit-drawing", has_text=winner).first.wait_for()


def test_a_row_of_the_units_opens_its_sentence(server, page):
    page.goto(f"{server}/pair?b=10k")
    opened = page.get_by_role("spinbutton", name="Sentence to open")
    opened.wait_for()
    before, drawn = opened.input_value(), page.locator(".unit-drawing").first.text_content()
    table = page.locator("[data-testid=stDataFrame]").nth(1)
    table.scroll_into_view_if_needed()
    page.wait_for_timeout(1_000)
    # The box in front of the third row.
    table.click(position={"x": 18, "y": 35 * 3 + 17})
    page.wait_for_function(
        "before => document.querySelector('[aria-label=\"Sentence to open\"]').value !== before", arg=before
    )
    page.wait_for_function("drawn => document.querySelector('.unit-drawing').textContent !== drawn", arg=drawn)


def test_tables_and_figures_can_be_taken_away(server, page, browser, tmp_path):
    page.goto(f"{server}/pairs?b=10k&reach=all")
    page.get_by_role("heading", name="All pairs").wait_for()
    page.get_by_text("metric:LAS|test:bootstrap").last.wait_for()
    page.locator(".barlayer .point").first.wait_for(state="attached")
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
    offline = browser.new_context(offline=True).new_page()
    offline.goto(saved.as_uri())
    offline.locator(".scatterlayer .point").first.wait_for(state="attached")
    assert offline.locator(".scatterlayer .point").count() == 377


@pytest.mark.parametrize("kind", ["SVG", "PNG"])
def test_the_camera_saves_the_figure(server, page, kind):
    page.goto(f"{server}/scores?b=10k")
    page.get_by_role("button", name="Save figure").click()
    page.get_by_role("radio", name=kind).click()
    page.wait_for_timeout(1_500)
    page.keyboard.press("Escape")
    page.locator(".modebar-btn").first.wait_for(state="attached")
    with page.expect_download() as got:
        page.locator('.modebar-btn[data-title^="Download plot"]').first.dispatch_event("click")
    head = Path(got.value.path()).read_bytes()[:8]
    assert head == b"\x89PNG\r\n\x1a\n" if kind == "PNG" else head.startswith(b"<svg")


GOLD = conllu("a/0/root b/1/obj c/1/obl", "d/0/root e/1/obj")
SYSTEM = conllu("a/0/root b/1/obj c/2/obl", "d/0/root e/1/obj")


def test_own_files_are_opened_edited_and_kept(server, page):
    page.goto(f"{server}/?b=10k")
    archive = zipped({"gold.conllu": GOLD, "systems/North__1.conllu": GOLD, "systems/South__1.conllu": SYSTEM})
    upload = {"name": "mine.zip", "mimeType": "application/zip", "buffer": archive}
    page.locator("input[type=file]").first.set_input_files([upload])
    page.get_by_role("heading", name="mine (uploaded)").wait_for()
    page.get_by_role("link", name="Scores").click()
    page.get_by_role("heading", name="Scores").wait_for()
    page.get_by_text("Rank ranges").wait_for()
    assert page.get_by_role("combobox", name="Task").input_value() == "mine (uploaded)"


def edit_cell(page, grid, x: int, y: int) -> None:
    """Open the editor of the cell at this point of a grid, which moves while the page is still being drawn."""
    for _ in range(20):
        box = grid.bounding_box()
        page.mouse.dblclick(box["x"] + x, box["y"] + y)
        try:
            page.locator("#portal textarea").wait_for(timeout=3_000)
            break
        except playwright.TimeoutError:
            continue
    page.wait_for_timeout(500)  # the grid's editor takes keys a little after it is there


def test_an_edited_group_is_shown_and_changes_the_classes(server, page):
    """The second sample has six groups; the one of the first system is gone when it joins another one's."""
    page.set_viewport_size({"width": 1280, "height": 1600})
    page.goto(f"{server}/?b=10k&task={SEVERAL}")
    page.get_by_text("Cells are editable").wait_for()
    edit_cell(page, page.locator("[data-testid=stDataFrame]").last, 150, 52)
    page.keyboard.press("Control+A")
    page.keyboard.type("Feltrony", delay=20)
    page.wait_for_timeout(300)
    page.keyboard.press("Enter")
    read = "document.querySelectorAll('[data-testid=stMetricValue]')[1]?.innerText === '5'"
    page.wait_for_function(read)
    page.get_by_role("link", name="Pairs").click()
    page.get_by_role("heading", name="All pairs").wait_for()
    page.get_by_role("link", name="Shared task").click()
    page.get_by_text("Best systems").wait_for()
    page.wait_for_function(read)


def test_a_folder_is_uploaded_as_it_lies(server, page, tmp_path):
    package = tmp_path / "package"
    for path, text in {"00-gold-standard/en.conllu": GOLD, "A/en.conllu": GOLD, "B/en.conllu": SYSTEM}.items():
        (package / path).parent.mkdir(parents=True, exist_ok=True)
        (package / path).write_text(text, encoding="utf-8")
    page.goto(f"{server}/?b=10k")
    page.get_by_role("tab", name="Folder", exact=True).click()
    page.locator("input[type=file][webkitdirectory]").set_input_files(package)
    page.get_by_role("heading", name="package (uploaded)").wait_for()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("script", ["", "scores", "pairs"])
def test_every_page_fits_a_phone_and_is_quiet(server, browser, script, theme):
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=theme)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{server}/{script}?b=10k")
    page.get_by_text("All metrics" if script == "scores" else "All pairs" if script else "Best systems").wait_for()
    page.wait_for_timeout(500)
    main = "document.querySelector('[data-testid=stMain]')"
    assert page.evaluate(f"{main}.scrollWidth - {main}.clientWidth") <= 1
    assert faults == []
    context.close()


@pytest.mark.parametrize("script", ["learn?step=7", "confidence?"])
def test_noise_is_set_on_a_phone(server, browser, script):
    """The figure is wider than the phone and scrolls; the page does not. The slider changes the text and the link."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{server}/{script}&b=10k")
    page.get_by_text("An arc is as thick as its votes").wait_for(timeout=WAIT)
    wider = "e => e.scrollWidth - e.clientWidth"
    assert page.locator(".st-key-votes_figure").evaluate(wider) > 200
    assert page.locator("[data-testid=stMain]").evaluate(wider) <= 1
    slider = page.locator("[data-testid=stSlider] input, [data-testid=stSlider] [role=slider]").last
    slider.focus()
    slider.press("Home")
    page.get_by_text("All 50 trees are the parser's own tree").wait_for(timeout=WAIT)
    page.wait_for_url("**votes_noise=0.0**")
    context.close()


def test_nothing_outside_is_asked_for(server, page):
    asked: set[str] = set()
    page.on("request", lambda request: asked.add(request.url.split("/")[2]) if "://" in request.url else None)
    page.goto(f"{server}/pairs?b=10k")
    page.get_by_role("heading", name="All pairs").wait_for()
    assert asked == {server.removeprefix("http://")}


def test_a_real_shared_task_opens(server, page, real_data):
    page.goto(f"{server}/pairs?task={real_data.resolve() / 'dep.conll2017.zh'}&sides=one&adjust=none")
    page.get_by_role("heading", name="All pairs").wait_for()
    page.get_by_text("1.37 LAS").wait_for()
    page.get_by_text("of 2,006)").wait_for(state="attached")


def test_the_work_can_be_stopped_and_run_again(server, page):
    page.goto(f"{server}/scores?b=10k000&seed=77")
    page.get_by_role("button", name="Stop", exact=True).click()
    page.get_by_text("Stopped at").wait_for()
    page.get_by_role("button", name="Run again").click()
    page.get_by_role("button", name="Stop", exact=True).click()
    page.get_by_text("Stopped at").wait_for()


def test_samples_are_small():
    assert sum(path.stat().st_size for path in SAMPLES.glob("*.zip")) < 5_000_000
