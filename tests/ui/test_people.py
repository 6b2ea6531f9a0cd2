"""The People page: what a choice changes, both verdicts of a pair, and tasks without people's scores."""

from __future__ import annotations

import json
import re

import pytest

from tests.apps import app, press, texts

PAGE, SAMPLE, JUDGED = "pages/people.py", "halvet-metrics", "ondvar-judgements"
PAIRS, MEASURES = 0, 1
BY_METRIC = ["confirmed", "only the metric", "contradicted"]


@pytest.fixture(scope="module")
def opened():
    return app(PAGE, task=SAMPLE)


def test_the_sentence_counts_the_cases_of_the_table(opened):
    """The metric of the best SPA comes first."""
    cases = opened.dataframe[PAIRS].value["case"]
    best = opened.dataframe[MEASURES].value["system"].iloc[0]
    assert opened.selectbox(key="people_metric").value == best
    found, confirmed = cases.isin(BY_METRIC).sum(), (cases == "confirmed").sum()
    numbers = f"Of the {found} pairs with a significant gain in {best}, people confirm {confirmed} and contradict 0."
    assert numbers in texts(opened)


def test_another_metric_has_other_pairs_and_a_contradicted_one_is_shown_first():
    test = app(PAGE, ("people_segments_open",), task=SAMPLE, people_metric="Blitmatch")
    said = texts(test)
    assert "contradict 1." in said
    assert "Contradicted" in said
    assert "From which gain on people agree in 95% of the pairs is unknown: only 2 pairs have a gain" in said
    assert "By people, 108 segments" in said
    apart = next(table.value["apart"] for table in test.dataframe if "apart" in table.value)
    assert len(apart) == 10
    assert apart.abs().is_monotonic_decreasing


def test_a_gain_has_the_same_decimals_in_every_row_and_sentence(opened):
    """Verdicts have so many as tell scores apart, tables one more; 0.1 beside 0.1234 was 0.1."""
    columns = json.loads(opened.dataframe[PAIRS].proto.columns)
    by_metric, by_people = (columns[name]["type_config"]["format"] for name in ("gain", "gain_people"))
    assert (by_metric, by_people) == ("%.5f", "%.4f")
    assert re.search(r"From a gain of \*\*\d+\.\d{4}\*\* in", texts(opened))
    assert re.search(r"on \(95% interval from \d+\.\d{4} to \d+\.\d{4}\), people agree", texts(opened))


def test_a_head_with_the_name_of_a_metric_makes_room_for_it(opened):
    """That of p has a width of its own only where it is short."""
    column = json.loads(opened.dataframe[PAIRS].proto.columns)["p"]
    assert column["label"].startswith("p by ")
    assert column.get("width") is None


def test_a_link_opens_a_pair_and_a_level_changes_cases(opened):
    row = opened.dataframe[PAIRS].value.iloc[-1]
    pair = f"{row['system_a']} over {row['system_b']}"
    test = app(PAGE, task=SAMPLE, people_pair=pair, alpha=0.001)
    assert test.session_state["people_pair"] == pair
    strict, usual = (of.dataframe[PAIRS].value["case"].isin(BY_METRIC).sum() for of in (test, opened))
    assert strict < usual


def test_a_domain_has_its_own_pairs_and_measures(opened):
    test = app(PAGE, task=SAMPLE, domain="news")
    assert "By people, 60 segments" in texts(test)
    own, all_domains = (of.dataframe[MEASURES].value.set_index("system")["SPA"] for of in (test, opened))
    assert (own != all_domains.loc[own.index]).any()


def test_another_task_says_what_is_needed_and_opens_an_example():
    test = app(PAGE)
    assert "This page needs people's scores beside the outputs" in texts(test)
    assert not test.dataframe
    press(test, "Open an example: translations that people rated")
    assert "people confirm" in texts(test)


def test_translations_are_shown_by_their_own_metric_and_by_people():
    """Of 10 systems, people have judged 9 on 60 of 70 segments; the metrics of the task are on trial."""
    test = app(PAGE, task=JUDGED, metric="BLEU")
    assert len(test.dataframe[PAIRS].value) == 36
    assert "By BLEU, 60 segments" in texts(test)
    assert {"BLEU", "chrF"} < set(test.dataframe[-1].value["system"])
    other = app(PAGE, task=JUDGED, metric="chrF")
    gains = [of.dataframe[PAIRS].value.set_index(["system_a", "system_b"])["gain"].abs().sum() for of in (test, other)]
    assert gains[0] != gains[1]


def test_the_page_needs_another_metric_than_people_s_own():
    test = app(PAGE, task=JUDGED, metric="human score")
    assert "Choose a metric in the sidebar" in texts(test)


def test_the_pair_page_has_people_s_verdict_beside_the_metric_s():
    said = texts(app("pages/pair.py", task=JUDGED, metric="BLEU", pair="Drimolka-1 over Vorquell-1"))
    assert "They judged 60 segments of both, of 70." in said
    assert "People see a significant difference, which the metric does not." in said
    one = app("pages/pair.py", task=JUDGED, metric="BLEU", pair="Vorquell-1 over Zemblit-3")
    assert "People have not judged two segments of both." in texts(one)


def test_pages_without_people_s_scores_do_not_ask_them():
    assert "They judged" not in texts(app("pages/pair.py"))
