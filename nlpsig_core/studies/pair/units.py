"""Where the difference between two systems comes from: units won and lost, effect sizes, parts, influential units.

Every function takes the statistics of two systems, the observed winner first; a gain is the first system's gain over
the second. Every score, also that of a single unit, is the mean over a system's runs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.significance.comparison.thresholds import wilson
from nlpsig_core.significance.paired_tests.by_unit import units_won
from nlpsig_core.significance.paired_tests.small_sample import differences, gain_intervals
from nlpsig_core.significance.resampling.bootstrap import NO_SPREAD, observed_gains, ties
from nlpsig_core.significance.resampling.columns import scored_by
from nlpsig_core.significance.resampling.gains import FINEST, checked_pair, common_step, resampled_gains
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.runs import draws_runs, run_variance
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.significance.stats.selected import SelectedTestSet

# Few enough resamples for intervals and searches to be instant.
QUICK = Resampling(10_000)
FEWEST_UNITS = 2
# Weights (samples times units) scored for a table of units, where the score is one of the weighted sample: one second.
MOST_WEIGHTS, ROWS_AT_A_TIME = 100_000_000, 64
# With fewer units an interval is too narrow although its level is expanded.
FEW_UNITS = 20
WINS, LOSSES, TIES = "wins", "losses", "ties"
PART_COLUMNS = ("part", "units", "score_a", "score_b", "gain", "gain_low", "gain_high", "note")
# Widths of bins of unit gains, times a power of ten.
ROUND_WIDTHS = (1, 2, 5, 10)


def unit_names(one: SelectedTestSet) -> list[str]:
    """Return the name of each unit of resampling: its id in the files, or that of its document; [] without names."""
    names = one.test_set.unit_names if one.by_own_unit else one.test_set.documents
    found = [str(names[own[0]]) for own in one.own_units] if len(names) else []
    return found if any(found) else []


def unit_gains(stats: Stats) -> pd.DataFrame:
    """Return a row a unit: unit (index), score_a, score_b, gain, pull.

    ``gain`` is the gain of the unit alone, exactly 0 for a tie. Where a unit has no score of its own, scores and gain
    are contributions (``Stats.unit_scores``), and the gain is 0 if both systems have the same statistics. ``pull``, by
    which units are ordered, is the gain on all units minus the gain without this one: the unit's influence on the gain
    in the corpus score.
    """
    checked_pair(stats)
    a, b = stats.unit_scores
    pull = gain_of(stats, stats.scores) - gain_of(stats, _scores_without_each(stats))
    gain = gain_of(stats, stats.unit_scores)
    if not stats.metric.by_unit:
        ours, theirs = stats.over_runs(stats.values)
        gain = np.where(stats.entries.sums((ours != theirs).any(axis=-1)), gain, 0.0)
    return pd.DataFrame({"unit": np.arange(stats.n_units), "score_a": a, "score_b": b, "gain": gain, "pull": pull})


def _scores_without_each(stats: Stats) -> np.ndarray:
    """Return both systems' scores without each unit, (2, units).

    Where the score is one of the weighted sample, and there are too many units to compute all, they are approximated by
    influences.
    """
    if stats.metric.sample is None:
        return stats.over_runs(stats.metric.score(stats.totals[:, None] - stats.values))
    n = stats.n_units
    if n * stats.values.shape[1] > MOST_WEIGHTS:
        return np.asarray(stats.scores[:, None] - stats.influences() / n)
    scorer = scored_by(stats)
    starts = range(0, n, ROWS_AT_A_TIME)
    return np.hstack([scorer.scores_of(1 - np.eye(min(ROWS_AT_A_TIME, n - start), n, start)) for start in starts])


def wins_losses_ties(stats: Stats) -> dict[str, int]:
    """Return the numbers of units that the first system wins, loses and ties, by the gains of ``unit_gains``."""
    gains = unit_gains(stats)["gain"]
    return {WINS: int((gains > 0).sum()), LOSSES: int((gains < 0).sum()), TIES: int((gains == 0).sum())}


def histogram(units: pd.DataFrame, n_bins: int = 40) -> pd.DataFrame:
    """Return the histogram of the gains of ``unit_gains``, lowest bin first: outcome, low, high, units.

    Bins are equally wide, with an edge at 0; the width is a round number, or a multiple of the step in which all gains
    come. There are at most ``n_bins`` and one more on either side. A bin includes its end farther from 0, so that wins
    and losses are treated alike; exact ties have a bin of their own from 0 to 0.
    """
    gains = units["gain"].to_numpy()
    width = _bin_width(gains, n_bins)
    # Bins are numbered from 0 outwards on either side; rounding must not move a gain across an edge.
    index = np.maximum(np.ceil(np.abs(gains) / width - 1e-9), 1).astype(int)
    lost, won = (np.bincount(index[side], minlength=1)[1:] for side in (gains < 0, gains > 0))
    edges = width * np.arange(-len(lost), len(won) + 1)
    table = pd.DataFrame({"low": edges[:-1], "high": edges[1:], "units": [*lost[::-1], *won]})
    table.insert(0, "outcome", [LOSSES] * len(lost) + [WINS] * len(won))
    ties = pd.DataFrame({"outcome": [TIES], "low": [0.0], "high": [0.0], "units": [int((gains == 0).sum())]})
    return pd.concat([table[: len(lost)], ties, table[len(lost) :]], ignore_index=True)


def _bin_width(gains: np.ndarray, n_bins: int) -> float:
    """Return a round width, or a multiple of the gain's step if some bins would hold more steps than others."""
    least = float(np.ptp(np.append(gains, 0.0))) / n_bins
    step = common_step(gains, FINEST * least)
    width = _round_width(least)
    return step * math.ceil(least / step - 1e-9) if 0 < step < width else width


def by_length(
    stats: Stats, lengths: Sequence[float] | np.ndarray, recipe: Resampling = QUICK, n_bins: int = 5
) -> pd.DataFrame:
    """Return the pair on units of similar length, shortest first: a row a bin with the columns PART_COLUMNS.

    ``lengths`` is (units,). Bins hold about equally many units, and their bounds have two digits; there are fewer than
    ``n_bins`` if too many lengths are equal. Scores are corpus scores on the units of the bin. ``gain_low`` and
    ``gain_high`` are the 95% percentile interval of the gain from resampling the bin by itself; ``note`` warns of bins
    with too few units for it.
    """
    known = np.asarray(lengths, dtype=float)
    if known.shape != (stats.n_units,):
        raise ValueError(f"lengths of shape {known.shape} for {stats.n_units} units")
    starts = _equal_starts(known, n_bins)
    starts = starts[(starts > known.min()) & (starts <= known.max())]
    bins_of, names = np.searchsorted(starts, known, side="right"), _ranges(known, starts)
    return by_part({names[at]: stats.take(np.flatnonzero(bins_of == at)) for at in np.unique(bins_of)}, recipe)


def gain_of(stats: Stats, scores: np.ndarray) -> np.ndarray:
    """Return the gain of the first over the second of scores (2, ...), exactly 0 for ties up to rounding."""
    gain = stats.metric.sign * (scores[0] - scores[1])
    return np.where(np.abs(gain) <= ties(*scores), 0.0, gain)


def _round_width(least: float) -> float:
    if least <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next((step * power for step in ROUND_WIDTHS if step * power >= least), 10 * power)


def _equal_starts(lengths: np.ndarray, n_bins: int) -> np.ndarray:
    """Return where the bins after the first begin, so that all hold about equally many units; rounded to two digits."""
    whole = not np.mod(lengths, 1).any()
    starts = []
    for start in np.quantile(lengths, np.arange(1, n_bins) / n_bins):
        digits = 1 - math.floor(math.log10(start)) if start > 0 else 0
        starts.append(round(start, min(digits, 0) if whole else digits))
    return np.unique(np.array(starts, dtype=float))


def _ranges(lengths: np.ndarray, starts: np.ndarray) -> list[str]:
    """Return the name of each bin: for whole numbers with both ends included, else with the upper one excluded."""
    whole = not np.mod([*lengths, *starts], 1).any()
    ends = [lengths.min(), *starts, lengths.max() + whole]
    pairs = pairwise(ends)
    if not whole:
        return [f"{low:.4g}–{high:.4g}" for low, high in pairs]
    return [f"{low:,.0f}" if high - low == 1 else f"{low:,.0f}–{high - 1:,.0f}" for low, high in pairs]


def by_part(parts: Mapping[str, Stats], recipe: Resampling = QUICK) -> pd.DataFrame:
    """Return the pair on each part of the units, such as a domain: a row each as in ``by_length``."""
    rows = []
    for name, part in parts.items():
        interval = np.full(2, np.nan)
        if part.n_units >= FEWEST_UNITS:
            gains = resampled_gains(part, recipe)
            interval = gain_intervals(gains[None], differences(part, np.array([[0, 1]])))[0]
        gain = float(gain_of(part, part.scores))
        rows.append((name, part.n_units, *part.scores, gain, *interval, _few(part)))
    return pd.DataFrame(rows, columns=list(PART_COLUMNS))


def _few(part: Stats) -> str:
    if part.n_units < FEWEST_UNITS:
        return f"one {part.unit}: no interval"
    return f"{part.n_units} {part.unit}s are few: the interval is too narrow" if part.n_units < FEW_UNITS else ""


def or_none(value: float) -> float | None:
    """Return a number, None in place of NaN."""
    return None if np.isnan(value) else float(value)


class Estimate(NamedTuple):
    """A number with its 95% interval; NaN if undefined."""

    value: float
    low: float
    high: float


def effect_size(stats: Stats) -> Estimate:
    """Return the gain of the first of two systems in standard deviations of a unit's gain (Cohen's d, paired).

    A unit's gain is its influence on the gain in the corpus score, which is the mean of these, so that the effect size
    does not depend on the number of units. The interval is gain / deviation -+ t s with Student's t of n - 1 degrees of
    freedom and s^2 = (1 - skewness d + (kurtosis - 1) d^2 / 4) / n, the delta method's variance of a mean over its
    standard deviation. Where resamples draw runs, s^2 has their variance, too, and degrees of freedom are those of p.
    """
    from scipy.special import stdtrit

    n = stats.n_units
    gain = float(observed_gains(stats, np.array([[0, 1]]))[0][0])
    first, second = stats.metric.sign * stats.influences()
    pull = first - second
    deviation = float(pull.std(ddof=1)) if n > 1 else 0.0
    if not deviation**2 > NO_SPREAD * float((first**2 + second**2).mean()):
        return Estimate(np.nan, np.nan, np.nan)
    size, scaled = gain / deviation, (pull - pull.mean()) / pull.std()
    skewness, kurtosis = float((scaled**3).mean()), float((scaled**4).mean())
    variance, freedom = max(1 - skewness * size + (kurtosis - 1) * size**2 / 4, 0.0) / n, n - 1.0
    if draws_runs(stats):
        variance += float(run_variance(stats).variance.sum()) / deviation**2
        freedom = float(differences(stats, np.array([[0, 1]])).effective[0]) - 1
    reach = float(stdtrit(freedom, 0.975)) * np.sqrt(variance)
    return Estimate(size, size - reach, size + reach)


def share_won(stats: Stats) -> Estimate:
    """Return the share of units that the first of two systems wins, among those that it wins or loses.

    The interval is Wilson's (Wilson 1927). NaN if units have no scores of their own.
    """
    if not stats.metric.by_unit:
        return Estimate(np.nan, np.nan, np.nan)
    wins, losses, _ = units_won(stats, np.array([[0, 1]]))[:, 0]
    decided = int(wins + losses)
    return Estimate(int(wins) / decided if decided else np.nan, *wilson(int(wins), decided))
