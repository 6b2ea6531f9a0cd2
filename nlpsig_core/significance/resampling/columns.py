"""Distinct columns of statistics: one matrix product gives the totals of all systems in a resample."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlpsig_core.significance.resampling.recipe import BLOCK
from nlpsig_core.significance.stats.array import Sample, Stats

COUNT_BYTES = 64_000_000
EXACT_IN_FLOAT32 = 2**24


class DistinctColumns:
    """The distinct columns of statistics, (units, columns), and the index of each output's columns.

    Gold counts are shared, and duplicate systems cost nothing. The type is float32 if statistics are whole numbers
    and no resampled sum can reach 2^24, since it is then exact; float64 otherwise.
    """

    def __init__(self, stats: Stats) -> None:
        rows = stats.values.transpose(2, 0, 1).reshape(-1, stats.n_units)
        known: dict[bytes, int] = {}
        index = [known.setdefault(np.ascontiguousarray(row).tobytes(), len(known)) for row in rows]
        _, first = np.unique(index, return_index=True)
        largest = float(np.abs(rows).max(initial=0)) * stats.n_units
        whole = np.issubdtype(rows.dtype, np.integer)
        self.dtype = np.float32 if whole and largest < EXACT_IN_FLOAT32 else np.float64
        self.columns = np.ascontiguousarray(rows[first].T, dtype=self.dtype)
        self.index = np.array(index).reshape(stats.values.shape[2], len(stats.values))
        self.score, self.over_runs = stats.metric.score, stats.over_runs

    def totals(self, counts: np.ndarray) -> np.ndarray:
        """Return sums of each distinct column, (columns, rows), for counts (rows, units)."""
        return np.ascontiguousarray((counts @ self.columns).T)

    def scores(self, counts: np.ndarray) -> np.ndarray:
        """Return the score of each system in each resample, (systems, rows), for counts (rows, units)."""
        return self.scores_of(self.totals(counts))

    def scores_of(self, totals: np.ndarray) -> np.ndarray:
        """Return the score of each system, the mean over its runs, (systems, rows), for totals (columns, rows)."""
        of_outputs = totals[self.index].astype(np.float64)
        return self.over_runs(self.score(np.moveaxis(of_outputs, 0, -1)))


class Strata:
    """The distinct columns of every test set (``matrices``) and of every stratum, whose units are drawn together."""

    def __init__(self, stats: Sample) -> None:
        self.matrices = [DistinctColumns(part) for part in stats.test_sets]
        # Counts of each stratum have the type of its widest columns.
        self.columns: list[np.ndarray] = []
        self.streams: list[tuple[int, int]] = []
        self.weights = stats.weights
        self.of_test_set: list[list[tuple[int, np.ndarray]]] = [[] for _ in stats.test_sets]
        for number, stratum in enumerate(stats.strata):
            first = next(iter(stratum.units))
            self.streams.append((first, sum(test_set == first for test_set, _ in self.streams)))
            for test_set, units in stratum.units.items():
                columns = self.matrices[test_set].columns
                in_order = np.array_equal(units, np.arange(len(columns)))
                self.of_test_set[test_set].append((number, columns if in_order else columns[units]))
            widest = max(
                (self.of_test_set[test_set][-1][1] for test_set in stratum.units), key=lambda columns: columns.itemsize
            )
            self.columns.append(widest)

    def totals(self, counts: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Sum each distinct column of each test set, (columns, rows), for counts (rows, units) of each stratum."""
        totals = []
        for strata in self.of_test_set:
            sums = [counts[number] @ columns for number, columns in strata]
            totals.append(np.ascontiguousarray(sum(sums[1:], sums[0]).T))
        return totals

    def mean_scores(self, counts: Sequence[np.ndarray]) -> np.ndarray:
        """Return the score of each system in each resample, the weighted mean over the test sets, (systems, rows)."""
        each = [matrix.scores_of(totals) for matrix, totals in zip(self.matrices, self.totals(counts), strict=True)]
        parts = (scores * weight / sum(self.weights) for scores, weight in zip(each, self.weights, strict=True))
        return each[0] if len(each) == 1 else sum(parts, np.zeros(()))


def piece_rows(columns: Sequence[np.ndarray]) -> int:
    """Return the number of rows of counts held at a time for all strata with these columns (units, any) together."""
    return max(1, min(BLOCK, COUNT_BYTES // sum(stratum[:, :1].nbytes for stratum in columns)))
