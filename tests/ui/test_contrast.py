"""Contrast of dots and of texts in figures on the pages of both themes: 3:1 and 4.5:1, as WCAG asks for."""

import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from nlpsig_core.data.drawings import DRAWINGS
from nlpsig_core.data.drawings.markup import STYLE
from nlpsig_core.data.drawings.words import STEPS
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.output.plots.style.contrast import ON_DARK, ON_LIGHT, TEXT
from nlpsig_core.output.plots.style.theme import NEUTRAL, OPAQUE, STYLES
from tests.browsing import CONTRAST, appears, opens
from tests.builders import treebank
from ui.app import contrast

CONFIG = tomllib.loads(Path(".streamlit/config.toml").read_text(encoding="utf-8"))["theme"]
THEMES = [CONFIG["light"], CONFIG["dark"]]
PAGES = [theme["backgroundColor"] for theme in THEMES]


def rgb(colour: str) -> list[float]:
    return [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]


def mixed(colour: str, share: float, other: str) -> list[float]:
    return [share * x + (1 - share) * y for x, y in zip(rgb(colour), rgb(other), strict=True)]


def luminance(of: list[float]) -> float:
    linear = [x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in of]
    return sum(weight * x for weight, x in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def ratio(one: list[float], other: list[float]) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("colour", [*(colour for colour, _ in STYLES.values()), NEUTRAL])
def test_dots_stand_out(page, colour):
    assert ratio(mixed(colour, OPAQUE, page), rgb(page)) >= 3


def test_texts_of_axes_can_be_read():
    light, dark = re.findall("#[0-9A-F]{6}", TEXT)
    assert ratio(rgb(light), rgb(PAGES[0])) >= 4.5
    assert ratio(rgb(dark), rgb(PAGES[1])) >= 4.5


def test_legends_are_on_the_colour_of_the_page():
    """On a phone, lines of thresholds cross the names of classes; behind them they are pale."""
    assert re.findall("#[0-9A-F]{6}", contrast.BEHIND) == PAGES
    assert contrast.BEHIND in contrast.STYLE


@pytest.mark.parametrize("colour", [colour for colour, _ in STYLES.values()])
def test_names_of_thresholds_can_be_read_in_the_colours_of_their_classes(colour):
    assert ratio(mixed(colour, ON_LIGHT / 100, "#000000"), rgb(PAGES[0])) >= 4.5
    assert ratio(mixed(colour, ON_DARK / 100, "#FFFFFF"), rgb(PAGES[1])) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", ["wrong", "alone"])
def test_coloured_words_of_drawings_can_be_read(name, theme):
    """Their colour is mixed with that of the text around them; there is no other colour of texts in drawings."""
    colour, percent = re.findall(rf"--{name}:color-mix\(in srgb,(#\w{{6}}) (\d+)%,currentColor\)", STYLE)[0]
    assert set(re.findall(r"(?<![-\w])color:([^;}]+)", STYLE)) == {"inherit", "var(--wrong)", "var(--alone)"}
    text, page = theme["textColor"], theme["backgroundColor"]
    assert ratio(mixed(colour, int(percent) / 100, text), rgb(page)) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_relations_can_be_read_in_the_colours_of_confidence(theme):
    """Their arcs are lines, for which 3:1 suffices."""
    tree = treebank("a/0/root b/1/obj c/1/obl d/1/obl")
    shares = {"A": np.array([0.1, 0.3, 0.6, 0.9])}
    drawn = DRAWINGS["raw-text dependencies"].draw(tree, {"A": tree}, 0, METRICS["UAS"], shares)
    colours = re.findall(r";color:color-mix\(in srgb,(#\w{6}) (\d+)%,currentColor\);border-color:\1", drawn)
    assert {colour for colour, _ in colours} == {colour for _, colour in STEPS}
    text, page = theme["textColor"], rgb(theme["backgroundColor"])
    for colour, percent in colours:
        assert ratio(mixed(colour, int(percent) / 100, text), page) >= 4.5
        assert ratio(rgb(colour), page) >= 3


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("link", ["pair", "campaign"])
def test_texts_of_figures_can_be_read(server, tab, link, scheme):
    """Titles of all panels and of scales, and notes without a colour of their own, have the colour of other texts."""
    page = tab(color_scheme=scheme)
    opens(page, server, f"/{link}?task=orvan-three-test-sets&b=10k")
    appears(page.locator(".js-plotly-plot text[class$=title]"))
    texts = ".js-plotly-plot :is(text[class$=title], .legendtext, .annotation-text)"
    page.locator(texts).nth(5).wait_for()
    assert not page.locator("body").evaluate(CONTRAST, texts)
