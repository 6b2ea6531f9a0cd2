"""The model of thresholds in invented worlds, whose spread of test sets is known."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr

from nlpsig_core.significance.comparison.classes import DIFFERENT, SAME, SAME_MODEL
from nlpsig_core.studies.atlas.check import folds_of, masked_coverage
from nlpsig_core.studies.atlas.model import BORROWED, FEW, ROUGH, TAILS, fit, model_of
from nlpsig_core.studies.atlas.record import MASKED, MASKED_ROUGH
from nlpsig_core.studies.atlas.shares import calibrated
from tests.studies.atlas.worlds import CENTRES, SPREAD, UPPER
from tests.studies.atlas.worlds import unchecked as world


@pytest.mark.parametrize("metric", ["LAS", "UAS"])
def test_intervals_hold_nine_of_ten_new_test_sets(metric):
    """The probability that a new test set of the world is inside, 90% on average over worlds.

    From 60 test sets the spread is known to 9% and the centre to 0.13 spreads, so that in one world the probability
    has a standard error of about 2.5 points: a false alarm outside 80 to 97% has a chance below 1%.
    """
    low, high = model_of(world()).predict(metric, DIFFERENT).log_errors(np.array(TAILS))
    centre = CENTRES[metric] + UPPER
    assert 0.80 < ndtr((high - centre) / SPREAD) - ndtr((low - centre) / SPREAD) < 0.97


def test_shares_are_calibrated_between_the_bins_that_were_seen():
    """0.2 was predicted where 0.1 was seen, 0.6 where 0.9 was: 0.4 is half-way, 0.5; 0 and 1 stay."""
    seen = pd.DataFrame({"predicted": [0.2, 0.6], "seen": [0.1, 0.9]})
    assert calibrated(np.array([0, 0.1, 0.2, 0.4, 0.6, 1]), seen) == pytest.approx([0, 0.05, 0.1, 0.5, 0.9, 1])


def test_a_rough_threshold_widens_the_interval():
    """Its own spread is added to that of test sets, as variances; other metrics are predicted as before."""
    known = world().thresholds
    usual, rough = (fit(known.assign(rough=known["metric"] == name)) for name in ("", "AER"))
    spreads = [model.predict("AER", DIFFERENT).spread for model in (usual, rough)]
    assert spreads[1] == pytest.approx(np.hypot(spreads[0], ROUGH))
    assert rough.predict("LAS", DIFFERENT) == usual.predict("LAS", DIFFERENT)


def test_one_test_set_is_also_tried_with_its_rough_thresholds():
    """Ten times too large: no interval from them holds the other 59 thresholds of each draw, nine of ten others do."""
    known = world().thresholds.query("metric == 'LAS'").reset_index(drop=True)
    held = pd.DataFrame(masked_coverage(known, known.assign(threshold=10 * known["threshold"], rough=True)))
    by = held[held[2] == 0].groupby(0)[3]
    assert by.size()[MASKED_ROUGH] == by.size()[MASKED.format(1)] == 5 * 59
    assert by.mean()[MASKED_ROUGH] < 0.2 < 0.8 < by.mean()[MASKED.format(1)]
    nothing = masked_coverage(known, known.assign(threshold=np.nan, rough=True))
    assert MASKED_ROUGH not in {what for what, *_ in nothing}


def test_languages_are_left_out_together():
    thresholds = world().thresholds.assign(language=lambda of: of["test_set"].astype(str).str[-1])
    folds = folds_of(thresholds)
    for _, of_language in thresholds.assign(fold=folds).groupby("language"):
        assert of_language["fold"].nunique() == 1


def test_test_sets_of_a_task_without_language_are_left_out_together():
    thresholds = world().thresholds.assign(language="", task=lambda of: of["test_set"].astype(str).str[-1])
    assert (thresholds.assign(fold=folds_of(thresholds)).groupby("task")["fold"].nunique() == 1).all()


def test_a_metric_with_few_test_sets_is_wider():
    """Its spread is that of the others, known by 4 degrees of freedom: Student's t is 2.13 instead of 1.67."""
    model = model_of(world())
    assert model.test_sets("AER") < FEW

    def width(metric):
        low, high = model.predict(metric, DIFFERENT).log_errors(np.array(TAILS))
        return high - low

    assert width("AER") > 1.25 * width("LAS")


def test_classes_of_a_test_set_are_not_more_test_sets():
    """A second class doubles the thresholds, but neither the freedom nor what counts as few test sets.

    CLAS has 3 test sets with two classes, 6 thresholds that are e times as high or low: its spread is the others'.
    """
    one = world().thresholds
    wild = one[(one["metric"] == "LAS") & one["test_set"].isin(["set0", "set1", "set2"])].assign(metric="CLAS")
    wild["threshold"] *= np.exp([1, 0, -1])
    twice = pd.concat([one, wild, pd.concat([one, wild]).assign(comparison=SAME)], ignore_index=True)
    spreads = fit(twice).spreads.set_index("metric")
    assert spreads["freedom"].to_dict() == {
        "AER": BORROWED,
        "CLAS": BORROWED,
        "LAS": 59 + BORROWED,
        "UAS": 59 + BORROWED,
    }
    assert spreads.loc["CLAS", "spread"] == spreads.loc["AER", "spread"]
    assert spreads.loc["LAS", "spread"] == pytest.approx(SPREAD, rel=0.2)


def test_a_class_that_was_not_seen_is_taken_for_one_alike():
    model = model_of(world())
    assert model.predict("LAS", SAME_MODEL) == model.predict("LAS", SAME) == model.predict("LAS", DIFFERENT)


def test_the_level_moves_the_threshold_when_it_matters():
    """Thresholds that grow with p (1 - p), slope 1: at 95 instead of 70, log(p (1 - p)) falls by 1.49."""
    rng = np.random.default_rng(2)
    thresholds = world().thresholds.query("metric == 'LAS'").reset_index(drop=True)
    level = rng.uniform(60, 97, len(thresholds))
    p = level / 100
    errors = p * (1 - p) * np.exp(rng.normal(3, 0.05, len(thresholds)))
    model = fit(thresholds.assign(level=level, threshold=1.96 * errors / thresholds["n"] ** 0.5), by_score=True)
    centres = [model.predict("LAS", DIFFERENT, score).centre for score in (95, 70)]
    assert centres[0] - centres[1] == pytest.approx(-1.49, abs=0.1)
