"""Tables and figures saved in a real Chromium: with their signature, at the width of a column, with their font."""

from __future__ import annotations

import re
import shutil
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from tests.browsing import CONTRAST, appears, opens, settle

SVG = "http://www.w3.org/2000/svg"
pytestmark = pytest.mark.browser


def test_tables_and_figures_can_be_taken_away(server, page, window, tmp_path):
    """The signature, a CSV with one and 378 pairs, a page of 376 dots that needs no network, and figures for papers."""
    page.emulate_media(color_scheme="dark")
    page.add_init_script("window.print = () => { parent.printed = document.documentElement.outerHTML }")
    page.goto(f"{server}/pairs?b=10k&reach=all")
    appears(page.get_by_text("metric:LAS|test:bootstrap"))
    page.locator(".scatterlayer .point").first.wait_for(state="attached")

    def saved(button) -> Path:
        with page.expect_download() as got:
            button.dispatch_event("click")
        assert got.value.suggested_filename.startswith("nlpsig-brelda-parsing-")
        return Path(got.value.path())

    page.get_by_role("button", name="Save table").last.click()
    lines = saved(page.get_by_role("button", name="CSV", exact=True)).read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# metric:LAS|test:bootstrap|b:10000|seed:0|unit:sentence|n:")
    assert len(lines) == 2 + 378

    page.evaluate("document.addEventListener('copy', () => { window.copied = getSelection().toString() })")
    page.get_by_role("button", name="Copy").last.click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("window.copied") == page.get_by_text("metric:LAS|").last.text_content()

    page.get_by_role("button", name="Save figure").first.click()
    kinds = page.locator(".kinds button")
    kinds.first.wait_for()
    settle(page)
    is_svg(saved(kinds.filter(has_text="SVG")))
    head = saved(kinds.filter(has_text="PNG")).read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    assert int.from_bytes(head[16:20], "big") == 4 * 317, "384 dpi"
    offline = window(offline=True)
    shutil.copy(saved(page.get_by_role("button", name="HTML, interactive")), tmp_path / "figure.html")
    offline.goto((tmp_path / "figure.html").as_uri())
    offline.locator(".scatterlayer .point").first.wait_for(state="attached")
    assert offline.locator(".scatterlayer .point").count() == 376
    kinds.filter(has_text="PDF").dispatch_event("click")
    page.wait_for_function("window.printed")
    is_pdf(window(), page.evaluate("window.printed"))


def test_a_page_on_paper_is_short_and_has_no_sidebar(server, tab):
    """The list of 378 pairs covered the figure and what follows, on many pages; figures were cut off."""
    page = tab(width=1400)
    opens(page, server, "/pairs?b=10k")
    appears(page.get_by_role("button", name="Report"))
    page.emulate_media(media="print")
    assert not page.get_by_test_id("stSidebar").is_visible()
    assert not page.locator(".pair-list").is_visible()
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(format="A4"))) <= 3


def test_paper_is_white_in_the_dark_theme(server, tab):
    """Texts have the contrast of the light theme, and tables, which are pictures, are dark on light."""
    page = tab(width=1400, color_scheme="dark")
    opens(page, server, "/pair?b=10k")
    appears(page.get_by_text("Without 4 sentences"))
    page.emulate_media(media="print", color_scheme="dark")
    texts = "h1, h2, p, label, .unit-drawing span, .annotation-text, [class*=tick] > text"
    assert not page.get_by_test_id("stMain").evaluate(CONTRAST, texts)
    with Image.open(BytesIO(page.get_by_test_id("stDataFrame").first.screenshot())) as picture:
        assert np.asarray(picture.convert("L")).mean() > 200


def test_paper_has_no_shadows_and_no_pale_lines(server, tab):
    """The box of a wide figure had black edges in the dark theme; captions, which are small, and lines were grey."""
    page = tab(width=1400, color_scheme="dark")
    opens(page, server, "/confidence?b=10k&votes_noise=3")
    appears(page.get_by_text("dashed: random order"))
    appears(page.locator(".st-key-votes_figure .js-plotly-plot"))
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator(".st-key-votes_figure").evaluate("box => getComputedStyle(box).backgroundImage") == "none"
    opacities = """captions => captions.flatMap(caption => [caption, ...caption.querySelectorAll("*")])
        .map(node => getComputedStyle(node).opacity)"""
    assert set(page.get_by_test_id("stCaptionContainer").evaluate_all(opacities)) == {"1"}
    lines = page.locator(".js-plotly-plot").first.locator(".js-line, .shape-group path").all()
    strokes = [line.evaluate("node => getComputedStyle(node).stroke") for line in lines]
    assert sorted(strokes) == ["rgb(0, 114, 178)", "rgb(74, 85, 97)", "rgb(74, 85, 97)"]
    icons = page.get_by_test_id("stMain").get_by_test_id("stTooltipIcon").locator("svg")
    assert set(icons.evaluate_all("icons => icons.map(icon => getComputedStyle(icon).stroke)")) == {"rgb(0, 0, 0)"}


def is_svg(path: Path) -> None:
    """On white in the dark theme, 3.3 inches wide; the signature is in the metadata, not drawn."""
    svg = ElementTree.parse(path).getroot()
    text, metadata, style = (
        "".join(node.text or "" for node in svg.iter(f"{{{SVG}}}{tag}")) for tag in ("text", "metadata", "style")
    )
    assert svg.get("width") == "3.3in"
    assert ("b:10000" in metadata, "b:10000" in text) == (True, False)
    assert "url(data:font/woff2;base64," in style
    assert all("Roboto" in node.get("style") for node in svg.iter(f"{{{SVG}}}text"))
    assert "rgb(255, 255, 255)" in next(svg.iter(f"{{{SVG}}}rect")).get("style")


def is_pdf(alone, printed: str) -> None:
    """The browser prints one page of 3.3 inches, 238 points, into which it puts the font."""
    alone.set_content(printed)
    alone.evaluate("document.fonts.ready")
    pdf = alone.pdf(prefer_css_page_size=True, print_background=True)
    assert re.findall(rb"/MediaBox \[0 0 (\d+)", pdf) == [b"238"]
    assert b"/FontFile2" in pdf
    assert b"Roboto" in pdf
