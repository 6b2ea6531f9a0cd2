"""From p-values to decisions: the table of all pairs, and which of them are significant."""

from __future__ import annotations

from typing import NamedTuple

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

BETTER, EQUIVALENT, UNDECIDED = "better", "equivalent", "undecided"
SHOWN_COLUMNS = (
    "system_a", "system_b", "comparison", "score_a", "score_b", "gain", "gain_low", "gain_high",
    "p_value", "p_two_sided", "p_holm", "p_bh", "p_by", "p_error", "correlation", "standard_error",
    "detectable_gain", "p_decided", "significant", "differing", "p_small_one_sided", "p_small_two_sided",
)  # fmt: skip
# With what analyses need besides.
PAIR_COLUMNS = (*SHOWN_COLUMNS, "effective", "fewest_differing", "p_unadjusted", "group_a", "group_b")


class SmallSample(NamedTuple):
    """p of the paired bootstrap that knows in how few units two systems differ, (m,) each; 1 without gain."""

    differences: Differences
    one_sided: np.ndarray
    two_sided: np.ndarray


def small_sample(stats: Sample, result: Bootstrap) -> SmallSample:
    """The small-sample p of each pair, and the units in which the two systems differ."""
    found = differences(stats, result.pairs)
    one_sided, two_sided = of_result(result).never_zero
    gain = result.gain > result.tie
    small_one = np.where(gain, small_sample_p(one_sided, found.effective), 1.0)
    small_two = np.where(gain, np.minimum(2 * small_sample_p(two_sided / 2, found.effective), 1.0), 1.0)
    return SmallSample(found, small_one, small_two)


def detectable(result: Bootstrap, small: SmallSample, notion: Notion) -> np.ndarray:
    """The true gain of each pair that comes out significant, unadjusted, with a chance of 80 %, (m,)."""
    return detectable_of_pairs(result.standard_error, small.differences.effective, notion.level, notion.sides)


class Decision(NamedTuple):
    """What a notion makes of the p-values of all pairs, (m,) each: p before adjustment, p after it, and the verdict."""

    unadjusted: np.ndarray
    p: np.ndarray
    significant: np.ndarray


def decide(
    p: PValues, small: SmallSample | None, notion: Notion, adjustment: str, by_max_t: np.ndarray | None = None
) -> Decision:
    """Which pairs are significant by a notion with one of its adjustments (``for_pairs`` or ``for_ranking``).

    The two-sided p is the small-sample p where the test has one; the unadjusted one-sided p is the paper's.
    ``by_max_t`` is what ``max_t`` gives; it is never below a pair's own p. ChoiceError where it is missing.
    """
    one_sided, two_sided = (small.one_sided, small.two_sided) if small else p.never_zero
    base = two_sided if notion.two_sided else p.one_sided if notion.takes_papers_p(adjustment) else one_sided
    if adjustment != MAX_T:
        decided = BY_P[adjustment](base)
    elif by_max_t is None:
        raise ChoiceError("max-t is of the paired bootstrap alone; choose Holm for another test")
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
    by_max_t: np.ndarray | None = None,
) -> pd.DataFrame:
    """A row a pair, the observed winner first, with the columns PAIR_COLUMNS.

    ``p`` are the p-values of the result's pairs by any test; None: the bootstrap's own, where ``p_value`` is the
    paper's one-sided p and ``p_two_sided`` adds the resamples where the loser wins, and a pair without gain cannot
    be tested: p = 1. ``p_error`` is the Monte-Carlo standard error of ``p_value``.

    ``detectable_gain`` is as ``detectable_of_pairs`` says, for 80 % power.
    ``differing`` are the units in which the two differ (``effective`` is what they are worth, ``fewest_differing`` that
    in the test set with the fewest); ``p_small_one_sided`` and ``p_small_two_sided`` know how few
    these are (NaN for other tests than the bootstrap). ``p_holm``, ``p_bh`` and ``p_by`` adjust the two-sided p, of
    the bootstrap its small-sample p, over all pairs. ``p_decided`` is what the notion holds against its level,
    ``p_unadjusted`` the same before adjustment; ``by_max_t`` is found where the notion needs it and it is not given.
    """
    small = small_sample(stats, result)
    p = p or of_result(result)
    # The tests that count the observed outputs as one more make up for few units themselves.
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


def cutoff(pairs: pd.DataFrame, notion: Notion) -> float:
    """The unadjusted p below which the pairs of a whole table are significant by the notion."""
    m, found = len(pairs), int(pairs["significant"].sum())
    if not m:
        return notion.level
    if notion.for_pairs == HOLM:
        return notion.level / max(m - found, 1)
    if notion.for_pairs in (BH, BY):
        harmonic = (1 / np.arange(1, m + 1)).sum() if notion.for_pairs == BY else 1.0
        return notion.level * max(found, 1) / m / harmonic
    if notion.for_pairs == MAX_T and 0 < found < m:
        last, first = (
            pairs.groupby("significant")["p_unadjusted"]
            .agg(["max", "min"])
            .pipe(lambda ends: (ends.loc[True, "max"], ends.loc[False, "min"]))
        )
        return float(np.sqrt(max(last, 1e-300) * max(first, 1e-300)))
    return notion.level if notion.for_pairs == NONE else notion.level / m


def speaks_against(p_value, p_two_sided):
    """Whether a test is in favour of the system with the lower corpus score, by its one-sided and two-sided p."""
    return (p_value > 0.5) & (p_two_sided < 0.5)


def verdicts(pairs: pd.DataFrame, same: np.ndarray) -> np.ndarray:
    """The verdict on each pair, (m,).

    Better where it is significant in favour of the winner, else equivalent where ``same``, else undecided.
    """
    better = pairs["significant"] & ~speaks_against(pairs["p_value"], pairs["p_two_sided"])
    return np.select([better.to_numpy(dtype=bool), same], [BETTER, EQUIVALENT], UNDECIDED)


def p_matrix(pairs: pd.DataFrame, order: list[str], column: str = "p_decided") -> pd.DataFrame:
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
