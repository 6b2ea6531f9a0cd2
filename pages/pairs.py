"""The figure of the paper for every pair of systems, thresholds, what-if, and one pair at a time."""

import streamlit as st

from ui import components, pairs, thresholds
from ui.frame import frame

view = frame("Pairs")
table = pairs.filters(view, view.pairs)

left, right = st.columns([11, 4], gap="medium")
with right:
    rule = thresholds.rule(view)
    found = view.thresholds(table, rule)
    thresholds.threshold_panel(view, found)
    thresholds.what_if_panel(view, table)
    pairs.meaning(view)
with left:
    pairs.pair_figure(view, table, found, rule)
    pairs.one_pair(view, table)

st.subheader("All pairs")
components.table(table, "pair_table", view.signature, "All pairs with gains, intervals and p-values")
st.caption(
    f"p = 0: none of the {view.recipe.n_resamples:,} resamples was a hit, so p < {1 / view.recipe.n_resamples:g}."
)
components.signature(view.signature)
