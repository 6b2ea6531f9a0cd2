"""One pair in detail: is the difference real, and where does it come from?"""

import streamlit as st

from ui.frame.frame import foot, frame
from ui.significance import chosen_pair
from ui.significance.pairs import notes, significance
from ui.studies.pair import answers, evidence, for_the_paper, verdict
from ui.studies.people import beside

view = frame("Pair")
chosen = chosen_pair.choose_pair(view, chosen_pair.observed_pairs(view))
stats, signature = chosen_pair.pair_of(view, chosen)
row = chosen_pair.row_of(view, chosen, stats)
line = verdict.first_verdict(view, row)
notes.by_document(view)
numbers = st.empty()
with numbers.container():
    chosen_pair.facts_of(view, row)
chosen_pair.start_all(view, row, stats)

left, right = st.columns([5, 6], gap="medium")
with left:
    chosen_pair.distribution(view, row)
with right:
    evidence.by_part(view, stats)
paper = st.container()
verdict.effect(view, row, stats)
significance.all_tests(view, stats, signature)
beside.people(view, row)

st.header("Where does it come from?")
evidence.won_and_lost(view, stats, signature)
answers.section(view, stats)
st.header(f"Which {stats.unit}s matter most?")
evidence.units_that_matter(view, stats, signature)
st.header("What if they are left out?")
evidence.without_units(view, row, stats, signature)
verdict.whole_verdict(view, row, line)
with numbers.container():
    chosen_pair.facts_of(view, chosen_pair.in_table(view, row))
with paper:
    for_the_paper.sentences(view, chosen_pair.in_table(view, row))
foot(view, **view.reading)
