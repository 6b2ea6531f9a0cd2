"""The Domains page: one pair in every domain, and what is folded below it."""

from __future__ import annotations

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.comparison.select import load_task, select
from nlpsig_core.significance.resampling.recipe import Resampling
from tests.apps import SEVERAL, app, charts, copyable, drop_files, frame_with, texts
from tests.builders import GOLD, TASK, write, zipped
from ui.app import brushing, choice
from ui.studies.analyses import domains
from ui.work import computations
from ui.work.watching import ready

PAGE = "pages/domains.py"
BEST = "Quennaro-joint over Oskblit-joint"


def in_every_domain(test: AppTest):
    """The table of the pair, by domain."""
    test.toggle(key="pair_by_domain_as_table").set_value(True).run()
    return frame_with(test, "score_a").set_index("domain")


def test_the_page_leads_with_where_a_system_is_ahead():
    test = app(PAGE)
    assert "**Quennaro-joint is ahead of Oskblit-joint in 4 of 5 domains, significantly in none" in texts(test)
    (figure,) = charts(test)
    assert [name.partition(" ")[0] for name in figure["layout"]["yaxis"]["ticktext"]] == [
        "news",
        "fables",
        "letters",
        "speech",
        "law",
    ], "the largest first"
    assert f"pair:{BEST}" in figure["layout"]["meta"]["signature"]


def test_where_all_resamples_take_long_the_figure_of_fewer_is_there(monkeypatch):
    """As long as they run, or if they are stopped."""
    usual = domains.watch
    monkeypatch.setattr(domains, "SOON", 1_000)
    monkeypatch.setattr(domains, "watch", lambda of: st.stop() if of.name.endswith("_10000") else usual(of))
    test = app(PAGE, seed=41)
    assert "From 1,000 resamples, until all are drawn." in texts(test)
    (figure,) = charts(test)
    assert "|b:1000|" in figure["layout"]["meta"]["signature"]
    monkeypatch.setattr(domains, "watch", usual)
    (figure,) = charts(test.run())
    assert "|b:10000|" in figure["layout"]["meta"]["signature"]
    assert "until all are drawn" not in texts(test)


def test_the_test_of_all_pairs_in_a_domain_is_that_of_the_other_pages():
    """What Domains has tested is not tested again where that domain is chosen."""
    app(PAGE, seed=42)
    view = select(load_task("brelda-parsing"), METRICS["LAS"], domain="fables")
    assert ready(computations.bootstrap(view, Resampling(10_000, 42)))


def test_the_headline_says_which_domain_is_too_small_to_be_counted(tmp_path, monkeypatch):
    """Of three domains two are tested; the third has one unit."""
    rows = [
        f"{u},{s},{int((u + i) % 3 > 0)},{'lone' if u == 40 else 'ab'[u % 2]}"
        for u in range(41)
        for i, s in enumerate("AB")
    ]
    write(tmp_path / "task", {"t.csv": "\n".join(["unit,system,score,domain", *rows, ""])})
    monkeypatch.setenv("NLPSIG_FOLDERS", str(tmp_path))
    said = texts(app(PAGE, task=tmp_path / "task", edition="higher"))
    assert " of 2 domains, significantly in none.** lone is left out: 1 unit; 2 are needed." in said


@pytest.mark.parametrize("scope", ["alone", "both", "corrected"])
def test_a_domain_has_the_verdict_and_p_of_the_pair_page(scope):
    """Where that domain is chosen in the sidebar."""
    table = in_every_domain(app(PAGE, scope=scope))
    for domain in ("fables", "news"):
        of_pair = app("pages/pair.py", scope=scope, domain=domain, pair=BEST)
        verdict = next(of.value for of in of_pair.markdown if of.value[:4] in ("▲ **", "△ **", "? **"))
        symbol, name = table.loc[domain, "verdict"].split(" ", 1)
        assert verdict.startswith(symbol)
        assert ("Undecided" in verdict) == (name == "undecided")
        p = next(of.value for of in of_pair.metric if of.label == "p")
        assert float(p) == pytest.approx(float(str(table.loc[domain, "p"])), rel=0.05)


def test_hollow_dots_whose_intervals_exclude_0_have_their_reason():
    """Speakers are resampled, 4 to 11 of a domain, and approximate randomization decides; as the other pages say."""
    said = texts(app(PAGE, task="mirvel-transcripts"))
    assert (
        "There are few speakers: p and intervals account for it, but not for skewed reductions; p is by approximate"
        in said
    )
    assert "Utterances of one speaker are alike (standard errors are " in said
    assert "are few" not in texts(app(PAGE))
    assert "There are few items on law: p and intervals account for it" in texts(app(PAGE, task="kessim-ratings"))


def test_the_range_of_thresholds_is_that_of_the_table():
    test = app(PAGE, ("domains_open",))
    table = frame_with(test, "model_threshold").dropna(subset=["model_threshold"])
    one = table[table["comparison"] == "different groups"]
    low, high = (one.loc[place] for place in (one["model_threshold"].idxmin(), one["model_threshold"].idxmax()))
    ends = (f"{row.model_threshold:.2f} ({row.domain})" for row in (low, high))
    assert f"different groups {' to '.join(ends)}" in texts(test)
    assert test.segmented_control(key="domain_view").value == "a panel each", "of four domains or more"
    assert len({trace.get("xaxis") for trace in charts(test)[1]["data"] if "customdata" in trace}) == 5


def test_few_units_of_each_domain_give_no_threshold():
    test = app(PAGE, domain_size=6)
    assert "Too few pairs to estimate thresholds." in texts(test)
    assert set(frame_with(test, "model_threshold")["model_reason"]) == {"6 units; 20 are needed"}


def test_rankings_agree_at_least_and_at_most():
    test = app(PAGE, ("agreement_open",))
    assert charts(test)[1]["data"][0]["type"] == "heatmap"
    assert "Kendall's tau between two rankings is 0." in texts(test)


def test_the_agreement_of_two_is_a_sentence_and_a_row_with_its_interval():
    every = app(PAGE, ("agreement_open",), task=SEVERAL, side="test sets")
    two = every.multiselect(key="test_sets").set_value(["brelda", "shumak"]).run()
    assert "Kendall's tau between the two rankings is 0." in texts(two)
    (row,) = frame_with(two, "tau").itertuples()
    assert row.low <= row.tau <= row.high
    assert len(charts(two)) == 1


def test_domains_begin_with_the_pair_of_other_pages():
    test = app(PAGE, pair="Habsique-3 over Plunaro-1")
    assert [test.selectbox(key=key).value for key in ("domain_a", "domain_b")] == ["Habsique-3", "Plunaro-1"]


@pytest.mark.parametrize(("pair", "systems"), [
    ("a over b over c", ["a", "b over c"]), ("b over c over a", ["b over c", "a"]), ("a over d", []), (None, []),
])  # fmt: skip
def test_the_systems_of_a_pair_whatever_their_names(monkeypatch, pair, systems):
    monkeypatch.setattr(choice, "current", {"pair": pair}.get)
    assert brushing.chosen_pair(["a", "b over c", "c"]) == systems


def test_test_sets_and_other_tasks_side_by_side():
    test = app(PAGE, ("domains_open",), task=SEVERAL, side="test sets")
    assert [trace["name"].partition(" ")[0] for trace in charts(test)[1]["data"]] == ["brelda", "llethir", "shumak"]
    assert "is left out: no valid output" in texts(test)
    assert "test sets, significantly in" in texts(test)


def test_tasks_of_the_same_name_stand_side_by_side(tmp_path, monkeypatch):
    one, other = (write(tmp_path / place / "mine", TASK) for place in ("here", "there"))
    monkeypatch.setenv("NLPSIG_FOLDERS", str(tmp_path))
    test = app(PAGE, task=one, domain_units="random", **{"with": other})
    assert not test.exception
    assert [trace["name"] for trace in charts(test)[1]["data"]] == ["mine (1)", "mine #2 (1)"], "with their pairs"


def test_where_one_domain_is_chosen_the_page_says_how_to_compare_all():
    test = app(PAGE, task="kessim-ratings", domain="news")
    assert test.info[0].value.endswith("one domain is chosen. Choose all of them in the sidebar.")


def test_the_signature_of_the_page_has_the_pair_and_what_counts_as_significant():
    test = app(PAGE, task="kessim-ratings", alpha="0.2")
    (line,) = (text for text in copyable(test) if text.startswith("metric:"))
    assert "|level:0.2|sides:two|scope:both|adjust:Holm|" in line
    assert f"|pair:{test.selectbox(key='domain_a').value} over {test.selectbox(key='domain_b').value}|" in line


def test_domains_are_found_by_a_rule_where_no_table_tells_them(monkeypatch):
    half = "".join(
        f"# sent_id = {'news' if i < 30 else 'law'}-{i}\n{GOLD.split(chr(10) * 2)[0]}\n\n" for i in range(60)
    )
    files = {"gold.conllu": half, "systems/One__1.conllu": half, "systems/Two__1.conllu": half.replace("obl", "x")}
    test = drop_files(app(), {"mine.zip": zipped(files)})
    test.switch_page("pages/domains.py").run()
    assert "There is nothing to compare" in test.info[0].value
    (field,) = (field for field in test.text_input if "regular expression" in field.label)
    with monkeypatch.context() as patch:
        patch.setattr("nlpsig_core.data.task.domain_rule.RULE_SECONDS", -1.0)
        field.set_value("^(.)").run()
    assert "is too slow" in test.error[0].value
    (field,) = (field for field in test.text_input if "regular expression" in field.label)
    field.set_value("^([a-z]+)-").run()
    assert not test.exception
    assert {name.partition(" ")[0] for name in charts(test)[0]["layout"]["yaxis"]["ticktext"]} == {"law", "news"}
