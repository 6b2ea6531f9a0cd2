"""Measures in resamples of sentences: against edges that are copied, intervals, and paired comparisons."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.laboratory.confidence.evaluation import MEASURES, evaluate, precision_recall
from nlpsig_core.laboratory.confidence.resampled import PAIR_COLUMNS, Edges, curve, resample
from nlpsig_core.laboratory.confidence.table import COLUMNS, measure_table
from nlpsig_core.significance.resampling.kernels import draw
from nlpsig_core.significance.resampling.recipe import Resampling


def edges(
    seed: int, sentences: int = 40, label: str = "A", method: str = "committee", probability: bool = True
) -> Edges:
    """Edges in sentences of 1 to 12 words; the confidence is 0, 1/8, ..., 1, and a good one."""
    rng = np.random.default_rng(seed)
    unit = np.repeat(np.arange(sentences), rng.integers(1, 13, sentences))
    confidence = rng.integers(0, 9, len(unit)) / 8
    wrong = rng.random(len(unit)) < 0.5 - 0.45 * confidence
    return Edges(
        label=label,
        method=method,
        probability=probability,
        confidence=confidence,
        wrong=wrong,
        unit=unit,
        n_units=sentences,
    )


def drawn(recipe: Resampling, n_units: int) -> np.ndarray:
    """How often each unit is drawn, (b, units), by the bootstrap of pairs."""
    counts = np.empty((recipe.n_resamples, n_units), dtype=np.int32)
    draw(recipe.stream(0), counts)
    return counts


def test_a_resample_is_a_test_set_with_copied_sentences():
    """All measures equal those of edges that are copied as often as their sentence is drawn, in 50 resamples."""
    first, second, recipe = edges(1), edges(2, probability=False, label="B"), Resampling(50, 3)
    measured = resample([first, second], recipe)
    for row, counts in enumerate(drawn(recipe, 40)):
        for place, own in enumerate((first, second)):
            times = counts[own.unit]
            naive = evaluate(np.repeat(own.confidence, times), np.repeat(own.wrong, times), own.probability)
            np.testing.assert_allclose(measured.resampled[place, :, row], list(naive.values()), rtol=1e-12)


def test_the_curve_in_resamples_is_that_of_copied_sentences():
    """Its interval has the right ends: with one resample, both are the precision in it."""
    first, recalls = edges(1), np.array([0.1, 0.5, 1.0])
    (counts,) = drawn(Resampling(1, 3), 40)
    times = counts[first.unit]
    naive = precision_recall(np.repeat(first.confidence, times), np.repeat(first.wrong, times), recalls)["precision"]
    drawn_curve = curve(first, Resampling(1, 3), recalls)
    assert drawn_curve["low"].tolist() == pytest.approx(naive.tolist(), rel=1e-12)
    assert drawn_curve["high"].tolist() == pytest.approx(naive.tolist(), rel=1e-12)
    assert drawn_curve["precision"].equals(precision_recall(first.confidence, first.wrong, recalls)["precision"])


def test_resamples_do_not_depend_on_what_else_is_measured_or_on_pieces():
    """The first 40 of 70 resamples are the 40 of a shorter recipe."""
    first, recipe = edges(1), Resampling(70, 5)
    alone = resample([first], recipe).resampled[0]
    assert (resample([edges(4, label="B"), first], recipe).resampled[1] == alone).all()
    assert (resample([first], Resampling(40, 5)).resampled[0] == alone[:, :40]).all()


def test_two_methods_by_the_paired_bootstrap():
    """p is the share of resamples with more than twice the difference, and of those with less than none, by a loop."""
    first, second = edges(1), edges(1, method="random")
    rng = np.random.default_rng(8)
    worse = np.clip(first.confidence + rng.normal(0, 0.4, len(first.confidence)), 0, 1)
    second = Edges(**_fields(second) | {"confidence": worse})
    recipe = Resampling(400, 2)
    table = resample([second, first], recipe).pairs()
    (row,) = table.to_dict("records")
    assert tuple(table) == PAIR_COLUMNS
    assert (row["method_a"], row["method_b"]) == ("committee", "random")
    delta = first.measures["ap"] - second.measures["ap"]
    differences = []
    for counts in drawn(recipe, 40):
        times = counts[first.unit]
        a, b = (evaluate(np.repeat(e.confidence, times), np.repeat(e.wrong, times))["ap"] for e in (first, second))
        differences.append(a - b)
    above, below = np.mean(np.array(differences) > 2 * delta), np.mean(np.array(differences) < 0)
    assert (row["difference"], row["p_value"]) == pytest.approx((delta, above))
    assert row["p_two_sided"] == pytest.approx(above + below)
    assert row["low"] < delta < row["high"]


def _fields(own: Edges) -> dict[str, object]:
    return {name: getattr(own, name) for name in Edges.__dataclass_fields__}


def test_pairs_have_a_method_or_a_system_in_common():
    both = [edges(1, label=label, method=method) for label in "AB" for method in ("committee", "random")]
    table = resample(both, Resampling(10)).pairs("rmse")
    assert len(table) == 4
    assert ((table["system_a"] == table["system_b"]) | (table["method_a"] == table["method_b"])).all()
    assert (table["difference"] == 0).all()
    assert (table["p_value"] == 1).all()
    with pytest.raises(ChoiceError, match=r"No measure called 'f1'\. Available: ap, aurc"):
        resample(both, Resampling(10)).pairs("f1")


def test_what_is_no_probability_has_no_pairs_by_rmse():
    both = [edges(1, label=label, probability=label == "A") for label in "ABC"]
    assert len(resample(both, Resampling(10)).pairs("rmse")) == 0
    assert len(resample(both, Resampling(10)).pairs("ap")) == 3


def test_the_table_has_a_row_for_each():
    first, second = edges(1), edges(2, label="B", probability=False)
    table = measure_table(resample([first, second], Resampling(200)))
    assert list(table)[: len(COLUMNS)] == COLUMNS
    assert table["system"].tolist() == ["A", "B"]
    assert table["words"].tolist() == [len(first.wrong), len(second.wrong)]
    assert table["errors"].tolist() == [first.wrong.sum(), second.wrong.sum()]
    assert ((table["ap_low"] < table["ap"]) & (table["ap"] < table["ap_high"])).all()
    assert table.loc[1, ["rmse", "ece", "brier", "optimism"]].isna().all()
    assert table["calibration"].tolist()[1] == ""
    assert {*MEASURES} <= set(table)


def test_too_many_resamples_are_refused():
    with pytest.raises(ChoiceError, match="1,000,000 resamples; for confidences choose 100,000 at most"):
        resample([edges(1)], Resampling())


def test_edges_without_errors_have_no_interval_of_average_precision():
    first = edges(1)
    right = Edges(**_fields(first) | {"wrong": np.zeros(len(first.wrong), dtype=bool)})
    ends = resample([right], Resampling(20)).intervals()[0]
    assert np.isnan(ends[0]).all()
    assert np.isfinite(ends[list(MEASURES).index("brier")]).all()
