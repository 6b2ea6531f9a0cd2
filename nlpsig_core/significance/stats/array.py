"""Sample: the sufficient statistics of all systems by unit, on one test set (Stats) or several (MacroStats)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Self

import numpy as np

from nlpsig_core.base.digests import digest, digest_of
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.metrics.items.ranks import ranked
from nlpsig_core.significance.stats.entries import Entries
from nlpsig_core.significance.stats.gradient import gradient
from nlpsig_core.significance.stats.strata import Stratum, apart
from nlpsig_core.significance.stats.weights import weighted_mean


class Sample(ABC):
    """Statistics of the same systems on one test set or several; a score is the mean over a system's runs.

    Over several test sets it is the mean, by ``weights``. ``strata`` state which units are resampled together.
    """

    names: tuple[str, ...]
    metric: Metric
    unit: str
    runs: tuple[int, ...]

    @property
    @abstractmethod
    def test_sets(self) -> tuple[Stats, ...]:
        """The statistics on each test set."""

    @property
    def weights(self) -> tuple[float, ...]:
        """The weight of each test set in the mean, by default equal."""
        return (1.0,) * len(self.test_sets)

    @property
    def strata(self) -> tuple[Stratum, ...]:
        """Groups of units, each resampled on its own; by default a test set each."""
        return apart([part.n_units for part in self.test_sets])

    @property
    def several_runs(self) -> bool:
        """Whether a system has several runs."""
        return max(self.runs, default=1) > 1

    @property
    def n_systems(self) -> int:
        """Number of systems."""
        return len(self.names)

    @property
    def n_pairs(self) -> int:
        """Number of pairs of systems."""
        return self.n_systems * (self.n_systems - 1) // 2

    @property
    def n_units(self) -> int:
        """Number of units of all test sets."""
        return sum(part.n_units for part in self.test_sets)

    @property
    def fewest_units(self) -> int:
        """Number of units of the smallest test set."""
        return min(part.n_units for part in self.test_sets)

    @property
    def n_shared(self) -> int:
        """Number of units that several test sets share."""
        return sum(stratum.n_units for stratum in self.strata if len(stratum.units) > 1)

    @cached_property
    def digest(self) -> str:
        """A name for the content."""
        shared = [units for stratum in self.strata for units in stratum.units.items()] if self.n_shared else []
        together = [(number, units.tolist()) for number, units in shared]
        weights = () if len(set(self.weights)) == 1 else (self.weights,)
        return digest_of("macro-average", [part.digest for part in self.test_sets], together, *weights)

    @cached_property
    def run_scores(self) -> np.ndarray:
        """The score of each output, (outputs,)."""
        return weighted_mean([part.run_scores for part in self.test_sets], self.weights)

    @cached_property
    def scores(self) -> np.ndarray:
        """The score of each system, (systems,)."""
        return weighted_mean([part.scores for part in self.test_sets], self.weights)

    def rows(self, system: int) -> slice:
        """Return the rows of a system's outputs, by its index."""
        start = sum(self.runs[:system])
        return slice(start, start + self.runs[system])

    @abstractmethod
    def select(self, systems: Sequence[int] | np.ndarray) -> Self:
        """Return some of the systems, by index, with all their runs on the same units."""

    def named(self, systems: Sequence[str]) -> Self:
        """Return some of the systems, by name."""
        return self.select([self.names.index(system) for system in systems])


@dataclass(frozen=True, eq=False)
class Stats(Sample):
    """Statistics of one metric on one test set, (outputs, units, k), read-only, with the systems' names.

    A system has one output, or as many consecutive ones as ``runs`` states; its score is the mean over them. ``unit``
    is the name of a unit; ``unit_sizes`` (units,) is the number of smaller units in each (sentences in a document),
    1 by default. Where the score is one of the weighted sample, smaller units are not summed: ``values`` are theirs,
    (outputs, entries, k), those of each unit side by side.
    """

    names: tuple[str, ...]
    values: np.ndarray
    metric: Metric
    _: KW_ONLY
    unit: str = "sentence"
    runs: tuple[int, ...] = ()
    unit_sizes: np.ndarray | None = None

    def __post_init__(self) -> None:
        if not self.runs:
            object.__setattr__(self, "runs", (1,) * len(self.names))
        if self.values.ndim != 3 or self.values.shape[0] != sum(self.runs) or len(self.runs) != len(self.names):
            with_runs = f" with {sum(self.runs)} runs" if self.several_runs else ""
            raise ValueError(f"statistics of shape {self.values.shape} for {len(self.names)} systems{with_runs}")
        self.values.flags.writeable = False

    @property
    def test_sets(self) -> tuple[Stats, ...]:
        """The only test set."""
        return (self,)

    @property
    def of_outputs(self) -> list[str]:
        """The system of each output, (outputs,)."""
        return [name for name, runs in zip(self.names, self.runs, strict=True) for _ in range(runs)]

    @property
    def sizes(self) -> np.ndarray:
        """The number of smaller units in each unit, (units,): sentences in a document, 1 for a sentence."""
        return np.ones(self.n_units, dtype=np.int64) if self.unit_sizes is None else self.unit_sizes

    @property
    def n_units(self) -> int:
        """Number of units."""
        return int(self.values.shape[1]) if self.unit_sizes is None else len(self.unit_sizes)

    @cached_property
    def digest(self) -> str:
        """A name for the content: the numbers, the metric and the sizes of documents, not the systems' names."""
        content = digest(np.ascontiguousarray(self.values).tobytes())
        runs = self.runs if self.several_runs else ()
        sizes = () if self.unit_sizes is None else (self.unit_sizes.tolist(),)
        answers = ("answers",) if runs and self.metric.family.answers else ()
        return digest_of(self.metric.name, self.values.shape, self.values.dtype.str, runs, content, *sizes, *answers)

    def over_runs(self, values: np.ndarray) -> np.ndarray:
        """Return the mean over each system's runs, (systems, ...), of values by output, (outputs, ...)."""
        if not self.several_runs:
            return values
        runs = np.reshape(self.runs, (-1, *(1,) * (values.ndim - 1)))
        return np.asarray(np.add.reduceat(values, np.cumsum((0, *self.runs[:-1])), axis=0) / runs)

    @property
    def _wide(self) -> type:
        """The type of sums."""
        return np.int64 if np.issubdtype(self.values.dtype, np.integer) else np.float64

    @cached_property
    def totals(self) -> np.ndarray:
        """Sums over units, (outputs, k)."""
        return np.asarray(self.values.sum(axis=1, dtype=self._wide))

    @cached_property
    def run_scores(self) -> np.ndarray:
        """The score of each output, (outputs,)."""
        if self.metric.sample is None:
            return self.metric.score(self.totals)
        return self.metric.sample(self.values)(np.ones((1, self.values.shape[1])))[:, 0]

    @cached_property
    def scores(self) -> np.ndarray:
        """The score of each system, the mean over its runs, (systems,)."""
        return self.over_runs(self.run_scores)

    @cached_property
    def unit_scores(self) -> np.ndarray:
        """The score of each unit alone, the mean over runs, (systems, units), read-only.

        Where a unit has no score, it is the unit's contribution: the corpus score plus the unit's influence. The mean
        of contributions is the corpus score. Higher is not better for every metric.
        """
        if self.metric.by_unit:
            scores = self.over_runs((self.metric.unit_score or self.metric.score)(self.values.astype(self._wide)))
        else:
            scores = self.scores[:, None] + self.influences()
        scores.flags.writeable = False
        return scores

    def influences(self) -> np.ndarray:
        """Return the influence of each unit on its system's corpus score, (systems, units), 0 on average.

        The infinitesimal jackknife (Efron 1982, chapter 6): if unit i counts w_i times, n times in all, the score moves
        by about the mean of w_i times influence i. For a score that is a mean over units, the influence is the unit's
        score minus the mean; for others it follows from the score's gradient. For several runs it is their mean.
        """
        if self.metric.sample is None:
            slopes = gradient(self.metric.score, self.totals.astype(np.float64))
            pull = self.n_units * np.einsum("suk,sk->su", self.values, slopes)
        else:
            pull = self.n_units * self.entries.sums(self.metric.sample(self.values).gradient())
        return self.over_runs(pull - pull.mean(axis=1, keepdims=True))

    @property
    def interchangeable(self) -> np.ndarray:
        """Values of which systems can take one another's: ranks, where the order of values alone decides the score."""
        return self.values if self.metric.sample is None else ranked(self.values)

    @property
    def entries(self) -> Entries:
        """The entries of ``values`` that make up each unit."""
        return Entries(None if self.metric.sample is None else self.unit_sizes)

    def take(self, units: np.ndarray) -> Stats:
        """Return the same systems on some of the units (indices or a mask)."""
        sizes = None if self.unit_sizes is None else self.unit_sizes[units]
        return replace(self, values=self.values[:, self.entries.of(units)], unit_sizes=sizes)

    def select(self, systems: Sequence[int] | np.ndarray) -> Self:
        """Return some of the systems, by index, with all their runs on the same units."""
        rows = [row for i in systems for row in range(len(self.values))[self.rows(i)]]
        names, runs = tuple(self.names[i] for i in systems), tuple(self.runs[i] for i in systems)
        return replace(self, names=names, values=self.values[rows], runs=runs)

    def keep(self, outputs: np.ndarray) -> Stats:
        """Return some of the outputs, by mask (outputs,); a system that keeps none is left out."""
        if outputs.all():
            return self
        left = [int(outputs[self.rows(i)].sum()) for i in range(self.n_systems)]
        names = tuple(name for name, runs in zip(self.names, left, strict=True) if runs)
        return replace(self, names=names, values=self.values[outputs], runs=tuple(filter(None, left)))

    def group_by(self, labels: Sequence[str] | np.ndarray, unit: str) -> Stats:
        """Return statistics summed by label (documents as units), in the order of first appearance.

        Values of a score of the weighted sample stay apart, and are sorted by label.
        """
        _, first, group = np.unique(np.asarray(labels), return_index=True, return_inverse=True)
        group = np.argsort(np.argsort(first))[group]
        sizes = np.bincount(group, weights=self.sizes).astype(np.int64)
        values = self.values[:, self.entries.of(np.argsort(group, kind="stable"))]
        if self.metric.sample is None:
            starts = np.searchsorted(np.sort(group), np.arange(len(first)))
            values = np.add.reduceat(values.astype(self._wide), starts, axis=1)
        return replace(self, values=values, unit=unit, unit_sizes=sizes)


@dataclass(frozen=True, eq=False)
class MacroStats(Sample):
    """Statistics on several test sets.

    Where runs are answers, whose number may differ between tasks, test sets can have different numbers of them.
    ``strata`` are those of ``strata_of``, ``weights`` those of ``weights_of``.
    """

    test_sets: tuple[Stats, ...] = ()
    strata: tuple[Stratum, ...] = ()
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        first = self.test_sets[0] if self.test_sets else None
        if first is None or any(part.names != first.names for part in self.test_sets):
            raise ValueError("a macro-average needs test sets with the same systems in the same order")
        if not first.metric.family.answers and any(part.runs != first.runs for part in self.test_sets):
            raise ValueError("a macro-average needs test sets with the same runs of each system")
        same_unit = len({part.unit for part in self.test_sets}) == 1
        vars(self).update(
            names=first.names,
            metric=first.metric,
            unit=first.unit if same_unit else "unit",
            runs=tuple(map(max, zip(*(part.runs for part in self.test_sets), strict=True))),
            strata=self.strata or super().strata,
            weights=self.weights or super().weights,
        )

    def select(self, systems: Sequence[int] | np.ndarray) -> Self:
        """Return some of the systems, by index, on the same test sets."""
        return replace(self, test_sets=tuple(part.select(systems) for part in self.test_sets))
