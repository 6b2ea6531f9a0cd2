"""Metrics on trial: how well the scores of a metric agree with those of people, over systems and over segments.

The outputs are metrics, and the units segments. A unit has a score by people and one by the metric for each system;
measures make statistics of these numbers that can be summed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from nlpsig_core.data.metrics.base import Family, Metric, mean
from nlpsig_core.data.metrics.items.by_class import ratio
from nlpsig_core.data.metrics.items.numbers import pearson
from nlpsig_core.data.readers.people.segment_scores import SegmentScores

# By system: people's score, the metric's, and 1 if there are both.
COLUMNS = ("people", "metric", "both")
# Standardised means that differ by at most this much are equal; rounding is far below.
ROUNDING = 1e-11
OfSegment = Callable[[np.ndarray, np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


def count(gold: SegmentScores, output: SegmentScores) -> np.ndarray:
    """Return COLUMNS by system, (segments, 3 * (systems + 1)); the last system of each column stands for others."""
    both = ~np.isnan(gold.values) & ~np.isnan(output.values)
    table = np.zeros((gold.n_units, 3, len(gold.systems) + 1))
    for place, scores in enumerate((gold.values, output.values, np.ones(both.shape))):
        table[:, place, :-1] = np.where(both, scores, 0)
    return table.reshape(gold.n_units, -1)


def remarks(gold: SegmentScores, output: SegmentScores) -> list[str]:
    """Return the notes on a metric's scores."""
    return list(output.notes)


FAMILY = Family(
    name="people",
    version=1,
    reader="Segment scores",
    columns=COLUMNS,
    match=SegmentScores.scores_of,
    count=count,
    count_missing=None,
    remarks=remarks,
    whole=False,
    by_class=True,
)


def _by_system(statistics: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return people's scores, the metric's, and whether there are both, (..., systems) each."""
    table = statistics.reshape(*statistics.shape[:-1], 3, -1)[..., :-1]
    return table[..., 0, :], table[..., 1, :], table[..., 2, :]


def standardised(values: np.ndarray) -> np.ndarray:
    """Return the numbers of people and of each metric less their mean, by their standard deviation, (..., units, k).

    Metrics on different scales can then take one another's place in a segment. All are 0 where they differ by rounding
    alone.
    """
    table = values.reshape(*values.shape[:2], 3, -1)
    both = table[:, :, 2]
    number = np.maximum(both.sum(axis=(1, 2), keepdims=True), 1)
    result = table.copy()
    for place in (0, 1):
        scores = table[:, :, place]
        apart = (scores - scores.sum(axis=(1, 2), keepdims=True) / number) * both
        spread = np.sqrt((apart**2).sum(axis=(1, 2), keepdims=True) / number)
        least = ROUNDING * np.abs(scores).max(axis=(1, 2), keepdims=True)
        result[:, :, place] = np.divide(apart, spread, out=np.zeros(apart.shape), where=spread > least)
    return result.reshape(values.shape)


def _means(totals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean of people's and of the metric's scores by system, (..., systems)."""
    people, metric, both = _by_system(totals)
    return people / np.maximum(both, 1), metric / np.maximum(both, 1)


def _orders(scores: np.ndarray, system: int, tie: float) -> np.ndarray:
    """Return 1, 0 or -1: the order of a system and those after it, (..., later systems)."""
    apart = scores[..., system, None] - scores[..., system + 1 :]
    return np.asarray(np.where(np.abs(apart) > tie, np.sign(apart), 0))


def _compared(
    people: np.ndarray, metric: np.ndarray, together: np.ndarray | None = None, tie: float = 0.0
) -> list[np.ndarray]:
    """Return the numbers of pairs of systems (...,) with equal signs, concordant less discordant, untied in each, all.

    ``together`` (..., systems) tells which systems are compared (None: all); those at most a ``tie`` apart are equal.
    """
    counts = [np.zeros(people.shape[:-1]) for _ in range(5)]
    for system in range(people.shape[-1] - 1):
        a, b = _orders(people, system, tie), _orders(metric, system, tie)
        known = np.ones(a.shape) if together is None else together[..., system, None] * together[..., system + 1 :]
        for total, part in zip(counts, (a == b, a * b, a != 0, b != 0, np.ones(a.shape)), strict=True):
            total += (part * known).sum(axis=-1)
    return counts


def system_accuracy(totals: np.ndarray) -> np.ndarray:
    """Return the share of pairs of systems that a metric orders as people do, 0 to 1 (Kocmi et al. 2021)."""
    equal, *_, pairs = _compared(*_means(totals), tie=ROUNDING)
    return ratio(equal, pairs)


def system_kendall(totals: np.ndarray) -> np.ndarray:
    """Return Kendall's tau-b of the mean scores of systems, -1 to 1."""
    _, concordant, people, metric, _ = _compared(*_means(totals), tie=ROUNDING)
    return ratio(concordant, np.sqrt(people * metric))


def system_pearson(totals: np.ndarray) -> np.ndarray:
    """Return Pearson's correlation of the mean scores of systems, -1 to 1."""
    people, metric = _means(totals)
    return _correlation(people, metric, np.ones(people.shape))[0]


def _correlation(people: np.ndarray, metric: np.ndarray, both: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return Pearson's correlation over systems and whether it is defined, (...,) each; 0 where it is not."""
    number = np.maximum(both.sum(axis=-1, keepdims=True), 1)
    x, y = ((scores - (scores * both).sum(axis=-1, keepdims=True) / number) * both for scores in (people, metric))
    spreads = [(scores**2).sum(axis=-1) for scores in (x, y)]
    defined = np.minimum(*spreads) > ROUNDING**2
    return np.where(defined, ratio((x * y).sum(axis=-1), np.sqrt(spreads[0] * spreads[1])), 0.0), defined


def differences(values: np.ndarray) -> np.ndarray:
    """Return the statistics of soft accuracy, (outputs, segments, 4 * pairs): 0 for pairs of which a score is missing.

    For each pair of systems, these are the differences of people's and of the metric's scores, and their squares.
    """
    people, metric, both = _by_system(standardised(values))
    first, second = np.triu_indices(people.shape[-1], 1)
    known = both[..., first] * both[..., second]
    apart = [(scores[..., first] - scores[..., second]) * known for scores in (people, metric)]
    return np.concatenate([*apart, *(part**2 for part in apart)], axis=-1)


def soft_accuracy(totals: np.ndarray) -> np.ndarray:
    """Return soft pairwise accuracy, 0 to 1: the mean of 1 - |p of people - p of the metric| (Thompson et al. 2024).

    p is the one-sided p of a paired randomization test of each pair of systems, by the normal approximation of the sum
    of its differences with random signs, so that no draw is needed.
    """
    from scipy.special import ndtr

    people, metric, squares_of_people, squares_of_metric = np.moveaxis(totals.reshape(*totals.shape[:-1], 4, -1), -2, 0)
    p_people = ndtr(-_in_deviations(people, squares_of_people))
    p_metric = ndtr(-_in_deviations(metric, squares_of_metric))
    return np.asarray((1 - np.abs(p_people - p_metric)).mean(axis=-1))


def _in_deviations(total: np.ndarray, squares: np.ndarray) -> np.ndarray:
    """Return a sum by its standard deviation if all signs are random; 0 if all terms are 0."""
    result: np.ndarray = np.divide(total, np.sqrt(squares), out=np.zeros(total.shape), where=squares > ROUNDING)
    return result


def moments(values: np.ndarray) -> np.ndarray:
    """Return the statistics of Pearson's correlation over systems and segments: sums over systems, (..., 6)."""
    people, metric, both = _by_system(standardised(values))
    products = (both, people, metric, people**2, metric**2, people * metric)
    return np.stack([(part * both).sum(axis=-1) for part in products], axis=-1)


def by_segment(values: np.ndarray, of_segment: OfSegment) -> np.ndarray:
    """Return the measure of each segment over its systems, and 1, (outputs, segments, 2); 0 and 0 where undefined."""
    return np.stack([np.stack(of_segment(*_by_system(output)), axis=-1) for output in values]).astype(np.float64)


def accuracy_of_segment(people: np.ndarray, metric: np.ndarray, both: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the share of pairs of systems ordered or tied as people do, and whether there are pairs."""
    equal, *_, pairs = _compared(people, metric, both)
    return ratio(equal, pairs), pairs > 0


def kendall_of_segment(people: np.ndarray, metric: np.ndarray, both: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return Kendall's tau-b over systems, and whether neither score is constant."""
    _, concordant, untied_people, untied_metric, _ = _compared(people, metric, both)
    spread = untied_people * untied_metric
    return ratio(concordant, np.sqrt(spread)), spread > 0


def measure(name: str, what: str, **more: object) -> Metric:
    """Return a measure of metrics."""
    return Metric(name=name, what=what, family=FAMILY, columns=COLUMNS, scale="", **more)  # type: ignore[arg-type]


def measure_of_segments(name: str, what: str, of_segment: OfSegment) -> Metric:
    """Return the mean over segments of a measure over systems; segments where it is undefined are left out."""
    return measure(name, what, expand=partial(by_segment, of_segment=of_segment), score=mean, by_unit=True)


MEASURES = (
    measure(
        "SPA",
        "soft pairwise accuracy: agreement of the metric's p with that of people",
        expand=differences,
        score=soft_accuracy,
        by_unit=False,
    ),
    measure(
        "sys-accuracy",
        "pairs of systems that the metric orders as people do",
        expand=standardised,
        score=system_accuracy,
        by_unit=False,
    ),
    measure(
        "sys-Pearson",
        "correlation of mean scores over systems",
        expand=standardised,
        score=system_pearson,
        by_unit=False,
    ),
    measure(
        "sys-Kendall", "tau-b of mean scores over systems", expand=standardised, score=system_kendall, by_unit=False
    ),
    measure_of_segments(
        "seg-accuracy-item", "pairs of systems ordered or tied as by people, mean over segments", accuracy_of_segment
    ),
    measure_of_segments("seg-Kendall-item", "tau-b over systems, mean over segments", kendall_of_segment),
    measure_of_segments("seg-Pearson-item", "correlation over systems, mean over segments", _correlation),
    measure(
        "seg-Pearson",
        "correlation over all systems and segments",
        expand=moments,
        score=pearson,
        by_unit=False,
    ),
)
