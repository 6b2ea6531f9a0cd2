"""The film's script: what its words say is what its figures show, and the Learn page opens with it."""

from __future__ import annotations

import json
import re

import pytest

from nlpsig_core.studies.lessons.film import film
from tests.apps import app, charts
from ui.studies.learn import film as page
from ui.studies.learn import steps
from ui.studies.learn.scenes.numbers import ALPHA

# A symbol of a text stands in brackets.
SYMBOL = re.compile(r"\[([^\]]+)\]")
LONGEST_SENTENCE = 24


@pytest.fixture(scope="module")
def script() -> dict:
    return json.loads(json.dumps(page.script(film()), allow_nan=False))


@pytest.fixture
def scenes(script) -> dict[str, dict]:
    return {scene["key"]: scene for scene in script["scenes"]}


# The answer of each question, counted from what the browser draws.
COUNTED = {
    "gain": lambda of: sum(a > b for a, b in zip(of["right"]["A"], of["right"]["B"], strict=True)),
    "draw": lambda of: len(of["right"]["A"]) - len(set(of["drawn"][0])),
    "fall": lambda of: sum(gain < 0 for gain in of["gains"][: of["first"]]),
    "slide": lambda of: sum(gain - of["gain"] > of["gain"] for gain in of["gains"]),
    "notion": lambda of: (
        "yes"
        if sum(gain > 2 * of["gain"] or gain < 0 for gain in of["gains"]) / len(of["gains"]) < of["alpha"]
        else "no"
    ),
    "worlds": lambda of: sum(one_sided for _, one_sided, _ in of["worlds"]),
    "pairs": lambda of: sum(marked for _, _, marked, _ in of["sets"][0]),
    "threshold": lambda of: round(of["sizes"]["160"]["threshold"], 2),
}


def test_every_answer_is_what_its_figure_shows(script, scenes):
    assert {key: scene["question"]["answer"] for key, scene in scenes.items()} == {
        key: counted(script["figures"]) for key, counted in COUNTED.items()
    }


def test_every_answer_can_be_guessed(scenes):
    for scene in scenes.values():
        question = scene["question"]
        if question["options"]:
            assert question["answer"] in question["options"]
        else:
            assert question["low"] <= question["answer"] <= question["high"]


def test_other_numbers_of_the_words_are_counted_too(script, scenes):
    """Of both taggers' words, of the worlds by winner, of two-sided p and Holm, of all sizes."""
    of = script["figures"]
    right = of["right"]
    b_wins = sum(b > a for a, b in zip(right["A"], right["B"], strict=True))
    assert f"[B] in {b_wins}." in " ".join(scenes["gain"]["after"])
    assert sum(right["A"]) - sum(right["B"]) == of["gain"]
    assert f"{of['gain']} words" in " ".join(scenes["gain"]["text"])
    after = " ".join(scenes["worlds"]["after"])
    a_alarms, b_alarms = (sum(one and sign * gain > 0 for gain, one, _ in of["worlds"]) for sign in (1, -1))
    assert f"in {a_alarms} of them, [B] in {b_alarms}" in after
    assert f"in {sum(two for _, _, two in of['worlds'])} worlds" in after
    assert f"adjustment {sum(holm for *_, holm in of['sets'][0])}." in scenes["pairs"]["short"]
    for size, pairs in of["sizes"].items():
        assert f"{pairs['threshold']:.2f}" in scenes["threshold"]["short"]
        assert f"{size}" in scenes["threshold"]["short"]
        assert len(pairs["gain"]) == len(pairs["confidence"]) == len(pairs["significant"])
        shown = zip(pairs["confidence"], pairs["significant"], strict=True)
        # Confidence is rounded for the figure.
        assert all(significant == (confidence > 1 - ALPHA) for confidence, significant in shown
                   if abs(confidence - (1 - ALPHA)) > 1e-4)  # fmt: skip


def test_a_sentence_has_one_idea_and_known_symbols(script, scenes):
    """Sentences are short, each stands alone, and each symbol is one of the client's, which gives it its colour."""
    client = (page.CLIENT / "dom.js").read_text(encoding="utf-8")
    known = re.search(r"const SYMBOLS = \{(.*?)\}", client)[1]
    texts = [text for scene in scenes.values() for text in (*scene["text"], *scene["after"])]
    for text in [*texts, *script["learnt"]]:
        assert text.endswith((".", "?"))
        assert not re.search(r"[.?] [A-Z\[]", text), text
        assert len(text.split()) <= LONGEST_SENTENCE, text
        assert all(f"{symbol}:" in known or f'"{symbol}":' in known for symbol in SYMBOL.findall(text)), text


def test_every_figure_has_a_text_alternative_with_numbers(scenes):
    for scene in scenes.values():
        assert scene["before"] != scene["alt"]
        assert len(re.findall(r"\d", scene["alt"])) >= 3


def test_ten_questions_and_a_small_script(script):
    assert len(script["questions"]) == 10
    assert len(json.dumps(script)) < 200_000


def test_every_scene_leads_to_a_step_of_the_page(scenes):
    assert {scene["step"] for scene in scenes.values()} <= set(steps.STEPS) - {steps.FILM}


def test_the_client_is_complete_and_uses_no_network():
    """Every file of the client is used; the only address is the name of SVG."""
    assert {path.name for path in page.CLIENT.iterdir()} == {*page.SCRIPTS, "film.css"}
    for path in page.CLIENT.iterdir():
        text = path.read_text(encoding="utf-8").replace('"http://www.w3.org/2000/svg"', "")
        assert not re.search(r"https?:|//www|\bfetch\(|\bimport\b|XMLHttpRequest|WebSocket|url\(|innerHTML", text), path


def test_the_page_opens_with_the_film_and_goes_on_to_the_first_step():
    test = app("pages/learn.py")
    assert test.session_state["step"] == steps.FILM
    assert not charts(test)
    assert test.button(key="learn_Back").disabled
    test.button(key="learn_Next").click().run()
    assert test.query_params["step"] == "1"
    assert len(charts(test)) == 1
    assert test.button(key="learn_Back").label == "Back: The film"
    test.button(key="learn_Back").click().run()
    assert "step" not in test.query_params
    assert not charts(test)
