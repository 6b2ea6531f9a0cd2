"""Several domains or test sets: one pair in every domain, agreement of rankings, thresholds at one size."""

import streamlit as st

from ui.app import components
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
    components.fold("Do the rankings agree?", domains.agreement, view, selections, key="agreement_open")
    thresholds = f"Which {view.metric.gain_word} is significant in each?"
    components.fold(thresholds, domains.at_one_size, view, selections, key="domains_open", choices=domains.KEYS)
foot(view, **view.significance, pair=pair)
