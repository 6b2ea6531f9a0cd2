"""Sample: what resampling needs of statistics, on one test set (Stats) or several (MacroStats)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.significance.stats.strata import Stratum


class Sample(Protocol):
    """Statistics of the same systems on one test set or several, and which units are drawn together."""

    @property
    def test_sets(self) -> tuple[Stats, ...]:
        """The statistics on each test set."""

    @property
    def strata(self) -> tuple[Stratum, ...]:
        """Groups of units, each resampled on its own."""

    @property
    def weights(self) -> tuple[float, ...]:
        """The weight of each test set in the mean."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the systems."""

    @property
    def runs(self) -> tuple[int, ...]:
        """Number of runs of each system."""

    @property
    def several_runs(self) -> bool:
        """Whether any system has several runs."""

    @property
    def metric(self) -> Metric:
        """The metric of the scores."""

    @property
    def unit(self) -> str:
        """What is resampled."""

    @property
    def n_systems(self) -> int:
        """Number of systems."""

    @property
    def n_units(self) -> int:
        """Number of units in all test sets together."""

    @property
    def n_shared(self) -> int:
        """Number of units that several test sets share."""

    @property
    def n_together(self) -> int:
        """Number of units that are resampled together; over several test sets, the smallest mean by stratum."""

    @property
    def n_pairs(self) -> int:
        """Number of pairs of systems."""

    @property
    def digest(self) -> str:
        """A name for the content."""

    @property
    def run_scores(self) -> np.ndarray:
        """The score of each output, (outputs,)."""

    @property
    def scores(self) -> np.ndarray:
        """The score of each system, (systems,): the mean over its runs and over test sets."""

    def rows(self, system: int) -> slice:
        """The outputs of a system, by its index."""

    def of(self, systems: Sequence[int] | np.ndarray) -> Sample:
        """Some of the systems, by index."""
