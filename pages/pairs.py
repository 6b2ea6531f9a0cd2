"""The paper's figure for every pair of systems, with thresholds, and one pair at a time."""

import streamlit as st

from ui.frame.frame import foot, frame
from ui.significance import report
from ui.significance.pairs import controls, figure, notes, overlay, thresholds

view = frame("Pairs")
figure.headline(view)
notes.by_document(view)
with st.container(horizontal=True, vertical_alignment="center", gap="small"):
    look = controls.look(view)
    which, how = st.popover("Filter", icon=":material/filter_alt:"), st.popover("Options", icon=":material/tune:")
# Only choices are in the panels: progress and errors would be hidden there.
with which:
    pairs, filters = controls.filters(view, view.pairs)
with how:
    by_correlation = controls.by_correlation()
rule = thresholds.rule(view, view.pairs, how)
over = overlay.overlay(view, pairs, rule, how)
notes.too_few_resamples(view)

table = thresholds.of_pairs(view, pairs, rule)
left, right = st.columns([10, 6], gap="medium")
with left:
    figure.pair_figure(view, pairs, table, rule, filters, look, over, by_correlation)
with right:
    figure.one_pair(view, pairs, look)

thresholds.threshold_panel(view, table, rule, filters)
thresholds.threshold_lines(over, view.decimals)
left, right = st.columns(2, gap="medium")
with left:
    thresholds.what_if_panel(view, pairs, filters)
with right:
    thresholds.of_the_paper()
    notes.meaning(view)

st.header("All pairs")
figure.all_pairs(view, pairs, filters)
report.report_button(view)
foot(view, **view.reading)
