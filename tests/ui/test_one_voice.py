"""One voice: a pair has the same verdict and the same p on every page, and one choice changes both on all of them."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.significance.comparison.notion import ALONE, BOTH, CORRECTED, SCOPES
from nlpsig_core.significance.comparison.verdict import ANSWERS
from tests.apps import MAIN, SEVERAL, app, copyable, metric, texts
from ui.work import watching

FIRST, SCORES, PAIRS, PAIR = "app.py", "pages/scores.py", "pages/pairs.py", "pages/pair.py"
CAMPAIGN = "pages/campaign.py"
ONE_TEST_SET, ALL_TEST_SETS = (SCORES, PAIRS, PAIR, FIRST), (SCORES, PAIRS, CAMPAIGN, FIRST)
TASKS = {
    "conll-2017-chinese": {"b": "1M"},
    MAIN: {},
    SEVERAL: {"test_set": MACRO},
    "dorvel-runs": {},
    "orlun-evaluation": {"test_set": MACRO},
    "varnil-scores": {"edition": "higher"},
}
SYMBOLS = "".join(answer.symbol for answer in ANSWERS.values())
BOX = re.compile(rf"[{re.escape(SYMBOLS)}] \*\*(.+?)\*\*: (.*)")
P = re.compile(r"p ([=<] [^ ;,]+)")


def read(text: str) -> str:
    return text.replace("\\", "")


def voice(test: AppTest, *systems: str) -> tuple[str, str]:
    """The word of the verdict on two systems on a page, and its p with the corrected one."""
    boxes = [found for of in test.markdown if (found := BOX.fullmatch(read(of.value)))]
    word, reason = next(box.groups() for box in boxes if all(name in box[2] for name in systems))
    reason = reason.rstrip(".")
    corrected = re.search(r"; (corrected [^;]+)", reason)
    return word, f"{P.search(reason)[1]}; {corrected[1] if corrected else ''}"


def ranked(test: AppTest) -> list[str]:
    """The systems, best first, on the page Scores."""
    return next(frame.value for frame in test.dataframe if "ranks" in frame.value)["system"].tolist()


def choose(test: AppTest, scope: str) -> AppTest:
    test.segmented_control(key="scope").set_value(scope).run()
    assert not test.exception
    return test


@pytest.mark.parametrize("page", [*ONE_TEST_SET, "pages/sizes.py"])
def test_a_verdict_that_rests_on_few_units_says_so_on_every_page(page, monkeypatch):
    """However long the search for them takes."""
    monkeypatch.setattr(watching, "A_MOMENT", 0)
    assert "; corrected 1.0; without 4 of 650 sentences (0.62%) it would not be significant." in read(
        texts(app(page, seed=4))
    )


@pytest.mark.parametrize("task", TASKS)
def test_the_best_two_have_one_verdict_and_one_p_everywhere(task):
    """The p is also that of the facts, of the table of pairs and of the sentence for a paper."""
    link = TASKS[task]
    test = app(SCORES, task=task, baseline="", **link)
    a, b = ranked(test)[:2]
    test.session_state["pair"] = f"{a} over {b}"
    said: dict[str, set[tuple[str, str]]] = {scope: set() for scope in SCOPES}
    for page in ALL_TEST_SETS if MACRO in link.values() else ONE_TEST_SET:
        test.switch_page(page).run()
        for scope in SCOPES:
            word, p = voice(choose(test, scope), a, b)
            said[scope].add((word, p))
            number = p.partition(";")[0].removeprefix("= ")
            if page in (PAIRS, PAIR):
                assert metric(test, "p") == number
            if page == PAIRS:
                row = test.dataframe[-1].value.set_index(["system_a", "system_b"]).loc[(a, b)]
                assert (row["p"].strip(), ANSWERS[row["verdict"][2:]].word) == (number, word.partition(",")[0])
            if page == PAIR:
                assert f"p {p.partition(';')[0]} " in f"{copyable(test)[0].rstrip('.')} ".replace(",", " ")
    assert [len(of) for of in said.values()] == [1, 1, 1], said
    words = {scope: next(iter(of))[0].partition(",")[0] for scope, of in said.items()}
    same = words[ALONE] == words[CORRECTED]
    assert words[BOTH] == (words[ALONE] if same else "Yes on its own")
    assert same or (words[ALONE], words[CORRECTED]) == ("Yes", "Undecided")


@pytest.mark.parametrize("view", ["scatter", "matrix"])
def test_no_p_is_rounded_across_the_level_that_was_chosen(view):
    """p = 0.0135 is above 0.0133: in the verdict, the numbers, the table, and the text on the dot or cell."""
    pair = "Quennaro-joint", "Oskblit-joint"
    test = app(PAIRS, task=MAIN, alpha=0.0133, view=view, pair=" over ".join(pair))
    word, p = voice(test, *pair)
    assert (word.partition(",")[0], len(p.partition(";")[0])) == ("Undecided", len("= 0.0135"))
    number = p.partition(";")[0].removeprefix("= ")
    assert metric(test, "p") == number
    assert test.dataframe[-1].value.set_index(["system_a", "system_b"]).loc[pair, "p"].strip() == number
    assert f"undecided: p {number}" in test.get("plotly_chart")[0].proto.spec


@pytest.mark.parametrize("task", [name for name in TASKS if name not in ("dorvel-runs", "orlun-evaluation")])
def test_the_best_against_the_baseline_has_one_p_everywhere(task):
    """In the sentence, in the ranking, and in the verdict of Pairs and Pair, which open on it."""
    link = TASKS[task]
    base = ranked(app(SCORES, task=task, baseline="", **link))[-1]
    test = app(SCORES, task=task, baseline=base, **link)
    best = ranked(test)[0]
    several = MACRO in link.values()
    for scope in SCOPES:
        sentences, verdicts, rows = set(), set(), set()
        for page in ALL_TEST_SETS if several else ONE_TEST_SET:
            test.switch_page(page).run()
            choose(test, scope)
            if page in (PAIRS, PAIR):
                verdicts.add(voice(test, best, base))
            else:
                sentences.add(next(text for text in copyable(test) if f" {base}" in text))
            if page in (SCORES, CAMPAIGN):
                ranking = next(of.value for of in test.dataframe if "over_baseline" in of.value)
                rows |= set(ranking.loc[ranking["system"] == best, ["p", "verdict"]].itertuples(index=False, name=None))
        (sentence,), ((word, p),), ((in_row, verdict),) = sentences, verdicts, rows
        assert in_row.strip() == p.partition(";")[0].removeprefix("= ")
        assert ANSWERS[verdict[2:]].word == word.partition(",")[0]
        beaten = sentence.startswith(f"{best} beats {base} by ")
        assert beaten == word.startswith("Yes")
        assert not beaten or f"(p {p.partition(';')[0]})" in sentence
        assert (" on its own " in sentence) == word.startswith("Yes on its own")


def test_a_subset_of_the_test_sets_is_followed_everywhere():
    """Two of three: Campaign, the first page and the macro-average of Scores are of these."""
    test = app(CAMPAIGN, task=SEVERAL)
    test.multiselect(key="test_sets").set_value(["brelda", "shumak"]).run()
    assert not test.exception
    assert "Test sets: 2 of 3" in [fold.label for fold in test.expander]
    assert "|n:240+240|" in texts(test)
    assert "test_sets:brelda,shumak|" in texts(test)
    assert "llethir" not in str([frame.value.to_string() for frame in test.dataframe])
    campaign = voice(test, "Drimolka-1")
    test.selectbox(key="test_set").set_value(MACRO).run()
    for page in (SCORES, FIRST):
        test.switch_page(page).run()
        assert voice(test, "Drimolka-1") == campaign
        assert test.query_params["test_sets"] == ["brelda", "shumak"]
    assert metric(test, "Test sets") == "2"
    assert "llethir" not in test.get("plotly_chart")[0].proto.spec
