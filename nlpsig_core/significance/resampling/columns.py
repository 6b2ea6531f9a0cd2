"""What resamples are scored by: distinct columns of statistics, whose totals are one matrix product, or values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nlpsig_core.data.metrics.base import Ratio
from nlpsig_core.significance.resampling.kernels import ratios
from nlpsig_core.significance.resampling.recipe import BLOCK
from nlpsig_core.significance.stats.array import Sample, Stats

COUNT_BYTES = 64_000_000
EXACT_IN_FLOAT32 = 2**24
Units = np.ndarray | slice
ALL = slice(None)


class DistinctColumns:
    """The distinct columns of statistics, (units, columns), and the ``index`` of those of each output, (k, outputs).

    Gold counts are shared, and duplicate systems cost nothing. Statistics of a ratio are its part and its whole. The
    type is float32 if statistics are whole numbers and no resampled sum can reach 2^24, since it is then exact; float64
    otherwise. ``totals`` (k, outputs) are those of the units themselves.
    """

    def __init__(self, stats: Stats) -> None:
        statistics: np.ndarray = np.moveaxis(stats.values, -1, 0)
        self.score = stats.metric.score
        if isinstance(self.score, Ratio):
            wide = np.promote_types(stats.values.dtype, np.int32)
            statistics = np.stack(self.score.sums(stats.values.astype(wide, copy=False)))
            self.score = replace(self.score, part=(1, 0), whole=(0, 1))
        rows = statistics.reshape(-1, stats.n_units)
        first, index = _distinct(rows)
        largest = float(np.abs(rows).max(initial=0)) * stats.n_units
        whole = np.issubdtype(rows.dtype, np.integer)
        self.dtype = np.float32 if whole and largest < EXACT_IN_FLOAT32 else np.float64
        self.columns = np.ascontiguousarray(rows[first].T, dtype=self.dtype)
        self.index: np.ndarray = index.reshape(statistics.shape[:2])
        self.totals = self.columns.sum(axis=0, dtype=np.float64)[self.index]
        self.over_runs = stats.over_runs

    def joined(self, counts: Sequence[np.ndarray], units: Sequence[Units]) -> np.ndarray:
        """Return sums of each distinct column, (columns, rows), for counts (rows, units of a part) of all parts."""
        sums = [part @ self.columns[of] for part, of in zip(counts, units, strict=True)]
        return np.ascontiguousarray(sum(sums[1:], sums[0]).T)

    def scores_of(self, totals: np.ndarray) -> np.ndarray:
        """Return the score of each system, the mean over its runs, (systems, rows), for totals (columns, rows)."""
        if isinstance(self.score, Ratio):
            scores = np.empty((self.index.shape[1], totals.shape[1]))
            ratios(totals, self.index, float(self.score.scale), float(self.score.offset), scores)
            return self.over_runs(scores)
        of_outputs = totals[self.index].astype(np.float64, copy=False)
        return self.over_runs(self.score(np.moveaxis(of_outputs, 0, -1)))


class DistinctOutputs:
    """The distinct outputs, for a score of the weighted sample; used as ``DistinctColumns``.

    ``columns`` (units, 1) holds nothing: its type is that of counts.
    """

    def __init__(self, stats: Stats) -> None:
        assert stats.metric.sample is not None
        first, index = _distinct(stats.values.reshape(len(stats.values), -1))
        self.dtype = np.float32
        self.columns = np.empty((stats.n_units, 1), dtype=self.dtype)
        self.score, self.index = stats.metric.sample(stats.values[first]), index
        self.entries, self.over_runs = stats.entries, stats.over_runs

    def joined(self, counts: Sequence[np.ndarray], units: Sequence[Units]) -> np.ndarray:
        """Return how often each unit is drawn, (rows, units), for counts (rows, units of a part) of all parts."""
        if len(units) == 1 and units[0] is ALL:
            return counts[0]
        weights = np.empty((len(counts[0]), len(self.columns)), dtype=self.dtype)
        for part, of in zip(counts, units, strict=True):
            weights[:, of] = part
        return weights

    def scores_of(self, weights: np.ndarray) -> np.ndarray:
        """Return the score of each system, the mean over its runs, (systems, rows), for weights (rows, units)."""
        rows = max(1, COUNT_BYTES // max(1, self.entries.spread(weights[:1]).nbytes))
        some = (self.entries.spread(weights[start : start + rows]) for start in range(0, len(weights), rows))
        return self.over_runs(np.hstack([self.score(of_entries) for of_entries in some])[self.index])


def scored_by(stats: Stats) -> DistinctColumns | DistinctOutputs:
    """Return what scores resamples of statistics."""
    return DistinctColumns(stats) if stats.metric.sample is None else DistinctOutputs(stats)


def _distinct(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the index of each distinct row where it occurs first, and for each row that of the distinct one."""
    known: dict[bytes, int] = {}
    index = [known.setdefault(np.ascontiguousarray(row).tobytes(), len(known)) for row in rows]
    return np.unique(index, return_index=True)[1], np.array(index, dtype=np.intp)


class Strata:
    """What scores every test set (``matrices``), and the units of every stratum, which are drawn together."""

    def __init__(self, stats: Sample) -> None:
        self.matrices = [scored_by(part) for part in stats.test_sets]
        # Counts of each stratum have the type of its widest columns.
        self.columns: list[np.ndarray] = []
        self.streams: list[tuple[int, int]] = []
        self.weights = stats.weights
        self.of_test_set: list[list[tuple[int, Units]]] = [[] for _ in stats.test_sets]
        for number, stratum in enumerate(stats.strata):
            first = next(iter(stratum.units))
            self.streams.append((first, sum(test_set == first for test_set, _ in self.streams)))
            for test_set, units in stratum.units.items():
                in_order = np.array_equal(units, np.arange(len(self.matrices[test_set].columns)))
                self.of_test_set[test_set].append((number, ALL if in_order else units))
            widest = max((self.matrices[test_set].columns for test_set in stratum.units), key=lambda of: of.itemsize)
            self.columns.append(widest[: stratum.n_units])

    def joined(self, counts: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Return what each test set's scores follow from (``scores_of``), for counts (rows, units) of each stratum."""
        joined = []
        for matrix, strata in zip(self.matrices, self.of_test_set, strict=True):
            numbers, units = zip(*strata, strict=True)
            joined.append(matrix.joined([counts[number] for number in numbers], units))
        return joined

    def mean_scores(self, counts: Sequence[np.ndarray]) -> np.ndarray:
        """Return the score of each system in each resample, the weighted mean over the test sets, (systems, rows)."""
        each = [matrix.scores_of(of) for matrix, of in zip(self.matrices, self.joined(counts), strict=True)]
        parts = (scores * weight / sum(self.weights) for scores, weight in zip(each, self.weights, strict=True))
        return each[0] if len(each) == 1 else sum(parts, np.zeros(()))


def piece_rows(columns: Sequence[np.ndarray]) -> int:
    """Return the number of rows of counts held at a time for all strata with these columns (units, any) together."""
    return max(1, min(BLOCK, COUNT_BYTES // sum(stratum[:, :1].nbytes for stratum in columns)))
