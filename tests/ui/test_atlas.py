"""The Atlas page: what is asked is answered, the link restores it, and the open task finds its place."""

from __future__ import annotations

import json
import re

import pytest

from nlpsig_core.base.words import rounded_up
from nlpsig_core.studies.atlas.ask import Question, ask
from nlpsig_core.studies.atlas.store import shipped
from tests.apps import app, charts, metric, texts, values
from ui.app import components
from ui.studies.atlas import FOLDED

PAGE = "pages/atlas.py"
ASKED = {"task": "realsumm", "atlas_metric": "BLEU", "atlas_units": 1000, "atlas_gain": 0.6}

FOLDS = tuple(f"atlas: {fold}" for fold in FOLDED)


@pytest.fixture(scope="module")
def page():
    """The page with a question about BLEU."""
    return app(PAGE, **ASKED)


@pytest.fixture(scope="module")
def unfolded():
    """The same with everything open."""
    return app(PAGE, FOLDS, **ASKED)


def answers(test):
    """The sentences of the answer, as they are read."""
    return [re.sub(r"\*\*|\\", "", text.value) for text in test.main.markdown if text.value.startswith("**")]


def test_the_answer_is_that_of_the_command(page):
    """The threshold with its interval leads; then how often the gain is significant, in a word."""
    answer = ask(shipped(), Question(metric="BLEU", n=1000, gain=0.6))
    assert answers(page) == [f"{sentence}." for sentence in answer.sentence.split(". ")]
    assert page.main.markdown[-1].value.startswith("**Rarely**: 15 of 78 gains near 0")


def test_numbers_are_folded(page, unfolded):
    answer = ask(shipped(), Question(metric="BLEU", n=1000, gain=0.6))
    assert not page.metric
    assert metric(unfolded, "Usually significant above") == f"{answer.threshold:.2f}"
    assert metric(unfolded, "Detectable with 80% power") == f"{answer.detectable_gain:.2f}"
    assert metric(unfolded, "Segments to detect 0.6") == f"{rounded_up(answer.units):,}" != f"{answer.units:,}"
    assert (len(charts(page)), len(charts(unfolded))) == (2, 4)


def test_where_lower_is_better_a_reduction_is_asked_for(page):
    """Its dots, all of test sets of another size, are not pale: there are none in front of them."""
    test = app(PAGE, task="mirvel-transcripts", atlas_gain=2)
    assert "is a reduction of" in [text.value for text in test.main.markdown]
    assert "is a gain of" in [text.value for text in page.main.markdown]
    others, about, star = charts(test)[1]["data"]
    assert (len(values(about["x"])), others["marker"]["opacity"]) == (0, 0.75)
    assert star["name"] == "a reduction of 2"


def test_a_line_beside_all_dots_is_explained(page):
    """Test sets with macro-F1 need more in accuracy than others do, so a new one is expected to need less than they."""
    test = app(PAGE, task="realsumm", atlas_metric="macro-F1", atlas_units=498)
    assert "Dotted line, left of all dots: expected of a new test set by the model" in texts(test)
    assert "Dotted line" not in texts(page)
    assert "Dotted line" not in texts(app(PAGE, task="sorvan-rankings")), "on the only dot, but for rounding errors"


def test_a_metric_that_the_atlas_lacks_is_said_to_be_missing(page):
    missing = "The atlas has no main score: choose the metric that is most like it."
    assert missing in [caption.value for caption in app(PAGE, task="orlun-evaluation").caption]
    assert not [caption for caption in page.caption if "choose the metric" in caption.value]


def test_without_a_gain_the_threshold_is_the_answer():
    """The gain is empty from the start, and can be emptied again: no star, no share, no units."""
    test = app(PAGE, FOLDS, task="realsumm", atlas_metric="BLEU", atlas_units=1000)
    assert test.number_input(key="atlas_gain").value is None
    assert answers(test)[0] == f"{ask(shipped(), Question(metric='BLEU', n=1000)).sentence}."
    with_gain = test.number_input(key="atlas_gain").set_value(0.6).run()
    assert "gains near 0" in answers(with_gain)[1]
    assert "Star" in texts(with_gain)
    without = with_gain.number_input(key="atlas_gain").set_value(None).run()
    assert not without.exception
    assert "gains near" not in texts(without)
    assert "Star" not in texts(without)
    assert not any("to detect" in element.label for element in without.metric)


def test_the_sidebar_folds_the_settings_of_the_task(page):
    """They are not of this question; on the pages of a task they are open."""
    (fold,) = [fold for fold in page.sidebar.expander if fold.label == "Open task and settings"]
    assert {"task", "metric"} <= {box.key for box in fold.get("selectbox")}
    assert "Open task and settings" not in {fold.label for fold in app("pages/scores.py").sidebar.expander}


def test_the_cloud_has_the_gain_in_it_and_the_strip_every_test_set(page):
    strip, cloud = charts(page)
    assert values(cloud["data"][-1]["x"]).tolist() == [0.6]
    assert len(values(strip["data"][0]["x"])) == 11


def test_the_link_has_what_differs_from_the_defaults(page):
    """Another metric, size and gain than those of the open task; the class is the usual one."""
    assert {key: value for key, value in page.query_params.items() if key.startswith("atlas_")} == {
        key: str(value) for key, value in ASKED.items() if key != "task"
    }


def test_the_open_task_is_placed_by_its_own_units_where_the_atlas_has_its_metric(unfolded):
    """WMT 2024 English-German has 998 segments in 170 documents, which are the usual unit; ROUGE-1 is of one task."""
    assert "The threshold of different groups" in texts(unfolded)
    assert "in ROUGE-1" in texts(unfolded)
    test = app(PAGE, FOLDS, task="wmt-2024-en-de")
    assert "The threshold of different groups" in texts(test)
    assert "at 998 segments; " in texts(test)
    assert not test.info


def test_the_place_of_the_open_task_is_signed_with_what_it_depends_on(monkeypatch):
    """The level, its sides, the groups, and the segments that the atlas counts, not the documents of the sidebar."""
    signed, draw = {}, components.table

    def table(frame, key, signature, *more, **options):
        signed[key] = signature
        draw(frame, key, signature, *more, **options)

    monkeypatch.setattr(components, "table", table)
    app(PAGE, FOLDS, task="wmt-2024-en-de", alpha=0.01, sides="one")
    parts = dict(part.split(":", 1) for part in signed["atlas_place"].split("|"))
    assert (parts["unit"], parts["level"], parts["sides"]) == ("segment", "0.01", "one")
    assert parts["groups"]


def test_thresholds_of_the_open_task_have_the_decimals_of_its_metric():
    """Two decimals would make 0.03 of the lower end, 0.025; one other test set is no share."""
    test = app(PAGE, FOLDS, task="sorvan-rankings")
    assert ", is above those of 0 of 1 other test set at 60 topics; 0.080 was to be expected (0.025 to" in texts(test)
    (table,) = (of for of in test.dataframe if "expected_threshold" in of.value)
    configured = json.loads(table.proto.columns)
    formats = {configured[name]["type_config"]["format"] for name in ("threshold", "expected_threshold", "low", "high")}
    assert formats == {"%.4f"}


def test_a_metric_that_the_atlas_lacks_is_named():
    test = app(PAGE, FOLDS, task="varnil-scores", edition="higher")
    assert any("No metric in the atlas called" in info.value for info in test.info)


def test_another_level_moves_the_threshold(unfolded):
    """A threshold is z standard errors: 2.576 / 1.960 of that at 5% is that at 1%."""
    strict = app(PAGE, FOLDS, **ASKED, alpha=0.01)
    at_5, at_1 = (float(metric(of, "Usually significant above")) for of in (unfolded, strict))
    assert at_1 / at_5 == pytest.approx(2.5758 / 1.9600, rel=0.01)


def test_few_test_sets_are_owned_up_to():
    test = app(PAGE, FOLDS, task="realsumm", atlas_metric="AER", atlas_units=447)
    assert "The atlas has only 1 test set with AER" in texts(test)
    assert "No threshold of AER can be predicted without its own test set" in texts(test)


def test_wer_is_called_so_and_its_notes_are_one_list():
    """Rough, of one test set, by utterance; a link with more gain than a metric has is not followed."""
    test = app(PAGE, task="realsumm", atlas_metric="WER", atlas_units=1000)
    (notes,) = [caption.value for caption in test.main.caption if caption.value.startswith("Beware:\n- ")]
    assert "- If your test set has many utterances of each speaker" in notes
    assert "- The threshold is rough" in notes
    assert charts(test)[0]["layout"]["xaxis"]["title"]["text"] == "threshold of WER at 1,000 utterances"
    ranked = app(PAGE, task="realsumm", atlas_metric="nDCG@10", atlas_units=50, atlas_gain=2)
    assert not ranked.exception
    assert ranked.number_input(key="atlas_gain").value in (None, 1)


def test_the_page_opens_on_the_metric_of_a_task_of_logs():
    """Accuracy, the share of solved instances."""
    assert app(PAGE, task="solem-repairs").selectbox(key="atlas_metric").value == "accuracy"


def test_an_interval_that_does_not_hold_is_not_shown():
    """2 of 6 of Feats held: no band in the figure, no interval in the answer; with a score 6 of 6 did."""
    test = app(PAGE, FOLDS, task="realsumm", atlas_metric="Feats", atlas_units=650)
    assert "how far your test set may be from it is not known" in answers(test)[0]
    assert "No interval is given: on test sets left out, 2 of 6 of Feats held" in texts(test)
    assert "nan" not in texts(test)
    assert "90% interval for a new one" not in texts(test)
    scored = app(PAGE, task="realsumm", atlas_metric="Feats", atlas_units=650, atlas_score="90")
    assert "90% interval" in answers(scored)[0]
