"""What axe-core finds on the pages (contrast, order of headings, names), and a walk through each by keyboard.

What a person reads first is looked at in the same walk: to open a page costs more than all that is looked at on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.apps import SEVERAL
from tests.browsing import OF_THEME, appears, menu_link, opens, settle, violations
from tests.ui.test_words_browser import SHOWN, begins_with_its_heading_and_few_words_and_fits_a_phone, walk
from ui.app.pages import PAGES, Page

pytestmark = pytest.mark.browser

# Tasks for pages that the usual one does not feed, which are dimmed in its menu.
FED_BY = {
    "Campaign": SEVERAL,
    "People": "ondvar-judgements",
}
# Rules that Streamlit's own elements break, and how.
STREAMLITS = {
    "presentation-role-conflict": "the box for uploads has no role, but a label; its button is what the keyboard uses",
}
OPTIONS = {"rules": {rule: {"enabled": False} for rule in STREAMLITS}}
# The background of each theme.
PAPER = {"light": "rgb(255, 255, 255)", "dark": "rgb(16, 22, 29)"}
BACKGROUND = "getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"


def test_pages_begin_with_few_words_and_neither_axe_nor_the_keyboard_finds_a_fault(server, page):
    """All rules of axe-core, whatever their impact, in both themes; the first page has the sidebar of all."""
    faults: list[object] = []
    for entry in walk(server, page, "b=10k"):
        begins_with_its_heading_and_few_words_and_fits_a_phone(page, entry)
        if entry.title not in FED_BY:
            faults += found_on(page, entry)
    rest = [entry for entry in PAGES if entry.title in FED_BY or entry not in SHOWN]
    for entry in sorted(rest, key=lambda entry: entry.title in FED_BY):
        if entry.title in FED_BY:
            opens(page, server, f"/{Path(entry.script).stem}?task={FED_BY[entry.title]}&b=10k")
        else:
            menu_link(page, entry.title)[0].click()
        appears(page.get_by_role("heading", level=1, name=entry.title, exact=True))
        faults += found_on(page, entry)
    assert faults == []


def found_on(page, entry: Page) -> Iterator[tuple[str, ...]]:
    """What axe-core and a walk by keyboard find on an open page, which stays in the theme looked at last."""
    settle(page)
    themes = sorted(PAPER, key=lambda theme: page.evaluate(BACKGROUND) != PAPER[theme])
    for theme, options in zip(themes, (OPTIONS, OPTIONS | OF_THEME), strict=True):
        page.emulate_media(color_scheme=theme)
        page.wait_for_function(f"{BACKGROUND} === '{PAPER[theme]}'")
        for fault in violations(page, options):
            yield from ((entry.title, theme, fault["id"], node["html"]) for node in fault["nodes"])
    yield from ((entry.title, *fault) for fault in found_by_keyboard(page, sidebar=entry == PAGES[0]))
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop = 0")


# The element with the focus: name, place in the page, and what shows the focus; None before the first and after the
# last one.
FOCUSED = """() => {
    let on = document.activeElement
    while (on.shadowRoot?.activeElement) on = on.shadowRoot.activeElement
    if (on === document.body) return null
    const main = document.querySelector('[data-testid=stMain]'), {x, y, width, height} = on.getBoundingClientRect()
    const {outlineStyle, boxShadow} = getComputedStyle(on)
    return {
        name: `${on.tagName} ${on.getAttribute('aria-label') || on.innerText || ''}`.slice(0, 60),
        x, bottom: y + height + main.scrollTop, top: y + main.scrollTop, drawn: width * height > 0 && on !== main,
        inMain: main.contains(on), marked: outlineStyle !== 'none' || boxShadow !== 'none',
        marks: ['A', 'BUTTON', 'SUMMARY'].includes(on.tagName),
    }
}"""
# The place before the first stop of the page itself.
INTO_MAIN = """() => {
    const main = document.querySelector('[data-testid=stMain]')
    main.tabIndex = -1
    main.focus()
}"""
# More than any page has.
STOPS = 400


def found_by_keyboard(page, sidebar: bool) -> list[tuple[str, str]]:
    """Faults in a walk by Tab from the first to the last stop: traps, an order that is not that of reading, no mark.

    The sidebar is that of all pages: it is walked through on one of them.
    """
    page.evaluate("document.activeElement.blur()" if sidebar else INTO_MAIN)
    faults, before = [], None
    for _ in range(STOPS):
        page.keyboard.press("Tab")
        on = page.evaluate(FOCUSED)
        if on is None:
            return faults if before else [("nothing can be reached", "")]
        if not on["drawn"]:
            continue
        if on["marks"] and not on["marked"]:
            faults.append(("the focus cannot be seen", on["name"]))
        # Reading goes down, and up only to the top of a column further right.
        back = before and on["inMain"] and before["inMain"] and on["bottom"] < before["top"] and on["x"] <= before["x"]
        if back:
            faults.append(("comes after what is below it", on["name"]))
        before = on
    return [*faults, ("the walk does not end", str(before))]
