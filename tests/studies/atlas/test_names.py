"""Names of metrics as people write them, on the atlas that comes with the package."""

import pytest

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.studies.atlas.ask import Question, ask
from nlpsig_core.studies.atlas.names import ALIASES, UP_TO_1, largest_gain, lower_is_better, metric_in, on_percent_scale
from nlpsig_core.studies.atlas.store import shipped


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("nDCG", "nDCG@10"), ("ndcg_cut_10", "nDCG@10"), ("MAP", "AP-rankings"), ("AP", "AP-rankings"), ("MRR", "RR"),
        ("exact_match", "accuracy"), ("acc", "accuracy"), ("pass@1", "accuracy"), ("resolved", "accuracy"),
        ("solved", "accuracy"), ("f1_macro", "macro-F1"), ("macro_f1", "macro-F1"), ("bleu", "BLEU"), ("P_10", "P@10"),
        ("exact-match", "exact-match-sets"), ("wer", "WER"), ("recall_100", "R@100"),
    ],
)  # fmt: skip
def test_a_usual_name_is_answered_with_the_metric_it_means_and_the_answer_says_so(name, metric):
    answer = ask(shipped(), Question(metric=name, n=500))
    assert answer.metric == metric
    assert answer.notes[0] == f"{name!r} is answered as {metric}"
    assert f" in {metric} above " in answer.sentence


def test_names_lead_to_metrics_of_the_atlas():
    assert set(ALIASES.values()) | UP_TO_1 <= set(shipped().metrics)
    assert not any("answered as" in note for note in ask(shipped(), Question(metric="LAS", n=500)).notes)
    with pytest.raises(ChoiceError, match="No metric in the atlas called 'nDCG@20'"):
        metric_in(shipped(), "nDCG@20")


@pytest.mark.parametrize(
    ("metric", "gain", "message"),
    [
        ("nDCG", 2, "Scores by nDCG@10 are at most 1, so no gain is 2; for 2 points of 100 give 0.02"),
        ("MCC", 101, "Scores by MCC are at most 1, so no gain is 101$"),
        ("accuracy", 200, "Scores by accuracy are at most 100, so no gain is 200$"),
    ],
)
def test_no_gain_is_larger_than_the_scores(metric, gain, message):
    with pytest.raises(ChoiceError, match=message):
        ask(shipped(), Question(metric=metric, n=500, gain=gain))
    assert ask(shipped(), Question(metric=metric, n=500, gain=1)).gain == 1


def test_scales_follow_the_registry_also_where_the_atlas_has_a_name_of_its_own():
    percent = ("accuracy", "accuracy of tags", "BLEU", "WER", "F1-entities")
    assert [on_percent_scale(name) for name in (*percent, "AP-rankings", "accuracy of logs")] == [True] * 5 + [
        False
    ] * 2
    assert [lower_is_better(name) for name in ("WER", "AER", "LAS", "cost")] == [True, True, False, False]
    assert largest_gain("R2") == largest_gain("WER") == float("inf")
