"""All test sets of a campaign together: every system on every test set, and their average."""

import streamlit as st

from ui.frame.frame import foot, frame
from ui.significance.pairs import notes
from ui.studies import campaign

view = frame("Campaign")
campaign.open_clicked()
campaign.check(view)
campaign.headline(view)
notes.by_document(view)
notes.too_few_resamples(view)
campaign.cells(view)
campaign.average(view)
st.header("Which test sets agree?")
campaign.agreement(view)
pairs = campaign.pairs_on_each(view)
st.header("Where does a system win and lose?")
campaign.outcomes(view, pairs)
st.header("On how many test sets do pairs differ?")
campaign.all_pairs(view, pairs)
st.header("One pair on every test set")
campaign.one_pair(view, pairs)
campaign.people(view)
foot(view, **view.reading)
