"""One notion of significance on every page, filters in every view, and what is said of few units and resamples."""

from __future__ import annotations

import pytest

from tests.apps import app, texts

PAIRS = "pages/pairs.py"
VIEWS = ("scatter", "matrix", "two tests")
FILTERS = {
    "class": {"classes": "same group"},
    "group": {"groups": "Habsique"},
    "system": {"systems": "Habsique-3"},
    "group and both": {"groups": "Habsique", "both": True},
    "all of them": {"classes": "same group", "groups": "Habsique", "systems": "Habsique-3", "both": True},
    "nothing left": {"classes": "system combination", "groups": "Habsique", "both": True},
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("chosen", FILTERS.values(), ids=FILTERS)
def test_every_filter_works_in_every_view(view, chosen):
    """The table has what the filters leave, and the signature below says them."""
    test = app(PAIRS, view=view, **chosen)
    table = test.dataframe[-1].value
    for group in {chosen["groups"]} if "groups" in chosen and chosen.get("both") else ():
        assert table["system_a"].str.startswith(group).all()
    assert set(table["comparison"]) <= {chosen.get("classes", comparison) for comparison in table["comparison"]}
    assert len(table) < 378


def test_the_notion_is_one_choice_that_everything_follows():
    """As in the paper by one click: the matrix, the ranking, thresholds, the table and the link say so."""
    test = app(PAIRS)
    before = test.dataframe[-1].value
    assert "Significant: two-sided p < 0.05." in texts(test)
    test.button(key="other_notion").click().run()
    assert not test.exception
    table = test.dataframe[-1].value
    assert "Significant: winner's one-sided p < 0.05." in texts(test)
    assert table["significant"].sum() > before["significant"].sum()
    assert (test.query_params["sides"], test.query_params["adjust"]) == ("one", "none")
    test.button(key="other_notion").click().run()
    assert test.dataframe[-1].value["significant"].tolist() == before["significant"].tolist()
    scores = app("pages/scores.py", adjust="max-t")
    assert "two-sided p < 0.05 after max-t over 378 pairs" in texts(scores)


def test_max_t_says_why_it_is_not_offered():
    test = app(PAIRS, task="dorvel-runs", adjust="max-t")
    assert "max-t needs 200 sentences, and there are 150. Choose another adjustment" in test.info[0].value


def test_max_t_is_offered_for_two_sides_alone():
    test = app(PAIRS, sides="one", adjust="max-t")
    assert not test.exception
    assert "max-t" not in test.selectbox(key="adjust").options
    assert "Significant: winner's one-sided p < 0.05." in texts(test)


@pytest.mark.parametrize(
    ("notion", "said"),
    [
        ({}, "It decides significance, ranks and ties, and it is the one that is adjusted."),
        ({"sides": "one"}, "decides significance, as in the paper; the small-sample p, ranks and ties."),
        ({"sides": "one", "adjust": "none"}, "The unadjusted one-sided p decides significance, ranks and ties"),
        (
            {"sides": "one", "adjust": "Holm"},
            "It decides significance, ranks and ties, and it is the one that is adjusted.",
        ),
    ],
)
def test_which_p_decides_is_said(notion, said):
    assert said in texts(app(PAIRS, **notion))


@pytest.mark.parametrize(("page", "refused"), [("sizes", "at these sizes"), ("domains", "in these domains")])
def test_max_t_is_refused_where_parts_are_small(page, refused):
    test = app(f"pages/{page}.py", adjust="max-t", sizes="100 650")
    assert not test.exception
    assert [e.value for e in test.error] == [f"Some pairs cannot be tested {refused}."]
    assert "choose Holm" in texts(test)


def test_a_p_of_0_is_what_the_resamples_can_show():
    """As in the paper no hit is p = 0, which no one may write."""
    test = app("pages/pair.py", sides="one", adjust="none", pair="Zemblit-3 over Yusvandor-1")
    assert r"p \< 0\.0001, below 0\.05" in test.success[0].value


def test_too_few_resamples_for_an_adjustment_are_said():
    """378 pairs / 0.05 = 7,560: enough with 10,000 resamples, too few at the level 0.03."""
    assert not [w for w in app("pages/scores.py").warning if "are needed" in w.value]
    found = [w.value for w in app("pages/scores.py", alpha=0.03).warning if "are needed" in w.value]
    assert found == ["With 10,000 resamples no p after Holm over 378 pairs can be below 0.03; 12,600 are needed."]


def test_segments_of_one_document_that_are_alike_are_said(monkeypatch):
    """Where documents make standard errors larger by more than a tenth, one click resamples documents."""
    monkeypatch.setattr("nlpsig_core.comparison.selection.MATTERS", 0.5)
    test = app(PAIRS, task="shumak-translation")
    assert "segments (median), so these p-values are too small" in texts(test)
    test.button(key="by_document").click().run()
    assert not test.exception
    assert "so these p-values are too small" not in texts(test)
    assert "|unit:document|" in texts(test)


def test_the_verdict_follows_the_gain_within_which_two_are_the_same():
    test = app("pages/pair.py", pair="Krestluvo-3 over Krestluvo-2", within=5)
    assert "**Equivalent within 5" in test.info[0].value
    test.number_input(key="within").set_value(0.1).run()
    assert test.warning[0].value.startswith("**Undecided**")
    best = app("pages/pair.py")
    assert best.success[0].value.startswith("**Yes**: ")
