"""The figure of the paper for every pair of systems, thresholds, what-if, and one pair at a time."""

import streamlit as st

from ui import overlay, pairs, report, significance, thresholds
from ui.frame import foot, frame

view = frame("Pairs")
test, every_pair = significance.pairs_by_test(view)
table, filtered = pairs.filters(view, every_pair, test)
pairs.by_document(view)
pairs.too_few_resamples(view, test)

left, right = st.columns([11, 4], gap="medium")
with right:
    rule = thresholds.rule(view, every_pair)
    over = overlay.overlay(view, table, rule, test)
    found = thresholds.threshold_panel(view, table, rule, filtered)
    thresholds.threshold_lines(over, view.decimals)
    thresholds.what_if_panel(view, table, filtered)
    pairs.meaning(view, test)
with left:
    pairs.pair_figure(view, table, found, rule, filtered, over)
    pairs.one_pair(view, table, test)

st.subheader("All pairs")
pairs.all_pairs(view, table, filtered)
report.report_button(view)
foot(view, test=test)
