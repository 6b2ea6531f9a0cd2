"""The panels beside the figure of all pairs: thresholds, and what if."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from nlpsig_core.errors import ChoiceError
from nlpsig_core.plots import Overlay
from nlpsig_core.thresholds import PUBLISHED, Rule, threshold_table, what_if
from ui import choice, components
from ui.frame import View
from ui.text import capital, count, plain, share


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


def threshold_panel(view: View, pairs: pd.DataFrame, rule: Rule, filtered: dict[str, str]) -> pd.DataFrame:
    """Each class's threshold, with what it rests on and how good it is; returns them as a table."""
    found = threshold_table(pairs, rule)
    st.markdown(f"#### {plain(capital(view.metric.gain))} that usually means p < {view.alpha:g}")
    if found.empty:
        st.info("No pair of valid systems has a gain.")
        return found
    for row in found.itertuples(index=False):
        with st.container(border=True, gap="xsmall"):
            st.markdown(f"**{row.comparison}** :gray[{count(row.pairs, 'pair')}]")
            if row.reason:
                st.caption(f"window: {row.reason}")
            else:
                estimate = (row.threshold, row.low, row.high, row.pairs_in_window, row.precision, row.recall)
                _estimate(view, "window", *estimate)
            if math.isnan(row.se_threshold):
                st.caption(f"errors: {count(row.se_pairs, 'pair')} of similar score; {rule.fewest} are needed")
            else:
                estimate = (row.se_threshold, row.se_low, row.se_high, row.se_pairs, row.se_precision, row.se_recall)
                _estimate(view, "errors", *estimate)
    st.caption(
        "**window**: percentile of the gains of pairs with p on the border. **errors**: the same of what each pair of "
        "similar score would have needed, by its standard error. In brackets 95 % intervals. **finds**: the share "
        "of the significant pairs that are above it."
    )
    how = {"level": rule.level, "window": "-".join(map(str, rule.window)), "percentile": rule.percentile}
    components.downloads(found, "thresholds", view.signed(**how, fewest=rule.fewest, **view.classes, **filtered))
    with st.expander("Thresholds of the paper"):
        st.caption("Berg-Kirkpatrick et al. (2012). Other test sets, other systems: for comparison only.")
        components.table(PUBLISHED, "published", "Berg-Kirkpatrick, Burkett and Klein (2012)", "Published thresholds")
    return found


def _estimate(
    view: View, name: str, value: float, low: float, high: float, n: int, precision: float, recall: float
) -> None:
    digits = view.decimals
    label = plain(view.metric.label)
    st.markdown(f"**:blue[{value:.{digits}f} {label}]** :gray[({low:.{digits}f} – {high:.{digits}f})]")
    above = "no pair is above it" if math.isnan(precision) else f"{share(precision)} above it significant"
    finds = "" if math.isnan(recall) else f", finds {share(recall)}"
    st.caption(f"{name}: {count(n, 'pair')}; {above}{finds}")


def threshold_lines(over: Overlay | None, decimals: int) -> None:
    """The thresholds of what is drawn over the pairs, in a line each."""
    if over is None:
        return
    st.markdown(f"#### {plain(over.name)}")
    for row in over.thresholds.itertuples(index=False):
        window = f"{row.threshold:.{decimals}f}" if not math.isnan(row.threshold) else row.reason
        errors = f"{row.se_threshold:.{decimals}f}" if not math.isnan(row.se_threshold) else "too few pairs"
        st.markdown(f"**{row.comparison}** :gray[{count(row.pairs, 'pair')}]: window {window}; errors {errors}")


def what_if_panel(view: View, pairs: pd.DataFrame, filtered: dict[str, str]) -> None:
    """For a gain that the user types, the share of pairs near it that are significant."""
    st.markdown("#### What if?")
    least = 10.0**-view.decimals
    largest = max(float(pairs["gain"].max()) if len(pairs) else 0.0, 10 * least)
    middle = float(pairs["gain"].median()) if len(pairs) else least
    usual = min(max(round(middle, view.decimals), least), largest)
    gain = choice.number(
        f"A {view.metric.gain}", least, largest * 2, "gain", usual=usual,
        step=10 * least, format=f"%.{view.decimals}f",
    )  # fmt: skip
    near = what_if(pairs, gain, view.alpha)
    for row in near.itertuples(index=False):
        if row.pairs:
            st.markdown(
                f"**{row.comparison}**: **:blue[{share(row.share)}]** significant "
                f":gray[({share(row.low)} – {share(row.high)})], {count(row.pairs, 'pair')} near"
            )
        else:
            st.markdown(f"**{row.comparison}**: :gray[no pair near]")
    st.caption(f"Pairs whose gain is within 20 % of it, by one-sided p < {view.alpha:g}; 95 % intervals.")
    components.downloads(near, "what_if", view.signed(gain=gain, level=view.alpha, **view.classes, **filtered))
