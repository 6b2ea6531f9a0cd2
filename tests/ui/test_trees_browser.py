"""Trees next to each other in a real Chromium: in a row where there is room, else below each other."""

from __future__ import annotations

import io

import pytest

from nlpsig_core.data.drawings import drawing_for
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.readers import READERS

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

pytestmark = pytest.mark.browser
READER = "Bracketed trees"
GOLD = "(TOP (S (NP (NP (D the) (N man)) (PP (P of) (N Rome))) (VP (V sleeps))))\n"
PARSE = "(TOP (S (NP (D the) (N man)) (VP (PP (P of) (N Rome)) (V sleeps))))\n"
# The left and upper edge of each panel, and whether the page is wider than the window.
EDGES = "() => [...document.querySelectorAll('.panel')].map((panel) => [panel.offsetLeft, panel.offsetTop])"
TOO_WIDE = "() => document.documentElement.scrollWidth > innerWidth"


@pytest.mark.parametrize(("width", "in_a_row"), [(1000, True), (390, False)])
def test_three_trees_are_in_a_row_on_a_wide_screen_and_below_each_other_on_a_narrow_one(browser, width, in_a_row):
    gold = READERS[READER].read_gold([(io.StringIO(GOLD), "gold.txt")])
    output = READERS[READER].read(io.StringIO(PARSE), "output.txt")
    html = drawing_for(READER).beside(gold, {"first": output, "reranked": output}, 0, METRICS["F1-brackets"])
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.set_content(html)
    left, top = zip(*page.evaluate(EDGES), strict=True)
    assert len(set(left)) == (3 if in_a_row else 1)
    assert len(set(top)) == (1 if in_a_row else 3)
    assert not page.evaluate(TOO_WIDE)
    page.close()
