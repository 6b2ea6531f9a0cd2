"""What a system predicts that is probably wrong, by the votes of the other systems or the system's own word."""

import streamlit as st

from ui.app import choice
from ui.confidence import edges, work_list
from ui.frame.frame import frame
from ui.learn import votes

view = frame("Confidence")
st.caption(
    "Which edges of a dependency parse, or which tags, are probably wrong? Confidence is the share of other systems "
    "that agree, or what the system itself gives; how well it finds errors is measured as by Mejer and Crammer (2012)."
)
if of_systems := edges.edge_view(view):
    name, inspected = edges.headline(of_systems)
    edges.figures(of_systems, name, inspected)
    work_list.work_list(of_systems, name, inspected)
    st.header("All systems")
    edges.table(of_systems)
votes.section(view)
choice.write_link()
