"""Edges with confidences, their measures in resamples of sentences, intervals, and paired comparisons."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from nlpsig_core.base.errors import ChoiceError, check_named
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.laboratory.confidence.evaluation import MEASURES, check, evaluate, precision_recall
from nlpsig_core.laboratory.confidence.kernels import Cells, measure_resamples, precision_of_resamples
from nlpsig_core.significance.paired_tests.bootstrap import p_of_hits
from nlpsig_core.significance.resampling.blocks import Piece, Progress, over_blocks
from nlpsig_core.significance.resampling.bootstrap import expanded_tail, ties
from nlpsig_core.significance.resampling.kernels import draw
from nlpsig_core.significance.resampling.recipe import Resampling

# Resamples that are measured at a time: few enough for the processor's cache.
PIECE = 32
# Columns of ``Measured.pairs``.
PAIR_COLUMNS = (
    *("measure", "system_a", "method_a", "system_b", "method_b", "value_a", "value_b"),
    *("difference", "low", "high", "p_value", "p_two_sided", "p_error"),
)
# The level of all intervals.
LEVEL = 0.95
# All measures of all resamples are kept.
USUAL_RESAMPLES, MOST_RESAMPLES = 2_000, 100_000


@dataclass(frozen=True, eq=False, kw_only=True)
class Edges:
    """The edges of one output with confidences by one method; arrays are (edges,).

    ``unit`` is the resampled unit that an edge belongs to, from 0 to ``n_units`` - 1. ``method`` is a name in
    METHODS. Raises ChoiceError if a confidence is not a number, or a probability not between 0 and 1.
    """

    label: str
    method: str
    probability: bool
    confidence: np.ndarray
    wrong: np.ndarray
    unit: np.ndarray
    n_units: int

    def __post_init__(self) -> None:
        check(self.confidence, self.probability)

    @cached_property
    def measures(self) -> dict[str, float]:
        """All MEASURES by name."""
        return evaluate(self.confidence, self.wrong, self.probability)

    @cached_property
    def cells(self) -> Cells:
        """The edges counted by tied group and unit."""
        distinct, group = np.unique(self.confidence, return_inverse=True)
        cells, cell = np.unique(group * self.n_units + self.unit, return_inverse=True)
        counted = np.bincount(cell), np.bincount(cell[self.wrong], minlength=len(cells))
        edges = np.stack(counted, axis=1).astype(np.int32)
        starts = np.searchsorted(cells, np.arange(len(distinct) + 1) * self.n_units)
        return Cells(confidence=distinct, starts=starts, units=cells % self.n_units, edges=edges)


@dataclass(frozen=True, eq=False, kw_only=True)
class Measured:
    """The measures of several sets of edges of one test set, observed and in resamples that all of them share.

    ``resampled`` is (sets, MEASURES, b). The order of edges stays fixed; the edges of a unit count as often as it is
    drawn.
    """

    edges: tuple[Edges, ...]
    recipe: Resampling
    resampled: np.ndarray

    @property
    def observed(self) -> np.ndarray:
        """The measures of each set of edges, (sets, MEASURES)."""
        return np.array([list(own.measures.values()) for own in self.edges])

    def intervals(self) -> np.ndarray:
        """Return the percentile interval of each measure, (sets, MEASURES, 2), at the tails of ``expanded_tail``.

        NaN where a measure does not exist; resamples without it are left out.
        """
        return _interval(self.resampled, self.edges[0].n_units)

    def pairs(self, measure: str = "ap") -> pd.DataFrame:
        """Return pairs of methods on one output, and of outputs by one method, by the paired bootstrap.

        Columns PAIR_COLUMNS: a is the one with the higher value, difference is a minus b, and p is defined as for gains
        of a metric (``paired_tests.bootstrap``).
        """
        check_named("measure", measure, MEASURES)
        at = list(MEASURES).index(measure)
        value, resampled = self.observed[:, at], self.resampled[:, at]
        rows = []
        for a, b in self._comparable(value):
            first, second = self.edges[a], self.edges[b]
            names = (measure, first.label, first.method, second.label, second.method)
            rows.append((*names, value[a], value[b], *self._difference(value[[a, b]], resampled[[a, b]])))
        return pd.DataFrame(rows, columns=PAIR_COLUMNS)

    def _difference(self, values: np.ndarray, resampled: np.ndarray) -> tuple[float, ...]:
        """Return the difference of two values, (2,), its interval, and p with its error, from resamples (2, b)."""
        gain, tie = values[0] - values[1], float(ties(*values))
        differences = resampled[0] - resampled[1]
        differences = differences[np.isfinite(differences)]
        above, below = (differences > 2 * gain + tie).sum(keepdims=True), (differences < -tie).sum(keepdims=True)
        p = p_of_hits(above, below, np.array([gain > tie]), max(len(differences), 1))
        low, high = _interval(differences, self.edges[0].n_units)
        return gain, low, high, p.one_sided[0], p.two_sided[0], p.error[0]

    def _comparable(self, values: np.ndarray) -> Iterator[tuple[int, int]]:
        """Yield pairs of sets with the same output or method and a known measure, the higher value first."""
        for a, first in enumerate(self.edges):
            for b, second in enumerate(self.edges[a + 1 :], a + 1):
                alike = first.label == second.label or first.method == second.method
                if alike and np.isfinite(values[[a, b]]).all():
                    yield (a, b) if values[a] >= values[b] else (b, a)


def resample(edges: Sequence[Edges], recipe: Resampling, progress: Progress | None = None) -> Measured:
    """Return all measures of several sets of edges of one test set, in resamples of its units that all of them share.

    The resamples are those of the paired bootstrap with the same recipe. ``progress(done, of)`` may raise to cancel.
    """

    def measure(counts: np.ndarray) -> np.ndarray:
        measured = np.empty((len(edges), counts.shape[1], len(MEASURES)))
        for own, measures in zip(edges, measured, strict=True):
            measure_resamples(counts, own.cells, own.probability, measures)
        return measured.swapaxes(1, 2)

    return Measured(edges=tuple(edges), recipe=recipe, resampled=_over_resamples(edges, recipe, measure, progress))


def curve(edges: Edges, recipe: Resampling, recalls: np.ndarray) -> pd.DataFrame:
    """Return the precision-recall curve at some recalls: columns recall, precision, low, high (an interval of 95%)."""
    recalls = np.asarray(recalls, dtype=np.float64)

    def measure(counts: np.ndarray) -> np.ndarray:
        precision = np.empty((counts.shape[1], len(recalls)))
        precision_of_resamples(counts, edges.cells, recalls, precision)
        return precision.T

    low, high = _interval(_over_resamples([edges], recipe, measure, None), edges.n_units).T
    return precision_recall(edges.confidence, edges.wrong, recalls).assign(low=low, high=high)


def _over_resamples(
    edges: Sequence[Edges],
    recipe: Resampling,
    measure: Callable[[np.ndarray], np.ndarray],
    progress: Progress | None,
) -> np.ndarray:
    """Return ``measure(counts)``, (..., rows), for all resamples, (..., b); ``counts`` are (units, rows)."""
    if recipe.n_resamples > MOST_RESAMPLES:
        raise ChoiceError(f"{recipe.n_resamples:,} resamples; for confidences choose {MOST_RESAMPLES:,} at most")
    if len({own.n_units for own in edges}) != 1:
        raise ChoiceError("Edges of different test sets cannot share resamples")
    n_units = edges[0].n_units

    def work(pieces: Iterator[Piece]) -> list[np.ndarray]:
        parts, counts = [], np.empty((PIECE, n_units), dtype=np.int32)
        for _, state, rows in pieces:
            draw(state, counts[:rows])
            parts.append(measure(np.ascontiguousarray(counts[:rows].T)))
        return parts

    chunks = over_blocks(recipe, recipe.stream, work, PIECE, progress)
    return np.concatenate([part for parts in chunks for part in parts], axis=-1)


def _interval(resampled: np.ndarray, n_units: int) -> np.ndarray:
    """Return the interval of the finite values along the last axis, (..., 2); NaN where there are none."""
    ends, tail = np.full((*resampled.shape[:-1], 2), np.nan), expanded_tail(LEVEL, n_units)
    known = np.isfinite(resampled).any(axis=-1)
    ends[known] = np.moveaxis(np.nanquantile(resampled[known], [tail, 1 - tail], axis=-1), 0, -1)
    return ends
