"""Agreement on segments: over the systems of each, over the segments of each system, or over all scores at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from nlpsig_core.data.metrics.agreement.table import ROUNDING, by_system, compared, standardised
from nlpsig_core.data.metrics.base import WeightedScore
from nlpsig_core.data.metrics.items.by_class import ratio
from nlpsig_core.data.metrics.items.ranks import MOST_LANES, Order

OfSegment = Callable[[np.ndarray, np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
OfCells = Callable[[np.ndarray], WeightedScore]


def moments(values: np.ndarray) -> np.ndarray:
    """Return the statistics of Pearson's correlation over systems and segments: sums over systems, (..., 6)."""
    people, metric, both = by_system(standardised(values))
    products = (both, people, metric, people**2, metric**2, people * metric)
    return np.stack([(part * both).sum(axis=-1) for part in products], axis=-1)


def by_segment(values: np.ndarray, of_segment: OfSegment) -> np.ndarray:
    """Return the measure of each segment over its systems, and 1, (outputs, segments, 2); 0 and 0 where undefined."""
    return np.stack([np.stack(of_segment(*by_system(output)), axis=-1) for output in values]).astype(np.float64)


def accuracy(
    people: np.ndarray, metric: np.ndarray, both: np.ndarray, tie: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Return the share of pairs of systems ordered or tied as people do, and whether there are pairs."""
    equal, *_, pairs = compared(people, metric, both, (0.0, tie))
    return ratio(equal, pairs), pairs > 0


def calibrated_accuracy(people: np.ndarray, metric: np.ndarray, both: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the same with the metric's best tie, chosen on these segments (Deutsch et al. 2023)."""
    return accuracy(people, metric, both, best_tie(people, metric, both))


def best_tie(people: np.ndarray, metric: np.ndarray, both: np.ndarray) -> float:
    """Return the smallest tie that gives a metric its best mean accuracy: 0, or one of its observed differences.

    Arguments are (segments, systems). All differences are sorted once: a pair becomes a tie where the tie reaches its
    difference, and the accuracy changes by this pair's share alone.
    """
    first, second = np.triu_indices(people.shape[1], 1)
    known = both[:, first] * both[:, second]
    theirs, ours = (scores[:, first] - scores[:, second] for scores in (people, metric))
    right = (theirs == 0) * 1.0 - (np.sign(theirs) == np.sign(ours))
    change = ratio(right * known, np.maximum(known.sum(axis=1, keepdims=True), 1) + np.zeros(known.shape))
    apart, change = np.abs(ours)[known > 0], change[known > 0]
    order = np.argsort(apart, kind="stable")
    apart, gained = np.append(0, apart[order]), np.append(0, np.cumsum(change[order]))
    ends = np.append(apart[1:] != apart[:-1], True)
    best = np.flatnonzero(gained[ends] >= gained[ends].max() - ROUNDING)[0]
    return float(apart[ends][best])


def kendall(people: np.ndarray, metric: np.ndarray, both: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return Kendall's tau-b over systems, and whether neither score is constant."""
    _, concordant, untied_people, untied_metric, _ = compared(people, metric, both)
    spread = untied_people * untied_metric
    return ratio(concordant, np.sqrt(spread)), spread > 0


def ranked(values: np.ndarray) -> np.ndarray:
    """Return the same numbers with the doubled, centred ranks of each metric's scores in their place.

    Measures of order stay the same, and metrics on different scales can take one another's place in a segment.
    """
    result = values.copy()
    for output in result.reshape(*values.shape[:2], 3, -1):
        both = output[:, 2] > 0
        output[:, 1][both] = -Order(output[:, 1][both]).beyond(np.ones(both.sum()))
    return result


class OverSegments:
    """A score of the cells (segment, system) of each metric in a sample of segments: the mean over groups of cells.

    A group in which a score is constant is left out. ``of_cells`` makes the score of values (1, cells, 2).
    """

    def __init__(self, values: np.ndarray, of_cells: OfCells, grouped: bool) -> None:
        self.n_units = values.shape[1]
        self.groups = [list(_groups(*by_system(output), of_cells, grouped)) for output in values]

    def __call__(self, weights: np.ndarray) -> np.ndarray:
        scores = np.zeros((len(self.groups), len(weights)))
        for start in range(0, len(weights), MOST_LANES):
            part = weights[start : start + MOST_LANES]
            for output, groups in enumerate(self.groups):
                for segments, score in groups:
                    scores[output, start : start + len(part)] += score(part[:, segments])[0] / len(groups)
        return scores

    def gradient(self) -> np.ndarray:
        """Return the slopes in the weights of segments, (outputs, segments), as ``WeightedScore.gradient``."""
        slopes = np.zeros((len(self.groups), self.n_units))
        for output, groups in enumerate(self.groups):
            for segments, score in groups:
                slopes[output] += np.bincount(segments, score.gradient()[0], self.n_units) / len(groups)
        return slopes


def _groups(
    people: np.ndarray, metric: np.ndarray, both: np.ndarray, of_cells: OfCells, grouped: bool
) -> Iterable[tuple[np.ndarray, WeightedScore]]:
    """Yield the segments of the cells of each group and their score: by system, or all at once."""
    segment, system = np.nonzero(both)
    cells = np.stack([people[segment, system], metric[segment, system]], axis=-1)
    for mask in (system == one for one in range(both.shape[1])) if grouped else [np.ones(len(cells), dtype=bool)]:
        if mask.any() and (np.ptp(cells[mask], axis=0) > 0).all():
            yield segment[mask], of_cells(cells[mask][None])
