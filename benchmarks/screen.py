"""``make bench-screen``: a TSV of seconds until something is seen in headless Chromium, on standard output.

``seen`` is the time until the first thing a person waits for is on the page, ``settled`` until the app has done all its
work and the page is complete, and ``goal`` what ``seen`` should be at most. Every group of rows has its own server with
empty caches, and a new window.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.browsing import CALM, WAIT, centre, launch, settle
from tests.serving import printed, serve

REAL = "dep.conll2017.zh"
SIZE = {"width": 1280, "height": 800}
# Another machine, in a network that gives each browser 10 Mbit/s (bytes a second, milliseconds).
ELSEWHERE = {"x-forwarded-for": "192.0.2.7"}
NETWORK = {"offline": False, "downloadThroughput": 1_250_000, "uploadThroughput": 1_250_000, "latency": 20}
# Seconds until something should be seen: what is computed for the first time, and what is there.
FIRST, AGAIN = 5, 1


class Watch:
    """Times what a person waits for in one window."""

    def __init__(self, page: Any, address: str) -> None:
        self.page, self.address = page, address

    def time(self, name: str, act: Callable[[], object], *seen: Callable[[], Any], goal: int = AGAIN) -> None:
        """Print a row: the time from an act until all the locators are seen, and until the page is settled."""
        start = time.perf_counter()
        act()
        for locator in seen:
            locator().first.wait_for()
        visible = time.perf_counter() - start
        settle(self.page)
        settled = max(time.perf_counter() - start - CALM / 1_000, visible)
        print(f"{name}\t{visible:.1f}\t{settled:.1f}\t{goal}", flush=True)

    def opened(self, name: str, link: str, *seen: Callable[[], Any], goal: int = AGAIN) -> None:
        """Print a row of a link opened by its address."""
        self.time(name, lambda: self.page.goto(self.address + link), *seen, goal=goal)

    def switched(self, name: str, title: str, *seen: Callable[[], Any], goal: int = AGAIN) -> None:
        """Print a row of a page opened from the menu."""
        menu = self.page.get_by_test_id("stSidebar").get_by_role("link", name=re.compile(rf"\b{title}$"))
        self.time(name, menu.click, *seen, goal=goal)

    def text(self, words: str) -> Callable[[], Any]:
        """Return a locator of words on the page."""
        return lambda: self.page.get_by_text(words)

    def heading(self, words: str) -> Callable[[], Any]:
        """Return a locator of a heading."""
        return lambda: self.page.get_by_role("heading", name=words, exact=True)

    def picture(self) -> Any:
        """Return a locator of the still picture of all pairs."""
        return self.page.locator("img[alt*=pairs]")

    def verdict(self) -> Any:
        """Return a locator of the verdict on a pair."""
        return self.page.locator("[class*=st-key-verdict-]")

    def drawn(self) -> Any:
        """Return a locator of the dots of a figure."""
        return self.page.locator(".js-plotly-plot .scatterlayer .points")


@contextmanager
def new_window(elsewhere: bool = False) -> Iterator[Watch]:
    """Start a new server with empty caches, and yield a window, as on another machine if it is ``elsewhere``."""
    from playwright.sync_api import sync_playwright

    with (
        tempfile.TemporaryDirectory() as folder,
        serve(Path(folder), NLPSIG_TASK="", NLPSIG_FOLDERS=os.environ.get("NLPSIG_REAL_DATA") or folder) as address,
        sync_playwright() as driver,
    ):
        chromium = launch(driver)
        page = chromium.new_page(viewport=SIZE, extra_http_headers=ELSEWHERE if elsewhere else {})
        if elsewhere:
            page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", NETWORK)
        page.set_default_timeout(WAIT)
        page.context.request.get(printed(Path(folder)))
        yield Watch(page, address)
        chromium.close()


def first_visit() -> None:
    """Open the first page with all pairs of a real task, as the first person after the start, then the Atlas."""
    with new_window() as watch:
        seen = watch.picture, watch.heading("Best systems")
        watch.opened("first page, first visit: all pairs of a real task", "/", *seen, goal=FIRST)
        watch.switched("Pairs, of results that come with the package", "Pairs", watch.drawn, goal=FIRST)
        watch.switched("Atlas, first visit: figure", "Atlas", watch.drawn, goal=FIRST)


def over_a_network() -> None:
    """Open pages in new windows of another machine, as in a lecture hall."""
    with new_window(elsewhere=True) as watch:
        watch.opened("first page, over 10 Mbit/s", "/", watch.picture, watch.heading("Best systems"), goal=FIRST)
    with new_window(elsewhere=True) as watch:
        watch.opened("Pairs by its link, over 10 Mbit/s", "/pairs", watch.drawn, goal=FIRST)


def walk(folder: Path) -> None:
    """Open the pages of a real task in the order in which a person does; the app has not seen it before."""
    with new_window() as watch:
        watch.page.goto(watch.address)
        settle(watch.page)
        _pages(watch, folder)
        _choices(watch)


def pair_alone(folder: Path) -> None:
    """Open the page Pair by its link in an app that has read the outputs and tested nothing."""
    with new_window() as watch:
        watch.page.goto(f"{watch.address}/scores?task={folder}&b=10k")
        settle(watch.page)
        complete = watch.heading("What if they are left out?")
        alone = watch.text("on its own. Correcting for")
        watch.opened("Pair by its link: p of the pair on its own", f"/pair?task={folder}", alone, goal=FIRST)
        watch.opened("Pair by its link: warm", f"/pair?task={folder}", watch.verdict, complete)


def _pages(watch: Watch, folder: Path) -> None:
    scores, by_score = f"/scores?task={folder}", watch.text("Systems by score")
    watch.opened("Scores, outputs not read: systems by score", scores, by_score, goal=FIRST)
    watch.opened("Scores, another metric: systems by score", f"{scores}&metric=UAS", by_score, goal=FIRST)
    watch.opened("Scores, the first metric again: verdict", scores, watch.verdict)
    watch.switched("Pairs, from Scores: figure", "Pairs", watch.drawn, goal=FIRST)
    watch.switched("Pair, from Pairs: verdict", "Pair", watch.verdict, goal=FIRST)
    watch.switched("Scores, warm", "Scores", watch.verdict)
    watch.switched("Pairs, warm", "Pairs", watch.drawn)
    watch.switched("Pair, warm", "Pair", watch.verdict)
    watch.switched("Pairs, warm again", "Pairs", watch.drawn)


def _choices(watch: Watch) -> None:
    page = watch.page
    matrix, scatter = (page.get_by_role("radio", name=name, exact=True) for name in ("matrix", "scatter"))
    watch.time("scatter to matrix", lambda: matrix.check(force=True), lambda: page.locator(".heatmaplayer image"))
    watch.time("matrix to scatter", lambda: scatter.check(force=True), watch.drawn)
    points = page.locator(".scatterlayer .point")
    point = next(points.nth(i) for i in range(0, 500, 7) if 300 < centre(points.nth(i))[1] < 650)
    page.mouse.move(*centre(point))
    page.locator(".hoverlayer .hovertext").wait_for()
    another = watch.verdict().filter(has_not_text=watch.verdict().first.inner_text())
    watch.time("a click on a dot: its card", lambda: page.mouse.click(*centre(point)), lambda: another)


def main() -> None:
    """Run every walk and print its rows."""
    print("step\tseen\tsettled\tgoal", flush=True)
    first_visit()
    over_a_network()
    folder = Path(os.environ.get("NLPSIG_REAL_DATA", "")) / REAL
    if not folder.is_dir():
        print(f"no {REAL} below NLPSIG_REAL_DATA: its rows are left out", file=sys.stderr)
        return
    walk(folder)
    pair_alone(folder)


if __name__ == "__main__":
    main()
