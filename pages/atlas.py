"""How large must a gain be? Answered from the pairs of systems of many real test sets, before there are outputs."""

import streamlit as st

from ui.app import choice
from ui.frame.frame import frame
from ui.studies import atlas

view = frame("Atlas")
asked = atlas.question(view)
atlas.answer(asked)
left, right = st.columns(2, gap="large")
with left:
    atlas.by_test_set(asked)
with right:
    atlas.cloud(asked)
atlas.folds(asked, view)
choice.write_link()
