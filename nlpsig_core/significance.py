"""From hits to p-values: the table of all pairs."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pandas as pd

from nlpsig_core.bootstrap import Bootstrap
from nlpsig_core.errors import ChoiceError
from nlpsig_core.paired_tests.base import PValues
from nlpsig_core.paired_tests.bootstrap import of_result

INTERVALS = ("percentile", "normal")
PAIR_COLUMNS = (
    "system_a", "system_b", "comparison", "score_a", "score_b", "gain", "gain_low", "gain_high",
    "p_value", "p_two_sided", "p_holm", "p_bh", "p_error", "correlation", "standard_error",
)  # fmt: skip
DECIDED_COLUMNS = ("group_a", "group_b", "p_unadjusted", "p_decided", "significant")


def pair_table(
    result: Bootstrap,
    names: list[str],
    classes: np.ndarray,
    interval: str = "percentile",
    level: float = 0.95,
    p: PValues | None = None,
    groups: np.ndarray | None = None,
) -> pd.DataFrame:
    """A row a pair, the observed winner first, with the columns PAIR_COLUMNS and DECIDED_COLUMNS.

    ``p`` are the p-values of the result's pairs by any test; None: the bootstrap's own, where ``p_value`` is the
    paper's one-sided p and ``p_two_sided`` adds the resamples where the loser wins, and a pair without gain cannot
    be tested: p = 1. Holm's and Benjamini and Hochberg's adjustments are of the two-sided p over all pairs.
    ``p_error`` is the Monte-Carlo standard error of ``p_value``.
    """
    p = p or of_result(result)
    low, high = gain_interval(result, interval, level).T
    a, b = result.pairs.T
    label = np.array(names, dtype=object)
    columns = (
        label[a], label[b], classes, result.scores[a], result.scores[b], result.gain, low, high,
        p.one_sided, p.two_sided, holm(p.two_sided), benjamini_hochberg(p.two_sided),
        p.error, result.correlation, result.standard_error,
    )  # fmt: skip
    label_of = label if groups is None else np.asarray(groups, dtype=object)
    table = pd.DataFrame(dict(zip(PAIR_COLUMNS, columns, strict=True)))
    return decided(table.assign(group_a=label_of[a], group_b=label_of[b]))


def decided(pairs: pd.DataFrame, level: float = 0.05, sides: str = "two") -> pd.DataFrame:
    """The pairs with what decides on significance: p_unadjusted, p_decided, and whether it is below the level."""
    p = pairs["p_two_sided" if sides == "two" else "p_value"]
    return pairs.assign(p_unadjusted=p, p_decided=p, significant=p < level)


def speaks_against(p_value, p_two_sided):
    """Whether a test is in favour of the system with the lower corpus score, by its one-sided and two-sided p."""
    return (p_value > 0.5) & (p_two_sided < 0.5)


def p_matrix(pairs: pd.DataFrame, order: list[str], column: str = "p_two_sided") -> pd.DataFrame:
    """p of the row's gain over the column's system, NaN where the test does not favour the row's.

    That is the system with the better corpus score, or the other one where the test ``speaks_against`` it.
    """
    against = speaks_against(pairs["p_value"], pairs["p_two_sided"])
    row = pairs["system_a"].where(~against, pairs["system_b"])
    other = pairs["system_b"].where(~against, pairs["system_a"])
    matrix = pd.DataFrame({"row": row, "other": other, "p": pairs[column]}).pivot(
        index="row", columns="other", values="p"
    )
    return matrix.reindex(index=order, columns=order)


def p_values(result: Bootstrap) -> tuple[np.ndarray, np.ndarray]:
    """One-sided and two-sided p of each pair by the paired bootstrap, (m,) each.

    The winner is chosen after looking, so among equal systems the one-sided p <= 0.05 comes up for about a
    tenth of the pairs, the two-sided for a twentieth.
    """
    p = of_result(result)
    return p.one_sided, p.two_sided


def gain_interval(result: Bootstrap, interval: str = "percentile", level: float = 0.95) -> np.ndarray:
    """Interval of each pair's gain, (m, 2): percentiles of the resampled gains, or gain -+ z standard errors."""
    if _is_normal(interval):
        return _normal(result.gain, result.standard_error, level)
    return result.gain_intervals(level)


def score_interval(result: Bootstrap, interval: str = "percentile", level: float = 0.95) -> np.ndarray:
    """Interval of each system's score, (systems, 2), as ``gain_interval``."""
    if _is_normal(interval):
        return _normal(result.scores, np.sqrt(np.diag(result.covariance)), level)
    return result.score_intervals(level)


def _is_normal(interval: str) -> bool:
    if interval not in INTERVALS:
        raise ChoiceError.unknown("interval", interval, INTERVALS)
    return interval == "normal"


def _normal(centre: np.ndarray, standard_error: np.ndarray, level: float) -> np.ndarray:
    reach = NormalDist().inv_cdf((1 + level) / 2) * standard_error
    return np.stack([centre - reach, centre + reach], axis=1)


def holm(p: np.ndarray) -> np.ndarray:
    """p adjusted for many comparisons so that the chance of any false alarm is kept (Holm 1979)."""
    order = np.argsort(p, kind="stable")
    adjusted = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return _unsort(np.minimum(adjusted, 1.0), order)


def benjamini_hochberg(p: np.ndarray) -> np.ndarray:
    """p adjusted so that the expected share of false alarms is kept (Benjamini and Hochberg 1995)."""
    order = np.argsort(p, kind="stable")
    scaled = p[order] * len(p) / np.arange(1, len(p) + 1)
    return _unsort(np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0), order)


def _unsort(ordered: np.ndarray, order: np.ndarray) -> np.ndarray:
    result = np.empty_like(ordered)
    result[order] = ordered
    return result
