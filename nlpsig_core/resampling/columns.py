"""Distinct columns of statistics side by side: how a resample's totals of all systems come from one product."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlpsig_core.resampling.recipe import BLOCK
from nlpsig_core.stats.array import Stats
from nlpsig_core.stats.sample import Sample

COUNT_BYTES = 64_000_000
EXACT_IN_FLOAT32 = 2**24


class DistinctColumns:
    """The distinct columns of statistics side by side, (units, columns), and where each output's are.

    Gold counts are shared and duplicate systems cost nothing. float32 where statistics are whole numbers and
    every sum a resample can have stays below 2^24, since then it is exact; else float64.
    """

    def __init__(self, stats: Stats) -> None:
        rows = stats.values.transpose(2, 0, 1).reshape(-1, stats.n_units)
        places: dict[bytes, int] = {}
        place = [places.setdefault(np.ascontiguousarray(row).tobytes(), len(places)) for row in rows]
        _, first = np.unique(place, return_index=True)
        largest = float(np.abs(rows).max(initial=0)) * stats.n_units
        whole = np.issubdtype(rows.dtype, np.integer)
        self.dtype = np.float32 if whole and largest < EXACT_IN_FLOAT32 else np.float64
        self.columns = np.ascontiguousarray(rows[first].T, dtype=self.dtype)
        self.place = np.array(place).reshape(stats.values.shape[2], len(stats.values))
        self.score, self.over_runs = stats.metric.score, stats.over_runs

    def totals(self, counts: np.ndarray) -> np.ndarray:
        """Sums of each distinct column, (columns, rows), from how often each unit counts in each row."""
        return np.ascontiguousarray((counts @ self.columns).T)

    def scores(self, counts: np.ndarray) -> np.ndarray:
        """The score of each system in each resample, (systems, rows), from how often each unit is drawn."""
        return self.scores_of(self.totals(counts))

    def scores_of(self, totals: np.ndarray) -> np.ndarray:
        """The score of each system, the mean over its runs, (systems, rows), from totals (columns, rows)."""
        of_outputs = totals[self.place].astype(np.float64)
        return self.over_runs(self.score(np.moveaxis(of_outputs, 0, -1)))


class Strata:
    """The distinct columns of every test set (``matrices``) and of every stratum of units that are drawn together."""

    def __init__(self, stats: Sample) -> None:
        self.matrices = [DistinctColumns(part) for part in stats.test_sets]
        # What is drawn of each stratum has the type of its widest columns.
        self.columns: list[np.ndarray] = []
        self.streams: list[tuple[int, int]] = []
        self.of_part: list[list[tuple[int, np.ndarray]]] = [[] for _ in stats.test_sets]
        for number, stratum in enumerate(stats.strata):
            first = next(iter(stratum.places))
            self.streams.append((first, sum(part == first for part, _ in self.streams)))
            for part, places in stratum.places.items():
                columns = self.matrices[part].columns
                in_order = np.array_equal(places, np.arange(len(columns)))
                self.of_part[part].append((number, columns if in_order else columns[places]))
            self.columns.append(max((self.of_part[part][-1][1] for part in stratum.places), key=lambda of: of.itemsize))

    def totals(self, counts: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Sums of each distinct column of each test set, (columns, rows), from how often units count.

        ``counts`` are (rows, units) of each stratum.
        """
        found = []
        for of_part in self.of_part:
            sums = [counts[number] @ columns for number, columns in of_part]
            found.append(np.ascontiguousarray(sum(sums[1:], sums[0]).T))
        return found

    def mean_scores(self, counts: Sequence[np.ndarray]) -> np.ndarray:
        """The score of each system in each resample, the mean over the test sets, (systems, rows)."""
        each = [matrix.scores_of(of_part) for matrix, of_part in zip(self.matrices, self.totals(counts), strict=True)]
        return each[0] if len(each) == 1 else sum((of_part / len(each) for of_part in each), np.zeros(()))


def piece_rows(columns: Sequence[np.ndarray]) -> int:
    """How many rows of random numbers are held at a time for strata of units with these columns (units, any)."""
    return max(1, min(BLOCK, *(COUNT_BYTES // of_part[:, :1].nbytes for of_part in columns)))
