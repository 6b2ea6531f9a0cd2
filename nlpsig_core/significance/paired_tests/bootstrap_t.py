"""The bootstrap-t: resampled gains, each divided by its own standard error."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nlpsig_core.base.compiled import compiled
from nlpsig_core.significance.paired_tests.base import PValues, chunks
from nlpsig_core.significance.resampling.blocks import Piece, Progress, nth_of, over_blocks
from nlpsig_core.significance.resampling.bootstrap import NO_SPREAD, observed_gains
from nlpsig_core.significance.resampling.columns import piece_rows
from nlpsig_core.significance.resampling.kernels import draw
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats

# Single-precision numbers whose relative difference is below this count as equal.
SAME = 1e-5
# Squared differences of influences (pairs times units) held in memory at a time.
SQUARES_AT_A_TIME = 32_000_000
# Counts (resamples times units) and sums of squares (pairs times resamples) used at a time: both stay in a core's
# cache.
COUNTS_AT_A_TIME = 125_000
MEANS_AT_A_TIME = 250_000


def run(stats: Stats, pairs: np.ndarray, recipe: Resampling, progress: Progress | None = None) -> PValues:
    """Return p of each pair: how often |t*| is at least t, where t = gain / s and t* = (gain* - gain) / s*.

    p = (hits + 1) / (b + 1) over the resamples of the bootstrap; gain* and s* are computed from the influences of the
    units. A pair without gain cannot be tested: p = 1. If the gain is the same in every unit, t is infinite and no
    resample reaches it.

    The one-sided p is half of the two-sided p: with skewed gains, counting t* >= t alone rejects 6.8 to 10.4% of true
    null hypotheses at 5%.
    """
    gain, tie = observed_gains(stats, pairs)
    influence = np.ascontiguousarray(stats.metric.sign * stats.influences())
    hits = np.zeros(len(pairs), dtype=np.int64)
    pair_chunks = list(chunks(len(pairs), SQUARES_AT_A_TIME // stats.n_units))
    for index, chunk in enumerate(pair_chunks):
        for new_hits in _hits_of(
            influence, pairs[chunk], gain[chunk], recipe, nth_of(progress, index, len(pair_chunks))
        ):
            hits[chunk] += new_hits
    two_sided = np.where(gain > tie, (hits + 1) / (recipe.n_resamples + 1), 1.0)
    one_sided = np.where(gain > tie, two_sided / 2, 1.0)
    return PValues(one_sided=one_sided, two_sided=two_sided, n_resamples=recipe.n_resamples, halved=True)


def _hits_of(
    influence: np.ndarray, pairs: np.ndarray, gain: np.ndarray, recipe: Resampling, progress: Progress | None
) -> Iterator[np.ndarray]:
    """Count the resamples with |t*| >= t, (pairs,), for one run of blocks after another."""
    n = influence.shape[1]
    in_rows = np.ascontiguousarray(pairs.T)
    squares, variance = _squares(influence, *in_rows)
    # t^2 / n; infinite for a pair without variance.
    limit = np.divide(gain**2, variance, out=np.full(len(gain), np.inf), where=variance > 0)
    largest = min(piece_rows([influence.T]), max(1, COUNTS_AT_A_TIME // n))

    def work(pieces: Iterator[Piece]) -> np.ndarray:
        hits = np.zeros(len(pairs), dtype=np.int64)
        buffer = np.empty((largest, n), dtype=np.float32)
        for _, state, rows in pieces:
            draw(state, buffer[:rows])
            counts = np.ascontiguousarray(buffer[:rows].T)
            means = influence @ counts / n
            for chunk in chunks(len(pairs), MEANS_AT_A_TIME // rows):
                sums = squares[chunk] @ counts
                tally_studentized(means, sums, np.ascontiguousarray(in_rows[:, chunk]), limit[chunk], n, hits[chunk])
        return hits

    yield from over_blocks(recipe, recipe.stream, work, largest, progress)


def _squares(influence: np.ndarray, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return squared differences of influences, (pairs, units) float32, and their means, 0 if only rounding."""
    squares = np.empty((len(first), influence.shape[1]), dtype=np.float32)
    variance = np.empty(len(first))
    for chunk in chunks(len(first), MEANS_AT_A_TIME // influence.shape[1]):
        exact = (influence[first[chunk]] - influence[second[chunk]]) ** 2
        squares[chunk], variance[chunk] = exact, exact.mean(axis=1)
    both = (influence**2).mean(axis=1)
    return squares, np.where(variance <= NO_SPREAD * (both[first] + both[second]), 0.0, variance)


@compiled()
def tally_studentized(
    means: np.ndarray, sums: np.ndarray, pairs: np.ndarray, limit: np.ndarray, n: int, hits: np.ndarray
) -> None:
    """Add to ``hits`` (pairs,) how many resamples have |t*| >= t.

    ``means`` (systems, rows): mean influence of each system in each resample of ``n`` units. ``sums`` (pairs, rows):
    sums of the squared differences of the influences of ``pairs`` (2, pairs). ``limit`` (pairs,): t^2 / n, infinite if
    no resample can reach it. Nothing is divided, so that t* is infinite in a resample without spread. The sums are in
    single precision, so a t* within SAME of t counts as equal to t.
    """
    for pair in range(pairs.shape[1]):
        ours, theirs, of_pair = means[pairs[0, pair]], means[pairs[1, pair]], sums[pair]
        least = limit[pair] * (1 - SAME)
        count = 0
        for row in range(means.shape[1]):
            shift = ours[row] - theirs[row]
            spread = max(np.float64(of_pair[row]) / n - shift * shift, 0.0)
            count += shift * shift >= least * spread
        hits[pair] += count
