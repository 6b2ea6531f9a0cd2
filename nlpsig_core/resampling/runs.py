"""Several runs of a system: how much their mean varies, how resamples draw them, and what that says of p."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from nlpsig_core.digests import digest
from nlpsig_core.stats.sample import Sample

# With fewer runs than this their variance is known too badly.
FEW_RUNS = 5


class RunVariance(NamedTuple):
    """The variance of each system's mean score over its runs, s^2 / R, and its degrees of freedom R - 1.

    Both are (systems,) and 0 for a system of one run, of which nothing is known.
    """

    variance: np.ndarray
    freedom: np.ndarray


def run_variance(stats: Sample) -> RunVariance:
    """How much the score of each system would vary with other runs on the same units.

    The bootstrap's variance of a gain is the variance from drawing units plus that of both systems' runs.
    """
    variance = np.zeros(stats.n_systems)
    for system, runs in enumerate(stats.runs):
        if runs > 1:
            variance[system] = stats.run_scores[stats.rows(system)].var(ddof=1) / runs
    return RunVariance(variance, np.array(stats.runs) - 1)


class RunDraws:
    """What it adds to the scores of systems that other runs could have been made.

    Of a system's R runs R - 1 are drawn with replacement, so that the variance of their mean is the unbiased s^2 / R
    (Rao and Wu 1988). What is added is by how much the drawn runs score better on all units than the mean of all; the
    score on the resampled units is the mean over all runs. So the variance of a score is that from drawing units plus
    s^2 / R. That a run is better on some units by chance counts in both, which is rather too much; scoring the drawn
    runs on the drawn units would count it a third time (Owen 2007).

    Few runs tell little of their variance: where it is most of all, the two-sided p of equal systems is below 0.05 for
    9, 12 and 24 % of pairs with 5, 3 and 2 runs each (simulated); where it is about that of units, for 5, 6 and 9 %.
    The small-sample p, which knows their degrees of freedom, is for 4 to 5 % with 3 or 5 runs, for up to 15 % with 2.

    A system's draws depend on its statistics (``keys``), not on its name, its place or the other systems.
    """

    def __init__(self, stats: Sample) -> None:
        self.systems = [system for system, runs in enumerate(stats.runs) if runs > 1]
        rows = [stats.rows(system) for system in self.systems]
        self.keys = [_content([part.values[of] for part in stats.test_sets]) for of in rows]
        self.better = [(s - s.mean()) / (len(s) - 1) for s in (stats.run_scores[of] for of in rows)]

    def add(self, streams: list[np.ndarray], scores: np.ndarray) -> None:
        """Add to scores (systems, rows) what the next draws of runs make better or worse."""
        from nlpsig_core.resampling.kernels import draw

        for system, state, better in zip(self.systems, streams, self.better, strict=True):
            counts = np.empty((scores.shape[1], len(better)))
            draw(state, counts, len(better) - 1)
            scores[system] += counts @ better


def _content(values: Sequence[np.ndarray]) -> int:
    """A number for the content of some arrays, as part of a key of random numbers."""
    whole = digest(b"".join(np.ascontiguousarray(of_part).tobytes() for of_part in values))
    return int(whole[:32], 16)


def runs_of(stats: Sample) -> dict[str, str]:
    """The part of a signature on the number of runs; empty where each system has one."""
    fewest, most = min(stats.runs, default=1), max(stats.runs, default=1)
    return {"runs": str(most) if fewest == most else f"{fewest}-{most}"} if stats.several_runs else {}


def runs_note(stats: Sample) -> str:
    """Whether p covers that another training run would have scored otherwise, in a sentence."""
    if not stats.several_runs:
        return "Each system has one run: p does not cover what another training run of it would score"
    alone = [name for name, runs in zip(stats.names, stats.runs, strict=True) if runs == 1]
    but = f", but not of {', '.join(alone)}, of which there is one run" if alone else ""
    fewest = min(runs for runs in stats.runs if runs > 1)
    few = f". {fewest} runs are few: the bootstrap's p comes out too small" if fewest < FEW_RUNS else ""
    return (
        f"A system's score is the mean of its runs ({runs_of(stats)['runs']}). Each resample draws runs as well as "
        f"{stats.unit}s, so that p covers what other training runs would score{but}{few}"
    )


def size_note(stats: Sample) -> str:
    """What more units do not do, in a sentence; "" where each system has one run."""
    said = (
        "More units do not make runs more alike: where these vary, it takes more units than is said here, or more runs"
    )
    return said if stats.several_runs else ""


def notes_by_system(
    notes: Mapping[str, str], names: Mapping[str, str], labels: Mapping[str, str], first: Mapping[str, str]
) -> dict[str, str]:
    """Notes by file; those on a system's several runs are one, under the file of its ``first`` (by system).

    ``names`` are the systems, ``labels`` the names of their outputs, by file.
    """
    times = Counter(names.values())
    found: dict[str, str] = {}
    for file, note in notes.items():
        several = times[name := names.get(file, file)] > 1
        lead, run = (first.get(name, file), f"{labels[file]}: ") if several else (file, "")
        found[lead] = "; ".join(filter(None, [found.get(lead), run + note]))
    return found
