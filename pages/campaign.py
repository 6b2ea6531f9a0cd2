"""All test sets of a campaign together: every system on every test set, and their average."""

import streamlit as st

from ui import campaign
from ui.frame.frame import foot, frame
from ui.pairs import notes

view = frame("Campaign")
campaign.open_clicked()
campaign.check(view)
campaign.facts(view)

st.header("Every system on every test set")
campaign.cells(view)
st.header("Which test sets agree?")
campaign.agreement(view)
st.header("Macro-average")
notes.by_document(view)
notes.too_few_resamples(view, ranking=True)
campaign.average(view)
pairs = campaign.pairs_on_each(view)
st.header("Where does a system win and lose?")
campaign.outcomes(view, pairs)
st.header("On how many test sets is a pair significant?")
campaign.all_pairs(view, pairs)
st.header("One pair on every test set")
campaign.one_pair(view, pairs)
foot(view)
