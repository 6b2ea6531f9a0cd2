"""The film's script: what its words say is what its figures show, on the made-up taggers and on pairs of a task."""

from __future__ import annotations

import json
import re

import pytest

from nlpsig_core.base.words import LEVEL
from nlpsig_core.data.task.samples import sample_names
from nlpsig_core.output.film.script import CLIENT, SCRIPTS
from tests.apps import SEVERAL, app, copyable, mounted, texts
from tests.builders import conllu
from ui.studies.learn import film as page

PAGE = "pages/learn.py"
# A symbol of a text stands in brackets.
SYMBOL = re.compile(r"\[([^\]]+)\]")
LONGEST_SENTENCE = 24


def played(test) -> dict:
    """The script of the film on a page."""
    (script,) = mounted(test, "film")
    return script


def own(**link: object):
    """The Learn page with the film of a pair of a task."""
    return app(PAGE, film=page.OWN, **link)


@pytest.fixture(scope="module", params=["made up", "of a task"])
def script(request) -> dict:
    return played(app(PAGE) if request.param == "made up" else own(task="brelda-parsing"))


@pytest.fixture
def scenes(script) -> dict[str, dict]:
    return {scene["key"]: scene for scene in script["scenes"]}


# The answer of each question, counted from what the browser draws.
COUNTED = {
    "gain": lambda figures: sum(won > 0 for won in figures["won"]),
    "draw": lambda figures: len(figures["won"]) - len(set(figures["drawn"][0])),
    "fall": lambda figures: sum(gain < 0 for gain in figures["gains"][: figures["first"]]),
    "slide": lambda figures: sum(gain - figures["gain"] > figures["gain"] for gain in figures["gains"]),
    "notion": lambda figures: (
        "yes"
        if sum(gain > 2 * figures["gain"] or gain < 0 for gain in figures["gains"]) / len(figures["gains"]) < LEVEL
        else "no"
    ),
    "worlds": lambda figures: sum(one_sided for _, one_sided, _ in figures["worlds"]),
    "swaps": lambda figures: sum(abs(gain) >= figures["gain"] for gain in figures["swapped"]),
    "rules": lambda figures: sum(rule["p"][0] < LEVEL for rule in figures["rules"]),
    "pairs": lambda figures: sum(marked for _, _, marked, _ in figures["sets"][0]),
    "threshold": lambda figures: round(figures["sizes"]["160"]["threshold"], 2),
    "votes": lambda figures: min(
        dict(heads)[own] for heads, own in zip(figures["votes"]["votes"]["4"], figures["votes"]["own"], strict=True)
    ),
}


def test_every_answer_is_what_its_figure_shows_and_can_be_guessed(script, scenes):
    assert {key: scene["question"]["answer"] for key, scene in scenes.items()} == {
        key: counted(script["figures"]) for key, counted in COUNTED.items()
    }
    for scene in scenes.values():
        question = scene["question"]
        assert question["answer"] in question["options"] or 0 <= question["answer"] <= question["high"]


def test_other_numbers_of_the_words_are_counted_too(script, scenes):
    """B's units, the false alarms of worlds by winner and two-sided, after Holm, and the thresholds of all sizes."""
    figures, after = script["figures"], {key: " ".join(scene["after"]) for key, scene in scenes.items()}
    assert f"[B] in {sum(won < 0 for won in figures['won'])}." in after["gain"]
    a, b = (sum(one and sign * gain > 0 for gain, one, _ in figures["worlds"]) for sign in (1, -1))
    assert f"in {a} of them, [B] in {b}" in after["worlds"]
    assert f"in {sum(two for _, _, two in figures['worlds'])} worlds" in after["worlds"]
    assert f"adjustment {sum(holm for *_, holm in figures['sets'][0])}." in scenes["pairs"]["short"]
    for size, pairs in figures["sizes"].items():
        assert f"{pairs['threshold']:.2f}" in scenes["threshold"]["short"]
        assert size in scenes["threshold"]["short"]


def test_a_sentence_has_one_idea_and_known_symbols(script, scenes):
    """Sentences are short, each stands alone, and each symbol is one of the client's, which gives it its colour."""
    client = (CLIENT / "dom.js").read_text(encoding="utf-8")
    closing = script["learnt"] + script["noticeable"]
    known = re.search(r"const SYMBOLS = \{(.*?)\}", client)[1]
    for text in [text for scene in scenes.values() for text in (*scene["text"], *scene["after"])] + closing:
        assert text.endswith((".", "?"))
        assert not re.search(r"[.?] [A-Z\[]", text), text
        assert len(text.split()) <= LONGEST_SENTENCE, text
        assert all(f"{symbol}:" in known or f'"{symbol}":' in known for symbol in SYMBOL.findall(text)), text
    for scene in scenes.values():
        assert scene["before"] != scene["alt"]
        assert len(re.findall(r"\d", scene["alt"])) >= 3


def test_a_task_with_one_system_shows_the_made_up_film(tmp_path, monkeypatch):
    """A film of its own needs two, as the page says."""
    monkeypatch.setenv("NLPSIG_FOLDERS", str(tmp_path))
    for name in ("gold", "one"):
        (tmp_path / f"{name}.conllu").write_text(conllu("a b/1/x", "c d"), encoding="utf-8")
    assert played(app(PAGE, task=tmp_path))["scenes"]
    test = own(task=tmp_path)
    assert test.info[0].value == "This task has one system; the film compares two."
    assert not mounted(test, "film")


def test_the_end_says_what_people_think_of_a_pair_that_they_have_judged():
    pair = {"task": "ondvar-judgements", "metric": "BLEU", "pair": "Drimolka-1 over Vorquell-1"}
    judged, not_judged = (played(own(**pair | more)) for more in ({}, {"pair": "Vorquell-1 over Zemblit-3"}))
    assert judged["noticeable"][-2] == "People judged 60 segments of both outputs."
    assert judged["noticeable"][-1].startswith("By their scores, Drimolka-1 is ahead by 4.07, p = 0.0")
    assert len(not_judged["noticeable"]) == len(judged["noticeable"]) - 2


def test_where_lower_is_better_the_film_says_reduction():
    """As all pages do; the scene of the threshold, on made-up taggers, has gains in accuracy."""
    film = played(own(task="mirvel-transcripts"))
    threshold = next(scene for scene in film["scenes"] if scene["key"] == "threshold")
    scenes = [dict(scene, key="") for scene in film["scenes"] if scene is not threshold]
    said = json.dumps([scenes, film["learnt"], film["noticeable"], film["questions"]])
    assert film["scenes"][0]["title"] == "The reduction"
    assert not re.search(r"\bgains?\b", said)
    assert "gain" in threshold["text"][1]
    assert film["figures"]["gain_word"] == "reduction"


def test_scenes_that_judge_a_pair_have_the_verdict_of_its_page():
    """By resampling 24 speakers p is 0.034, by the test that decides 0.055; made-up taggers have no other page."""
    pair = {"task": "mirvel-transcripts", "pair": "Yusvandor-3 over Drimolka-2", "scope": "alone"}
    of_page = app("pages/pair.py", **pair)
    p = re.search(r"Undecided\*\*: .*; (p = 0.05\d by approximate randomization)\.", texts(of_page))[1]
    verdict = f"nlpsig's verdict on this pair alone, at the level 0.05: undecided, {p}."
    after = {scene["key"]: scene["after"] for scene in played(own(**pair))["scenes"]}
    assert "Here both rules call the reduction significant; for another pair they may differ." in after["notion"]
    assert after["notion"][-3:-1] == after["rules"][-2:]
    assert after["rules"][-1] == verdict
    assert after["rules"][-2].startswith("24 speakers of unequal size (like 20.8 equal ones) are few to resample: ")
    corrected = played(own(**pair | {"scope": "corrected", "alpha": 0.1}))["scenes"][4]["after"]
    assert verdict.replace("0.05: undecided", "0.1: better") in corrected
    assert "nlpsig's verdict" not in json.dumps(played(app(PAGE)))


def test_the_script_is_small(script):
    assert len(script["questions"]) == 11
    assert len(json.dumps(script)) < 400_000


def test_the_client_is_complete_and_uses_no_network():
    """Every file of the client is used; the only address is the name of SVG."""
    assert {path.name for path in CLIENT.iterdir()} == {*SCRIPTS, "film.css"}
    for path in CLIENT.iterdir():
        text = path.read_text(encoding="utf-8").replace('"http://www.w3.org/2000/svg"', "")
        assert not re.search(r"https?:|//www|\bfetch\(|\bimport\b|XMLHttpRequest|WebSocket|url\(|innerHTML", text), path


@pytest.mark.parametrize("task", [name for name in sample_names() if name != "brelda-parsing"])
def test_the_film_runs_on_the_best_pair_of_every_sample(task):
    """On several test sets it shows one of them; the pair, the unit and the signature are those of the task."""
    # SPA has 140 statistics a segment: a minute of the suite for the same scenes.
    metric = {"metric": "seg-accuracy-item"} if task == "halvet-metrics" else {}
    test = own(task=task, edition="higher", test_set="macro-average", **metric)
    script = played(test)
    assert " over ".join(script["names"]) == test.session_state["pair"]
    assert f"pair:{test.session_state['pair']}" in copyable(test)[0]
    assert ("This page shows one test set" in texts(test)) == (task in (SEVERAL, "orlun-evaluation"))


@pytest.mark.parametrize("rows", [2, 3, 21])
def test_the_film_runs_on_a_tiny_test_set(rows):
    test = uploaded("".join(f"{i},{i % 3 + 0.5},{i % 2}\n" for i in range(rows)))
    assert played(test)["figures"]["n"] == rows


def uploaded(rows: str, names: str = "A,B"):
    """The film of a table of scores."""
    test = app()
    test.file_uploader(key="upload").upload("scores.csv", f"unit,{names}\n{rows}".encode()).run()
    test.segmented_control(key="edition").set_value("higher").run()
    test.switch_page(PAGE).run()
    return test.segmented_control(key="film").set_value(page.OWN).run()


def test_the_film_runs_on_a_real_task(real_data, monkeypatch):
    """Of more units than a figure has room for, the first are shown; lower is better."""
    monkeypatch.setenv("NLPSIG_FOLDERS", str(real_data))
    script = played(own(task=real_data / "align.enfr"))
    assert "Lower is better." in " ".join(script["scenes"][0]["text"])


def test_another_pair_can_be_chosen_and_two_with_one_score_cannot_be_looked_at():
    test = own(task="brelda-parsing")
    box = test.selectbox(key="pair")
    test = box.set_value(box.options[300]).run()
    assert " over ".join(played(test)["names"]) == box.options[300] == test.query_params["pair"]
    test = test.selectbox(key="pair").set_value(box.options[0]).run()
    assert "there is no gain to test" in test.info[0].value
    assert not mounted(test, "film")


def test_the_usual_pair_passes_over_a_copy_of_the_best():
    """A and its copy share the first place; C is third, D last. Where all score alike there is no gain to test."""
    rows = "".join(f"{i},{i % 2},{i % 3 + 2},{i % 3 + 2},{i % 3 + i % 2}\n" for i in range(30))
    assert uploaded(rows, "D,A,copy,C").selectbox(key="pair").value == "A over C"
    alike = uploaded("".join(f"{i},{i},{29 - i}\n" for i in range(30)))
    assert "there is no gain to test" in alike.info[0].value


def test_names_with_brackets_are_no_symbols():
    rows = "".join(f"{i},{i % 3 + 1},{i % 2}\n" for i in range(30))
    assert played(uploaded(rows, "[A],B[p]"))["scenes"][0]["text"][0] == "[A] is (A), and [B] is B(p)."


def test_the_film_resamples_no_other_pair(runs):
    own(task="brelda-parsing", seed=301)
    assert not runs
