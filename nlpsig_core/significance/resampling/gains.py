"""Resampled gains of one pair: the values, and the step between possible ones."""

from __future__ import annotations

import numpy as np

from nlpsig_core.significance.resampling.blocks import Progress, resampled_scores
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Sample, Stats

# Steps below this share of the gain's spread are too fine to show in a histogram.
FINEST = 1e-3
# The step of the numerical derivative, as a share of a unit's difference.
DERIVATIVE = 1e-3


def resampled_gains(stats: Sample, recipe: Resampling, progress: Progress | None = None) -> np.ndarray:
    """Return the gain of the first system over the second in every resample, (b,), for statistics of two systems.

    The resamples are those of ``bootstrap`` with the same recipe and units, and so are the p-values.
    """
    scores = resampled_scores(checked_pair(stats), recipe, progress)
    gains: np.ndarray = stats.metric.sign * (scores[0] - scores[1])
    return gains


def gain_step(stats: Sample) -> float:
    """Return the step between possible gains of two systems near 0, as of one right answer; 0.0 if there is none.

    To first order, the gain of a resample is the sum of the drawn units' contributions: the derivative of the score at
    the mean of both totals, in the direction of the unit's difference. It is thus a multiple of their common step.
    Steps below FINEST of the gain's spread count as none, and scores of the weighted sample have none.
    """
    if stats.metric.sample is not None:
        return 0.0
    each = zip(stats.weights, checked_pair(stats).test_sets, strict=True)
    contributions = np.concatenate([weight * _first_order(part) for weight, part in each]) / sum(stats.weights)
    return common_step(contributions, FINEST * float(np.sqrt((contributions**2).sum())))


def _first_order(stats: Stats) -> np.ndarray:
    """Return the first-order contribution of each unit to the gain, (units,), where the two systems score alike."""
    between = stats.totals.mean(axis=0)
    step = DERIVATIVE * (stats.values[0].astype(np.float64) - stats.values[1])
    return (stats.metric.score(between + step) - stats.metric.score(between - step)) / (2 * DERIVATIVE)


def common_step(values: np.ndarray, finest: float) -> float:
    """Return the largest number of which all values are multiples, up to rounding; 0.0 if it is at most ``finest``.

    Euclid's algorithm on all values at once; anything below a thousandth of ``finest`` is rounding.
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


def checked_pair(stats: Sample) -> Sample:
    """Return the same statistics; ValueError unless they are of two systems."""
    if stats.n_systems != 2:
        raise ValueError(f"statistics of {stats.n_systems} systems; a pair is two")
    return stats
