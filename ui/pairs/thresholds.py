"""The panels below the figure: thresholds, and the share of significant pairs near a gain."""

from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nlpsig_core.comparison.needed_gain import AGREED, REACH
from nlpsig_core.comparison.thresholds import FEWEST_GROUPS, PUBLISHED, WHAT_IF_HELD, Rule, threshold_table, what_if
from nlpsig_core.errors import ChoiceError
from nlpsig_core.plots import Overlay
from nlpsig_core.words import capital, count, share
from ui.app import choice, components
from ui.app.memory import remember
from ui.app.terms import explained
from ui.app.text import plain
from ui.frame.view import View

# The upper end of the slider, unless the level needs a larger one.
WIDEST = 0.2
# A row has room for so many cards, or for more if there are more classes.
FEWEST_CARDS = 3


def chosen_window() -> tuple[float, float] | None:
    """The window of p that the user has set; None if it follows the level."""
    window = st.session_state.get("window")
    return None if window is None or window == st.session_state.get("usual", {}).get("window") else tuple(window)


def rule(view: View, every_pair: pd.DataFrame, panel: DeltaGenerator) -> Rule:
    """The threshold rule, chosen in a panel; its level is the unadjusted cutoff over all pairs."""
    usual = Rule().following(view.notion, every_pair)
    if chosen_window() is None:
        st.session_state.pop("window", None)
    with panel:
        choice.slider(
            "Threshold: window of p", 0.0, max(WIDEST, usual.borders[1]), "window", usual=usual.borders, step=0.001,
            format="%.4f",
            help=explained(
                "Pairs with p in this window are borderline. By default it is 0.8 to 1.2 times the level, as in the "
                "paper.", "borderline pair", "threshold (window)",
            ),
        )  # fmt: skip
        percentile = choice.slider("Threshold: percentile of gains", 50, 100, "percentile")
        fewest = choice.number("Threshold: fewest pairs in the window", 1, 1000, "fewest")
    try:
        return replace(usual, window=chosen_window(), percentile=float(percentile), fewest=int(fewest))
    except ChoiceError as error:
        st.error(plain(str(error)))
        st.stop()


def of_pairs(pairs: pd.DataFrame, rule: Rule) -> pd.DataFrame:
    """The thresholds of each class of pairs."""
    return remember(threshold_table, pairs, rule)


def threshold_panel(view: View, table: pd.DataFrame, rule: Rule, filtered: dict[str, str]) -> None:
    """Each class's thresholds, with the pairs behind them and their precision and recall."""
    st.markdown("### Above this gain, pairs are usually significant")
    st.caption(f"{plain(capital(view.metric.gain))}; {view.words}")
    if table.empty:
        st.info("No pair of valid systems has a gain.")
        return
    for row, place in zip(table.itertuples(index=False), st.columns(max(len(table), FEWEST_CARDS)), strict=False):
        with place.container(border=True, gap="xsmall"):
            st.markdown(f"**{row.comparison}** :gray[{count(row.pairs, 'pair')}]")
            if row.reason:
                st.caption(f"window: {row.reason}")
            else:
                _number(view, row.threshold)
                source = f"window: from {count(row.pairs_in_window, 'borderline pair')}"
                st.caption(_quality(source, row.precision, row.recall))
            if math.isnan(row.model_threshold):
                st.caption(f"model: {row.model_reason}")
            else:
                _number(view, row.model_threshold, row.model_low, row.model_high)
                source = f"model: from {count(row.model_pairs, 'pair')}"
                source += f" ({row.model_reason})" if row.model_reason else ""
                st.caption(_quality(source, row.model_precision, row.model_recall))
    st.caption(
        f"**window**, as in the paper: percentile {rule.percentile:g} of the gains of borderline pairs, with p from "
        f"{rule.borders[0]:g} to {rule.borders[1]:g}. It has no interval, since pairs share systems. **model**: the "
        "same percentile of the gains that pairs need for significance, from their standard errors; pairs with more "
        f"than {REACH:g} times the gain that they need are excluded. In brackets: its interval for further systems and "
        f"groups like these on this test set. Between halves of the groups of real tasks, {share(AGREED)} of such "
        "intervals agreed."
    )
    how = view.notion.signed | rule.signed | view.classes | filtered
    components.downloads(table, "thresholds", view.signed(**how))


def of_the_paper() -> None:
    """The thresholds of the paper's tasks."""
    with st.expander("Thresholds in the paper"):
        st.caption("Berg-Kirkpatrick et al. (2012): other test sets and other systems, for comparison only.")
        components.table(PUBLISHED, "published", "Berg-Kirkpatrick, Burkett and Klein (2012)", "Published thresholds")
    components.page_link("Atlas", "Thresholds of other test sets")


def _number(view: View, value: float, low: float = math.nan, high: float = math.nan) -> None:
    digits = view.decimals
    interval = "" if math.isnan(low) else f" :gray[({low:.{digits}f} – {high:.{digits}f})]"
    st.markdown(f"**:blue[{value:.{digits}f} {plain(view.metric.label)}]**{interval}")


def _quality(source: str, precision: float, recall: float) -> str:
    """The pairs behind a threshold, with its precision and recall, in words."""
    larger = "no gain is larger" if math.isnan(precision) else f"{share(precision)} of larger gains are significant"
    return f"{source}; {larger}" + ("" if math.isnan(recall) else f", {share(recall)} of significant gains are larger")


def threshold_lines(over: Overlay | None, decimals: int) -> None:
    """The thresholds of the pairs that are drawn over, one line each."""
    if over is None:
        return
    st.markdown(f"### {plain(over.name)}")
    for row in over.thresholds.itertuples(index=False):
        window = f"{row.threshold:.{decimals}f}" if not math.isnan(row.threshold) else row.reason
        model = f"{row.model_threshold:.{decimals}f}" if not math.isnan(row.model_threshold) else row.model_reason
        st.markdown(f"**{row.comparison}** :gray[{count(row.pairs, 'pair')}]: window: {window}; model: {model}")


def what_if_panel(view: View, pairs: pd.DataFrame, filtered: dict[str, str]) -> None:
    """The share of significant pairs among those near a gain that the user enters."""
    st.markdown("### How often is such a gain significant?")
    least = 10.0**-view.decimals
    largest = max(float(pairs["gain"].max()) if len(pairs) else 0.0, 10 * least)
    middle = float(pairs["gain"].median()) if len(pairs) else least
    usual = min(max(round(middle, view.decimals), least), largest)
    gain = choice.number(
        f"A {view.metric.gain}", least, largest * 2, "gain", usual=usual,
        step=10 * least, format=f"%.{view.decimals}f",
    )  # fmt: skip
    near = remember(what_if, pairs, gain)
    for row in near.itertuples(index=False):
        if row.pairs:
            interval = "" if math.isnan(row.low) else f" :gray[({share(row.low)} – {share(row.high)})]"
            near_it = count(row.pairs, "pair")
            st.markdown(f"**{row.comparison}**: **:blue[{share(row.share)}]** significant{interval}, {near_it} near")
        else:
            st.markdown(f"**{row.comparison}**: :gray[no pair near]")
    st.caption(
        "Near: within 20% of this gain. In brackets: an interval for the share among such pairs of further groups, "
        f"with {FEWEST_GROUPS} groups or more; it covered that share in {share(WHAT_IF_HELD)} or more of simulated "
        "tasks."
    )
    components.downloads(near, "what_if", view.signed(gain=gain, **view.notion.signed, **view.classes, **filtered))
