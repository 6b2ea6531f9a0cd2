"""Tests of unit scores: sign test, McNemar's test, paired t-test, Wilcoxon signed-rank test.

All are exact or use a formula; they accept a recipe, as every test does, and ignore it. The first system of a pair is
the one with the better corpus score, which may win fewer units than the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from nlpsig_core.significance.paired_tests.base import PValues, chunks
from nlpsig_core.significance.resampling.blocks import Progress
from nlpsig_core.significance.resampling.bootstrap import TIE, ties
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.runs import draws_runs
from nlpsig_core.significance.stats.array import Sample, Stats

# Differences of unit scores (pairs times units) computed at a time.
DIFFERENCES_AT_A_TIME = 500_000
# Up to this many differing units Wilcoxon's p is exact; 2^50 choices of signs fit into 64-bit integers.
EXACT_UNITS = 50
SEVERAL = "unit scores are of one test set, and a macro-average is of several"
RUNS = "systems have several runs, and this test takes one output per system"


def sign_test(stats: Stats, pairs: np.ndarray, recipe: Resampling, progress: Progress | None = None) -> PValues:
    """Return exact binomial p of the units won, without ties (details: wins, losses, ties)."""
    from scipy.special import bdtrc

    wins, losses, ties = units_won(stats, pairs, progress)
    decided = np.maximum(wins + losses, 1)
    one_sided = bdtrc(wins - 1, decided, 0.5)
    two_sided = np.minimum(2 * bdtrc(np.maximum(wins, losses) - 1, decided, 0.5), 1.0)
    details = {"wins": wins, "losses": losses, "ties": ties}
    return PValues(one_sided=one_sided, two_sided=two_sided, details=details)


def mcnemar(stats: Stats, pairs: np.ndarray, recipe: Resampling, progress: Progress | None = None) -> PValues:
    """Return p of the units that only one system gets right: normal approximation with Edwards' continuity correction.

    The two-sided p equals that of (|wins - losses| - 1)^2 / (wins + losses), chi-squared with one degree of freedom.
    """
    from scipy.special import ndtr

    wins, losses, ties = units_won(stats, pairs, progress)
    spread = np.sqrt(np.maximum(wins + losses, 1))
    decided = wins + losses > 0
    one_sided = np.where(decided, ndtr((losses - wins + 1) / spread), 1.0)
    two_sided = np.where(decided, 2 * ndtr(-np.maximum(np.abs(wins - losses) - 1, 0) / spread), 1.0)
    details = {"wins": wins, "losses": losses, "ties": ties}
    return PValues(one_sided=one_sided, two_sided=two_sided, details=details)


def t_test(stats: Stats, pairs: np.ndarray, recipe: Resampling, progress: Progress | None = None) -> PValues:
    """Return p of the mean unit gain, by Student's t with n - 1 degrees of freedom (details: mean, t)."""
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
    return PValues(
        one_sided=np.where(different, one_sided, 1.0),
        two_sided=np.where(different, 2 * two_sided, 1.0),
        details={"mean": mean, "t": t},
    )


def wilcoxon(stats: Stats, pairs: np.ndarray, recipe: Resampling, progress: Progress | None = None) -> PValues:
    """Return p of the ranks of the unit gains (details: rank_sum, differing).

    Units without a difference are dropped before ranking, as in Wilcoxon (1945); ``differing`` counts the rest, and
    ``rank_sum`` sums the ranks of the units that the first system wins. With up to EXACT_UNITS differing units p is
    exact, otherwise it uses the normal approximation, corrected for equal ranks.
    """
    from scipy.special import ndtr

    rank_sum, one_sided, two_sided = np.zeros((3, len(pairs)))
    differing = np.zeros(len(pairs), dtype=np.int64)
    reach = np.abs(stats.unit_scores).max(axis=1, initial=0.0)
    for chunk, gains in _unit_gains(stats, pairs, progress):
        ranks, sizes = _ranks(np.abs(gains), TIE * reach[pairs[chunk]].max(axis=1, keepdims=True))
        n = differing[chunk] = (gains != 0).sum(axis=1)
        won = rank_sum[chunk] = (ranks * (gains > 0)).sum(axis=1)
        # A group of t equal ranks reduces the variance by (t^3 - t)/48: (t^2 - 1)/48 for each of its units.
        equal = ((sizes**2 - 1) * (gains != 0)).sum(axis=1) / 48
        variance = n * (n + 1) * (2 * n + 1) / 24 - equal
        z = (won - n * (n + 1) / 4) / np.sqrt(np.where(n > 0, variance, 1))
        one_sided[chunk], two_sided[chunk] = ndtr(-z), 2 * ndtr(-np.abs(z))
        for row in np.flatnonzero(n <= EXACT_UNITS):
            exact = _exact(ranks[row, gains[row] != 0], won[row])
            one_sided[chunk.start + row], two_sided[chunk.start + row] = exact
    details = {"rank_sum": rank_sum, "differing": differing}
    return PValues(one_sided=one_sided, two_sided=two_sided, details=details)


def _exact(ranks: np.ndarray, rank_sum: float) -> tuple[float, float]:
    """Return exact one-sided and two-sided p of a rank sum, to which each rank belongs with probability 1/2."""
    doubled = tuple(np.sort(2 * ranks).astype(int).tolist())
    ways, observed = _ways(doubled), round(2 * rank_sum)
    at_least, at_most = (int(tail.sum()) / 2 ** len(doubled) for tail in (ways[observed:], ways[: observed + 1]))
    return at_least, min(2 * min(at_least, at_most), 1.0)


@lru_cache(maxsize=256)
def _ways(numbers: tuple[int, ...]) -> np.ndarray:
    """Return the number of subsets that sum to 0, 1, 2, ... up to the sum of all the numbers."""
    ways = np.zeros(sum(numbers) + 1, dtype=np.int64)
    ways[0] = 1
    for number in numbers:
        ways[number:] += ways[:-number].copy()
    return ways


def units_won(stats: Stats, pairs: np.ndarray, progress: Progress | None = None) -> np.ndarray:
    """Count the units that the first system of each pair wins, loses and ties by unit score, (3, pairs)."""
    counts = np.zeros((3, len(pairs)), dtype=np.int64)
    for chunk, gains in _unit_gains(stats, pairs, progress):
        counts[:, chunk] = (gains > 0).sum(axis=1), (gains < 0).sum(axis=1), (gains == 0).sum(axis=1)
    return counts


def needs_one_run(stats: Sample) -> str:
    """Return why a test of one output per system cannot be used; "" if it can."""
    return RUNS if stats.several_runs else ""


def needs_one_test_set(stats: Sample) -> str:
    """Return why a test on one test set cannot be used, with means over answers but not over runs; "" if it can."""
    return SEVERAL if len(stats.test_sets) > 1 else RUNS if draws_runs(stats) else ""


def needs_unit_scores(stats: Sample) -> str:
    """Return why a test of unit scores cannot be used; "" if it can."""
    none = "" if stats.metric.by_unit else f"{stats.metric.label} has no score of a single {stats.unit}"
    return needs_one_test_set(stats) or none


def right_or_wrong(stats: Sample) -> str:
    """Return why a test of right and wrong units cannot be used; "" if each unit's score is 0 or the full score."""
    if why := needs_unit_scores(stats):
        return why
    values = np.unique(stats.test_sets[0].unit_scores)
    full = values[-1] if len(values) else 0.0
    if np.isin(values, (0, full)).all():
        return ""
    between = values[(values != 0) & (values != full)][0]
    return f"each {stats.unit} must be right or wrong, and one scores {between:.4g} of {full:.4g}"


def _unit_gains(stats: Stats, pairs: np.ndarray, progress: Progress | None) -> Iterator[tuple[slice, np.ndarray]]:
    """Yield slices of the pairs with their gains in each unit, (pairs of the slice, units), exactly 0 for a tie."""
    scores = stats.metric.sign * stats.unit_scores
    for chunk in chunks(len(pairs), DIFFERENCES_AT_A_TIME // max(stats.n_units, 1)):
        a, b = pairs[chunk].T
        gains = scores[a] - scores[b]
        gains[np.abs(gains) <= ties(scores[a], scores[b])] = 0
        yield chunk, gains
        if progress:
            progress(chunk.stop, len(pairs))


def _ranks(sizes: np.ndarray, tie: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rank the non-zero sizes in each row from 1, and count the equals of each, (rows, n) each.

    Equal sizes have their mean rank; ``tie`` (rows, 1) is the largest difference between equals.
    """
    order = np.argsort(sizes, axis=1)
    ordered = np.take_along_axis(sizes, order, axis=1)
    position = np.arange(1, sizes.shape[1] + 1)
    new = np.diff(ordered, axis=1, prepend=-np.inf) > tie
    last = np.hstack([new[:, 1:], np.ones((len(new), 1), dtype=bool)])
    first = np.maximum.accumulate(np.where(new, position, 0), axis=1)
    final = np.minimum.accumulate(np.where(last, position, position[-1])[:, ::-1], axis=1)[:, ::-1]
    zeros = (sizes == 0).sum(axis=1, keepdims=True)
    ranks, equals = np.empty((2, *sizes.shape))
    np.put_along_axis(ranks, order, (first + final) / 2 - zeros, axis=1)
    np.put_along_axis(equals, order, final - first + 1, axis=1)
    return ranks, equals
