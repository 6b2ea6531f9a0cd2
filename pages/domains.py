"""Several domains or test sets: thresholds at one size, agreement of rankings, one pair in every domain."""

import streamlit as st

from ui.analyses import domains
from ui.analyses.side_by_side import choose_selections
from ui.frame.frame import foot, frame

view = frame("Domains")
st.caption(
    "Compares domains of one test set, or several test sets with the same systems (Berg-Kirkpatrick et al. 2012, "
    "section 4.1, figure 11)."
)
selections = choose_selections(view)

domains.at_one_size(view, selections)
domains.agreement(view, selections)
domains.one_pair(view, selections)
foot(view)
