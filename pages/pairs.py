"""The paper's figure for every pair of systems, with thresholds, and one pair at a time."""

import streamlit as st

from ui import report
from ui.frame.frame import foot, frame
from ui.pairs import figure, notes, overlay, significance, thresholds

view = frame("Pairs")
test, every_pair = significance.pairs_by_test(view)
pairs, filters = figure.filters(view, every_pair, test)
notes.by_document(view)
notes.too_few_resamples(view, test)

left, right = st.columns([11, 4], gap="medium")
with right:
    rule = thresholds.rule(view, every_pair)
    over = overlay.overlay(view, pairs, rule, test)
    table = thresholds.threshold_panel(view, pairs, rule, filters)
    thresholds.threshold_lines(over, view.decimals)
    thresholds.what_if_panel(view, pairs, filters)
    notes.meaning(view, test)
with left:
    figure.pair_figure(view, pairs, table, rule, filters, over)
    figure.one_pair(view, pairs, test)

st.header("All pairs")
figure.all_pairs(view, pairs, filters)
report.report_button(view)
foot(view, test=test)
