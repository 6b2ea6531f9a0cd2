"""Measures of metrics on trial: by pencil, and against plain loops on numbers with ties, gaps and constant rows."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import kendalltau, norm, pearsonr, spearmanr

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.agreement.segments import best_tie
from nlpsig_core.data.metrics.people import MEASURES, OVER_SYSTEMS, count
from nlpsig_core.data.readers.people.segment_scores import SegmentScores
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.resampling.bootstrap import all_pairs
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats

Cells = list[tuple[float, float]]
NAN = np.nan
# Of three systems (columns) on three segments; the last metric score is missing.
PEOPLE = np.array([[3.0, 2, 1], [1, 1, 0], [5, 0, 4]])
METRIC = np.array([[0.9, 0.5, 0.6], [0.4, 0.3, 0.1], [0.8, 0.2, NAN]])


def scores(values: np.ndarray, name: str = "people") -> SegmentScores:
    """Scores of segments by numbers (segments, systems)."""
    segments, systems = (tuple(f"{what}{i}" for i in range(n)) for what, n in zip("us", values.shape, strict=True))
    return SegmentScores(name=name, systems=systems, segments=segments, values=values)


def stats_of(measure: str, people: np.ndarray, *metrics: np.ndarray) -> Stats:
    """The statistics of metrics by a measure."""
    metric = METRICS[measure]
    assert metric.expand is not None
    gold = scores(people)
    values = np.stack([count(gold, gold.scores_of(scores(of))) for of in metrics])
    return Stats(tuple(f"m{i}" for i in range(len(metrics))), metric.expand(values), metric, unit="segment")


def value(measure: str, people: np.ndarray, metric: np.ndarray) -> float:
    return float(stats_of(measure, people, metric).scores[0])


def test_segments_by_pencil():
    """Segment 1: 2 of 3 pairs in order; 2: people tie one that the metric does not, 2 of 3; 3: the only pair.

    The accuracy is (2/3 + 2/3 + 1) / 3 = 7/9. With ties up to 0.1, s1 and s2 of segment 1 tie, which is as wrong as
    before, and so do s0 and s1 of segment 2, which is right: (2/3 + 1 + 1) / 3 = 8/9.
    """
    assert value("seg-accuracy-item", PEOPLE, METRIC) == pytest.approx(7 / 9)
    assert value("seg-accuracy-calibrated-item", PEOPLE, METRIC) == pytest.approx(8 / 9)
    known = ~np.isnan(METRIC)
    tie = best_tie(np.where(known, PEOPLE, 0), np.where(known, METRIC, 0), known.astype(float))
    assert tie == METRIC[1, 0] - METRIC[1, 1]


def test_systems_by_pencil():
    """Means over what both have: people 3, 1, 0.5, metric 0.7, 0.33, 0.35: ranks 3, 2, 1 against 3, 1, 2.

    Two of three pairs are in order: accuracy 2/3, tau 1/3; rho = 1 - 6 (0 + 1 + 1) / (3 * 8) = 0.5.
    """
    assert value("sys-accuracy", PEOPLE, METRIC) == pytest.approx(2 / 3)
    assert value("sys-Kendall", PEOPLE, METRIC) == pytest.approx(1 / 3)
    assert value("sys-Spearman", PEOPLE, METRIC) == pytest.approx(0.5)


def cells_of(people: np.ndarray, metric: np.ndarray) -> Cells:
    both = ~np.isnan(people) & ~np.isnan(metric)
    return list(zip(people[both].tolist(), metric[both].tolist(), strict=True))


def constant(cells: Cells) -> bool:
    return any(len({round(number, 9) for number in of}) < 2 for of in zip(*cells, strict=True)) or len(cells) < 2


def mean_of(function: Callable[[Cells], float], groups: list[Cells]) -> float:
    defined = [function(cells) for cells in groups if not constant(cells)]
    return sum(defined) / len(defined) if defined else 0.0


def tau(cells: Cells) -> float:
    return 0.0 if constant(cells) else kendalltau(*zip(*cells, strict=True))[0]


def rho(cells: Cells) -> float:
    return 0.0 if constant(cells) else spearmanr(*zip(*cells, strict=True))[0]


def pearson(cells: Cells) -> float:
    return 0.0 if constant(cells) else pearsonr(*zip(*cells, strict=True))[0]


def agreement(groups: list[Cells], tie: float) -> float:
    """The share of pairs that both order alike, the metric with a tie; the mean over groups with a pair."""
    shares = []
    for cells in groups:
        right = [
            np.sign(a[0] - b[0]) == (0 if abs(a[1] - b[1]) <= tie else np.sign(a[1] - b[1]))
            for a, b in combinations(cells, 2)
        ]
        shares += [np.mean(right)] if right else []
    return float(np.mean(shares))


def calibrated(groups: list[Cells]) -> float:
    ties = {abs(a[1] - b[1]) for cells in groups for a, b in combinations(cells, 2)}
    return max(agreement(groups, tie) for tie in {0.0, *ties})


def soft(people: np.ndarray, metric: np.ndarray) -> float:
    """With the p of the normal approximation."""
    agree = []
    for a, b in combinations(range(people.shape[1]), 2):
        both = ~np.isnan(people + metric)
        of_pair = both[:, a] & both[:, b]
        p = []
        for values in (people, metric):
            apart = (values[:, a] - values[:, b])[of_pair] / values[both].std()
            p.append(norm.sf(apart.sum() / np.sqrt((apart**2).sum())) if (np.abs(apart) > 1e-9).any() else 0.5)
        agree += [1 - abs(p[0] - p[1])] if of_pair.any() else []
    return float(np.mean(agree))


def by_loop(measure: str, people: np.ndarray, metric: np.ndarray) -> float:
    """The measure as its sources define it."""
    segments = [cells_of(*rows) for rows in zip(people, metric, strict=True)]
    systems = [cells for rows in zip(people.T, metric.T, strict=True) if (cells := cells_of(*rows))]
    exact = [tuple(np.mean(cells, axis=0).tolist()) for cells in systems]
    # Equal means differ by rounding.
    means = [(round(theirs, 9), round(ours, 9)) for theirs, ours in exact]
    cells = cells_of(people, metric)
    return {
        "SPA": lambda: soft(people, metric),
        "sys-accuracy": lambda: agreement([means], 0.0),
        "sys-Pearson": lambda: pearson(exact),
        "sys-Spearman": lambda: rho(means),
        "sys-Kendall": lambda: tau(means),
        "seg-accuracy-item": lambda: agreement(segments, 0.0),
        "seg-accuracy-calibrated-item": lambda: calibrated(segments),
        "seg-Kendall-item": lambda: mean_of(tau, segments),
        "seg-Pearson-item": lambda: mean_of(pearson, segments),
        "seg-Kendall-system": lambda: mean_of(tau, systems),
        "seg-Pearson": lambda: pearson(cells),
        "seg-Spearman": lambda: rho(cells),
        "seg-Kendall": lambda: tau(cells),
    }[measure]()


def odd_scores(seed: int, segments: int = 12, systems: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """People's scores in thirds, as means of three raters are, and a metric's, with ties, gaps and constant rows."""
    rng = np.random.default_rng(seed)
    people = rng.integers(-3, 1, (segments, systems)) / 3 - 1e-6 * rng.integers(0, 2)
    metric = (people + rng.normal(size=people.shape)).round(1)
    people[0], metric[1], metric[2, 1:] = -0.333333, 0.1 + 0.2, NAN
    people[rng.random(people.shape) < 0.1] = NAN
    metric[rng.random(people.shape) < 0.1] = NAN
    return people, metric


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
@pytest.mark.parametrize("seed", range(6))
def test_equals_the_plain_loop(measure, seed):
    people, metric = odd_scores(seed)
    assert value(measure.name, people, metric) == pytest.approx(by_loop(measure.name, people, metric), abs=1e-9)


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_a_system_without_scores_takes_no_part(measure):
    """The one that a metric lacks is no system with a mean of 0."""
    people, metric = odd_scores(3)
    without = np.delete(people, 1, axis=1), np.delete(metric, 1, axis=1)
    metric[:, 1] = NAN
    assert value(measure.name, people, metric) == pytest.approx(value(measure.name, *without), abs=1e-9)


@pytest.mark.parametrize("measure", OVER_SYSTEMS, ids=lambda measure: measure.name)
def test_a_metric_has_its_score_beside_others_that_lack_other_scores(measure):
    """The second shares people's scores with the first, the third lacks some of them."""
    people, metric = odd_scores(3)
    full = np.where(np.isnan(people), 0, people**2)
    together = stats_of(measure.name, people, full, -full, metric, full).scores
    assert together == pytest.approx([value(measure.name, people, of) for of in (full, -full, metric, full)], abs=1e-12)


@pytest.mark.parametrize("row", [np.full(7, -0.333333), np.full(7, 1e6 / 3), 0.1 + np.zeros(7)])
def test_a_row_that_is_constant_but_for_rounding_has_no_correlation(row):
    """Its segment is left out; the mean over segments is that of the other one."""
    other = np.arange(7.0)
    people, metric = np.stack([row, other]), np.stack([other, other])
    for measure in ("seg-Pearson-item", "seg-Kendall-item"):
        assert value(measure, people, metric) == pytest.approx(1)
        assert value(measure, metric, people) == pytest.approx(1)


SAMPLES = [measure for measure in MEASURES if measure.sample is not None]


@pytest.mark.parametrize("measure", SAMPLES, ids=lambda measure: measure.name)
def test_a_resample_is_scored_as_written_out(measure):
    """A segment that is drawn twice counts twice."""
    people, metric = odd_scores(1, segments=30)
    stats = stats_of(measure.name, people, metric, people)
    assert stats.metric.sample is not None
    score = stats.metric.sample(stats.values)
    rng = np.random.default_rng(2)
    drawn = rng.integers(0, 30, (70, 30))
    weights = np.stack([np.bincount(row, minlength=30) for row in drawn]).astype(np.float32)
    by_rows = score(weights)
    for row, segments in enumerate(drawn):
        expected = [by_loop(measure.name, people[segments], of[segments]) for of in (metric, people)]
        assert by_rows[:, row] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("measure", SAMPLES, ids=lambda measure: measure.name)
def test_the_gradient_is_the_slope_in_the_weight_of_a_segment(measure):
    """Against the change by twice a small weight; weights of rank scores need not be whole."""
    people, metric = odd_scores(4, segments=40)
    stats = stats_of(measure.name, people, metric)
    assert stats.metric.sample is not None
    score = stats.metric.sample(stats.values)
    step = 1e-5
    moved = np.ones((80, 40)) + step * np.vstack([np.eye(40), -np.eye(40)])
    after = score(moved)[0]
    slopes = (after[:40] - after[40:]) / (2 * step)
    assert np.corrcoef(slopes, score.gradient()[0])[0, 1] > 0.99


@pytest.mark.parametrize("measure", SAMPLES, ids=lambda measure: measure.name)
def test_metrics_on_different_scales_swap_segments_by_rank(measure):
    """A metric and its logarithm, which have the same order, have the same p against a third."""
    people, metric = odd_scores(5, segments=20)
    other = odd_scores(6, segments=20)[1]
    p = []
    for same in (metric.round(1), np.exp(metric.round(1))):
        stats = stats_of(measure.name, people, same, other)
        p.append(TESTS["randomization"].run(stats, all_pairs(stats.scores), Resampling(500)).two_sided)
    assert p[0] == p[1]
    assert 0 < p[0][0] < 1


@pytest.mark.parametrize("measure", OVER_SYSTEMS, ids=lambda measure: measure.name)
def test_a_system_that_is_drawn_twice_counts_twice_and_is_no_pair_with_itself(measure):
    """Correlations are those of the systems written out; accuracies are means over pairs of different ones."""
    stats = stats_of(measure.name, *odd_scores(7, systems=6))
    assert measure.score(stats.totals, np.ones(6)) == pytest.approx(stats.scores)
    drawn = np.array([2, 0, 1, 0, 1, 2.0])
    of_drawn = measure.score(stats.totals, drawn)[0]
    if measure.name in ("SPA", "sys-accuracy"):
        pairs = {(a, b): drawn[a] * drawn[b] for a, b in combinations(range(6), 2)}
        of_pair = [measure.score(stats.totals, np.isin(np.arange(6), pair) * 1.0)[0] for pair in pairs]
        assert of_drawn == pytest.approx(np.average(of_pair, weights=list(pairs.values())))
    else:
        copies = np.append(np.repeat(np.arange(6), drawn.astype(int)), 6)
        written_out = stats.totals.reshape(1, 3, 7)[:, :, copies].reshape(1, -1)
        assert of_drawn == pytest.approx(measure.score(written_out)[0])
