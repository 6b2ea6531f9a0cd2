"""What a p-value is worth: whether winners win elsewhere, and in the population."""

import streamlit as st

from ui import calibration
from ui.frame.frame import foot, frame

view = frame("Calibration")
st.caption("Berg-Kirkpatrick et al. (2012), section 4.2: how often does the winner of a test turn out to be better?")
bins = calibration.bins()

calibration.population(view, bins)
calibration.across(view, bins)
foot(view)
