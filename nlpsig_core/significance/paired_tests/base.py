"""Test, an entry of the registry of paired tests, and PValues, its result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from nlpsig_core.significance.paired_tests.sources import Source
from nlpsig_core.significance.stats.array import Sample


@dataclass(frozen=True, eq=False, kw_only=True)
class PValues:
    """p of every pair by one test: ``one_sided`` in favour of the observed winner, and ``two_sided``, (pairs,) each.

    ``n_resamples`` is 0 if p comes from a formula. ``details`` holds further numbers for each pair, such as units won.
    ``counts_observed`` is True if p is (hits + 1) / (b + 1), and False if it is hits / b as in the paper.
    ``halved`` is True if hits are counted for the two-sided p and the one-sided p is half of it.
    """

    one_sided: np.ndarray
    two_sided: np.ndarray
    n_resamples: int = 0
    details: Mapping[str, np.ndarray] = field(default_factory=dict)
    counts_observed: bool = True
    halved: bool = False

    @property
    def hits(self) -> tuple[np.ndarray, np.ndarray]:
        """The hits behind the one-sided and the two-sided p, whole numbers, (pairs,) each; 0 if p is by a formula."""
        one_sided, two_sided = (self.two_sided if self.halved else self.one_sided), self.two_sided
        return self._hits(one_sided), self._hits(two_sided)

    def _hits(self, p: np.ndarray) -> np.ndarray:
        b = self.n_resamples
        counted = p * (b + 1) - 1 if self.counts_observed else p * b
        hits: np.ndarray = np.rint(counted if b else np.zeros_like(p)).astype(np.int64)
        return hits

    @property
    def error(self) -> np.ndarray:
        """Monte-Carlo standard error of the one-sided p, (pairs,); 0 if p comes from a formula.

        Without a hit it is 3 / b, the 95% bound on p (rule of three; Hanley and Lippman-Hand 1983).
        """
        b = self.n_resamples
        if not b:
            return np.zeros(len(self.one_sided))
        share, counted = (0.5, self.two_sided) if self.halved else (1.0, self.one_sided)
        return share * np.where(self.hits[0] > 0, np.sqrt(counted * (1 - counted) / b), 3 / b)

    @property
    def never_zero(self) -> tuple[np.ndarray, np.ndarray]:
        """One-sided and two-sided p as (hits + 1) / (b + 1), (pairs,) each, for adjustments.

        The observed gain counts as one more resample, so that p is never 0 (Davison and Hinkley 1997, section 4.4.2).
        """
        if self.counts_observed:
            return self.one_sided, self.two_sided
        b = self.n_resamples
        one_sided, two_sided = (np.minimum((p * b + 1) / (b + 1), 1.0) for p in (self.one_sided, self.two_sided))
        return one_sided, two_sided


@dataclass(frozen=True, kw_only=True)
class Test:
    """A test of the difference between two systems on the same units, for many pairs at once.

    Everything that the project says about a test is in its entry of ``TESTS``:

    - ``label``: its name in a sentence, with "the" before it unless ``takes_article`` is False.
    - ``statistic``: what it compares. ``by_unit`` tests compare the scores of single units, and so may favour the
      system with the worse corpus score.
    - ``null``, ``assumes``: the null hypothesis and the further assumptions, in sentences.
    - ``contrast``: how it differs from the paper's rule, in sentences, with {unit} for the name of a unit; "" for the
      paper's rule itself.
    - ``source``: where it is described, with the section. ``cites``: what a paper that uses it cites.
    - ``draws``: what it draws at random ``n_resamples`` times; "" if p comes from a formula.
    - ``run(stats, pairs, recipe, progress=None)``: its p-values of pairs (m, 2), the better corpus score first.
    - ``applies(stats)``: "", or the reason why the test cannot be used.
    """

    # pytest must not collect it.
    __test__ = False

    name: str
    label: str
    statistic: str
    null: str
    assumes: str
    source: str
    cites: tuple[Source, ...]
    run: Callable[..., PValues]
    applies: Callable[[Sample], str] = lambda stats: ""
    contrast: str = ""
    draws: str = ""
    by_unit: bool = False
    takes_article: bool = True

    @property
    def resamples(self) -> bool:
        """Whether p rests on random draws."""
        return bool(self.draws)


def chunks(n_pairs: int, size: int) -> Iterator[slice]:
    """Yield slices of consecutive pairs, ``size`` at a time (at least one), to bound memory."""
    size = max(1, size)
    for start in range(0, n_pairs, size):
        yield slice(start, min(start + size, n_pairs))
