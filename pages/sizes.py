"""What the size of the test set does to thresholds, and how large it must be."""

import streamlit as st

from ui import sizes
from ui.frame.frame import foot, frame

view = frame("Test size")
st.caption(
    "All pairs on parts of the test set (Berg-Kirkpatrick et al. 2012, section 4.1, figures 9 and 10): which gain is "
    f"usually significant ({view.words}) on a test set of each size?"
)
pairs, said = sizes.of_sizes(view)
thresholds = sizes.thresholds(view, pairs)

sizes.scatter(view, pairs, thresholds, said)
sizes.curve(view, thresholds, said)
aim = sizes.power(view)
sizes.detectable(view, aim)
foot(view)
