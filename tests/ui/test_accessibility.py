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
OPTIONS = {"resultTypes": ["violations"], "rules": {rule: {"enabled": False} for rule in STREAMLITS}}
# Steps of the Learn page: each is a page of its own.
STEPS = [f"learn?step={step}&" for step in ("1", "3", "6", "7")]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_fault_on_any_page(server, window, theme):
    """All rules of axe-core, whatever their impact."""
    page = window(viewport={"width": 1280, "height": 900}, color_scheme=theme)
    titles = {f"{Path(one.script).stem if one.script != 'app.py' else ''}?": one.title for one in PAGES}
    faults = []
    for address, title in (titles | dict.fromkeys(STEPS, "Learn")).items():
        page.goto(f"{server}/{address}b=10k")
        appears(page.get_by_role("heading", level=1, name=title))
        for fault in axe.Axe().run(page, options=OPTIONS).response["violations"]:
            faults += [(address, fault["id"], node["html"]) for node in fault["nodes"]]
    assert faults == []
