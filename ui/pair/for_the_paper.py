"""What a paper says of one pair: sentences for the methods section, a row of LaTeX, and BibTeX."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nlpsig_core.pair.citing import Finding, bibtex, latex_header, latex_row, methods_sentence
from nlpsig_core.pair.writing import STYLES
from nlpsig_core.paired_tests import TESTS
from nlpsig_core.stats.array import Stats
from ui.app import cache, choice
from ui.frame.frame import View
from ui.pairs import significance


def sentences(view: View, row: pd.Series, stats: Stats) -> None:
    """The pair in words and numbers, to be copied."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        test = choice.select("By", significance.usable(view), "cite_test", format_func=significance.label, width=260)
        style = choice.segments("Written for", list(STYLES), "cite_style")
        holm = choice.toggle("Adjusted for all pairs (Holm)", "cite_holm") if test == "bootstrap" else False
    if test != "bootstrap":
        by_test = cache.tests_of_pair(stats, view.recipe).set_index("test").loc[TESTS[test].label]
        row = row.copy()
        row[["p_value", "p_two_sided"]] = by_test[["p_value", "p_two_sided"]]
    found = Finding(selection=view.selection, row=row, recipe=view.recipe, test=test, interval=view.interval)
    st.code(methods_sentence(found, style, holm), language=None, wrap_lines=True)
    left, right = st.columns(2)
    with left:
        st.caption("A row of a table (LaTeX, booktabs)")
        p = "p_holm" if holm else "p_two_sided"
        st.code(f"{latex_header(found, p)}\n\\midrule\n{latex_row(found, p)}", language="latex", wrap_lines=True)
    with right:
        st.caption("What to cite (BibTeX)")
        st.code(bibtex(test, holm), language="bibtex", height=200)
