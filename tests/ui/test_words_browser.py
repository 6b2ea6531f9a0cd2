"""What a person reads first: few words, the heading of the page, and a short way to it; on a phone, too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browsing import appears, menu_link, opens, settle
from ui.app.pages import PAGES, Page
from ui.open.tasks import FIRST

pytestmark = pytest.mark.browser

# Words in a window of 1400 x 900, without the sidebar, the entries of tables, and the names of tasks to choose from.
MOST = 120
SIZE, PHONE = {"width": 1400, "height": 900}, {"width": 390, "height": 844}
# The glossary and the lessons are there to be read.
READ = ("Glossary", "Learn")
WORDS = """() => {
    const main = document.querySelector('[data-testid=stMain]')
    const text = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
    const apart = 'style, script, svg, table, [data-testid=stIconMaterial], [data-testid=stButtonGroup], '
        + 'details:not([open]) > *:not(summary)'
    const words = []
    while (text.nextNode()) {
        const around = text.currentNode.parentElement
        if (around.closest(apart)) continue
        if (!around.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue
        const range = document.createRange()
        range.selectNodeContents(text.currentNode)
        const box = range.getBoundingClientRect()
        if (box.width < 2 || box.height < 2 || box.bottom <= 0 || box.top >= innerHeight) continue
        words.push(...text.currentNode.textContent.split(/\\s+/).filter(word => /[\\p{L}\\p{N}]/u.test(word)))
    }
    return words
}"""
WIDER = "(({scrollWidth, clientWidth}) => scrollWidth - clientWidth)(document.querySelector('[data-testid=stMain]'))"
SHOWN = [entry for entry in PAGES if entry.title not in READ and not entry.campaign]


def walk(server, page, choices: str) -> Iterator[Page]:
    """Go through all pages, in which nothing fails in the browser and nothing outside is asked for."""
    faults: list[str] = []
    asked: set[str] = set()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: asked.add(request.url.split("/")[2]) if "://" in request.url else None)
    page.set_viewport_size(SIZE)
    page.goto(f"{server}/?{choices}")
    for entry in SHOWN:
        if entry != PAGES[0]:
            link, dimmed = menu_link(page, entry.title)
            if dimmed:
                opens(page, server, f"/{Path(entry.script).stem}?{choices}")
            else:
                link.click()
        appears(page.get_by_role("heading", level=1, name=entry.title, exact=True))
        page.mouse.move(SIZE["width"] - 1, SIZE["height"] - 1)
        yield entry
    assert faults == []
    assert asked == {server.removeprefix("http://")}


def begins_with_its_heading_and_few_words_and_fits_a_phone(page, entry: Page) -> None:
    """Assert it of an open page."""
    assert page.evaluate("document.querySelector('h1, h2, h3, h4').tagName") == "H1"
    words = page.evaluate(WORDS)
    assert 5 < len(words) <= MOST, f"{entry.title}: {' '.join(words)}"
    page.set_viewport_size(PHONE)
    settle(page)
    assert page.evaluate(WIDER) <= 1, entry.title
    page.set_viewport_size(SIZE)


def test_pages_begin_with_their_heading_and_few_words_and_fit_a_phone(server, page):
    """With the real task that the app opens, whose results come with the package.

    With the sample of these tests, the walk with axe-core does the same.
    """
    for entry in walk(server, page, f"task={FIRST}"):
        begins_with_its_heading_and_few_words_and_fits_a_phone(page, entry)


def test_the_first_stop_of_the_keyboard_leads_past_the_menu(server, page):
    page.goto(server)
    appears(page.get_by_role("button", name=re.compile("Upload$")))
    stops = []
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    while "Upload" not in stops and len(stops) < 10:
        page.keyboard.press("Tab")
        stops.append(page.evaluate("document.activeElement.innerText.trim().split('\\n').pop()"))
    settle(page)
    assert stops[-1] == "Upload"
