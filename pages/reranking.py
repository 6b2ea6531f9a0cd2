"""What a reranker of n-best lists is worth, and which classes of features are worth it."""

import streamlit as st

from ui.app import choice, components
from ui.frame.frame import frame
from ui.reranking import answer, reasons, steps
from ui.reranking.shown import shown

view = frame("Reranking")
st.caption(
    "A parser gives every sentence a list of parses; a reranker chooses among them by features that the parser could "
    "not use. Is it better than the first parse, and is every class of features worth it (Johnson 2005)?"
)
if found := shown(view):
    answer.headline(found)
    answer.figures(found)
    # The steps take longest to train, so the rest of the page is drawn before them.
    place = st.container()
    reasons.weights(found)
    reasons.sentence(found)
    with place:
        steps.steps(found)
    components.signature(found.summary.signature)
choice.write_link()
