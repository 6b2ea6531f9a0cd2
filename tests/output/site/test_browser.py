"""A site in a real Chromium, opened as files: addresses of pairs, filters, the film, the glossary, and axe."""

from __future__ import annotations

import re
import shutil
from itertools import combinations

import pytest

from nlpsig_core.output.commands.cli import main
from tests.browsing import OF_THEME, centre, insist, violations
from tests.output.report.test_browser import until
from tests.output.site.sites import NAMES, address, campaign, hostile, pairs_data, part

pytestmark = pytest.mark.browser
ROWS = "#pairs-rows tr"
DRAWN = (
    "(document.getElementById('pairs-figure')._fullData ?? []).reduce((sum, trace) => sum + (trace.x?.length ?? 0), 0)"
)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A site of a table with hostile names, a campaign and a real task, whose 231 pairs are in parts of 100."""
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLPSIG_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setattr("nlpsig_core.output.report.one_pair.PART", 100)
        patch.setattr("nlpsig_core.output.site.writing.MANY", 1)
        tasks = [str(campaign(folder)), "semeval-2018-arguments"]
        assert main(["site", *tasks, "--resamples", "2000", "-o", str(folder / "public")]) == 0
        words = ["site", str(hostile(folder)), "--edition", "higher", "--resamples", "2000"]
        assert main([*words, "-o", str(folder / "hostile")]) == 0
    return folder


@pytest.fixture
def visit(file_tab, made):
    """Opens an address without a network; at the end nothing else was asked for, and nothing went wrong."""
    asked, faults = [], []

    def visit(where: str, **more):
        page = file_tab(**more)
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if said.type in ("error", "warning") else None)
        page.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))
        page.goto(where)
        return page

    yield visit
    assert [url for url in asked if not url.startswith((made.as_uri(), "blob:", "data:"))] == []
    assert faults == []


@pytest.fixture
def task(made):
    return made / "public" / "semeval-2018-arguments.html"


def test_the_address_of_a_pair_opens_it(visit, task):
    """In either order of names; the pair is in the third part of the packed pairs, which is loaded then."""
    data, packed = pairs_data(task), part(task.with_suffix(""), 2)
    place = 220
    a, b = (data["names"][data[side][place]] for side in "ab")
    for names in ((a, b), (b, a)):
        page = visit(address(task, *names))
        body = page.locator("#pair-body[data-shown]")
        body.wait_for()
        assert page.locator("#pair-title").text_content() == f"{a} over {b}"
        shown = body.locator(".verdict").text_content()
        assert packed["reason"][place - 200] in shown
        assert packed["word"][place - 200] in shown
        assert body.locator("pre").text_content() == packed["sentence"][place - 200]
        bars = body.locator("rect")
        assert bars.count() == len(packed["bars"][place - 200])
        assert body.locator("dd").all_text_contents() == [text for text in packed["numbers"][place - 200] if text]
    page.keyboard.press("Escape")
    until(page, "!document.getElementById('pair').open && location.hash === ''")


@pytest.mark.parametrize("width", [1400, 390])
def test_the_marks_of_a_small_gain_are_named_apart(visit, task, width):
    data = pairs_data(task)
    gains = data["columns"]["gain"]
    smallest = min((place for place, gain in enumerate(gains) if gain > 0), key=gains.__getitem__)
    page = visit(address(task, *(data["names"][data[side][smallest]] for side in "ab")), width=width)
    page.locator("#pair-body[data-shown]").wait_for()
    boxes = [text.bounding_box() for text in page.locator(".histogram text").all()]
    assert len(boxes) == 3
    for one, other in combinations(boxes, 2):
        assert any(
            first[at] + first[size] <= second[at] + 1
            for at, size in (("x", "width"), ("y", "height"))
            for first, second in ((one, other), (other, one))
        )


def test_an_address_of_no_pair_says_so(visit, task):
    for hash_ in ("#pair=nobody,%E0%A4%A", "#pair=x,y"):
        page = visit(f"{task.as_uri()}{hash_}")
        page.get_by_text("The address names systems that are not on this page.").wait_for()


def test_a_row_and_a_dot_lead_to_their_pair_and_back_closes_it(visit, task):
    page = visit(task.as_uri())
    page.locator(f"{ROWS} a").first.click()
    page.locator("#pair-body[data-shown]").wait_for()
    first = page.locator("#pair-title").text_content()
    page.go_back()
    until(page, "!document.getElementById('pair').open")
    scatter = page.locator("#pairs-figure")
    scatter.scroll_into_view_if_needed()
    point = page.locator("#pairs-figure .scatterlayer .point").nth(5)
    insist(lambda: page.mouse.click(*centre(point)), page.locator("#pair[open]"))
    page.locator("#pair-body[data-shown]").wait_for()
    a, b = page.locator("#pair-title").text_content().split(" over ")
    assert f"{a} over {b}" != first
    names = pairs_data(task)["names"]
    assert {a, b} <= set(names)


def test_filters_choose_what_figure_and_table_show(visit, task):
    """By name, kind and verdict: the dots and the rows are those of the chosen pairs, and all come back."""
    data = pairs_data(task)
    page = visit(task.as_uri())
    page.locator("#pairs-figure").scroll_into_view_if_needed()
    until(page, f"{DRAWN} > 0")
    every = page.evaluate(DRAWN)
    name = data["names"][3]
    page.get_by_label("System", exact=True).fill(name)
    wanted = [place for place in range(231) if 3 in (data["a"][place], data["b"][place])]
    drawn = {row for trace in data["drawn"] for row in trace}
    until(page, f"{DRAWN} === {len(drawn & set(wanted))}")
    assert page.locator("#pairs-shown").text_content().endswith(f"of {len(wanted)} pairs")
    page.get_by_label("System", exact=True).fill("")
    page.get_by_label("Verdict").select_option("undecided")
    undecided = {place for place in range(231) if data["answers"][data["verdict"][place]] == "undecided"}
    until(page, f"{DRAWN} === {len(drawn & undecided)}")
    page.get_by_label("Verdict").select_option("")
    until(page, f"{DRAWN} === {every}")


def test_a_gain_that_one_asks_about_has_a_line_and_its_share(visit, task):
    """Counted here from the page's data: pairs within a fifth of the gain, and those of them that are better."""
    data = pairs_data(task)
    page = visit(task.as_uri())
    page.locator("#pairs-figure").scroll_into_view_if_needed()
    until(page, f"{DRAWN} > 0")
    lines = page.evaluate("document.getElementById('pairs-figure').layout.shapes.length")
    page.get_by_label("What if a gain were").fill("5")
    near = [place for place, gain in enumerate(data["columns"]["gain"]) if abs(gain - 5) <= 1]
    better = [place for place in near if data["is_better"][data["verdict"][place]]]
    said = f"{len(better)} of {len(near)} pairs with such a gain (4.00 to 6.00) differ on their own."
    page.get_by_text(said).wait_for()
    assert 0 < len(better) < len(near)
    until(page, f"document.getElementById('pairs-figure').layout.shapes.length === {lines + 1}")


def test_hostile_names_stay_text_in_an_opened_pair(visit, made):
    page = visit(address(made / "hostile" / "hostile.html", NAMES[1], NAMES[0]))
    page.locator("#pair-body[data-shown]").wait_for()
    assert page.locator("#pair-title").text_content() == f"{NAMES[0]} over {NAMES[1]}"
    assert page.locator("img").count() == 0
    assert page.locator("#pairs-rows").get_by_text(NAMES[2]).count() > 0


def test_the_front_page_finds_tasks_and_leads_to_test_sets(visit, made):
    page = visit((made / "public" / "index.html").as_uri())
    page.get_by_label("Task").fill("SEMEVAL")
    until(page, "document.querySelectorAll('.card:not([hidden])').length === 1")
    assert page.get_by_role("status").text_content() == "1 of 2 tasks"
    page.get_by_label("Task").fill("")
    page.get_by_text("2 test sets").click()
    page.get_by_role("link", name="two", exact=True).click()
    page.wait_for_url("**/Two-sets-two.html")
    assert page.locator("h1").text_content() == "Two sets: two"
    page.get_by_role("navigation", name="Site").get_by_role("link", name="Two sets").first.click()
    page.wait_for_url("**/Two-sets.html")


def test_the_film_plays_by_keyboard(visit, made):
    page = visit((made / "public" / "film.html").as_uri())
    page.get_by_role("button", name="Start the film").click()
    stage = page.get_by_role("dialog", name="The film")
    stage.wait_for()
    first = stage.locator("h2").text_content()
    page.keyboard.press("ArrowRight")
    until(page, f"document.querySelector('.stage h2').textContent !== {first!r}")
    assert stage.get_by_role("button", name="With your own systems").count() == 0
    page.keyboard.press("Escape")
    stage.wait_for(state="hidden")


PAGES = ("index.html", "semeval-2018-arguments.html", "Two-sets.html", "film.html", "glossary.html")


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_no_fault_and_pages_fit_a_phone(visit, made, name):
    """In both themes, on which contrast alone depends, at the width of a phone; an opened pair, too."""
    where = (made / "public" / name).as_uri()
    for theme, rules in (("light", {}), ("dark", OF_THEME)):
        page = visit(where, width=380, height=800, color_scheme=theme)
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        root = "document.documentElement"
        assert page.evaluate(f"{root}.scrollWidth - {root}.clientWidth") <= 0
        assert faults_of(page, rules) == []
        if page.locator(f"{ROWS} a").count():
            page.locator(f"{ROWS} a").first.click()
            page.locator("#pair-body[data-shown]").wait_for()
            assert faults_of(page, rules) == []


def test_a_long_name_fits_a_phone(visit, made):
    """One without a hyphen or a space, at which a line could end."""
    name = "treebank" * 9
    shutil.copy(made / "hostile.csv", made / f"{name}.csv")
    words = ["site", str(made / f"{name}.csv"), "--edition", "higher", "--resamples", "200"]
    assert main([*words, "-o", str(made / "long")]) == 0
    for page in ("index", name):
        opened = visit((made / "long" / f"{page}.html").as_uri(), width=380, height=800)
        root = "document.documentElement"
        assert opened.evaluate(f"{root}.scrollWidth - {root}.clientWidth") <= 0
    assert opened.locator("#settings").get_by_role("link").text_content() == f"{name}.nlpsig"


def faults_of(page, rules: dict[str, object]) -> list[object]:
    found = violations(page, {"preload": False} | rules)
    return [(fault["id"], node["html"][:200]) for fault in found for node in fault["nodes"]]


def test_an_opened_pair_prints_alone(visit, task):
    data = pairs_data(task)
    page = visit(address(task, *(data["names"][data[side][0]] for side in "ab")))
    page.locator("#pair-body[data-shown]").wait_for()
    page.emulate_media(media="print")
    until(page, "getComputedStyle(document.querySelector('main')).display === 'none'")
    assert page.locator("#pair").is_visible()
    assert re.match(
        r"rgb\(255, 255, 255\)", page.evaluate("getComputedStyle(document.getElementById('pair')).backgroundColor")
    )
