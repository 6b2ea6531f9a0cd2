"""One pair of systems: the histogram of its resampled gains, and every test of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from nlpsig_core.significance.comparison.classes import DIFFERENT
from nlpsig_core.significance.comparison.notion import BOOTSTRAP, Notion
from nlpsig_core.significance.comparison.pair_table import pair_table
from nlpsig_core.significance.paired_tests import TESTS, p_by, p_of_result
from nlpsig_core.significance.resampling.blocks import Progress, nth_of
from nlpsig_core.significance.resampling.bootstrap import Bootstrap, all_pairs, bootstrap, observed_gains
from nlpsig_core.significance.resampling.gains import checked_pair, gain_step
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Sample

TEST_COLUMNS = ("test", "statistic", "p_value", "p_two_sided", "resamples", "p_error", "note")


def drawn(stats: Sample, recipe: Resampling, progress: Progress | None = None) -> Bootstrap:
    """Return the bootstrap of two systems with their scores in all resamples, for the histogram and tests."""
    return bootstrap(checked_pair(stats), recipe, progress, keep=True)


def pair_alone(
    stats: Sample, systems: Sequence[str], recipe: Resampling, notion: Notion, progress: Progress | None = None
) -> tuple[Bootstrap, pd.DataFrame]:
    """Return the bootstrap of two of the systems, and their pair table, by the test that is usual for all systems."""
    pair, apart = stats.named(systems), np.full(2, DIFFERENT, dtype=object)
    result = bootstrap(pair, recipe, progress)
    p = p_by(notion.test_on(stats), pair, result)
    return result, pair_table(result, pair, apart[:1], apart, p=p, notion=notion)


def gain_histogram(stats: Sample, result: Bootstrap) -> pd.DataFrame:
    """Return the ``histogram`` of the resampled gains of two systems, winner first; ``result`` is that of ``drawn``."""
    assert result.resampled is not None
    gains = stats.metric.sign * (result.resampled[0] - result.resampled[1])
    gain, tie = observed_gains(stats, np.array([[0, 1]]))
    return histogram(gains, float(gain[0]), float(tie[0]), step=gain_step(stats))


def histogram(gains: np.ndarray, gain: float, tie: float, n_bins: int = 120, step: float = 0.0) -> pd.DataFrame:
    """Return about ``n_bins`` equal bins that cover 0 and all gains: gain (the middle), width, resamples, above, below.

    ``above`` and ``below`` count the resamples of the bin that contribute to p: beyond twice the gain, and below 0, by
    more than the ``tie``. The edges are those of ``equal_edges``: at 0 and at twice the gain, or between the steps of
    the gain. A gain on an edge is in the bin to its right, but not in its ``above`` or ``below``.
    """
    low, high = min(float(gains.min()), 0.0), max(float(gains.max()), 0.0)
    edges = equal_edges(low, high, (high - low) / n_bins or 1.0, 2 * gain, step)
    # Gains that rounding puts beyond the outer edges are in the outer bins.
    inside = np.clip(gains, edges[0], edges[-1])
    counted = {"resamples": inside, "above": inside[gains > 2 * gain + tie], "below": inside[gains < -tie]}
    columns = {name: np.histogram(values, edges)[0] for name, values in counted.items()}
    return pd.DataFrame({"gain": (edges[:-1] + edges[1:]) / 2, "width": np.diff(edges), **columns})


def equal_edges(low: float, high: float, width: float, anchor: float, step: float) -> np.ndarray:
    """Return the edges of equal bins, about ``width`` wide, that cover ``low`` to ``high``.

    Without a step, 0, one edge is at 0 and one at the ``anchor``, unless that is less than half a bin. For gains that
    come in steps, such bins would look like a comb, as some hold one step more than others. So with a ``step`` every
    bin holds the same number of steps, edges are midway between two steps, and 0 is the lowest step of its bin.
    """
    start = -step / 2
    if step:
        width = step * max(1, round(width / step))
    elif (bins_to_anchor := round(anchor / width)) > 0:
        width = anchor / bins_to_anchor
    # Rounding must not add a bin.
    least = np.floor((low - start) / width + 1e-9)
    most = np.ceil((high - start) / width - 1e-9)
    return start + width * np.arange(least, max(most, least + 1) + 1)


def all_tests(stats: Sample, result: Bootstrap, progress: Progress | None = None) -> pd.DataFrame:
    """Return every test of two systems, a row each with the columns TEST_COLUMNS; ``result`` is their bootstrap.

    p-values are NaN if a test cannot be used; ``note`` gives the reason, or the details that the test counted.
    """
    pairs = all_pairs(checked_pair(stats).metric.sign * stats.scores)
    resampling = [name for name, test in TESTS.items() if test.resamples and name != BOOTSTRAP]
    rows = []
    for name, test in TESTS.items():
        if why := test.applies(stats):
            rows.append((test.label, test.statistic, np.nan, np.nan, 0, np.nan, f"cannot be used: {why}"))
            continue
        own_progress = nth_of(progress, resampling.index(name), len(resampling)) if name in resampling else None
        p = p_of_result(result) if name == BOOTSTRAP else test.run(stats, pairs, result.recipe, own_progress)
        note = ", ".join(f"{detail.replace('_', ' ')} {values[0]:,.4g}" for detail, values in p.details.items())
        of_p = p.one_sided[0], p.two_sided[0], p.n_resamples, p.error[0]
        rows.append((test.label, test.statistic, *of_p, note))
    return pd.DataFrame(rows, columns=list(TEST_COLUMNS))
