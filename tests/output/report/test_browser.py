"""The report in a real Chromium, opened as a file with no network, as a visitor of a shared task's site uses it."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd
import pytest

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.output.plots.style.theme import OPAQUE
from nlpsig_core.output.report import tables
from nlpsig_core.output.report.export import p_texts
from nlpsig_core.output.report.page import report_html
from nlpsig_core.significance.comparison.classes import COMPARISONS, classes_digest
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.select import select
from nlpsig_core.significance.comparison.verdict import ANSWERS
from nlpsig_core.significance.resampling.recipe import Resampling
from tests.browsing import CONTRAST, WAIT, centre, insist
from tests.builders import conllu, task
from tests.output.report.test_report import HOSTILE, RIGHT, SMALL, WRONG, N

RECIPE = Resampling(2_000)
NAMES = [
    "first",
    "=1+1",
    "third",
    HOSTILE,
    "<img src=x onerror=alert(1)>",
    "LONG__2017-05-24-16-51-58",
    "seventh",
    "eighth",
]
# Three systems more, with their errors elsewhere.
MORE = {f"systems/F__{k}.conllu": conllu(*[RIGHT] * k, *[WRONG] * 4, *[RIGHT] * (N - 4 - k)) for k in (2, 4, 6)}
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The comparison of eight systems, of which some have names that are markup, and where its report lies."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLPSIG_CACHE", str(tmp_path_factory.mktemp("cache")))
        given = task(SMALL | MORE)
        comparison = select(given.with_systems(given.systems.assign(system=NAMES)), METRICS["LAS"])
        result = comparison.bootstrap(RECIPE)
        path = tmp_path_factory.mktemp("site") / "report.html"
        path.write_text(report_html(result), encoding="utf-8")
        return comparison, result, path


@pytest.fixture
def visit(file_tab, made):
    """Opens the report as a file, without a network; at the end nothing was asked for, and nothing went wrong."""
    opened = []

    def visit(**more):
        page = file_tab(**more)
        asked, faults = [], []
        page.route("**/*", lambda route: route.continue_() if route.request.url.startswith("file:") else route.abort())
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if said.type in ("error", "warning") else None)
        page.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))
        page.goto(made[2].as_uri())
        # Figures are drawn when they come near the window, and all of them for print.
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.locator("#pairs-figure .scatterlayer .point").first.wait_for(state="attached")
        opened.append((asked, faults))
        return page

    yield visit
    for asked, faults in opened:
        assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []
        assert [url for url in asked if url.startswith("file:")] == [made[2].as_uri()]
        assert faults == []


def until(page, truth: str) -> None:
    """Wait for an expression to become true; the page forbids the evaluation that Playwright's own waiting needs."""
    for _ in range(WAIT // 50):
        if page.evaluate(truth):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"it never came true: {truth}")


def test_the_figure_answers_without_a_network(visit):
    """A dot says its pair; a class can be hidden; a drag zooms; one system can be brought before the others."""
    page = visit()
    points = page.locator("#pairs-figure .scatterlayer .point")
    every = points.count()
    titles = page.locator(".modebar-btn").evaluate_all("buttons => buttons.map(button => button.dataset.title)")
    assert set(titles) == {"Download plot", "Zoom", "Pan", "Zoom in", "Zoom out", "Autoscale", "Reset axes"}
    assert every > 1
    page.locator("#pairs-figure").scroll_into_view_if_needed()
    hover = page.locator("#pairs-figure .hoverlayer .hovertext")
    insist(lambda: page.mouse.move(*centre(points.first)), hover)
    assert " over " in hover.text_content()
    page.locator("#pairs-figure .legendtoggle").first.click()
    until(page, f"document.querySelectorAll('#pairs-figure .scatterlayer .point').length < {every}")
    before = page.evaluate("document.getElementById('pairs-figure')._fullLayout.xaxis.range.slice()")
    area = page.locator("#pairs-figure .nsewdrag").first.bounding_box()
    page.mouse.move(area["x"] + area["width"] / 4, area["y"] + area["height"] / 4)
    page.mouse.down()
    page.mouse.move(area["x"] + area["width"] / 2, area["y"] + area["height"] / 2, steps=5)
    page.mouse.up()
    until(page, f"document.getElementById('pairs-figure')._fullLayout.xaxis.range[1] < {0.9 * before[1]}")


def test_a_system_is_brought_before_the_others(visit, made):
    page = visit()
    page.get_by_label("Highlight a system").select_option(HOSTILE)
    until(page, "Array.isArray(document.getElementById('pairs-figure').data[0].marker.opacity)")
    texts, opacities = (
        page.evaluate(f"document.getElementById('pairs-figure').data.flatMap(trace => trace.{of})")
        for of in ("text", "marker.opacity")
    )
    of_system = ["quotes" in text for text in texts]
    assert [opacity > 0.5 for opacity in opacities] == of_system
    assert set(of_system) == {True, False}
    page.get_by_label("Highlight a system").select_option("")
    until(page, f"document.getElementById('pairs-figure').data[0].marker.opacity === {OPAQUE}")


def rows(page) -> list[list[str]]:
    return page.locator("#pairs-rows tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(c => c.textContent))"
    )


def test_the_table_of_pairs_is_sorted_filtered_and_taken_away(visit, made):
    comparison, result, _ = made
    expected = tables.in_order(result.pairs(), comparison.metric)
    page = visit()
    assert [row[:2] for row in rows(page)] == expected[["system_a", "system_b"]].head(25).to_numpy().tolist()
    p = p_texts(expected)
    for place, (row, pair) in enumerate(zip(rows(page), expected.to_dict("records"), strict=False)):
        assert row[3] == f"{ANSWERS[pair['verdict']].symbol} {pair['verdict']}"
        assert row[4] == f"{pair['gain']:.3f}"
        assert row[5] == f"{pair['gain_low']:.2f} – {pair['gain_high']:.2f}"
        assert row[6:8] == [p[column][place] for column in ("p", "p_corrected")]
    page.get_by_role("button", name="Gain", exact=True).click()
    gains = [float(row[4]) for row in rows(page)]
    assert gains == sorted(gains)
    assert page.locator("th[aria-sort=ascending]").text_content() == "Gain"
    page.get_by_role("button", name="Gain", exact=True).click()
    largest = sorted(expected["gain"], reverse=True)[:25]
    assert [float(row[4]) for row in rows(page)] == pytest.approx(largest, abs=6e-4)
    page.locator("#pairs-system").fill("THIRD")
    assert len(rows(page)) == 7
    assert all("third" in row[:2] for row in rows(page))
    assert page.get_by_role("status").text_content() == "1 to 7 of 7 pairs"
    page.locator("#pairs-system").fill("")
    page.locator("#pairs-class").select_option("same group")
    assert {row[2] for row in rows(page)} == {"same group"}
    page.locator("#pairs-class").select_option("")
    page.locator("#pairs-verdict").select_option("undecided")
    assert len(rows(page)) == (expected["verdict"] == "undecided").sum() > 0
    page.locator("#pairs-verdict").select_option("")
    with page.expect_download() as got:
        page.get_by_role("button", name="These pairs as CSV").click()
    signature, *table = Path(got.value.path()).read_text(encoding="utf-8").splitlines()
    classes = classes_digest(comparison.systems)
    how = {"interval": "percentile"} | Notion().signed_on(comparison.stats) | {"groups": classes}
    assert signature == f"# {comparison.signature(RECIPE, **how)}"
    found = pd.read_csv(io.StringIO("\n".join(table)))
    assert found["gain"].is_monotonic_decreasing
    assert "'=1+1" in set(found["system_a"]) | set(found["system_b"])
    by_names, wanted = ["system_a", "system_b"], expected[list(found)]
    found, wanted = (t.replace("'=1+1", "=1+1").sort_values(by_names, ignore_index=True) for t in (found, wanted))
    pd.testing.assert_frame_equal(found, wanted, atol=1e-6, check_dtype=False)
    with page.expect_download() as got:
        page.get_by_role("link", name="Ranking as CSV").click()
    assert Path(got.value.path()).read_text(encoding="utf-8").startswith("# metric:LAS|test:bootstrap|b:2000|")


def test_a_page_of_rows_at_a_time(visit):
    """28 pairs are 25 and 3 rows."""
    page = visit()
    assert page.get_by_role("status").text_content() == "1 to 25 of 28 pairs"
    back, next_one = (page.get_by_role("button", name=name) for name in ("Back", "Next"))
    assert back.is_disabled()
    first = rows(page)
    next_one.click()
    assert page.get_by_role("status").text_content() == "26 to 28 of 28 pairs"
    assert len(rows(page)) == 3
    assert next_one.is_disabled()
    back.click()
    assert rows(page) == first


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fits_a_phone_in_both_themes(visit, theme):
    page = visit(width=380, height=800, color_scheme=theme)
    root = "document.documentElement"
    assert page.evaluate(f"{root}.scrollWidth - {root}.clientWidth") <= 0
    assert page.locator(".ranking thead .wide").last.is_hidden()
    fits = "document.querySelector('.ranking').parentElement"
    assert page.evaluate(f"{fits}.scrollWidth - {fits}.clientWidth") <= 0
    assert page.locator(".modebar-btn").count() == 0
    point, hover = (page.locator(f"#pairs-figure {name}").first for name in (".scatterlayer .point", ".hovertext"))
    insist(lambda: point.hover(force=True), hover)
    box = hover.bounding_box()
    assert 0 <= box["x"] < box["x"] + box["width"] <= 380
    lines = hover.locator("tspan.line").all_text_contents()
    assert lines[-1] in COMPARISONS
    assert any("95% interval" in line for line in lines)
    colour = "document.getElementById('pairs-figure')._fullLayout.paper_bgcolor"
    assert page.evaluate(colour) == {"light": "#ffffff", "dark": "#12151b"}[theme]


def test_figures_follow_the_reader_and_the_printer(visit):
    """Another preference while the page is open, then paper: dark text on white, whatever the preference."""
    page = visit(color_scheme="light")
    colour = "document.getElementById('matrix-figure')._fullLayout.font.color"
    light = page.evaluate(colour)
    page.emulate_media(color_scheme="dark")
    until(page, f"{colour} === '#e8eaee'")
    assert light == "#1b1f27"
    page.emulate_media(media="print")
    until(page, f"{colour} === '#000000'")
    assert page.get_by_role("navigation").is_hidden()


@pytest.mark.parametrize(("theme", "media"), [("light", "screen"), ("dark", "screen"), ("dark", "print")])
def test_figures_and_tables_can_be_read_on_screen_and_on_paper(visit, theme, media):
    """Notes have a contrast of 4.5, signatures are below the axes' titles, and nothing is wider than the paper.

    A table that is wider has the browser print the whole page smaller.
    """
    page = visit(width=680, color_scheme=theme)
    page.emulate_media(media=media, color_scheme=theme)
    text = {"light": "#1b1f27", "dark": "#e8eaee"}[theme] if media == "screen" else "#000000"
    until(page, f"document.getElementById('matrix-figure')._fullLayout.font.color === '{text}'")
    assert page.locator("main").evaluate(CONTRAST, ".annotation-text, .gtitle") == []
    for name in ("ranking-figure", "pairs-figure"):
        title, signature = (page.locator(f"#{name} .{kind}").bounding_box() for kind in ("xtitle", "gtitle"))
        assert title["y"] + title["height"] <= signature["y"] + 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 680
    sizes = page.evaluate(
        "['p.note', 'p.verdict'].map(of => parseFloat(getComputedStyle(document.querySelector(of)).fontSize))"
    )
    assert sizes[0] < sizes[1]
