"""One pair of systems: the distribution of its resampled gains, and every test of it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from nlpsig_core.bootstrap import all_pairs, observed_gains
from nlpsig_core.paired_tests import TESTS
from nlpsig_core.resampling import Progress, Resampling, nth_of, resampled_scores
from nlpsig_core.stats.array import MacroStats, Stats

TEST_COLUMNS = ("test", "statistic", "p_value", "p_two_sided", "p_error", "note")
# Steps of the gain below this share of its spread are too fine to be seen in a histogram.
FINEST = 1e-3
# How far along a unit's difference a score is followed for its derivative.
DERIVATIVE = 1e-3


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
    return histogram(gains, float(gain[0]), float(tie[0]), step=gain_step(stats))


def gain_step(stats: Stats | MacroStats) -> float:
    """The step in which gains of two systems come near 0, such as that of one right answer; 0.0 where there is none.

    To first order, the gain of a resample is the sum of what each drawn unit adds to it: the derivative of the score
    at the mean of both totals, in the direction of the unit's difference. So it is a multiple of what all of these
    are multiples of. Steps below FINEST of the gain's spread count as none.
    """
    adds = np.concatenate([_first_order(part) for part in of_two(stats).parts]) / len(stats.parts)
    return common_step(adds, FINEST * float(np.sqrt((adds**2).sum())))


def _first_order(stats: Stats) -> np.ndarray:
    """What each unit adds to the gain, (units,), to first order where the two systems score alike."""
    between = stats.totals.mean(axis=0)
    part = DERIVATIVE * (stats.values[0].astype(np.float64) - stats.values[1])
    return (stats.metric.score(between + part) - stats.metric.score(between - part)) / (2 * DERIVATIVE)


def common_step(values: np.ndarray, finest: float) -> float:
    """The largest number of which all values are multiples but for rounding; 0.0 where it is not above ``finest``.

    Euclid's algorithm on all of them at once; rounding is what is below a thousandth of ``finest``.
    """
    left = np.abs(values)
    while (left := left[left > finest / 1_000]).size:
        step = float(left.min())
        if step <= finest:
            break
        left = np.abs(left - step * np.round(left / step))
        if not (left > finest / 1_000).any():
            return step
        left = np.append(left, step)
    return 0.0


def histogram(gains: np.ndarray, gain: float, tie: float, n_bins: int = 120, step: float = 0.0) -> pd.DataFrame:
    """About ``n_bins`` equal bins over 0 and all gains: gain (the middle), width, resamples, above, below.

    ``above`` and ``below`` are those of the bin's resamples that p counts: beyond twice the gain, and below 0, by more
    than the ``tie``. Edges are those of ``equal_edges``: at 0 and at twice the gain, or between the steps of the gain.
    What lies on an edge is in the bin to its right, but not counted.
    """
    low, high = min(float(gains.min()), 0.0), max(float(gains.max()), 0.0)
    edges = equal_edges(low, high, (high - low) / n_bins or 1.0, 2 * gain, step)
    return binned(gains, edges, {"above": gains > 2 * gain + tie, "below": gains < -tie})


def equal_edges(low: float, high: float, width: float, anchor: float, step: float = 0.0) -> np.ndarray:
    """Edges of equal bins, about ``width`` wide, that hold everything from ``low`` to ``high``.

    Without a step one edge is at 0 and one at the ``anchor``, unless that is less than half a bin. Gains that come in
    steps would make a comb of such bins, which hold now one step more and now one less. So with a ``step`` every bin
    holds the same number of steps, edges are midway between two of them, and one bin has 0 as its lowest step.
    """
    start = -step / 2
    if step:
        width = step * max(1, round(width / step))
    elif (bins_to_anchor := round(anchor / width)) > 0:
        width = anchor / bins_to_anchor
    # What is an edge but for rounding is an edge.
    least = np.floor((low - start) / width + 1e-9)
    most = np.ceil((high - start) / width - 1e-9)
    return start + width * np.arange(least, max(most, least + 1) + 1)


def binned(gains: np.ndarray, edges: np.ndarray, events: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """A row a bin: gain (the middle), width, resamples, and how many of these each event counts.

    ``events`` are masks (b,) of the resampled ``gains`` (b,), by name. Gains beyond the outer edges, where rounding
    puts some, are in the outer bins.
    """
    inside = np.clip(gains, edges[0], edges[-1])
    counted = {"resamples": inside} | {event: inside[mask] for event, mask in events.items()}
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
