"""Rows of the validation table: the promise, the measurement, and whether the promise is kept."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nlpsig_core.significance.resampling.recipe import Resampling

# Worlds of a cell are simulated and tested in chunks of this size, each chunk with its own resamples.
WORLDS_AT_A_TIME = 500
# A promise counts as kept if it is missed by at most this many Monte-Carlo errors.
ERRORS = 2.0


class Row(NamedTuple):
    """A promise and its measurement, for ``n`` units of which ``differing`` differ ("" if that is irrelevant)."""

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
    """The setting of a row: section, kind of statistic, units, differing units."""

    section: str
    statistic: str
    n: int | str = ""
    differing: str = ""

    def row(self, test: str, promised: float, values: np.ndarray, at_most: bool = True) -> Row:
        """Return the row of a promise about the mean of ``values`` (worlds,): at most ``promised``, or at least.

        NaN are ignored. The Monte-Carlo error is the standard error of the mean.
        """
        known = np.asarray(values, dtype=float)
        known = known[np.isfinite(known)]
        measured, error, kept = np.nan, np.nan, "-"
        if len(known):
            measured, error = float(known.mean()), float(known.std() / np.sqrt(len(known)))
            missed = measured - promised if at_most else promised - measured
            kept = "yes" if missed <= ERRORS * error + 1e-12 else "no"
        setting = (self.section, test, self.statistic, f"{self.n}", self.differing)
        return Row(*setting, promised, measured, len(known), error, kept)


@dataclass(frozen=True)
class Effort:
    """The number of worlds per cell and of resamples per world; ``quick`` omits most sizes."""

    worlds: int = 10_000
    resamples: int = 2_000
    quick: bool = False

    def sizes(self, *sizes: int) -> tuple[int, ...]:
        """Return all sizes, or only the second if ``quick``."""
        return sizes[1:2] if self.quick else sizes

    def part(self, share: float) -> int:
        """Return the number of worlds of a cell with costlier worlds: this ``share`` of the others', at least four."""
        return max(4, round(share * self.worlds))

    def chunks(self, at_a_time: int = WORLDS_AT_A_TIME, share: float = 1.0) -> list[int]:
        """Return the sizes of the chunks that a ``share`` of the worlds is divided into."""
        whole, left = divmod(self.part(share), at_a_time)
        return [at_a_time] * whole + [left] * bool(left)

    def recipe(self, *key: object) -> Resampling:
        """Return a recipe whose resamples belong to this key alone."""
        return Resampling(self.resamples, _number(key))


def stream(*key: object) -> np.random.Generator:
    """Return the generator of a key, the same in every run."""
    return np.random.default_rng(_number(key))


def _number(key: tuple[object, ...]) -> int:
    return zlib.crc32(repr(key).encode())
