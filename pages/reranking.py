"""What a reranker of n-best lists is worth, and which classes of features are worth it."""

import streamlit as st

from ui.app import choice
from ui.app.copying import copyable
from ui.frame.frame import frame
from ui.laboratory.reranking import answer
from ui.laboratory.reranking.folds import folds
from ui.laboratory.reranking.shown import shown

view = frame("Reranking")
place = st.container()
if found := shown(view):
    with place:
        answer.headline(found)
    answer.figures(found)
    folds(found)
    copyable(found.summary.signature)
choice.write_link()
