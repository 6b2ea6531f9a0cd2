"""One pair in detail: is the difference real, and where does it come from?"""

import streamlit as st

from ui.frame.frame import foot, frame
from ui.pair import evidence, for_the_paper, pair, verdict
from ui.pairs import notes, significance

view = frame("Pair")
row = pair.choose_pair(view, view.pairs)
notes.by_document(view)
pair.facts_of(view, row)
stats, signature = pair.pair_of(view, row)

st.subheader("Is it real?")
verdict.verdict(view, row)
verdict.effect(view, row, stats)
left, right = st.columns([5, 6], gap="medium")
with left:
    pair.distribution(view, row)
with right:
    significance.all_tests(view, stats, signature)

st.subheader("Where does it come from?")
left, right = st.columns(2, gap="medium")
with left:
    evidence.won_and_lost(view, stats, signature)
with right:
    evidence.by_part(view, stats)

st.subheader(f"Which {stats.unit}s matter most?")
evidence.units_that_matter(view, stats, signature)

st.subheader("What if they are left out?")
evidence.without_units(view, stats, signature)

st.subheader("For the paper")
for_the_paper.sentences(view, row, stats)
foot(view)
