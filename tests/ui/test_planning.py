"""The Test size page: what would settle a pair, the power behind it, and what is folded below."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from tests.apps import MAIN, SEVERAL, app, charts, copyable, drop_files, frame_with, texts

PAGE = "pages/sizes.py"
UNDECIDED, BETTER = "Habsique-4 over Plunaro-2", "Krestluvo-3 over Yusvandor-1"
FOLDS = ("needed_open", "detectable_open", "sizes_open")


def needed(test: AppTest) -> int:
    """The number of units that the figure marks."""
    (note,) = (of["text"] for of in charts(test)[0]["layout"]["annotations"] if of["text"].startswith("<b>"))
    return int(note.removeprefix("<b>").partition(" ")[0].replace(",", ""))


@pytest.mark.parametrize(("task", "pair"), [(MAIN, UNDECIDED), ("mirvel-transcripts", "Yusvandor-3 over Drimolka-2")])
def test_the_page_opens_on_the_pair_it_came_from_with_its_verdict(task, pair):
    """Sentence, verdict and p are those of the Pair page, whose button leads here, even if the interval excludes 0."""
    before = app("pages/pair.py", task=task, pair=pair)
    verdict = next(of.value for of in before.markdown if "**Undecided**" in of.value)
    sentence = next(of.value for of in before.markdown if of.value.startswith("About "))
    before.button(key="plan-whole").click().run()
    after = app(PAGE, task=task, pair=pair)
    assert f"**{sentence}**" == next(of.value for of in after.markdown if of.value.startswith("**About"))
    assert verdict in [of.value for of in after.markdown]
    assert after.selectbox(key="pair").value == pair


@pytest.mark.parametrize("scope", ["alone", "both", "corrected"])
def test_the_verdict_follows_the_scope(scope):
    """The best two differ on their own, not among 378 pairs; a corrected level needs more units."""
    test = app(PAGE, scope=scope)
    verdict = {"alone": "Yes", "both": "Yes on its own, not among all 378 pairs", "corrected": "Undecided"}[scope]
    assert f" **{verdict}**: Quennaro-joint" in texts(test)
    assert ("Settled" in texts(test)) == (scope != "corrected")
    title = charts(test)[0]["layout"]["yaxis"]["title"]["text"]
    assert ("p < 0.05<br>" in title) == (scope != "corrected")


def test_a_settled_pair_whose_lower_gain_needs_more_units_is_planned_for_a_new_test():
    link = {"task": "sorvan-rankings", "test": "Wilcoxon", "adjust": "BH", "pair": "Zemblit-2 over Drimolka-1"}
    test = app(PAGE, **link)
    sentence = next(of.value.replace("\\", "") for of in test.markdown if of.value.startswith("**Settled"))
    assert sentence.startswith("**Settled. In a new test, about ")
    assert sentence.endswith(", the lower end of its interval (you have 60).**")


def test_a_gain_that_no_resample_changes_names_no_units():
    """One system is ahead by 2 in each of four units; two-sided, p cannot be below 0.05."""
    test = drop_files(app(), {"mine.csv": "unit,a,b\n1,3,1\n2,5,3\n3,4,2\n4,9,7\n"})
    test.segmented_control(key="edition").set_value("higher").run()
    test.switch_page(PAGE).run()
    assert "No number of units can be named: no resample changes the gain." in texts(test)


def test_the_signature_of_the_page_has_the_pair_and_its_aim():
    test = app(PAGE, pair=UNDECIDED, power_gain=1.0)
    (line,) = (text for text in copyable(test) if text.startswith("metric:"))
    assert f"|pair:{UNDECIDED}|gain:1|power:0.8|" in line


def test_an_average_of_test_sets_is_not_planned():
    several = app("pages/scores.py", task=SEVERAL, test_set="macro-average")
    assert "would settle" in texts(several)
    assert not [button for button in several.button if button.label == "Plan a test set"]


def test_half_the_gain_needs_four_times_the_units():
    test = app(PAGE, pair=UNDECIDED, power_gain=1.0)
    whole = needed(test)
    assert "would settle a true gain of 1.00 LAS (you have 650)" in texts(test)
    test.number_input(key="power_gain").set_value(0.5).run()
    assert needed(test) == pytest.approx(4 * whole, rel=0.05)
    test.number_input(key="power").set_value(95).run()
    assert "would settle a true gain of 0.50 LAS with 95% power" in texts(test)
    assert needed(test) == pytest.approx(4 * whole * (3.605 / 2.802) ** 2, rel=0.05)


def test_another_pair_has_its_own_gain():
    """A settled pair is planned with the lower end of its interval, an undecided one with its observed gain."""
    test = app(PAGE, pair=UNDECIDED)
    assert test.number_input(key="power_gain").value == pytest.approx(1.01, abs=0.01)
    test.selectbox(key="pair").set_value("Quennaro-joint over Oskblit-joint").run()
    assert test.number_input(key="power_gain").value == pytest.approx(0.09, abs=0.03)
    assert "LAS, the lower end of its interval (you have 650)." in texts(test)


def test_the_field_has_the_gain_as_it_is_rounded_elsewhere():
    """The gain of the pair is 1.625: 1.62 in texts; browsers, which round halves up, would show 1.63."""
    test = app(PAGE, task="solem-repairs")
    assert test.number_input(key="power_gain").value == 1.62
    assert "would settle a gain of this size (you have 200)" in texts(test)
    assert charts(test)[0]["layout"]["yaxis"]["title"]["text"].endswith("at a true gain in solved of 1.62")
    assert "|gain:1.625|" in next(text for text in copyable(test) if text.startswith("metric:"))


@pytest.mark.parametrize(("task", "most"), [(MAIN, 100), ("sorvan-rankings", 1)])
def test_a_gain_is_at_most_the_highest_score(task, most):
    field = app(PAGE, task=task, power_gain=1_000_000).number_input(key="power_gain")
    assert (field.max, field.value) == (most, app(PAGE, task=task).number_input(key="power_gain").value)


def test_a_gain_to_ignore_is_what_must_be_found():
    test = app(PAGE, pair=UNDECIDED, within=0.3)
    assert "would settle a gain of 0.30 LAS (you have 650)." in texts(test)
    assert test.number_input(key="power_gain").value == 0.3


def test_everything_else_is_folded_until_it_is_asked_for():
    test = app(PAGE)
    assert len(charts(test)) == 1
    assert not test.dataframe
    assert len(charts(app(PAGE, FOLDS))) == 5


@pytest.mark.parametrize(("task", "drawn"), [(MAIN, True), ("orlun-evaluation", False)])
def test_without_a_threshold_at_any_size_no_empty_figure_is_drawn(task, drawn):
    test = app(PAGE, ("sizes_open",), task=task)
    assert ("Too few pairs to estimate a threshold." in texts(test)) != drawn
    assert any("threshold_curve" in chart.proto.id for chart in test.get("plotly_chart")) == drawn


def test_sizes_change_the_figure_and_the_thresholds():
    """A link with sizes opens them."""
    test = app(PAGE, sizes="50 100 650")
    assert len(charts(test)) == 3
    names = [trace["name"] for trace in charts(test)[2]["data"]]
    assert [name.partition(" (")[0] for name in names] == ["50 sentences", "100 sentences", "650 sentences"]
    table = frame_with(test, "size")
    assert sorted(set(table["size"])) == [50, 100, 650]
    test.text_input(key="sizes").set_value("80, 650").run()
    assert len(charts(test)[2]["data"]) == 2
    test.segmented_control(key="size_how").set_value("random").run()
    assert "|parts:random|draws:5|" in charts(test)[2]["layout"]["meta"]["signature"]
    test.text_input(key="sizes").set_value("80 7000").run()
    assert "A size of 7,000 sentences: there are 650; choose whole numbers from 2 to 650" in texts(test)
    assert "version:" in texts(test), "the page goes on below"


def test_numbers_of_sentences_are_as_exact_as_their_ranges():
    """Estimates such as 265,756 (220,048 – 336,507) have two digits, as in the first line; so has the legend."""
    test = app(PAGE, FOLDS[:1])
    lines = [of.value for of in test.markdown if of.value.startswith("From ") or "are enough" in of.value]
    names = [trace["name"] for trace in charts(test)[1]["data"] if ": " in trace["name"]]
    shown = [number for text in (*lines, *names) for number in re.findall(r"\b\d+(?:,\d{3})+\b", text)]
    assert len(shown) > 8
    assert {len(number.replace(",", "").rstrip("0")) for number in shown} <= {1, 2}


def test_the_page_says_which_gains_the_test_set_finds():
    """More power needs larger gains, by (1.960 + 1.645) / (1.960 + 0.842)."""
    test = app(PAGE, ("detectable_open",))

    def median() -> float:
        line = next(m.value for m in test.markdown if "for the median pair of similar score" in m.value)
        assert line.startswith("**different groups**")
        return float(line.partition(":blue[")[2].partition("]")[0])

    before = median()
    assert charts(test)[-1]["layout"]["xaxis"]["title"]["text"] == "minimal detectable gain in LAS"
    test.number_input(key="power").set_value(95).run()
    assert median() == pytest.approx(before * 3.605 / 2.802, rel=0.01)
