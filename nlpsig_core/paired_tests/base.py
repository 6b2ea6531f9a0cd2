"""What a test of pairs of systems is, and what it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from nlpsig_core.resampling import Progress, Resampling
from nlpsig_core.stats import MacroStats, Stats


@dataclass(frozen=True, eq=False)
class PValues:
    """p of every pair by one test: ``one_sided`` in favour of the observed winner, ``two_sided``, (pairs,) each.

    ``n_resamples`` is 0 where p comes by a formula; ``error`` is the Monte-Carlo standard error of ``one_sided``;
    ``details`` are further numbers of each pair, such as the units won.
    """

    one_sided: np.ndarray
    two_sided: np.ndarray
    n_resamples: int = 0
    details: Mapping[str, np.ndarray] = field(default_factory=dict)

    @property
    def error(self) -> np.ndarray:
        """Monte-Carlo standard error of the one-sided p, (pairs,); 0 where p comes by a formula."""
        if not self.n_resamples:
            return np.zeros(len(self.one_sided))
        return np.sqrt(self.one_sided * (1 - self.one_sided) / self.n_resamples)


class Run(Protocol):
    """What gives the p-values of pairs of systems of some statistics (Stats, or MacroStats as well)."""

    def __call__(
        self, stats: Any, pairs: np.ndarray, recipe: Resampling, progress: Progress | None = None
    ) -> PValues: ...


@dataclass(frozen=True)
class Test:
    """A test of the difference of two systems on the same units, for many pairs at once.

    ``statistic`` is what it looks at, ``null`` what it takes for granted until the data say otherwise, ``assumes``
    what else has to hold, ``source`` where it comes from. ``run(stats, pairs, recipe, progress)`` takes pairs (m, 2)
    of systems, the one with the better corpus score first; the recipe matters where it ``resamples``.
    ``applies(stats)`` is "" or the reason why the test cannot be used.
    """

    # Not a class of tests for pytest.
    __test__ = False

    name: str
    label: str
    statistic: str
    null: str
    assumes: str
    source: str
    resamples: bool
    run: Run
    applies: Callable[[Stats | MacroStats], str] = lambda stats: ""


def chunks(n_pairs: int, size: int) -> Iterator[slice]:
    """Neighbouring pairs, ``size`` of them at a time (one at least), so that memory is bounded."""
    size = max(1, size)
    for start in range(0, n_pairs, size):
        yield slice(start, min(start + size, n_pairs))
