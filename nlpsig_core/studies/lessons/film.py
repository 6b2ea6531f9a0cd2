"""The numbers of the film on the Learn page: one pair of systems, put through the engine.

The film opens with a small made-up test set: two taggers A and B tag the same sentences of ten words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.comparison.classes import DIFFERENT
from nlpsig_core.significance.comparison.pair_table import pair_table
from nlpsig_core.significance.comparison.thresholds import threshold_table
from nlpsig_core.significance.resampling.blocks import Progress, nth_of
from nlpsig_core.significance.resampling.bootstrap import bootstrap, observed_gains
from nlpsig_core.significance.resampling.gains import FINEST, common_step, gain_step, resampled_gains
from nlpsig_core.significance.resampling.kernels import draw
from nlpsig_core.significance.resampling.recipe import BLOCK, Resampling
from nlpsig_core.significance.resampling.streams import Purpose, generator
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.studies.lessons.equal_systems import pairs_of_sets
from nlpsig_core.studies.lessons.null_world import p_in_worlds, swapped_gains
from nlpsig_core.studies.lessons.rules import by_rules

WORDS = 10
# Right words of each tagger, sentence by sentence.
RIGHT_A = (
    10, 8, 10, 8, 9, 9, 8, 9, 10, 10, 9, 8, 8, 10, 10, 9, 9, 10, 10, 9, 9, 10, 8, 8, 10, 8, 8, 6, 10, 9, 10, 10,
    10, 7, 10, 10, 9, 10, 9, 10,
)  # fmt: skip
RIGHT_B = (
    10, 8, 9, 9, 9, 10, 9, 9, 10, 9, 7, 7, 9, 9, 10, 10, 9, 9, 10, 9, 8, 9, 8, 9, 9, 6, 8, 8, 8, 9, 10, 9,
    10, 8, 8, 10, 9, 9, 9, 7,
)  # fmt: skip
# Resamples, and those of each world.
RESAMPLES, WORLD_RESAMPLES = 10_000, 2_000
# Resamples whose draws are shown one by one, and the fewest resamples that the film counts in.
DRAWN, FIRST = 8, 1_000
# The units, and the draws of a resample, that a figure has room for.
SHOWN = 1_000
WORLDS = 1_000
SETS = 100
TAGGERS = 30
SIZES = (40, 160, 640)
# How the taggers of the last scenes are made: the mean and the standard deviation of a sentence's ease, and the
# standard deviation of a tagger's ability, in logits.
EASE, EASE_SPREAD, ABILITY_SPREAD = 2.2, 0.8, 0.35
# Bars of a histogram, and steps of a gain that varies continuously, in a standard error of the gain.
BARS, FINE = 5, 1_000


class Size(NamedTuple):
    """All pairs of taggers on a test set: gain and two-sided p of each, and the threshold of the gain.

    ``pairs`` has the columns gain, p (two-sided, corrected for few sentences) and significant; ``threshold`` is
    the gain that 95% of such pairs need at most to be significant.
    """

    pairs: pd.DataFrame
    threshold: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Film:
    """Hold what the scenes show of a pair, winner first; gains are whole numbers of ``step``.

    ``stats`` are those of A and B. ``drawn`` (DRAWN, SHOWN) holds the first draws of the first resamples, and ``times``
    (DRAWN, units) how often each unit is in them. ``gains`` and ``swapped`` (b,) are the gains of A in resamples and in
    swaps. A histogram's bar is ``bar`` steps wide; possible gains near 0 are ``lattice`` steps apart, 0 if there are no
    such steps. ``worlds`` is a table of ``null_world.p_in_worlds`` with the column gain, ``rules`` one of
    ``rules.by_rules``, ``sets`` one of ``equal_systems.pairs_of_sets``; ``sizes`` are the pairs of made-up taggers by
    number of sentences.
    """

    stats: Stats
    step: float
    bar: float
    lattice: float
    gain: int
    drawn: np.ndarray
    times: np.ndarray
    gains: np.ndarray
    swapped: np.ndarray
    worlds: pd.DataFrame
    rules: pd.DataFrame
    sets: pd.DataFrame
    sizes: Mapping[int, Size]

    @property
    def above_twice(self) -> int:
        """The number of resamples beyond twice the gain: the hits of the one-sided p."""
        return int((self.gains > 2 * self.gain).sum())

    @property
    def below_zero(self) -> int:
        """The number of resamples in which B wins: the further hits of the two-sided p."""
        return int((self.gains < 0).sum())

    @property
    def swaps_won(self) -> int:
        """The number of swaps with the gain or more in favour of A."""
        return int((self.swapped >= self.gain).sum())

    @property
    def swaps_lost(self) -> int:
        """The number of swaps with the gain or more in favour of B."""
        return int((self.swapped <= -self.gain).sum())


def made_up() -> Stats:
    """Return the statistics of the two made-up taggers."""
    return _stats([RIGHT_A, RIGHT_B], names=("A", "B"))


def film(stats: Stats | None = None, seed: int = 0, progress: Progress | None = None) -> Film:
    """Compute the numbers of all scenes on two systems, winner first, by default the made-up taggers.

    ``stats`` has two systems with one run each. Where no pair is given, the equal systems are made of two taggers too.
    """
    crowd = taggers(max(SIZES))
    mixed = crowd.select([0, 1]).take(np.arange(SIZES[1])) if stats is None else stats
    stats, recipe = made_up() if stats is None else stats, Resampling(RESAMPLES, seed)
    (gain, *_), (tie, *_) = observed_gains(stats, np.array([[0, 1]]))
    gains = resampled_gains(stats, recipe, nth_of(progress, 0, 5))
    swapped = swapped_gains(stats, recipe, nth_of(progress, 1, 5))
    worlds = p_in_worlds(stats, WORLDS, Resampling(WORLD_RESAMPLES, seed), nth_of(progress, 2, 5))
    rules = by_rules(stats, gains, recipe, nth_of(progress, 3, 5))
    sets = pairs_of_sets(mixed, recipe, SETS, nth_of(progress, 4, 5))
    step = _step(gain, gains)
    steps, lattice = round(gain / step), round(gain_step(stats) / step, 6)
    units = np.stack([drawn_units(recipe, stats.n_units, resample) for resample in range(DRAWN)])
    return Film(
        stats=stats,
        step=step,
        bar=_bar(float(gains.std()) / step, lattice),
        lattice=lattice,
        gain=steps,
        drawn=units[:, :SHOWN],
        times=np.stack([np.bincount(drawn, minlength=stats.n_units) for drawn in units]),
        gains=_in_steps(gains, step, steps, tie),
        swapped=_in_steps(swapped, step, steps, tie),
        worlds=worlds.assign(gain=np.rint(worlds["gain_of_first"] / step).astype(int)),
        rules=rules,
        sets=sets,
        sizes={size: pairs_on(crowd.take(np.arange(size))) for size in SIZES},
    )


def _step(gain: float, gains: np.ndarray) -> float:
    """Return the step in which all gains come, or a fine one of which the ``gain`` is a multiple."""
    error = float(gains.std())
    step = common_step(np.append(gains, gain), FINEST * error)
    return step or gain / max(12, round(gain / error * FINE))


def _bar(error: float, lattice: float) -> float:
    """Return the width of a bar, about a BARS-th of an ``error``; all bars hold equally many possible gains."""
    width = error / BARS
    return lattice * (2 * (width // lattice // 2) + 1) if lattice else max(1.0, round(width))


def _in_steps(gains: np.ndarray, step: float, gain: int, tie: float) -> np.ndarray:
    """Round gains to whole numbers of ``step``, (b,), but never across 0, the ``gain``, its negative or its double.

    Gains within a ``tie`` of one of these become that, so whole numbers are counted as the tests count gains.
    """
    steps = np.rint(gains / step).astype(np.int64)
    for bound in (-gain, 0, gain, 2 * gain):
        beyond = gains - bound * step
        steps = np.where(beyond > tie, np.maximum(steps, bound + 1), steps)
        steps = np.where(beyond < -tie, np.minimum(steps, bound - 1), steps)
        steps = np.where(np.abs(beyond) <= tie, bound, steps)
    return steps


def drawn_units(recipe: Resampling, n_units: int, resample: int) -> np.ndarray:
    """Return the units of one resample of the recipe, (n_units,) indices from 0, in the order of the draws.

    Each unit is drawn as often as in the resample of that number (from 0) of ``bootstrap``, which keeps no order: all
    orders are equally likely, and this is one of them.
    """
    block, row = divmod(resample, BLOCK)
    counts = np.empty((row + 1, n_units), dtype=np.float64)
    draw(recipe.stream(block), counts)
    units = np.repeat(np.arange(n_units), counts[row].astype(np.int64))
    return generator(recipe.seed, Purpose.LESSON_ORDER, resample).permutation(units)


def taggers(sentences: int) -> Stats:
    """Make TAGGERS taggers of different ability; a sentence that is easy for one is easy for all."""
    rng = generator(0, Purpose.LESSON_FILM)
    ease, ability = rng.normal(EASE, EASE_SPREAD, sentences), rng.normal(0, ABILITY_SPREAD, TAGGERS)
    return _stats(rng.binomial(WORDS, 1 / (1 + np.exp(-ease - ability[:, None]))))


def pairs_on(stats: Stats) -> Size:
    """Test all pairs of systems, and return them with the threshold that follows."""
    result = bootstrap(stats, Resampling(RESAMPLES))
    classes = np.full(len(result.pairs), DIFFERENT, dtype=object)
    pairs = pair_table(result, stats, classes, np.array(stats.names, dtype=object))
    threshold = threshold_table(pairs)["model_threshold"].iloc[0]
    return Size(pairs=pairs[["gain", "p", "significant"]], threshold=float(threshold))


def _stats(right: object, names: tuple[str, ...] = ()) -> Stats:
    """Return the statistics of systems from their right words, (systems, sentences)."""
    tags = np.asarray(right)
    values = np.stack([tags, np.full_like(tags, WORDS)], axis=-1)
    return Stats(names or tuple(str(n) for n in range(1, len(tags) + 1)), values, METRICS["tagging-accuracy"])
