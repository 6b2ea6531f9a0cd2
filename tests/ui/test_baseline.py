"""The baseline: what its choice changes on the pages, in the table of pairs and in the link."""

from __future__ import annotations

from nlpsig_core.comparison.baseline import against
from tests.apps import MAIN, app, texts
from tests.builders import sample

SCORES, PAIRS, BASE = "pages/scores.py", "pages/pairs.py", "Krestluvo-3"


def test_a_baseline_adds_verdicts_and_a_card():
    test = app(SCORES)
    assert "verdict" not in test.dataframe[0].value
    assert "All against the baseline" not in [of.value for of in test.header]
    test.selectbox(key="baseline").set_value(BASE).run()
    assert not test.exception
    table = test.dataframe[0].value.set_index("system")
    within = test.number_input(key="within").value
    expected = against(sample(MAIN, "LAS").bootstrap(resamples=10_000), BASE, within=within).set_index("system")
    assert [text.split()[-1] for text in table["verdict"]] == list(expected.loc[table.index, "verdict"])
    assert table.loc["Quennaro-joint", "verdict"] == "▲ better"
    assert table.loc["Drimolka-1", "verdict"] == "▼ worse"
    latex = next(code.value for code in test.code if code.value.startswith("System & LAS"))
    assert r"Krestluvo-3 (baseline) & 82.17 & & \\" in latex
    assert r"Quennaro-joint & 85.75$^{\ast}$ & 3.58 & 0.0" in latex
    assert "over 27 pairs" in texts(test)
    assert test.query_params["baseline"] == BASE


def test_equivalence_to_the_baseline_follows_the_bound_which_is_that_of_pair():
    """Chosen on Scores, it is in the link and holds on Pair, there for every pair; the default is the pair's own."""
    test = app(SCORES, baseline=BASE, within=3)
    results = sample(MAIN, "LAS").bootstrap(resamples=10_000)
    for within in (3.0, 0.2):
        test.number_input(key="within").set_value(within).run()
        table = test.dataframe[0].value.set_index("system")
        expected = against(results, BASE, within=within).set_index("system")["verdict"]
        assert [text.split()[-1] for text in table["verdict"]] == list(expected.loc[table.index])
        assert f"within {within:.2f} LAS" in texts(test).replace("\\", "")
        assert test.query_params["within"] == str(within)
    assert (expected == "equivalent").sum() < (against(results, BASE, within=3)["verdict"] == "equivalent").sum()
    test.switch_page("pages/pair.py").run()
    assert test.number_input(key="within").value == 0.2
    test.selectbox(key="pair").set_value("Krestluvo-3 over Krestluvo-2").run()
    assert test.number_input(key="within").value == 0.2
    assert test.query_params["within"] == "0.2"


def test_the_default_bound_is_that_of_the_pairs_class():
    """The thresholds by the model are 1.73 LAS for different groups and 0.66 for the same group."""
    test = app("pages/pair.py", pair="Krestluvo-3 over Krestluvo-2")
    same = test.number_input(key="within").value
    other = next(name for name in test.selectbox(key="pair").options if {BASE, "Plunaro-2"} == {*name.split(" over ")})
    test.selectbox(key="pair").set_value(other).run()
    different = test.number_input(key="within").value
    assert (same, different) == (0.66, 1.73)
    assert "within" not in test.query_params
    test.switch_page(SCORES).run()
    test.selectbox(key="baseline").set_value(BASE).run()
    assert test.number_input(key="within").value == 1.73


def test_several_metrics_stand_side_by_side():
    """The scores are those of the table of all metrics, the verdicts those of each metric alone."""
    test = app(SCORES, baseline=BASE, beside="UAS")
    table = next(frame.value for frame in test.dataframe if list(frame.value) == ["system", "LAS", "UAS"])
    table = table.set_index("system")
    for label in ("LAS", "UAS"):
        alone = against(sample(MAIN, label).bootstrap(resamples=10_000), BASE).set_index("system")
        signs = alone.loc[table.index, "verdict"].map(lambda name: {"better": "▲", "worse": "▼"}.get(name, ""))
        assert [cell.split()[1:] for cell in table[label] if cell[-1] in "▲▼"] == [[sign] for sign in signs if sign]
    every = next(frame.value for frame in test.dataframe if "MLAS" in frame.value).set_index("system")
    assert [float(cell.split()[0]) for cell in table["UAS"]] == every.loc[table.index, "UAS"].round(2).tolist()
    latex = next(code.value for code in test.code if code.value.startswith("System & LAS & UAS"))
    assert r"Krestluvo-3 (baseline) & 82.17 & " in latex
    assert latex.count(r"\\") == 1 + len(table)
    assert test.query_params["beside"] == "UAS"


def test_the_link_keeps_the_baseline_and_pairs_show_its_pairs_alone():
    test = app(PAIRS, baseline=BASE)
    assert test.selectbox(key="baseline").value == BASE
    table = test.dataframe[-1].value
    assert len(table) == 27
    assert ((table["system_a"] == BASE) | (table["system_b"] == BASE)).all()
    significant = table["significant"].astype(bool)
    assert (table["answer"] == "▲ better").equals(significant)
    test.selectbox(key="baseline").set_value("").run()
    assert len(test.dataframe[-1].value) == 378


def test_a_baseline_that_does_not_exist_is_none():
    test = app(SCORES, baseline="nobody")
    assert test.selectbox(key="baseline").value == ""
    assert "baseline nobody" in test.warning[0].value
