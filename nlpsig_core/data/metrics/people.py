"""Metrics on trial: how well the scores of a metric agree with those of people, over systems and over segments.

The outputs are metrics, and the units segments. A unit has a score by people and one by the metric for each system;
measures make statistics of these numbers that can be summed, or sort them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from nlpsig_core.data.metrics.agreement import segments, systems
from nlpsig_core.data.metrics.agreement.table import correlation, standardised
from nlpsig_core.data.metrics.base import Family, Metric, mean, own_notes
from nlpsig_core.data.metrics.items import ranks
from nlpsig_core.data.metrics.items.numbers import pearson
from nlpsig_core.data.readers.people.segment_scores import SegmentScores

# By system: people's score, the metric's, and 1 if there are both.
COLUMNS = ("people", "metric", "both")


def count(gold: SegmentScores, output: SegmentScores) -> np.ndarray:
    """Return COLUMNS by system, (segments, 3 * (systems + 1)); the last system of each column stands for others."""
    both = ~np.isnan(gold.values) & ~np.isnan(output.values)
    table = np.zeros((gold.n_units, 3, len(gold.systems) + 1))
    for place, scores in enumerate((gold.values, output.values, np.ones(both.shape))):
        table[:, place, :-1] = np.where(both, scores, 0)
    return table.reshape(gold.n_units, -1)


FAMILY = Family(
    name="people",
    version=1,
    reader="Segment scores",
    columns=COLUMNS,
    match=SegmentScores.scores_of,
    count=count,
    remarks=own_notes,
    whole=False,
    by_class=True,
)


def measure(name: str, what: str, **more: object) -> Metric:
    """Return a measure of metrics."""
    return Metric(name=name, what=what, family=FAMILY, columns=COLUMNS, scale="", **more)  # type: ignore[arg-type]


def _of_systems(name: str, what: str, score: Callable[[np.ndarray], np.ndarray], **more: object) -> Metric:
    """Return a measure of the mean scores of systems."""
    return measure(name, what, **{"expand": standardised, "score": score, "by_unit": False, **more})


def _of_segments(name: str, what: str, of_segment: segments.OfSegment) -> Metric:
    """Return the mean over segments of a measure over systems; segments where it is undefined are left out."""
    return measure(name, what, expand=partial(segments.by_segment, of_segment=of_segment), score=mean, by_unit=True)


def _of_order(name: str, what: str, of_cells: segments.OfCells, grouped: bool = False) -> Metric:
    """Return a measure of the order of scores, of all systems or the mean over systems (``grouped``)."""
    sample = partial(segments.OverSegments, of_cells=of_cells, grouped=grouped)
    return measure(name, what, expand=segments.ranked, sample=sample)


SPA = "soft pairwise accuracy: agreement of the metric's p with that of people"
CALIBRATED = (
    "seg-accuracy-item with the tie that suits the metric best, chosen on all segments and the same in every resample"
)
# The scores of these also take how often each rated system was drawn.
OVER_SYSTEMS = (
    _of_systems("SPA", SPA, systems.soft_accuracy, expand=systems.differences),
    _of_systems("sys-accuracy", "pairs of systems that the metric orders as people do", systems.accuracy),
    _of_systems("sys-Pearson", "correlation of mean scores over systems", systems.pearson),
    _of_systems("sys-Spearman", "correlation of the ranks of mean scores over systems", systems.spearman),
    _of_systems("sys-Kendall", "tau-b of mean scores over systems", systems.kendall),
)
MEASURES = (
    *OVER_SYSTEMS,
    _of_segments(
        "seg-accuracy-item", "pairs of systems ordered or tied as by people, mean over segments", segments.accuracy
    ),
    _of_segments("seg-accuracy-calibrated-item", CALIBRATED, segments.calibrated_accuracy),
    _of_segments("seg-Kendall-item", "tau-b over systems, mean over segments", segments.kendall),
    _of_segments("seg-Pearson-item", "correlation over systems, mean over segments", correlation),
    _of_order("seg-Kendall-system", "tau-b over segments, mean over systems", ranks.kendall, grouped=True),
    measure(
        "seg-Pearson",
        "correlation over all systems and segments",
        expand=segments.moments,
        score=pearson,
        by_unit=False,
    ),
    _of_order("seg-Spearman", "correlation of ranks over all systems and segments", ranks.spearman),
    _of_order("seg-Kendall", "tau-b over all systems and segments", ranks.kendall),
)
