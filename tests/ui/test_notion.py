"""One notion of significance on every page, and what is said of few units and resamples."""

from __future__ import annotations

import pytest

from tests.apps import app, frame_with, metric, texts, tooltips

PAIRS = "pages/pairs.py"


def test_the_notion_is_one_choice_that_everything_follows():
    """As in the paper by one click: the headline, the table, the signature and the link say so."""
    test = app(PAIRS)
    before = test.dataframe[-1].value
    assert "significant if two-sided p < 0.05." in texts(test)
    assert "|sides:two|scope:both|adjust:Holm|" in texts(test)
    test.button(key="other_notion").click().run()
    assert not test.exception
    table = test.dataframe[-1].value
    assert "significant if winner's one-sided p < 0.05." in texts(test)
    valid = table[table["comparison"] != "invalid output"]
    shown = f"{valid['significant'].sum()} of {len(valid)} pairs of valid outputs differ on their own"
    assert f"**{shown};" in texts(test)
    assert "|sides:one|scope:alone|" in texts(test)
    assert table["significant"].sum() > before["significant"].sum()
    assert [test.query_params[key] for key in ("sides", "scope", "test")] == ["one", "alone", "bootstrap"]
    test.button(key="other_notion").click().run()
    assert test.dataframe[-1].value["significant"].tolist() == before["significant"].tolist()
    scores = app("pages/scores.py", adjust="max-t")
    assert "two-sided p < 0.05 after max-t over 378 pairs" in tooltips(scores)


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ({"task": "dorvel-runs"}, "Max-t needs 200 sentences, and there are 150."),
        ({"sides": "one"}, "Max-t needs two sides and the paired bootstrap."),
    ],
)
def test_max_t_says_why_it_is_not_offered(link, reason):
    test = app(PAIRS, adjust="max-t", **link)
    box = test.selectbox(key="adjust")
    assert ("max-t" in box.options, box.value) == (False, "Holm")
    assert reason in box.help
    assert "adjust max" in test.warning[0].value
    assert "needs" not in app(PAIRS).selectbox(key="adjust").help


@pytest.mark.parametrize(
    ("notion", "column", "said"),
    [
        ({}, "p_small_two_sided", "two-sided p < 0.05."),
        ({"sides": "one"}, "p_value", "winner's one-sided p < 0.05."),
        ({"sides": "one", "scope": "alone"}, "p_value", "winner's one-sided p < 0.05."),
        ({"scope": "corrected"}, "p_holm", "two-sided p < 0.05 after Holm over 378 pairs."),
        ({"sides": "one", "scope": "corrected"}, "p_corrected", "winner's one-sided p < 0.05 after Holm over 378"),
    ],
)
def test_which_p_decides_is_said(notion, column, said):
    """And it is the column p; rankings follow the corrected one unless a pair is seen on its own."""
    test = app(PAIRS, **notion)
    assert f"p: paired bootstrap, significant if {said}" in texts(test)
    table = test.dataframe[-1].value
    hits = ~table["p"].str.contains("<")  # elsewhere a bound stands for p
    assert hits.sum() > 100
    assert table.loc[hits, "p"].tolist() == table.loc[hits, column].tolist()
    corrected = "" if notion.get("scope") == "alone" else " after Holm over 378 pairs"
    assert f"{said.partition(' after')[0].rstrip('.')}{corrected}." in tooltips(app("pages/scores.py", **notion))


@pytest.mark.parametrize(
    ("page", "refused"),
    [
        ("sizes", "Some pairs cannot be tested at these sizes."),
        ("domains", "The pair cannot be tested in these domains."),
    ],
)
def test_max_t_is_refused_where_parts_are_small(page, refused):
    test = app(f"pages/{page}.py", adjust="max-t", sizes="100 650")
    assert not test.exception
    assert [e.value for e in test.error] == [refused]
    assert "choose Holm" in texts(test)


def test_a_p_of_0_is_what_the_resamples_can_show():
    """As in the paper no hit is p = 0, which no one may write."""
    test = app("pages/pair.py", ("other_tests",), sides="one", scope="alone", pair="Zemblit-3 over Yusvandor-1")
    assert "LAS; one-sided p < 0.0001." in texts(test)
    every = frame_with(test, "statistic").set_index("test")
    assert every.loc["paired bootstrap", "p_value"].strip() == metric(test, "p") == "< 0.0001"


def test_too_few_resamples_for_an_adjustment_are_said():
    """378 pairs / 0.05 = 7,560: enough with 10,000 resamples, too few at the level 0.03."""
    assert not [w for w in app("pages/scores.py").warning if "are needed" in w.value]
    found = [w.value for w in app("pages/scores.py", alpha=0.03).warning if "are needed" in w.value]
    assert found == ["With 10,000 resamples no p corrected for 378 pairs can be below 0.03; 12,600 are needed."]


@pytest.mark.parametrize("page", ["app.py", "pages/pair.py", "pages/sizes.py"])
def test_documents_are_resampled_where_their_units_are_alike(page):
    """Where they make standard errors larger by more than a tenth; one click goes back, one more returns."""
    test = app(page, task="varnil-scores", edition="higher")
    assert "(standard errors are 1.13 times as large by document), so documents are resampled." in texts(test)
    assert "|unit:document (usual)|n:38|" in texts(test)
    assert test.button(key="by_document").label == "Resample units"
    test.button(key="by_document").click().run()
    assert not test.exception
    assert "|unit:unit|n:400|" in texts(test)
    assert any("by document), so p is too small." in warning.value for warning in test.warning)
    assert test.query_params["unit"] == "unit"
    test.button(key="by_document").click().run()
    assert "|unit:document (usual)|" in texts(test)
    assert "unit" not in test.query_params


def test_units_are_resampled_where_documents_change_little():
    test = app(PAIRS, task="shumak-translation")
    assert "|unit:segment|" in texts(test)
    assert "of one document are alike" not in texts(test)


def test_systems_are_equivalent_only_within_a_gain_that_somebody_named():
    """Before that, no pair of a task is."""
    test = app(PAIRS, pair="Krestluvo-3 over Krestluvo-2")
    assert set(test.dataframe[-1].value["verdict"]) == {"▲ better", "△ better on its own", "? undecided"}
    test.switch_page("pages/pair.py").run()
    assert "? **Undecided**" in texts(test)
    test.number_input(key="within").set_value(5.0).run()
    assert "= **Equivalent within 5.00 LAS**: " in texts(test)
    assert "(90% interval)" in texts(test)
    assert test.query_params["within"] == "5.0"
    test.number_input(key="within").set_value(0.1).run()
    assert "? **Undecided**" in texts(test)
    assert "would settle a gain of 0.10 LAS" in texts(test)
    test.number_input(key="within").set_value(None).run()
    assert "within" not in test.query_params
