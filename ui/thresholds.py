"""The panels beside the figure of all pairs: thresholds, and what if."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from nlpsig_core.errors import ChoiceError
from nlpsig_core.thresholds import PUBLISHED, Rule, what_if
from ui import choice
from ui.frame import View
from ui.text import share


def rule(view: View) -> Rule:
    """How thresholds are read off, from a panel that keeps its values."""
    with st.popover("Threshold rule", icon=":material/straighten:", type="tertiary"):
        low, high = choice.slider(
            "Window of p", 0.0, 0.2, "window", step=0.005, format="%.3f",
            help="Pairs with p in this window are on the border of significance.",
        )  # fmt: skip
        percentile = choice.slider("Percentile of their gains", 50, 100, "percentile")
        fewest = choice.number("Fewest pairs", 1, 1000, "fewest")
    try:
        return Rule(view.alpha, (low, high), float(percentile), int(fewest))
    except ChoiceError as error:
        st.error(str(error))
        st.stop()


def threshold_panel(view: View, found: pd.DataFrame) -> None:
    """Each class's threshold, with what it rests on and how good it is."""
    st.markdown(f"#### Gain that usually means p < {view.alpha:g}")
    if found.empty:
        st.info("There is no pair with a gain.")
        return
    for row in found.itertuples(index=False):
        with st.container(border=True, gap="xsmall"):
            st.markdown(f"**{row.comparison}** :gray[{row.pairs:,} pairs]")
            if row.reason:
                st.caption(f"window: {row.reason}")
            else:
                estimate = (row.threshold, row.low, row.high, row.pairs_in_window, row.precision, row.recall)
                _estimate(view.metric, "window", *estimate)
            if math.isnan(row.se_threshold):
                st.caption(f"errors: {row.se_pairs} pairs of similar score are too few")
            else:
                estimate = (row.se_threshold, row.se_low, row.se_high, row.se_pairs, row.se_precision, row.se_recall)
                _estimate(view.metric, "errors", *estimate)
    st.caption(
        "**window**: percentile of the gains of pairs with p on the border. **errors**: the same of what each pair of "
        "similar score would have needed, by its standard error. In brackets 95 % intervals. **finds**: the share "
        "of the significant pairs that are above it."
    )
    with st.expander("Thresholds of the paper"):
        st.caption("Berg-Kirkpatrick et al. (2012). Other test sets, other systems: for comparison only.")
        st.dataframe(PUBLISHED, hide_index=True, alt="Published thresholds")


def _estimate(
    metric: str, name: str, value: float, low: float, high: float, n: int, precision: float, recall: float
) -> None:
    st.markdown(f"**:blue[{value:.2f} {metric}]** :gray[({low:.2f} – {high:.2f})]")
    st.caption(f"{name}: {n:,} pairs; {share(precision)} above it significant, finds {share(recall)}")


def what_if_panel(view: View, pairs: pd.DataFrame) -> None:
    """For a gain that the user types, the share of pairs near it that are significant."""
    st.markdown("#### What if?")
    gain = choice.number(f"A gain in {view.metric}", 0.01, 100.0, "gain", step=0.1)
    near = what_if(pairs, gain, view.alpha)
    near["significant"] = [
        f"{share(row.share)} ({share(row.low)} – {share(row.high)})" if row.pairs else "–"
        for row in near.itertuples(index=False)
    ]
    st.dataframe(
        near, hide_index=True, column_order=["comparison", "pairs", "significant"],
        alt="Share of the pairs near the gain that are significant",
        column_config={"pairs": st.column_config.NumberColumn("near")},
    )  # fmt: skip
    st.caption(f"Pairs whose gain is within 20 % of it, by one-sided p < {view.alpha:g}, with 95 % intervals.")
