"""A campaign, the test sets of a task side by side: scores, which of them rank the systems alike, and pairs on each.

A pair counts on the test sets on which both systems have a valid output. Each test set is tested by itself, with the
numbers that it has alone; p is adjusted over the pairs of one test set, if at all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.base.errors import check_two, check_types
from nlpsig_core.base.words import count, p_text, share
from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.significance.comparison import classes
from nlpsig_core.significance.comparison.notion import CORRECTED, Notion
from nlpsig_core.significance.comparison.selection import Results, Selection
from nlpsig_core.significance.comparison.verdict import BETTER, ON_ITS_OWN, how_many_differ
from nlpsig_core.significance.stats.selected import SelectedTestSet
from nlpsig_core.studies.analyses.domain_pair import seen_from
from nlpsig_core.studies.analyses.domains import kendall

# Columns of a pair table that are kept of each test set.
KEPT = ["units", "system_a", "system_b", "score_a", "score_b", "gain", "gain_low", "gain_high", "standard_error"]
KEPT += ["verdict", "p", "p_corrected", "p_bound", "p_corrected_bound", "significant"]
# Columns of one pair over all test sets; "domain" is the test set, as in ``domain_pair.pair_by_domain``.
ONE_PAIR = ["domain", "units", *KEPT[3:], "reason"]
# What a cell without a score stands for: no file, a file that breaks the rules, no mean over all test sets.
MISSING, INVALID, LEFT_OUT = "missing", "invalid", "left out"


def cells(selection: Selection) -> pd.DataFrame:
    """Return a row for each system on each test set and on the macro-average, the selection.

    Columns test_set, system, score, rank, mark, note. Systems are in the order of the macro-average, the best first,
    then those without one.

    Ranks are among systems with a score, equal for equal scores. ``mark`` is "" for a score, else MISSING, INVALID or
    LEFT_OUT, with the reason as ``note``; score and rank are then NaN, also where the macro-average counts a 0.
    """
    check_types(selection=(selection, Selection))
    of_average = pd.Series(selection.stats.scores, index=list(selection.stats.names))
    order = list(of_average.sort_values(ascending=not selection.metric.higher_is_better, kind="stable").index)
    order += [name for name in dict.fromkeys(selection.task.names.values()) if name not in order]
    tables = [_row(MACRO, of_average, {}, order)]
    for name, selected in selection.test_sets.items():
        scores = pd.Series(selected.stats.scores, index=list(selected.stats.names))
        tables.append(_row(name, scores, _marks(selected), order))
    table = pd.concat(tables, ignore_index=True)
    better = -selection.metric.sign * table["score"]
    return table.assign(rank=better.groupby(table["test_set"], sort=False).rank(method="min"))


def _row(name: str, scores: pd.Series, marks: dict[str, tuple[str, str]], order: list[str]) -> pd.DataFrame:
    of_systems = [marks.get(system, ("", "") if system in scores else (LEFT_OUT, "")) for system in order]
    table = pd.DataFrame({"test_set": name, "system": order, "score": scores.reindex(order).to_numpy()})
    table[["mark", "note"]] = of_systems
    return table.assign(score=table["score"].where(table["mark"] == ""))


def _marks(selected: SelectedTestSet) -> dict[str, tuple[str, str]]:
    """Return the systems with a missing or invalid output, with the reasons."""
    marks: dict[str, tuple[str, str]] = {}
    problems = selected.problems
    for file, system in selected.task.names.items():
        if file in selected.invalid_files:
            mark, note = marks.get(system, (MISSING, ""))
            mark = INVALID if file in selected.test_set.outputs else mark
            marks[system] = mark, "; ".join(filter(None, [note, problems[file]]))
    return marks


def agreement(cells: pd.DataFrame) -> pd.DataFrame:
    """Return Kendall's tau between the rankings of each two test sets (``cells``): domain_a, domain_b, systems, tau.

    ``systems`` is the number of systems with a score on both. Test sets that rank alike are near each other
    (``clustered``): rows are in the order of the pairs (0, 1), (0, 2), ... of that order.
    """
    of_sets = cells[cells["test_set"] != MACRO]
    names, systems = (list(dict.fromkeys(of_sets[column])) for column in ("test_set", "system"))
    scores = of_sets["score"].to_numpy().reshape(len(names), len(systems))
    tau, known = kendall(scores), (~np.isnan(scores)).astype(int)
    order = clustered(tau)
    a, b = order[np.stack(np.triu_indices(len(names), 1))]
    named = np.array(names, dtype=object)
    return pd.DataFrame(
        {"domain_a": named[a], "domain_b": named[b], "systems": (known @ known.T)[a, b], "tau": tau[a, b]}
    )


def clustered(tau: np.ndarray) -> np.ndarray:
    """Return an order of rankings, (n,), in which those that agree are neighbours, from their taus (n, n).

    Clusters by average linkage of 1 - tau, turned so that neighbours are as close as can be (Bar-Joseph et al. 2001).
    An unknown tau counts as 0.
    """
    from scipy.cluster.hierarchy import leaves_list, linkage

    if len(tau) < 3:
        return np.arange(len(tau))
    apart = 1 - np.nan_to_num(tau[np.triu_indices(len(tau), 1)])
    return np.asarray(leaves_list(linkage(apart, "average", optimal_ordering=True)))


def on_each(
    selection: Selection,
    bootstrap: Callable[[str, Selection], Results],
    notion: Notion = Notion(),
    interval: str = "percentile",
) -> pd.DataFrame:
    """Return the pairs of every test set with two valid outputs: test_set, KEPT, better.

    ``bootstrap`` gives the results on one test set. ``better`` says whether the observed winner is better, if only on
    its own.
    """
    tables = []
    for name, alone in selection.each.items():
        pairs = bootstrap(name, alone).pairs(notion, interval=interval)
        better = pairs["verdict"].isin([BETTER, ON_ITS_OWN])
        kept = pairs[KEPT].assign(better=better)[(pairs["comparison"] != classes.INVALID).to_numpy()]
        kept.insert(0, "test_set", name)
        tables.append(kept)
    return pd.concat(tables, ignore_index=True)


def outcomes(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each test set and system of ``on_each``: test_set, system, wins, losses, undecided.

    The numbers of other systems that are significantly worse, significantly better, and neither.
    """
    sides = []
    for side, column in (("system_a", "wins"), ("system_b", "losses")):
        of_side = pairs[["test_set", side]].rename(columns={side: "system"})
        counted = {"wins": 0, "losses": 0, "pairs": 1, column: pairs["better"].astype(int)}
        sides.append(of_side.assign(**counted))
    both = pd.concat(sides)
    table = both.groupby(["test_set", "system"], sort=False)[["wins", "losses", "pairs"]].sum().reset_index()
    return table.assign(undecided=table["pairs"] - table["wins"] - table["losses"]).drop(columns="pairs")


def rate(notion: Notion) -> float:
    """Return the largest chance that a pair of equal systems is significant on a test set, whichever wins.

    The level for a two-sided p; twice the level for a one-sided p, which is that of the observed winner. An adjustment
    for many pairs makes it smaller.
    """
    return notion.level if notion.two_sided else min(2 * notion.level, 1.0)


def beside_chance(pairs: pd.DataFrame, notion: Notion) -> str:
    """Return how many comparisons on all test sets differ, and how many would if no two systems differed anywhere."""
    differ = how_many_differ(pairs["verdict"], notion, "comparison")
    most = "at most about" if notion.scope == CORRECTED else "about"
    return f"{differ}; if no two systems differed, {most} {rate(notion) * len(pairs):,.0f} would"


def counted(pairs: pd.DataFrame, of_average: pd.DataFrame, notion: Notion = Notion()) -> pd.DataFrame:
    """Return on how many test sets each pair is significant: a row for each pair of the macro-average, in its order.

    Columns system_a (the winner by the macro-average), system_b, gain, verdict, p, p_corrected, p_bound,
    p_corrected_bound (those of the macro-average), won, lost (the numbers of test sets on which system_a is
    significantly better or worse), test_sets (on which both have a valid output), expected, p_count. If the two were
    equally good on every test set, each would be significant with a probability of at most ``rate``: ``expected`` is
    that times the number of test sets, and ``p_count`` the probability of as many significant test sets or more, if
    test sets are independent.
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
    columns = ["system_a", "system_b", "gain", "verdict", "p", "p_corrected", "p_bound", "p_corrected_bound"]
    table = of_average[columns].reset_index(drop=True)
    a, b = (table[column].to_numpy(dtype=object) for column in ("system_a", "system_b"))
    tested = sums.reindex(pd.MultiIndex.from_arrays([np.minimum(a, b), np.maximum(a, b)])).fillna(0).astype(int)
    low, high, n = tested.to_numpy().T
    won, lost = np.where(a < b, low, high), np.where(a < b, high, low)
    p = bdtrc(won + lost - 1, np.maximum(n, 1), rate(notion))
    return table.assign(
        won=won, lost=lost, test_sets=n, expected=rate(notion) * n, p_count=np.where(n > 0, np.clip(p, 0, 1), np.nan)
    )


def one_pair(pairs: pd.DataFrame, of_average: pd.DataFrame, a: str, b: str) -> pd.DataFrame:
    """Return the gain of one system over another on every test set, the largest first, and by the macro-average, last.

    Columns ONE_PAIR: gain, its interval and ``verdict`` are those of a over b: below 0, or "worse", where b is better.
    p are those of whichever is ahead. A test set without two valid outputs has a ``reason`` in place of numbers.
    ChoiceError if there is no such pair.
    """
    check_two((a, b), {*of_average["system_a"], *of_average["system_b"]})
    tables = pairs, of_average.assign(test_set=MACRO)
    named = {"test_set": "domain"}
    each, whole = (seen_from(a, b, table).assign(reason="").rename(columns=named)[ONE_PAIR] for table in tables)
    units = pairs.groupby("test_set", sort=False)["units"].first()
    rest = units.drop(each["domain"]).rename_axis("domain").reset_index().assign(reason="no two valid outputs")
    each = each.sort_values("gain", ascending=False, kind="stable")
    return pd.concat([each, rest, whole], ignore_index=True)[ONE_PAIR]


class Heterogeneity(NamedTuple):
    """Cochran's Q of gains, its degrees of freedom and p, and I^2, the share of the spread beyond resampling noise."""

    q: float
    freedom: int
    p_value: float
    share: float

    def __str__(self) -> str:
        q = f"Cochran's Q {self.q:.1f} on {count(self.freedom, 'degree')} of freedom, p {p_text(self.p_value)}"
        return f"{q}; {share(self.share)} of their spread is beyond noise (I²)"


def heterogeneity(gains: pd.DataFrame) -> Heterogeneity | None:
    """Return whether gains differ between test sets by more than the noise of each (Cochran 1954; Higgins et al. 2003).

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
    beyond = max(0.0, 1 - freedom / q) if q > 0 else 0.0
    return Heterogeneity(q=q, freedom=freedom, p_value=float(chdtrc(freedom, q)), share=beyond)
