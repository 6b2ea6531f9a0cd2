"""The gain on a test set and on its first units, and one resample drawn unit by unit.

Functions take the statistics of two systems, the observed winner first; a gain is the first system's gain over the
second.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from nlpsig_core.significance.resampling.kernels import draw
from nlpsig_core.significance.resampling.recipe import BLOCK, Resampling
from nlpsig_core.significance.resampling.streams import Purpose, generator
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.studies.pair.units import LOSSES, TIES, WINS, unit_gains


def running_gain(stats: Stats) -> pd.DataFrame:
    """A row a unit, in the order of the test set: unit (from 1), gain, outcome, running.

    ``gain`` is the gain of the unit alone, ``outcome`` whether the first system wins, loses or ties it, and ``running``
    the gain in the corpus score on all units up to this one.
    """
    alone = unit_gains(stats)["gain"].to_numpy()
    outcome = np.select([alone > 0, alone < 0], [WINS, LOSSES], TIES)
    scores = stats.metric.score(np.cumsum(stats.values, axis=1, dtype=stats.totals.dtype))
    running = stats.metric.sign * (scores[0] - scores[1])
    units = np.arange(1, stats.n_units + 1)
    return pd.DataFrame({"unit": units, "gain": alone, "outcome": outcome, "running": running})


def drawn_units(recipe: Resampling, n_units: int, resample: int) -> np.ndarray:
    """The units of one resample of the recipe, (n_units,) indices from 0, in the order of the draws.

    Each unit is drawn as often as in the resample of that number (from 0) of ``bootstrap``, which keeps no order: all
    orders are equally likely, and this is one of them.
    """
    block, row = divmod(resample, BLOCK)
    counts = np.empty((row + 1, n_units), dtype=np.float64)
    draw(recipe.stream(block), counts)
    units = np.repeat(np.arange(n_units), counts[row].astype(np.int64))
    return generator(recipe.seed, Purpose.LESSON_ORDER, resample).permutation(units)


def gain_on(stats: Stats, units: np.ndarray) -> float:
    """The gain on some units (indices, which may repeat); 0 for none."""
    totals = stats.values[:, units].sum(axis=1, dtype=stats.totals.dtype)
    first, second = stats.metric.score(totals)
    return float(stats.metric.sign * (first - second))
