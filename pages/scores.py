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
components.table(
    baseline.beside(view, ranking.drop(columns="valid")),
    "ranking_table",
    view.signed(**view.reading, **view.of_baseline),
    "Ranking with intervals, rank ranges and tied groups",
    metric=view.metric,
    decimals=view.decimals,
)
scores.rank_ranges(view, ranking)
baseline.card(view)
scores.macro(view)

scores.all_metrics(view)
foot(view)
