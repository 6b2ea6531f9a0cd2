"""Scores of the weighted sample: by pencil, and against scipy and definitions on the sample written out.

The definitions of areas are held against scikit-learn, which takes milliseconds for each sample.
"""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from nlpsig_core.data.metrics.items import ranks
from tests.weighted import AREAS, NAMES, area_by_pairs, area_by_steps, written_out

# The four units of the tests by pencil: gold, and one prediction that swaps the middle ones.
SWAPPED = np.array([[[1, 1], [2, 3], [3, 2], [4, 4]]], dtype=float)
# Two positive units, ranked first and third of four.
BINARY = np.array([[[1, 0.9], [0, 0.5], [1, 0.4], [0, 0.1]]])


def samples(rng, rows, n):
    return np.stack([np.bincount(rng.integers(0, n, n), minlength=n) for _ in range(rows)])


def test_by_pencil():
    """Ranks differ by 0, 1, 1, 0: rho = 1 - 6 * 2 / (4 * 15) = 0.8. Of 6 pairs, 5 agree and 1 does not: tau = 4/6.

    Of 2 * 2 pairs of a positive and a negative unit, 3 are in order: 75%. Precision is 1/1 and 2/3 where the two
    positive units are found: (1 + 2/3) / 2 on average.
    """
    once = np.ones((1, 4))
    assert ranks.spearman(SWAPPED)(once) == pytest.approx(0.8)
    assert ranks.kendall(SWAPPED)(once) == pytest.approx(4 / 6)
    assert ranks.roc_auc(BINARY)(once) == 75
    assert ranks.average_precision(BINARY)(once) == pytest.approx(100 * 5 / 6)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("n", "decimals"), [(5, 0), (12, 0), (60, 1), (300, 8)])
def test_equals_the_score_of_the_sample_written_out(name, n, decimals):
    """With ties in gold and predictions, a constant output, and samples of few different units, or of one class."""
    rng = np.random.default_rng(n)
    gold = rng.normal(size=n).round(decimals)
    predicted = np.vstack([(gold + rng.normal(size=(3, n))).round(decimals), np.zeros(n), gold])
    if name in AREAS:
        gold = (gold > 0.8).astype(float)
    weights = np.vstack([np.ones((1, n)), samples(rng, 80, n)]).astype(np.float32)
    values = np.stack([np.broadcast_to(gold, predicted.shape), predicted], axis=-1)
    before = values.copy()
    scores = getattr(ranks, name)(values)(weights)
    assert scores.shape == (len(predicted), len(weights))
    for row, drawn in enumerate(weights.astype(int)):
        units = np.repeat(np.arange(n), drawn)
        expected = [written_out(name, gold[units], output[units]) for output in predicted]
        np.testing.assert_allclose(scores[:, row], expected, rtol=0, atol=1e-10)
    assert (values == before).all()


@pytest.mark.parametrize(
    ("area", "by_scikit_learn"), [(area_by_pairs, roc_auc_score), (area_by_steps, average_precision_score)]
)
def test_areas_by_definition_are_those_of_scikit_learn(area, by_scikit_learn):
    """With ties, samples of few different units, and all predictions equal."""
    rng = np.random.default_rng(11)
    for n, decimals in ((4, 0), (12, 0), (60, 1), (300, 8), (20, -1)):
        for _ in range(8):
            gold, predicted = rng.permutation(np.arange(n) % 3 == 0), rng.normal(size=n).round(decimals)
            assert area(gold, predicted) == pytest.approx(by_scikit_learn(gold, predicted), abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_a_score_does_not_depend_on_the_rows_computed_with_it(name, monkeypatch):
    rng = np.random.default_rng(0)
    values = np.stack([rng.integers(0, 2, (3, 40)), rng.normal(size=(3, 40)).round(1)], axis=-1)
    values[:, :, 0] = values[0, :, 0]
    weights = samples(rng, 100, 40)
    together = getattr(ranks, name)(values)(weights)
    monkeypatch.setattr(ranks, "MOST_LANES", 7)
    assert (getattr(ranks, name)(values)(weights) == together).all()
    assert (getattr(ranks, name)(values[1:2])(weights) == together[1:2]).all()


@pytest.mark.parametrize("name", NAMES)
def test_without_outputs_there_are_no_scores(name):
    assert getattr(ranks, name)(np.empty((0, 5, 2)))(np.ones((3, 5))).shape == (0, 3)


def test_gradients_by_pencil():
    """Of 2 * 2 pairs, the second positive unit loses one to the first negative: 75%.

    The first positive unit wins 2 of 2 pairs, twice 2 is 4: 50 (4 - 6 / 2) / 4 = 12.5; the second wins 1: -12.5.
    """
    assert ranks.roc_auc(BINARY).gradient().tolist() == [[12.5, -12.5, -12.5, 12.5]]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("n", "decimals"), [(1, 0), (6, 0), (30, 1), (50, 8)])
def test_a_gradient_is_what_a_little_more_of_a_unit_does(name, n, decimals):
    rng = np.random.default_rng(n)
    gold = rng.normal(size=n).round(decimals)
    predicted = np.vstack([(gold + rng.normal(size=(3, n))).round(decimals), np.zeros(n), gold])
    gold = (gold > 0.5).astype(float) if name in AREAS else gold
    score = getattr(ranks, name)(np.stack([np.broadcast_to(gold, predicted.shape), predicted], axis=-1))
    step = 1e-4 * np.eye(n)
    slopes = (score(1 + step) - score(1 - step)) / 2e-4
    np.testing.assert_allclose(score.gradient(), slopes, rtol=0, atol=1e-5 * max(1, np.abs(slopes).max()))
