"""The figure of the paper for every pair of systems, thresholds, what-if, and one pair at a time."""

import streamlit as st

from ui import report
from ui.frame.frame import foot, frame
from ui.pairs import figure, notes, overlay, significance, thresholds

view = frame("Pairs")
test, every_pair = significance.pairs_by_test(view)
table, filtered = figure.filters(view, every_pair, test)
notes.by_document(view)
notes.too_few_resamples(view, test)

left, right = st.columns([11, 4], gap="medium")
with right:
    rule = thresholds.rule(view, every_pair)
    over = overlay.overlay(view, table, rule, test)
    found = thresholds.threshold_panel(view, table, rule, filtered)
    thresholds.threshold_lines(over, view.decimals)
    thresholds.what_if_panel(view, table, filtered)
    notes.meaning(view, test)
with left:
    figure.pair_figure(view, table, found, rule, filtered, over)
    figure.one_pair(view, table, test)

st.subheader("All pairs")
figure.all_pairs(view, table, filtered)
report.report_button(view)
foot(view, test=test)
