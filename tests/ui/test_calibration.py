"""The Calibration page: how often winners stay ahead when small test sets are drawn, and on other domains."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr

from nlpsig_core.base.words import share
from tests.apps import app, charts, copyable, frame_with, texts
from ui.app.text import plain

PAGE = "pages/calibration.py"


def test_the_page_opens_on_a_result():
    test = app(PAGE)
    assert "**With one-sided p < 0.025 (two-sided about 0.05) the winner stays ahead in 9" in texts(test)
    assert "We redraw small test sets from yours and see how often the winner stays ahead." in texts(test)
    assert not [button for button in test.button if button.key == "run_population"]
    assert "In the paper 92% of winners" in texts(test)
    assert len(charts(test)) == 1


def test_the_simulated_shares_are_those_of_theory():
    """True gains, the population's 1/10 and the test set's 1 of noise are normal; the winner's p is 0.04 to 0.06."""
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(3, 2_000_000))
    for spread, wanted in ((0, ["69%"]), (1, ["88%", "86%"])):
        true = spread * noise[0]
        population = true + 0.1**0.5 * noise[1]
        found = population + noise[2]
        around = np.abs(ndtr(-np.abs(found)) - 0.05) < 0.01
        shares = [share(np.mean(of[around] * found[around] > 0)) for of in (population, true)[: len(wanted)]]
        assert shares == wanted
    assert "69% of the winners among equal systems stayed ahead" in texts(app(PAGE))
    assert "with true gains as widely spread as the noise, 88%, and 86% were better" in texts(app(PAGE))


@pytest.mark.parametrize(
    ("notion", "level"), [({"alpha": 0.01}, "0.005 (two-sided about 0.01)"), ({"sides": "one"}, "0.05")]
)
def test_the_line_follows_level_and_sides(notion, level):
    usual, other = (next(m.value for m in app(PAGE, **of).markdown if "stays" in m.value) for of in ({}, notion))
    assert other != usual
    assert plain(f"With one-sided p < {level} the winner stays ahead") in other


def test_a_long_experiment_waits_for_a_click():
    """30 test sets of 100,000 resamples each are 3,000,000, and 10,530 tests of 351 pairs of valid outputs."""
    test = app(PAGE, draw_sets=30, draw_size=20, draw_b="100k")
    assert "10,530 tests, 3,000,000 resamples." in texts(test)
    assert not charts(test)
    assert test.button(key="run_population").label == "Run"


def test_bins_change_the_figure():
    test = app(PAGE, bins="0.1 0.5")
    test.toggle(key="population_figure_as_table").set_value(True).run()
    assert frame_with(test, "tests")["p_low"].tolist() == [0.1]
    test.text_input(key="bins").set_value("0.5 0.1").run()
    assert "p from 0.5 to 0.1 is no bin" in texts(test)


@pytest.mark.parametrize("bins", ["a b c", "0.5", "<b>"])
def test_the_result_is_shown_by_the_usual_bins_where_others_cannot_be_used(bins):
    test, usual = app(PAGE, bins=bins), app(PAGE)
    assert test.error[0].value.endswith(plain(". The usual bins are shown."))
    assert charts(test) == charts(usual)
    assert copyable(test) == copyable(usual)


def test_a_bin_without_tests_and_few_units_are_sentences_not_figures():
    """The sample of transcripts has 24 speakers, of whom a tenth is no test set."""
    test = app(PAGE, bins="0.0000001 0.0000002")
    assert "No p is in these bins" in test.info[0].value
    assert not charts(test)
    few = app(PAGE, task="mirvel-transcripts")
    needed = "test sets have 6 at least and a tenth of them at most, so 60 are needed."
    assert few.info[0].value == plain(f"24 speakers are too few for a population: {needed}")
    assert not charts(few)


def test_winners_on_the_largest_domain_are_sought_on_the_others():
    test = app(PAGE, ("across_open",))
    assert "one-sided p on news" in charts(test)[1]["layout"]["xaxis"]["title"]["text"]
    assert test.selectbox(key="calibrate_from").options[0] == "news"
