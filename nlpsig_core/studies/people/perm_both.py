"""PERM-BOTH: pairs of metrics whose scores are swapped, each of a segment and a system on its own.

Deutsch et al. (2021), "A statistical analysis of summarization evaluation metrics using resampling methods". Metrics
are standardised first, so that their scores can take one another's place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from nlpsig_core.data.metrics.agreement.table import by_system, standardised
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.significance.paired_tests.base import PValues
from nlpsig_core.significance.paired_tests.randomization import draw_swaps, p_of_swaps
from nlpsig_core.significance.resampling.blocks import Piece, Progress, over_blocks
from nlpsig_core.significance.resampling.recipe import BLOCK, Resampling
from nlpsig_core.significance.resampling.streams import Purpose, stream
from nlpsig_core.studies.people import perm_kernels, perm_orders, perm_sums

PERMUTATIONS = 1_000
# Gains that differ by less are equal; measures are between -1 and 1.
TIE = 1e-10
# Permutations that are scored at a time.
ROWS = 256
# Pairs of a part, at most, and their cells times systems: the differences that are sorted for one metric of each.
PAIRS, DIFFERENCES = 24, 6_000_000
# From standardised values of metrics, pairs of them and the measure to the gains of the pairs after swaps.
Way = Callable[[np.ndarray, np.ndarray, Metric], perm_sums.Gains]
_of_taus = partial(perm_orders.of_ranks, kernel=perm_kernels.add_taus)
WAYS: dict[str, Way] = {
    "SPA": perm_sums.of_soft_accuracy,
    "sys-accuracy": perm_sums.of_sums,
    "sys-Pearson": perm_sums.of_sums,
    "sys-Spearman": perm_sums.of_sums,
    "sys-Kendall": perm_sums.of_sums,
    "seg-accuracy-item": perm_sums.of_accuracy,
    "seg-accuracy-calibrated-item": perm_orders.of_calibrated,
    "seg-Kendall-item": partial(_of_taus, common=perm_orders.SEGMENT),
    "seg-Pearson-item": perm_orders.of_correlations,
    "seg-Kendall-system": partial(_of_taus, common=perm_orders.SYSTEM),
    "seg-Pearson": perm_sums.of_sums,
    "seg-Spearman": partial(perm_orders.of_ranks, kernel=perm_kernels.add_rhos),
    "seg-Kendall": _of_taus,
}


class Part(NamedTuple):
    """Some of the pairs, by number, which are compared on the same ``known`` cells (segments, systems)."""

    numbers: list[int]
    known: np.ndarray


@dataclass(frozen=True)
class PartByPart(Resampling):
    """A recipe that each of several parts follows, all with the same permutations; the blocks of one are a chunk."""

    n_parts: int = 1

    @property
    def blocks(self) -> int:
        """The number of blocks of a part."""
        return -(-self.n_resamples // BLOCK)

    def chunks(self) -> Iterator[range]:
        """Yield the blocks of each part."""
        for part in range(self.n_parts):
            yield range(part * self.blocks, (part + 1) * self.blocks)

    def rows(self, block: int) -> int:
        """Return the number of permutations in a block."""
        return super().rows(block % self.blocks)


def perm_both(
    values: np.ndarray, pairs: np.ndarray, measure: Metric, recipe: Resampling, progress: Progress | None = None
) -> PValues:
    """Return p of each pair of metrics (m, 2), the better one first: how often swapped scores differ as much.

    ``values`` (metrics, segments, k) are counts of the family. A pair is compared on the scores that both metrics and
    people have, and all pairs share the swaps. p = (hits + 1) / (b + 1).
    """
    both = by_system(values)[2] > 0
    parts, columns = _parts(both, pairs), np.empty((both[0].size, 1), dtype=np.int8)
    of_parts = PartByPart(recipe.n_resamples, recipe.seed, len(parts))

    def streams(block: int) -> np.random.PCG64:
        return np.random.PCG64(stream(recipe.seed, Purpose.CELL_SWAPS, block % of_parts.blocks))

    def work(pieces: Iterator[Piece]) -> np.ndarray:
        counted, count = [], None
        for block, own, rows in pieces:
            if count is None:
                part = parts[block // of_parts.blocks]
                count = _counter(_gains(values, pairs[part.numbers], part.known, measure), len(columns))
            counted.append(count(draw_swaps(own, columns, rows)))
        return np.asarray(np.sum(counted, axis=0))

    hits = np.zeros((2, len(pairs)), dtype=np.int64)
    told: Progress | None = progress and (lambda done, of_part: progress(done, of_part * len(parts)))
    for part, found in zip(parts, over_blocks(of_parts, streams, work, ROWS, told), strict=True):
        hits[:, part.numbers] = found
    return p_of_swaps(hits, recipe.n_resamples)


def _parts(both: np.ndarray, pairs: np.ndarray) -> list[Part]:
    """Return the pairs in parts, by the cells that each metric has in common with people."""
    numbers: dict[bytes, list[int]] = {}
    for number, (a, b) in enumerate(pairs):
        numbers.setdefault((both[a] & both[b]).tobytes(), []).append(number)
    known = {key: np.frombuffer(key, dtype=bool).reshape(both.shape[1:]) for key in numbers}
    size = min(PAIRS, max(1, DIFFERENCES // max(both[0].size * both.shape[2], 1)))
    return [Part(of[i : i + size], known[key]) for key, of in numbers.items() for i in range(0, len(of), size)]


def _gains(values: np.ndarray, pairs: np.ndarray, known: np.ndarray, measure: Metric) -> perm_sums.Gains:
    """Return what makes the gains of pairs after swaps, on the standardised scores of the known cells."""
    metrics, own = np.unique(pairs, return_inverse=True)
    table = values[metrics].reshape(len(metrics), values.shape[1], 3, -1)
    padded = np.pad(known, ((0, 0), (0, 1)))[None, :, None]
    return WAYS[measure.name](
        standardised((table * padded).reshape(values[metrics].shape)), own.reshape(-1, 2), measure
    )


def _counter(gains: perm_sums.Gains, cells: int) -> Callable[[np.ndarray], np.ndarray]:
    """Return what counts the swaps that give each pair its gain or more: for the first and the second, (2, pairs)."""
    observed = gains(np.zeros((1, cells), dtype=np.int8))[0]

    def count(swaps: np.ndarray) -> np.ndarray:
        swapped = gains(swaps)
        return np.stack([(swapped >= observed - TIE).sum(axis=0), (swapped <= TIE - observed).sum(axis=0)])

    return count
