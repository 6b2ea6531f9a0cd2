"""From p-values to decisions: the table of all pairs, and which of them are significant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.comparison.detectable import detectable_of_pairs
from nlpsig_core.comparison.notion import (
    BH,
    BY,
    BY_P,
    HOLM,
    MAX_T,
    NONE,
    Notion,
    benjamini_hochberg,
    benjamini_yekutieli,
    holm,
)
from nlpsig_core.errors import ChoiceError
from nlpsig_core.paired_tests.base import PValues
from nlpsig_core.paired_tests.bootstrap import of_result
from nlpsig_core.paired_tests.max_t import max_t
from nlpsig_core.paired_tests.small_sample import Differences, differences, small_sample_p
from nlpsig_core.resampling.bootstrap import Bootstrap
from nlpsig_core.resampling.intervals import gain_interval
from nlpsig_core.stats.sample import Sample

SHOWN_COLUMNS = (
    "system_a", "system_b", "comparison", "score_a", "score_b", "gain", "gain_low", "gain_high",
    "p_value", "p_two_sided", "p_holm", "p_bh", "p_by", "p_error", "correlation", "standard_error",
    "detectable_gain", "p_decided", "significant", "differing", "p_small_one_sided", "p_small_two_sided",
)  # fmt: skip
# With the columns that analyses need.
PAIR_COLUMNS = (*SHOWN_COLUMNS, "effective", "fewest_differing", "p_unadjusted", "group_a", "group_b")


class SmallSample(NamedTuple):
    """p of the paired bootstrap corrected for few differing units, (m,) each; 1 for pairs without gain."""

    differences: Differences
    one_sided: np.ndarray
    two_sided: np.ndarray


def small_sample(stats: Sample, result: Bootstrap) -> SmallSample:
    """The small-sample p of each pair, and the units in which the two systems differ."""
    differing = differences(stats, result.pairs)
    one_sided, two_sided = of_result(result).never_zero
    gain = result.gain > result.tie
    small_one = np.where(gain, small_sample_p(one_sided, differing.effective), 1.0)
    small_two = np.where(gain, np.minimum(2 * small_sample_p(two_sided / 2, differing.effective), 1.0), 1.0)
    return SmallSample(differing, small_one, small_two)


def detectable(result: Bootstrap, small: SmallSample, notion: Notion) -> np.ndarray:
    """The true gain of each pair that is found significant, unadjusted, with 80% power, (m,)."""
    return detectable_of_pairs(result.standard_error, small.differences.effective, notion.level, notion.sides)


class Decision(NamedTuple):
    """Decisions on all pairs, (m,) each: p before adjustment, p after it, and whether it is significant."""

    unadjusted: np.ndarray
    p: np.ndarray
    significant: np.ndarray


def decide(
    p: PValues, small: SmallSample | None, notion: Notion, adjustment: str, by_max_t: np.ndarray | None = None
) -> Decision:
    """Which pairs are significant by a notion with one of its adjustments (``for_pairs`` or ``for_ranking``).

    The two-sided p is the small-sample p if the test has one; the unadjusted one-sided p is the paper's. ``by_max_t``
    (from ``max_t``) is raised to a pair's own p where it is below. ChoiceError if it is needed and missing.
    """
    one_sided, two_sided = (small.one_sided, small.two_sided) if small else p.never_zero
    base = two_sided if notion.two_sided else p.one_sided if notion.takes_papers_p(adjustment) else one_sided
    if adjustment != MAX_T:
        decided = BY_P[adjustment](base)
    elif by_max_t is None:
        raise ChoiceError("max-t is available for the paired bootstrap only; choose Holm for another test")
    else:
        decided = np.maximum(by_max_t, base)
    return Decision(base, decided, decided < notion.level)


def pair_table(
    result: Bootstrap,
    stats: Sample,
    classes: np.ndarray,
    groups: np.ndarray,
    *,
    interval: str = "percentile",
    level: float = 0.95,
    p: PValues | None = None,
    notion: Notion = Notion(),
    small: SmallSample | None = None,
    by_max_t: np.ndarray | None = None,
) -> pd.DataFrame:
    """A table with a row per pair, the observed winner first, and the columns PAIR_COLUMNS.

    ``p`` holds the p-values of the result's pairs by any test; by default the bootstrap's own: ``p_value`` is the
    paper's one-sided p, ``p_two_sided`` adds the resamples in which the loser wins, and a pair without gain has p = 1.
    ``p_error`` is the Monte-Carlo standard error of ``p_value``.

    ``detectable_gain`` is that of ``detectable_of_pairs`` at 80% power. ``differing`` is the number of units in which
    the two systems differ, ``effective`` their effective number, and ``fewest_differing`` that of the test set with
    the fewest. ``p_small_one_sided`` and ``p_small_two_sided`` are corrected for it (NaN for tests other than the
    bootstrap). ``p_holm``, ``p_bh`` and ``p_by`` adjust the two-sided p (for the bootstrap, the small-sample p) across
    all pairs. ``p_decided`` is compared with the notion's level; ``p_unadjusted`` is the same before adjustment.
    ``small``, and ``by_max_t`` if the notion needs it, are computed if not given.
    """
    small = small or small_sample(stats, result)
    p = p or of_result(result)
    # Tests that count the observed outputs as one more resample need no correction for few units.
    small_of_test = None if p.counts_observed else small
    if notion.for_pairs == MAX_T and by_max_t is None and small_of_test:
        by_max_t = max_t(stats, result)
    decision = decide(p, small_of_test, notion, notion.for_pairs, by_max_t)
    two_sided = p.never_zero[1] if small_of_test is None else small.two_sided
    low, high = gain_interval(result, interval, level).T
    a, b = result.pairs.T
    label = np.array(stats.names, dtype=object)
    unknown = np.full(len(a), np.nan)
    columns = (
        label[a], label[b], classes, result.scores[a], result.scores[b], result.gain, low, high,
        p.one_sided, p.two_sided, holm(two_sided), benjamini_hochberg(two_sided), benjamini_yekutieli(two_sided),
        p.error, result.correlation, result.standard_error,
        detectable(result, small, notion),
        decision.p, decision.significant, small.differences.number,
        unknown if small_of_test is None else small.one_sided, unknown if small_of_test is None else small.two_sided,
        small.differences.effective, small.differences.fewest, decision.unadjusted, groups[a], groups[b],
    )  # fmt: skip
    return pd.DataFrame(dict(zip(PAIR_COLUMNS, columns, strict=True)))


def at_level(pairs: pd.DataFrame, notion: Notion) -> pd.DataFrame:
    """A pair table (``pair_table``) at the notion's level, which was made at another one by the same p otherwise."""
    return pairs.assign(
        significant=pairs["p_decided"] < notion.level,
        detectable_gain=detectable_of_pairs(
            pairs["standard_error"].to_numpy(), pairs["effective"].to_numpy(), notion.level, notion.sides
        ),
    )


def cutoff(pairs: pd.DataFrame, notion: Notion) -> float:
    """The unadjusted p below which pairs of the whole table are significant by the notion."""
    m, significant = len(pairs), int(pairs["significant"].sum())
    if not m:
        return notion.level
    if notion.for_pairs == HOLM:
        return notion.level / max(m - significant, 1)
    if notion.for_pairs in (BH, BY):
        harmonic = (1 / np.arange(1, m + 1)).sum() if notion.for_pairs == BY else 1.0
        return notion.level * max(significant, 1) / m / harmonic
    if notion.for_pairs == MAX_T and 0 < significant < m:
        last, first = (
            pairs.groupby("significant")["p_unadjusted"]
            .agg(["max", "min"])
            .pipe(lambda ends: (ends.loc[True, "max"], ends.loc[False, "min"]))
        )
        return float(np.sqrt(max(last, 1e-300) * max(first, 1e-300)))
    return notion.level if notion.for_pairs == NONE else notion.level / m


def speaks_against(p_value: Any, p_two_sided: Any) -> Any:
    """Whether a test favours the system with the lower corpus score, by its one- and two-sided p (arrays too)."""
    return (p_value > 0.5) & (p_two_sided < 0.5)


def p_matrix(pairs: pd.DataFrame, order: Sequence[str], column: str = "p_decided") -> pd.DataFrame:
    """p of the gain of the row's system over the column's; NaN if the test does not favour the row's.

    The favoured system has the better corpus score, unless the test ``speaks_against`` it.
    """
    against = speaks_against(pairs["p_value"], pairs["p_two_sided"])
    row = pairs["system_a"].where(~against, pairs["system_b"])
    other = pairs["system_b"].where(~against, pairs["system_a"])
    matrix = pd.DataFrame({"row": row, "other": other, "p": pairs[column]}).pivot(
        index="row", columns="other", values="p"
    )
    return matrix.reindex(index=list(order), columns=list(order))


def p_values(result: Bootstrap) -> tuple[np.ndarray, np.ndarray]:
    """One-sided and two-sided p of each pair by the paired bootstrap, (m,) each.

    The winner is chosen after seeing the scores, so among equal systems the one-sided p is at most 0.05 for about one
    pair in ten, the two-sided p for one in twenty.
    """
    p = of_result(result)
    return p.one_sided, p.two_sided
