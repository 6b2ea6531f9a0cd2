"""Ranking with intervals and ties, every metric, and the average over test sets."""

import streamlit as st

from ui import report, scores
from ui.app import components
from ui.frame.frame import foot, frame
from ui.pairs import notes

view = frame("Scores")
ranking = view.ranking
notes.by_document(view)
notes.too_few_resamples(view, ranking=True)

scores.ranking_figure(view, ranking)
report.report_button(view)
st.caption(
    "Bars are 95 % bootstrap intervals of each score. They are not the test of a difference: two systems whose bars "
    "overlap can differ significantly, since they are scored on the same units. Shading separates tied "
    "groups: their systems are not significantly worse than the first of the group."
)
components.table(
    ranking.drop(columns="valid"),
    "ranking_table",
    view.signed(**view.reading),
    "Ranking with intervals, rank ranges and tied groups",
    decimals=view.decimals,
)
st.caption(
    f"Rank ranges: from one more than the number of significantly better systems to the number of those that are not "
    f"significantly worse ({view.words_of_ranking})."
)
scores.macro(view)

scores.all_metrics(view)
foot(view)
