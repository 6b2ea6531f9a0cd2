"""How far p-values can be trusted: whether winners win on other domains and in the population."""

import streamlit as st

from ui.analyses import calibration
from ui.frame.frame import foot, frame

view = frame("Calibration")
st.caption("How often is the winner of a test the better system? (Berg-Kirkpatrick et al. 2012, section 4.2)")
bins = calibration.choose_bins()

calibration.population(view, bins)
calibration.across(view, bins)
foot(view)
