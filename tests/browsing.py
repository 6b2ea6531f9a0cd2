"""What the tests in a real Chromium share: how long they wait, for what, and how they act on a page that moves."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

# Options of Chromium: nothing in the background, it may run as root, and tabs of a window share a process.
QUIET = (
    "--process-per-site --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()

# Milliseconds that a browser waits for anything on a busy machine.
WAIT = 120_000
# Milliseconds between two attempts at an action.
ATTEMPT = 3_000
# Whether the page has been complete for so many milliseconds: the app's script does not run, and no element waits for
# its code. Until a run ends, Streamlit keeps elements of the run before, and one run may start the next.
CALM = 300
CALM_SINCE = """calm => {
    const state = document.querySelector('[data-testid=stApp]')?.dataset.testScriptState
    const waits = document.querySelector('[data-testid=stSkeleton]')
    if (state !== 'notRunning' || waits || window.calmSince === undefined) window.calmSince = performance.now()
    return performance.now() - window.calmSince >= calm
}"""

# Goes to a link inside the open app, as Back does, and waits for the run that this starts; whether one did in time.
GOES = """link => new Promise(started => {
    new MutationObserver((_, observer) => { observer.disconnect(); started(true) })
        .observe(document.body, {subtree: true, attributeFilter: ['data-test-script-state']})
    setTimeout(started, 10000, false)
    history.pushState(null, '', link)
    dispatchEvent(new PopStateEvent('popstate'))
})"""

# A page without motion: while the app works, its icon would have sixty pictures a second drawn. What is in a shadow
# root still moves, as the film does.
STILL = """
const still = new CSSStyleSheet()
still.replaceSync('*, ::before, ::after { animation: none !important; transition: none !important }')
document.adoptedStyleSheets.push(still)
"""

# Texts with a contrast below 4.5 with the first opaque background behind them. A canvas turns any colour into sRGB.
CONTRAST = """
(area, selector) => {
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data];
  };
  const light = (colour) => {
    const linear = (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = rgba(colour).map((v) => linear(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (node) => {
    if (node.matches(".times")) return getComputedStyle(node.previousElementSibling).fill;
    for (let at = node; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (rgba(colour)[3] === 255) return colour;
    }
    return "white";
  };
  return [...area.querySelectorAll(selector)].filter((node) => node.checkVisibility() && !node.disabled
      && node.textContent.trim()).map((node) => {
    const style = getComputedStyle(node), colour = node.closest("svg") ? style.fill : style.color;
    const [high, low] = [light(colour), light(behind(node))].sort((a, b) => b - a);
    return [node.textContent, (high + 0.05) / (low + 0.05)];
  }).filter(([, ratio]) => ratio < 4.5);
}
"""

# Options of axe-core: of all its rules, this one alone depends on the theme.
OF_THEME = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}


def launch(driver):
    """A Chromium: the machine's, else Playwright's own; playwright's Error where there is none."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    return driver.chromium.launch(executable_path=found, args=QUIET)


def window_of(browser, **options):
    """A window without a page, given what it is like."""
    context = browser.new_context(**options)
    context.set_default_timeout(WAIT)
    context.add_init_script(STILL)
    return context


@contextmanager
def tabs_of(context, home: str) -> Iterator[Callable]:
    """Open tabs of a size in a theme; in the end they are closed, and nothing that pages of ``home`` stored is left."""
    pages = []

    def opened(width: int = 1280, height: int = 900, color_scheme: str = "light"):
        pages.append(context.new_page())
        pages[-1].set_viewport_size({"width": width, "height": height})
        pages[-1].emulate_media(color_scheme=color_scheme)
        return pages[-1]

    yield opened
    for page in pages:
        if page.url.startswith(home):  # an empty page has no storage
            page.evaluate("localStorage.clear()")
        page.close()
    context.clear_cookies()


def settle(page) -> None:
    """Wait until the script of the app has ended and its elements, those of the last run alone, are drawn."""
    page.evaluate("delete window.calmSince")
    page.wait_for_function(CALM_SINCE, arg=CALM, polling=50)


def opens(page, server: str, link: str) -> None:
    """Open a link of the app; in a page that shows the app, without loading its code again.

    The session stays: so do uploads, folds, and what is chosen on other pages.
    """
    if page.url.startswith(f"{server}/"):
        settle(page)
        if page.evaluate(GOES, link):
            return
    page.goto(f"{server}{link}")


def appears(locator) -> None:
    """Wait until something is on the page and the page is complete."""
    locator.first.wait_for()
    settle(locator.page)


def violations(page, options: dict[str, object]) -> list[dict]:
    """What axe-core finds; a page gets its script once, and keeps it as long as links are clicked."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe.Axe().axe_script)
    run = "async options => (await axe.run(document, options)).violations"
    return page.evaluate(run, {"resultTypes": ["violations"]} | options)


def menu_link(page, title: str):
    """The link of the menu to the page of that title, and whether it is dimmed."""
    link = page.get_by_test_id("stSidebar").get_by_role("link", name=re.compile(rf"\b{title}$"))
    return link, link.get_attribute("disabled") is not None


def insist(act: Callable[[], object], effect) -> None:
    """Repeat an action that aims at a point until its effect appears: figures and tables move while they are drawn."""
    from playwright.sync_api import TimeoutError as TooLate

    for _ in range(WAIT // ATTEMPT):
        act()
        try:
            effect.wait_for(timeout=ATTEMPT)
        except TooLate:
            continue
        return
    pytest.fail(f"never appeared: {effect}")


def centre(locator) -> tuple[float, float]:
    """The middle of an element in the window."""
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drop(page, name: str, content: bytes) -> None:
    """Put a file into the first page's box for files."""
    upload = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    settle(page)
    page.locator("section[aria-label=Files] input").set_input_files([upload])


def edit_cell(page, grid, x: int, y: int, text: str) -> None:
    """Replace the text of the cell at this point of a grid."""
    editor = page.locator("#portal textarea")

    def open_editor() -> None:
        box = grid.bounding_box()
        page.mouse.dblclick(box["x"] + x, box["y"] + y)

    settle(page)
    insist(open_editor, editor)
    editor.fill(text)
    editor.press("Enter")
    editor.wait_for(state="detached")
