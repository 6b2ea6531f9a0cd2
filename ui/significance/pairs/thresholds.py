"""The panels below the figure: thresholds, and the share of significant pairs near a gain."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.base.words import LEAST, count, how_often, share
from nlpsig_core.output.plots import Overlay
from nlpsig_core.significance.comparison.needed_gain import AGREED, REACH
from nlpsig_core.significance.comparison.thresholds import NEARNESS, PUBLISHED, Rule, threshold_table, what_if
from ui.app import choice, components
from ui.app.text import plain
from ui.frame.view import View
from ui.work.memory import remember

# The upper end of the slider, unless the level needs a larger one.
WIDEST = 0.2
# A row has room for so many cards, or for more if there are more classes.
FEWEST_CARDS = 3


def chosen_window() -> tuple[float, float] | None:
    """Return the window of p that the user has set; None if it follows the level."""
    window = st.session_state.get("window")
    return None if window is None or window == st.session_state.get("usual", {}).get("window") else tuple(window)


def rule(view: View, every_pair: pd.DataFrame, panel: DeltaGenerator) -> Rule:
    """Return the threshold rule, chosen in a panel; its level is the unadjusted cutoff over all pairs."""
    usual = Rule().following(view.notion, every_pair)
    if chosen_window() is None:
        st.session_state.pop("window", None)
    with panel:
        label, widest = "Threshold: window of p", max(WIDEST, usual.borders[1])
        choice.slider(label, 0.0, widest, "window", usual=usual.borders, step=0.001, format="%.4f")
        percentile = choice.slider(f"Threshold: percentile of {view.metric.gain_word}s", 50, 100, "percentile")
        fewest = choice.number("Threshold: fewest pairs in the window", 1, 1000, "fewest")
    try:
        return replace(usual, window=chosen_window(), percentile=float(percentile), fewest=int(fewest))
    except ChoiceError as error:
        st.error(plain(str(error)))
        st.stop()


def of_pairs(view: View, pairs: pd.DataFrame, rule: Rule) -> pd.DataFrame:
    """Return the thresholds of each class of pairs."""
    return remember(threshold_table, pairs, rule)


def threshold_panel(view: View, table: pd.DataFrame, rule: Rule, filtered: dict[str, str]) -> None:
    """Draw the threshold of each class, and both estimates with the pairs behind them in a fold."""
    gain = view.metric.gain_word
    st.header(f"Above this {gain}, pairs usually differ")
    if table.empty:
        st.info(f"No pair of valid systems has a {gain}.")
        return
    for row, place in zip(table.itertuples(index=False), st.columns(max(len(table), FEWEST_CARDS)), strict=False):
        with place.container(border=True, gap="xsmall"):
            st.markdown(f"**{row.comparison}** :gray[{count(row.pairs, 'pair')}]")
            _card(view, row)
    with st.expander("Where do thresholds come from?", icon=":material/lightbulb:"):
        st.markdown(
            f"**Model**: percentile {rule.percentile:g} of the {gain}s that pairs need, from their standard errors; "
            f"pairs with more than {REACH:g} times the {gain} that they need are excluded. Its interval is for further "
            "systems and groups like these on this test set; between halves of the groups of real tasks "
            f"{share(AGREED)} of such intervals agreed.\n\n"
            f"**Window**, as in the paper: percentile {rule.percentile:g} of the {gain}s of pairs with p from "
            f"{rule.borders[0]:g} to {rule.borders[1]:g}; at least {count(rule.fewest, 'pair')}.\n\n"
            f"Pairs differ if {view.words}."
        )
        how = view.significance | rule.signed | view.classes | filtered
        components.table(
            table.drop(columns=["reason", "model_reason"]),
            "thresholds",
            view.signed(**how),
            "Thresholds by class",
            **view.scored,
        )


def _card(view: View, row: Any) -> None:
    """Draw the model's threshold of a class, else that of the window, and how many significant gains exceed it."""
    by_model = not math.isnan(row.model_threshold)
    value = row.model_threshold if by_model else row.threshold
    if math.isnan(value):
        st.caption(f"No threshold: {plain(row.model_reason)}.")
        return
    digits = view.decimals
    interval = (
        "" if math.isnan(row.model_low) else f" :gray[({row.model_low:.{digits}f} – {row.model_high:.{digits}f})]"
    )
    st.markdown(f"**:blue[{value:.{digits}f} {plain(view.metric.label)}]**{interval if by_model else ''}")
    recall = row.model_recall if by_model else row.recall
    if not math.isnan(recall):
        st.caption(f"{share(recall)} of significant {view.metric.gain_word}s exceed it.")


def of_the_paper() -> None:
    """Draw the thresholds of the paper's tasks."""
    with st.expander("Thresholds in the paper"):
        components.table(PUBLISHED, "published", "Berg-Kirkpatrick, Burkett and Klein (2012)", "Published thresholds")
    components.page_link("Atlas", "Thresholds of other test sets")


def threshold_lines(over: Overlay | None, decimals: int) -> None:
    """Draw the thresholds of the pairs that are drawn over, one line each."""
    if over is None:
        return
    st.markdown(f"### {plain(over.name)}")
    for row in over.thresholds.itertuples(index=False):
        known = next((value for value in (row.model_threshold, row.threshold) if not math.isnan(value)), math.nan)
        text = f"no threshold, {plain(row.model_reason)}" if math.isnan(known) else f"{known:.{decimals}f}"
        st.markdown(f"**{row.comparison}** :gray[{count(row.pairs, 'pair')}]: {text}")


def what_if_panel(view: View, pairs: pd.DataFrame, filtered: dict[str, str]) -> None:
    """Draw the share of significant pairs among those near a gain that the user enters; nothing without pairs."""
    gains = pairs.loc[pairs["gain"] > 0, "gain"]
    if not len(gains):
        return
    st.header(f"How often does such a {view.metric.gain_word} decide?")
    least = 10.0**-view.decimals
    largest = max(float(gains.max()), 10 * least)
    # Some such gains decide, some do not: that of the pair with p nearest to the level, as a ratio.
    nearest = (np.log(pairs.loc[gains.index, "p"].clip(lower=LEAST)) - math.log(view.notion.level)).abs().idxmin()
    usual = min(max(round(float(gains[nearest]), view.decimals), least), largest)
    choice.forget_default("gain")
    gain = choice.number(
        f"A {view.metric.gain}", least, largest * 2, "gain", usual=usual, step=10 * least, format=f"%.{view.decimals}f"
    )
    near = remember(what_if, pairs, gain)
    if not near["pairs"].any():
        st.markdown(":gray[no pair is near it]")
    for row in near[near["pairs"] > 0].itertuples(index=False):
        some = f"{row.significant} of {count(row.pairs, 'pair')} near it differ{'s' * (row.pairs == 1)}"
        if math.isnan(row.share):
            st.markdown(f"**{row.comparison}**: :gray[{some}, too few to say how often]")
            continue
        interval = "" if math.isnan(row.low) else f" :gray[({share(row.low)} – {share(row.high)})]"
        st.markdown(f"**{row.comparison}**: **:blue[{how_often(row.share)}]**, {some}{interval}")
    low, high = (f"{gain * (1 + part):.{view.decimals}f}" for part in (-NEARNESS, NEARNESS))
    st.caption(f"Near it: {view.metric.gain_word}s from {low} to {high}.")
    signature = view.signed(gain=gain, **view.significance, **view.classes, **filtered)
    components.downloads(near, "what_if", signature)
