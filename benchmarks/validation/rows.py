"""A row of the table: what is promised, what was measured, and whether that is kept."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nlpsig_core.resampling.recipe import Resampling

# Worlds of one cell are made and tested so many at a time, each time with resamples of their own.
WORLDS_AT_A_TIME = 500
# A promise is kept where it is missed by no more than so many Monte-Carlo errors.
ERRORS = 2.0


class Row(NamedTuple):
    """A promise and what was measured; ``n`` units, ``differing`` units ("" where it does not matter)."""

    section: str
    test: str
    statistic: str
    n: str
    differing: str
    promised: float
    measured: float
    worlds: int
    monte_carlo_error: float
    kept: str


class Cell(NamedTuple):
    """What a row is about: section, kind of statistic, units, differing units."""

    section: str
    statistic: str
    n: int | str = ""
    differing: str = ""

    def row(self, test: str, promised: float, values: np.ndarray, at_most: bool = True) -> Row:
        """The row of a promise about the mean of ``values`` (worlds,): ``at_most`` so much, or at least.

        NaN are left out. The Monte-Carlo error is the standard error of the mean.
        """
        known = np.asarray(values, dtype=float)
        known = known[np.isfinite(known)]
        measured, error, kept = np.nan, np.nan, "-"
        if len(known):
            measured, error = float(known.mean()), float(known.std() / np.sqrt(len(known)))
            missed = measured - promised if at_most else promised - measured
            kept = "yes" if missed <= ERRORS * error + 1e-12 else "no"
        what = (self.section, test, self.statistic, f"{self.n}", self.differing)
        return Row(*what, promised, measured, len(known), error, kept)


@dataclass(frozen=True)
class Effort:
    """How many worlds a cell has and how many resamples each; ``quick`` leaves most sizes out."""

    worlds: int = 10_000
    resamples: int = 2_000
    quick: bool = False

    def sizes(self, *sizes: int) -> tuple[int, ...]:
        """All sizes, or where it is quick the second alone."""
        return sizes[1:2] if self.quick else sizes

    def part(self, share: float) -> int:
        """How many worlds a cell has whose worlds cost more, a ``share`` of the others'; four at least."""
        return max(4, round(share * self.worlds))

    def chunks(self, at_a_time: int = WORLDS_AT_A_TIME, share: float = 1.0) -> list[int]:
        """How many worlds are made at a time, of a share of all."""
        whole, left = divmod(self.part(share), at_a_time)
        return [at_a_time] * whole + [left] * bool(left)

    def recipe(self, *key: object) -> Resampling:
        """Resamples of their own for each key."""
        return Resampling(self.resamples, _number(key))


def stream(*key: object) -> np.random.Generator:
    """The random numbers of a key: the same in every run."""
    return np.random.default_rng(_number(key))


def _number(key: tuple[object, ...]) -> int:
    return zlib.crc32(repr(key).encode())
