"""Does the metric deserve the gain? Every pair by a metric and by people, and what a gain is worth."""

import streamlit as st

from ui.app import choice
from ui.app.copying import copyable
from ui.frame.frame import frame
from ui.studies.people import pairs, worth
from ui.studies.people.shown import shown

view = frame("People")
if found := shown(view):
    pairs.headline(found)
    left, right = st.columns([10, 7], gap="medium")
    with left:
        pairs.figure(found)
    with right:
        pairs.one_pair(found)
    st.header("What is a gain worth to people?")
    worth.curve(found)
    st.header("All pairs")
    pairs.table(found)
    st.header("Which metric agrees best with people?")
    worth.measures(found)
    copyable(found.signature)
    choice.write_link()
