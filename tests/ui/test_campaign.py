"""The Campaign page: where it is offered, what its choices change, and that it computes nothing twice."""

from __future__ import annotations

import json

import pytest

from nlpsig_core.base.errors import TaskError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.output.plots import cells_figure
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.stats import selected
from nlpsig_core.studies.analyses.campaign import cells, counted, on_each, outcomes
from tests.apps import MAIN, SEVERAL, app, charts, texts
from tests.browsing import appears, centre, insist
from ui.studies import campaign
from ui.studies.analyses import domains
from ui.work import computations, memory

PAGE = "pages/campaign.py"


def menu(test) -> list[str]:
    return [link.proto.label for link in test.sidebar.get("page_link") if not link.proto.disabled]


def table(test, alt: str):
    return next(frame.value for frame in test.dataframe if frame.proto.alt == alt)


def test_it_is_the_first_page_of_a_task_with_several_test_sets():
    """Whatever test set is selected, it shows all; a task with one test set is sent to its scores."""
    test = app(PAGE, task=SEVERAL, test_set="llethir")
    assert menu(test)[:3] == ["Shared task", "Campaign", "Scores"]
    assert "720 sentences to resample" in texts(test)
    assert "test_sets:brelda,llethir,shumak|" in texts(test)
    assert test.selectbox(key="test_set").value == "llethir"
    alone = app(PAGE)
    assert "Campaign" not in menu(alone)
    assert "here is only one" in texts(alone)


def test_its_numbers_are_those_of_the_core():
    test = app(PAGE, task=SEVERAL, seed=3)
    selection = load_task(SEVERAL).select(test_set=MACRO)
    pairs = on_each(selection, lambda _, one: one.bootstrap(resamples=10_000, seed=3))
    totals = table(test, "Significant wins and losses over all test sets").set_index("system")
    sums = outcomes(pairs).groupby("system")[["wins", "losses", "undecided"]].sum()
    assert totals.to_dict() == sums.loc[totals.index].to_dict()
    assert f"**{pairs['significant'].sum()} of {len(pairs)} comparisons differ on their own (" in texts(test)
    assert f"if no two systems differed, about {0.05 * len(pairs):,.0f} would.**" in texts(test)
    shown = table(test, "On how many test sets each pair is significant")
    expected = counted(pairs, selection.bootstrap(resamples=10_000, seed=3).pairs())
    of_shown, of_expected = (sorted(frame[["system_a", "won"]].itertuples(index=False)) for frame in (shown, expected))
    assert of_shown == of_expected


def test_a_test_set_is_resampled_once_for_all_pages(runs):
    """One bootstrap of each test set and one of the macro-average; the pages of the test sets add none."""
    test = app(PAGE, task=SEVERAL, seed=4)
    assert len(runs) == 4
    for page in ("pages/scores.py", "pages/pairs.py"):
        test.selectbox(key="test_set").set_value("shumak")
        test.switch_page(page).run()
        assert not test.exception
    assert len(runs) == 4


def test_weights_are_in_the_link_and_in_the_signature():
    test = app(PAGE, task=SEVERAL)
    assert "every test set counts the same" in texts(test)
    assert "weights" not in texts(test)
    test.selectbox(key="weights").set_value("by language family").run()
    assert "each a family of its own: brelda, llethir, shumak" in texts(test)
    assert test.query_params["weights"] == "by language family"
    assert "|weights:by language family|" in texts(test)


def test_a_click_on_a_cell_opens_its_test_set():
    """As the callback of the figure leaves it."""
    test = app(PAGE, task=SEVERAL)
    test.session_state["test_set"], test.session_state["cell_clicked"] = "shumak", True
    test.run()
    assert test.title[0].value == "Scores"
    assert test.selectbox(key="test_set").value == "shumak"


@pytest.mark.browser
def test_a_campaign_opens_on_its_cells_and_a_click_on_one_opens_its_test_set(server, page):
    page.goto(f"{server}/?task={SEVERAL}&b=10k")
    appears(page.get_by_text("Every system on every test set"))
    dots = page.locator(".st-key-cells_figure .scatterlayer .trace").last.locator(".point")
    dots.first.wait_for(state="attached")
    page.locator(".st-key-cells_figure").scroll_into_view_if_needed()
    opened = page.get_by_role("heading", level=1, name="Scores")
    # Rows are the macro-average and three test sets, the last of which is clicked.
    insist(lambda: page.mouse.click(*centre(dots.last)), opened)
    page.wait_for_url("**/scores?task=orvan-three-test-sets&test_set=shumak&b=10k")


def test_the_first_page_shows_every_system_on_every_test_set():
    """A choice that does not exist is none."""
    wrong = dict.fromkeys(("weights", "unit", "invalid", "domain"), "nonsense")
    for link, weights in (({"weights": "by size"}, {"weights": "by size"}), (wrong, {})):
        test = app("app.py", task=SEVERAL, **link)
        assert "Every system on every test set" in texts(test)
        selection = load_task(SEVERAL).select(test_set=MACRO, **weights)
        drawn = cells_figure(cells(selection), metric=selection.metric, decimals=selection.decimals, signature="s")
        assert [chart.proto.alt for chart in test.get("plotly_chart")] == [drawn.layout.meta["alt"]]


@pytest.mark.parametrize(("name", "which"), [(SEVERAL, " shumak, 3 of 3"), (MAIN, "")])
def test_the_bar_says_which_test_set_is_read(name, which):
    task = load_task(name)
    test_set = list(task.test_sets.values())[-1]
    family = METRICS["LAS"].family
    label = computations.count("key", task, test_set, family).label
    assert label == f"Reading and scoring{which}: {family.name}"


def test_the_first_test_set_is_shown_where_all_cannot_be(monkeypatch):
    """The reason stands in place of the cells."""

    def fail(*_):
        raise TaskError("3 test sets: no room")

    monkeypatch.setattr(campaign, "over_all_test_sets", fail)
    test = app("app.py", task=SEVERAL)
    assert not test.exception
    assert "The test sets cannot be shown together." in texts(test)
    assert "3 test sets: no room" in texts(test)
    assert table(test, "The best systems") is not None


def test_the_agreement_of_two_test_sets_is_a_sentence_not_a_picture_of_one_cell():
    every = app(PAGE, task=SEVERAL)
    two = every.multiselect(key="test_sets").set_value(["brelda", "shumak"]).run()
    assert "Kendall's tau between the two rankings is 0.64." in texts(two)
    assert not any("Kendall" in chart.proto.spec for chart in two.get("plotly_chart"))


def test_on_a_phone_many_pairs_of_test_sets_have_no_numbers(monkeypatch):
    """Three test sets are three pairs."""
    for most, hidden in ((3, False), (2, True)):
        monkeypatch.setattr(domains, "MOST_ON_A_PHONE", most)
        styles = [element.proto.body for element in app(PAGE, task=SEVERAL).get("html")]
        assert any(".st-key-set_agreement .textpoint { display: none; }" in style for style in styles) == hidden


def test_scores_on_every_test_set_are_not_signed_with_resamples():
    signatures = [chart["layout"]["meta"]["signature"] for chart in charts(app(PAGE, task=SEVERAL))]
    assert ["|b:10000|" in signature for signature in signatures] == [False, False, True, True, True]


def test_another_pair_is_drawn():
    test = app(PAGE, task=SEVERAL, cells="rank")
    a, b = (test.selectbox(key=key).value for key in ("campaign_a", "campaign_b"))
    test.selectbox(key="campaign_b").set_value("Feltrony-1" if b != "Feltrony-1" else "Drimolka-1").run()
    assert not test.exception
    alt = test.get("plotly_chart")[-1].proto.alt
    assert alt.startswith(f"{a} over {test.selectbox(key='campaign_b').value}: gain in LAS")


def test_the_first_page_resamples_what_is_usual_on_all_test_sets(monkeypatch):
    """Here documents, as if their sentences were alike; other tests keep selections that have sentences."""
    own = memory.Memory()
    monkeypatch.setattr(memory, "kept", lambda: own)
    monkeypatch.setattr(selected, "MATTERS", 0.0)
    monkeypatch.setattr(selected, "FEWEST_DOCUMENTS", 1)
    (shown,) = app("app.py", task=SEVERAL).get("plotly_chart")
    signature = json.loads(shown.proto.spec)["layout"]["meta"]["signature"]
    assert "|unit:document (usual)|" in signature
