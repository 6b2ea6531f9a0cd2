"""The chosen pair, its numbers in a row, and its resampled gains."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from nlpsig_core.base.words import capital, count, p_text
from nlpsig_core.output import plots
from nlpsig_core.output.report.export import p_texts
from nlpsig_core.significance.comparison.classes import INVALID, comparisons, groups_of
from nlpsig_core.significance.comparison.notion import ALONE, BOOTSTRAP, BOTH, CORRECTED, CORRECTIONS, HOLM
from nlpsig_core.significance.comparison.pair_table import pair_table
from nlpsig_core.significance.comparison.verdict import SEEN_FROM_THE_LOSER, Verdict, shown_p
from nlpsig_core.significance.paired_tests import TESTS, p_by
from nlpsig_core.significance.paired_tests.small_sample import FEW, TOO_FEW
from nlpsig_core.significance.resampling.bootstrap import all_pairs, observed_gains, ties
from nlpsig_core.significance.stats.array import Sample, Stats
from nlpsig_core.studies.pair.resampled import gain_histogram
from nlpsig_core.studies.pair.writing import interval_note
from ui.app import choice, components
from ui.frame.view import View
from ui.work import computations
from ui.work.memory import remember, remember_as
from ui.work.watching import ready, start, watch_here

# The label of every list of pairs, before the word for a gain.
WINNER_FIRST = "Pair, winner first, by"


def choose_pair(view: View, pairs: pd.DataFrame) -> pd.Series | None:
    """Choose a pair from a drop-down list and return its row; None if there are no pairs."""
    return (
        None if pairs.empty else _chosen(view, pairs, partial(choice.select, f"{WINNER_FIRST} {view.metric.gain_word}"))
    )


def held_pair(view: View, pairs: pd.DataFrame) -> pd.Series:
    """Return the row of the chosen one of some pairs, where no drop-down list holds the choice (``hold``)."""
    return _chosen(view, pairs, choice.held)


def hold(pair: pd.Series) -> None:
    """Choose the pair of a row."""
    st.session_state["pair"] = name_of(pair["system_a"], pair["system_b"])


def name_of(winner: str, loser: str) -> str:
    """Return a pair by name, as links have it."""
    return f"{winner} over {loser}"


def _chosen(view: View, pairs: pd.DataFrame, choose: Callable[..., str]) -> pd.Series:
    """Return the row of the pair that ``choose`` returns from the names of all, by gain."""
    ordered = remember(by_gain, pairs)
    a, b = ordered["system_a"], ordered["system_b"]
    names, wanted = remember(_names, ordered), st.session_state.get("pair")
    if wanted not in names and wanted in (turned := list(map(name_of, b, a))):
        st.session_state["pair"] = names[turned.index(wanted)]
    chosen = choose(names, "pair", usual=names[remember(_usual, view.selection.stats, ordered, view.baseline)])
    return ordered.iloc[names.index(chosen)]


def by_gain(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the pairs in the order of every list of them: the smallest gain first."""
    return pairs.sort_values("gain", kind="stable")


def observed_pairs(view: View) -> pd.DataFrame:
    """Return the systems and the gain of every pair, winner first, without resamples; rows as in the table of pairs."""
    return remember(_observed, view.selection.stats)


def _observed(stats: Sample) -> pd.DataFrame:
    pairs = all_pairs(stats.metric.sign * stats.scores)
    (a, b), names = pairs.T, np.array(stats.names, dtype=object)
    gain, _ = observed_gains(stats, pairs)
    return pd.DataFrame({"system_a": names[a], "system_b": names[b], "gain": gain})


def in_table(view: View, chosen: pd.Series) -> pd.Series:
    """Return the row of a pair in the table of all pairs."""
    return view.row(chosen["system_a"], chosen["system_b"])


def row_of(view: View, chosen: pd.Series, stats: Stats) -> pd.Series:
    """Return the row of the pair table; until all pairs are tested, that of the two alone, without a verdict."""
    if ready(computations.bootstrap(view.selection, view.recipe)):
        return in_table(view, chosen)
    row = verdict_alone(view, chosen, stats).row
    return row if view.notion.scope == ALONE else row.drop("verdict")


def verdict_alone(view: View, chosen: pd.Series, stats: Stats) -> Verdict:
    """Return the verdict on a pair on its own, for which no other pair is tested."""
    systems, names = view.selection.systems, list(view.selection.stats.names)
    pair = np.array([[names.index(chosen["system_a"]), names.index(chosen["system_b"])]])
    classes = comparisons(systems, pair, view.selection.invalid_files)
    result, notion = view.bootstrap_of(stats), replace(view.tested, scope=ALONE)
    p = p_by(notion.test, stats, result)
    groups = groups_of(systems)[pair[0]]
    row = pair_table(result, stats, classes, groups, interval=view.interval, p=p, notion=notion).iloc[0]
    return view.selection.verdict(row, notion)


def carried(view: View, row: pd.Series) -> int | None:
    """Return how many units carry a significant gain; None if that is not searched for or was stopped."""
    if view.selection.several or row["verdict"] not in SEEN_FROM_THE_LOSER:
        return None
    stats, _ = pair_of(view, row)
    found = watch_here(computations.carried_by(stats, view.recipe, view.of_pair(row)))
    return found.k if found else None


def start_all(view: View, row: pd.Series, stats: Stats) -> None:
    """Start, in the background, everything that the sections below show of a pair without being asked."""
    start(computations.bootstrap_of_pair(stats, view.recipe))
    if row["gain"] > 0 and view.notion.scope != CORRECTED:  # the cutoff of a corrected p depends on all pairs
        start(computations.carried_by(stats, view.recipe, view.tested))
    start(computations.bootstrap(view.selection, view.recipe))


def _names(pairs: pd.DataFrame) -> list[str]:
    return list(map(name_of, pairs["system_a"], pairs["system_b"]))


def _usual(stats: Sample, pairs: pd.DataFrame, baseline: str) -> int:
    """Return the position of the best system over the baseline, or over the best one with a different score.

    0 if all scores are equal.
    """
    scores = pd.Series(stats.metric.sign * stats.scores, index=stats.names)
    rank = scores.rank(ascending=False, method="first")
    a, b = pairs["system_a"], pairs["system_b"]
    tied = pairs["gain"].to_numpy() <= ties(scores[a].to_numpy(), scores[b].to_numpy())
    apart = (a != baseline) & (b != baseline)
    return int(np.lexsort((rank[b], rank[a], apart, tied))[0])


def pair_of(view: View, row: pd.Series) -> tuple[Stats, str]:
    """Return the statistics of a pair's two systems, winner first, and the pair's signature."""
    pair = remember(view.first.stats.named, (row["system_a"], row["system_b"]))
    return pair, view.signed(pair=name_of(row["system_a"], row["system_b"]))


def facts_of(view: View, row: pd.Series) -> None:
    """Draw the gain, its interval and the p that decides, and the other numbers of the pair in a fold."""
    digits = view.decimals
    components.facts(
        (capital(view.metric.gain), f"{row['gain']:.{digits}f}"),
        ("95% interval", f"{row['gain_low']:z.{digits}f} to {row['gain_high']:z.{digits}f}"),
        ("p", shown_p(row, view.notion.level)),
    )
    if apart := interval_note(row, view.tested.test, view.notion.level):
        st.caption(f"{apart}.")
    if row["comparison"] == INVALID:
        st.warning(
            "One of the two outputs is invalid; the comparison depends on the treatment of invalid outputs.",
            icon=":material/warning:",
        )
    with st.expander("More numbers"):
        _more_facts(view, row)


def _more_facts(view: View, row: pd.Series) -> None:
    """Draw the p-values by name, the units in which the two differ, and their correlation."""
    unit = view.selection.stats.unit
    names = {"p_corrected": f"p, corrected ({CORRECTIONS[view.notion.adjust]})"} if view.notion.scope == BOTH else {}
    names |= {"p_value": "p, one-sided (the paper's)" if _by_bootstrap(view) else "p, one-sided"}
    names |= {"p_two_sided": "p, two-sided"}
    if not (names.get("p_corrected") and view.notion.two_sided and view.notion.adjust == HOLM):
        names |= {"p_holm": "p, Holm"}
    known = p_texts(row.to_frame().T.infer_objects(), view.notion.level)
    components.facts(
        *((label, known[name][0]) for name, label in names.items() if known[name] != [""]),
        (f"{capital(unit)}s that differ", f"{row['differing']:,}"),
        ("Correlation", f"{row['correlation']:.3f}"),
    )
    test = TESTS[view.tested.test].label
    st.caption(
        f"p: {test}, significant if {view.words}.{_on_differing(view, row, unit) if _by_bootstrap(view) else ''}"
    )


def _by_bootstrap(view: View) -> bool:
    return view.tested.test == BOOTSTRAP


def _on_differing(view: View, row: pd.Series, unit: str) -> str:
    """Return a note if p rests on the units in which two systems differ, be they few or not; else ""."""
    n = int(row["differing"])
    if not 0 < row["fewest_differing"] < FEW:
        counted = p_text(row["p_two_sided"], int(row["resamples"]))
        if not view.notion.two_sided or shown_p(row, view.notion.level) == counted or row["p"] != row["p_alone"]:
            return ""
        return f" It allows for the {count(n, unit)} in which they differ; the one- and two-sided p do not."
    few = f" They differ in {count(n, unit)}: p and the interval account for it; the other p-values are too small."
    return few + (f" With fewer than {TOO_FEW} no exact two-sided test can reach 0.05." if n < TOO_FEW else "")


def distribution(view: View, row: pd.Series) -> None:
    """Draw the distribution of one pair's resampled gains, with the resamples beyond 2 delta and below 0."""
    gain = view.metric.gain_word
    if row["gain"] <= 0:
        st.info(f"The two have the same score: there is no {gain} to test, and p is 1.", icon=":material/content_copy:")
        return
    stats = remember(view.selection.stats.named, (row["system_a"], row["system_b"]))
    drawn = view.bootstrap_of(stats)
    # By what it is made of: the key would keep all resamples.
    bins = remember_as((gain_histogram, stats.digest, view.recipe), lambda: gain_histogram(stats, drawn))
    chart = remember(
        plots.gain_figure,
        bins,
        a=row["system_a"],
        b=row["system_b"],
        gain=row["gain"],
        interval=(row["gain_low"], row["gain_high"]),
        **view.scored,
        signature=view.signed(pair=name_of(row["system_a"], row["system_b"])),
    )
    heads = {"above": "above 2δ", "below": "below 0"}
    numbers = bins.drop(columns="width")
    above, below = bins["above"].sum(), bins["below"].sum()
    about = (
        f"Of {count(view.recipe.n_resamples, 'resample')}, {above:,} have a {gain} of more than 2δ and {below:,} of "
        f"less than 0: the two events of p. Grey: the 95% interval of the {gain}."
    )
    components.figure(chart, "gains", numbers, about=about, heads=heads, **view.scored)
