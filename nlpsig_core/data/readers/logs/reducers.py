"""Reducers of Inspect: functions that reduce the scores of several answers to a question to one."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Callable, Sequence

MEAN = "mean"
# A score from which on an answer counts as right.
RIGHT = 1.0
BY_NUMBER = re.compile(r"(\w+?)_(\d{1,9})")

Reduce = Callable[[Sequence[float]], float]
REDUCERS: dict[str, Reduce] = {
    MEAN: statistics.mean,
    "median": statistics.median,
    "mode": statistics.mode,
    "max": max,
}
# Functions of the scores and k; NaN for fewer than k scores.
REDUCERS_BY_NUMBER: dict[str, Callable[[Sequence[float], int], float]] = {
    "at_least": lambda scores, k: float(_right(scores) >= k),
    "pass_at": lambda scores, k: 1 - _all_among(len(scores) - _right(scores), len(scores), k),
    "pass_k": lambda scores, k: _all_among(_right(scores), len(scores), k),
}


def reducer(name: str) -> Reduce | None:
    """Return the reducer of a name such as ``max`` or ``pass_at_2``; None for an unknown one."""
    numbered = BY_NUMBER.fullmatch(name)
    if name in REDUCERS or numbered is None or numbered[1] not in REDUCERS_BY_NUMBER:
        return REDUCERS.get(name)
    by_number, k = REDUCERS_BY_NUMBER[numbered[1]], int(numbered[2])
    return lambda scores: by_number(scores, k)


def _right(scores: Sequence[float]) -> int:
    return sum(score >= RIGHT for score in scores)


def _all_among(some: int, n: int, k: int) -> float:
    """Return the probability that k of n scores, drawn without replacement, are all among ``some`` of them."""
    return math.comb(some, k) / math.comb(n, k) if k <= n else math.nan
