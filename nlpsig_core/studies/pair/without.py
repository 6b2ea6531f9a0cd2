"""A pair without the units that pull most towards its winner: its gain, its p, and how few units carry the result.

Every function takes the statistics of two systems, the observed winner first; a gain is the first system's gain over
the second.

Leaving out units chosen by their gains is not a test: it lowers every gain, and the units left are no longer a sample
of any population. It only shows on how few units a result rests.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.base.words import count
from nlpsig_core.significance.comparison.notion import BOOTSTRAP, HOLM, Notion
from nlpsig_core.significance.comparison.pair_table import bound_of, decide, small_sample
from nlpsig_core.significance.comparison.verdict import SEEN_FROM_THE_LOSER
from nlpsig_core.significance.paired_tests import p_by
from nlpsig_core.significance.paired_tests.small_sample import differences, least_p, small_sample_p
from nlpsig_core.significance.resampling.blocks import Progress, nth_of
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.columns import scored_by
from nlpsig_core.significance.resampling.gains import checked_pair
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.studies.pair.units import FEWEST_UNITS, MOST_WEIGHTS, QUICK, ROWS_AT_A_TIME, gain_of, unit_gains

# A search for the units that carry a result takes no more: the Monte Carlo error of a p of 0.05 is then 0.0007.
MOST_RESAMPLES = 100_000
# Resamplings that a search for the units that carry a result usually takes.
USUAL_TRIES = 2


@dataclass(frozen=True, kw_only=True)
class Without:
    """A pair without the ``k`` units that pull most towards its winner, a ``share`` of all units.

    ``p`` is that of the pair on its own on the remaining ``units``, by a notion and its test; it is 1 if the gain of
    the winner on all units is gone or reversed. ``p_bound`` is what p is below where no resample was a hit.
    """

    k: int
    share: float
    units: int
    score_a: float
    score_b: float
    gain: float
    p: float = 1.0
    p_bound: float = math.nan
    significant: bool = False


def without_top(stats: Stats, k: int) -> np.ndarray:
    """Return the indices, rising, of the units left without the ``k`` that pull most towards the first system.

    Pulls are measured on all units; they may change once some units are gone.
    """
    most = checked_pair(stats).n_units - FEWEST_UNITS
    if not 0 <= k <= most:
        raise ChoiceError(
            f"{count(k, stats.unit)} left out: there are {stats.n_units:,}; choose between 0 and {most:,}"
        )
    return np.sort(_by_pull(stats)[k:])


def gain_without(stats: Stats) -> pd.DataFrame:
    """Return the gain without the k units that pull most, for k = 0, 1, ...: k, share (of all units), gain.

    The last row is the first with a gain of 0 or less, or else the one with a single unit left. Where the score is one
    of the weighted sample, and units are many, k rises in larger steps.
    """
    checked_pair(stats)
    order = _by_pull(stats)
    k, gain = _gains_of_sums(stats, order) if stats.metric.sample is None else _gains_of_samples(stats, order)
    gone = gain <= 0
    last = int(gone.argmax()) if gone.any() else len(gain) - 1
    k = k[: last + 1]
    return pd.DataFrame({"k": k, "share": k / stats.n_units, "gain": gain[: last + 1]})


def _gains_of_sums(stats: Stats, order: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return k = 0, 1, ... and the gain without the first k units in this order."""
    # Sums over the units left: subtracting the others from the total would leave rounding errors.
    left = np.cumsum(stats.values[:, order[::-1]], axis=1, dtype=stats.totals.dtype)[:, ::-1]
    return np.arange(stats.n_units), gain_of(stats, stats.over_runs(stats.metric.score(left)))


def _gains_of_samples(stats: Stats, order: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return some k from 0 and the gain without the first k units in this order, up to one without gain."""
    ks = np.arange(0, stats.n_units, -(-stats.n_units * stats.values.shape[1] // MOST_WEIGHTS))
    place, scorer, gains = np.argsort(order), scored_by(stats), np.empty(0)
    for start in range(0, len(ks), ROWS_AT_A_TIME):
        weights = (place >= ks[start : start + ROWS_AT_A_TIME, None]).astype(np.float64)
        gains = np.append(gains, gain_of(stats, scorer.scores_of(weights)))
        if (gains <= 0).any():
            break
    return ks[: len(gains)], gains


def what_if_without(
    stats: Stats, k: int, recipe: Resampling = QUICK, notion: Notion = Notion(), progress: Progress | None = None
) -> Without:
    """Return gain and p without the ``k`` units that pull most towards the first system; not a test (see the module).

    With k = 0, p equals that of the pair table with the same recipe.
    """
    left = stats.take(without_top(stats, k))
    score_a, score_b = map(float, left.scores)
    gain, share = float(gain_of(left, left.scores)), k / stats.n_units
    of_rest = Without(k=k, share=share, units=left.n_units, score_a=score_a, score_b=score_b, gain=gain)
    if of_rest.gain <= 0:
        return of_rest
    result = bootstrap(left, recipe, progress)
    p = p_by(notion.test or BOOTSTRAP, left, result)
    # Nothing else is tested, so any correction is one over a single pair.
    small, two_sided = small_sample(left, result), notion.two_sided
    decision = decide(p, small, replace(notion, adjust=HOLM))
    least = least_p(small.differences.number, 1 + two_sided)
    bound = bound_of(decision.alone, p.hits[int(two_sided)], p.n_resamples, least)
    return replace(
        of_rest,
        p=float(decision.alone[0]),
        p_bound=float(bound[0]),
        significant=decision.answer[0] in SEEN_FROM_THE_LOSER,
    )


def carried_by(
    stats: Stats, recipe: Resampling = QUICK, notion: Notion = Notion(), progress: Progress | None = None
) -> Without | None:
    """Return the pair without the fewest top-pulling units that carry it: its gain is not significant, or gone.

    p is by the notion's test, or the paired bootstrap. ``k`` is 0 if the gain is not significant on all units; None if
    it still is with two units left. Found by bisection around a guess (``_guess``), as if p rose with every unit left
    out; if it does not, this is one of the points at which p crosses the level. Takes MOST_RESAMPLES at most, except on
    all units, where p is that of the pair table.
    """
    fewer = Resampling(min(recipe.n_resamples, MOST_RESAMPLES), recipe.seed)
    most = min(int(gain_without(stats)["k"].iloc[-1]), stats.n_units - FEWEST_UNITS)
    tried: dict[int, Without] = {}

    def not_significant(k: int) -> bool:
        if k not in tried:
            own = nth_of(progress, len(tried), max(len(tried) + 1, USUAL_TRIES))
            tried[k] = what_if_without(stats, k, fewer if k else recipe, notion, own)
        return not tried[k].significant

    low = high = bisect_left(range(most + 1), True, key=lambda k: _guess(stats, k, notion) >= notion.level)
    step = 1
    while low > 0 and not_significant(low - 1):
        low, high, step = max(low - step, 0), low - 1, 2 * step
    while high <= most and not not_significant(high):
        low, high, step = high + 1, high + step, 2 * step
    return tried.get(bisect_left(range(min(high, most) + 1), True, lo=low, key=not_significant))


def _guess(stats: Stats, k: int, notion: Notion) -> float:
    """Estimate p of ``what_if_without`` from normal gains with the jackknife's standard error, without resamples."""
    from scipy.special import ndtr

    left = stats.take(without_top(stats, k))
    pair, gain = np.array([[0, 1]]), float(gain_of(left, left.scores))
    of_units = left.influences()
    error = float(np.sqrt(((of_units[0] - of_units[1]) ** 2).sum())) / left.n_units
    if gain <= 0 or error == 0:
        return float(gain <= 0)
    one_sided = np.array([ndtr(-gain / error)])
    small = 2 * small_sample_p(one_sided, differences(left, pair))
    return float((small if notion.two_sided else one_sided)[0])


def _by_pull(stats: Stats) -> np.ndarray:
    """Return the units by their pull, the strongest towards the first system first; equal ones in order."""
    return np.argsort(-unit_gains(stats)["pull"].to_numpy(), kind="stable")
