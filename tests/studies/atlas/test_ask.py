"""Answers of the atlas, in an invented world."""

import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.base.words import how_often, two_digits
from nlpsig_core.significance.comparison.detectable import Aim
from nlpsig_core.studies.atlas import record, words
from nlpsig_core.studies.atlas.ask import ABOUT_GAIN, ABOUT_N, FEWEST_PAIRS, Asked, Question, ask
from nlpsig_core.studies.atlas.names import metric_in
from nlpsig_core.studies.atlas.record import Record
from nlpsig_core.studies.atlas.store import Atlas
from nlpsig_core.studies.atlas.views import curve, nearby, strip
from tests.studies.atlas.worlds import CENTRES, world

QUESTION = Question(metric="LAS", n=1000, gain=1.2)


def test_the_answer_is_in_order():
    """The threshold over 1.96 is exp(3 + 0.16) / sqrt(1000) = 0.75, that is 1.46 points, known to 0.04 of its log."""
    answer = ask(world(), QUESTION)
    assert 0 <= answer.low <= answer.share <= answer.high <= 1
    assert answer.threshold_low < answer.threshold < answer.threshold_high
    assert answer.threshold == pytest.approx(1.46, rel=0.2)


def test_observed_pairs_are_counted():
    answer, rows = ask(world(), QUESTION), world().rows
    rows = rows[(rows["metric"] == "LAS") & rows["n"].between(1000 / ABOUT_N, 1000 * ABOUT_N)]
    rows = rows[(rows["gain"] / 1.2 - 1).abs() <= ABOUT_GAIN]
    assert answer.pairs == len(rows) >= FEWEST_PAIRS
    assert answer.test_sets == rows["test_set"].nunique()
    assert answer.share == pytest.approx((rows["p_small_two_sided"] < 0.05).mean())
    of_threshold, of_gain = answer.sentence.split(". ")
    assert of_threshold == (
        f"Gains in LAS above {answer.threshold:.2f} points are usually significant: on your test set the "
        f"threshold may be {answer.threshold_low:.2f} to {answer.threshold_high:.2f} (1,000 sentences, different "
        "groups; 90% interval)"
    )
    assert of_gain == (
        f"{how_often(answer.share).capitalize()}: {round(answer.share * len(rows))} of {len(rows)} gains near 1.2 "
        f"points were significant ({answer.test_sets} test sets); on your test set it could be any share"
    )
    assert (answer.low, answer.high) == pytest.approx((0, 1), abs=0.01)
    surer = Asked(world(), QUESTION).worth._replace(low=0.1, high=0.97)
    assert words.gain_sentence("gains", surer).endswith("; on your test set it could be 10% to 97%")


@pytest.mark.parametrize(
    ("share", "low", "high", "often", "on_yours"),
    [
        (0.0, 0.0, 0.08, "Rarely", "it could be 0% to 8%"),
        (0.0, 0.0, 0.009, "Never", "nearly none"),
        (1.0, 0.8, 1.0, "Usually", "it could be 80% to 100%"),
        (1.0, 0.9996, 1.0, "Always", "nearly all"),
        (0.5, 0.5, 0.5, "Sometimes", "it could be 50%"),
        (0.5, 0.0, 1.0, "Sometimes", "it could be any share"),
    ],
)
def test_never_and_always_are_said_only_if_the_interval_agrees(share, low, high, often, on_yours):
    worth = Asked(world(), QUESTION).worth._replace(share=share, low=low, high=high)
    sentence = words.gain_sentence("gains", worth)
    assert sentence.startswith(f"{often}: ")
    assert sentence.endswith(f"; on your test set {on_yours}")


def test_with_a_score_pairs_of_other_scores_do_not_count():
    """About 62: odds of 1.63 times or over exp(0.5), scores from 49.7 to 72.9."""
    question = replace(QUESTION, score=62)
    asked = Asked(world(), question)
    answer, every = ask(world(), question), ask(world(), QUESTION)
    assert asked.worth.observed["level"].max() < 72.9
    assert FEWEST_PAIRS <= answer.pairs < every.pairs
    assert answer.pairs == (Asked(world(), QUESTION).worth.observed["level"] < 72.9).sum()
    assert " gains near 1.2 points with scores near 62 were significant " in answer.sentence
    assert ask(world(), replace(QUESTION, score=98)).pairs == 0


def test_a_score_without_effect_is_not_used_and_the_note_says_so():
    """Crossing brackets are counted by sentence, not from 0 to 100."""
    atlas, question = renamed({"LAS": "crossing brackets"}), replace(QUESTION, metric="crossing brackets")
    answer = ask(atlas, replace(question, score=62))
    assert "scores near" not in answer.sentence
    assert answer.pairs == ask(atlas, question).pairs
    assert any("cannot tell how thresholds of crossing brackets depend on the score" in note for note in answer.notes)
    assert not any("score" in note for note in ask(world(), replace(QUESTION, score=62)).notes)


def renamed(names):
    """The world with other names for its metrics."""
    tables = {name: table.copy() for name, table in world().tables.items()}
    for table, column in (("parts", "metric"), ("parts", "name"), ("spreads", "metric"), ("effects", "name")):
        tables[table][column] = tables[table][column].replace(names)
    return Atlas(tables, "")


def test_the_interval_holds_what_was_observed():
    """Also where the model expects nothing significant: here thresholds twenty times as high."""
    tables = world().tables
    effects = tables["effects"].assign(estimate=lambda of: of["estimate"] + 3 * (of["kind"] == "metric"))
    answer = ask(Atlas({**tables, "effects": effects}, ""), QUESTION)
    assert answer.pairs
    assert answer.low < 0.1 < answer.share == answer.high
    assert any("the share observed disagrees with the model, which expects 0% to" in note for note in answer.notes)
    assert not ask(world(), QUESTION).notes


def test_without_observed_pairs_the_model_answers_and_says_so():
    answer = ask(world(), replace(QUESTION, n=200_000, gain=0.1))
    assert (answer.pairs, answer.test_sets) == (0, 0)
    assert 0 < answer.share < 1
    assert (
        f"by the model: about {answer.share:.0%} of gains near 0.1 points (few test sets have such pairs)"
        in answer.sentence
    )
    assert any("thresholds are assumed to fall with the square root" in note for note in answer.notes)


def test_the_interval_is_calibrated_as_the_share_is():
    """0.1 was seen where 0.5 was predicted: what is predicted below 0.5 becomes a fifth of it."""
    question = replace(QUESTION, n=200_000, gain=0.09)
    as_predicted, calibrated = (
        ask(Atlas({**world().tables, "calibration": pd.DataFrame({"predicted": [0.5], "seen": [seen]})}, ""), question)
        for seen in (0.5, 0.1)
    )
    expected = np.array([as_predicted.low, as_predicted.share, as_predicted.high])
    assert 0 < expected[1] < 0.5 < expected[2]
    expected = np.interp(expected, [0, 0.5, 1], [0, 0.1, 1])
    assert [calibrated.low, calibrated.share, calibrated.high] == pytest.approx(expected)


def test_more_units_ask_for_less_and_larger_gains_are_significant_more_often():
    thresholds = [ask(world(), replace(QUESTION, n=n)).threshold for n in (250, 1000, 4000)]
    assert thresholds[0] / thresholds[1] == pytest.approx(2)
    assert thresholds[1] / thresholds[2] == pytest.approx(2)
    of_model = [ask(world(), replace(QUESTION, n=100_000, gain=gain)) for gain in (0.02, 0.1, 0.14, 0.2, 1.0)]
    for name in ("share", "low", "high"):
        values = [getattr(answer, name) for answer in of_model]
        assert values == sorted(values)
    assert of_model[0].share < 0.1 < 0.9 < of_model[-1].share


def test_a_stricter_notion_asks_for_more():
    usual, strict, one_sided = (
        ask(world(), replace(QUESTION, **more)) for more in ({}, {"level": 0.01}, {"sides": "one"})
    )
    assert strict.threshold / usual.threshold == pytest.approx(2.5758 / 1.96, rel=1e-4)
    assert one_sided.threshold / usual.threshold == pytest.approx(1.6449 / 1.96, rel=1e-4)
    assert strict.share < usual.share < one_sided.share


def test_units_find_the_detectable_gain():
    """With as many units as a gain needs, that gain is the detectable one."""
    answer = ask(world(), replace(QUESTION, gain=0.5))
    again = ask(world(), replace(QUESTION, n=answer.units, gain=0.5))
    assert again.detectable_gain == pytest.approx(0.5, rel=1e-3)
    aim = Aim(gain=1.0)
    error = np.exp(CENTRES["LAS"]) / 1000**0.5
    assert answer.detectable_gain == pytest.approx((aim.z + aim.z_power) * error, rel=0.2)


def test_few_test_sets_are_owned_up_to():
    """With the share of intervals that held where other metrics were masked to as few."""
    answer, coverage = ask(world(), Question(metric="AER", n=500)), world().tables["coverage"]
    masked = coverage[(coverage["of"] == "threshold, masked to 1") & ~coverage["by_score"]]
    held = masked["held"].sum() / masked["predictions"].sum()
    assert any(f"where others were predicted so, {held:.0%} of intervals held" in note for note in answer.notes)
    assert np.isnan([answer.share, answer.low, answer.high, answer.gain]).all()
    assert answer.units == 0
    assert any("only 1 test set with AER" in note for note in answer.notes)
    assert answer.sentence.startswith("Reductions in AER above ")
    assert "gains near" not in answer.sentence


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"metric": "LASS"}, r"No metric in the atlas called 'LASS'; did you mean LAS\? Available: AER, LAS, UAS"),
        ({"comparison": "friends"}, "No comparison called 'friends'. Available: different groups"),
        ({"n": 1}, "1 unit cannot be resampled"),
        ({"n": 10**400}, "No test set has that many units; give at most 1,000,000,000"),
        ({"gain": 1e-200}, "The gain 1e-200 is too small to be measured; give at least 1e-06"),
        ({"gain": -1.0}, "The gain -1 is not above 0"),
        ({"score": 101.0}, "not between 0 and 100"),
        ({"level": 0.7}, "level 0.7"),
        ({"sides": "three"}, "No side called 'three'"),
    ],
)
def test_what_cannot_be_asked_is_refused(wrong, message):
    with pytest.raises(ChoiceError, match=message):
        ask(world(), replace(QUESTION, **wrong))


def test_full_names_of_metrics_are_known():
    """Also those of editions that the atlas pools under the label."""
    assert metric_in(world(), "AER") == "AER"
    assert metric_in(world(), "LAS-2007") == "LAS"
    entities = renamed({"AER": "F1-entities"})
    assert metric_in(entities, "F1") == metric_in(entities, "F1-entities") == "F1-entities"


def test_accuracy_is_that_of_items_rather_than_of_tags():
    both = renamed({"AER": "accuracy", "UAS": "accuracy of tags"})
    asked = ("accuracy", "accuracy-labels", "solved", "accuracy of tags")
    assert [metric_in(both, name) for name in asked] == ["accuracy"] * 3 + ["accuracy of tags"]
    assert metric_in(renamed({"AER": "accuracy of tags"}), "accuracy") == "accuracy of tags"


def test_an_ambiguous_label_lists_full_names():
    several = renamed({"AER": "F1-entities", "UAS": "F1-links"})
    with pytest.raises(ChoiceError, match="are called 'F1'; choose F1-entities or F1-links"):
        metric_in(several, "F1")


@pytest.mark.parametrize(
    ("gain", "text"),
    [(12.345, "12.35"), (0.1, "0.10"), (0.0951, "0.095"), (0.00123, "0.0012"), (0, "0.00"), (-0.004, "-0.0040")],
)
def test_small_gains_keep_two_digits(gain, text):
    assert two_digits(gain) == text


def test_the_curve_has_the_threshold_at_the_question():
    answer, table = ask(world(), QUESTION), curve(Asked(world(), QUESTION), [250, 1000])
    assert table.loc[1].tolist() == [1000, answer.threshold, answer.threshold_low, answer.threshold_high]
    assert (table["low"] < table["threshold"]).all()


def test_the_strip_has_every_test_set_as_it_is_and_at_the_question():
    """On 4 times the units the same test set asks for half the gain."""
    table = strip(Asked(world(), QUESTION))
    assert len(table) == 60
    np.testing.assert_allclose(table["at_n"], table["threshold"] * (table["n"] / 1000) ** 0.5)
    assert table["at_n"].is_monotonic_increasing


def test_the_cloud_has_every_pair_of_the_metric_and_class():
    rows = nearby(Asked(world(), QUESTION))
    assert set(rows["metric"].astype(str)) == {"LAS"}
    assert len(rows) == 60 * 28
    assert rows.loc[rows["about_n"], "n"].between(1000 / ABOUT_N, 1000 * ABOUT_N).all()


def test_the_check_counts_what_was_left_out():
    """120 thresholds, of test sets that LAS and UAS share: of 60 intervals, 54 +- 2.3 hold.

    Fewer than 46 has a chance below 0.1%. The only test set of AER cannot be predicted without itself.
    """
    coverage = world().tables["coverage"].set_index(["of", "by_score", "metric"])
    for metric in ("LAS", "UAS"):
        row = coverage.loc["threshold", False, metric]
        assert row["predictions"] == 60
        assert 46 <= row["held"] <= 60
    assert "AER" not in coverage.index.get_level_values("metric")


def test_the_record_says_how_many_intervals_held():
    held = world().tables["coverage"].set_index(["of", "by_score", "metric"]).loc["threshold", False, "LAS"]["held"]
    assert record.words(world(), "LAS", by_score=False).startswith(
        f"Of 60 thresholds of LAS on test sets that were left out with all of their language, {held / 60:.0%} were "
    )
    alone = "No threshold of AER can be predicted without its own"
    assert record.words(world(), "AER", by_score=False).startswith(alone)


def test_intervals_that_did_not_hold_are_refused():
    """Of 90% intervals, 3 of 6 or fewer hold with a chance of 1.6%, 4 of 6 with 11%, 3 of 5 with 8%."""
    assert [Record(*of).trusted for of in ((3, 6), (4, 6), (3, 5), (0, 0), (48, 60))] == [
        False,
        True,
        True,
        True,
        False,
    ]
    coverage = pd.DataFrame(
        [
            {"of": "threshold", "metric": "LAS", "by_score": by, "predictions": 6, "held": held}
            for by, held in ((False, 3), (True, 6))
        ]
    )
    failed = Atlas({**world().tables, "coverage": coverage}, "")
    answer, usual = ask(failed, QUESTION), ask(world(), QUESTION)
    assert (answer.threshold, answer.share) == (usual.threshold, usual.share)
    assert np.isnan([answer.threshold_low, answer.threshold_high, answer.low, answer.high]).all()
    assert "how far your test set may be from it is not known" in answer.sentence
    assert "interval" not in answer.sentence
    assert answer.notes[0] == (
        "no interval is given: on test sets left out, 3 of 6 of LAS held (with about what both systems score, 6 of 6)"
    )
    assert ask(failed, replace(QUESTION, score=62)).threshold_low > 0
    assert np.isnan(curve(Asked(failed, QUESTION), [250])["low"]).all()


def test_asking_needs_no_fit(tmp_path):
    """In a process of its own: statsmodels is for building."""
    import subprocess

    from nlpsig_core.studies.atlas.store import as_bytes

    path = tmp_path / "atlas.npz"
    path.write_bytes(as_bytes(world().tables, {"recipe": "invented"}))
    code = (
        "import sys; from nlpsig_core.output.commands.cli import main; "
        f"code = main(['atlas', 'ask', '--metric', 'LAS', '--n', '1000', '--gain', '1.2', '--atlas', {str(path)!r}]); "
        "sys.exit(code or 'statsmodels' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    head, line = (text.split("\t") for text in run.stdout.splitlines())
    answer = dict(zip(head, line, strict=True))
    assert float(answer["low"]) <= float(answer["share"]) <= float(answer["high"])
    assert "note: Gains in LAS above " in run.stderr
