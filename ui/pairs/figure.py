"""The filters, the figure, one pair, and the table of all pairs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from nlpsig_core import plots
from nlpsig_core.comparison.classes import COMPARISONS
from nlpsig_core.comparison.pair_table import SHOWN_COLUMNS, p_matrix
from nlpsig_core.comparison.thresholds import Rule
from nlpsig_core.comparison.verdict import verdicts
from nlpsig_core.words import count
from ui import baseline
from ui.app import choice, components
from ui.app.text import plain
from ui.frame.view import View
from ui.pair import verdict
from ui.pair.pair import choose_pair, distribution, facts_of
from ui.pairs import significance

VIEWS = ("scatter", "matrix", "two tests")


def filters(view: View, pairs: pd.DataFrame, test: str) -> tuple[pd.DataFrame, dict[str, str]]:
    """The pairs that pass the filters by class, group and system; and test and filters, for signatures."""
    classes = [c for c in COMPARISONS if (pairs["comparison"] == c).any()]
    systems = view.selection.systems
    with st.expander("Filter pairs", icon=":material/filter_alt:", expanded=False):
        kept = choice.several(st.pills, "Classes", classes, "classes", selection_mode="multi")
        left, right = st.columns(2)
        groups = choice.several(left.multiselect, "Groups", sorted(systems["group"].unique()), "groups")
        names = choice.several(right.multiselect, "Systems", list(systems["system"]), "systems")
        both = choice.toggle("Both systems of a pair", "both")
    if kept:
        pairs = pairs[pairs["comparison"].isin(kept)]
    wanted = set(names) | set(systems.loc[systems["group"].isin(groups), "system"])
    if wanted:
        a, b = pairs["system_a"].isin(wanted), pairs["system_b"].isin(wanted)
        pairs = pairs[a & b if both else a | b]
    # In signatures "groups" is the digest of the systems' groups.
    chosen = {"of_classes": kept, "of_groups": groups, "of_systems": names, "both": ["yes"] if both and wanted else []}
    return pairs, {"test": test} | {name: ",".join(values) for name, values in chosen.items() if values}


def pair_figure(
    view: View,
    pairs: pd.DataFrame,
    thresholds: pd.DataFrame,
    rule: Rule,
    filtered: dict[str, str],
    over: plots.Overlay | None = None,
) -> None:
    """The scatter, the matrix of p-values, or two tests; a click on a dot selects the pair."""
    names = list(view.ranking["system"])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = choice.segments("View", VIEWS, "view")
        if kind == "scatter":
            colour = choice.segments(
                "Colour", ["class", "correlation"], "colour", help="Correlation of the two systems' resampled scores."
            )
            gains = choice.segments(
                "Gains",
                ["in doubt", "all"],
                "reach",
                help="In doubt: gains up to slightly above that of the last pair with p > 0.0005.",
            )
            highlight = choice.select(
                "Highlight", ["", *names], "highlight", format_func=lambda n: n or "no system", width=145
            )
    if not len(pairs):
        st.info("No pair passes the filters.", icon=":material/filter_alt:")
        return
    if kind == "two tests":
        significance.two_tests(view, pairs, filtered)
        return
    if kind == "matrix":
        signature = view.signed(**view.notion.signed, **view.classes, **filtered)
        b = significance.n_resamples(view, filtered["test"])
        chart = plots.matrix_figure(
            p_matrix(pairs, names), column="p", signature=signature, level=view.alpha, n_resamples=b
        )
        components.figure(chart, "matrix", "Matrix of p-values, systems in order of rank")
        st.caption(f"p-value of the row's gain over the column's system. Significant: {view.words}.")
        return
    how: dict[str, object] = view.notion.signed | rule.signed | view.classes | filtered
    signature = view.signed(**how | ({"over": over.signed} if over else {}))
    chart = plots.pair_figure(
        pairs, thresholds, metric=view.metric, signature=signature,
        n_resamples=significance.n_resamples(view, filtered["test"]),
        notion=view.notion, cutoff=rule.level, window=rule.borders, highlight=[highlight] if highlight else [],
        by_correlation=colour == "correlation", all_gains=gains == "all", decimals=view.decimals, over=over,
    )  # fmt: skip
    alt = "Confidence against gain for all pairs of systems"
    components.figure(chart, "pairs", alt, on_select=components.pick("pairs"), selection_mode="points")
    _describe(pairs, chart.layout.xaxis.range[1], over)


def _describe(pairs: pd.DataFrame, limit: float, over: plots.Overlay | None) -> None:
    beyond, without = int((pairs["gain"] > limit).sum()), int((pairs["gain"] <= 0).sum())
    st.caption(
        "Click a dot to see its pair. Vertical lines are thresholds: dashed from the window of p, dotted from the "
        "model of needed gains."
        + (f" {count(beyond, 'pair')} with a larger gain not shown: choose all gains to see them." if beyond else "")
        + (f" Not drawn: {count(without, 'pair')} without a gain." if without else "")
        + (f" Open markers: {plain(over.name)}." if over else "")
    )


def one_pair(view: View, pairs: pd.DataFrame, test: str) -> None:
    """One pair: its numbers, the distribution of its resampled gains, and a link to its own page."""
    st.header("One pair")
    row = choose_pair(view, pairs)
    if row is not None:
        verdict.draw(st.empty(), verdict.of_row(view, row, significance.n_resamples(view, test)))
        facts_of(view, row, test)
        components.page_link("Pair", "Look closer: is it real, and where does it come from?")
        distribution(view, row)


def all_pairs(view: View, pairs: pd.DataFrame, filtered: dict[str, str]) -> None:
    """The table of the pairs that pass the filters."""
    signature = view.signed(interval=view.interval, **view.notion.signed, **view.classes, **filtered)
    shown = pairs[list(SHOWN_COLUMNS)]
    answers = verdicts(pairs, np.zeros(len(pairs), dtype=bool))
    shown.insert(list(shown).index("gain"), "answer", baseline.symbols(pd.Series(answers)))
    if view.baseline:
        shown = shown[(shown["system_a"] == view.baseline) | (shown["system_b"] == view.baseline)]
        st.caption(f"Only pairs with the baseline, {plain(view.baseline)}.")
    alt = "All pairs with gains, intervals and p-values"
    components.table(shown, "pair_table", signature, alt, decimals=view.decimals)
    st.caption(f"Significant: {view.words}. {pairs['significant'].sum():,} of {count(len(pairs), 'pair')}.")
