"""The panels beside the figure of all pairs: thresholds, and what if."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from nlpsig_core.errors import ChoiceError
from nlpsig_core.thresholds import PUBLISHED, Rule, what_if
from ui.frame import View
from ui.text import share


def rule(view: View) -> Rule:
    """How thresholds are read off, from a panel that keeps its values."""
    with st.popover("Threshold rule", icon=":material/straighten:", type="tertiary"):
        low, high = st.slider(
            "Window of p", 0.0, 0.2, (0.04, 0.06), 0.005, "%.3f", key="window", bind="query-params",
            help="Pairs with p in this window are on the border of significance.",
        )  # fmt: skip
        percentile = st.slider("Percentile of their gains", 50, 100, 95, key="percentile", bind="query-params")
        fewest = st.number_input("Fewest pairs", 1, 1000, 5, key="fewest", bind="query-params")
    try:
        return Rule(view.alpha, (low, high), float(percentile), int(fewest))
    except ChoiceError as error:
        st.error(str(error))
        st.stop()


def threshold_panel(view: View, thresholds: pd.DataFrame) -> None:
    """Each class's threshold in words, with what it rests on and how good it is."""
    st.markdown(f"#### Gain that usually means p < {view.alpha:g}")
    if thresholds.empty:
        st.info("There is no pair with a gain.")
    for row in thresholds.itertuples(index=False):
        with st.container(border=True):
            st.markdown(f"**{row.comparison}**")
            if not math.isnan(row.threshold):
                st.markdown(_estimate(row.threshold, row.low, row.high, view.metric))
                st.caption(
                    f"from the gains of {row.pairs_in_window} of {row.pairs:,} pairs, those with p in the window. "
                    + _how_good(row.precision, row.recall)
                )
            else:
                st.caption(f"From the window: no threshold. {row.reason[:1].upper()}{row.reason[1:]}.")
            if not math.isnan(row.se_threshold):
                st.markdown(_estimate(row.se_threshold, row.se_low, row.se_high, view.metric))
                st.caption(
                    f"from the standard errors of {row.se_pairs:,} pairs of similar score. "
                    + _how_good(row.se_precision, row.se_recall)
                )
            else:
                st.caption(f"From standard errors: too few pairs of similar score ({row.se_pairs}).")
    with st.expander("Thresholds of the paper"):
        st.caption("Berg-Kirkpatrick et al. (2012). Other test sets, other systems: for comparison only.")
        st.dataframe(PUBLISHED, hide_index=True, alt="Published thresholds")


def _how_good(precision: float, recall: float) -> str:
    return f"{share(precision)} of the pairs above it are significant; {share(recall)} of the significant are above it."


def _estimate(value: float, low: float, high: float, metric: str) -> str:
    return f"**:blue[{value:.2f} {metric}]** :gray[({low:.2f} – {high:.2f})]"


def what_if_panel(view: View, pairs: pd.DataFrame) -> None:
    """For a gain that the user types, the share of pairs near it that are significant."""
    st.markdown("#### What if?")
    gain = st.number_input(f"A gain in {view.metric}", 0.01, 100.0, 1.0, 0.1, key="gain", bind="query-params")
    for row in what_if(pairs, gain, view.alpha).itertuples(index=False):
        if row.pairs:
            st.markdown(
                f"**{row.comparison}**: {row.significant} of {row.pairs} pairs near it significant "
                f"({share(row.share)}; {share(row.low)} to {share(row.high)})"
            )
        else:
            st.markdown(f"**{row.comparison}**: no pair near it")
    st.caption(f"Pairs whose gain is within 20 % of it, by one-sided p < {view.alpha:g}.")
