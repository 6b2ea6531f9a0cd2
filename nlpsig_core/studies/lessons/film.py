"""The numbers of the film on the Learn page: a small made-up test set, put through the engine.

Two taggers A and B tag the same sentences of ten words. All scores are therefore whole numbers of right words, and
every gain of the film is one as well.
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
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.gains import resampled_gains
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.streams import Purpose, generator
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.studies.lessons.equal_systems import pairs_of_sets
from nlpsig_core.studies.lessons.null_world import p_in_worlds, swapped, swaps
from nlpsig_core.studies.lessons.sample import drawn_units

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
RECIPE = Resampling(10_000)
# Resamples whose draws are shown one by one, and the fewest resamples that the film counts in.
DRAWN, FIRST = 8, 1_000
WORLDS, WORLD_RECIPE = 1_000, Resampling(2_000)
SETS = 100
TAGGERS = 30
SIZES = (40, 160, 640)
# How the taggers of the last scenes are made: the mean and the standard deviation of a sentence's ease, and the
# standard deviation of a tagger's ability, in logits.
EASE, EASE_SPREAD, ABILITY_SPREAD = 2.2, 0.8, 0.35


class Size(NamedTuple):
    """All pairs of taggers on a test set: gain and two-sided p of each, and the threshold of the gain.

    ``pairs`` has the columns gain, p (two-sided, corrected for few sentences) and significant; ``threshold`` is
    the gain that 95% of such pairs need at most to be significant.
    """

    pairs: pd.DataFrame
    threshold: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Film:
    """What the scenes show.

    ``stats`` are those of A and B, ``drawn`` (DRAWN, sentences) the sentences of the first resamples in the order of
    the draws, ``gains`` (b,) the gain of A on each resample of RECIPE, in words. ``worlds`` is a table of
    ``null_world.p_in_worlds``, and ``world_gains`` the gain of A in each of them, in words; ``sets`` is a table of
    ``equal_systems.pairs_of_sets``; ``sizes`` are the pairs of taggers by number of sentences.
    """

    stats: Stats
    drawn: np.ndarray
    gains: np.ndarray
    worlds: pd.DataFrame
    world_gains: np.ndarray
    sets: pd.DataFrame
    sizes: Mapping[int, Size]

    @property
    def gain(self) -> int:
        """The gain of A on the test set, in words."""
        return int(in_words(gains_of_first(self.stats), self.stats)[0])

    def points(self, words: float) -> float:
        """A number of words in points of the score."""
        return 100 * words / (WORDS * self.stats.n_units)

    @property
    def above_twice(self) -> int:
        """The number of resamples beyond twice the gain: the hits of the one-sided p."""
        return int((self.gains > 2 * self.gain).sum())

    @property
    def below_zero(self) -> int:
        """The number of resamples in which B wins: the further hits of the two-sided p."""
        return int((self.gains < 0).sum())


def film(progress: Progress | None = None) -> Film:
    """Compute the numbers of all scenes; always the same."""
    stats, crowd = _stats([RIGHT_A, RIGHT_B], names=("A", "B")), taggers(max(SIZES))
    points = resampled_gains(stats, RECIPE, nth_of(progress, 0, 4))
    worlds = p_in_worlds(stats, WORLDS, WORLD_RECIPE, progress=nth_of(progress, 1, 4))
    in_worlds = swapped(stats, swaps(stats.n_units, WORLDS, WORLD_RECIPE.seed))
    two = crowd.of([0, 1]).take(np.arange(SIZES[1]))
    sets = pairs_of_sets(two, RECIPE, SETS, progress=nth_of(progress, 2, 4))
    sizes = {size: pairs_on(crowd.take(np.arange(size))) for size in SIZES}
    return Film(
        stats=stats,
        drawn=np.stack([drawn_units(RECIPE, stats.n_units, resample) for resample in range(DRAWN)]),
        gains=in_words(points, stats),
        worlds=worlds,
        world_gains=in_words(gains_of_first(in_worlds), stats),
        sets=sets,
        sizes=sizes,
    )


def gains_of_first(stats: Stats) -> np.ndarray:
    """The gain of the first system of every two over the second, in points."""
    first, second = stats.scores.reshape(-1, 2).T
    return np.asarray(first - second)


def in_words(gains: np.ndarray, stats: Stats) -> np.ndarray:
    """Gains in points on the sentences of ``stats`` as whole numbers of words."""
    return np.rint(gains / 100 * WORDS * stats.n_units).astype(np.int64)


def taggers(sentences: int) -> Stats:
    """TAGGERS made-up taggers of different ability; a sentence that is easy for one is easy for all."""
    rng = generator(0, Purpose.LESSON_FILM)
    ease, ability = rng.normal(EASE, EASE_SPREAD, sentences), rng.normal(0, ABILITY_SPREAD, TAGGERS)
    return _stats(rng.binomial(WORDS, 1 / (1 + np.exp(-ease - ability[:, None]))))


def pairs_on(stats: Stats) -> Size:
    """All pairs of systems, and the threshold that follows from them."""
    result = bootstrap(stats, RECIPE)
    classes = np.full(len(result.pairs), DIFFERENT, dtype=object)
    pairs = pair_table(result, stats, classes, np.array(stats.names, dtype=object))
    threshold = threshold_table(pairs)["model_threshold"].iloc[0]
    return Size(pairs=pairs[["gain", "p", "significant"]], threshold=float(threshold))


def _stats(right: object, names: tuple[str, ...] = ()) -> Stats:
    """The statistics of systems with so many right words in each sentence, (systems, sentences)."""
    tags = np.asarray(right)
    values = np.stack([tags, np.full_like(tags, WORDS)], axis=-1)
    return Stats(names or tuple(str(n) for n in range(1, len(tags) + 1)), values, METRICS["tagging-accuracy"])
