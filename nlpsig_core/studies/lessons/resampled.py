"""The gains of one pair on a growing number of resamples, and the events that may be counted among them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from nlpsig_core.significance.resampling.blocks import Progress
from nlpsig_core.significance.resampling.bootstrap import ties
from nlpsig_core.significance.resampling.gains import gain_step, resampled_gains
from nlpsig_core.significance.resampling.recipe import BLOCK, Resampling
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.studies.pair.resampled import binned, equal_edges

# Events: delta* > delta, delta* > 2 delta (the paper's figure 1), delta* < 0 (its footnote 2).
ONCE, TWICE, BELOW = "once", "twice", "below"
EVENTS = (ONCE, TWICE, BELOW)
BINS_PER_ERROR = 6
# Standard errors shown on either side of the gain.
REACH = 4.2


@dataclass(frozen=True, eq=False, kw_only=True)
class Resampled:
    """The gains of a pair on the resamples of a recipe: their histogram, and the number of hits of each event.

    ``bins`` has the columns gain (the middle), width, resamples, and those of EVENTS: how many of the bin's resamples
    are hits. The edges are those of ``pair.resampled.equal_edges``. The bins and the displayed range ``low`` to
    ``high`` depend only on the seed, so that they do not move when resamples are added. ``error`` is the standard
    deviation of the gains in the first block.
    """

    gain: float
    n_resamples: int
    hits: Mapping[str, int]
    bins: pd.DataFrame
    error: float
    low: float
    high: float

    def share(self, event: str) -> float:
        """The share of resamples that are hits of an event: p by that rule."""
        return self.hits[event] / self.n_resamples

    @property
    def two_sided(self) -> float:
        """The share of resamples beyond twice the gain or below 0."""
        return min(self.share(TWICE) + self.share(BELOW), 1.0)


def resampled(stats: Stats, recipe: Resampling, progress: Progress | None = None) -> Resampled:
    """The resampled gains of a pair, winner first, with the same resamples, and so the same p, as ``bootstrap``."""
    gains = resampled_gains(stats, recipe, progress)
    pilot = resampled_gains(stats, Resampling(BLOCK, recipe.seed))
    first, second = stats.metric.sign * stats.scores
    gain, tie = float(first - second), float(ties(first, second))
    error = float(pilot.std(ddof=1))
    counted = {ONCE: gains > gain + tie, TWICE: gains > 2 * gain + tie, BELOW: gains < -tie}
    width = error / BINS_PER_ERROR or gain / BINS_PER_ERROR or 1.0
    edges = equal_edges(float(gains.min()), float(gains.max()), width, gain, gain_step(stats))
    bins = binned(gains, edges, counted)
    hits = {event: int(hit.sum()) for event, hit in counted.items()}
    reach = REACH * error
    low, high = min(gain - reach, -0.2 * gain), max(gain + reach, 2.2 * gain)
    return Resampled(gain=gain, n_resamples=recipe.n_resamples, hits=hits, bins=bins, error=error, low=low, high=high)
