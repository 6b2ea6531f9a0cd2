"""The Pairs page: its figure in three views, its filters, thresholds and list, and what is drawn over it."""

from __future__ import annotations

import json
import re

import pandas as pd
import pytest

from tests.apps import SEVERAL, app, charts, frame_with, listed_pairs, metric, texts, tooltips, values
from tests.builders import write
from ui.app.pair_list import options

PAIRS = "pages/pairs.py"


def chart(test, key: str) -> dict:
    """Return what the figure with that key draws."""
    (figure,) = [figure for figure in test.get("plotly_chart") if figure.proto.id.endswith(f"-{key}")]
    return json.loads(figure.proto.spec)


def bold(test) -> list[str]:
    """Return the systems that stand out in the ranking."""
    names = chart(test, "ranking")["layout"]["yaxis"]["ticktext"]
    return [name[3:-4] for name in names if name.startswith("<b>")]


def test_every_pair_with_a_gain_is_drawn_and_another_metric_changes_the_figure():
    test = app(PAIRS, reach="all")
    assert sum(len(values(trace["x"])) for trace in charts(test)[0]["data"]) == 376
    assert "Not drawn: 2 ties" in texts(test)
    test.selectbox(key="metric").set_value("UAS").run()
    assert charts(test)[0]["layout"]["xaxis"]["title"]["text"].startswith("gain in UAS (points)")
    assert "metric:UAS|test:bootstrap|b:10000" in texts(test)


def test_moving_alpha_or_the_gain_resamples_nothing(runs):
    test = app(PAIRS, seed=101)
    assert len(runs) == 1
    before = texts(test)
    test.number_input(key="alpha").set_value(0.2).run()
    test.number_input(key="gain").set_value(3.0).run()
    test.multiselect(key="highlight").set_value(test.multiselect(key="highlight").options[:2]).run()
    assert len(runs) == 1
    assert "p < 0.2" in texts(test)
    assert texts(test) != before


def test_close_pairs_reach_as_far_as_the_chosen_one():
    """Quennaro-joint is 26 LAS ahead of Nimquell-1: all gains from 3 to 27 are in the last part of the axis."""
    usual, far = app(PAIRS), app(PAIRS, pair="Quennaro-joint over Nimquell-1")
    axes = [chart(test, "pairs")["layout"]["xaxis"] for test in (usual, far)]
    assert 2 < axes[0]["range"][1] < 5
    assert "compressed" not in axes[0]["title"]["text"]
    assert axes[1]["range"][1] == 1
    assert axes[1]["ticktext"][-1] == "20"
    assert "compressed from 3" in axes[1]["title"]["text"]
    assert metric(far, "p, one-sided (the paper's)") == "< 0.0001"
    assert metric(far, "p") == "< 0.00012", "p is larger for few units"
    assert bold(usual.switch_page("pages/scores.py").run()) == [], "a pair that is shown by default is not chosen"


def test_the_systems_of_the_chosen_pair_stand_out_on_scores_as_a_highlighted_one_does():
    chosen = app(PAIRS, pair="Quennaro-joint over Habsique-3", highlight="Plunaro-4")
    assert bold(chosen.switch_page("pages/scores.py").run()) == ["Quennaro-joint", "Habsique-3", "Plunaro-4"]


def test_tasks_and_systems_can_be_drawn_over():
    """Four of the systems make six pairs; a task without the metric cannot be drawn, whatever its format."""
    test = app(PAIRS, over=SEVERAL)
    assert any(trace["name"].startswith(f"{SEVERAL}: different groups (") for trace in charts(test)[0]["data"])
    assert f"Open markers: {SEVERAL}" in texts(test)
    test.selectbox(key="over").set_value("shumak-translation").run()
    assert "shumak-translation cannot be drawn over these pairs." in texts(test)
    assert "No metric called 'LAS'. Available: BLEU, " in texts(test)
    assert charts(test)
    test.selectbox(key="over").set_value("pelune-entities").run()
    assert "No metric called 'LAS'. Available: F1, " in texts(test)
    assert charts(test)
    test.selectbox(key="over").set_value("some of the systems").run()
    test.multiselect(key="over_systems").set_value(test.multiselect(key="over_systems").options[:4]).run()
    names = [trace["name"] for trace in charts(test)[0]["data"] if "chosen systems" in trace["name"]]
    assert 0 < sum(int(name.rstrip(")").rpartition("(")[2].split()[-1]) for name in names) <= 6


@pytest.mark.parametrize("view", ["scatter", "matrix", "two tests"])
def test_filters_leave_the_pairs_they_name_in_every_view(view):
    """One of 28 systems is in 27 pairs; three of them make 3 pairs among themselves, one none."""
    test = app(PAIRS, view=view)
    systems = test.multiselect(key="systems").options[:3]
    test.multiselect(key="systems").set_value(systems[:1]).run()
    assert len(test.dataframe[-1].value) == len(listed_pairs(test)) == 27
    assert all(systems[0] in pair.split(" over ") for pair in listed_pairs(test))
    test.multiselect(key="systems").set_value(systems)
    test.toggle(key="both").set_value(True).run()
    table = test.dataframe[-1].value
    assert len(table) == 3
    assert set(table["system_a"]) | set(table["system_b"]) == set(systems)
    test.multiselect(key="systems").set_value(systems[:1]).run()
    assert not test.exception
    assert "No pair passes the filters" in texts(test)


def test_groups_and_classes_are_filters_too():
    test = app(PAIRS, view="matrix", classes="same group", groups="Habsique", both=True)
    table = test.dataframe[-1].value
    assert table["system_a"].str.startswith("Habsique").all()
    assert set(table["comparison"]) == {"same group"}


def test_a_pair_is_chosen_by_its_two_systems_in_either_order():
    test = app(PAIRS)
    best = listed_pairs(test)[-1]
    test.session_state["pair"] = " over ".join(reversed(best.split(" over ")))
    test.run()
    assert test.query_params["pair"] == best
    assert f"▲ **Yes**: {best.replace(' over ', ' beats ')} by " in texts(test)


def test_the_threshold_rule_can_be_moved():
    test = app(PAIRS, fewest=1)
    assert frame_with(test, "pairs_in_window")["threshold"].notna().any()
    test.number_input(key="fewest").set_value(1000).run()
    assert "at least 1,000 pairs" in texts(test)
    assert frame_with(test, "pairs_in_window")["threshold"].isna().all()


def test_the_window_follows_the_level_until_it_is_moved():
    """At a level of 0.1 it is 0.08 to 0.12; once it is moved, the level moves it no more."""
    test = app(PAIRS)
    assert "with p from 0.04 to 0.06" in texts(test)
    test.number_input(key="alpha").set_value(0.1).run()
    assert "with p from 0.08 to 0.12" in texts(test)
    assert "window" not in test.query_params
    test.slider(key="window").set_value((0.03, 0.07)).run()
    test.number_input(key="alpha").set_value(0.02).run()
    assert "with p from 0.03 to 0.07" in texts(test)
    assert test.query_params["window"] == ["0.03", "0.07"]


def near_a_gain(folder, monkeypatch, right: dict[str, int], **link: object) -> list[str]:
    """What the page says of pairs near a gain, for systems with so many of 60 items right."""
    rows = [f"{unit},{system},{int(unit < n)}" for system, n in right.items() for unit in range(60)]
    write(folder / "task", {"t.csv": "\n".join(["unit,system,score", *rows, ""])})
    monkeypatch.setenv("NLPSIG_FOLDERS", str(folder))
    test = app("pages/pairs.py", task=folder / "task", edition="higher", **link)
    said = [element.value for element in (*test.header, *test.markdown, *test.caption)]
    return [text for text in said if "gain decide?" in text or "near it" in text.lower()]


def test_nothing_is_said_of_a_gain_that_no_pair_has(tmp_path, monkeypatch):
    """Gains of 1, 1, 2, 48, 49 and 50 items: the question starts with 2, whose p is nearest to the level."""
    title = "How often does such a gain decide?"
    few = "**different groups**: :gray[0 of 1 pair near it differs, too few to say how often]"
    apart = {"a": 0, "b": 1, "c": 2, "d": 50}
    assert near_a_gain(tmp_path, monkeypatch, apart) == [title, few, "Near it: gains from 0.0266 to 0.0400."]
    assert near_a_gain(tmp_path, monkeypatch, apart, gain=0.4) == [
        title, ":gray[no pair is near it]", "Near it: gains from 0.3200 to 0.4800.",
    ]  # fmt: skip
    assert near_a_gain(tmp_path, monkeypatch, {"a": 9, "b": 9}) == []


def test_every_name_is_sent_once_and_every_pair_by_its_places():
    north = "North-of-the-river__2017-05-14-01"
    pairs = pd.DataFrame({"system_a": [north, "South"], "system_b": ["East", north], "gain": [0.25, 1.5]}, index=[7, 3])
    sent = options(pairs.assign(verdict=["undecided", "better"]), 2)
    assert sent["names"] == [north, "East", "South"]
    assert (sent["first"], sent["second"], sent["rows"]) == ([0, 2], [1, 0], [7, 3])
    assert sent["values"] == ["0.25", "1.50"]
    assert [sent["answers"][answer] for answer in sent["answer"]] == ["undecided", "better"]
    assert [sent["symbols"][answer] for answer in sent["answer"]] == ["?", "▲"]


def test_what_is_not_drawn_is_named_once():
    assert re.search(r"Not drawn: 2 ties, \d+ pairs with larger gains \(choose \*\*all\*\*\)\.", texts(app(PAIRS)))


def test_resampled_gains_wait_until_they_are_asked_for():
    assert "the two events of p" not in tooltips(app(PAIRS))
    assert "the two events of p" in tooltips(app(PAIRS, ("gains_open",)))
