"""Domains and test sets side by side: thresholds at one size, agreement of rankings, one pair everywhere."""

import streamlit as st

from ui import domains
from ui.frame import parts
from ui.frame.frame import foot, frame

view = frame("Domains")
st.caption(
    "Domains of one test set, or several test sets of the same systems (Berg-Kirkpatrick et al. 2012, section 4.1, "
    "figure 11)."
)
found = parts.parts(view)

domains.at_one_size(view, found)
domains.agreement(view, found)
domains.one_pair(view, found)
foot(view)
