"""Several domains or test sets: one pair in every domain, agreement of rankings, thresholds at one size."""

import streamlit as st

from ui.app import choice
from ui.frame.frame import foot, frame
from ui.significance.pairs import notes
from ui.studies.analyses import domains
from ui.studies.analyses.side_by_side import choose_selections

view = frame("Domains")
place = st.container()
selections, left_out = choose_selections(view, place)

with place:
    pair = domains.one_pair(view, selections, left_out)
    notes.by_document(view)
    with st.expander("Do the rankings agree?", key="agreement_open", on_change="rerun") as fold:
        if fold.open:
            domains.agreement(view, selections)
    thresholds = "Which gain is significant in each?"
    with st.expander(thresholds, choice.made(*domains.KEYS), key="domains_open", on_change="rerun") as fold:
        if fold.open:
            domains.at_one_size(view, selections)
foot(view, **view.significance, pair=pair)
