"""Stats: the sufficient statistics of all systems in all units, and what can be done with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nlpsig_core.digests import digest, digest_of
from nlpsig_core.metrics.base import Metric
from nlpsig_core.stats.strata import Stratum, apart


@dataclass(frozen=True, eq=False)
class Stats:
    """Statistics of one metric, (outputs, units, k), whole or real numbers, read-only, with the systems' names.

    A system has one output, or as many as ``runs`` says, which stand together in the order of the systems; its score
    is the mean of theirs. ``unit`` is what the units are called; ``unit_sizes`` (units,) how many smaller ones each of
    them holds, 1 unless told.
    """

    names: tuple[str, ...]
    values: np.ndarray
    metric: Metric
    unit: str = "sentence"
    runs: tuple[int, ...] = ()
    unit_sizes: np.ndarray | None = None

    def __post_init__(self) -> None:
        if not self.runs:
            object.__setattr__(self, "runs", (1,) * len(self.names))
        if self.values.ndim != 3 or self.values.shape[0] != sum(self.runs) or len(self.runs) != len(self.names):
            of_runs = f" with {sum(self.runs)} runs" if self.several_runs else ""
            raise ValueError(f"statistics of shape {self.values.shape} for {len(self.names)} systems{of_runs}")
        self.values.flags.writeable = False

    @property
    def test_sets(self) -> tuple[Stats, ...]:
        """The only test set: itself."""
        return (self,)

    @property
    def sizes(self) -> np.ndarray:
        """How many smaller units each unit holds, (units,): sentences of a document; 1 for a sentence."""
        return np.ones(self.n_units, dtype=np.int64) if self.unit_sizes is None else self.unit_sizes

    @property
    def strata(self) -> tuple[Stratum, ...]:
        """The units that are resampled together: all of them."""
        return (Stratum({0: np.arange(self.n_units)}),)

    @property
    def n_systems(self) -> int:
        """Number of systems."""
        return len(self.names)

    @property
    def n_shared(self) -> int:
        """Number of units that several test sets share: none."""
        return 0

    @property
    def n_together(self) -> int:
        """Number of units that are resampled together: all of them."""
        return self.n_units

    @property
    def several_runs(self) -> bool:
        """Whether a system has several runs."""
        return max(self.runs, default=1) > 1

    @property
    def n_units(self) -> int:
        """Number of units, what is resampled."""
        return self.values.shape[1]

    @property
    def n_pairs(self) -> int:
        """Number of pairs of systems."""
        return self.n_systems * (self.n_systems - 1) // 2

    @cached_property
    def digest(self) -> str:
        """A name for the content: the numbers and the metric, not the systems' names."""
        content = digest(np.ascontiguousarray(self.values).tobytes())
        runs = self.runs if self.several_runs else ()
        return digest_of(self.metric.name, self.values.shape, self.values.dtype.str, runs, content)

    def rows(self, system: int) -> slice:
        """Where the outputs of a system are, by its index."""
        start = sum(self.runs[:system])
        return slice(start, start + self.runs[system])

    def over_runs(self, values: np.ndarray) -> np.ndarray:
        """The mean over the runs of each system, (systems, ...), of something known of each output, (outputs, ...)."""
        if not self.several_runs:
            return values
        starts = np.cumsum((0, *self.runs[:-1]))
        return np.add.reduceat(values, starts, axis=0) / np.reshape(self.runs, (-1, *(1,) * (values.ndim - 1)))

    @property
    def _wide(self) -> type:
        """The type that sums are made in."""
        return np.int64 if np.issubdtype(self.values.dtype, np.integer) else np.float64

    @cached_property
    def totals(self) -> np.ndarray:
        """Sums over units, (outputs, k)."""
        return self.values.sum(axis=1, dtype=self._wide)

    @cached_property
    def run_scores(self) -> np.ndarray:
        """The metric of each output, (outputs,)."""
        return self.metric.score(self.totals)

    @cached_property
    def scores(self) -> np.ndarray:
        """The metric of each system, the mean over its runs, (systems,)."""
        return self.over_runs(self.run_scores)

    @cached_property
    def unit_scores(self) -> np.ndarray:
        """The metric of each unit alone, the mean over runs, (systems, units), read-only.

        A higher one is not better for every metric.
        """
        scores = self.over_runs((self.metric.unit_score or self.metric.score)(self.values.astype(self._wide)))
        scores.flags.writeable = False
        return scores

    def take(self, units: np.ndarray) -> Stats:
        """The same systems on some of the units (indices or a mask)."""
        sizes = None if self.unit_sizes is None else self.unit_sizes[units]
        return Stats(self.names, self.values[:, units], self.metric, self.unit, self.runs, sizes)

    def of(self, systems: Sequence[int] | np.ndarray) -> Stats:
        """Some of the systems, by index, with all their runs on the same units."""
        chosen = list(systems)
        rows = [row for i in chosen for row in range(self.values.shape[0])[self.rows(i)]]
        names, runs = (tuple(of[i] for i in chosen) for of in (self.names, self.runs))
        return Stats(names, self.values[rows], self.metric, self.unit, runs, self.unit_sizes)

    def keep(self, outputs: np.ndarray) -> Stats:
        """Some of the outputs, by mask (outputs,); a system that keeps none is left out."""
        if outputs.all():
            return self
        left = [int(outputs[self.rows(i)].sum()) for i in range(self.n_systems)]
        names = tuple(name for name, runs in zip(self.names, left, strict=True) if runs)
        runs = tuple(filter(None, left))
        return Stats(names, self.values[outputs], self.metric, self.unit, runs, self.unit_sizes)

    def group_by(self, labels: Sequence[str] | np.ndarray, unit: str) -> Stats:
        """Statistics summed inside each label, in the order of first appearance: documents as units."""
        _, first, place = np.unique(np.asarray(labels), return_index=True, return_inverse=True)
        place = np.argsort(np.argsort(first))[place]
        in_order: np.ndarray = self.values[:, np.argsort(place, kind="stable")].astype(self._wide)
        starts = np.searchsorted(np.sort(place), np.arange(len(first)))
        sizes = np.bincount(place, weights=self.sizes).astype(np.int64)
        return Stats(self.names, np.add.reduceat(in_order, starts, axis=1), self.metric, unit, self.runs, sizes)


@dataclass(frozen=True, eq=False)
class MacroStats:
    """Statistics of the same systems on several test sets; a score is the mean of those on each of them.

    ``strata`` (``strata_of``) say which units are resampled together; without them each test set is by itself.
    """

    test_sets: tuple[Stats, ...]
    strata: tuple[Stratum, ...] = ()

    def __post_init__(self) -> None:
        first = self.test_sets[0] if self.test_sets else None
        if first is None or any((part.names, part.runs) != (first.names, first.runs) for part in self.test_sets):
            raise ValueError("the test sets of a macro-average need the same systems in the same order")
        if not self.strata:
            object.__setattr__(self, "strata", apart([part.n_units for part in self.test_sets]))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the systems."""
        return self.test_sets[0].names

    @property
    def runs(self) -> tuple[int, ...]:
        """Number of runs of each system."""
        return self.test_sets[0].runs

    @property
    def several_runs(self) -> bool:
        """Whether a system has several runs."""
        return self.test_sets[0].several_runs

    @property
    def metric(self) -> Metric:
        """The metric whose scores are averaged."""
        return self.test_sets[0].metric

    @property
    def unit(self) -> str:
        """What is resampled within each test set."""
        return self.test_sets[0].unit

    @property
    def n_systems(self) -> int:
        """Number of systems."""
        return self.test_sets[0].n_systems

    @property
    def n_units(self) -> int:
        """Number of units of all test sets."""
        return sum(part.n_units for part in self.test_sets)

    @property
    def n_shared(self) -> int:
        """Number of units that several test sets have."""
        return sum(stratum.n_units for stratum in self.strata if len(stratum.places) > 1)

    @property
    def n_together(self) -> int:
        """Number of units of a stratum, on average over those of the test set where they are smallest."""
        times = [sum(part in stratum.places for stratum in self.strata) for part in range(len(self.test_sets))]
        return min(part.n_units // of_part for part, of_part in zip(self.test_sets, times, strict=True))

    @property
    def n_pairs(self) -> int:
        """Number of pairs of systems."""
        return self.test_sets[0].n_pairs

    @cached_property
    def digest(self) -> str:
        """A name for the content."""
        shared = [places for stratum in self.strata for places in stratum.places.items()] if self.n_shared else []
        together = [(number, places.tolist()) for number, places in shared]
        return digest_of("macro-average", [part.digest for part in self.test_sets], together)

    @cached_property
    def run_scores(self) -> np.ndarray:
        """The mean score of each output, (outputs,)."""
        return np.mean([part.run_scores for part in self.test_sets], axis=0)

    @cached_property
    def scores(self) -> np.ndarray:
        """The mean score of each system, (systems,)."""
        return np.mean([part.scores for part in self.test_sets], axis=0)

    def rows(self, system: int) -> slice:
        """Where the outputs of a system are, by its index."""
        return self.test_sets[0].rows(system)

    def of(self, systems: Sequence[int] | np.ndarray) -> MacroStats:
        """Some of the systems, by index, on the same test sets."""
        return MacroStats(tuple(part.of(systems) for part in self.test_sets), self.strata)
