"""Text about one pair for a paper: a sentence for the methods section, a LaTeX table row, and BibTeX."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nlpsig_core.studies.pair.citing import Finding, bibtex, latex_header, latex_row, methods_sentence
from nlpsig_core.studies.pair.writing import STYLES
from ui.app import choice
from ui.app.copying import copyable
from ui.frame.view import View
from ui.open.tasks import cited


def sentences(view: View, row: pd.Series) -> None:
    """Draw the pair in words and numbers, ready to copy."""
    with st.expander("For a paper", icon=":material/article:"):
        style = choice.segments("Format", list(STYLES), "cite_style", label_visibility="collapsed")
        finding = Finding(
            selection=view.selection,
            row=row,
            recipe=view.recipe,
            interval=view.interval,
            notion=view.notion,
            title=cited(view.task.name),
        )
        copyable(methods_sentence(finding, style))
        left, right = st.columns(2)
        with left:
            st.caption("Table row (LaTeX, booktabs)")
            copyable(f"{latex_header(finding)}\n\\midrule\n{latex_row(finding)}")
        with right:
            st.caption("References (BibTeX)")
            # The box scrolls, not the code in it, which the keyboard does not reach.
            with st.container(height=200, border=False):
                copyable(bibtex(view.notion, finding.test.name))
