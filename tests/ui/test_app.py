"""All pages through Streamlit's AppTest: they open every task, follow links, and keep choices."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.task.samples import sample_names
from nlpsig_core.significance.comparison.select import load_task
from tests.apps import MAIN, SEVERAL, app, charts, frame_with, listed_pairs, metric, texts, tooltips
from tests.builders import sample
from tests.ui.conftest import stopped
from ui.app.columns import P_WIDTH, columns
from ui.app.pages import PAGES

BASIC = [page.script for page in PAGES if not page.campaign][:4]
OTHERS = [page.script for page in PAGES if page.script not in BASIC]
REAL = [
    "dep.conll2018.en_gum",
    "dep.conll2017.en_partut.broken",
    "mt.wmt24.en-de",
    "mt.wmt21.de-en",
    "align.enfr",
    "constituency.evalb_sample",
]


@pytest.mark.parametrize("page", BASIC)
@pytest.mark.parametrize("task", sample_names())
def test_every_page_opens_every_sample(page, task):
    """With figures whose axes name the metric, or what the answers to items are compared with.

    The first page has a figure only where a task has several test sets.
    """
    test = app(page, task=task, edition="higher")
    assert test.selectbox(key="task").value == task
    assert len(test.title) == 1
    label = test.selectbox(key="metric").value
    if page == "app.py":
        assert bool(charts(test)) == (len(load_task(task).test_sets) > 1)
    else:
        assert charts(test)
        named = (label, "gold", "F1 (%)") if page == "pages/pair.py" else (label,)
        assert all(any(name in str(titles(chart)) for name in named) for chart in charts(test))


def titles(chart: dict) -> list[object]:
    return [axis.get("title") for name, axis in chart["layout"].items() if "axis" in name]


@pytest.mark.parametrize("page", BASIC)
@pytest.mark.parametrize("name", REAL)
def test_every_page_opens_every_real_task(real_data, monkeypatch, page, name):
    """EVALB's sample has one system: its scores can be seen, but there is no pair."""
    monkeypatch.setenv("NLPSIG_FOLDERS", str(real_data))
    test = app(page, task=real_data / name)
    alone = name == "constituency.evalb_sample" and "pair" in page
    assert ("A comparison needs 2 systems at least; here is 1" in texts(test)) == alone
    several = len(load_task(real_data / name).test_sets) > 1
    assert bool(charts(test)) == (several if page == "app.py" else not alone)


@pytest.mark.parametrize("page", OTHERS)
def test_the_other_pages_open_for_other_kinds(page):
    app(page, task="quorin-alignment")
    app(page, task="varnil-scores", edition="higher")


def test_the_first_page_says_what_was_read_and_lists_the_best_systems():
    """28 systems make 28 * 27 / 2 = 378 pairs; one file is invalid, two are the same; scores fall."""
    test = app()
    assert (metric(test, "Systems"), metric(test, "Pairs")) == ("28", "378")
    assert "1 invalid or missing output" in test.warning[0].value
    assert "the same file" in test.info[0].value
    best, stats = frame_with(test, "score"), sample(MAIN, "LAS").stats
    np.testing.assert_allclose(best["score"], sorted(stats.scores, reverse=True)[: len(best)])
    assert best["system"].iloc[0] == stats.names[int(np.argmax(stats.scores))]
    assert "|b:10000|" in texts(test)
    assert "|b:100000|" in texts(app(b="100k"))


def test_a_link_opens_what_it_names():
    test = app("pages/pairs.py", task=MAIN, metric="MLAS", seed=5, alpha=0.1, gain=2.5, view="matrix")
    assert test.selectbox(key="metric").value == "MLAS"
    assert test.number_input(key="gain").value == 2.5
    assert charts(test)[0]["data"][0]["type"] == "heatmap"
    assert "seed:5" in texts(test)


def test_units_are_counted_beside_the_speakers_that_are_resampled():
    test = app(task="mirvel-transcripts")
    assert (metric(test, "Speakers"), metric(test, "Utterances")) == ("24", "400")


def test_a_link_that_names_what_is_not_here_says_so_once():
    test = app(metric="BLEU", domain="wiki")
    assert "The link contains choices that do not exist here" in test.warning[0].value
    assert "metric BLEU, domain wiki" in test.warning[0].value
    of_page = app("pages/sizes.py", metric="BLEU", pair="nobody over noone", power_gain=1_000_000)
    assert "metric BLEU, pair nobody over noone, power gain 1000000" in of_page.warning[0].value
    of_weights = app("pages/scores.py", task=SEVERAL, weights="zz")
    assert "weights zz" in of_weights.warning[0].value
    for later in (test.run(), of_page.run(), of_weights.run(), app(metric="UAS")):
        assert not any("The link contains" in warning.value for warning in later.warning)


@pytest.mark.parametrize(
    ("page", "link", "said"),
    [
        ("people", {"task": "ondvar-judgements", "people_metric": "x"}, "people metric x"),
        ("scores", {"beside": "x"}, "beside x"),
        ("learn", {"pair": "x"}, "pair x"),
        ("calibration", {"across": "zz", "alpha": "abc", "__theme": "dark"}, "across zz, alpha abc"),
        (
            "scores",
            {"task": "dorvel-runs", "test_sets": "u", "test_set": "z", "edition": "e", "domain": "x", "invalid": "v"},
            "test sets u, test set z, edition e, domain x, invalid v",
        ),
    ],
)
def test_a_page_says_at_once_which_choices_of_its_link_it_cannot_use(page, link, said):
    """Also those for which it has nothing to choose from, names that no page knows, and texts that are no numbers."""
    test = app(f"pages/{page}.py", **link)
    assert [f"the defaults are shown: {said}." in warning.value.replace("\\", "") for warning in test.warning][:1] == [
        True
    ]
    assert not any("The link contains" in warning.value for warning in test.run().warning)


def test_a_link_that_the_app_wrote_is_used_in_full():
    """A pair in a link to the film is that of the other half of the page."""
    pair = " over ".join(sample(MAIN, "LAS").stats.names[:2])
    written = app("pages/learn.py", task=MAIN, pair=pair)
    assert not any("The link contains" in warning.value for warning in written.warning)


@pytest.mark.parametrize(
    ("task", "named"),
    [("sorvan-rankings", "nDCG@20"), ("ilvet-stance", "F1[favor+against]")],
    ids=["measure", "classes"],
)
def test_a_link_may_name_a_metric_that_no_menu_has(task, named):
    test = app("pages/scores.py", task=task, metric=named)
    assert test.selectbox(key="metric").value == named
    assert any(named in frame.value for frame in test.dataframe)
    assert f"metric:{named}|" in texts(test)
    assert not any("The link contains" in warning.value for warning in test.warning)


def test_a_link_with_a_measure_that_cannot_be_used_says_so():
    """The library would end the process on P@0."""
    test = app(task="sorvan-rankings", metric="P@0")
    assert test.selectbox(key="metric").value == "nDCG@10"
    assert "metric P@0" in test.warning[0].value


def test_the_link_says_what_is_not_as_usual_on_this_page():
    """Each edition has metrics of its own."""
    test = app("pages/pairs.py")
    assert dict(test.query_params) == {"b": "10k"}
    test.selectbox(key="metric").set_value("UAS").run()
    test.segmented_control(key="edition").set_value("2017").run()
    metrics = test.selectbox(key="metric").options
    assert ("Feats" in metrics, "MLAS" in metrics) == (True, False)
    first = test.session_state["pair"] = listed_pairs(test)[0]
    test.run()
    link = {"b": "10k", "metric": "UAS", "edition": "2017"}
    assert dict(test.query_params) == link | {"pair": first}
    test.switch_page("pages/scores.py").run()
    assert dict(test.query_params) == link


def test_choices_survive_a_change_of_page():
    """A domain has fewer than all 650 sentences."""
    test = app("pages/scores.py")
    domain = test.selectbox(key="domain").options[1]
    test.selectbox(key="metric").set_value("CLAS")
    test.selectbox(key="domain").set_value(domain)
    test.number_input(key="alpha").set_value(0.01).run()
    test.switch_page("pages/pairs.py").run()
    assert test.selectbox(key="metric").value == "CLAS"
    assert "p < 0.01" in texts(test)
    assert f"domain:{domain}" in texts(test)
    test.switch_page("app.py").run()
    assert int(metric(test, "Sentences")) < 650


@pytest.mark.parametrize("by", ["", "bootstrap"])
def test_documents_can_be_resampled_and_few_are_warned_of_if_the_bootstrap_decides(by):
    """45 documents; by default their p is that of approximate randomization."""
    test = app("pages/scores.py", unit="document", test=by)
    assert "|unit:document|n:45|" in texts(test)
    assert ("are few to resample: the bootstrap's p comes out too small" in texts(test)) == (by == "bootstrap")


def test_another_seed_resamples_and_the_first_one_is_remembered(runs):
    test = app("pages/scores.py", seed=201)
    test.number_input(key="seed").set_value(202).run()
    test.number_input(key="seed").set_value(201).run()
    assert [recipe.seed for recipe in runs] == [201, 202]


def test_invalid_outputs_score_0_or_are_left_out():
    test = app("pages/scores.py")
    ranking = test.dataframe[0].value
    assert ranking["score"].min() == 0
    test.segmented_control(key="invalid").set_value("leave out").run()
    left = test.dataframe[0].value
    assert len(left) == len(ranking) - 1
    assert left["score"].min() > 50


def test_the_macro_average_is_a_test_set_like_any_other_in_which_an_invalid_file_counts_as_0():
    test = app("pages/scores.py", task=SEVERAL, test_set="macro-average")
    frame = frame_with(test, "macro-average")
    sets = frame.drop(columns=["system", "group", "macro-average"])
    np.testing.assert_allclose(frame["macro-average"], sets.mean(axis=1))
    assert (sets == 0).to_numpy().sum() == 2
    np.testing.assert_allclose(frame_with(test, "ranks")["score"], frame["macro-average"])
    test.selectbox(key="domain").set_value("law").run()
    for page in ("pages/pairs.py", "app.py"):
        test.switch_page(page).run()
        assert "metric:macro-average of LAS|" in texts(test)
        assert "|domain:law|" in texts(test)


def test_scores_are_shown_before_their_intervals():
    """Where the test of all pairs was stopped, the systems by score stay on the page."""
    with stopped():
        test = app("pages/scores.py", seed=83_001)
    assert any("Stopped at 50%" in message.value for message in test.warning)
    (table,) = (frame.value for frame in test.dataframe)
    assert list(table) == ["system", "score", "group"]
    assert len(table) == 28
    assert table["score"].is_monotonic_decreasing
    assert "low" in app("pages/scores.py", seed=83_002).dataframe[0].value


def test_the_example_of_a_rank_range_is_a_row_of_the_table():
    """Ranks 3 to 18 of 28: 2 systems are better, 10 worse."""
    test = app("pages/scores.py")
    sentence = r"(\S+) is between (\d+)\w\w and (\d+)\w\w: (\w+) clearly better, (\w+) clearly worse\."
    name, low, high, better, worse = re.search(sentence, texts(test)).groups()
    table = frame_with(test, "ranks").set_index("system")
    assert table.loc[name, "ranks"] == f"{low}–{high}"
    assert (0 if better == "none" else int(better)) == int(low) - 1
    assert (0 if worse == "none" else int(worse)) == len(table) - int(high)
    assert low != high


def test_columns_of_p_have_room_for_the_smallest():
    """The browser measures the first rows of a table, where p may be short; longer heads make room themselves."""
    widths = [columns(2)[name]["width"] for name in ("p", "p_holm", "p_bh", "p_by", "p_x", "p_y", "p_corrected")]
    assert widths == [P_WIDTH] * 6 + [None]


def test_a_gain_is_a_reduction_where_lower_is_better():
    """As in facts and figures, which say "reduction in WER"."""
    heads = [columns(2, METRICS[name])["gain"]["label"] for name in ("LAS", "WER")]
    assert heads == ["gain (LAS)", "reduction (WER)"]
    assert columns(2, METRICS["WER"])["over_baseline"]["label"] == "reduction over the baseline (WER)"


@pytest.mark.parametrize("page", ["scores", "pairs", "pair", "sizes", "domains", "learn"])
def test_a_page_of_a_metric_that_falls_says_reduction_only(page):
    """In captions, figures, labels and the sidebar; only signatures have "gain:", for every metric."""
    folds = "gains_open needed_open detectable_open sizes_open agreement_open domains_open".split()
    test = app(f"pages/{page}.py", tuple(folds), task="mirvel-transcripts", metric="WER", film="systems of this task")
    kinds = ("selectbox", "number_input", "segmented_control", "slider", "header", "expander", "metric")
    labels = [element.label if kind != "header" else element.value for kind in kinds for element in test.get(kind)]
    charted = [str(chart["layout"].get("meta")) for chart in charts(test)]
    words = re.findall(r".{0,40}\b[Gg]ains?\b(?!:).{0,40}", "\n".join([texts(test), tooltips(test), *labels, *charted]))
    assert words == []
    assert re.search(r"\breductions?\b", "\n".join([texts(test), *labels, *charted]), re.IGNORECASE)


def test_whole_numbers_in_tables_have_thousands_separators():
    """Of 10,000 resamples, and not names or scores."""
    test = app("pages/pairs.py")
    (table,) = (of for of in test.dataframe if "resamples" in of.value)
    configured = json.loads(table.proto.columns)
    forms = {name: configured[name]["type_config"].get("format") for name in ("resamples", "differing", "gain")}
    assert forms == {"resamples": "%,d", "differing": "%,d", "gain": "%.3f"}
