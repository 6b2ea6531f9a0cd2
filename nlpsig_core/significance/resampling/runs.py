"""Several runs of a system: the variance of their mean, how resamples draw them, and what p then covers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.digests import digest
from nlpsig_core.significance.resampling.kernels import draw
from nlpsig_core.significance.stats.array import Sample


class RunVariance(NamedTuple):
    """The variance of each system's mean score over its runs, s^2 / R, and its degrees of freedom R - 1.

    Both are (systems,), and 0 for a system with one run.
    """

    variance: np.ndarray
    freedom: np.ndarray


def runs_drawn(stats: Sample) -> tuple[int, ...]:
    """Return the number of runs of each system that resamples draw, 1 where there is nothing to draw.

    Repeated answers to the same questions vary independently from question to question: the mean over a question's
    answers carries that variation, so resampling questions suffices (Miller 2024, section 3).
    """
    return (1,) * stats.n_systems if stats.metric.family.answers else stats.runs


def draws_runs(stats: Sample) -> bool:
    """Whether resamples draw runs of some system."""
    return max(runs_drawn(stats), default=1) > 1


def run_variance(stats: Sample) -> RunVariance:
    """Return the variance of each system's score over other runs on the same units.

    The bootstrap's variance of a gain is that of resampling units plus those of both systems' runs.
    """
    variance = np.zeros(stats.n_systems)
    drawn = runs_drawn(stats)
    for system, runs in enumerate(drawn):
        if runs > 1:
            variance[system] = stats.run_scores[stats.rows(system)].var(ddof=1) / runs
    return RunVariance(variance, np.array(drawn) - 1)


class RunDraws:
    """Resampling of runs: a term added to each resampled score for the runs that could have been trained instead.

    Of a system's R runs, R - 1 are drawn with replacement, so that the variance of their mean is the unbiased s^2 / R
    (Rao and Wu 1988). The term is the drawn runs' mean score on all units minus the mean of all runs; the score on the
    resampled units is the mean over all runs. The variance of a score is thus that of resampling units plus s^2 / R.
    Chance advantages of a run on some units enter both, so the variance is slightly too large; scoring the drawn runs
    on the drawn units would count them a third time (Owen 2007).

    The variance of few runs is poorly known. Where runs cause most of the variance, the two-sided p of equal systems is
    below 0.05 for 9, 12 and 24% of pairs with 5, 3 and 2 runs each (simulated); where they cause as much as units, for
    5, 6 and 9%. The small-sample p, which accounts for the degrees of freedom, is below 0.05 for 4 to 5% with 3 or 5
    runs and for up to 15% with 2.

    A system's draws depend on its statistics (``keys``), not on its name, its index or the other systems.
    """

    def __init__(self, stats: Sample) -> None:
        self.systems = [system for system, runs in enumerate(runs_drawn(stats)) if runs > 1]
        rows = [stats.rows(system) for system in self.systems]
        self.keys = [_content([part.values[of] for part in stats.test_sets]) for of in rows]
        self.better = [(s - s.mean()) / (len(s) - 1) for s in (stats.run_scores[of] for of in rows)]

    def add(self, streams: list[np.ndarray], scores: np.ndarray) -> None:
        """Add the terms of the next draws of runs to scores (systems, rows)."""
        for system, state, better in zip(self.systems, streams, self.better, strict=True):
            counts = np.empty((scores.shape[1], len(better)))
            draw(state, counts, len(better) - 1)
            scores[system] += counts @ better


def _content(values: Sequence[np.ndarray]) -> int:
    """Return a number for the content of arrays, to be part of the key of a random stream."""
    whole = digest(b"".join(np.ascontiguousarray(array).tobytes() for array in values))
    return int(whole[:32], 16)


def runs_of(stats: Sample) -> dict[str, str]:
    """Return the signature's field for the number of runs; empty if each system has one."""
    runs = [number for part in stats.test_sets for number in part.runs]
    fewest, most = min(runs, default=1), max(runs, default=1)
    return {"runs": str(most) if fewest == most else f"{fewest}-{most}"} if stats.several_runs else {}
