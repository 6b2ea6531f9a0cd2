"""The figure of the paper for every pair of systems, thresholds, what-if, and one pair at a time."""

import streamlit as st

from ui import components, panels
from ui.frame import frame

view = frame("Pairs")
pairs = panels.filters(view, view.pairs)

left, right = st.columns([11, 4], gap="medium")
with right:
    rule = panels.rule(view)
    thresholds = view.thresholds(pairs, rule)
    panels.threshold_panel(view, thresholds)
    panels.what_if_panel(view, pairs)
    panels.meaning(view)
with left:
    panels.pair_figure(view, pairs, thresholds, rule)
    panels.one_pair(view, pairs)

st.subheader("All pairs")
components.table(pairs, "pair_table", view.signature, "All pairs with gains, intervals and p-values")
components.signature(view.signature)
