"""Tests of the scores of single units: sign test, McNemar's test, paired t-test, Wilcoxon's signed ranks.

All are exact or by formula: they take a recipe as every test does, and make nothing of it. The first system of a
pair is the one with the better corpus score, which need not be the one that wins more units.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from nlpsig_core.paired_tests.base import PValues, chunks
from nlpsig_core.resampling.blocks import Progress
from nlpsig_core.resampling.bootstrap import TIE, ties
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.stats.array import Stats
from nlpsig_core.stats.sample import Sample

# So many differences of unit scores are worked on at a time.
DIFFERENCES_AT_A_TIME = 500_000
# With so many units that differ Wilcoxon's p is exact; the 2^50 choices of signs are far from the limits of integers.
EXACT_UNITS = 50
SEVERAL = "unit scores are of one test set, and a macro-average is of several"
RUNS = "systems have several runs, and this test knows one output a system"


def sign_test(stats: Stats, pairs: np.ndarray, recipe: Resampling, progress: Progress | None = None) -> PValues:
    """Exact binomial p of the units won (details: wins, losses, ties); ties are left out."""
    from scipy.special import bdtrc

    wins, losses, ties = units_won(stats, pairs, progress)
    decided = np.maximum(wins + losses, 1)
    one_sided = bdtrc(wins - 1, decided, 0.5)
    two_sided = np.minimum(2 * bdtrc(np.maximum(wins, losses) - 1, decided, 0.5), 1.0)
    return PValues(one_sided, two_sided, details={"wins": wins, "losses": losses, "ties": ties})


def mcnemar(stats: Stats, pairs: np.ndarray, recipe: Resampling, progress: Progress | None = None) -> PValues:
    """p of the units that one system alone has right, by the normal curve with Edwards' continuity correction.

    Two-sided it is the chi-squared with one degree of freedom of (|wins - losses| - 1)^2 / (wins + losses).
    """
    from scipy.special import ndtr

    wins, losses, ties = units_won(stats, pairs, progress)
    spread = np.sqrt(np.maximum(wins + losses, 1))
    decided = wins + losses > 0
    one_sided = np.where(decided, ndtr((losses - wins + 1) / spread), 1.0)
    two_sided = np.where(decided, 2 * ndtr(-np.maximum(np.abs(wins - losses) - 1, 0) / spread), 1.0)
    return PValues(one_sided, two_sided, details={"wins": wins, "losses": losses, "ties": ties})


def t_test(stats: Stats, pairs: np.ndarray, recipe: Resampling, progress: Progress | None = None) -> PValues:
    """p of the mean gain of a unit by Student's t with n - 1 degrees of freedom (details: mean, t)."""
    from scipy.special import stdtr

    n = stats.n_units
    mean, deviation = np.zeros((2, len(pairs)))
    for chunk, gains in _unit_gains(stats, pairs, progress):
        mean[chunk] = gains.mean(axis=1)
        deviation[chunk] = gains.std(axis=1, ddof=1) if n > 1 else 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(mean == 0, 0.0, mean / (deviation / np.sqrt(n)))
    different = (deviation > 0) | (mean != 0)
    one_sided, two_sided = stdtr(max(n - 1, 1), np.stack([-t, -np.abs(t)]))
    details = {"mean": mean, "t": t}
    return PValues(np.where(different, one_sided, 1.0), np.where(different, 2 * two_sided, 1.0), details=details)


def wilcoxon(stats: Stats, pairs: np.ndarray, recipe: Resampling, progress: Progress | None = None) -> PValues:
    """p of the ranks of the unit gains (details: rank_sum, differing).

    Units without a difference are dropped before ranking, as Wilcoxon (1945) does; ``differing`` are those that are
    left, and ``rank_sum`` is that of those that the first system wins. With up to EXACT_UNITS of them p is exact, else
    by the normal curve, corrected for equal ranks.
    """
    from scipy.special import ndtr

    rank_sum, one_sided, two_sided = np.zeros((3, len(pairs)))
    differing = np.zeros(len(pairs), dtype=np.int64)
    reach = np.abs(stats.unit_scores).max(axis=1, initial=0.0)
    for chunk, gains in _unit_gains(stats, pairs, progress):
        ranks, sizes = _ranks(np.abs(gains), TIE * reach[pairs[chunk]].max(axis=1, keepdims=True))
        n = differing[chunk] = (gains != 0).sum(axis=1)
        won = rank_sum[chunk] = (ranks * (gains > 0)).sum(axis=1)
        # A group of t equal ranks takes (t^3 - t)/48 off the variance: (t^2 - 1)/48 by each of its units.
        equal = ((sizes**2 - 1) * (gains != 0)).sum(axis=1) / 48
        variance = n * (n + 1) * (2 * n + 1) / 24 - equal
        z = (won - n * (n + 1) / 4) / np.sqrt(np.where(n > 0, variance, 1))
        one_sided[chunk], two_sided[chunk] = ndtr(-z), 2 * ndtr(-np.abs(z))
        for row in np.flatnonzero(n <= EXACT_UNITS):
            of_row = _exact(ranks[row, gains[row] != 0], won[row])
            one_sided[chunk.start + row], two_sided[chunk.start + row] = of_row
    return PValues(one_sided, two_sided, details={"rank_sum": rank_sum, "differing": differing})


def _exact(ranks: np.ndarray, rank_sum: float) -> tuple[float, float]:
    """One-sided and two-sided p of a sum of some of the ranks, each of which is in it by an even chance."""
    doubled = tuple(np.sort(2 * ranks).astype(int).tolist())
    ways, place = _ways(doubled), round(2 * rank_sum)
    at_least, at_most = (int(tail.sum()) / 2 ** len(doubled) for tail in (ways[place:], ways[: place + 1]))
    return at_least, min(2 * min(at_least, at_most), 1.0)


@lru_cache(maxsize=256)
def _ways(numbers: tuple[int, ...]) -> np.ndarray:
    """In how many ways some of the numbers add up to 0, 1, 2, ... and to all of them."""
    ways = np.zeros(sum(numbers) + 1, dtype=np.int64)
    ways[0] = 1
    for number in numbers:
        ways[number:] += ways[:-number].copy()
    return ways


def units_won(stats: Stats, pairs: np.ndarray, progress: Progress | None = None) -> np.ndarray:
    """How many units the first system of each pair wins, loses and ties by their own scores, (3, pairs)."""
    found = np.zeros((3, len(pairs)), dtype=np.int64)
    for chunk, gains in _unit_gains(stats, pairs, progress):
        found[:, chunk] = (gains > 0).sum(axis=1), (gains < 0).sum(axis=1), (gains == 0).sum(axis=1)
    return found


def of_one_run(stats: Sample) -> str:
    """Why a test of one output a system cannot be used; "" where it can."""
    return RUNS if stats.several_runs else ""


def of_one_test_set(stats: Sample) -> str:
    """Why there are no unit scores of one output a system; "" where there are."""
    return SEVERAL if len(stats.test_sets) > 1 else of_one_run(stats)


def right_or_wrong(stats: Sample) -> str:
    """Why a unit is not just right or wrong; "" where each unit's score is 0 or full."""
    if why := of_one_test_set(stats):
        return why
    values = np.unique(stats.test_sets[0].unit_scores)
    full = values[-1] if len(values) else 0.0
    if np.isin(values, (0, full)).all():
        return ""
    between = values[(values != 0) & (values != full)][0]
    return f"each {stats.unit} must be right or wrong, and one scores {between:.4g} of {full:.4g}"


def _unit_gains(stats: Stats, pairs: np.ndarray, progress: Progress | None) -> Iterator[tuple[slice, np.ndarray]]:
    """Some of the pairs at a time, and their gains in each unit, (some, units), exactly 0 where they tie."""
    scores = stats.metric.sign * stats.unit_scores
    for chunk in chunks(len(pairs), DIFFERENCES_AT_A_TIME // max(stats.n_units, 1)):
        a, b = pairs[chunk].T
        gains = scores[a] - scores[b]
        gains[np.abs(gains) <= ties(scores[a], scores[b])] = 0
        yield chunk, gains
        if progress:
            progress(chunk.stop, len(pairs))


def _ranks(sizes: np.ndarray, tie: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ranks from 1 of what is not 0 in each row, the mean of equal ones, and how many are equal, (rows, n) each.

    ``tie`` (rows, 1) is the difference up to which two are equal.
    """
    order = np.argsort(sizes, axis=1)
    ordered = np.take_along_axis(sizes, order, axis=1)
    place = np.arange(1, sizes.shape[1] + 1)
    new = np.diff(ordered, axis=1, prepend=-np.inf) > tie
    last = np.hstack([new[:, 1:], np.ones((len(new), 1), dtype=bool)])
    first = np.maximum.accumulate(np.where(new, place, 0), axis=1)
    final = np.minimum.accumulate(np.where(last, place, place[-1])[:, ::-1], axis=1)[:, ::-1]
    zeros = (sizes == 0).sum(axis=1, keepdims=True)
    found = np.empty((2, *sizes.shape))
    np.put_along_axis(found[0], order, (first + final) / 2 - zeros, axis=1)
    np.put_along_axis(found[1], order, final - first + 1, axis=1)
    return found[0], found[1]
