"""The figure, the card of one pair, and the table of all pairs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from nlpsig_core.base.words import count
from nlpsig_core.output import plots
from nlpsig_core.output.plots.style.confidence import close_limit, tested
from nlpsig_core.significance.comparison.pair_table import SHOWN_COLUMNS
from nlpsig_core.significance.comparison.thresholds import Rule
from nlpsig_core.significance.comparison.verdict import finding, with_symbols
from ui.app import choice, components, verdicts
from ui.app.pair_list import Options, options, pair_list
from ui.app.text import plain
from ui.frame.view import View
from ui.significance.chosen_pair import WINNER_FIRST, by_gain, carried, distribution, facts_of, held_pair, hold
from ui.significance.pairs import significance
from ui.significance.pairs.controls import FIGURES, MATRIX, SCATTER, TWO_TESTS, Look
from ui.work.memory import remember


def headline(view: View) -> None:
    """Say how many pairs differ, and the largest gain of the others."""
    st.markdown(f"**{plain(finding(view.pairs, view.notion, view.metric, view.decimals))}.**")


def pair_figure(
    view: View,
    pairs: pd.DataFrame,
    thresholds: pd.DataFrame,
    rule: Rule,
    filtered: dict[str, str],
    look: Look,
    over: plots.Overlay | None,
    by_correlation: bool,
) -> None:
    """Draw confidence against gain, the matrix of answers, or two tests.

    Gains are drawn at least up to that of the chosen pair, and pairs of the baseline are marked.
    """
    if not len(pairs):
        st.info("No pair passes the filters.", icon=":material/filter_alt:")
        return
    if look.view == TWO_TESTS:
        significance.two_tests(view, pairs, filtered)
        return
    if look.view == MATRIX:
        _matrix(view, pairs, filtered, look)
        return
    how: dict[str, object] = view.significance | rule.signed | view.classes | filtered
    signature = view.signed(**how | ({"over": over.signed} if over else {}))
    limit, gain = remember(close_limit, pairs), float(held_pair(view, pairs)["gain"])
    chart = remember(
        plots.pair_figure,
        pairs,
        thresholds,
        signature=signature,
        unit=view.selection.stats.unit,
        notion=view.notion,
        cutoff=rule.level,
        window=rule.borders,
        highlight=look.highlight,
        by_correlation=by_correlation,
        all_gains=look.all_gains,
        **view.scored,
        over=over,
        least=gain if gain > limit else 0.0,
        baseline=view.baseline,
    )
    components.figure(chart, "pairs", numbers="pair_table")
    _describe(view, pairs, np.inf if look.all_gains else max(limit, gain), over)


def _matrix(view: View, pairs: pd.DataFrame, filtered: dict[str, str], look: Look) -> None:
    """Draw the answer to every pair, systems in order of rank, or groups in that of their best."""
    ranked = view.ranking
    if look.by_group:
        ranked = ranked.assign(first=ranked.groupby("group", sort=False).ngroup()).sort_values("first", kind="stable")
    order = tuple(ranked["system"])
    signature = view.signed(**view.significance, **view.classes, **filtered)
    chart = remember(
        plots.matrix_figure,
        pairs,
        order,
        notion=view.notion,
        signature=signature,
        highlight=look.highlight,
        ordered_by="group" if look.by_group else "rank",
    )
    about = "The row's system over the column's. Click a cell to see its pair."
    components.figure(chart, "matrix", numbers="pair_table", about=about)


def _describe(view: View, pairs: pd.DataFrame, limit: float, over: plots.Overlay | None) -> None:
    beyond, ties = int((pairs["gain"] > limit).sum()), len(pairs) - len(tested(pairs))
    hidden = [count(ties, "tie")] * (ties > 0)
    hidden += [f"{count(beyond, 'pair')} with larger {view.metric.gain_word}s (choose **all**)"] * (beyond > 0)
    notes = [
        f"Not drawn: {', '.join(hidden)}." if hidden else "",
        f"Open markers: {plain(over.name)}." if over else "",
    ]
    if any(notes):
        st.caption(" ".join(filter(None, notes)))


def one_pair(view: View, pairs: pd.DataFrame, look: Look) -> None:
    """Draw the card of one pair: a list to choose it from, verdict, numbers, resampled gains, a link to its page."""
    if len(pairs):
        listed = remember(options, remember(by_gain, pairs), view.decimals)
        drawn = held_pair(view, pairs)["gain"] if look.view == SCATTER and not look.all_gains else np.inf
        _card(view, pairs, listed, FIGURES[look.view], max(drawn, remember(close_limit, pairs)))


@st.fragment
def _card(view: View, pairs: pd.DataFrame, listed: Options, figure: str, limit: float) -> None:
    """Draw the card, which alone changes with the chosen pair, apart from the mark in the figure.

    The figure is drawn again, with further gains, for a pair with a gain above the ``limit``.
    """
    row = held_pair(view, pairs)
    if row["gain"] > limit:
        st.rerun()
    pair_list(
        f"{WINNER_FIRST} {view.metric.gain_word}",
        listed,
        int(row.name),
        key="pair_list",
        figure=figure,
        choose=lambda chosen: hold(pairs.loc[chosen]),
    )
    verdicts.draw(st.empty(), view.results.verdict(row, view.notion, carried(view, row)), "pair")
    components.page_link("Pair", "Look closer")
    facts_of(view, row)
    components.fold(
        f"Resampled {view.metric.gain_word}s", distribution, view, row, icon=":material/bar_chart:", key="gains_open"
    )
    choice.write_link()


def all_pairs(view: View, pairs: pd.DataFrame, filtered: dict[str, str]) -> None:
    """Draw the table of the pairs that pass the filters; those with the baseline come first."""
    signature = view.signed(**view.reading, **view.classes, **filtered)
    shown = remember(_shown, pairs, view.baseline)
    alt = f"All pairs with {view.metric.gain_word}s, intervals and p-values"
    components.table(shown, "pair_table", signature, alt, **view.scored)


def _shown(pairs: pd.DataFrame, baseline: str) -> pd.DataFrame:
    first = ["system_a", "system_b", "verdict", "gain", "p", "p_corrected"]
    columns = [*first, *(column for column in SHOWN_COLUMNS if column not in first)]
    columns += [column for column in pairs if column.endswith("_bound")]
    shown = pairs[columns].assign(verdict=with_symbols(pairs["verdict"]))
    with_baseline = (shown["system_a"] == baseline) | (shown["system_b"] == baseline)
    shown = shown.iloc[np.argsort(~with_baseline, kind="stable")]
    return shown if shown.empty else shown.dropna(axis="columns", how="all")
