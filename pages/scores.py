"""The ranking with intervals and ties, every metric, and the average over test sets."""

import streamlit as st

from ui import baseline, scores
from ui.frame.frame import foot, frame
from ui.pairs import notes

view = frame("Scores")
ranking = scores.ranking_of(view)
notes.by_document(view)
notes.too_few_resamples(view, ranking=True)

scores.verdict_and_report(view, ranking)
scores.ranking_figure(view, ranking)
st.caption(
    "Bars are 95% bootstrap intervals of each score. They do not test differences: two systems with overlapping bars "
    "can differ significantly, since both are scored on the same units. Shading separates tied groups, whose systems "
    "are not significantly worse than the first of the group."
)
of_baseline = baseline.against(view)
scores.ranking_table(view, ranking, of_baseline)
baseline.card(view, of_baseline)
scores.macro(view)

scores.all_metrics(view)
foot(view)
