"""What a system predicts that is probably wrong, by the votes of the other systems or the system's own word."""

import streamlit as st

from ui.app import choice, components
from ui.app.copying import copyable
from ui.frame.frame import frame
from ui.laboratory.confidence import edges, votes, work_list

view = frame("Confidence")
place, row = st.container(), st.container(horizontal=True, vertical_alignment="bottom")
if of_systems := edges.edge_view(view, row):
    name, inspected, beside = edges.choose(of_systems, row)
    with place:
        edges.headline(of_systems, name, inspected)
    edges.figures(of_systems, name, inspected, beside)
    work_list.work_list(of_systems, name, inspected)
    with st.expander("All systems, and what confidence is"):
        edges.table(of_systems)
components.fold("See KD-Fix at work", votes.section, view, key="votes_open", choices=["votes_noise", "votes_sentence"])
if of_systems:
    copyable(of_systems.signature)
choice.write_link()
