"""The baseline: what its choice changes on the pages, in the table of pairs and in the link."""

from __future__ import annotations

import pytest

from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.scores import against
from nlpsig_core.significance.comparison.verdict import with_symbols
from tests.apps import MAIN, SEVERAL, app, charts, copyable, drop_files, texts
from tests.builders import sample

SCORES, PAIRS, PAIR, BASE = "pages/scores.py", "pages/pairs.py", "pages/pair.py", "Krestluvo-3"
CHINESE, NAMED = "conll-2017-chinese", "conll17-baseline__2017-05-09-16-57-43"


def of_the_core(label: str = "LAS", **notion):
    """All systems of the main sample against the baseline."""
    results = sample(MAIN, label).bootstrap(resamples=10_000)
    return against(results.pairs(Notion(**notion)), BASE, results.selection.stats.names).set_index("system")


def sentence(test) -> str:
    """Who beats the baseline."""
    return next(text for text in copyable(test) if f" {BASE} by " in text)


def test_a_baseline_adds_verdicts_a_sentence_and_a_table_for_a_paper():
    test = app(SCORES)
    assert "verdict" not in test.dataframe[0].value
    assert not any("all against" in fold.label for fold in test.expander)
    test.selectbox(key="baseline").set_value(BASE).run()
    assert not test.exception
    table = test.dataframe[0].value.set_index("system")
    assert list(table["verdict"]) == with_symbols(of_the_core().loc[table.index, "verdict"])
    assert table.loc["Quennaro-joint", "verdict"] == "▲ better"
    assert table.loc["Drimolka-1", "verdict"] == "▼ worse"
    assert table.loc[BASE, "verdict"] == "baseline"
    names = charts(test)[0]["layout"]["yaxis"]["ticktext"]
    assert [name for name in names if "(baseline)" in name] == [f"{BASE} (baseline)"]
    assert sentence(test).startswith(f"Quennaro-joint beats {BASE} by 3.86 LAS (p < 0.0001")
    latex = next(text for text in copyable(test) if text.startswith("System & LAS"))
    assert r"Krestluvo-3 (baseline) & 83.74 & & \\" in latex
    assert r"Quennaro-joint & 87.60$^{\ast}$ & 3.86 & $< 0.00012$" in latex
    assert test.query_params["baseline"] == BASE
    names = charts(test)[0]["layout"]["yaxis"]["ticktext"]
    assert [name for name in names if "(baseline)" in name] == [f"{BASE} (baseline)"]


def test_equivalence_to_the_baseline_follows_the_gain_to_ignore():
    """Chosen on Scores, it is in the link and holds on Pair, there for every pair, but for no other metric."""
    test = app(SCORES, baseline=BASE)
    assert not test.dataframe[0].value["verdict"].str.contains("equivalent").any()
    found = []
    for within in (3.0, 0.2):
        test.number_input(key="within").set_value(within).run()
        table = test.dataframe[0].value.set_index("system")
        assert list(table["verdict"]) == with_symbols(of_the_core(within=within).loc[table.index, "verdict"])
        assert test.query_params["within"] == str(within)
        found.append(int((table["verdict"] == "= equivalent").sum()))
    assert found[0] > found[1]
    test.switch_page(PAIR).run()
    assert test.number_input(key="within").value == 0.2
    test.number_input(key="within").set_value(3.0).run()
    test.selectbox(key="pair").set_value("Krestluvo-3 over Krestluvo-2").run()
    assert "Equivalent within 3.00 LAS" in texts(test)
    test.selectbox(key="metric").set_value("UAS").run()
    assert test.number_input(key="within").value is None
    assert "within" not in test.query_params


def test_several_metrics_stand_side_by_side():
    """The scores are those of the table of all metrics, the verdicts those of each metric alone."""
    test = app(SCORES, baseline=BASE, beside="UAS")
    table = next(frame.value for frame in test.dataframe if list(frame.value) == ["system", "LAS", "UAS"])
    table = table.set_index("system")
    for label in ("LAS", "UAS"):
        shown = [text.split()[0] for text in with_symbols(of_the_core(label).drop(BASE)["verdict"])]
        of_cells = table.loc[of_the_core(label).drop(BASE).index, label].str.split().str[1]
        assert of_cells.tolist() == shown
    every = next(frame.value for frame in test.dataframe if "MLAS" in frame.value).set_index("system")
    assert [float(cell.split()[0]) for cell in table["UAS"]] == every.loc[table.index, "UAS"].round(2).tolist()
    latex = next(text for text in copyable(test) if text.startswith("System & LAS & UAS"))
    assert r"Krestluvo-3 (baseline) & 83.74 & " in latex
    assert latex.count(r"\\") == 1 + len(table)
    assert test.query_params["beside"] == "UAS"


def test_pairs_open_on_the_best_against_the_baseline_and_its_pairs_come_first():
    assert app(PAIR, baseline=BASE).selectbox(key="pair").value == f"Quennaro-joint over {BASE}"
    assert app(PAIR).selectbox(key="pair").value == "Quennaro-joint over Oskblit-joint"
    test = app(PAIRS, baseline=BASE)
    assert test.session_state["pair"] == f"Quennaro-joint over {BASE}"
    table = test.dataframe[-1].value
    with_it = (table["system_a"] == BASE) | (table["system_b"] == BASE)
    assert with_it.tolist() == [True] * 27 + [False] * 351
    test.selectbox(key="baseline").set_value("").run()
    table = test.dataframe[-1].value
    assert not ((table["system_a"] == BASE) | (table["system_b"] == BASE))[:27].all()


@pytest.mark.parametrize(
    ("page", "keys", "link", "pair"),
    [
        ("pages/domains.py", ("domain_a", "domain_b"), {}, ("Quennaro-joint", BASE)),
        ("pages/campaign.py", ("campaign_a", "campaign_b"), {"task": SEVERAL}, ("Vorquell-3", "Drimolka-1")),
    ],
)
def test_the_pair_on_every_domain_or_test_set_is_that_of_the_baseline(page, keys, link, pair):
    test = app(page, baseline=pair[1], **link)
    assert tuple(test.selectbox(key=key).value for key in keys) == pair


def test_the_first_page_says_who_beats_the_baseline_however_long_that_takes(monkeypatch):
    """Nobody has tested these pairs before: the page shows all else, and waits for them last."""
    monkeypatch.setattr("ui.work.watching.A_MOMENT", 0.0)
    assert sentence(app("app.py", seed=61_403, baseline=BASE)).startswith(f"Quennaro-joint beats {BASE} by 3.86 LAS")


def test_a_baseline_that_nobody_beats_has_the_verdict_on_the_best_other_system_on_the_first_page():
    """The best system as the baseline: the second is undecided, or behind it, and what would decide it is said."""
    test = app("app.py", baseline="Quennaro-joint", scope="corrected")
    assert "No system beats Quennaro-joint; 25 systems are behind it." in copyable(test)
    assert "**Undecided**: Quennaro-joint is ahead of Oskblit-joint" in texts(test)
    assert "would settle" in texts(test)


def test_the_guessed_baseline_is_said_and_one_click_changes_it():
    """The link keeps that none is wanted."""
    test = app(SCORES, task=CHINESE)
    box = test.selectbox(key="baseline")
    assert (box.value, f"{NAMED} (by its name)" in box.options) == (NAMED, True)
    assert any(f" {NAMED} by " in text for text in copyable(test))
    assert "baseline" not in test.query_params
    box.set_value("").run()
    assert not any(f" {NAMED} by " in text for text in copyable(test))
    assert test.query_params["baseline"] == ""
    assert app(SCORES, task=CHINESE, baseline="").selectbox(key="baseline").value == ""
    assert not any("by its name" in option for option in app(SCORES).selectbox(key="baseline").options)


@pytest.mark.parametrize("before", [{"task": MAIN}, {"task": CHINESE}, {"task": CHINESE, "baseline": ""}])
def test_an_uploaded_task_opens_on_who_beats_its_baseline(before):
    """Whatever the task that was open before had: none by its names, one, or none by choice."""
    rows = "".join(f"{i},0.{i % 7},0.{i % 7 + 2},{i % 2}\n" for i in range(60))
    test = drop_files(app(**before), {"mine.csv": f"unit,baseline,ours-small,ours-large\n{rows}"})
    test.segmented_control(key="edition").set_value("higher").run()
    assert test.selectbox(key="baseline").value == "baseline"
    (said,) = (text for text in copyable(test) if "baseline" in text and "metric:" not in text)
    assert said == "ours-large beats baseline by 0.2100 mean (p = 0.0048); ours-small, too."
