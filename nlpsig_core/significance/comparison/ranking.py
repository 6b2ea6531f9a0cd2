"""The ranking of the systems, with the ranks that the pairs leave open, and its best two."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
import pandas as pd

from nlpsig_core.significance.resampling.bootstrap import Bootstrap


def ranking(
    result: Bootstrap,
    systems: pd.DataFrame,
    notes: Mapping[str, str],
    significant: np.ndarray,
    *,
    interval: str = "percentile",
    invalid: Collection[str] = (),
) -> pd.DataFrame:
    """Return a table with a row per system, best first.

    Columns: system, group, score, low, high, rank_low, rank_high, tied_group, status, valid. ``significant`` (m,) marks
    the result's pairs with a significant gain. A system's rank ranges from one more than the number of significantly
    better systems to the number of those not significantly worse; with Holm's adjustment or max-t all ranges hold
    simultaneously with confidence 1 - level. A tied group begins with the first system that the leader of the group
    above beats significantly, so no member is significantly worse than its first. ``systems`` (file, system, group)
    is in the order of the result; ``notes`` give ``status`` by file; files in ``invalid`` are not ``valid``.
    """
    better = np.zeros((len(result.scores), len(result.scores)), dtype=bool)
    a, b = result.pairs[significant].T
    better[a, b] = True
    order = np.argsort(-result.metric.sign * result.scores, kind="stable")
    low, high = result.score_intervals(interval=interval).T
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


def best_two(ranking: pd.DataFrame, pairs: pd.DataFrame) -> pd.Series | None:
    """Return the row of the first two systems of a ``ranking`` with a valid output; None if there are no two."""
    best = ranking.loc[ranking["valid"], "system"].head(2)
    both = pairs["system_a"].isin(best) & pairs["system_b"].isin(best)
    return pairs[both].iloc[0] if both.any() else None


def _tied_groups(better: np.ndarray) -> np.ndarray:
    """Return the number of each system's tied group, best first."""
    groups, leader, number = [], 0, 1
    for system in range(len(better)):
        if better[leader, system]:
            leader, number = system, number + 1
        groups.append(number)
    return np.array(groups)
