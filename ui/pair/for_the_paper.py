"""Text about one pair for a paper: a sentence for the methods section, a LaTeX table row, and BibTeX."""

from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd
import streamlit as st

from nlpsig_core.comparison.notion import NONE
from nlpsig_core.pair.citing import Finding, bibtex, latex_header, latex_row, methods_sentence
from nlpsig_core.pair.writing import STYLES
from nlpsig_core.paired_tests import TESTS
from nlpsig_core.stats.array import Stats
from ui.app import choice, computations
from ui.app.watching import watch
from ui.frame.view import View
from ui.pair.pair import in_table
from ui.pairs import significance


def sentences(view: View, row: pd.Series, stats: Stats) -> None:
    """The pair in words and numbers, ready to copy."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        test = choice.select("Test", significance.usable(view), "cite_test", format_func=significance.label, width=260)
        style = choice.segments("Format", list(STYLES), "cite_style")
        holm = choice.toggle("Adjusted for all pairs (Holm)", "cite_holm") if test == "bootstrap" else False
    notion = view.notion if test == "bootstrap" else replace(view.notion, adjust=NONE)
    if test != "bootstrap":
        by_test = (
            watch(computations.tests_of_pair(stats, view.bootstrap_of(stats))).set_index("test").loc[TESTS[test].label]
        )
        row = row.copy()
        row[["p_value", "p_two_sided"]] = by_test[["p_value", "p_two_sided"]]
        row["p_decided"] = row["p_unadjusted"] = by_test["p_two_sided" if notion.two_sided else "p_value"]
        row["significant"] = row["p_decided"] < notion.level
    elif holm and math.isnan(row["p_holm"]):
        row = in_table(view, row)
    finding = Finding(
        selection=view.selection, row=row, recipe=view.recipe, test=test, interval=view.interval, notion=notion
    )
    st.code(methods_sentence(finding, style, holm), language=None, wrap_lines=True)
    left, right = st.columns(2)
    with left:
        st.caption("Table row (LaTeX, booktabs)")
        p = "p_holm" if holm else "p_two_sided"
        st.code(f"{latex_header(finding, p)}\n\\midrule\n{latex_row(finding, p)}", language=None, wrap_lines=True)
    with right:
        st.caption("References (BibTeX)")
        # The box scrolls, not the code in it, which the keyboard does not reach.
        with st.container(height=200, border=False):
            st.code(bibtex(test, holm), language=None, wrap_lines=True)
