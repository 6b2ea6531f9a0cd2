"""What a test of pairs of systems is, and what it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from nlpsig_core.resampling.blocks import Progress
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.stats.sample import Sample


@dataclass(frozen=True, eq=False)
class PValues:
    """p of every pair by one test: ``one_sided`` in favour of the observed winner, ``two_sided``, (pairs,) each.

    ``n_resamples`` is 0 where p comes by a formula; ``details`` are further numbers of each pair, such as the units
    won. ``counts_observed`` says that p is (hits + 1) / (b + 1) already; the paper's is hits / b.
    ``halved`` says that hits are counted for the two-sided p and the one-sided is half of it.
    """

    one_sided: np.ndarray
    two_sided: np.ndarray
    n_resamples: int = 0
    details: Mapping[str, np.ndarray] = field(default_factory=dict)
    counts_observed: bool = True
    halved: bool = False

    @property
    def error(self) -> np.ndarray:
        """Monte-Carlo standard error of the one-sided p, (pairs,); 0 where p comes by a formula.

        Where no resample was a hit it is 3 / b, the 95 % bound on p (the rule of three; Hanley and Lippman-Hand 1983).
        """
        b = self.n_resamples
        if not b:
            return np.zeros(len(self.one_sided))
        share, counted = (0.5, self.two_sided) if self.halved else (1.0, self.one_sided)
        hits = np.rint(counted * (b + 1) - 1 if self.counts_observed else counted * b)
        return share * np.where(hits > 0, np.sqrt(counted * (1 - counted) / b), 3 / b)

    @property
    def never_zero(self) -> tuple[np.ndarray, np.ndarray]:
        """One-sided and two-sided p as (hits + 1) / (b + 1), (pairs,) each, for adjustments: p = 0 claims too much.

        The observed gain counts as one more resample (Davison and Hinkley 1997, section 4.4.2).
        """
        if self.counts_observed:
            return self.one_sided, self.two_sided
        b = self.n_resamples
        one_sided, two_sided = (np.minimum((p * b + 1) / (b + 1), 1.0) for p in (self.one_sided, self.two_sided))
        return one_sided, two_sided


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
    applies: Callable[[Sample], str] = lambda stats: ""


def chunks(n_pairs: int, size: int) -> Iterator[slice]:
    """Neighbouring pairs, ``size`` of them at a time (one at least), so that memory is bounded."""
    size = max(1, size)
    for start in range(0, n_pairs, size):
        yield slice(start, min(start + size, n_pairs))
