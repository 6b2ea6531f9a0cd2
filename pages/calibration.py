"""How far p-values can be trusted: whether winners win in the population and on other domains."""

import streamlit as st

from ui.app import choice
from ui.frame.frame import foot, frame
from ui.studies.analyses import calibration

view = frame("Calibration")
bins, drawn = calibration.population(view)
with st.expander(
    "Does the winner win on other domains?", choice.made("calibrate_from"), key="across_open", on_change="rerun"
) as fold:
    if fold.open:
        calibration.across(view, bins)
foot(view, **view.significance, **drawn)
