"""From p-values to decisions: the table of all pairs with the answer to each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.significance.comparison.detectable import Aim, detectable_of_pairs
from nlpsig_core.significance.comparison.notion import BOTH, BY_P, CORRECTED, Adjustment, Notion, cutoff
from nlpsig_core.significance.comparison.verdict import UNDECIDED, answers, speaks_against
from nlpsig_core.significance.paired_tests.base import PValues
from nlpsig_core.significance.paired_tests.bootstrap import equivalent, p_of_result
from nlpsig_core.significance.paired_tests.max_t import max_t
from nlpsig_core.significance.paired_tests.small_sample import (
    Differences,
    differences,
    least_p,
    reaching_zero,
    small_sample_p,
)
from nlpsig_core.significance.resampling.bootstrap import Bootstrap
from nlpsig_core.significance.resampling.runs import draws_runs
from nlpsig_core.significance.stats.array import Sample

SHOWN_COLUMNS = tuple(
    """
    system_a system_b comparison score_a score_b gain gain_low gain_high verdict p p_corrected needed p_value
    p_two_sided hits hits_two_sided resamples p_error p_small_one_sided p_small_two_sided p_holm p_bh p_by significant
    units differing correlation standard_error detectable_gain
    """.split()
)
# Columns that analyses need.
MORE_COLUMNS = "effective fewest_differing p_alone inside_low inside_high group_a group_b".split()
MORE_COLUMNS += "p_bound p_alone_bound p_corrected_bound p_holm_bound p_bh_bound p_by_bound".split()
PAIR_COLUMNS = (*SHOWN_COLUMNS, *MORE_COLUMNS)

# The power with which a number of units is said to decide a pair.
POWER = 0.8


class SmallSample(NamedTuple):
    """p of the paired bootstrap corrected for few differing units, (m,) each; 1 for pairs without gain."""

    differences: Differences
    one_sided: np.ndarray
    two_sided: np.ndarray


def small_sample(stats: Sample, result: Bootstrap) -> SmallSample:
    """Return the small-sample p of each pair, and the units in which the two systems differ."""
    differing = differences(stats, result.pairs)
    one_sided, two_sided = p_of_result(result).never_zero
    gain = result.gain > result.tie
    small_one = np.where(gain, small_sample_p(one_sided, differing), 1.0)
    small_two = np.where(gain, np.minimum(2 * small_sample_p(two_sided / 2, differing), 1.0), 1.0)
    return SmallSample(differing, small_one, small_two)


class Decision(NamedTuple):
    """Decisions on all pairs, (m,) each.

    ``base`` is p that is never 0, ``alone`` p of a pair on its own, ``corrected`` is ``base`` after the correction for
    all pairs (None without one), ``p`` the one of the last two that decides, ``significant`` whether it is below the
    level, in favour of the winner, and ``answer`` one of ANSWERS.
    """

    base: np.ndarray
    alone: np.ndarray
    corrected: np.ndarray | None
    p: np.ndarray
    significant: np.ndarray
    answer: np.ndarray


def decide(
    p: PValues,
    small: SmallSample | PValues | None,
    notion: Notion,
    by_max_t: np.ndarray | None = None,
    same: np.ndarray | bool = False,
) -> Decision:
    """Return the decisions on all pairs by a notion of significance.

    The two-sided p is the small-sample p, except for tests that count the observed outputs as one more resample, which
    need no correction for few units; the one-sided p is the paper's, except where it is corrected. ``by_max_t`` (from
    ``max_t``) is raised to a pair's own p where it is below; ChoiceError if it is needed and missing. ``same`` marks
    pairs that are equivalent.
    """
    one_sided, two_sided = (small.one_sided, small.two_sided) if small and not p.counts_observed else p.never_zero
    base, corrected, level = two_sided if notion.two_sided else one_sided, None, notion.level
    alone = base if notion.two_sided or notion.scope == CORRECTED else p.one_sided
    if notion.by_max_t:
        if by_max_t is None or p.counts_observed:
            raise ChoiceError("max-t is available for the paired bootstrap only; choose Holm for another test")
        corrected = np.maximum(by_max_t, base)
    elif notion.corrects:
        corrected = BY_P[notion.adjust](base)
    decides = alone if corrected is None or notion.scope != CORRECTED else corrected
    among_all = corrected < level if corrected is not None and notion.scope == BOTH else None
    against = speaks_against(p.one_sided, p.two_sided)
    answer, significant = answers(decides < level, among_all, against, same), (decides < level) & ~against
    return Decision(base=base, alone=alone, corrected=corrected, p=decides, significant=significant, answer=answer)


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
    """Return a table with a row per pair, the observed winner first, and the columns PAIR_COLUMNS.

    ``p`` holds the p-values of the result's pairs by any test; by default the bootstrap's own. The columns are:

    - ``verdict``: the answer by the ``notion`` (``answers``); ``significant``: p is below the level, in favour of the
      winner.
    - ``p``: the one that decides, of the pair on its own (``p_alone``) or corrected for all pairs (``p_corrected``; NaN
      without a correction). For the bootstrap it is the small-sample p, or the paper's one-sided p. ``p_bound``,
      ``p_alone_bound``, ``p_corrected_bound``, ``p_holm_bound``, ...: what these are known to be below, where they
      depend on pairs that no resample hit; else NaN.
    - ``needed``: the number of units with which the gain of an undecided pair, or the gain that the notion names, would
      be significant with a power of POWER; NaN where nothing is undecided, no number would do, or resamples draw runs:
      more units do not reduce the variation between these.
    - ``p_value``: one-sided p in favour of the winner, by the bootstrap the paper's; ``p_two_sided``. Those of
      resampling tests are ``hits`` or ``hits_two_sided`` out of ``resamples`` (0: a formula). ``p_error``: the
      Monte-Carlo standard error of ``p_value``. A pair without gain has p = 1.
    - ``p_small_one_sided``, ``p_small_two_sided``: corrected for few differing units (NaN for other tests than the
      bootstrap). ``p_holm``, ``p_bh``, ``p_by``: the two-sided p, for the bootstrap the small-sample p, after each
      correction.
    - ``units``: their number; ``differing`` of those in which the two differ, ``effective`` their effective number,
      ``fewest_differing`` that of the test set with the fewest. ``detectable_gain``: ``detectable_of_pairs`` at 80%
      power.
    - ``inside_low``, ``inside_high``: the interval of level 1 - 2 times the notion's level that equivalence asks for;
      NaN unless the notion names a gain, and for pairs that differ in too few units.

    ``small``, and ``by_max_t`` if the notion needs it, are computed if not given.
    """
    small, p, within = small or small_sample(stats, result), p or p_of_result(result), notion.within
    by_max_t = max_t(stats, result) if by_max_t is None and notion.by_max_t and not p.counts_observed else by_max_t
    effective = small.differences.effective
    same = False if within is None else equivalent(result, within, effective, notion.level)
    decision = decide(p, small, notion, by_max_t, same)
    differing = small.differences.number
    low, high = reaching_zero(result.gain_intervals(level, effective, interval), differing, level).T
    unknown, share = (np.nan, np.nan), 1 - 2 * notion.level
    inside = unknown if within is None else result.equivalence_intervals(share, effective).T
    intervals = {"gain_low": low, "gain_high": high, "inside_low": inside[0], "inside_high": inside[1]}
    of_pairs = _columns_of_pairs(result, stats.names, classes, groups)
    of_units = {"units": stats.n_units} | _columns_of_units(result, small.differences, stats.n_units, notion)
    of_p = _columns_of_p(p, small, decision)
    of_p |= bounds(decision, notion, differing, p.hits[int(notion.two_sided)], p.n_resamples, by_max_t)
    columns = of_pairs | intervals | of_units | of_p | {"needed": np.nan}
    table = pd.DataFrame(columns)[list(PAIR_COLUMNS)]
    return table if draws_runs(stats) else table.assign(needed=needed(table, notion))


def _columns_of_pairs(
    result: Bootstrap, names: Sequence[str], classes: np.ndarray, groups: np.ndarray
) -> dict[str, np.ndarray]:
    """Return the columns of each pair's systems and scores."""
    name, (a, b) = np.array(names, dtype=object), result.pairs.T
    return {
        "system_a": name[a],
        "system_b": name[b],
        "comparison": classes,
        "group_a": groups[a],
        "group_b": groups[b],
        "score_a": result.scores[a],
        "score_b": result.scores[b],
        "gain": result.gain,
    }


def _columns_of_units(result: Bootstrap, differing: Differences, units: int, notion: Notion) -> dict[str, np.ndarray]:
    """Return the columns of each pair's differing units, and of what they can detect."""
    error = result.standard_error
    return {
        "differing": differing.number,
        "effective": differing.effective,
        "fewest_differing": differing.fewest,
        "correlation": result.correlation,
        "standard_error": error,
        "detectable_gain": detectable_of_pairs(error, differing.effective, units, notion.level, notion.sides),
    }


def _columns_of_p(p: PValues, small: SmallSample, decision: Decision) -> dict[str, Any]:
    """Return the columns of p and of what it decides."""
    formula = p.counts_observed
    one_sided, two_sided = (np.nan, np.nan) if formula else (small.one_sided, small.two_sided)
    corrected = p.never_zero[1] if formula else small.two_sided
    return {
        "verdict": decision.answer,
        "significant": decision.significant,
        "p": decision.p,
        "p_alone": decision.alone,
        "p_corrected": np.nan if decision.corrected is None else decision.corrected,
        "p_value": p.one_sided,
        "p_two_sided": p.two_sided,
        "hits": p.hits[0],
        "hits_two_sided": p.hits[1],
        "resamples": p.n_resamples,
        "p_error": p.error,
        "p_small_one_sided": one_sided,
        "p_small_two_sided": two_sided,
        **corrections(corrected, small.differences.number, p.hits[1], p.n_resamples),
    }


def needed(pairs: pd.DataFrame, notion: Notion) -> np.ndarray:
    """Return the number of units that would decide each undecided pair of the whole table, (m,); NaN for others.

    Also NaN if a pair needs no more for its own gain than it has: with few units, standard errors are too small.
    """
    gain, error, units = (pairs[column].to_numpy(dtype=float) for column in ("gain", "standard_error", "units"))
    undecided = (pairs["verdict"] == UNDECIDED).to_numpy() & (gain > 0) & (error > 0)
    aim = Aim(1.0, level=cutoff(pairs, notion), power=POWER, sides=notion.sides)
    sought = gain if notion.within is None else np.full(len(gain), notion.within)
    relative = np.divide(error, sought, out=np.full(len(gain), np.nan), where=undecided)
    would = aim.needed(units, relative)
    return np.where((would <= units) & (notion.within is None), np.nan, would)


def bounds(
    decision: Decision,
    notion: Notion,
    differing: np.ndarray,
    hits: np.ndarray,
    n_resamples: int,
    by_max_t: np.ndarray | None = None,
) -> dict[str, np.ndarray | float]:
    """Return what p, that of a pair on its own and the corrected one are below, (m,) each or NaN, by their columns.

    ``hits`` (m,) are those of the sides that the notion asks for, ``differing`` (m,) the number of differing units.
    """
    least = least_p(differing, 1 + notion.two_sided)
    alone, corrected = bound_of(decision.alone, hits, n_resamples, least), decision.corrected
    of_all: np.ndarray | float = np.nan
    if corrected is not None and notion.by_max_t and by_max_t is not None:  # max-t counts hits of its own
        of_max_t = np.rint(by_max_t * (n_resamples + 1) - 1)
        of_all = bound_of(corrected, np.where(corrected > by_max_t, hits, of_max_t), n_resamples, least)
    elif corrected is not None:
        of_all = corrected_bound(BY_P[notion.adjust], decision.base, bound_of(decision.base, hits, n_resamples, least))
    decides = of_all if corrected is not None and notion.scope == CORRECTED else alone
    return {"p_bound": decides, "p_alone_bound": alone, "p_corrected_bound": of_all}


def corrections(p: np.ndarray, differing: np.ndarray, hits: np.ndarray, n_resamples: int) -> dict[str, np.ndarray]:
    """Return two-sided p after each correction of BY_P, and what it is below, (m,) each, by their columns."""
    bound = bound_of(p, hits, n_resamples, least_p(differing, sides=2))
    columns: dict[str, np.ndarray] = {}
    for name, adjust in BY_P.items():
        column = f"p_{name.lower()}"
        columns |= {column: adjust(p), f"{column}_bound": corrected_bound(adjust, p, bound)}
    return columns


def corrected_bound(adjust: Adjustment, p: np.ndarray, bound: np.ndarray) -> np.ndarray:
    """Return what p corrected by ``adjust`` is below, (m,), for what each p is below, or NaN: ``bound`` (m,).

    It is NaN where it does not depend on a bound, and where it is 1.
    """
    least, most = adjust(np.where(np.isnan(bound), p, 0.0)), adjust(np.fmax(p, bound))
    return np.where((least < most) & (most < 1), most, np.nan)


def bound_of(p: np.ndarray, hits: np.ndarray, n_resamples: int, least: np.ndarray | float = 0.0) -> np.ndarray:
    """Return what p is below where no resample was a hit, (m,): 1 / b, or p itself if it is larger.

    It is NaN elsewhere, where p is 1, and where it is the ``least`` that it can be.
    """
    known = (hits > 0) | (n_resamples == 0) | (p >= 1) | ((p == least) & (p > 0))
    return np.where(known, np.nan, np.maximum(p, 1 / max(n_resamples, 1)))


def at_level(pairs: pd.DataFrame, notion: Notion) -> pd.DataFrame:
    """Return a pair table at the notion's level, without answers; it was made at another one, by the same p."""
    error, effective, units = (pairs[column].to_numpy() for column in ("standard_error", "effective", "units"))
    return pairs.drop(columns="verdict").assign(
        significant=(pairs["p"] < notion.level) & ~speaks_against(pairs["p_value"], pairs["p_two_sided"]),
        detectable_gain=detectable_of_pairs(error, effective, units, notion.level, notion.sides),
    )
