"""The figure, the card of one pair, and the table of all pairs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from nlpsig_core import plots
from nlpsig_core.comparison.pair_table import SHOWN_COLUMNS, p_matrix
from nlpsig_core.comparison.thresholds import Rule
from nlpsig_core.comparison.verdict import verdicts, with_symbols
from nlpsig_core.words import count
from ui.app import choice, components
from ui.app.memory import remember
from ui.app.pair_list import Options, options, pair_list
from ui.app.text import plain
from ui.frame.view import View
from ui.pair import verdict
from ui.pair.pair import BY_GAIN, by_gain, distribution, facts_of, held_pair, hold
from ui.pairs import significance
from ui.pairs.controls import FIGURES, MATRIX, TWO_TESTS, Look


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
    """The scatter, the matrix of p-values, or two tests."""
    if not len(pairs):
        st.info("No pair passes the filters.", icon=":material/filter_alt:")
    elif look.view == TWO_TESTS:
        significance.two_tests(view, pairs, filtered)
    elif look.view == MATRIX:
        _matrix(view, pairs, filtered, look)
    else:
        how: dict[str, object] = view.notion.signed | rule.signed | view.classes | filtered
        signature = view.signed(**how | ({"over": over.signed} if over else {}))
        chart = remember(
            plots.pair_figure, pairs, thresholds, metric=view.metric, signature=signature,
            n_resamples=significance.n_resamples(view, filtered["test"]),
            notion=view.notion, cutoff=rule.level, window=rule.borders, highlight=look.highlight,
            by_correlation=by_correlation, all_gains=look.all_gains, decimals=view.decimals, over=over,
        )  # fmt: skip
        alt = remember(plots.pair_alt, pairs, thresholds, metric=view.metric, decimals=view.decimals, over=over)
        components.figure(chart, "pairs", alt, numbers="pair_table")
        _describe(pairs, chart.layout.xaxis.range[1], over)


def _matrix(view: View, pairs: pd.DataFrame, filtered: dict[str, str], look: Look) -> None:
    """p of every pair, systems in order of rank, or groups in that of their best."""
    ranked = view.ranking
    if look.by_group:
        ranked = ranked.assign(first=ranked.groupby("group", sort=False).ngroup()).sort_values("first", kind="stable")
    order = tuple(ranked["system"])
    signature = view.signed(**view.notion.signed, **view.classes, **filtered)
    b = significance.n_resamples(view, filtered["test"])
    matrix = remember(p_matrix, pairs, order)
    rows = remember(p_matrix, remember(_with_rows, pairs), order, "row")
    chart = remember(
        plots.matrix_figure, matrix, column="p", signature=signature, level=view.alpha, n_resamples=b, rows=rows,
        highlight=look.highlight,
    )  # fmt: skip
    alt = plots.matrix_alt(matrix, level=view.alpha, order="group" if look.by_group else "rank", n_resamples=b)
    components.figure(chart, "matrix", alt, numbers="pair_table")
    st.caption(
        f"p-value of the row's gain over the column's system. Significant: {view.words}. Click a cell, "
        "or move through the list with the arrow keys, to see its pair."
    )


def _with_rows(pairs: pd.DataFrame) -> pd.DataFrame:
    return pairs.assign(row=pairs.index)


def _describe(pairs: pd.DataFrame, limit: float, over: plots.Overlay | None) -> None:
    beyond, without = int((pairs["gain"] > limit).sum()), int((pairs["gain"] <= 0).sum())
    st.caption(
        "Click a dot, or move through the list with the arrow keys, to see its pair. Vertical lines are thresholds: "
        "dashed from the window of p, dotted from the model of needed gains."
        + (f" Not shown: {count(beyond, 'pair')} with a larger gain; choose all gains to see them." if beyond else "")
        + (f" Not drawn: {count(without, 'pair')} without a gain." if without else "")
        + (f" Open markers: {plain(over.name)}." if over else "")
    )


def one_pair(view: View, pairs: pd.DataFrame, test: str, look: Look) -> None:
    """The card of one pair: a list to choose it from, verdict, numbers, resampled gains, and a link to its own page."""
    st.header("One pair")
    if len(pairs):
        listed = remember(options, remember(by_gain, pairs), view.decimals + 1)
        _card(view, pairs, listed, test, FIGURES[look.view])


@st.fragment
def _card(view: View, pairs: pd.DataFrame, listed: Options, test: str, figure: str) -> None:
    """The card, which alone changes with the chosen pair, apart from the mark in the figure."""
    row = held_pair(view, pairs)
    pair_list(
        BY_GAIN, listed, int(row.name), key="pair_list", figure=figure, choose=lambda chosen: hold(pairs.loc[chosen])
    )
    verdict.draw(st.empty(), verdict.of_row(view, row, significance.n_resamples(view, test)))
    components.page_link("Pair", "Look closer")
    facts_of(view, row, test)
    gains = st.expander("Resampled gains", icon=":material/bar_chart:", key="gains_open", on_change="rerun")
    if gains.open:
        with gains:
            distribution(view, row)
    choice.write_link()


def _shown(pairs: pd.DataFrame) -> pd.DataFrame:
    shown = pairs[list(SHOWN_COLUMNS)]
    answers = verdicts(pairs, np.zeros(len(pairs), dtype=bool))
    shown.insert(list(shown).index("gain"), "answer", with_symbols(answers))
    return shown


def all_pairs(view: View, pairs: pd.DataFrame, filtered: dict[str, str]) -> None:
    """The table of the pairs that pass the filters."""
    signature = view.signed(interval=view.interval, **view.notion.signed, **view.classes, **filtered)
    shown = remember(_shown, pairs)
    if view.baseline:
        shown = shown[(shown["system_a"] == view.baseline) | (shown["system_b"] == view.baseline)]
        st.caption(f"Only pairs with the baseline, {plain(view.baseline)}.")
    alt = "All pairs with gains, intervals and p-values"
    components.table(shown, "pair_table", signature, alt, metric=view.metric, decimals=view.decimals)
    st.caption(f"{pairs['significant'].sum():,} of {count(len(pairs), 'pair')} are significant: {view.words}.")
