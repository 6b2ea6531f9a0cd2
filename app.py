"""The first page: choose or open a shared task, and check its files."""

import streamlit as st

from ui import overview
from ui.frame.frame import foot, frame
from ui.open import opening, recognition, tasks

view = frame("Shared task")

st.markdown(
    f"Test **every pair** of systems of a shared task with **{view.recipe.n_resamples:,}** paired bootstrap resamples. "
    "Which gains are more than luck, and how large must a gain be?"
)
opening.opening()

st.subheader(tasks.title(view.task))
st.caption(tasks.about(view.task))
overview.what_was_read(view)
recognition.recognised(view.key, view.task, view.first.test_set)

left, right = st.columns([4, 5], gap="large")
with left:
    st.markdown("#### Best systems")
    overview.best_systems(view)
with right:
    st.markdown("#### Names, groups, kinds")
    tasks.edit_systems(view.key, view.task, view.signature)
    st.caption("Groups decide which pairs count as same group; the kind marks system combinations. Cells are editable.")
foot(view)
