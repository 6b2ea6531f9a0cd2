"""Figures saved in a real Chromium: of the width of a column, with their font."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.browsing import appears, settle

SVG = "http://www.w3.org/2000/svg"
pytestmark = pytest.mark.browser


def saving(page, server: str):
    """The panel that saves the scatter, at the width of a column."""
    page.add_init_script("window.print = () => { parent.printed = document.documentElement.outerHTML }")
    page.goto(f"{server}/pairs?b=10k")
    appears(page.get_by_role("button", name="Save figure"))
    page.locator(".modebar-btn").first.wait_for(state="attached")
    page.get_by_role("button", name="Save figure").click()
    page.locator(".kinds button").first.wait_for()
    settle(page)
    return page.locator(".kinds button")


def test_a_figure_is_saved_at_the_width_of_a_column_with_its_font(server, page):
    """On white in the dark theme, 3.3 inches wide; its signature is in the metadata, not drawn. A PNG has 384 dpi."""
    page.emulate_media(color_scheme="dark")
    buttons = saving(page, server)
    with page.expect_download() as got:
        buttons.filter(has_text="SVG").click()
    svg = ElementTree.parse(got.value.path()).getroot()
    drawn = {
        of: "".join(node.text or "" for node in svg.iter(f"{{{SVG}}}{of}")) for of in ("text", "metadata", "style")
    }
    assert svg.get("width") == "3.3in"
    assert "b:10000" in drawn["metadata"]
    assert "b:10000" not in drawn["text"]
    assert "url(data:font/woff2;base64," in drawn["style"]
    assert all("Roboto" in text.get("style") for text in svg.iter(f"{{{SVG}}}text"))
    assert "rgb(255, 255, 255)" in next(svg.iter(f"{{{SVG}}}rect")).get("style")
    with page.expect_download() as got:
        buttons.filter(has_text="PNG").click()
    head = Path(got.value.path()).read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    assert int.from_bytes(head[16:20], "big") == 4 * 317


def test_a_pdf_has_the_size_of_the_figure_and_its_font(server, page, window):
    """The browser prints one page of 3.3 inches, 238 points, into which it puts the font."""
    saving(page, server).filter(has_text="PDF").click()
    page.wait_for_function("window.printed")
    alone = window()
    alone.set_content(page.evaluate("window.printed"))
    alone.evaluate("document.fonts.ready")
    pdf = alone.pdf(prefer_css_page_size=True, print_background=True)
    assert re.findall(rb"/MediaBox \[0 0 (\d+)", pdf) == [b"238"]
    assert b"/FontFile2" in pdf
    assert b"Roboto" in pdf
