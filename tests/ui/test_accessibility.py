"""What axe-core finds on the pages: contrast, order of headings, names, and what the keyboard reaches."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browsing import appears
from ui.app.pages import PAGES

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
pytestmark = pytest.mark.browser

# Rules that Streamlit's own elements break, and how.
STREAMLITS = {
    "presentation-role-conflict": "the box for uploads has no role, but a label; its button is what the keyboard uses",
}
FAULTS = {"resultTypes": ["violations"]}
ALL = FAULTS | {"rules": {rule: {"enabled": False} for rule in STREAMLITS}}
CONTRAST = FAULTS | {"runOnly": ["color-contrast"]}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_fault_on_any_page(server, window, theme):
    """All rules of axe-core, whatever their impact; on Learn, whose figures are its own, the contrast of text."""
    page = window(viewport={"width": 1280, "height": 900}, color_scheme=theme)
    faults = []
    for one in PAGES:
        page.goto(f"{server}/{'' if one.script == 'app.py' else Path(one.script).stem}?b=10k")
        appears(page.get_by_role("heading", level=1, name=one.title))
        found = axe.Axe().run(page, options=CONTRAST if one.title == "Learn" else ALL)
        for fault in found.response["violations"]:
            faults += [(one.title, fault["id"], node["html"]) for node in fault["nodes"]]
    assert faults == []
