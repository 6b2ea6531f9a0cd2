"""One pair through other rules: which p-values differ from the paper's, and why."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from nlpsig_core.lessons.resampled import BELOW, TWICE, Resampled
from nlpsig_core.paired_tests import TESTS
from nlpsig_core.resampling.blocks import Piece, Progress, nth_of, over_blocks, resampled_scores
from nlpsig_core.resampling.bootstrap import ties
from nlpsig_core.resampling.columns import DistinctColumns, piece_rows
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.resampling.streams import Purpose, generator
from nlpsig_core.stats.array import Stats

PAPER, BELOW_ZERO, UNPAIRED, HALF = "paired bootstrap", "δ* < 0", "unpaired draws", "half-size resamples"
COLUMNS = ("rule", "one_sided", "two_sided", "n_resamples", "statistic", "why")
CORPUS = "corpus score"
# Why another test's p is another one; {unit} is what a unit is called.
WHY = {
    "randomization": (
        "It swaps the outputs of the two systems instead of drawing anew: the null hypothesis is that they are "
        "interchangeable on this very test set."
    ),
    "bootstrap-t": (
        "It divides each resampled gain by its own standard error before it counts. That matters where few {unit}s "
        "decide, or where the histogram is skewed."
    ),
    "sign": (
        "It counts only who wins a {unit}, not by how much, and leaves ties out: many small wins can outweigh a few "
        "large losses."
    ),
    "t": (
        "It takes the mean of the {unit}s' own scores, in which each {unit} counts alike, and Student's curve instead "
        "of resamples."
    ),
    "Wilcoxon": (
        "It ranks the differences of the {unit}s' own scores: a large one counts more than a small one, but only by "
        "its rank."
    ),
    "McNemar": "It counts only the {unit}s on which one system is right and the other is wrong.",
}


def unpaired_gains(stats: Stats, recipe: Resampling, progress: Progress | None = None) -> np.ndarray:
    """Gains (b,) where each of two systems is scored on resamples of its own, as if they had sat different exams."""
    scores = []
    for place in range(2):
        own = Resampling(recipe.n_resamples, recipe.seed + place)
        scores.append(resampled_scores(stats.of([place]), own, nth_of(progress, place, 2))[0])
    return stats.metric.sign * (scores[0] - scores[1])


def half_size_gains(stats: Stats, recipe: Resampling, progress: Progress | None = None) -> np.ndarray:
    """Gains (b,) of two systems on resamples that draw half as many units as there are (one at least)."""
    matrix, n = DistinctColumns(stats), stats.n_units

    def streams(block: int) -> np.random.Generator:
        return generator(recipe.seed, Purpose.LESSON_HALVES, block)

    def work(pieces: Iterator[Piece]) -> list[np.ndarray]:
        return [matrix.scores(_counts(stream, rows, n).astype(matrix.dtype)) for _, stream, rows in pieces]

    runs = over_blocks(recipe, streams, work, piece_rows([matrix.columns]), progress)
    first, second = np.hstack([scores for run in runs for scores in run])
    return stats.metric.sign * (first - second)


def _counts(stream: np.random.Generator, rows: int, n: int) -> np.ndarray:
    """How often each of ``n`` units comes up in half as many draws, (rows, units)."""
    drawn = stream.integers(0, n, (rows, max(1, n // 2))) + n * np.arange(rows)[:, None]
    return np.bincount(drawn.ravel(), minlength=rows * n).reshape(rows, n)


def by_rules(stats: Stats, paper: Resampled, recipe: Resampling, progress: Progress | None = None) -> pd.DataFrame:
    """p of a pair, winner first, by one rule after the other, with the columns COLUMNS.

    ``paper`` are its resamples, ``recipe`` those of the other rules. ``two_sided`` is NaN where a rule has but one
    side; ``n_resamples`` is 0 where p comes by a formula. Tests that cannot be used here are left out.
    """
    tests = [test for name, test in TESTS.items() if name in WHY and not test.applies(stats)]
    steps = len(tests) + 2
    rows: list[tuple] = [
        (
            PAPER, paper.share(TWICE), paper.two_sided, paper.n_resamples, CORPUS,
            "The paper's rule: δ* > 2δ; the two-sided p adds δ* < 0.",
        ),
        (
            BELOW_ZERO, paper.share(BELOW), np.nan, paper.n_resamples, CORPUS,
            "The other tail of the same histogram. The two agree where it is symmetric around δ (footnote 2).",
        ),
        _unpaired(stats, paper.gain, recipe, nth_of(progress, 0, steps)),
        _half_size(stats, recipe, nth_of(progress, 1, steps)),
    ]  # fmt: skip
    pair = np.array([[0, 1]])
    for place, test in enumerate(tests, 2):
        p = test.run(stats, pair, recipe, nth_of(progress, place, steps))
        why = WHY[test.name].format(unit=stats.unit)
        rows.append((test.label, float(p.one_sided[0]), float(p.two_sided[0]), p.n_resamples, test.statistic, why))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _unpaired(stats: Stats, gain: float, recipe: Resampling, progress: Progress | None) -> tuple:
    gains, tie = unpaired_gains(stats, recipe, progress), _tie(stats)
    above, below = float((gains > 2 * gain + tie).mean()), float((gains < -tie).mean())
    why = (
        f"Each system is scored on draws of its own, so that luck with easy {stats.unit}s no longer helps both: where "
        "the two find the same ones easy, δ* spreads further and p is too large. udapi and deep-significance draw so."
    )
    return UNPAIRED, above, min(above + below, 1.0), recipe.n_resamples, CORPUS, why


def _half_size(stats: Stats, recipe: Resampling, progress: Progress | None) -> tuple:
    gains = half_size_gains(stats, recipe, progress)
    why = (
        f"Resamples of half as many {stats.unit}s spread √2 times as far, as if the test set were half as large: p is "
        "too large. compare-mt and MT-Telescope do so, and count how often the winner does not win (δ* ≤ 0)."
    )
    return HALF, float((gains <= _tie(stats)).mean()), np.nan, recipe.n_resamples, CORPUS, why


def _tie(stats: Stats) -> float:
    return float(ties(*stats.scores))
