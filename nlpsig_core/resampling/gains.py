"""Resampled gains of one pair: the single values, and the step between possible ones."""

from __future__ import annotations

import numpy as np

from nlpsig_core.resampling.blocks import Progress, resampled_scores
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.stats.array import Stats
from nlpsig_core.stats.sample import Sample

# Steps of the gain below this share of its spread are too fine to be seen in a histogram.
FINEST = 1e-3
# How far along a unit's difference a score is followed for its derivative.
DERIVATIVE = 1e-3


def resampled_gains(stats: Sample, recipe: Resampling, progress: Progress | None = None) -> np.ndarray:
    """The gain of the first system over the second in every resample, (b,), for the statistics of two.

    The resamples are those of ``bootstrap`` with the same recipe and units, so p counted here is its p.
    """
    scores = resampled_scores(of_two(stats), recipe, progress)
    return stats.metric.sign * (scores[0] - scores[1])


def gain_step(stats: Sample) -> float:
    """The step in which gains of two systems come near 0, such as that of one right answer; 0.0 where there is none.

    To first order, the gain of a resample is the sum of what each drawn unit adds to it: the derivative of the score
    at the mean of both totals, in the direction of the unit's difference. So it is a multiple of what all of these
    are multiples of. Steps below FINEST of the gain's spread count as none.
    """
    adds = np.concatenate([_first_order(part) for part in of_two(stats).test_sets]) / len(stats.test_sets)
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


def of_two(stats: Sample) -> Sample:
    """The statistics, if they are of two systems; ValueError otherwise."""
    if stats.n_systems != 2:
        raise ValueError(f"statistics of {stats.n_systems} systems; a pair is two")
    return stats
