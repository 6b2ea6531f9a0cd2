"""The ranking of the systems, with ties shown as ties."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
import pandas as pd

from nlpsig_core.resampling.bootstrap import Bootstrap
from nlpsig_core.resampling.intervals import score_interval


def ranking(
    result: Bootstrap,
    systems: pd.DataFrame,
    notes: Mapping[str, str],
    significant: np.ndarray,
    interval: str = "percentile",
    invalid: Collection[str] = (),
) -> pd.DataFrame:
    """A row a system, best first: system, group, score, low, high, rank_low, rank_high, tied_group, status, valid.

    ``significant`` (m,) says of each pair of the result whether its gain is significant. A system's rank is at least
    one more than the number of systems that are significantly better, at most the number of those that are not
    significantly worse; with Holm's adjustment or max-t all ranges hold at once with confidence 1 - level. A tied
    group begins with the first system that the leader of the group above beats significantly, so that all its members
    are not significantly worse than its first. ``systems`` (file, system, group) is in the order of the result;
    ``notes`` say by file what stands in ``status``; the files in ``invalid`` are not ``valid``.
    """
    better = np.zeros((len(result.scores), len(result.scores)), dtype=bool)
    a, b = result.pairs[significant].T
    better[a, b] = True
    order = np.argsort(-result.metric.sign * result.scores, kind="stable")
    low, high = score_interval(result, interval).T
    n = len(order)
    table = pd.DataFrame(
        {
            "system": systems["system"].to_numpy(),
            "group": systems["group"].to_numpy(),
            "score": result.scores,
            "low": low,
            "high": high,
            "rank_low": 1 + better.sum(axis=0),
            "rank_high": n - better.sum(axis=1),
            "tied_group": 0,
            "status": [notes.get(file, "") for file in systems["file"]],
            "valid": ~systems["file"].isin(list(invalid)).to_numpy(),
        }
    ).iloc[order]
    return table.assign(tied_group=_tied_groups(better[np.ix_(order, order)])).reset_index(drop=True)


def _tied_groups(better: np.ndarray) -> np.ndarray:
    """Number of the tied group of each system, best first."""
    groups, leader, number = [], 0, 1
    for place in range(len(better)):
        if better[leader, place]:
            leader, number = place, number + 1
        groups.append(number)
    return np.array(groups)
