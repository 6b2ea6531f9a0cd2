"""One pair of systems: the distribution of its resampled gains, and every test of it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from nlpsig_core.bootstrap import all_pairs, observed_gains
from nlpsig_core.paired_tests import TESTS
from nlpsig_core.resampling import Progress, Resampling, nth_of, resampled_scores
from nlpsig_core.stats import MacroStats, Stats

TEST_COLUMNS = ("test", "statistic", "p_value", "p_two_sided", "p_error", "note")


def resampled_gains(stats: Stats | MacroStats, recipe: Resampling, progress: Progress | None = None) -> np.ndarray:
    """The gain of the first system over the second in every resample, (b,), for the statistics of two.

    The resamples are those of ``bootstrap`` with the same recipe and units, so p counted here is its p.
    """
    scores = resampled_scores(of_two(stats), recipe, progress)
    return stats.metric.sign * (scores[0] - scores[1])


def gain_histogram(stats: Stats | MacroStats, recipe: Resampling, progress: Progress | None = None) -> pd.DataFrame:
    """The histogram of the resampled gains of two systems, winner first, as ``histogram`` gives it."""
    gains = resampled_gains(stats, recipe, progress)
    gain, tie = observed_gains(stats, np.array([[0, 1]]))
    return histogram(gains, float(gain[0]), float(tie[0]))


def histogram(gains: np.ndarray, gain: float, tie: float, n_bins: int = 120) -> pd.DataFrame:
    """About ``n_bins`` equal bins with edges at 0 and at twice the gain: gain (the middle), width, resamples.

    Twice a gain that is less than half a bin has no edge of its own.
    ``above`` and ``below`` are those of the bin's resamples that p counts: beyond twice the gain, and below 0, by more
    than the ``tie``. What lies on an edge is in the bin to its right, but not counted.
    """
    low, high = min(float(gains.min()), 0.0), max(float(gains.max()), 0.0)
    width = (high - low) / n_bins or 1.0
    if (bins_to_twice := round(2 * gain / width)) > 0:
        width = 2 * gain / bins_to_twice
    edges = width * np.arange(np.floor(low / width), np.ceil(high / width) + 1)
    edges = edges if len(edges) > 1 else np.array([0.0, width])
    # What rounding has put beyond the outer edges is inside.
    inside = np.clip(gains, edges[0], edges[-1])
    return binned(inside, edges, {"above": gains > 2 * gain + tie, "below": gains < -tie})


def binned(gains: np.ndarray, edges: np.ndarray, events: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """A row a bin: gain (the middle), width, resamples, and how many of these each event counts.

    ``events`` are masks (b,) of the resampled ``gains`` (b,), by name.
    """
    counted = {"resamples": gains} | {event: gains[mask] for event, mask in events.items()}
    columns = {what: np.histogram(values, edges)[0] for what, values in counted.items()}
    return pd.DataFrame({"gain": (edges[:-1] + edges[1:]) / 2, "width": np.diff(edges), **columns})


def all_tests(stats: Stats | MacroStats, recipe: Resampling, progress: Progress | None = None) -> pd.DataFrame:
    """Every test of two systems, a row each with the columns TEST_COLUMNS.

    p-values are NaN where a test cannot be used; ``note`` says why, or what the test counted.
    """
    pairs = all_pairs(of_two(stats).metric.sign * stats.scores)
    resampling = [name for name, test in TESTS.items() if test.resamples]
    rows = []
    for name, test in TESTS.items():
        if why := test.applies(stats):
            rows.append((test.label, test.statistic, np.nan, np.nan, np.nan, f"cannot be used: {why}"))
            continue
        told = nth_of(progress, resampling.index(name), len(resampling)) if test.resamples else None
        p = test.run(stats, pairs, recipe, told)
        note = ", ".join(f"{what} {values[0]:,.4g}" for what, values in p.details.items())
        rows.append((test.label, test.statistic, p.one_sided[0], p.two_sided[0], p.error[0], note))
    return pd.DataFrame(rows, columns=list(TEST_COLUMNS))


def of_two(stats: Stats | MacroStats) -> Stats | MacroStats:
    """The statistics, if they are of two systems; ValueError otherwise."""
    if stats.n_systems != 2:
        raise ValueError(f"statistics of {stats.n_systems} systems; a pair is two")
    return stats
