"""The evaluation of confidences: by pencil, against scikit-learn, and against the mean over random orders of ties."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from sklearn.metrics import average_precision_score, brier_score_loss

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.laboratory.confidence import evaluation
from nlpsig_core.laboratory.confidence.evaluation import (
    MEASURES,
    evaluate,
    precision_recall,
    reliability,
)
from nlpsig_core.laboratory.confidence.kernels import reciprocals

# Ten edges, the least sure first: wrong, wrong, right, wrong, and six right ones.
TEN = np.array([0.05, 0.1, 0.2, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
TEN_WRONG = np.array([1, 1, 0, 1, 0, 0, 0, 0, 0, 0], dtype=bool)


def test_average_precision_by_pencil():
    """Wrong edges at ranks 1, 2 and 4: (1/1 + 2/2 + 3/4) / 3 = 11/12."""
    assert evaluation.average_precision(TEN, TEN_WRONG) == pytest.approx(11 / 12)


def test_two_tied_edges_by_pencil():
    """A wrong and a right edge, tied: the wrong one is first or second, (1/1 + 1/2) / 2 = 3/4."""
    assert evaluation.average_precision(np.array([0.5, 0.5]), np.array([True, False])) == 0.75


def test_precision_and_edges_found_by_pencil():
    """10% of 3 wrong edges is one, at rank 1; 90% is all three, the last at rank 4: 3/4. Half of the edges have all."""
    measured = evaluate(TEN, TEN_WRONG)
    assert (measured["p10"], measured["p90"]) == (1, 0.75)
    assert measured["found_10"] == pytest.approx(1 / 3)
    assert evaluation.found_after(TEN, TEN_WRONG, np.array([0.2, 0.5]))["found"].tolist() == pytest.approx([2 / 3, 1])


def test_area_under_the_risk_coverage_curve_by_pencil():
    """Three edges, the surest one wrong: risks 1/1, 1/2, 1/3, mean 11/18."""
    area = evaluate(np.array([0.1, 0.2, 0.9]), np.array([False, False, True]))["aurc"]
    assert area == pytest.approx(11 / 18)


def test_bins_by_pencil():
    """0.96 (right), 1 and 1 (one right) share the bin around 0.975, 2 of 3 right; 0.3 (wrong) is around 0.325.

    RMSE^2 = (3 (0.975 - 2/3)^2 + 1 (0.325 - 0)^2) / 4. ECE = (3 |2.96/3 - 2/3| + |0.3 - 0|) / 4 = (0.96 + 0.3) / 4.
    Brier = (0.04^2 + 0 + 1 + 0.3^2) / 4. Optimism = (3.26 - 2) / 4.
    """
    confidence, wrong = np.array([0.3, 0.96, 1.0, 1.0]), np.array([True, False, False, True])
    measured = evaluate(confidence, wrong)
    assert measured["rmse"] ** 2 == pytest.approx((3 * (0.975 - 2 / 3) ** 2 + 0.325**2) / 4)
    assert measured["ece"] == pytest.approx(1.26 / 4)
    assert measured["brier"] == pytest.approx((0.0016 + 1 + 0.09) / 4)
    assert measured["optimism"] == pytest.approx(1.26 / 4)
    bins = reliability(confidence, wrong)
    assert bins["edges"].tolist() == [0] * 6 + [1] + [0] * 12 + [3]
    assert bins["centre"].iloc[[6, 19]].tolist() == pytest.approx([0.325, 0.975])
    assert bins["right"].iloc[[6, 19]].tolist() == pytest.approx([0, 2 / 3])
    assert np.isnan(bins["right"].iloc[0])


@pytest.mark.parametrize("number", range(21))
def test_the_border_of_two_bins_belongs_to_the_upper_one(number):
    """Also where the number of twentieths is not exact in binary, such as 0.15 or 0.35."""
    bins = reliability(np.array([number / 20]), np.array([False]))
    assert int(bins["edges"].argmax()) == min(number, 19)


def test_a_confidence_that_is_no_probability_has_no_measures_of_probabilities():
    measured = evaluate(1000 * TEN, TEN_WRONG, probability=False)
    assert all(np.isnan(measured[name]) == (name in ("rmse", "ece", "brier", "optimism")) for name in MEASURES)
    assert measured["ap"] == evaluate(TEN, TEN_WRONG)["ap"]


def test_without_errors_nothing_can_be_found():
    measured = evaluate(TEN, np.zeros(10, dtype=bool))
    assert np.isnan([measured[name] for name in ("ap", "p10", "p90", "found_5")]).all()
    assert measured["aurc"] == 0


@pytest.mark.parametrize("bad", [[0.5, np.nan], [0.5, 1.2], [-0.1, 0.5]])
def test_probabilities_are_checked(bad):
    with pytest.raises(ChoiceError, match="those that are probabilities are between 0 and 1"):
        evaluate(np.array(bad), np.array([True, False]))


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [(0.01, 0.02, "too optimistic"), (-0.02, -0.01, "too pessimistic"), (-0.1, 0.1, "neither"), (np.nan, np.nan, "")],
)
def test_the_interval_of_optimism_decides(low, high, words):
    assert evaluation.verdict(low, high) == words


def test_average_precision_equals_that_of_scikit_learn():
    """Without ties; scikit-learn ranks high scores first, so it gets one minus the confidence."""
    rng = np.random.default_rng(1)
    for size in (5, 100, 5_000):
        confidence, wrong = rng.permutation(size) / size, rng.random(size) < 0.2
        wrong[0] = True
        ours = evaluation.average_precision(confidence, wrong)
        assert ours == pytest.approx(average_precision_score(wrong, 1 - confidence), abs=1e-12)


def test_the_brier_score_equals_that_of_scikit_learn():
    rng = np.random.default_rng(2)
    confidence, wrong = rng.integers(0, 24, 3_000) / 23, rng.random(3_000) < 0.3
    assert evaluate(confidence, wrong)["brier"] == pytest.approx(brier_score_loss(~wrong, confidence), abs=1e-12)


small = st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=7)


@given(small, st.sampled_from([0.1, 0.5, 0.9, 1.0]), st.integers(1, 7))
def test_ties_equal_the_mean_over_all_orders(edges, share, inspected):
    """Every order of at most 7 edges that keeps the confidences ascending, all equally likely."""
    confidence = np.array([c for c, _ in edges]) / 3
    wrong = np.array([w for _, w in edges])
    inspected = min(inspected, len(edges))
    orders = [o for o in map(list, permutations(range(len(edges)))) if (np.diff(confidence[o]) >= 0).all()]
    naive = np.mean([_of_order(wrong[order], share, inspected) for order in orders], axis=0)
    share_found = evaluation.found_after(confidence, wrong, np.array([inspected / len(edges)]))["found"][0]
    measured = evaluate(confidence, wrong)
    precision = precision_recall(confidence, wrong, np.array([share]))["precision"][0]
    ours = [measured["ap"], precision, share_found, measured["aurc"]]
    np.testing.assert_allclose(ours, naive, atol=1e-9)


def _of_order(wrong: np.ndarray, share: float, inspected: int) -> list[float]:
    """Average precision, precision after a share of the errors, share found, risk-coverage area of one order."""
    risks = np.cumsum(wrong[::-1]) / np.arange(1, len(wrong) + 1)
    if not wrong.any():
        return [np.nan, np.nan, np.nan, risks.mean()]
    ranks = np.flatnonzero(wrong) + 1
    precision = np.arange(1, len(ranks) + 1) / ranks
    wanted = next(m for m in range(1, len(ranks) + 1) if m >= share * len(ranks) - 1e-9)
    return [precision.mean(), precision[wanted - 1], wrong[:inspected].sum() / wrong.sum(), risks.mean()]


def test_large_groups_of_ties_equal_the_mean_over_random_orders():
    """As in a committee: 3,000 edges, most of them in the surest group.

    The mean over 2,000 random orders may be five of its standard errors off; by chance it is once in a million.
    """
    rng = np.random.default_rng(3)
    confidence = np.minimum(rng.integers(0, 60, 3_000), 20) / 20
    wrong = rng.random(3_000) < 0.6 - 0.55 * confidence
    measured = evaluate(confidence, wrong)
    draws = []
    for _ in range(2_000):
        order = np.lexsort((rng.random(len(wrong)), confidence))
        draws.append([*_of_order(wrong[order], 0.9, 300)[:2], _of_order(wrong[order], 0.1, 300)[1]])
    mean, error = np.mean(draws, axis=0), np.std(draws, axis=0) / np.sqrt(len(draws))
    assert (np.abs(mean - [measured["ap"], measured["p90"], measured["p10"]]) < 5 * error + 1e-12).all()


def test_the_calibration_error_equals_a_plain_loop():
    rng = np.random.default_rng(5)
    confidence, wrong = rng.random(2_000), rng.random(2_000) < 0.3
    error = square = 0.0
    for number in range(20):
        inside = [i for i in range(2_000) if number / 20 <= confidence[i] < (number + 1) / 20]
        right = np.mean(~wrong[inside])
        error += len(inside) / 2_000 * abs(confidence[inside].mean() - right)
        square += len(inside) / 2_000 * ((number + 0.5) / 20 - right) ** 2
    measured = evaluate(confidence, wrong)
    assert (measured["ece"], measured["rmse"]) == pytest.approx((error, square**0.5), abs=1e-12)


def test_calibration_errors_are_those_of_the_bins_of_scikit_learn():
    """Shapes: anything from 0 to 1; most near 1, as of a parser; and a few votes, of which most bins have none.

    scikit-learn leaves out empty bins, so sizes are counted beside it. No confidence is on a border, where it differs.
    """
    rng = np.random.default_rng(6)
    for confidence in (rng.random(4_000), rng.beta(8, 1, 4_000), rng.integers(1, 8, 4_000) / 8.5):
        wrong = rng.random(4_000) < 0.9 - 0.8 * confidence
        right, mean = calibration_curve(~wrong, confidence, n_bins=20)
        sizes, borders = np.histogram(confidence, np.linspace(0, 1, 21))
        sizes, centres = sizes[sizes > 0], (borders[:-1] + 0.025)[sizes > 0]
        measured, bins = evaluate(confidence, wrong), reliability(confidence, wrong).query("edges > 0")
        assert bins["edges"].tolist() == sizes.tolist()
        np.testing.assert_allclose(bins[["right", "confidence"]].T, [right, mean], atol=1e-12)
        assert measured["ece"] == pytest.approx(np.average(abs(mean - right), weights=sizes), abs=1e-12)
        assert measured["rmse"] == pytest.approx(np.average((centres - right) ** 2, weights=sizes) ** 0.5, abs=1e-12)
        assert measured["optimism"] == pytest.approx(np.average(mean - right, weights=sizes), abs=1e-12)


def test_confidences_on_borders_are_binned_as_doubts_in_scikit_learn():
    """Its bins own their upper ends and ours the lower ones, so that 1 - confidence is in the mirrored bin there."""
    rng = np.random.default_rng(7)
    fortieths = rng.integers(0, 41, 3_000)
    wrong = rng.random(3_000) < 0.3
    bins = reliability(fortieths / 40, wrong)[::-1].query("edges > 0")
    share_wrong, doubt = calibration_curve(wrong, (40 - fortieths) / 40, n_bins=20)
    np.testing.assert_allclose(bins[["right", "confidence"]].T, [1 - share_wrong, 1 - doubt], atol=1e-12)


small_bins = st.lists(st.tuples(st.integers(0, 60), st.booleans()), min_size=1, max_size=30)


@given(small_bins)
def test_calibration_errors_are_their_definition_in_fractions(edges):
    """Of confidences in sixtieths, every third of them on a border: bin of c is floor(20 c), the last for 1."""
    sums: dict[int, list[Fraction]] = {}
    for sixtieths, wrong in edges:
        sums.setdefault(min(sixtieths // 3, 19), []).append(Fraction(sixtieths, 60) - (not wrong))
    error = sum(abs(sum(inside)) for inside in sums.values()) / Fraction(len(edges))
    confidence, wrong = np.array([c for c, _ in edges]) / 60, np.array([w for _, w in edges])
    measured = evaluate(confidence, wrong)
    assert measured["ece"] == pytest.approx(float(error), abs=1e-12)
    assert measured["optimism"] == pytest.approx(float(sum(map(sum, sums.values())) / len(edges)), abs=1e-12)


@pytest.mark.parametrize(("start", "n"), [(0, 5), (0, 100), (31, 40), (32, 33), (100, 50_000), (10**6, 10**5)])
def test_stretches_of_the_harmonic_series(start, n):
    assert reciprocals(start, n) == pytest.approx((1 / np.arange(start + 1, start + n + 1)).sum(), rel=1e-12)
