"""The ranking with intervals and ties, every metric, and the average over test sets."""

import streamlit as st

from ui import baseline, report, scores
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
    "Bars are 95% bootstrap intervals of each score. They do not test differences: two systems with overlapping bars "
    "can differ significantly, since both are scored on the same units. Shading separates tied groups, whose systems "
    "are not significantly worse than the first of the group."
)
of_baseline = baseline.against(view)
components.table(
    baseline.beside(ranking.drop(columns="valid"), of_baseline),
    "ranking_table",
    view.signed(**view.reading, **baseline.signed(view, of_baseline)),
    "Ranking with intervals, rank ranges and tied groups",
    metric=view.metric,
    decimals=view.decimals,
)
scores.rank_ranges(view, ranking)
baseline.card(view, of_baseline)
scores.macro(view)

scores.all_metrics(view)
foot(view)
