"""Null worlds, in which neither system is better: in each unit a coin decides which output belongs to which system."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.significance.paired_tests.bootstrap import run
from nlpsig_core.significance.resampling.blocks import Progress, nth_of
from nlpsig_core.significance.resampling.bootstrap import observed_gains
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.streams import Purpose, generator
from nlpsig_core.significance.stats.array import Stats

WORLDS_AT_A_TIME = 100
# A histogram is not flat if the chi-squared test of flat bars has a p below this.
NOT_FLAT = 0.01


class Flatness(NamedTuple):
    """A comparison of a histogram of p-values with a flat one, over the bars that should be flat.

    ``p_value`` is that of the chi-squared test that a world is equally likely to be in any of the ``bars``; ``outside``
    counts the bars outside their 95% band.
    """

    p_value: float
    bars: int
    outside: int

    @property
    def is_flat(self) -> bool:
        """Whether the test does not reject flat bars at the level NOT_FLAT."""
        return self.p_value >= NOT_FLAT


def swaps(n_units: int, worlds: int, seed: int, shuffle: int = 0) -> np.ndarray:
    """Whether the two systems swap outputs, (worlds, units); more worlds of a shuffle extend fewer."""
    chunks = []
    for chunk in range(-(-worlds // WORLDS_AT_A_TIME)):
        rng = generator(seed, Purpose.LESSON_SWAPS, shuffle, chunk)
        chunks.append(rng.random((WORLDS_AT_A_TIME, n_units)) < 0.5)
    return np.asarray(np.vstack(chunks)[:worlds])


def swapped(stats: Stats, swap: np.ndarray) -> Stats:
    """The two systems of every world, (2 worlds) systems; ``swap`` is (worlds, units) or (units,) for one world."""
    swap = np.atleast_2d(swap)[..., None]
    first, second = np.where(swap, stats.values[1], stats.values[0]), np.where(swap, stats.values[0], stats.values[1])
    values = np.stack([first, second], axis=1).reshape(-1, *stats.values.shape[1:])
    names = tuple(f"{name} {world}" for world in range(1, len(swap) + 1) for name in ("first", "second"))
    return Stats(names, values, stats.metric, unit=stats.unit)


def winners_first(stats: Stats) -> np.ndarray:
    """The pair of each world's two systems, (worlds, 2), the one with the better score first."""
    first, second = (stats.metric.sign * stats.scores).reshape(-1, 2).T
    other_wins = (first < second).astype(np.intp)
    index = 2 * np.arange(len(first))
    return np.stack([index + other_wins, index + 1 - other_wins], axis=1)


def p_in_worlds(
    stats: Stats, worlds: int, recipe: Resampling, shuffle: int = 0, progress: Progress | None = None
) -> pd.DataFrame:
    """A row a world: gain (of its winner), p_value (one-sided) and p_two_sided, by the paired bootstrap.

    All worlds share the resamples of the recipe. In the long run, the two-sided p is below alpha in a share alpha of
    the worlds, and the winner's one-sided p in twice that share, since the winner is chosen after looking.
    """
    tables, swap = [], swaps(stats.n_units, worlds, recipe.seed, shuffle)
    chunks = range(0, worlds, WORLDS_AT_A_TIME)
    for index, start in enumerate(chunks):
        some = swapped(stats, swap[start : start + WORLDS_AT_A_TIME])
        pairs = winners_first(some)
        p = run(some, pairs, recipe, nth_of(progress, index, len(chunks)))
        gain, _ = observed_gains(some, pairs)
        tables.append(pd.DataFrame({"gain": gain, "p_value": p.one_sided, "p_two_sided": p.two_sided}))
    return pd.concat(tables, ignore_index=True)


def p_histogram(p: np.ndarray, level: float, flat_to: float = 1.0, n_bins: int = 20) -> pd.DataFrame:
    """The number of p-values in each of ``n_bins`` equal bins from 0 to 1, and the number expected if they were flat.

    Columns low, high, worlds, below (those with p < level), flat, flat_low, flat_high: the expected number if p is
    uniform from 0 to ``flat_to``, and its 95% range (binomial).
    """
    from scipy.stats import binom

    edges = np.round(np.linspace(0, 1, n_bins + 1), 12)
    inside = np.clip(flat_to - edges[:-1], 0, 1 / n_bins) / flat_to
    low, high = binom.ppf([[0.025], [0.975]], len(p), inside)
    return pd.DataFrame(
        {
            "low": edges[:-1],
            "high": edges[1:],
            "worlds": np.histogram(p, edges)[0],
            "below": np.histogram(p[p < level], edges)[0],
            "flat": len(p) * inside,
            "flat_low": np.where(inside > 0, low, 0.0),
            "flat_high": np.where(inside > 0, high, 0.0),
        }
    )


def flatness(bins: pd.DataFrame) -> Flatness:
    """The flatness of a ``p_histogram`` over the bars that should be flat."""
    from scipy.stats import chisquare

    bars = bins[bins["flat"] > 0]
    expected = bars["flat"] * bars["worlds"].sum() / bars["flat"].sum()
    p = float(chisquare(bars["worlds"], expected).pvalue) if bars["worlds"].any() else 0.0
    return Flatness(p, len(bars), int((~bars["worlds"].between(bars["flat_low"], bars["flat_high"])).sum()))


def differing(stats: Stats) -> np.ndarray:
    """The units in which the statistics of the two systems differ, (units,) mask; swaps elsewhere change nothing."""
    return np.asarray((stats.values[0] != stats.values[1]).any(axis=1))


def is_as_expected(alarms: int, worlds: int, share: float) -> bool:
    """Whether the number of false alarms is a share of the worlds, within a third of it or three standard errors."""
    expected, error = share * worlds, np.sqrt(worlds * share * (1 - share))
    return bool(abs(alarms - expected) <= max(expected / 3, 3 * error))
