"""One mark and one selection in a real Chromium: dots and cells by mouse and by keyboard."""

from __future__ import annotations

import math

import pytest

from tests.browsing import appears, centre, insist, opens, settle

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

pytestmark = pytest.mark.browser
# Pixels from which a click means one dot alone.
APART = 15

FOCUSED = """
() => {
  let on = document.activeElement;
  while (on.shadowRoot?.activeElement) on = on.shadowRoot.activeElement;
  return on.role ?? on.tagName;
}
"""
# A key that is held: thirty steps at once, however busy the machine is.
HELD = """
(field) => {
  field.focus();
  const held = {key: 'ArrowUp', bubbles: true, composed: true};
  for (let step = 0; step < 30; step += 1) field.dispatchEvent(new KeyboardEvent('keydown', held));
}
"""
# The middle of every dot.
DOTS = """
() => [...document.querySelectorAll('.scatterlayer .point')].map((dot) => {
  const box = dot.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
})
"""


@pytest.fixture
def pairs(server, page):
    """The Pairs page, with its figure and its list."""

    def opened(link: str = ""):
        opens(page, server, f"/pairs?b=10k{link}")
        page.locator(".mark:visible").wait_for()
        appears(page.get_by_role("heading", name="All pairs"))
        return page

    return opened


def test_the_task_stays_when_a_page_is_opened_after_a_pair_was_chosen(pairs):
    """The choice runs a part of the page alone; the menu then opens another page of the same task."""
    page = pairs("&task=ilvet-stance")
    field(page).focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_url("**pair=**")
    settle(page)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Scores").click()
    page.wait_for_url("**/scores?*")
    appears(page.get_by_role("heading", name="Scores"))
    assert {"task=ilvet-stance", "b=10k"} <= set(page.url.partition("?")[2].split("&"))


def field(page):
    return page.get_by_role("combobox", name="Pair, winner first, by gain")


def chosen(page) -> str:
    """The pair that is chosen in the list, by name."""
    return page.get_by_role("option", selected=True).get_attribute("title").partition(": ")[0]


def shows(page, pair: str) -> None:
    """Wait until the card has the verdict on a pair."""
    winner, loser = pair.split(" over ")
    page.locator("[class*=st-key-verdict-]", has_text=winner).filter(has_text=loser).first.wait_for()
    settle(page)


def under_the_mark(page) -> str:
    """The hover text of what is marked."""
    hover = page.locator(".hoverlayer .hovertext")
    insist(lambda: page.mouse.move(*centre(page.locator(".mark"))), hover)
    return hover.first.text_content()


def scrolled(page) -> int:
    return page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop")


def test_a_dot_is_reached_by_keyboard_alone(pairs):
    """Tab leads to the list, four arrows to the fourth pair after it: list, card, ring and link agree."""
    page = pairs()
    before, ring = chosen(page), centre(page.locator(".mark"))
    for _ in range(100):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED) == "combobox" and field(page).evaluate("e => e.matches(':focus-visible')"):
            break
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    after = chosen(page)
    assert after != before
    shows(page, after)
    assert centre(page.locator(".mark")) != ring
    assert all(name in under_the_mark(page) for name in after.split(" over "))
    assert f"pair={after.replace(' ', '+')}" in page.url
    page.keyboard.press("End")
    assert page.get_by_role("option", selected=True).get_attribute("aria-posinset") == "378"
    page.get_by_text("378 pairs; the chosen one is not drawn").wait_for()
    assert not page.locator(".mark").is_visible()


def test_a_held_key_chooses_once(pairs):
    """Thirty steps are one step back, since the page follows after a pause."""
    page = pairs()
    before, steps = chosen(page), page.evaluate("history.length")
    field(page).evaluate(HELD)
    shows(page, chosen(page))
    assert page.evaluate("history.length") == steps + 1
    page.go_back()
    shows(page, before)
    assert chosen(page) == before
    assert all(name in under_the_mark(page) for name in before.split(" over "))


def test_the_field_filters_and_few_options_are_elements(pairs):
    page = pairs("&reach=all")
    assert page.get_by_role("option").count() < 40
    field(page).fill("plunaro-1 krest")
    page.get_by_text("4 of 378 pairs", exact=True).wait_for()
    assert page.get_by_role("option").first.get_attribute("aria-setsize") == "4"
    field(page).press("ArrowDown")
    field(page).press("Enter")
    shows(page, chosen(page))
    assert "Plunaro-1" in chosen(page)
    assert "Krestluvo" in chosen(page)
    field(page).press("Escape")
    page.get_by_text("378 pairs", exact=True).wait_for()


def test_a_click_on_a_dot_marks_it_and_changes_the_card_alone(pairs):
    """The window does not move, a zoom of the figure stays, and the figure is not drawn anew."""
    page = pairs()
    page.set_viewport_size({"width": 1280, "height": 800})
    plot = page.locator(".st-key-pairs .nsewdrag")
    box, graph = plot.bounding_box(), "document.querySelector('.st-key-pairs .js-plotly-plot')"
    whole = page.evaluate(f"{graph}.layout.xaxis.range")
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + 0.9 * box["height"], steps=5)
    page.mouse.up()
    settle(page)
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop = 90")
    page.evaluate(f"{graph}.dataset.seen = true")
    before, zoom = chosen(page), page.evaluate(f"{graph}.layout.xaxis.range")
    assert zoom != whole
    box = plot.bounding_box()
    left, top = box["x"] + 20, box["y"] + 20
    right, bottom = left + box["width"] - 40, top + box["height"] - 40
    inside = [(x, y) for x, y in page.evaluate(DOTS) if left < x < right and top < y < bottom]
    point = next(dot for dot in inside if sum(math.dist(dot, other) < APART for other in inside) == 1)
    page.mouse.click(*point)
    after = chosen(page)
    assert after != before
    assert centre(page.locator(".mark")) == pytest.approx(point, abs=1.5)
    shows(page, after)
    assert all(name in under_the_mark(page) for name in after.split(" over "))
    assert scrolled(page) == 90
    assert page.evaluate(f"{graph}.dataset.seen")
    assert page.evaluate(f"{graph}.layout.xaxis.range") == zoom
    page.get_by_role("link", name="Look closer").click()
    appears(page.get_by_role("heading", name="Where does it come from?"))
    assert page.get_by_role("combobox", name="Pair, winner first, by gain").input_value() == after


def test_the_mark_is_on_the_same_pair_in_every_figure(pairs):
    """A click on a cell of the matrix marks it; scatter and two tests have their ring on the same pair."""
    page = pairs("&view=matrix&against=t")
    before, cells = chosen(page), page.locator(".heatmaplayer image")
    box = cells.bounding_box()
    page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 0.2 * box["height"])
    after = chosen(page)
    assert after != before
    shows(page, after)
    for view in ("matrix", "two tests", "scatter"):
        page.get_by_role("radio", name=view).click()
        settle(page)
        page.locator(".mark:visible").wait_for()
        assert chosen(page) == after
        assert all(name in under_the_mark(page) for name in after.split(" over "))
    light = page.locator(".mark").evaluate("mark => mark.style.borderColor")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("light => document.querySelector('.mark').style.borderColor !== light", arg=light)
    assert page.locator(".mark").count() == 1


def test_the_dots_of_the_system_under_the_pointer_glow(pairs):
    """In the scatter all dots of a pair's first system; in the matrix its cells; without asking the page."""
    page = pairs("&reach=all")
    glow = "() => document.querySelector('.lights')?.style.boxShadow.split('px 6px').length - 1"
    dots = """name => document.querySelector('.st-key-pairs .js-plotly-plot')._fullData
        .flatMap(({ text }) => text ?? []).filter((text) => text.includes(`<b>${name}</b>`)).length"""
    page.evaluate("document.querySelector('.st-key-pairs .js-plotly-plot').dataset.seen = true")
    for at in (0, 1):
        name = page.get_by_role("option", selected=True).locator(".name").nth(at)
        name.hover()
        system = name.text_content().removeprefix("over ")
        page.wait_for_function(f"n => ({glow})() === n", arg=page.evaluate(dots, system))
    page.mouse.move(5, 5)
    page.wait_for_function(f"({glow})() === 0")
    assert page.evaluate("document.querySelector('.st-key-pairs .js-plotly-plot').dataset.seen")
    page.get_by_role("radio", name="matrix").click()
    settle(page)
    page.locator(".mark:visible").wait_for()
    page.get_by_role("option", selected=True).locator(".name").first.hover()
    page.wait_for_function(f"({glow})() === 27")


def in_link(page, *names: str) -> None:
    """Wait until the link has exactly these systems highlighted."""
    page.wait_for_function(
        "names => new URLSearchParams(location.search).getAll('highlight').sort().join() === names",
        arg=",".join(sorted(names)),
    )
    settle(page)


def test_systems_selected_in_one_place_are_selected_in_all(server, page):
    """The best two by a click in the figure, another by its row of the table; Pairs shows all three; Back undoes."""
    page.goto(f"{server}/scores?b=10k")  # the view of the page Pairs is the first one again
    appears(page.get_by_text("How to read it"))
    names = page.locator(".st-key-ranking .ytick").all_text_contents()
    rows = page.locator(".st-key-ranking .nsewdrag")
    for place in (0, 1):
        box = rows.bounding_box()
        page.mouse.click(box["x"] + 30, box["y"] + (place + 0.5) * box["height"] / len(names))
        in_link(page, *names[: place + 1])
    table = page.locator(".st-key-ranking_table canvas").first
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    page.mouse.click(box["x"] + 18, box["y"] + 35 * 3 + 17)
    in_link(page, *names[:3])
    bold = page.locator(".st-key-ranking .ytick text[style*='bold'], .st-key-ranking .ytick tspan[style*='bold']")
    assert bold.all_text_contents() == names[:3]

    page.get_by_role("link", name="Pairs", exact=True).click()
    appears(page.get_by_role("heading", name="All pairs"))
    in_link(page, *names[:3])
    faint = page.locator(".st-key-pairs .scatterlayer .point[style*='opacity: 0.1']")
    assert 0 < faint.count() < page.locator(".st-key-pairs .scatterlayer .point").count()
    page.get_by_role("radio", name="matrix").click()
    page.locator(".st-key-matrix .heatmaplayer image").wait_for(state="attached")
    settle(page)
    assert page.locator(".st-key-matrix .shapelayer path").count() == 6

    page.get_by_role("link", name="Scores", exact=True).click()
    appears(page.get_by_text("How to read it"))
    assert bold.all_text_contents() == names[:3]
    box = rows.bounding_box()
    page.mouse.click(box["x"] + 30, box["y"] + 0.5 * box["height"] / len(names))
    in_link(page, *names[1:3])
    page.go_back()
    in_link(page, *names[:3])
    page.locator(".st-key-highlight").get_by_label("Clear all").click()
    in_link(page)
    assert bold.count() == 0
