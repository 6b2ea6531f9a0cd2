"""The pairs of a campaign on every test set: who wins and loses where, how often a pair is significant, and one pair.

A pair counts on the test sets on which both systems have a valid output. Each test set is tested by itself, with the
numbers that it has alone; p is adjusted over the pairs of one test set, if at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.significance.comparison.classes import INVALID
from nlpsig_core.significance.comparison.notion import CORRECTED, Notion
from nlpsig_core.significance.comparison.selection import Results, Selection
from nlpsig_core.significance.comparison.verdict import BETTER, ON_ITS_OWN, SEEN_FROM_THE_LOSER, how_many_differ

# Columns of a pair table that are kept of each test set.
KEPT = [
    "system_a", "system_b", "score_a", "score_b", "gain", "gain_low", "gain_high", "standard_error", "verdict", "p",
    "p_corrected", "p_bound", "significant",
]  # fmt: skip
# Columns of one pair over all test sets; "domain" is the test set, as in ``domains.pair_by_domain``.
ONE_PAIR = [
    "domain", "units", "score_a", "score_b", "gain", "low", "high", "standard_error", "verdict", "p", "p_corrected",
    "p_bound", "significant", "reason",
]  # fmt: skip


def on_each(
    selection: Selection,
    bootstrap: Callable[[str, Selection], Results],
    notion: Notion = Notion(),
    interval: str = "percentile",
) -> pd.DataFrame:
    """Return the pairs of every test set with two valid outputs: test_set, units, KEPT, better.

    ``bootstrap`` gives the results on one test set. ``better`` says whether the observed winner is better, if only on
    its own.
    """
    tables = []
    for name, one in selection.each.items():
        pairs = bootstrap(name, one).pairs(notion, interval=interval)
        better = pairs["verdict"].isin([BETTER, ON_ITS_OWN])
        kept = pairs[KEPT].assign(better=better)[(pairs["comparison"] != INVALID).to_numpy()]
        kept.insert(0, "test_set", name)
        kept.insert(1, "units", one.stats.n_units)
        tables.append(kept)
    return pd.concat(tables, ignore_index=True)


def outcomes(pairs: pd.DataFrame) -> pd.DataFrame:
    """A row for each test set and system of ``on_each``: test_set, system, wins, losses, undecided.

    The numbers of other systems that are significantly worse, significantly better, and neither.
    """
    sides = []
    for side, column in (("system_a", "wins"), ("system_b", "losses")):
        of_side = pairs[["test_set", side]].rename(columns={side: "system"})
        sides.append(of_side.assign(**{column: pairs["better"], "pairs": 1}))
    both = pd.concat(sides).fillna({"wins": False, "losses": False})
    both = both.astype({"wins": int, "losses": int})
    table = both.groupby(["test_set", "system"], sort=False)[["wins", "losses", "pairs"]].sum().reset_index()
    return table.assign(undecided=table["pairs"] - table["wins"] - table["losses"]).drop(columns="pairs")


class FalseAlarms(NamedTuple):
    """How many of ``tested`` comparisons are ``significant``, and how many would be at most if no systems differed."""

    significant: int
    tested: int
    expected: float


def rate(notion: Notion) -> float:
    """The largest chance that a pair of equal systems is significant on a test set, whichever wins.

    The level for a two-sided p; twice the level for a one-sided p, which is that of the observed winner. An adjustment
    for many pairs makes it smaller.
    """
    return notion.level if notion.two_sided else min(2 * notion.level, 1.0)


def false_alarms(pairs: pd.DataFrame, notion: Notion) -> FalseAlarms:
    """The number of significant pairs on all test sets beside the expected number of false alarms."""
    return FalseAlarms(int(pairs["better"].sum()), len(pairs), rate(notion) * len(pairs))


def beside_chance(pairs: pd.DataFrame, notion: Notion) -> str:
    """Return how many comparisons on all test sets differ, and how many would if no two systems differed anywhere."""
    found = false_alarms(pairs, notion)
    differ = how_many_differ(pairs["verdict"], notion, "comparison")
    most = "at most about" if notion.scope == CORRECTED else "about"
    return f"{differ}; if no two systems differed, {most} {found.expected:,.0f} would"


def counted(pairs: pd.DataFrame, of_average: pd.DataFrame, notion: Notion = Notion()) -> pd.DataFrame:
    """On how many test sets each pair is significant: a row for each pair of the macro-average, in its order.

    Columns system_a (the winner by the macro-average), system_b, gain, verdict, p, p_corrected, p_bound (those of the
    macro-average), won, lost (the numbers of test sets on which system_a is significantly better or worse), test_sets
    (on which both have a valid output), expected, p_count. If the two were equally good on every test set, each would
    be significant with a probability of at most ``rate``: ``expected`` is that times the number of test sets, and
    ``p_count`` the probability of as many significant test sets or more, if test sets are independent.
    """
    from scipy.special import bdtrc

    first, second = (pairs[column].to_numpy(dtype=object) for column in ("system_a", "system_b"))
    by_pair = pairs.assign(
        low=np.minimum(first, second),
        high=np.maximum(first, second),
        of_low=pairs["better"] & (first < second),
        of_high=pairs["better"] & (first > second),
        test_sets=1,
    )
    sums = by_pair.groupby(["low", "high"])[["of_low", "of_high", "test_sets"]].sum()
    table = of_average[["system_a", "system_b", "gain", "verdict", "p", "p_corrected", "p_bound"]].reset_index(
        drop=True
    )
    a, b = (table[column].to_numpy(dtype=object) for column in ("system_a", "system_b"))
    found = sums.reindex(pd.MultiIndex.from_arrays([np.minimum(a, b), np.maximum(a, b)])).fillna(0).astype(int)
    low, high, n = found.to_numpy().T
    won, lost = np.where(a < b, low, high), np.where(a < b, high, low)
    p = bdtrc(won + lost - 1, np.maximum(n, 1), rate(notion))
    return table.assign(
        won=won, lost=lost, test_sets=n, expected=rate(notion) * n, p_count=np.where(n > 0, np.clip(p, 0, 1), np.nan)
    )


def one_pair(pairs: pd.DataFrame, of_average: pd.DataFrame, a: str, b: str) -> pd.DataFrame:
    """The gain of one system over another on every test set, the largest first, and by the macro-average, last.

    Columns ONE_PAIR: ``gain``, ``low``, ``high`` and ``verdict`` are those of a over b: below 0, or "worse", where b is
    better. p are those of whichever is ahead. A test set without two valid outputs has a ``reason`` in place of
    numbers. ChoiceError if there is no such pair.
    """
    units = pairs.groupby("test_set", sort=False)["units"].first()
    each, whole = (_over(table, a, b) for table in (pairs, of_average.assign(test_set=MACRO, units=units.sum())))
    if whole.empty:
        known = dict.fromkeys([*of_average["system_a"], *of_average["system_b"]])
        raise ChoiceError.unknown("pair", f"{a} over {b}", known)
    rest = units.drop(each["domain"]).rename_axis("domain").reset_index().assign(reason="no two valid outputs")
    each = each.sort_values("gain", ascending=False, kind="stable")
    return pd.concat([each, rest, whole], ignore_index=True)[ONE_PAIR]


def _over(table: pd.DataFrame, a: str, b: str) -> pd.DataFrame:
    """The rows of a pair, signed for the first system."""
    ahead, behind = ((table["system_a"] == one) & (table["system_b"] == other) for one, other in ((a, b), (b, a)))
    rows = table[ahead | behind].rename(columns={"test_set": "domain", "gain_low": "low", "gain_high": "high"})
    turned = behind[ahead | behind]
    low, high = rows["low"], rows["high"]
    return rows.assign(
        score_a=rows["score_a"].where(~turned, rows["score_b"]),
        score_b=rows["score_b"].where(~turned, rows["score_a"]),
        gain=rows["gain"].where(~turned, -rows["gain"]),
        low=low.where(~turned, -high),
        high=high.where(~turned, -low),
        verdict=rows["verdict"].where(~turned, rows["verdict"].replace(SEEN_FROM_THE_LOSER)),
        reason="",
    )[ONE_PAIR]


class Heterogeneity(NamedTuple):
    """Cochran's Q of gains, its degrees of freedom and p, and I^2, the share of the spread beyond resampling noise."""

    q: float
    freedom: int
    p_value: float
    share: float


def heterogeneity(gains: Mapping[str, np.ndarray] | pd.DataFrame) -> Heterogeneity | None:
    """Whether gains differ between test sets by more than the noise of each (Cochran 1954; Higgins et al. 2003).

    ``gains`` has the columns gain and standard_error. Q is the sum of squared distances to the mean, in standard
    errors and weighted by precision; its p is by chi squared. Test sets without a standard error are left out; None if
    fewer than two are left.
    """
    from scipy.special import chdtrc

    error, gain = (np.asarray(gains[column], dtype=float) for column in ("standard_error", "gain"))
    gain, error = gain[error > 0], error[error > 0]
    if len(gain) < 2:
        return None
    precision = error**-2
    q = float((precision * (gain - np.average(gain, weights=precision)) ** 2).sum())
    freedom = len(gain) - 1
    return Heterogeneity(q, freedom, float(chdtrc(freedom, q)), max(0.0, 1 - freedom / q) if q > 0 else 0.0)
