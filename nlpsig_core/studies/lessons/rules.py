"""One pair through other rules: which p-values differ from the paper's, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.resampling.blocks import Piece, Progress, nth_of, over_blocks, resampled_scores
from nlpsig_core.significance.resampling.bootstrap import observed_gains
from nlpsig_core.significance.resampling.columns import Strata, piece_rows
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.streams import Purpose, generator
from nlpsig_core.significance.stats.array import Stats

PAPER, BELOW_ZERO, UNPAIRED, HALF = "paired bootstrap", "δ* < 0", "unpaired draws", "half-size resamples"


class ByRule(NamedTuple):
    """Hold p of a pair by one rule, and ``why`` it differs from the paper's."""

    rule: str
    one_sided: float
    two_sided: float
    n_resamples: int
    why: str


def unpaired_gains(stats: Stats, recipe: Resampling, progress: Progress | None = None) -> np.ndarray:
    """Return gains (b,) where each system is scored on resamples of its own, as if they had sat different exams."""
    first, second = (
        resampled_scores(
            stats.select([system]), Resampling(recipe.n_resamples, recipe.seed + system), nth_of(progress, system, 2)
        )[0]
        for system in range(2)
    )
    return np.asarray(stats.metric.sign * (first - second))


def half_size_gains(stats: Stats, recipe: Resampling, progress: Progress | None = None) -> np.ndarray:
    """Return the gains (b,) on resamples of half as many units as there are (at least one)."""
    strata, n = Strata(stats), stats.n_units
    (columns,) = strata.columns

    def streams(block: int) -> np.random.Generator:
        return generator(recipe.seed, Purpose.LESSON_HALVES, block)

    def work(pieces: Iterator[Piece]) -> list[np.ndarray]:
        return [strata.mean_scores([_counts(stream, rows, n).astype(columns.dtype)]) for _, stream, rows in pieces]

    runs = over_blocks(recipe, streams, work, piece_rows([columns]), progress)
    first, second = np.hstack([scores for run in runs for scores in run])
    return np.asarray(stats.metric.sign * (first - second))


def _counts(stream: np.random.Generator, rows: int, n: int) -> np.ndarray:
    """Count how often each of ``n`` units is drawn in n / 2 draws, (rows, units)."""
    drawn = stream.integers(0, n, (rows, max(1, n // 2))) + n * np.arange(rows)[:, None]
    return np.bincount(drawn.ravel(), minlength=rows * n).reshape(rows, n)


def by_rules(stats: Stats, gains: np.ndarray, recipe: Resampling, progress: Progress | None = None) -> pd.DataFrame:
    """Test a pair, winner first, by each rule: a row a rule, with the columns of ByRule.

    ``gains`` are those of ``resampled_gains`` with the same recipe. ``two_sided`` is NaN for a one-sided rule, and
    ``n_resamples`` is 0 if p comes from a formula. Tests that cannot be used here are omitted.
    """
    tests = [test for test in TESTS.values() if test.contrast and not test.applies(stats)]
    steps, pair = len(tests) + 2, np.array([[0, 1]])
    rows = _by_draws(stats, gains, recipe, progress, steps)
    for step, test in enumerate(tests, 2):
        p = test.run(stats, pair, recipe, nth_of(progress, step, steps))
        rows.append(
            ByRule(
                rule=test.label,
                one_sided=float(p.one_sided[0]),
                two_sided=float(p.two_sided[0]),
                n_resamples=p.n_resamples,
                why=test.contrast.format(unit=stats.unit),
            )
        )
    return pd.DataFrame(rows, columns=list(ByRule._fields))


def _by_draws(
    stats: Stats, gains: np.ndarray, recipe: Resampling, progress: Progress | None, steps: int
) -> list[ByRule]:
    """Return the rules that draw units with replacement: the paper's two, unpaired draws and half-size resamples."""
    (delta, *_), (tie, *_) = observed_gains(stats, np.array([[0, 1]]))
    unpaired = unpaired_gains(stats, recipe, nth_of(progress, 0, steps))
    half = half_size_gains(stats, recipe, nth_of(progress, 1, steps))
    above, below = (gains > 2 * delta + tie).mean(), (gains < -tie).mean()
    above_unpaired, below_unpaired = (unpaired > 2 * delta + tie).mean(), (unpaired < -tie).mean()
    rules = {
        PAPER: (above, above + below, "The paper's rule: δ* > 2δ; the two-sided p adds δ* < 0."),
        BELOW_ZERO: (
            below,
            np.nan,
            "The other tail of the same histogram. The two agree if it is symmetric around δ (footnote 2).",
        ),
        UNPAIRED: (
            above_unpaired,
            above_unpaired + below_unpaired,
            f"Each system is scored on its own draws, so luck with easy {stats.unit}s no longer helps both: if both "
            f"find the same {stats.unit}s easy, δ* varies more and p is too large. udapi and deep-significance draw "
            "this way.",
        ),
        HALF: (
            (half <= tie).mean(),
            np.nan,
            f"Resamples of half as many {stats.unit}s vary √2 times as much, as if the test set were half as large: p "
            "is too large. compare-mt and MT-Telescope do this, and count how often the winner does not win (δ* ≤ 0).",
        ),
    }
    return [
        ByRule(rule=rule, one_sided=one, two_sided=np.minimum(two, 1.0), n_resamples=recipe.n_resamples, why=why)
        for rule, (one, two, why) in rules.items()
    ]
