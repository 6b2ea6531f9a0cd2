"""Damaged files of every format: each input ends in a result or in an error in plain words, within 20 s and 2 GB."""

from __future__ import annotations

import resource
from collections.abc import Iterator, Sequence

from nlpsig_core.base.runtime import available_cores
from soak import Promise
from soak.fuzz.journey import travel, warm_up
from soak.fuzz.workers import BYTES, SECONDS, Outcome, outcomes

# So many inputs in a soak.
INPUTS = 20_000


def promises() -> Iterator[Promise]:
    """Try all inputs; say what became of them, and how long the slowest took."""
    results = list(outcomes(range(INPUTS), travel, warm_up, available_cores()))
    findings = [outcome for outcome in results if outcome.is_finding]
    yield Promise(
        what=f"{INPUTS:,} damaged inputs end in a result or an error in plain words (python -m soak.fuzz NUMBER)",
        measured=summary(results) + "".join(f"; {finding.number}: {finding.what}" for finding in findings[:10]),
        limit="0 findings",
        held=not findings,
    )
    slowest = max(results, key=lambda outcome: outcome.seconds)
    yield Promise(
        what=f"the slowest input, {slowest.number}, of processes of at most {BYTES / 1024**3:g} GB",
        measured=f"{slowest.seconds:.1f} s; most memory {_gigabytes():.1f} GB",
        limit=f"{SECONDS:g} s",
        held=slowest.seconds <= SECONDS,
    )


def summary(results: Sequence[Outcome]) -> str:
    """Count what the inputs ended in."""
    ends = [outcome.what for outcome in results]
    findings = sum(outcome.is_finding for outcome in results)
    return f"{ends.count('result'):,} results, {ends.count('refused'):,} refused, {findings:,} findings"


def _gigabytes() -> float:
    """Return the most memory that a worker has had."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024**2
