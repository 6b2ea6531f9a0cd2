"""Where the difference between two systems comes from: units won and lost, parts of the test set, the units that pull.

Every function takes the statistics of two systems, the observed winner first; a gain is that of the first over the
second. A score, be it of a unit alone, is the mean over a system's runs.

Leaving out units that were chosen after looking at their gains is no test: it lowers every gain, and what is left is a
sample of nothing. It shows on how few units a result rests.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.comparison.notion import Notion
from nlpsig_core.comparison.pair_table import p_values, small_sample
from nlpsig_core.errors import ChoiceError
from nlpsig_core.resampling.blocks import Progress, nth_of
from nlpsig_core.resampling.bootstrap import bootstrap, expanded_tail, ties
from nlpsig_core.resampling.gains import FINEST, common_step, resampled_gains
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.stats.array import Stats

# With so few resamples intervals and searches answer at once.
QUICK = Resampling(10_000)
FEWEST_UNITS = 2
# With fewer units than this an interval is too narrow, though its level is expanded.
FEW_UNITS = 20
WINS, LOSSES, TIES = "wins", "losses", "ties"
PART_COLUMNS = ("part", "units", "score_a", "score_b", "gain", "gain_low", "gain_high", "note")
# What bins of unit gains can be wide, times a power of ten.
ROUND_WIDTHS = (1, 2, 5, 10)


class Outcome(NamedTuple):
    """How many units, and which share of all, the first system wins, loses or ties."""

    name: str
    units: int
    share: float


@dataclass(frozen=True)
class Without:
    """A pair without the ``k`` units that pull most towards its winner; ``share`` is theirs of all units.

    p is that of the paired bootstrap on the ``units`` left, in favour of the winner on all units: 1, one-sided and
    two-sided, where its gain is gone or has turned to the other system. ``p_small_two_sided`` knows in how few of
    them the two differ.
    """

    k: int
    share: float
    units: int
    score_a: float
    score_b: float
    gain: float
    p_value: float
    p_two_sided: float
    p_small_two_sided: float

    def p(self, notion: Notion) -> float:
        """The p that a notion holds against its level, unadjusted."""
        return self.p_small_two_sided if notion.two_sided else self.p_value


def unit_gains(stats: Stats) -> pd.DataFrame:
    """A row a unit: unit (index), score_a, score_b, gain, pull.

    ``gain`` is that of the metric of the unit alone, exactly 0 for a tie. ``pull`` is the gain on all units minus
    the gain without this one, so its influence on the gain in the corpus score, by which units are ordered.
    """
    a, b = _of_two(stats).unit_scores
    without = stats.over_runs(stats.metric.score(stats.totals[:, None] - stats.values))
    pull = _gain(stats, stats.scores) - _gain(stats, without)
    gain = _gain(stats, stats.unit_scores)
    return pd.DataFrame({"unit": np.arange(stats.n_units), "score_a": a, "score_b": b, "gain": gain, "pull": pull})


def wins_losses_ties(stats: Stats) -> list[Outcome]:
    """The units that the first system wins, loses and ties, by the metric of each unit alone."""
    signs = np.sign(_gain(_of_two(stats), stats.unit_scores))
    counted = ((WINS, 1), (LOSSES, -1), (TIES, 0))
    return [Outcome(name, int((signs == sign).sum()), float((signs == sign).mean())) for name, sign in counted]


def histogram(units: pd.DataFrame, n_bins: int = 40) -> pd.DataFrame:
    """The histogram of the gains of ``unit_gains``, lowest bin first: outcome, low, high, units.

    Bins are equally wide, by a round number or by steps that all gains are multiples of; ``n_bins`` and one on either
    side at most, with an edge at 0. A bin holds its end that is farther from 0, so that wins and losses are counted
    alike; exact ties have a bin of their own from 0 to 0.
    """
    gains = units["gain"].to_numpy()
    width = _bin_width(gains, n_bins)
    # The number of the bin, counted from 0 to either side; what is an edge but for rounding is an edge.
    place = np.maximum(np.ceil(np.abs(gains) / width - 1e-9), 1).astype(int)
    lost, won = (np.bincount(place[side], minlength=1)[1:] for side in (gains < 0, gains > 0))
    edges = width * np.arange(-len(lost), len(won) + 1)
    table = pd.DataFrame({"low": edges[:-1], "high": edges[1:], "units": [*lost[::-1], *won]})
    table.insert(0, "outcome", [LOSSES] * len(lost) + [WINS] * len(won))
    ties = pd.DataFrame({"outcome": [TIES], "low": [0.0], "high": [0.0], "units": [int((gains == 0).sum())]})
    return pd.concat([table[: len(lost)], ties, table[len(lost) :]], ignore_index=True)


def _bin_width(gains: np.ndarray, n_bins: int) -> float:
    """A round width of bins, or where some would hold more steps of the gain than others, a number of steps."""
    least = float(np.ptp(np.append(gains, 0.0))) / n_bins
    step = common_step(gains, FINEST * least)
    width = _round_width(least)
    return step * math.ceil(least / step - 1e-9) if 0 < step < width else width


def by_length(
    stats: Stats,
    lengths: Sequence[float] | np.ndarray,
    bins: int | Sequence[float] = 5,
    recipe: Resampling = QUICK,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """The pair on units of about one length, shortest first: a row a bin with the columns PART_COLUMNS.

    ``lengths`` is (units,). ``bins`` is how many there are, of about as many units each with bounds of two digits
    (fewer, where lengths repeat too much for that); or the lengths at which a new one begins.
    Scores are those of the metric on all units of the bin; ``gain_low`` and ``gain_high`` the 95 % percentile
    interval of the gain from resampling the bin by itself; ``note`` says where there are too few units for it.
    """
    known = _checked(stats, lengths, "lengths").astype(float)
    starts = _equal_starts(known, bins) if isinstance(bins, int) else np.unique(np.asarray(bins, dtype=float))
    starts = starts[(starts > known.min()) & (starts <= known.max())]
    return _by_part(stats, np.searchsorted(starts, known, side="right"), _ranges(known, starts), recipe, progress)


def by_domain(
    stats: Stats, domains: Sequence[str] | np.ndarray, recipe: Resampling = QUICK, progress: Progress | None = None
) -> pd.DataFrame:
    """The pair on the units of each domain, by name: a row a domain, as ``by_length``; ``domains`` is (units,)."""
    names, places = np.unique(_checked(stats, domains, "domains").astype(str), return_inverse=True)
    return _by_part(stats, places, names.tolist(), recipe, progress)


def without_top(stats: Stats, k: int) -> np.ndarray:
    """The units that are left, rising indices, without the ``k`` that pull most towards the first system.

    These are the largest pulls on all units together; once the first ones are gone, others may pull more.
    """
    most = _of_two(stats).n_units - FEWEST_UNITS
    if not 0 <= k <= most:
        raise ChoiceError(f"{k:,} {stats.unit}s left out: there are {stats.n_units:,}; choose between 0 and {most:,}")
    return np.sort(_by_pull(stats)[k:])


def gain_without(stats: Stats) -> pd.DataFrame:
    """The gain without the units that pull most: k, share (of all units), gain, for k = 0, 1, ... until it is gone.

    The last row is the first whose gain is 0 or less, or else that of a single unit left.
    """
    in_order = _of_two(stats).values[:, _by_pull(stats)]
    # Sums of what is left: subtracting what is not would leave rounding where few units are.
    left = np.cumsum(in_order[:, ::-1], axis=1, dtype=stats.totals.dtype)[:, ::-1]
    gain = _gain(stats, stats.over_runs(stats.metric.score(left)))
    gone = gain <= 0
    last = int(gone.argmax()) if gone.any() else len(gain) - 1
    k = np.arange(last + 1)
    return pd.DataFrame({"k": k, "share": k / stats.n_units, "gain": gain[: last + 1]})


def what_if_without(stats: Stats, k: int, recipe: Resampling = QUICK, progress: Progress | None = None) -> Without:
    """Gain and p without the ``k`` units that pull most towards the first system; no test, as the module says.

    With k = 0 and the same recipe p is that of ``bootstrap``.
    """
    part = stats.take(without_top(stats, k))
    gain = float(_gain(part, part.scores))
    p = [1.0, 1.0, 1.0]
    if gain > 0:
        result = bootstrap(part, recipe, progress)
        p = [float(of_pair[0]) for of_pair in (*p_values(result), small_sample(part, result).two_sided)]
    a, b = (float(score) for score in part.scores)
    return Without(k, k / stats.n_units, part.n_units, a, b, gain, *p)


def carried_by(
    stats: Stats, recipe: Resampling = QUICK, notion: Notion = Notion(), progress: Progress | None = None
) -> Without | None:
    """The fewest units that pull most without which the gain is no longer significant, unadjusted, or is gone.

    ``k`` is 0 where it is not significant on all units. None where it still is with two units left. Found by
    bisection, as if p rose with every unit left out; where it does not, one of the places at which it passes the level.
    """
    most = min(int(gain_without(stats)["k"].iloc[-1]), stats.n_units - FEWEST_UNITS)
    tried: dict[int, Without] = {}

    def not_significant(k: int) -> bool:
        tried[k] = what_if_without(stats, k, recipe, nth_of(progress, len(tried), (most + 1).bit_length()))
        return tried[k].p(notion) >= notion.level

    return tried.get(bisect_left(range(most + 1), True, key=not_significant))


def _of_two(stats: Stats) -> Stats:
    if stats.n_systems != 2:
        raise ValueError(f"statistics of {stats.n_systems} systems; a pair is two")
    return stats


def _checked(stats: Stats, values: Sequence | np.ndarray, what: str) -> np.ndarray:
    found = np.asarray(values)
    if found.shape != (_of_two(stats).n_units,):
        raise ValueError(f"{what} of shape {found.shape} for {stats.n_units} units")
    return found


def _gain(stats: Stats, scores: np.ndarray) -> np.ndarray:
    """Gain of the first over the second of scores (2, ...), exactly 0 where they are a tie but for rounding."""
    gain = stats.metric.sign * (scores[0] - scores[1])
    return np.where(np.abs(gain) <= ties(*scores), 0.0, gain)


def _by_pull(stats: Stats) -> np.ndarray:
    """The units by their pull, the largest towards the first system first; of equal ones the earlier first."""
    return np.argsort(-unit_gains(stats)["pull"].to_numpy(), kind="stable")


def _round_width(least: float) -> float:
    """The smallest round number that is not below ``least``; 1 for 0."""
    if least <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next((step * power for step in ROUND_WIDTHS if step * power >= least), 10 * power)


def _equal_starts(lengths: np.ndarray, n_bins: int) -> np.ndarray:
    """Where the bins after the first begin so that they hold about as many units each, rounded to two digits."""
    if n_bins < 1:
        raise ChoiceError(f"{n_bins} bins of lengths; choose 1 or more")
    whole = not np.mod(lengths, 1).any()
    starts = []
    for start in np.quantile(lengths, np.arange(1, n_bins) / n_bins):
        digits = 1 - math.floor(math.log10(start)) if start > 0 else 0
        starts.append(round(start, min(digits, 0) if whole else digits))
    return np.unique(np.array(starts, dtype=float))


def _ranges(lengths: np.ndarray, starts: np.ndarray) -> list[str]:
    """What each bin of lengths is called: whole numbers with both ends, others from where to below which."""
    whole = not np.mod([*lengths, *starts], 1).any()
    ends = [lengths.min(), *starts, lengths.max() + whole]
    pairs = pairwise(ends)
    if not whole:
        return [f"{low:.4g}–{high:.4g}" for low, high in pairs]
    return [f"{low:,.0f}" if high - low == 1 else f"{low:,.0f}–{high - 1:,.0f}" for low, high in pairs]


def _by_part(
    stats: Stats, places: np.ndarray, names: list[str], recipe: Resampling, progress: Progress | None
) -> pd.DataFrame:
    """A row for each part that has units, with the columns PART_COLUMNS; ``places`` (units,) are indices of names."""
    there, rows = np.unique(places), []
    for done, place in enumerate(there):
        part = stats.take(np.flatnonzero(places == place))
        told = nth_of(progress, done, len(there))
        interval = np.full(2, np.nan)
        if part.n_units >= FEWEST_UNITS:
            tail = 100 * expanded_tail(0.95, part.n_units)
            interval = np.percentile(resampled_gains(part, recipe, told), [tail, 100 - tail])
        gain = float(_gain(part, part.scores))
        rows.append((names[place], part.n_units, *part.scores, gain, *interval, _few(part)))
    return pd.DataFrame(rows, columns=list(PART_COLUMNS))


def _few(part: Stats) -> str:
    if part.n_units < FEWEST_UNITS:
        return f"one {part.unit}: no interval"
    return f"{part.n_units} {part.unit}s are few: the interval is too narrow" if part.n_units < FEW_UNITS else ""
