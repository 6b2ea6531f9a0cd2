"""How large must a gain be? Answered from the pairs of many real test sets."""

import streamlit as st

from ui import atlas
from ui.app import choice
from ui.frame.frame import frame

view = frame("Atlas")
st.caption(
    "How large must a gain be? Answered from the pairs of systems of many real test sets, before there are outputs of "
    "your own."
)
asked = atlas.question(view)
atlas.answer(asked)
left, right = st.columns(2, gap="large")
with left:
    atlas.cloud(asked)
with right:
    atlas.by_test_set(asked)
left, right = st.columns(2, gap="large")
with left:
    atlas.by_size(asked)
with right:
    atlas.how_well(asked)
atlas.open_task(asked, view)
atlas.of_the_paper(asked)
choice.write_link()
