"""The Learn page through Streamlit's AppTest: every button is pressed, every slider moved, and something changes."""

from __future__ import annotations

import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpsig_core.base.words import p_text
from nlpsig_core.data.task import sample_names
from tests.ui.test_app import MAIN, SEVERAL, app, charts, metric, texts, values
from ui.app.text import plain

PAGE = "pages/learn.py"
STEPS = ["1", "2", "3", "4", "5", "6", "7"]
# A pair of the first sample with a p of about 0.05.
NEAR = "Krestluvo-3 over Krestluvo-2"
NAMES = ["The gain", "Resamples", "Twice the gain", "Luck alone", "The curve", "Other rules", "Edge confidence"]


def learn(step: int = 1, **link: object) -> AppTest:
    return app(PAGE, step=step, **link)


def press(test: AppTest, key: str) -> None:
    test.button(key=key).click().run()
    assert not test.exception, test.exception[0].value


def choose(test: AppTest, key: str, value: object) -> None:
    """Move a slider, a toggle or a choice, whichever has that key."""
    kinds = (test.slider, test.segmented_control, test.selectbox, test.toggle)
    widget = next(of for kind in kinds for of in kind if of.key == key)
    widget.set_value(value).run()
    assert not test.exception, test.exception[0].value


def answer(test: AppTest) -> str:
    """What the step says of its figure: the text after the step's own, which has its place in the paper."""
    lines = [element.value for element in test.markdown]
    place = next(i for i, line in enumerate(lines) if ":gray[(" in line)
    return lines[place + 1]


def numbers(text: str) -> list[float]:
    """The numbers of a text, without commas and proper minus signs."""
    plain = text.replace(",", "").replace("−", "-").replace("\\", "")
    return [float(number) for number in re.findall(r"(?<![\w.-])-?\d+(?:\.\d+)?(?![\w])", plain)]


def drawn(test: AppTest) -> np.ndarray:
    """How often each unit is drawn, by the figure."""
    return np.asarray(values(charts(test)[0]["data"][0]["text"]), dtype=int)


def heights(test: AppTest) -> list[int]:
    """The sum of the bars of each trace of a histogram."""
    return [int(values(trace["y"]).astype(int).sum()) for trace in charts(test)[0]["data"]]


def through(test: AppTest) -> None:
    """From the first step to the last, each with one figure and its place in the paper."""
    for step in STEPS:
        assert test.session_state["step"] == step
        assert len(charts(test)) == 1
        assert ":gray[(section" in texts(test)
        if step != STEPS[-1]:
            press(test, "learn_Next")


@pytest.mark.parametrize("task", sample_names())
def test_every_step_opens_every_sample(task):
    """Of several test sets, on one of them."""
    test = learn(1, task=task, edition="higher", resamples=100, worlds=100, test_set="macro-average")
    through(test)
    assert len(test.title) == 1
    assert ("This page shows one test set" in texts(test)) == (task in (SEVERAL, "orlun-evaluation"))


def test_every_step_opens_a_real_task(real_data, monkeypatch):
    monkeypatch.setenv("NLPSIG_FOLDERS", str(real_data))
    through(learn(1, task=real_data / "align.enfr", worlds=100))


@pytest.mark.parametrize("rows", [2, 3, 21])
def test_every_step_opens_a_tiny_test_set(rows):
    test = upload("".join(f"{i},{i % 3 + 0.5},{i % 2}\n" for i in range(rows)))
    through(test)
    press(test, "step_6")
    choose(test, "rules", "many comparisons")
    press(test, "step_4")
    choose(test, "worlds", "100")


def test_next_and_back_and_the_row_of_steps():
    """One step at a time, named in the link."""
    test = learn()
    shown = [answer(test)]
    for place in range(1, 7):
        assert test.button(key="learn_Next").label == f"Next: {NAMES[place]}"
        press(test, "learn_Next")
        assert test.query_params["step"] == STEPS[place]
        shown.append(answer(test))
    assert len(set(shown)) == 7
    assert test.button(key="learn_Next").disabled
    press(test, "learn_Back")
    assert answer(test) == shown[5]
    press(test, "step_1")
    assert answer(test) == shown[0]
    assert test.query_params["step"] == "1"
    kinds = {button.key: button.proto.type for button in test.button if str(button.key).startswith("step_")}
    assert [key for key, kind in kinds.items() if kind == "primary"] == ["step_1"]


def test_a_link_to_a_step_that_is_not_here_says_so():
    """With the page's next answer, as for all that a page itself asks for."""
    test = learn(9)
    test.run()
    assert "step 9" in test.warning[0].value
    assert test.session_state["step"] == "film"


def upload(rows: str, names: str = "A,B") -> AppTest:
    """The first step on a table of scores."""
    test = app()
    test.file_uploader(key="upload").upload("scores.csv", f"unit,{names}\n{rows}".encode()).run()
    test.segmented_control(key="edition").set_value("higher").run()
    test.switch_page(PAGE).run()
    press(test, "step_1")
    return test


@pytest.mark.parametrize("page", [PAGE, "pages/pair.py", "pages/pairs.py"])
def test_the_usual_pair_is_the_best_system_over_the_next(page):
    """Those of the first two lines of the ranking; the link need not name them."""
    test = app("pages/scores.py")
    first, second = test.dataframe[0].value["system"][:2]
    test.switch_page(page).run()
    if page == PAGE:
        press(test, "step_1")
    assert test.session_state["pair"] == f"{first} over {second}"
    assert "pair" not in test.query_params


def test_the_usual_pair_passes_over_a_copy_of_the_best():
    """A and its copy share the first place; C is third, D last. Where all score alike there is no gain to test."""
    rows = "".join(f"{i},{i % 2},{i % 3 + 2},{i % 3 + 2},{i % 3 + i % 2}\n" for i in range(30))
    assert upload(rows, "D,A,copy,C").selectbox(key="pair").value == "A over C"
    alike = upload("".join(f"{i},{i},{29 - i}\n" for i in range(30)))
    assert "there is no gain to test" in alike.info[0].value


def test_another_pair_can_be_chosen():
    test = learn(3, count="twice", pair=NEAR)
    pairs = test.selectbox(key="pair").options
    assert len(pairs) == 378
    assert 0.03 < numbers(answer(test).partition("p = ")[2])[0] < 0.07
    other = pairs[300]
    choose(test, "pair", other)
    assert plain(other.partition(" over ")[0]) in texts(test)
    assert numbers(answer(test).partition("p ")[2])[0] < 0.03
    assert test.query_params["pair"] == other


def test_two_systems_with_one_score_cannot_be_looked_at():
    test = learn()
    duplicates = test.selectbox(key="pair").options[0]
    choose(test, "pair", duplicates)
    assert "there is no gain to test" in test.info[0].value
    assert not charts(test)


def test_all_pairs_are_resampled_for_the_curve_alone(runs):
    test = learn(1, seed=301)
    for step in ("2", "3", "4", "6", "7"):
        press(test, f"step_{step}")
    assert not runs
    press(test, "step_5")
    assert len(runs) == 1


def test_the_gain_on_the_first_units():
    """The slider cuts the test set: the gain on it, who wins how many, and what is drawn faint."""
    test = learn()
    n, gain, a, b, ties = numbers(answer(test))
    assert a + b + ties == n == 650
    assert f"**{gain:.2f}**" in test.markdown[[":gray[(" in m.value for m in test.markdown].index(True)].value
    choose(test, "first_units", 40)
    first, here, a, b, ties = numbers(answer(test))
    assert (first, a + b + ties) == (40, 40)
    assert here != gain
    assert f"<b>{here:.2f}</b>" in charts(test)[0]["data"][-1]["text"][0].replace("−", "-")
    opacity = values(charts(test)[0]["data"][0]["marker"]["opacity"])
    assert set(opacity) == {1.0, 0.25}
    assert len(values(charts(test)[0]["data"][2]["x"])) == 40
    assert test.query_params["first_units"] == "40"


def test_the_slider_of_units_starts_anew_on_another_domain():
    test = learn(first_units=40)
    assert test.slider(key="first_units").value == 40
    choose(test, "domain", test.selectbox(key="domain").options[1])
    slider = test.slider(key="first_units")
    assert slider.value == slider.max < 650


def test_lower_is_better_is_said():
    test = learn(task="quorin-alignment")
    assert "(lower is better)" in texts(test)
    assert numbers(answer(test))[1] > 0


def test_a_resample_is_drawn_unit_by_unit():
    test = learn(2)
    assert drawn(test).sum() == 0
    seen = []
    for number in (1, 2, 3):
        press(test, "draw_one")
        assert drawn(test).sum() == number
        assert numbers(answer(test))[:2] == [number, 650]
        seen.append(int(numbers(answer(test))[2]))
    assert drawn(test)[np.array(seen) - 1].min() >= 1
    press(test, "draw_rest")
    times = drawn(test)
    assert times.sum() == 650
    assert f"{(times == 0).sum()} sentences did not come up" in answer(test)
    assert 0.32 < (times == 0).mean() < 0.42
    assert test.button(key="draw_one").disabled


def test_the_next_resample_is_another_and_nothing_else_draws_again():
    test = learn(2)
    press(test, "draw_rest")
    first, gain = drawn(test), numbers(answer(test))[1]
    press(test, "draw_next")
    assert drawn(test).sum() == 650
    assert (drawn(test) != first).any()
    assert f"Before: {gain:.2f}" in answer(test)
    second = answer(test)
    test.number_input(key="alpha").set_value(0.1).run()
    assert answer(test) == second
    press(test, "step_1")
    press(test, "step_2")
    assert answer(test) == second


def test_another_pair_begins_with_nothing_drawn():
    test = learn(2)
    press(test, "draw_rest")
    choose(test, "pair", test.selectbox(key="pair").options[200])
    assert drawn(test).sum() == 0
    assert answer(test) == "Nothing is drawn yet."


def test_more_resamples_fill_the_histogram_up_to_the_p_of_the_pairs_page():
    test = learn(2)
    assert test.segmented_control(key="resamples").options == ["1", "10", "100", "1,000", "10,000"]
    for number in (10, 1_000, 10_000):
        choose(test, "resamples", str(number))
        assert sum(heights(test)) == number
        assert f"of {number:,} resamples" in answer(test)
    hits = numbers(answer(test).rpartition("; in ")[2])[0]
    pair = test.selectbox(key="pair").value
    test.switch_page("pages/pairs.py").run()
    assert test.session_state["pair"] == pair
    assert metric(test, "p, one-sided (the paper's)") == p_text(hits / 10_000)


def test_what_is_counted_and_what_comes_out_if_one_forgets():
    test = learn(3, pair=NEAR)
    for event, low, high in (("once", 0.47, 0.53), ("twice", 0.03, 0.07), ("below", 0.03, 0.07)):
        choose(test, "count", event)
        p = answer(test).partition("p = ")[2].partition("*")[0]
        assert low < float(p.rstrip(".,”")) < high
        assert p_text(heights(test)[1] / 10_000) == p.rstrip(".,”")
    choose(test, "count", "twice")
    assert "the gain is called" in answer(test)
    called = answer(test)
    test.number_input(key="alpha").set_value(0.2).run()
    assert answer(test) != called
    assert "the gain is called significant" in answer(test)


def test_the_histogram_can_be_moved_to_0():
    test = learn(3)
    before = values(charts(test)[0]["data"][0]["x"])
    assert test.segmented_control(key="count").options == ["δ* > δ", "δ* > 2δ", "δ* < 0"]
    choose(test, "centred", True)
    after = values(charts(test)[0]["data"][0]["x"])
    moved = before - after
    assert moved.std() < 1e-9
    gain = float(re.search(r"δ = ([\d.]+)", str(charts(test)[0]["layout"]["annotations"])).group(1))
    assert moved[0] == pytest.approx(gain, abs=0.01)
    assert test.segmented_control(key="count").options == ["above 0", "above δ", "below −δ"]


def test_one_world_is_shuffled_again():
    test = learn(4)
    swapped = len(values(charts(test)[0]["data"][1]["x"]))
    of_all, of_differing, differing = numbers(answer(test))[:3]
    assert of_all == swapped
    assert 250 < swapped < 400
    assert of_differing < differing < 650
    assert abs(of_differing - differing / 2) < 3 * np.sqrt(differing)
    before = answer(test)
    press(test, "shuffle")
    assert answer(test) != before
    assert len(values(charts(test)[0]["data"][0]["x"])) + len(values(charts(test)[0]["data"][1]["x"])) == 650


def test_p_is_flat_in_many_worlds():
    """1,000 worlds: two-sided below 0.05 in about 50, the winner's in about 100 (5 standard errors: 34 and 47)."""
    test = learn(4, worlds=1000, pair=NEAR)
    alarms, of = numbers(answer(test))[1:3]
    assert of == 1_000
    assert abs(alarms - 50) < 35
    assert sum(heights(test)) == 1_000
    choose(test, "world_p", "winner's one-sided")
    assert abs(numbers(answer(test))[1] - 100) < 48
    assert "twice as often" in answer(test)
    assert "from 0 to 0.5" in answer(test)
    choose(test, "level", 0.3)
    assert abs(numbers(answer(test))[1] - 600) < 80
    assert heights(test)[0] == numbers(answer(test))[1]
    before = answer(test)
    press(test, "shuffle")
    assert answer(test) != before
    choose(test, "worlds", "100")
    assert numbers(answer(test))[2] == 100


def test_flat_is_said_where_bars_are_flat_alone():
    """LAS of two good parsers comes in steps of one word: the bars say so. A learned metric's scores do not."""
    steps = answer(learn(4, worlds=1000, task=MAIN))
    assert "**not flat**" in steps
    assert "p < 0.0001" in steps
    assert "The gain comes in steps" in steps
    smooth = answer(learn(4, worlds=1000, task="varnil-scores", edition="higher", unit="unit"))
    assert "is **flat** (χ² test of its 20 bars" in smooth
    assert "not flat" not in smooth


def test_a_world_that_happens_to_have_the_real_gain_says_so():
    """The first world of seed 0 has just the real gain of this pair, as three worlds of 100 have; the next has not."""
    test = learn(4, pair=NEAR)
    assert "by chance the same as the real δ, 0.51" in answer(test)
    press(test, "shuffle")
    assert "the real δ is 0.51" in answer(test)


def test_size_and_correlation_move_the_curve():
    """Four times the units halve the gain that is needed; with no correlation it takes more; the dots stay."""
    test = learn(5)
    units, own, needed, level = numbers(answer(test))[:4]
    assert (units, level) == (650, 0.95)
    dots = values(charts(test)[0]["data"][0]["x"])
    curve = values(charts(test)[0]["data"][1]["y"])
    choose(test, "times", 4.0)
    assert numbers(answer(test))[0] == 2_600
    assert numbers(answer(test))[2] == pytest.approx(needed / 2, abs=0.006)
    assert (values(charts(test)[0]["data"][1]["y"])[1:-1] >= curve[1:-1]).all()
    assert (values(charts(test)[0]["data"][0]["x"]) == dots).all()
    choose(test, "times", 1.0)
    choose(test, "correlated", 0.0)
    assert numbers(answer(test))[2] > 1.5 * needed
    assert (values(charts(test)[0]["data"][2]["y"]) == curve).all()
    choose(test, "pair", test.selectbox(key="pair").options[100])
    assert test.slider(key="correlated").value not in (0.0, own)


def test_rules_give_other_p_and_say_why():
    test = learn(6)
    rules = test.selectbox(key="rule").options
    assert rules[:4] == ["paired bootstrap", "δ* < 0", "unpaired draws", "half-size resamples"]
    assert {"approximate randomization", "sign test", "paired t-test", "Wilcoxon signed-rank test"} <= set(rules)
    found = {}
    for rule in rules:
        choose(test, "rule", rule)
        found[rule] = numbers(answer(test))[0]  # two digits
        assert f"<b>{rule}</b>" in [note["text"] for note in charts(test)[0]["layout"]["annotations"]]
    assert found["unpaired draws"] > 1.5 * found["paired bootstrap"]
    assert 1.5 * found["paired bootstrap"] < found["half-size resamples"] < found["unpaired draws"]
    test.toggle(key="learn_rules_as_table").set_value(True).run()
    table = test.dataframe[0].value
    assert table["rule"].tolist() == rules
    assert table["one_sided"].tolist() == pytest.approx([found[rule] for rule in rules], rel=0.05)


def test_it_is_said_where_the_other_system_is_ahead_by_another_measure():
    """A wins five units by 10, B the other 25 by 1: A by the mean, B by the sign test."""
    rows = "".join(f"{i},{11 if i < 5 else 1},{1 if i < 5 else 2}\n" for i in range(30))
    test = upload(rows)
    press(test, "step_6")
    assert "is ahead" not in answer(test)
    choose(test, "rule", "sign test")
    assert "By this rule **B is ahead**." in answer(test)
    assert "<b>sign test: the other system is ahead</b>" in str(charts(test)[0]["layout"]["annotations"])


def test_twenty_equal_systems_and_others():
    test = learn(6, rules="many comparisons")
    one, two = numbers(answer(test).replace("**", ""))[2:4]
    assert "Of 190 pairs" in answer(test)
    p = values(next(trace for trace in charts(test)[0]["data"] if trace["name"] == "pairs")["y"])
    assert len(p) == 190
    assert (p < 0.05).sum() == two <= one
    press(test, "twenty")
    assert numbers(answer(test).replace("**", ""))[2:4] != [one, two]
    choose(test, "rules", "one pair")
    assert "Rules differ" in texts(test)


def test_alarms_that_share_a_system_are_said_to():
    """As many as a system of twenty has a part in at least, on average; a single alarm has nothing to share."""
    test, seen = learn(6, rules="many comparisons"), 0
    for _ in range(4):
        alarms = numbers(answer(test).replace("**", ""))[3]
        _, said, rest = answer(test).partition("Each pair")
        assert bool(said) == (alarms > 1)
        if said:
            others, _, most, of, won, lost = numbers(rest)
            assert (others, of) == (36, alarms)
            assert 2 * alarms / 20 <= most == won + lost <= alarms
            seen += 1
        press(test, "twenty")
    assert seen


def test_a_hundred_sets_of_equal_systems():
    """About a tenth and a twentieth of 190 pairs; after Holm hardly any set has a false alarm."""
    test = learn(6, rules="many comparisons", sets="100 sets")
    said = numbers(answer(test).replace("**", "").replace("%", ""))
    one, of, level, two, some, holm, bh, least, most, spread, independent = said
    assert (of, level) == (190, 0.05)
    assert abs(one - 19) < 5
    assert abs(two - 9.5) < 4
    assert some > 80
    assert holm <= bh <= 16
    assert least < two < most
    assert spread > 1.5 * independent
    assert independent == pytest.approx(np.sqrt(two * (1 - two / 190)), abs=0.06)
    assert [len(values(trace["y"])) for trace in charts(test)[0]["data"]] == [100] * 4
    test.number_input(key="alpha").set_value(0.2).run()
    assert numbers(answer(test).replace("**", ""))[0] > 2 * one


def arcs(test: AppTest) -> list[dict]:
    """The arcs of the last figure, of edges with votes."""
    return [trace for trace in charts(test)[-1]["data"] if "customdata" in trace]


def votes_below(test: AppTest) -> list[int]:
    """The votes below the words of the last figure."""
    return [int(text.rpartition("<br>")[2]) for text in charts(test)[-1]["layout"]["xaxis"]["ticktext"]]


def test_noise_makes_trees_disagree():
    """Without noise there is an arc for each word, all of the same width; with much noise there are many more."""
    test = learn(7)
    least, of, edges, sentences, wrong, precision, chance = numbers(answer(test).replace("*", "").replace("%", ""))
    assert (least, of, sentences) == (min(votes_below(test)), 50, 120)
    assert 10 < wrong < 20
    assert chance == pytest.approx(wrong / 100, abs=0.02)
    assert precision > 2 * chance
    assert edges > 1_000
    some = len(arcs(test))
    choose(test, "votes_noise", 0.0)
    assert answer(test).startswith("All 50 trees are the parser's own tree")
    assert numbers(answer(test).replace("*", ""))[-2:] == [chance, chance]
    assert len(arcs(test)) == len(votes_below(test)) < some
    assert {trace["line"]["width"] for trace in arcs(test)} == {8}
    choose(test, "votes_noise", 16.0)
    assert len(arcs(test)) > some
    assert max(votes_below(test)) < 50
    assert "s:16 rms" in charts(test)[0]["layout"]["meta"]["signature"]
    assert {"step": "7", "votes_noise": "16.0"}.items() <= dict(test.query_params).items()


def test_another_sentence_is_drawn_and_another_seed_draws_other_noise():
    test = learn(7)
    sentence, before = test.selectbox(key="votes_sentence"), (answer(test), votes_below(test))
    assert " ".join(_words(test)) == sentence.options[0]
    other = learn(7, seed=5)
    assert (answer(other), votes_below(other)) != before
    assert _words(other) == _words(test)
    choose(test, "votes_sentence", sentence.options[1])
    assert " ".join(_words(test)) == sentence.options[1]
    assert "votes_sentence" in test.query_params


def _words(test: AppTest) -> list[str]:
    """The words of the last figure."""
    return [text[3:].partition("</b>")[0] for text in charts(test)[-1]["layout"]["xaxis"]["ticktext"]]


def test_the_step_of_the_parser_needs_no_pair():
    """It asks for none, and is not signed with the metric of the task."""
    test = learn(7)
    assert not [box for box in test.selectbox if box.key == "pair"]
    assert not test.code
    press(test, "step_1")
    assert test.selectbox(key="pair")
    assert test.code


def test_the_link_says_what_was_moved():
    test = learn(4, worlds=1000, world_p="winner's one-sided", level=0.1)
    assert test.slider(key="level").value == 0.1
    assert {"step": "4", "worlds": "1000", "level": "0.1"}.items() <= dict(test.query_params).items()
