"""The size that a test set needs, the gains that it detects, and thresholds on smaller test sets."""

import streamlit as st

from ui.app import choice
from ui.frame.frame import foot, frame
from ui.significance.pairs import notes
from ui.studies.analyses import answers, planning, sizes

view = frame("Test size")
aim, pair = planning.answer(view)
notes.by_document(view)
of = f"{view.selection.stats.n_units:,} {view.selection.stats.unit}s"

with st.expander("How many do other pairs need?", key="needed_open", on_change="rerun") as fold:
    if fold.open:
        planning.of_all_pairs(view, aim)
with st.expander(f"Which gains can {of} detect?", key="detectable_open", on_change="rerun") as fold:
    if fold.open:
        planning.detectable(view, aim)
thresholds = "Thresholds on smaller test sets"
with st.expander(thresholds, choice.made(*sizes.KEYS), key="sizes_open", on_change="rerun") as fold:
    if fold.open:
        sizes.on_smaller_test_sets(view)
answers.more_answers(view, aim)
foot(view, **view.significance, pair=pair, gain=f"{aim.gain:g}", power=aim.power)
