"""Stats: the sufficient statistics of all systems in all units, and what can be done with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nlpsig_core.files import digest, digest_of
from nlpsig_core.metrics.base import Metric


@dataclass(frozen=True, eq=False)
class Stats:
    """Statistics of one metric, (systems, units, k), whole or real numbers, read-only, with the systems' names.

    ``unit`` is what the units are called; ``unit_sizes`` (units,) how many smaller ones each of
    them holds, 1 unless told.
    """

    names: tuple[str, ...]
    values: np.ndarray
    metric: Metric
    unit: str = "sentence"
    unit_sizes: np.ndarray | None = None

    def __post_init__(self) -> None:
        if self.values.ndim != 3 or self.values.shape[0] != len(self.names):
            raise ValueError(f"statistics of shape {self.values.shape} for {len(self.names)} systems")
        self.values.flags.writeable = False

    @property
    def parts(self) -> tuple[Stats, ...]:
        """What is resampled within itself: these units alone."""
        return (self,)

    @property
    def sizes(self) -> np.ndarray:
        """How many smaller units each unit holds, (units,): sentences of a document; 1 for a sentence."""
        return np.ones(self.n_units, dtype=np.int64) if self.unit_sizes is None else self.unit_sizes

    @property
    def n_systems(self) -> int:
        """Number of systems."""
        return self.values.shape[0]

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
        return digest_of(self.metric.name, self.values.shape, self.values.dtype.str, content)

    @property
    def _wide(self) -> type:
        """The type that sums are made in."""
        return np.int64 if np.issubdtype(self.values.dtype, np.integer) else np.float64

    @cached_property
    def totals(self) -> np.ndarray:
        """Sums over units, (systems, k)."""
        return self.values.sum(axis=1, dtype=self._wide)

    @cached_property
    def scores(self) -> np.ndarray:
        """The metric of each system, (systems,)."""
        return self.metric.score(self.totals)

    @cached_property
    def unit_scores(self) -> np.ndarray:
        """The metric of each unit alone, (systems, units), read-only; a higher one is not better for every metric."""
        scores = (self.metric.unit_score or self.metric.score)(self.values.astype(self._wide))
        scores.flags.writeable = False
        return scores

    def take(self, units: np.ndarray) -> Stats:
        """The same systems on some of the units (indices or a mask)."""
        sizes = None if self.unit_sizes is None else self.unit_sizes[units]
        return Stats(self.names, self.values[:, units], self.metric, self.unit, sizes)

    def of(self, systems: Sequence[int] | np.ndarray) -> Stats:
        """Some of the systems, by index, on the same units."""
        chosen = list(systems)
        names = tuple(self.names[i] for i in chosen)
        return Stats(names, self.values[chosen], self.metric, self.unit, self.unit_sizes)

    def group_by(self, labels: Sequence[str] | np.ndarray, unit: str) -> Stats:
        """Statistics summed inside each label, in the order of first appearance: documents as units."""
        _, first, place = np.unique(np.asarray(labels), return_index=True, return_inverse=True)
        place = np.argsort(np.argsort(first))[place]
        in_order: np.ndarray = self.values[:, np.argsort(place, kind="stable")].astype(self._wide)
        starts = np.searchsorted(np.sort(place), np.arange(len(first)))
        sizes = np.bincount(place, weights=self.sizes).astype(np.int64)
        return Stats(self.names, np.add.reduceat(in_order, starts, axis=1), self.metric, unit, sizes)


@dataclass(frozen=True, eq=False)
class MacroStats:
    """Statistics of the same systems on several test sets; a score is the mean of those on each of them."""

    parts: tuple[Stats, ...]

    def __post_init__(self) -> None:
        if not self.parts or any(part.names != self.parts[0].names for part in self.parts):
            raise ValueError("the test sets of a macro-average need the same systems in the same order")

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the systems."""
        return self.parts[0].names

    @property
    def metric(self) -> Metric:
        """The metric whose scores are averaged."""
        return self.parts[0].metric

    @property
    def unit(self) -> str:
        """What is resampled within each test set."""
        return self.parts[0].unit

    @property
    def n_systems(self) -> int:
        """Number of systems."""
        return self.parts[0].n_systems

    @property
    def n_units(self) -> int:
        """Number of units of all test sets."""
        return sum(part.n_units for part in self.parts)

    @property
    def n_pairs(self) -> int:
        """Number of pairs of systems."""
        return self.parts[0].n_pairs

    @cached_property
    def digest(self) -> str:
        """A name for the content."""
        return digest_of("macro-average", [part.digest for part in self.parts])

    @cached_property
    def scores(self) -> np.ndarray:
        """The mean score of each system, (systems,)."""
        return np.mean([part.scores for part in self.parts], axis=0)

    def of(self, systems: Sequence[int] | np.ndarray) -> MacroStats:
        """Some of the systems, by index, on the same test sets."""
        return MacroStats(tuple(part.of(systems) for part in self.parts))
