"""The film in a real Chromium: by keyboard and by hand, on a lecture hall's screen and on a phone, and on paper."""

from __future__ import annotations

import itertools
import re

import pytest

from tests.apps import MAIN
from tests.browsing import CONTRAST, appears, opens
from tests.builders import sample

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

pytestmark = pytest.mark.browser

SCENES = 11
# A lecture hall's 1920 x 1080 at 150%, and a phone.
HALL, PHONE = {"width": 1280, "height": 720}, {"width": 390, "height": 844}
# Texts of the film whose contrast with their background is measured.
TEXTS = "h2, p, b, button, output, span.where, legend, th, td, summary, li, svg text"


@pytest.fixture
def film(poster):
    """The film, started, without motion."""
    poster.get_by_role("button", name="Start the film").click()
    at(poster, 1)
    return poster


@pytest.fixture
def poster(server, page):
    """The film before it starts; nothing is left of what an earlier test guessed or saw."""
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size(HALL)
    if not page.url.startswith(f"{server}/learn"):
        opens(page, server, "/learn")
        return page
    if not page.get_by_role("dialog").is_visible():
        page.locator(".poster button").click()
    go(page, SCENES + 1)
    page.get_by_role("button", name="Start again").click()
    page.get_by_role("button", name="Close").click()
    return page


def at(page, number: int) -> None:
    """Wait until the scene of that number is on and its picture is painted; the closing page comes after the last."""
    name = number if number <= SCENES else "End"
    page.locator(f"dialog nav button[aria-current]:text-is('{name}')").wait_for()
    if number <= SCENES:
        page.locator("dialog figure svg.picture[viewBox]").wait_for()


def go(page, number: int) -> None:
    page.locator("dialog nav button").nth(number - 1).click()
    at(page, number)


def show(page) -> None:
    """Show the answer of the scene, without a guess."""
    page.get_by_role("button", name="Show the answer").click()
    page.locator("dialog .after .guess").wait_for()


def told(page) -> str:
    return page.locator("dialog .told").inner_text()


def focused(page) -> str:
    """The name of the element with the focus, inside the film's shadow root, and the value of a choice."""
    return page.evaluate(FOCUSED)


FOCUSED = """
() => {
  let on = document.activeElement;
  while (on.shadowRoot?.activeElement) on = on.shadowRoot.activeElement;
  return `${on.tagName} ${on.type === "radio" ? on.value : on.getAttribute("aria-label") ?? on.textContent}`;
}
"""


def test_by_keyboard_alone_from_the_first_guess_to_the_last_question(poster):
    """Enter and Space start, guess and show; arrows turn scenes and move sliders; every guess is beside its answer."""
    page = poster
    page.get_by_role("button", name="Start the film").press("Enter")
    for number in range(1, SCENES + 1):
        at(page, number)
        assert focused(page).startswith("H2")
        page.keyboard.press("Tab")
        assert focused(page).startswith("INPUT")
        page.keyboard.press("Space" if focused(page) == "INPUT yes" else "ArrowRight")
        assert page.locator("dialog .after").inner_text() == ""
        page.keyboard.press("Tab")
        assert focused(page) == "BUTTON Show the answer"
        page.keyboard.press("Space")
        page.locator("dialog .after .guess").wait_for()
        page.keyboard.press(("Enter", "ArrowRight", "PageDown")[number % 3])
    at(page, SCENES + 1)
    guesses = page.locator("dialog td.guess").all_inner_texts()
    assert guesses == ["1", "1", "1", "10", "yes", "1", "10", "1", "1", "0.1", "1"]
    answers = page.locator("dialog td.answer").all_inner_texts()
    assert answers[0] == "15 sentences"
    assert page.locator("dialog details").count() == 11
    page.locator("dialog summary").first.press("Enter")
    assert page.locator("dialog details[open] p").is_visible()
    leaves(page, "the closing page")
    page.get_by_role("button", name="Go on with the closing page").press("Enter")
    page.keyboard.press("ArrowLeft")
    at(page, SCENES)
    leaves(page, "scene 11")


def leaves(page, place: str) -> None:
    """Escape ends the film; the button that goes on with it has its place and the focus."""
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="hidden")
    page.wait_for_function(f"document.activeElement.shadowRoot?.activeElement?.textContent === 'Go on with {place}'")


def test_the_answer_is_shown_after_the_guess_and_kept(film):
    """The figure's text alternative changes with it; after a reload the film goes on where it was."""
    figure = film.locator("dialog figure")
    before = figure.get_attribute("aria-label")
    film.get_by_label("Your guess").fill("20")
    show(film)
    assert "Your guess: 20. Answer: 15 sentences." in film.locator("dialog .after").inner_text()
    assert figure.get_attribute("aria-label") != before
    assert film.locator("dialog .won-a").count() == 15
    go(film, 2)
    film.reload()
    at(film, 2)
    film.keyboard.press("PageDown")
    film.locator("dialog .after", has_text="Your guess: no guess. Answer: 16 sentences.").wait_for()
    film.keyboard.press("PageUp")
    at(film, 1)
    film.locator("dialog .after", has_text="Your guess: 20.").wait_for()
    go(film, SCENES + 1)
    assert film.locator("dialog td.guess").all_inner_texts()[:2] == ["20", "no guess"]
    film.get_by_role("button", name="Start again").click()
    at(film, 1)
    assert film.locator("dialog .after").inner_text() == ""


def test_resamples_are_drawn_and_fall(film):
    go(film, 2)
    show(film)
    assert film.locator("dialog .missed").count() == 16
    assert film.locator("dialog .card").count() == 80
    film.get_by_role("button", name="Draw another resample").click()
    film.locator("dialog .told", has_text="Resample 2 misses 16 sentences. Gains δ* so far: 5.00, 3.75.").wait_for()
    go(film, 3)
    show(film)
    assert told(film).startswith("1,000 resamples; B wins 28.")
    film.get_by_role("button", name="Add 1 resample").click()
    film.locator("dialog .told", has_text="1,001 resamples").wait_for()
    film.get_by_role("button", name="Empty").click()
    assert film.locator("dialog .bar").count() == 0
    film.get_by_role("button", name="Add 10 resamples").click()
    film.locator("dialog .told", has_text="10 resamples").wait_for()
    assert 1 < film.locator("dialog .bar").count() <= 10


def test_the_histogram_is_slid_by_slider_and_by_hand(film):
    """303 of 10,000 gains are above delta after the slide by 3.00; the same above 2 delta before it, as a half is."""
    go(film, 4)
    show(film)
    assert told(film) == "Slid by 3.00 of 3.00: 303 of 10,000 gains are above δ, 0.0303."
    slider = film.get_by_label("Slide by")
    slider.press("Home")
    hits = int(re.search(r"([\d,]+) of 10,000", told(film))[1].replace(",", ""))
    assert 4_000 < hits < 5_500
    box = film.locator("dialog svg.slides").bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    film.mouse.move(*middle)
    film.mouse.down()
    film.mouse.move(middle[0] - box["width"], middle[1], steps=4)
    film.mouse.up()
    assert told(film).endswith("303 of 10,000 gains are above δ, 0.0303.")
    assert slider.input_value() == slider.get_attribute("max")


def test_level_sides_adjustment_and_size_change_what_is_marked(film):
    go(film, 5)
    show(film)
    assert told(film) == "The two-sided p = 0.0576 is not below α = 0.05: not significant."
    film.get_by_label("Level α").press("ArrowRight")
    assert told(film) == "The two-sided p = 0.0576 is below α = 0.06: significant."
    film.get_by_role("button", name="one-sided").click()
    assert "p = 0.0303 is below" in told(film)
    go(film, 6)
    show(film)
    assert told(film) == "The one-sided p is below 0.05 in 114 of 1,000 worlds."
    film.get_by_role("button", name="two-sided").click()
    assert "56 of 1,000" in told(film)
    go(film, 9)
    show(film)
    assert film.locator("dialog .square").count() == 190
    assert film.locator("dialog .square.hit").count() == 9
    film.get_by_role("button", name="Holm").click()
    assert film.locator("dialog .square.hit").count() == 0
    film.get_by_role("button", name="Another set").click()
    assert told(film).startswith("Set 2:")
    go(film, 10)
    show(film)
    line = "document => document.querySelector('dialog .mark.threshold').getAttribute('x1')"
    places = []
    for size in ("40", "160", "640"):
        film.get_by_role("button", name=size, exact=True).click()
        film.locator("dialog .told", has_text=f"{size} sentences").wait_for()
        places.append(float(film.locator("dialog .mark.threshold").evaluate(f"node => ({line})(node.getRootNode())")))
    assert places == sorted(places, reverse=True)


def test_swaps_rules_and_noise_change_what_is_told(film):
    go(film, 7)
    show(film)
    assert told(film) == "Two-sided p: 0.0576 by draws, 0.1020 by swaps."
    film.get_by_role("button", name="one-sided").click()
    assert told(film) == "One-sided p: 0.0303 by draws, 0.0501 by swaps."
    go(film, 8)
    show(film)
    assert film.locator("dialog .p-dot").count() == 18
    assert film.locator("dialog .p-dot.hit:not(.hollow)").count() == 6
    film.locator("dialog select").select_option("sign test")
    assert told(film).startswith("Sign test: one-sided p = 0.1050, two-sided p = 0.2100. Counts which system wins")
    film.locator("dialog svg text", has_text="unpaired draws").click()
    assert told(film).startswith("Unpaired draws: one-sided p = 0.0754")
    assert film.locator("dialog select").input_value() == "2"
    go(film, 11)
    assert film.locator("dialog .arc").count() == 8
    show(film)
    assert told(film) == "Noise 4: the least sure edge is that to “broros”, with 26 of 50 trees."
    film.get_by_role("button", name="0", exact=True).click()
    film.locator("dialog .told", has_text="Noise 0: all 50 trees agree.").wait_for()
    film.get_by_role("button", name="8", exact=True).click()
    film.locator("dialog .told", has_text="with 25 of 50 trees").wait_for()
    arcs = film.locator("dialog .arc")
    assert arcs.evaluate_all("arcs => Math.min(...arcs.map(arc => arc.getBBox().y))") >= 0


def test_with_motion_an_answer_comes_after_its_animation_and_can_be_skipped(film):
    film.emulate_media(reduced_motion="no-preference")
    go(film, 3)
    film.get_by_role("button", name="Show the answer").click()
    film.get_by_role("button", name="Skip").click()
    film.locator("dialog .after", has_text="Answer: 28 resamples.").wait_for()
    assert told(film).startswith("1,000 resamples; B wins 28.")
    go(film, 2)
    film.get_by_role("button", name="Show the answer").click()
    film.locator("dialog h2").press("Enter")
    film.locator("dialog .after", has_text="Answer: 16 sentences.").wait_for()
    assert film.locator("dialog .missed").count() == 16
    film.get_by_role("button", name="Draw another resample").click()
    film.locator("dialog .told", has_text="Resample 2 misses").wait_for()


def test_figure_and_control_are_visible_together(film):
    """In every scene before and after the answer, without a scroll of the page, and with every text in the window."""
    for size in (HALL, PHONE):
        film.set_viewport_size(size)
        for number in range(1, SCENES + 1):
            go(film, number)
            if film.get_by_role("button", name="Show the answer").count():
                fits(film, size)
                show(film)
                words, guess = (film.locator(f"dialog .{part}").bounding_box() for part in ("words", "after .guess"))
                assert words["y"] <= guess["y"] <= words["y"] + words["height"] - guess["height"]
            fits(film, size)
        go(film, SCENES + 1)
        film.get_by_role("button", name="Start again").click()
        at(film, 1)


def fits(film, size) -> None:
    """Figure, controls and footer are in the window, one below the other."""
    parts = [film.locator(f"dialog {part}").bounding_box() for part in ("header", "figure", ".controls", "footer")]
    for box, least in zip(parts, (20, 200, 0, 20), strict=True):
        assert box["height"] >= least
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size["width"]
        assert box["y"] + box["height"] <= size["height"]
    assert all(above["y"] + above["height"] <= below["y"] + 1 for above, below in itertools.pairwise(parts))
    outside = """
    (texts, width) => texts.map((text) => [text.textContent, text.getBoundingClientRect()])
      .filter(([, box]) => box.left < -1 || box.right > width + 1).map(([text]) => text)
    """
    assert not film.locator("dialog svg text").evaluate_all(outside, size["width"])


def test_the_print_out_is_one_page_with_the_guesses(film):
    """Only the print-out is on paper, and only while the closing page is on."""
    film.get_by_label("Your guess").fill("33")
    go(film, SCENES + 1)
    paper = film.locator(".nlpsig-handout")
    assert not paper.is_visible()
    film.emulate_media(media="print")
    assert paper.is_visible()
    assert not film.get_by_role("dialog").is_visible()
    assert "33" in paper.locator("td").all_inner_texts()
    assert paper.locator("ol li").count() == 11
    pdf = film.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf)) == 1
    film.emulate_media(media="screen")
    go(film, 1)
    assert paper.count() == 0


def test_the_film_goes_on_with_ones_own_systems(film):
    """At the same scene, with guesses of its own; those of the made-up taggers are kept."""
    film.get_by_label("Your guess").fill("20")
    go(film, 5)
    film.get_by_role("button", name="With your own systems").click()
    film.wait_for_url(re.compile("film=systems"))
    film.locator("dialog .pair").wait_for()
    go(film, 1)
    show(film)
    film.locator("dialog .after", has_text="Your guess: no guess.").wait_for()
    assert film.locator("dialog .card").count() == film.locator("dialog .small").count() > 400
    film.get_by_role("button", name="Close").click()
    appears(film.get_by_text("pair:"))
    film.get_by_text("two made-up taggers", exact=True).click()
    film.get_by_role("button", name="Start the film").click()
    film.locator("dialog output", has_text="20 sentences").wait_for()


def test_the_histogram_before_the_film_is_readable_on_a_phone(poster):
    """Its texts are at least 12 pixels high, gains below the axis among them; it was drawn small and without them."""
    poster.set_viewport_size(PHONE)
    histogram = poster.get_by_role("img", name="Histogram of resampled gains")
    histogram.locator(".tick").first.wait_for()
    assert histogram.bounding_box()["height"] > 150
    assert min(text.bounding_box()["height"] for text in histogram.locator("text").all()) >= 12


def test_names_of_lines_that_are_close_stand_beside_each_other(server, tab):
    """Of the pair with the smallest gain, on a phone: 0, δ and 2δ are a few pixels apart."""
    of = sample(MAIN, "LAS").stats
    ranked = sorted(zip(of.scores, of.names, strict=True))
    gain, winner, loser = min((b - a, w, v) for (a, v), (b, w) in itertools.pairwise(ranked) if b > a)
    assert gain < 0.1
    page = tab(PHONE["width"], PHONE["height"])
    page.emulate_media(reduced_motion="reduce")
    opens(page, server, f"/learn?film=systems of this task&pair={winner} over {loser}")
    page.get_by_role("button", name="Start the film").click()
    for number in (3, 5):
        go(page, number)
        names = [name.bounding_box() for name in page.locator("dialog svg .name").all()]
        assert len(names) == 3
        assert all(left["x"] + left["width"] <= right["x"] for left, right in itertools.pairwise(names))


# Last in this file: with the theme the film is built anew, and the next test would begin in the midst of it.
@pytest.mark.parametrize(("scheme", "background"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(16, 22, 29)")])
def test_texts_have_contrast(film, scheme, background):
    """At least 4.5 (WCAG AA) for every text of every scene, by its computed colours."""
    film.emulate_media(color_scheme=scheme)
    stage = film.get_by_role("dialog")
    film.wait_for_function(f"({BACKGROUND}) === '{background}'")
    low = []
    for number in range(1, SCENES + 2):
        go(film, number)
        if number <= SCENES:
            show(film)
        low += stage.evaluate(CONTRAST, TEXTS)
    assert not low


# The background of the film, inside its shadow root.
BACKGROUND = """
[...document.querySelectorAll("*")].map(({ shadowRoot }) => shadowRoot?.querySelector("dialog[open]"))
  .filter(Boolean).map((dialog) => getComputedStyle(dialog).backgroundColor)[0]
"""
